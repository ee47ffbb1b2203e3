"""Finds the altered word in a claim that is nearly word for word a sentence of the source.

There one word decides: an added or dropped “not”, “rose” for “fell”, “all” for “some”. Moved words are no alteration.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from desktop_rag.agent.citations.check_words import (
    CONDITIONS,
    EXTENT_PHRASES,
    EXTENTS,
    FUNCTION_WORDS,
    IMPLIED_NEGATIONS,
    LIMITS,
    NEGATIONS,
    OPPOSITES,
    STRONG_MODALS,
    WEAK_MODALS,
)
from desktop_rag.agent.citations.claim_words import ClaimWord, split_words
from desktop_rag.agent.events import ClaimFault

NEARLY_EQUAL = 0.7  # share of a claim's words that the sentence has in the same order
ADDED = 3  # the first groups of extents overstate also where the sentence has no limiting word
LONGEST = 3  # words of an alteration
_CONTRACTED = re.compile(r"n['’]t$")
_NO_NEGATION = re.compile(  # a negation that says nothing about what follows
    r"\b(?:not only|no (?:later|more|less|fewer|sooner|doubt|matter)\b|no longer than|"
    r"mai(?= \d{4})|(?<=\d )mai|whether or not|if not|or not|no\. ?\d|"
    r"not (?:later|more|less|fewer|limited|until|just|merely|necessarily)\b|nicht nur|"
    r"not(?=(?:\W+\w+){1,6}?\W+until\b)|n['’]t(?=(?:\W+\w+){1,6}?\W+until\b)|"
    r"nicht (?:mehr|weniger|später) als|non seulement|no s[oó]lo|no más|pas plus)",
    re.IGNORECASE,
)


def is_negation(word: ClaimWord) -> bool:
    """Return whether a word negates."""
    if word.text == "Mai":  # the month; “mai” is the Italian never
        return False
    if word.text == "Personne":  # n'a voté; inside a sentence “la personne” is a person
        return True
    return word.fold in NEGATIONS or bool(_CONTRACTED.search(word.text))


def without_idioms(text: str) -> str:
    """Return a text of the same length without idioms like “not only” that negate nothing."""
    return _NO_NEGATION.sub(lambda match: " " * len(match[0]), text)


def alterations(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield the altered words of a claim that is nearly equal to a sentence."""
    words, other = split_words(without_idioms(claim)), split_words(without_idioms(sentence))
    matcher = SequenceMatcher(None, [word.fold for word in words], [word.fold for word in other], autojunk=False)
    if sum(block.size for block in matcher.get_matching_blocks()) < NEARLY_EQUAL * len(words):
        return
    mine, theirs = {word.fold for word in words}, {word.fold for word in other}
    negates = sum(map(is_negation, words)) - sum(map(is_negation, other))
    opposes = negates % 2 == 0  # “forbidden” is “not allowed”
    if opposes and mine & CONDITIONS:  # “not without consent” is “with consent”
        negates = 0
    for kind, first, last, left, right in matcher.get_opcodes():
        here, there = words[first:last], other[left:right]
        if kind == "equal" or max(len(here), len(there)) > LONGEST:
            continue
        if negates > 0 and not any(word.fold in IMPLIED_NEGATIONS for word in there):
            yield from (ClaimFault("negation", word.text) for word in here if is_negation(word))
        if negates < 0 and any(map(is_negation, there)) and not mine & IMPLIED_NEGATIONS - theirs:
            yield _dropped(words, first, here, there)
        if opposes:
            yield from _opposite(here, there, mine, theirs)
        counts = words[last : last + 1] and words[last].fold[:1].isdigit()  # “only 340” is an emphasis
        if not counts:
            yield from _overstated(here, there, theirs)


def _dropped(words: Sequence[ClaimWord], at: int, here: Sequence[ClaimWord], there: Sequence[ClaimWord]) -> ClaimFault:
    """Return the fault of a negation that the claim has dropped: what it says instead, or the negated word."""
    if here:
        return ClaimFault("negation", _joined(here), _joined(there))
    following = words[at : at + LONGEST] or words[-1:]
    said = next((word for word in following if word.fold not in FUNCTION_WORDS), following[0])
    return ClaimFault("negation", said.text, f"{_joined(there)} {said.text}")


def _joined(words: Sequence[ClaimWord]) -> str:
    return " ".join(word.text for word in words)


def _opposite(
    here: Sequence[ClaimWord], there: Sequence[ClaimWord], mine: set[str], theirs: set[str]
) -> Iterator[ClaimFault]:
    for word in here:
        for other in there:
            if word.fold in theirs and other.fold in mine:
                continue
            if any(
                (word.fold in one and other.fold in two) or (word.fold in two and other.fold in one)
                for one, two in OPPOSITES
            ):
                yield ClaimFault("direction", word.text, other.text)


def _overstated(here: Sequence[ClaimWord], there: Sequence[ClaimWord], theirs: set[str]) -> Iterator[ClaimFault]:
    """Yield an added “always”, or “all” and “must” in the place of a limiting word."""
    limit = next((word.text for word in there if word.fold in LIMITS or word.fold in WEAK_MODALS), "")
    for word in here:
        if limit and word.fold in STRONG_MODALS:
            yield ClaimFault("extent", word.text, limit)
        for number, group in enumerate(EXTENTS):
            unsaid = word.fold not in theirs if limit else number < ADDED and not (there or group & theirs)
            if word.fold in group and unsaid:
                yield ClaimFault("extent", word.text, limit)
    folds = tuple(word.fold for word in here)
    for phrase in EXTENT_PHRASES:
        at = next((at for at in range(len(here)) if folds[at : at + len(phrase)] == phrase), None)
        if at is not None and not theirs.issuperset(phrase):
            yield ClaimFault("extent", _joined(here[at : at + len(phrase)]), limit)
