"""The abbreviated snippets of A-RAG: sentences of a chunk, with "..." for omitted text."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.documents.document import Span
from desktop_rag.retrieval.api import ChunkText
from desktop_rag.text.secrets import cut_outside
from desktop_rag.text.sentences import split_sentences

ELLIPSIS = "..."
MAX_SENTENCE = 600  # characters of a sentence; a longer one, such as a table row, is cut around the keyword
LEAD = 200  # characters before the keyword

_Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentenceRun:
    """Consecutive sentences; `first_line` counts from 1 in the document."""

    first_line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The shown text of a chunk, and its lines in the document."""

    text: str
    runs: tuple[SentenceRun, ...]


def with_keywords(chunk: ChunkText, keywords: Sequence[str]) -> Excerpt:
    """Return every sentence that contains a keyword, ignoring case (A-RAG, equation 2)."""
    text = "\n".join(chunk.lines)
    lowered = text.lower().replace("\n", " ")
    wanted = [keyword.lower() for keyword in keywords]
    ranges: list[_Range] = []
    for start, end in split_sentences(text):
        places = [at for keyword in wanted if (at := lowered.find(keyword, start, end)) >= 0]
        if places:
            _append(ranges, _cut(text, start, end, min(places)), text)
    return _excerpt(chunk, text, ranges)


def of_span(chunk: ChunkText, span: Span) -> Excerpt:
    """Return the part of a chunk at `span`, which has document offsets."""
    text = "\n".join(chunk.lines)
    start = min(max(span.start - chunk.span.start, 0), len(text))
    end = min(max(span.end - chunk.span.start, start), len(text))
    return _excerpt(chunk, text, [(start, end)] if start < end else [])


def _append(ranges: list[_Range], found: _Range, text: str) -> None:
    """Append a range, merged with the last one if only white space separates them."""
    if ranges and not text[ranges[-1][1] : found[0]].strip():
        found = (ranges.pop()[0], found[1])
    ranges.append(found)


def _cut(text: str, start: int, end: int, at: int) -> _Range:
    """Truncate a sentence to the shown length, between words."""
    if end - start <= MAX_SENTENCE:
        return start, end
    first = max(start, min(at - LEAD, end - MAX_SENTENCE))
    if first > start:
        first = text.find(" ", first, at) + 1 or first
    last = min(end, first + MAX_SENTENCE)
    if last < end:
        last = max(text.rfind(" ", at, last), at + 1)
    return cut_outside(text, first), cut_outside(text, last)


def _excerpt(chunk: ChunkText, text: str, ranges: Sequence[_Range]) -> Excerpt:
    shown = [text[start:end].strip() for start, end in ranges]
    runs = tuple(
        SentenceRun(chunk.span.first_line + text.count("\n", 0, text.index(part, start)), tuple(part.split("\n")))
        for part, (start, _) in zip(shown, ranges, strict=True)
        if part
    )
    written = f" {ELLIPSIS} ".join(" ".join(part.split()) for part in shown)
    before = f"{ELLIPSIS} " if ranges and text[: ranges[0][0]].strip() else ""
    after = f" {ELLIPSIS}" if ranges and text[ranges[-1][1] :].strip() else ""
    return Excerpt(f"{before}{written}{after}" if written else ELLIPSIS, runs)
