"""Finds the altered word in a claim that is nearly word for word a sentence of the source.

There one word decides: an added or dropped “not”, “rose” for “fell”, “all” for “some”. Moved words are no alteration.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache

from desktop_rag.agent.citations.check_words import (
    CONDITIONS,
    EXTENT_PHRASES,
    EXTENTS,
    FUNCTION_WORDS,
    IMPLIED_NEGATIONS,
    LIMITS,
    OPPOSITES,
    STRONG_MODALS,
    WEAK_MODALS,
    WITHOUT,
    word_classes,
)
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, is_negation, split_words, without_idioms
from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.index.keywords.analysis import stem

NEARLY_EQUAL = 0.7  # share of a claim's words that the sentence has in the same order …
SURELY_EQUAL = 0.8  # … to compare words of which a list says only that they exclude each other,
FEWEST = 6  # in a claim of so many words
ADDED = 3  # the first groups of extents overstate also where the sentence has no limiting word
LONGEST = 3  # words of an alteration
LONGEST_CLAIM = 80  # words
ENGLISH = "en"


def alterations(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the altered words of a claim that is nearly equal to a sentence."""
    words, other = split_words(without_idioms(statement.text)), split_words(without_idioms(evidence.nearest))
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
        left_out = first == len(words) and bool(there) and there[0].fold in WITHOUT  # “as seen, without a warranty”
        if negates < 0 and any(map(is_negation, there)) and not (left_out or mine & IMPLIED_NEGATIONS - theirs):
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
    until = following.index(said) + 1
    found = [*there, *following[:until]] if at < len(words) else [*following, *there]
    return ClaimFault("negation", said.text, _joined(found))


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


@cache
def _exclusive() -> tuple[dict[str, int], ...]:
    """Return the sides of the stems of each class of English words that exclude each other."""
    classes = word_classes("exclusive words")
    return tuple({stem(word): side for side, words in enumerate(each) for word in words} for each in classes)


def other_figure(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the one figure of a claim that a nearly equal sentence has otherwise, though another sentence has it."""
    words, other = split_words(statement.text), split_words(evidence.nearest)
    if statement.sums or not FEWEST <= len(words) <= LONGEST_CLAIM:
        return
    matcher = SequenceMatcher(None, [word.fold for word in words], [word.fold for word in other], autojunk=False)
    if sum(each.size for each in matcher.get_matching_blocks()) < SURELY_EQUAL * max(len(words), len(other)):
        return
    mine, theirs = (
        figures_not_in(statement.text, (evidence.nearest,)),
        figures_not_in(evidence.nearest, (statement.text,)),
    )
    if len(mine) == len(theirs) == 1 and not figures_not_in(statement.text, (evidence.table,)):
        yield ClaimFault("figure", mine[0].strip("()"), theirs[0].strip("()"))


def substitutions(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word in whose place a nearly equal sentence has one that excludes it: “The tenant pays” for the landlord.

    Only the words of one class exclude each other: any other word may be a paraphrase.
    """
    words, other = statement.words, split_words(evidence.nearest)
    if statement.sums or statement.language != ENGLISH or len(words) < FEWEST:
        return
    matcher = SequenceMatcher(None, [word.fold for word in words], [word.fold for word in other], autojunk=False)
    if sum(each.size for each in matcher.get_matching_blocks()) < SURELY_EQUAL * len(words):
        return
    for kind, first, last, left, right in matcher.get_opcodes():
        if kind == "replace" and last - first == right - left == 1:
            mine, theirs = words[first], other[left]
            if mine.stem not in evidence.nearby.stems and _exclude(mine, theirs):
                yield ClaimFault("wording", mine.text, theirs.text)
                return


def _exclude(one: ClaimWord, other: ClaimWord) -> bool:
    """Return whether two words stand on different sides in a class, and on the same one in none."""
    sides = [(each[one.stem], each[other.stem]) for each in _exclusive() if one.stem in each and other.stem in each]
    return bool(sides) and all(mine != theirs for mine, theirs in sides)
