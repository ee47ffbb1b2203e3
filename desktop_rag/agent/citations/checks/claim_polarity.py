"""Finds where a claim contradicts the source sentence most like it: negations, extents, directions, swapped roles.

Lexical, and only about the same words: a fault needs the negated, compared or swapped word in both sentences.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise, takewhile

from desktop_rag.agent.citations.check_words import (
    AGENT_MARKS,
    ALL,
    CONDITIONS,
    EXCEPTIONS,
    EXTENTS,
    IMPLIED_NEGATIONS,
    JOINING,
    LIMITS,
    ONLY,
    OPPOSITES,
    ORDERS,
    SWITCHES,
    SYMMETRIC,
    TELLS,
    VERBS_AT_END,
)
from desktop_rag.agent.citations.checks.claim_alterations import ADDED
from desktop_rag.agent.citations.checks.claim_clauses import confirms
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    content_stems,
    is_content,
    is_negation,
    likeness,
    split_words,
    without_idioms,
)
from desktop_rag.agent.events import ClaimFault

REACH = 5  # words after a negation or a modal verb that it may belong to
NEAR = 5  # words around a direction that say what it is about
EXCEPTED = 4  # content words of an exception
_EXCEPT = frozenset(("except", "ausser", "sauf", "salvo"))
COMPARATIVE_MARKS = frozenset(("than", "als"))
NEARLY_EQUAL = 0.75  # share from which an added “always” is an overstatement

_ACCUSATIVE = frozenset(("den", "einen", "keinen", "dem", "einem"))
_AND = frozenset(("and", "und", "et", "y", "e"))
_AGENT = frozenset(("by", "von", "par", "por"))
_CLAUSE = re.compile(
    r"[;:()—–]|[.!?](?=\s)|,(?!\d)|\b(?:but|whereas|while|although|though|however|aber|sondern|jedoch|mais|pero)\b",
    re.I,
)


def _without_extents(words: Sequence[ClaimWord]) -> list[ClaimWord]:
    return [word for word in words if not any(word.fold in group for group in EXTENTS)]


def other_negation(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word that exactly one of both sentences negates."""
    yield from _negation(without_idioms(statement.text), without_idioms(evidence.nearest))


def _negation(claim: str, source: str) -> Iterator[ClaimFault]:
    mine, theirs = split_words(claim), split_words(source)
    negated_here, negated_there = _negated(claim, mine), _negated(source, theirs)
    implied_here, implied_there = any(map(_is_implied, mine)), any(map(_is_implied, theirs))
    if _is_excepted(mine, theirs):
        if again := negated_here.keys() & negated_there.keys():
            yield ClaimFault("negation", negated_here[again.pop()].text)
        return
    plain_here = {word.stem: word for word in mine if word.stem not in negated_here}
    plain_there = {word.stem for word in theirs if word.stem not in negated_there}
    if negated_here and not negated_there and not implied_there:
        stems = [stem_ for stem_ in negated_here if stem_ in plain_there]
        if stems:
            yield ClaimFault("negation", negated_here[stems[0]].text)
    elif negated_here and negated_there and not implied_there:
        if negated_here.keys() <= plain_there and negated_there.keys().isdisjoint(word.stem for word in mine):
            yield ClaimFault("negation", next(iter(negated_here.values())).text)
    elif negated_there and not negated_here and not implied_here:
        excepts = any(word.fold in EXCEPTIONS for word in theirs) or sum(map(is_negation, theirs)) % 2 == 0
        if excepts and any(word.fold in CONDITIONS for word in mine):
            return
        often = Counter(word.stem for word in theirs)  # “Jonas packs it; nobody packs the rest”
        for stem_, negation in negated_there.items():
            if stem_ in plain_here and often[stem_] == 1:
                word = plain_here[stem_]
                yield ClaimFault("negation", word.text, f"{negation.text} {word.text}")
                return


def _is_excepted(mine: Sequence[ClaimWord], theirs: Sequence[ClaimWord]) -> bool:
    """Return whether a claim is only about what its source excepts at its end: “no animals, except guide dogs”."""
    at = [index for index, word in enumerate(theirs) if word.fold in _EXCEPT]
    if len(at) != 1 or any(word.fold in EXCEPTIONS for word in mine):
        return False
    excepted = content_stems(theirs[at[0] + 1 :])
    denied = next((index for index, word in enumerate(theirs) if is_negation(word)), at[0])
    subject = content_stems(theirs[:denied]) - excepted
    return 0 < len(excepted) <= EXCEPTED and excepted <= content_stems(mine) and subject.isdisjoint(content_stems(mine))


def _is_implied(word: ClaimWord) -> bool:
    return word.fold in IMPLIED_NEGATIONS or word.fold.startswith(("un", "n'", "n’"))


def _negated(text: str, words: Sequence[ClaimWord]) -> dict[str, ClaimWord]:
    """Return the negated content stems, each with its negation."""
    found: dict[str, ClaimWord] = {}
    ends = [match.start() for match in _CLAUSE.finditer(text)] + [len(text)]
    for at, word in enumerate(words):
        if not is_negation(word):
            continue
        end = next(end for end in ends if end >= word.start)
        begin = max((each for each in (0, *ends) if each <= word.start), default=0)
        after = [other for other in words[at + 1 : at + 1 + REACH] if other.end <= end and is_content(other)]
        before = [other for other in words[max(0, at - 2) : at] if other.start >= begin and is_content(other)]
        scope = after[:2] or before[-1:]
        if word.fold in ("nicht", "pas", "niet"):
            scope = [*before[-1:], *after[:2]]
        for other in scope:
            found.setdefault(other.stem, word)
    return found


def other_extent(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield an extent that the lines limit about the same words, or that a nearly equal sentence lacks."""
    words, best, everything = statement.words, split_words(evidence.nearest), evidence.known.folds
    share = likeness(_without_extents(words), evidence.nearest)
    limits = [at for at, word in enumerate(best) if word.fold in LIMITS]
    exclusive = [at for at, word in enumerate(best) if word.fold in EXTENTS[ONLY]]
    excepts = any(is_negation(word) or word.fold in IMPLIED_NEGATIONS for word in best)
    hedged = any(word.fold in LIMITS for word in words)
    if hedged and not exclusive:
        return
    for number, group in enumerate(EXTENTS):
        for at, word in enumerate(words):
            counted = at + 1 < len(words) and words[at + 1].fold[:1].isdigit()  # “only 340” is an emphasis
            if word.fold not in group or counted or word.fold in everything:
                continue
            near = _around(words, at)
            held = [*([] if hedged else limits), *(exclusive if number == ALL else [])]
            limit = next((best[each].text for each in held if near & _around(best, each)), "")
            # “Not without consent” is “only with consent”.
            added = not hedged and number < ADDED and share >= NEARLY_EQUAL and not excepts
            if limit or (added and not any(each in everything for each in group)):
                yield ClaimFault("extent", word.text, limit)
                return


@cache
def _directions() -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Return the pairs and sides of each direction word."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, sides in enumerate(OPPOSITES):
        for side, words in enumerate(sides):
            for word in words:
                found.setdefault(word, []).append((number, side))
    return {word: tuple(places) for word, places in found.items()}


def opposed(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word whose opposite, and not itself, the source has about the same words."""
    found = next(_opposed(statement.words, split_words(evidence.nearest), evidence.known.folds), None)
    if found and not confirms(statement.text, evidence.prose, found.text):
        yield found


def _opposed(words: Sequence[ClaimWord], best: Sequence[ClaimWord], everything: Container[str]) -> Iterator[ClaimFault]:
    directions = _directions()
    for at, word in enumerate(words):
        for number, side in directions.get(word.fold, ()) if _is_direction(words, at) else ():
            same, opposite = OPPOSITES[number][side], OPPOSITES[number][1 - side]
            if any(other.fold in opposite for other in words):
                continue
            places = (index for index, other in enumerate(best) if other.fold in opposite)
            contrary = [index for index in places if _is_direction(best, index)]
            agreeing = any(other.fold in same for other in best)
            if not contrary or agreeing or any(each in everything for each in same):
                continue
            near = _around(words, at)
            most = max(contrary, key=lambda index: len(near & _clause_of(best, index)))
            if _is_denied(words, at) != _is_denied(best, most):  # “not before” is “after”
                continue
            converse = _is_converse(words, at, best, most) or _crossed_mark(words, best) is not None
            if near & _clause_of(best, most) and not converse:
                yield ClaimFault("direction", word.text, best[most].text)
                return


def _is_denied(words: Sequence[ClaimWord], at: int) -> bool:
    after = takewhile(
        lambda word: word.fold not in _AND, words[at + 1 : at + REACH]
    )  # “closes on Mondays and does not”
    return sum(map(is_negation, (*words[max(0, at - REACH) : at + 1], *after))) % 2 == 1


def _is_direction(words: Sequence[ClaimWord], at: int) -> bool:
    """Return whether a word is one here: “on” and “off” are at the end, or before “by default”."""
    return words[at].fold not in SWITCHES or at + 1 == len(words) or words[at + 1].fold == "by"


def _is_converse(words: Sequence[ClaimWord], at: int, best: Sequence[ClaimWord], most: int) -> bool:
    """Return whether the sides of an opposite are swapped, too: “B is weaker than A”, “A is stronger than B”.

    “It was accepted by the board” in the passive is none of “the board rejected it”.
    """
    left, right = _sides(words, at)
    subject, object_ = _sides(best, most)
    passive = [any(word.fold in _AGENT for word in each[i + 1 : i + 3]) for each, i in ((words, at), (best, most))]
    return bool(left & object_ and right & subject) and not right & object_ and passive[0] == passive[1]


def _sides(words: Sequence[ClaimWord], at: int) -> tuple[set[str], set[str]]:
    """Return the content stems before and after a word."""
    return ({w.stem for w in words[:at] if is_content(w)}, {w.stem for w in words[at + 1 :] if is_content(w)})


def _clause_of(words: Sequence[ClaimWord], at: int) -> set[str]:
    """Return the stems around a word; of a verb at the end, as in German, all of the sentence."""
    last = at + 2 > len(words) and words[at].fold in VERBS_AT_END
    return {word.stem for word in words if is_content(word)} if last else _around(words, at)


def _around(words: Sequence[ClaimWord], at: int) -> set[str]:
    near = (*words[max(0, at - NEAR) : at], *words[at + 1 : at + 1 + NEAR])
    return {word.stem for word in near if is_content(word) or word.fold[:1].isdigit()}


def swapped_sides(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the word around which subject and object are swapped, and nowhere in their places."""
    words, best = statement.words, split_words(evidence.nearest)
    mine, theirs = _units(words), _units(best)
    for at in range(1, len(mine) - 1):
        verb, left, right = mine[at][0], mine[at - 1], mine[at + 1]
        often = sum(word.stem == verb.stem for word in words) > 1  # “the 2021 crop exceeded the 2020 crop”
        if len(mine[at]) > 1 or verb.is_capital or verb.stem in SYMMETRIC or often or _shares(left, right):
            continue
        if _has_object_first(words, verb) or any(
            _has_object_first(best, each) for each in best if each.stem == verb.stem
        ):
            continue
        around = [
            (theirs[other - 1], theirs[other][0], theirs[other + 1])
            for other in range(1, len(theirs) - 1)
            if theirs[other][0].stem == verb.stem
        ]
        passive = _is_passive(words, verb, right)
        found = False
        for subject, middle, object_ in around:
            same_voice = passive == _is_passive(best, middle, object_)
            straight, crossed = (
                (_shares(left, subject), _shares(right, object_)),
                (_shares(left, object_), _shares(right, subject)),
            )
            if (any(straight) and same_voice) or (any(crossed) and not same_voice):
                break
            found = found or all(crossed if same_voice else straight)
        else:
            if found:
                yield ClaimFault("direction", verb.text)
                return


def _has_object_first(words: Sequence[ClaimWord], verb: ClaimWord) -> bool:
    """Return whether the object may stand before a German verb: “den Strom bezahlt der Mieter”."""
    after = next((word.fold for word in words if word.start > verb.start), "")
    before = [word.fold for word in words if word.end < verb.start][-REACH:]
    return any(word in _ACCUSATIVE for word in before) or (after == "der" and bool(before) and before[0] != "der")


def crossed_names(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “before” or “than” between names that stand on the other side of it in the source."""
    words, best = statement.words, split_words(evidence.nearest)
    orders = [(at, word) for at, word in enumerate(words) if word.fold in ORDERS]
    for at, word in orders:
        for other in (index for index, each in enumerate(best) if each.fold == word.fold):
            (left, right), (subject, object_) = _named_sides(words, at), _named_sides(best, other)
            if left & object_ and right & subject and not (left & subject or right & object_):
                yield ClaimFault("direction", word.text)
                return


def _crossed_mark(words: Sequence[ClaimWord], best: Sequence[ClaimWord]) -> ClaimWord | None:
    """Return “than” of a claim if what it compares stands on the other sides of it in the source."""
    for at in (index for index, word in enumerate(words) if word.fold in COMPARATIVE_MARKS):
        for other in (index for index, word in enumerate(best) if word.fold == words[at].fold):
            (left, right), (subject, object_) = _near_sides(words, at), _near_sides(best, other)
            if right & (subject - left) and object_ & (left - subject) and not right & object_:
                return words[at]
    return None


def exchanged_names(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the verb between the only two names of a claim that stand on the other sides of it in the source."""
    words, best = statement.words, split_words(evidence.nearest)
    units = _units(words)
    named = [at for at, unit in enumerate(units) if len(unit) > 1 and all(word.is_capital for word in unit)]
    if len(named) != 2 or named[0] != 0 or named[1] - named[0] != 2 or len(units[1]) > 1 or units[1][0].is_capital:
        return
    verb = units[1][0]
    left, right = ({word.stem for word in units[at]} for at in named)
    if verb.stem in SYMMETRIC or any(word.fold in AGENT_MARKS for word in (*words, *best)):
        return
    tells = verb.fold in TELLS  # whatever the verb: “wrote to”, “told”
    for at in (index for index, word in enumerate(best) if word.stem == verb.stem or (tells and word.fold in TELLS)):
        before, after = ({word.stem for word in part} for part in (best[:at], best[at + 1 :]))
        if left <= after and right <= before and not (left & before or right & after):
            yield ClaimFault("direction", verb.text)
            return


def exchanged_words(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word of a claim that stands before what follows another one in the source, and the other way round.

    “The landlord may sublet with the tenant's consent” over “The tenant may sublet with the landlord's consent”.
    """
    source = split_words(evidence.nearest)
    symmetric = (word for word in statement.words if word.stem in SYMMETRIC and is_content(word))
    relates = any(symmetric) or any(word.fold in COMPARATIVE_MARKS for word in statement.words)
    if relates or likeness(statement.words, evidence.nearest) < NEARLY_EQUAL:
        return
    if _has_agent(statement.words) != _has_agent(source):
        return
    mine, theirs = _followed(statement.words), _followed(source)
    for one, other in combinations([each for each in mine if each in theirs], 2):
        (said, first), (_, second) = mine[one], mine[other]
        if first != second and (first, second) == (theirs[other][1], theirs[one][1]):
            yield ClaimFault("direction", said.text, theirs[other][0].text)
            return


def _followed(words: Sequence[ClaimWord]) -> dict[str, tuple[ClaimWord, str]]:
    """Return the content words that stand once, with the stem of the one that follows."""
    content = [word for word in words if is_content(word)]
    often = Counter(word.stem for word in content)
    return {one.stem: (one, other.stem) for one, other in pairwise(content) if often[one.stem] == 1}


def _has_agent(words: Sequence[ClaimWord]) -> bool:
    return any(word.fold in AGENT_MARKS for word in words)


def _near_sides(words: Sequence[ClaimWord], at: int) -> tuple[set[str], set[str]]:
    """Return the content stems just before and after a word."""
    before, after = words[max(0, at - NEAR) : at], words[at + 1 : at + 1 + REACH]
    return {word.stem for word in before if is_content(word)}, {word.stem for word in after if is_content(word)}


def _named_sides(words: Sequence[ClaimWord], at: int) -> tuple[set[str], set[str]]:
    """Return the stems of the capitalised words before and after a word."""
    names = [(index, word.stem) for index, word in enumerate(words) if word.is_capital and is_content(word)]
    return {stem for index, stem in names if index < at}, {stem for index, stem in names if index > at}


def _units(words: Iterable[ClaimWord]) -> list[list[ClaimWord]]:
    """Return the content words, neighbouring capitalised ones together, also across “and”."""
    units: list[list[ClaimWord]] = []
    last: ClaimWord | None = None
    for word in words:
        if not is_content(word) or word.fold in EXTENTS[ONLY]:
            last = last if word.fold in JOINING else None
            continue
        if last is not None and last.is_capital and word.is_capital:
            units[-1].append(word)
        else:
            units.append([word])
        last = word
    return units


def _shares(unit: Iterable[ClaimWord], other: Iterable[ClaimWord]) -> bool:
    return bool({word.stem for word in unit} & {word.stem for word in other})


def _is_passive(words: Sequence[ClaimWord], verb: ClaimWord, right: Sequence[ClaimWord]) -> bool:
    """Return whether “by” stands between a verb and what follows it."""
    return any(
        word.fold in AGENT_MARKS and not after.fold[:1].isdigit()  # “raising the fee by 10 %”
        for word, after in pairwise(words)
        if verb.end <= word.start < right[0].start
    )
