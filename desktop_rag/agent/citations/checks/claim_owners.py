"""Compares what figures belong to: the names in their clause, or those of the clauses before it in the sentence.

“Packard took 13 percent” over “Dell took 13 percent, seven percent at Packard”; “Funafuti lost more people than
Nukulaelae” over “170 people were taken from Funafuti and 250 from Nukulaelae”.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from desktop_rag.agent.citations.check_words import JOINING, PRONOUNS, word_set
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_roles import is_name
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, content_stems, split_words
from desktop_rag.agent.citations.sums.computed_pairs import is_amount, written
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, read_figures

_BREAK = re.compile(
    r"[;:()—–]|,(?!\d)|\s(?:and|but|while|whereas|followed by|behind|ahead of|compared (?:to|with))\s", re.IGNORECASE
)
_THAN = re.compile(
    r"\b(?:(?P<more>more|larger|greater|higher|longer|bigger|later|heavier|faster|taller|younger)|"
    r"fewer|less|smaller|lower|shorter|earlier|lighter|slower|older)\b(?P<what>[^.;]*?)\bthan\b(?P<other>[^.;,]+)",
    re.IGNORECASE,
)
_PERSONAL = PRONOUNS - word_set("that one ones those ceux celles")
_COUNTED = frozenset(("people", ""))


@dataclass(frozen=True, slots=True)
class _Owned:
    """A figure with the names that it belongs to, and the stems of its clause."""

    figure: Figure
    names: frozenset[str]
    stems: frozenset[str]
    before: frozenset[str]  # the names of the sentence up to the end of the clause

    @property
    def told(self) -> frozenset[str]:
        return self.names | self.stems


def other_owner(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a figure that the lines give to another name, if they give one of its kind to the name of the claim."""
    if statement.denies or statement.sums:
        return
    theirs = [each for sentence in evidence.prose.split("\n") for each in _owned(sentence)]
    for mine in _owned(statement.text):
        if not _measures(mine.figure):
            continue
        alike = [each for each in theirs if _is_alike(mine.figure, each.figure)]
        places = [each for each in alike if each.figure.values == mine.figure.values]
        if not places or any(mine.names <= each.before or not each.names - mine.names for each in places):
            continue
        lacking = mine.names - frozenset[str]().union(*(each.before for each in places))
        meant = [each for each in alike if lacking & each.names]
        if len({each.figure.values for each in meant}) == 1:
            yield ClaimFault("figure", mine.figure.text, meant[0].figure.text)
            return


def wrong_comparison(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “more … than” of a claim whose lines give the first name a smaller figure than the second."""
    than = _THAN.search(statement.text)
    if than is None or statement.denies:
        return
    before, other = statement.text[: than.start()], _called(than["other"])
    one = _names(than["what"]) - other or _called(before) - other or _called(than["what"]) - other
    other -= one
    theirs = [each for sentence in evidence.prose.split("\n") for each in _owned(sentence)]
    said = content_stems(statement.words)
    for first in _best(theirs, one, other, said):
        for second in _best(theirs, other, one, said):
            kinds = first.figure.kinds | second.figure.kinds
            alike = kinds <= _COUNTED or _is_alike(first.figure, second.figure)
            if not alike or first.figure.values == second.figure.values:
                return
            word = statement.text[than.start() :].split()[0]
            if (first.figure.values[0] > second.figure.values[0]) != bool(than["more"]):
                yield ClaimFault("direction", word, f"{first.figure.text} … {second.figure.text}")


def difference_of_owners(figure: str, claim: str, prose: str) -> str | None:
    """Return the difference of the figures of two names that is a figure of the claim: “32 points above Dell”."""
    target = next((each for each in read_figures(claim).figures if figure in each.text and each.values), None)
    named, said = _names(claim), content_stems(split_words(claim))
    theirs = [each for sentence in prose.split("\n") for each in _owned(sentence) if each.names & named]
    for one, other in combinations(theirs, 2):
        mine, others = one.names & named, other.names & named
        if mine & others or one.figure.kinds != other.figure.kinds:
            continue
        pair = _best(theirs, mine, others, said) + _best(theirs, others, mine, said)
        values = [each.figure.values[0] for each in pair]
        if target and len(values) == len((one, other)) and abs(values[0] - values[1]) in target.values:
            high, low = sorted(pair, key=lambda each: each.figure.values[0], reverse=True)
            return f"{written(high.figure)} − {written(low.figure)} = {target.text}"
    return None


def _best(
    theirs: Sequence[_Owned], names: frozenset[str], others: frozenset[str], said: frozenset[str]
) -> list[_Owned]:
    """Return the figure of a name whose clause shares most words with the claim; none if that is unclear."""
    said = said - names - others
    found = [each for each in theirs if _amount(each.figure) and names & each.told and not others & each.told]
    scored = [(_noun(each.figure) in said, len(each.stems & said)) for each in found]
    best = [each for each, score in zip(found, scored, strict=True) if score == max(scored)]
    return best if len(best) == 1 else []


def _called(text: str) -> frozenset[str]:
    """Return the names of a text, its content words if it has none."""
    return _names(text) or content_stems(split_words(text))


def _names(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in split_words(text) if is_name(word))


def _amount(figure: Figure) -> bool:
    return is_amount(figure) and not figure.is_year and not figure.ordinal and bool(figure.values)


def _measures(figure: Figure) -> bool:
    return _amount(figure) and bool(figure.kinds or _noun(figure))


def _is_alike(one: Figure, other: Figure) -> bool:
    """Return whether two figures count the same things."""
    if not _amount(other):
        return False
    if one.kinds or other.kinds:
        return one.kinds == other.kinds
    return not _noun(one) or not _noun(other) or _noun(one) == _noun(other)


def _noun(figure: Figure) -> str:
    """Return the stem of what a figure counts, "" of “13 in Europe”."""
    noun = figure.noun.casefold()
    return "" if noun in STOP_WORDS else stem(noun)


@lru_cache(maxsize=512)
def _owned(sentence: str) -> tuple[_Owned, ...]:
    """Return the figures of a sentence with their names."""
    read = read_figures(sentence)
    words = split_words(read.plain)
    found: list[_Owned] = []
    inherited = before = frozenset[str]()
    for start, end in clauses(read.plain, words):
        here = [word for word in words if start <= word.start < end]
        figures = [each for each in read.figures if start <= each.start < end]
        here = [word for word in here if not any(each.start <= word.start < each.end for each in figures)]
        own = frozenset(word.stem for word in here if is_name(word))
        refers = not own or any(word.fold in _PERSONAL for word in here)
        names = own | inherited if refers else own
        before |= own
        found.extend(_Owned(each, names, content_stems(here), before) for each in figures)
        inherited = own if figures and own else inherited | own
    return tuple(found)


def clauses(text: str, words: Sequence[ClaimWord]) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence; “Lenovo and Asus” are one."""
    start = 0
    for match in _BREAK.finditer(text):
        before = next((word for word in reversed(words) if word.end <= match.start()), None)
        after = next((word for word in words if word.start >= match.end() - 1), None)
        joins = match[0].strip().casefold() in JOINING and before and after and is_name(before) and is_name(after)
        if not joins:
            yield start, match.start()
            start = match.end() - 1
    yield start, len(text)
