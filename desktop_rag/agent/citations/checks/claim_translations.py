"""Compares a claim with lines in any language by small closed classes: denial, permission, length and width.

“Haustiere sind erlaubt” over “pets are not permitted”, “improved for 62 %” over “bei 62 % … nicht”, “84,6 metros de
ancho” over “84.6 metres long”. Nothing else of a translation is compared but its figures, names and directions.
"""

import re
from collections.abc import Iterator

from desktop_rag.agent.citations.check_words import (
    CONDITIONS,
    EXCEPTIONS,
    EXTENTS,
    IMPLIED_NEGATIONS,
    ONLY,
    PERMITS,
    word_sides,
)
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, is_negation, split_words, without_idioms
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.text.figures import Figure, read_figures

_BESIDE = 3  # words between a figure and the word that says what it measures
_MEASURES = word_sides("measures")
_EXCEPT = re.compile(r"\b(?:except|exempt|außer|ausgenommen|sauf|salvo|excepto)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")


def other_measure(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “high” beside a figure that the lines give as a length."""
    if statement.sums:
        return
    claim, lines = statement.text, evidence.lines
    theirs = [(figure, measure) for figure, measure, _ in _measured(lines)]
    for figure, measure, word in _measured(claim):
        given = [other for each, other in theirs if agrees(figure, each, frozenset(), frozenset())]
        if given and measure not in given:
            yield ClaimFault("figure", f"{figure.text} … {word.text}")
            return


def _measured(text: str) -> Iterator[tuple[Figure, int, ClaimWord]]:
    """Yield each amount with the group of the word after it that says what it measures."""
    words = split_words(text)
    figures = [each for each in read_figures(text).figures if is_amount(each)]
    for figure in figures:
        after = [word for word in words if word.start >= figure.end][:_BESIDE]
        for word in after:
            if any(figure.end <= other.start < word.start for other in figures):
                break
            group = next((number for number, each in enumerate(_MEASURES) if word.fold in each), None)
            if group is not None:
                yield figure, group, word
                break


def translated_denial(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield what a claim in another language affirms that its lines deny, or the other way round.

    That is a permission, or a sentence with the figure of the claim that denies something in its only clause.
    """
    claim, lines = statement.text, evidence.lines
    words, parts = split_words(without_idioms(claim)), [part for part in _SENTENCE.split(lines) if part.strip()]
    side = _permission(words)
    theirs = {_permission(split_words(without_idioms(part))) for part in parts} - {None}
    limited = any(word.fold in CONDITIONS | EXCEPTIONS | EXTENTS[ONLY] for word in words) or _EXCEPT.search(lines)
    if side is not None and len(theirs) == 1 and side not in theirs and not limited:
        word = next(word for word in words if word.fold in PERMITS[0] | PERMITS[1])
        yield ClaimFault("direction", word.text)
        return
    figures = [each for each in read_figures(claim).figures if is_amount(each)]
    about = [part for part in parts if _has_any(part, figures)]
    if len(about) != 1 or re.search(r",\s|[;:]", about[0]) or any(map(_may_deny, words)):
        return
    if any(map(is_negation, split_words(without_idioms(about[0])))):
        yield ClaimFault("negation", claim.strip(" ."), about[0].strip(" ."))


def _permission(words: tuple[ClaimWord, ...]) -> int | None:
    """Return whether words allow (0) or forbid (1) something; None if neither or both."""
    sides = {number for word in words for number, side in enumerate(PERMITS) if word.fold in side}
    if len(sides) != 1:
        return None
    return (sides.pop() + sum(map(is_negation, words))) % 2


def _may_deny(word: ClaimWord) -> bool:
    return is_negation(word) or word.fold in IMPLIED_NEGATIONS | EXCEPTIONS or word.fold.startswith("un")


def _has_any(part: str, figures: list[Figure]) -> bool:
    others = read_figures(part).figures
    return any(agrees(mine, other, frozenset(), frozenset()) for mine in figures for other in others)
