"""Snippets: the few sentences of a chunk that show best why it was found."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from desktop_rag.documents.document import Page, Span
from desktop_rag.index.records import Chunk
from desktop_rag.retrieval.api import Snippet
from desktop_rag.retrieval.reading.highlights import Highlight

MAX_CHARACTERS = 300
ENOUGH = 120  # a shorter best sentence is extended by its neighbours
_FIRST = 0.5  # how much more the words of the first sentence of an excerpt count
_LEAD = 60  # characters shown before the first mark of a sentence that is too long to show whole
_PAGE_NUMBER = re.compile(
    r"[-–—]? ?(?:(?:\w{1,7}\.? )?\d{1,4}(?: ?(?:/|\w{1,4}) ?\d{1,4})?|(?=.)x{0,3}(?:ix|iv|v?i{0,3})) ?[-–—]?"
)
_SPACES = "\n\r\t\v\f\u2028\u2029"


def around_marks(chunk: Chunk, marks: Sequence[Highlight]) -> Snippet:
    """Return the run of sentences with the most parts of the query; the first sentences if there are none."""
    sentences = _sentences(chunk)
    if not marks:
        return _run_from(chunk, sentences, 0, marks)
    best, best_value = 0, -1.0
    for first in range(len(sentences)):
        if not _has_mark(marks, *sentences[first]):
            continue
        value = marks_value(marks, sentences[first][0], _run_end(sentences, first, marks))
        value += _FIRST * marks_value(marks, *sentences[first])
        if value > best_value + 1e-9:
            best, best_value = first, value
    return _run_from(chunk, sentences, best, marks)


def around_sentence(chunk: Chunk, ordinal: int, marks: Sequence[Highlight]) -> Snippet:
    """Return sentence number `ordinal` (from 0), extended by the following ones if it is short."""
    sentences = _sentences(chunk)
    return _run_from(chunk, sentences, min(ordinal, len(sentences) - 1), marks)


def leaves_of_sentences(chunk: Chunk, marks: Sequence[Highlight]) -> Iterator[Set[int]]:
    """Yield the numbers of the leaves of the query that each sentence has, if it has any."""
    starts = [start for start, _ in _sentences(chunk)]
    places = [(bisect_right(starts, mark.start), mark.leaf) for mark in marks]
    for _, same in groupby(places, key=lambda place: place[0]):
        yield {leaf for _, leaf in same}


def further_places(
    chunk: Chunk,
    marks: Sequence[Highlight],
    shown: Snippet,
    is_wanted: Callable[[Set[int]], bool],
    *,
    sentences_only: bool,
) -> Iterator[Snippet]:
    """Yield the runs of sentences with a mark that is neither in `shown` nor in an earlier one.

    They have a wanted set of leaves of the query; with `sentences_only` their first sentence has.
    """
    sentences = _sentences(chunk)
    covered = [(shown.span.start - chunk.span.start, shown.span.end - chunk.span.start)]
    tried = 0  # up to this offset
    for mark in marks:
        if not mark.is_content or mark.start < tried or any(start <= mark.start < end for start, end in covered):
            continue
        at = max(0, bisect_right(sentences, mark.start, key=lambda sentence: sentence[0]) - 1)
        start, tried = sentences[at]
        if tried - start > MAX_CHARACTERS:
            start, end = _best_part(chunk.text, max(start, mark.start - _LEAD), tried, marks)
            tried = counted = max(end, mark.end)
        else:
            end = _run_end(sentences, at, marks)
            counted = tried if sentences_only else end
        if is_wanted(leaves_between(marks, start, counted)):
            covered.append((start, end))
            yield _snippet(chunk, start, end, marks)


def leaves_between(marks: Sequence[Highlight], start: int, end: int) -> Set[int]:
    """Return the numbers of the leaves of the query that are marked between two offsets of a chunk."""
    inside = marks[bisect_left(marks, (start,)) : bisect_left(marks, (end,))]
    return {mark.leaf for mark in inside if mark.is_content and mark.end <= end}


def whole_lines(chunk: Chunk, first: int, last: int, marks: Sequence[Highlight]) -> Snippet | None:
    """Return lines `first` to `last` of a chunk with breaks and indentation, for source code; None if they are long."""
    lines = chunk.text.split("\n")
    before = sum(len(line) + 1 for line in lines[: first - chunk.span.first_line])
    text = "\n".join(lines[first - chunk.span.first_line : last - chunk.span.first_line + 1])
    if len(text) > 2 * MAX_CHARACTERS:
        return None
    end = before + len(text)
    inside = tuple((mark.start - before, mark.end - before) for mark in marks if before <= mark.start < mark.end <= end)
    return Snippet(text, inside, Span(first, last, chunk.span.start + before, chunk.span.start + end))


def first_marked_line(snippet: Snippet, chunk: Chunk) -> int:
    """Return the number of the line with the first mark of a snippet, of its first line if it has none."""
    if not snippet.marks:
        return snippet.span.first_line
    start = snippet.span.start - chunk.span.start
    marked = start + snippet.marks[0][0] - len("…") * snippet.text.startswith("…")
    return snippet.span.first_line + chunk.text.count("\n", start, marked)


def without_page_numbers(snippet: Snippet, chunk: Chunk, pages: Sequence[Page]) -> Snippet:
    """Return a snippet with spaces for the page numbers between its pages: they interrupt the sentence."""
    first, last = snippet.span.first_line, snippet.span.last_line
    ends = [page.first_line - 1 for page in pages if first < page.first_line <= last]
    if not ends:
        return snippet
    lines = chunk.text.split("\n")
    text = snippet.text
    shift = len("…") * text.startswith("…") - (snippet.span.start - chunk.span.start)
    for end in ends:
        at = end - chunk.span.first_line
        start = sum(len(line) + 1 for line in lines[:at]) + shift
        stop = start + len(lines[at])
        marked = any(begin < stop and start < finish for begin, finish in snippet.marks)
        if start > 0 and _PAGE_NUMBER.fullmatch(lines[at].strip()) and not marked:
            text = text[:start] + " " * (stop - start) + text[stop:]
    return replace(snippet, text=text)


@lru_cache(maxsize=256)  # asked for several times for each hit
def _sentences(chunk: Chunk) -> list[tuple[int, int]]:
    """Return the sentences as (start, end) offsets in the text of the chunk."""
    base, length = chunk.span.start, len(chunk.text)
    inside = [(max(0, start - base), min(length, end - base)) for start, end in chunk.sentences]
    return [(start, end) for start, end in inside if start < end] or [(0, length)]


def _run_from(chunk: Chunk, sentences: list[tuple[int, int]], first: int, marks: Sequence[Highlight]) -> Snippet:
    start, end = sentences[first]
    if end - start > MAX_CHARACTERS:
        return _snippet(chunk, *_best_part(chunk.text, start, end, marks), marks)
    end = _run_end(sentences, first, marks)
    while first > 0 and end - start < ENOUGH and end - sentences[first - 1][0] <= MAX_CHARACTERS:
        first -= 1
        start = sentences[first][0]
    return _snippet(chunk, start, end, marks)


def _run_end(sentences: list[tuple[int, int]], first: int, marks: Sequence[Highlight]) -> int:
    """Return where the run of sentences shown from `first` on ends."""
    start, end = sentences[first]
    for _, next_end in sentences[first + 1 :]:
        more = next_end - start <= MAX_CHARACTERS
        if not more or (end - start >= ENOUGH and not _has_mark(marks, end, next_end)):
            break
        end = next_end
    return end


def _best_part(text: str, start: int, end: int, marks: Sequence[Highlight]) -> tuple[int, int]:
    """Return the best part of a sentence that is too long to show whole, truncated between words."""
    inside = [mark for mark in marks if start <= mark.start and mark.end <= end]
    if inside:
        width = MAX_CHARACTERS - _LEAD
        best = max(inside, key=lambda mark: (marks_value(inside, mark.start, mark.start + width), -mark.start))
        begin = max(start, min(best.start - _LEAD, end - MAX_CHARACTERS))
        begin = begin if begin == start else _word_edge(text, begin, best.start)
    else:
        begin = start
    limit = min(end, begin + MAX_CHARACTERS)
    if limit < end:
        space = max(text.rfind(" ", begin + _LEAD, limit), text.rfind("\n", begin + _LEAD, limit))
        limit = space if space > 0 else limit
    return begin, limit


def _word_edge(text: str, position: int, before: int) -> int:
    space = text.find(" ", position, before)
    return space + 1 if space >= 0 else position


def marks_value(marks: Sequence[Highlight], start: int, end: int) -> float:
    """Return the sum of the weights of the query parts marked between `start` and `end`; repeats count 5 %."""
    parts: dict[int, float] = {}
    total = 0.0
    for mark in marks[bisect_left(marks, (start,)) :]:
        if mark.start >= end:
            break
        if mark.end > end:
            continue
        total += mark.weight * (0.05 if mark.part in parts else 1.0)
        parts[mark.part] = mark.weight
    return total


def _has_mark(marks: Sequence[Highlight], start: int, end: int) -> bool:
    index = bisect_left(marks, (start,))
    return index < len(marks) and marks[index].start < end


def _snippet(chunk: Chunk, start: int, end: int, marks: Sequence[Highlight]) -> Snippet:
    text = chunk.text[start:end]
    stripped = text.strip()
    start += text.index(stripped) if stripped else 0
    end = start + len(stripped)
    starts, ends = _edges(chunk)
    before = "" if start in starts else "…"
    after = "" if end in ends else "…"
    shift = len(before) - start
    within = marks[bisect_left(marks, (start,)) : bisect_left(marks, (end,))]
    inside = tuple((m.start + shift, m.end + shift) for m in within if m.end <= end)
    first_line = chunk.span.first_line + chunk.text.count("\n", 0, start)
    last_line = first_line + stripped.count("\n")
    base = chunk.span.start
    for sign in _SPACES:  # in a tenth of the time of `translate`
        stripped = stripped.replace(sign, " ")
    return Snippet(before + stripped + after, inside, Span(first_line, last_line, base + start, base + end))


@lru_cache(maxsize=256)
def _edges(chunk: Chunk) -> tuple[frozenset[int], frozenset[int]]:
    """Return the offsets in the text of a chunk at which a sentence begins, and those at which one ends."""
    base = chunk.span.start
    starts = frozenset((0, *(start - base for start, _ in chunk.sentences)))
    return starts, frozenset((len(chunk.text), *(end - base for _, end in chunk.sentences)))
