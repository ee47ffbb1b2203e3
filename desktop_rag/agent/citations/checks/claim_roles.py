"""Finds parties of a claim on the other side of a verb, of “than” or of “before” than in the lines.

“Otis sold his company to Sprague” over “Sprague sold his company to Otis”; a passive with “by” turns the sides. Silent
unless a party of each side has changed: a place or a time may stand anywhere.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from desktop_rag.agent.citations.check_words import (
    AGENT_MARKS,
    JOINING,
    PASTS,
    PRONOUNS,
    SYMMETRIC,
    TELLS,
    base_stem,
    word_classes,
    word_forms,
    word_set,
)
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, is_content, is_ordinary, split_words

REACH = 9  # words from a verb to the “by” of its agent
FAR = 14  # words from a passive verb to the name of its agent
NEAR = 6  # words between a comparative and “than”
_CLAUSE = re.compile(r"[;\n]|[.!?](?=\s)|,?\s(?:but|while|whereas)\s", re.IGNORECASE)
_PLACES = word_set("in at on near during since under within around across")  # what follows may stand anywhere
_ARTICLES = word_set("the a an")
_BE = word_set("is are was were be been being")
_BEFORE_VERBS = _BE | PRONOUNS | word_set("to has have had did does will would which and")
_AFTER_VERBS = _ARTICLES | word_set("his her its their on to from with")
_BASES = frozenset(forms[0] for forms in word_forms("irregular verbs"))
_GERMAN_ARTICLES = word_set("der die das den dem ein eine einen einem")
CONVERSE = {
    base_stem(word): frozenset(map(base_stem, other))
    for one, two in word_classes("converse")
    for side, other in ((one, two), (two, one))
    for word in side
}
_PIVOTS = word_set("than before after")
_COUNTS = word_set("more less fewer")


@dataclass(frozen=True, slots=True)
class _Sides:
    """What stands before and after a word: stems of content words, and those that are names."""

    left: frozenset[str]
    right: frozenset[str]
    names: frozenset[str]
    passive: bool | None  # None of a passive without an agent
    nearest: frozenset[str] = frozenset()  # the names next to the word on either side


def crossed_roles(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the words of a claim whose parties have changed their sides."""
    sentences = ("", *evidence.prose.split("\n"))
    for before, sentence in pairwise(sentences) if not statement.denies else ():
        for theirs in _clauses(sentence):
            for mine in _clauses(statement.text):
                yield from _crossed(mine, theirs, before)


def _clauses(text: str) -> list[str]:
    return [each for each in _CLAUSE.split(text) if each.strip()]


def _crossed(claim: str, sentence: str, before: str) -> Iterator[ClaimFault]:
    words, theirs = split_words(claim), split_words(sentence)
    mine_once, theirs_once = _only_ones(words), _only_ones(theirs)
    same = [(mine_once[each], theirs_once[each], False) for each in mine_once if each in theirs_once]
    turned = [(mine_once[each], theirs_once[to], True) for each in mine_once for to in CONVERSE.get(each, ())
              if to in theirs_once]  # fmt: skip
    for at, other, converse in (*same, *turned):
        than = bool(_compared(words, at) & _compared(theirs, other))
        if not than and not (_is_verb(words, at) and _is_verb(theirs, other)):
            continue
        own, read = _sides(claim, words, at), _sides(sentence, theirs, other, before)
        if converse and own.passive is not None:
            own = replace(own, passive=not own.passive)
        one, two = _changed(own, read, one_sided=than)
        if one or two:
            said, written = _span(claim, words, at, one | two), _span(sentence, theirs, other, one | two)
            yield ClaimFault("direction", said, written)
            return


def other_party(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the name beside a verb of a claim, or after its “by”, if the sentence has another one in that role.

    One that the sentence has elsewhere is in another role only if one of both follows “by”, and the other begins.
    """
    words = statement.words
    written = {word.stem for word in split_words(evidence.nearest)}
    for clause in _clauses(evidence.nearest) if not statement.denies else ():
        theirs = split_words(clause)
        mine, others = _only_ones(words), _only_ones(theirs)
        for base in mine.keys() & others.keys():
            if not (_is_verb(words, mine[base]) and _is_verb(theirs, others[base])):
                continue
            for role in (_doer, _done_to):
                said, read = role(words, mine[base]), role(theirs, others[base])
                stems, other = ({word.stem for word in each} for each in (said, read))
                if not (said and read and stems <= evidence.known.stems) or stems & other == stems or other <= stems:
                    continue
                by = {_is_passive(words, mine[base]), _is_passive(theirs, others[base])} == {True, False}
                sure = by and (said[0] is words[0] or read[0] is theirs[0])
                sure = sure and _is_alone(said, words) and _is_alone(read, theirs)
                if stems.isdisjoint(written) or (role is _doer and sure):
                    yield ClaimFault("name", " ".join(word.text for word in said), " ".join(word.text for word in read))
                    return


def _doer(words: Sequence[ClaimWord], at: int) -> list[ClaimWord]:
    """Return the name of who does something: before an active verb, after the “by” of a passive one."""
    passive = _is_passive(words, at)
    if passive:
        near = range(at + 1, min(at + FAR, len(words) - 1))
        by = next(
            (each for each in near if words[each].fold in AGENT_MARKS and not words[each + 1].fold[0].isdigit()), at
        )
        return _name(words[by + 1 :]) if by > at else []
    return _name(words[:at][::-1])[::-1] if passive is False else []


def _done_to(words: Sequence[ClaimWord], at: int) -> list[ClaimWord]:
    return _name(words[:at][::-1])[::-1] if _is_passive(words, at) is not False else _name(words[at + 1 :])


def _name(words: Sequence[ClaimWord]) -> list[ClaimWord]:
    """Return the name that a text begins with: William IV."""
    found = list(takewhile(lambda word: is_name(word) or (word.is_acronym and not word.starts), words))
    return found if any(map(is_name, found)) else []


def _is_alone(name: Sequence[ClaimWord], words: Sequence[ClaimWord]) -> bool:
    """Return whether no comma, “and” or genitive joins a name to more."""
    at = words.index(name[0])
    before, after = words[at - 1 : at], words[at + len(name) : at + len(name) + 1]
    joined = any(each.fold in JOINING for each in (*before, *after))
    return not joined and all(each.start == name[-1].end + 1 for each in after)


def _only_ones(words: Sequence[ClaimWord]) -> dict[str, int]:
    """Return the places of the stems that occur once."""
    stems = [word.stem for word in words]
    return {stem: at for at, stem in enumerate(stems) if stems.count(stem) == 1}


def _span(text: str, words: Sequence[ClaimWord], at: int, stems: frozenset[str]) -> str:
    """Return the words from the first to the last of some stems, with the word between them."""
    held = [words[at], *(word for word in words if word.stem in stems)]
    return text[min(word.start for word in held) : max(word.end for word in held)]


def _is_verb(words: Sequence[ClaimWord], at: int) -> bool:
    word, before = words[at], words[max(at - 1, 0)]
    if word.fold in _PIVOTS - {"than"}:
        return True
    if word.is_capital or not is_content(word) or word.fold in _PLACES | TELLS or word.stem in SYMMETRIC:
        return False
    if not (is_content(before) or before.is_capital or before.fold in _BEFORE_VERBS):  # of vegetated area
        return False
    is_past = word.fold.endswith("ed") or word.fold in PASTS or word.fold in _BASES
    return before.fold == "to" or is_past or _is_present(words, at) or _is_german(words, at)


def _is_german(words: Sequence[ClaimWord], at: int) -> bool:
    """Return whether a word is a verb in the past between a noun and its object: “besiegten die”."""
    after = words[at + 1].fold if at + 1 < len(words) else ""
    return words[at - 1].is_capital and words[at].fold.endswith(("te", "ten")) and after in _GERMAN_ARTICLES


def _is_present(words: Sequence[ClaimWord], at: int) -> bool:
    """Return whether a word stands between a subject and an object as a verb: “the sovereign acts on the advice”."""
    if not 0 < at < len(words) - 1 or not is_content(words[at - 1]):
        return False
    after = words[at + 1]
    is_object = after.fold in _AFTER_VERBS or (after.is_capital and words[at].fold.endswith("s"))
    return is_object and after.start == words[at].end + 1


def _compared(words: Sequence[ClaimWord], at: int) -> frozenset[str]:
    """Return the comparatives before “than”, none before the bound of a count: “more than five”."""
    near = [word.fold for word in words[max(0, at - NEAR) : at]]
    if words[at].fold != "than" or (near and near[-1] in _COUNTS):
        return frozenset()
    return frozenset(fold for fold in near if fold.endswith("er") or fold in _COUNTS)


def _sides(text: str, words: Sequence[ClaimWord], at: int, before: str = "") -> _Sides:
    """Return the words on both sides of a word; a pronoun means the names of the sentence before."""
    left, right = _parties(text, words, 0, at), _parties(text, words, at + 1, len(words))
    if any(word.fold in PRONOUNS for word in words[max(0, at - 3) : at]):
        left += [word for word in split_words(before) if word.is_capital and is_content(word)]
    one, other = (frozenset(word.stem for word in side) for side in (left, right))
    both = one & other  # Leeds United, Carlisle United
    names = frozenset(word.stem for word in (*left, *right) if is_name(word)) - both
    near = [*[each.stem for each in left if each.stem in names][-1:]]
    near += [*[each.stem for each in right if each.stem in names][:1]]
    return _Sides(one, other, names, _is_passive(words, at), frozenset(near if len(near) > 1 else ()))


def is_name(word: ClaimWord) -> bool:
    """Return whether a word is a name: capitalised, and no ordinary word that begins a sentence."""
    return word.is_capital and is_content(word) and not (word.starts and is_ordinary(word))


def _parties(text: str, words: Sequence[ClaimWord], start: int, end: int) -> list[ClaimWord]:
    """Return the content words of a side without places and times: “in Germany”."""
    found: list[ClaimWord] = []
    placed = False
    for before, word in zip(words[max(start - 1, 0) :], words[start:end], strict=False):
        ends = not word.is_capital and word.fold not in _ARTICLES
        placed = word.fold in _PLACES or (placed and not ends and "," not in text[before.end : word.start])
        if is_content(word) and not placed and not word.fold[:1].isdigit():
            found.append(word)
    return found


def _is_passive(words: Sequence[ClaimWord], at: int) -> bool | None:
    near = words[at + 1 : at + REACH]
    if any(word.fold in AGENT_MARKS and not after.fold[:1].isdigit() for word, after in pairwise(near)):
        return True  # not “by 10 %”
    return None if any(word.fold in _BE for word in words[max(0, at - 2) : at]) else False


def _changed(mine: _Sides, other: _Sides, *, one_sided: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the parties that went from the left to the right and the other way, both empty if none clearly did."""
    nobody = frozenset[str](), frozenset[str]()
    if mine.passive != other.passive and None in (mine.passive, other.passive):
        return nobody
    left, right = (other.right, other.left) if mine.passive != other.passive else (other.left, other.right)
    one, two = (mine.left & right) - mine.right - left, (mine.right & left) - mine.left - right
    names = mine.names & other.names
    stayed = names & ((mine.left & left) | (mine.right & right))
    if one & names and two & names:
        nearest = mine.nearest & names <= one | two and other.nearest & names <= one | two
        changed = nearest or len(stayed) < min(len(one & names), len(two & names))
    elif one_sided:
        changed = not stayed
    else:  # nouns
        changed = bool(one and two) and not names & (one | two) and mine.left.isdisjoint(left)
    return (one, two) if changed else nobody
