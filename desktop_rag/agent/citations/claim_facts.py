"""What the program knows for certain of a statement and the lines that it cites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.altered_copy import altered_copy
from desktop_rag.agent.citations.names import missing_names
from desktop_rag.agent.citations.numbers import missing_figures
from desktop_rag.agent.citations.small_sums import Computed, compute
from desktop_rag.agent.citations.statement_words import is_dense
from desktop_rag.agent.citations.support import QUOTED, CitedLines, is_quotation, is_significant, word_overlap
from desktop_rag.agent.events import Alteration, Operand
from desktop_rag.text.language_detection import detect
from desktop_rag.text.normalize import fold_quote

MIN_SHARED = 0.15  # share of a statement's words below which its lines are about something else
MAX_COMPUTED = 8  # figures for which a sum is sought
SAMPLE = 1_000  # characters of the lines that show their language
_EMPHASIS = re.compile(r"\*\*|__(?=\s|$)|(?<!\S)__|~~|`")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")  # of Markdown, as in “3\\.1”, which would be an item of a list without it


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """The facts: the statement stands in the lines, they have other words in its place, they lack names and figures.

    `computed` is the sum of the `operands` in the lines that gives a figure which they lack. `related`: the lines share
    enough words with the statement to be about it; `stands`: all its words stand there in this order, perhaps within
    sentences.
    """

    quoted: bool = False
    stands: bool = False
    altered: Alteration | None = None
    missing: tuple[str, ...] = ()
    computed: str = ""
    operands: tuple[Operand, ...] = ()
    related: bool = True

    @property
    def is_borne_out(self) -> bool:
        """Whether the lines are about the statement, and have all its names and figures."""
        return self.quoted or (self.related and not (self.altered or self.missing))


def find_facts(
    claim: str, sources: Sequence[CitedLines], numbers: Sequence[int] = (), vouched: Sequence[str] = ()
) -> ClaimFacts:
    """Return what is certain of a statement and the lines of its citations, which have these numbers.

    `vouched` are figures for which the calculations that it cites stand.
    """
    text = _ESCAPE.sub(r"\1", _EMPHASIS.sub("", claim))
    if is_quotation(text, sources):
        return ClaimFacts(quoted=True, stands=True)
    written = [source.text() for source in sources]
    figures = missing_figures(text, (*written, *vouched))
    names = missing_names(text, (*written, *(source.paragraph for source in sources)))
    sums = {each.text: found for each in figures[:MAX_COMPUTED] if (found := compute(each, sources))}
    lacking = tuple(each.text for each in figures if each.text not in sums)
    quoted = [each for each in QUOTED.findall(text) if is_significant(each) and not _stands(each, written)]
    named = (*quoted, *(each for each in names if not any(each in other for other in quoted)))
    told = (*named, *(each for each in lacking if not any(each in other for other in named)))
    altered = altered_copy(text, sources, told) if sources else None
    return ClaimFacts(
        stands=_stands(text, written),
        altered=altered,
        missing=tuple(each for each in told if not (altered and each in altered.text)),
        computed="; ".join(dict.fromkeys(each.text for each in sums.values())),
        operands=_operands(tuple(sums.values()), numbers),
        related=_are_related(text, sources),
    )


def _stands(claim: str, written: Sequence[str]) -> bool:
    """Return whether the parts of a text between marks of omission stand in one of the others."""
    parts = [part for each in claim.split("…") if (part := fold_quote(each).strip(" .,;:\"'>"))]
    return bool(parts) and any(all(part in fold_quote(text) for part in parts) for text in written)


def _operands(sums: Sequence[Computed], numbers: Sequence[int]) -> tuple[Operand, ...]:
    if not numbers:
        return ()
    return tuple(dict.fromkeys(Operand(text, numbers[source]) for each in sums for text, source in each.operands))


def _are_related(claim: str, sources: Sequence[CitedLines]) -> bool:
    """Return whether lines, headings and paragraph may be about a statement: they share words, or no language."""
    text = "\n".join(part for source in sources for part in (source.text(), source.paragraph))
    if not fold_quote(text).strip():
        return False
    if word_overlap(claim, text) >= MIN_SHARED:
        return True
    spoken, read = detect(claim), detect(text[:SAMPLE])
    return is_dense(claim) != is_dense(text) or bool(spoken and read and spoken != read)
