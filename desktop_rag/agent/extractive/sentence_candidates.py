"""Extracts the candidate sentences of an answer from the results of tools."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from desktop_rag.agent.citations.source_sentences import (
    STAMPED,
    SentenceShape,
    SourceSentence,
    is_cut_at_end,
    sentences,
)
from desktop_rag.agent.citations.support import significant_text
from desktop_rag.agent.citations.table_headings import table_header
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.llm.chat import Evidence, ToolMessage
from desktop_rag.text.normalize import fold_quote

FOCUSED = 12  # top results of a search whose focus sentences count
MARKED = 12  # characters at the start of a sentence that show whether its line starts with it
SUBJECT = 2  # content words at the start of a sentence that "it" in the next sentence refers to

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ“\"(])")
_PRONOUN = r"he|she|it|they|his|her|its|their|this|these|those|er|sie|es|dieser?s?|il|elle|ils|elles|ce"
_SAID_AGAIN = re.compile(rf"(?:{_PRONOUN})\b", re.IGNORECASE)
_LEANING = re.compile(rf"(?:{_PRONOUN}|that|however|but|then|also|there|such|the latter|dort)\b", re.IGNORECASE)


@dataclass(frozen=True)
class CandidateSentence:
    """A sentence that was read; `before` and `after` are its neighbours, `place` is the rank of its passage from 0."""

    text: str
    reference: str
    title: str
    first_line: int
    last_line: int
    file: str = ""  # the file's name
    before: str = ""
    before_line: int = 0  # 0 if a list marker stands between both, so that they are no quotation together
    after: str = ""
    after_line: int = 0  # 0 also if a blank line does
    heading: str = ""  # the nearest one above it
    columns: str = ""  # of a table row: the header of its table
    shape: SentenceShape = SentenceShape.PROSE
    cut: bool = False  # it goes on where no line was read
    place: int = 0
    focus: float = 0.0  # 1 for the best sentence of a search by meaning, less for lower ranks
    across: float = 0.0  # its passage's score if it is the nearest there in another language, see `MatchReason`

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems, of a row with the names of its columns; a pronoun at the start has the words before it."""
        subject = stems(self.before)[:SUBJECT] if _SAID_AGAIN.match(self.text) else ()
        return frozenset((*subject, *stems(self.text), *stems(self.columns.replace("_", " "))))

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of the sentence and its neighbours."""
        return self.stems.union(stems(self.before), stems(self.after))

    @property
    def document(self) -> tuple[str, str]:
        """The names of its document."""
        return self.file, self.title

    @cached_property
    def document_words(self) -> frozenset[str]:
        """The stems of the document's names."""
        return frozenset(stems(" ".join(self.document).replace("_", " ")))

    @cached_property
    def place_words(self) -> frozenset[str]:
        """The stems of its heading and of the document's names."""
        return self.document_words.union(stems(self.heading))

    @cached_property
    def leans(self) -> bool:
        """Whether the sentence starts with a word that refers to the previous one."""
        return bool(_LEANING.match(self.text))


class _Focus(NamedTuple):
    """A text that a search found, its weight by its rank, and its score if it is in another language."""

    text: str  # folded
    weight: float
    across: float


@dataclass(slots=True)
class _ShownPassage:
    """The lines shown under one reference."""

    title: str
    file: str
    place: int
    lines: dict[int, str] = field(default_factory=dict)
    focus: list[_Focus] = field(default_factory=list)

    def add(self, evidence: Evidence) -> None:
        for number, shown in enumerate(evidence.lines, evidence.first_line):
            line = _whole_sentences(shown)
            if len(line) >= len(self.lines.get(number, "")):
                self.lines[number] = line


def candidates(own: Sequence[ToolMessage], others: Sequence[ToolMessage] = ()) -> list[CandidateSentence]:
    """Return the distinct sentences that were shown; passages are in the order in which the searches ranked them.

    Results for `others` add their sentences, but their focus is ignored.
    """
    shown: dict[str, _ShownPassage] = {}
    for number, result in enumerate((*own, *others)):
        for index, evidence in enumerate(result.evidence):
            name = evidence.reference
            passage = shown.setdefault(name, _ShownPassage(evidence.title, evidence.file, len(shown)))
            passage.add(evidence)
            if number < len(own) and evidence.focus and evidence.score > 0 and index < FOCUSED:
                passage.focus.append(_Focus(fold_quote(evidence.focus), 1.0 / (1 + index), evidence.across))
    found: dict[tuple[str, str], CandidateSentence] = {}
    for reference, passage in shown.items():
        for candidate in _candidates(reference, passage):
            known = found.get((candidate.title, candidate.text))
            if known is None or candidate.focus > known.focus:
                found[candidate.title, candidate.text] = candidate
    return list(found.values())


def _whole_sentences(line: str) -> str:
    """Return a truncated preview line without the partial sentences at its ends."""
    start, end = 0, len(line)
    if line.startswith("…") and (first := _SENTENCE_END.search(line)):
        start = first.end()
    if line.endswith("…"):
        ends = [match.start() for match in _SENTENCE_END.finditer(line, start)]
        end = ends[-1] if ends else end
    return line[start:end] if start < end else line


def _candidates(reference: str, passage: _ShownPassage) -> Iterator[CandidateSentence]:
    lines = passage.lines
    found = sentences(lines)
    rows = (sentence.first_line for sentence in found if sentence.shape is SentenceShape.ROW)
    headers = {row: table_header(lines, row).strip() for row in rows}
    heads = frozenset(headers.values())
    for before, own, after in zip((None, *found), found, (*found[1:], None), strict=False):
        if own.text in heads:
            continue
        is_row = own.shape is SentenceShape.ROW
        yield CandidateSentence(
            own.text,
            reference,
            passage.title,
            own.first_line,
            own.last_line,
            file=passage.file,
            before=before.text if before and _go_together(before, own) else "",
            before_line=before.first_line if before and _follows(before, own, lines) else 0,
            after=after.text if after and _go_together(own, after) else "",
            after_line=after.last_line if after and _is_next(own, after, lines) else 0,
            heading=own.under,
            columns=headers[own.first_line] or own.columns if is_row else "",
            shape=SentenceShape.HEADING if own.text in passage.title else own.shape,
            cut=is_cut_at_end(own, lines),
            place=passage.place,
            focus=_focus(own.text, passage.focus),
            across=_across(own.text, passage.focus),
        )


def _follows(one: SourceSentence, next_one: SourceSentence, lines: Mapping[int, str]) -> bool:
    """Return whether nothing but white space stands between two sentences: no list marker, no line that is unread."""
    if any(number not in lines for number in range(one.last_line, next_one.first_line)):
        return False
    begins = " ".join(lines.get(next_one.first_line, "").split())
    return one.last_line == next_one.first_line or begins.startswith(next_one.text[:MARKED])


def _is_next(one: SourceSentence, next_one: SourceSentence, lines: Mapping[int, str]) -> bool:
    """Return whether the next sentence stands in the same paragraph; each line of a log is one of its own."""
    logged = bool(STAMPED.match(next_one.text))
    return next_one.first_line - one.last_line <= 1 and not logged and _follows(one, next_one, lines)


def _go_together(one: SourceSentence, next_one: SourceSentence) -> bool:
    """Return whether neighbours are context for each other: table rows and headings are not."""
    return one.shape is next_one.shape and one.shape in (SentenceShape.PROSE, SentenceShape.CODE)


def _focus(text: str, found: Sequence[_Focus]) -> float:
    """Return the greatest weight of a focus text that contains the sentence."""
    sentence = significant_text(text) if found else ""
    return max((each.weight for each in found if sentence and sentence in each.text), default=0.0)


def _across(text: str, found: Sequence[_Focus]) -> float:
    """Return the greatest score of a focus text in another language that contains the sentence or is a part of it."""
    scored = [each for each in found if each.across]
    sentence, whole = (significant_text(text), fold_quote(text)) if scored else ("", "")
    held = (each for each in scored if (sentence and sentence in each.text) or each.text.strip("… ") in whole)
    return max((each.across for each in held), default=0.0)
