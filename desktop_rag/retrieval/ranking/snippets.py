"""Snippets: the few sentences of a chunk that show best why it was found."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from desktop_rag.documents.document import LineKind, Page, Span
from desktop_rag.documents.file_types import Format
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.index.records import Chunk, Content
from desktop_rag.retrieval.api import Mode, Snippet
from desktop_rag.retrieval.query.highlights import Highlight, Highlighter, LiteralHighlighter, marks_value
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.to_index import ENGLISH_QUESTION_WORDS
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Either,
    Fuzzy,
    Node,
    Phrase,
    Prefer,
    Spelled,
    TextLeaf,
    Wildcard,
    Word,
    binds,
    wanted,
)
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk

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


# Chooses the excerpts of a found chunk: the best one, and every other place that fulfils the query.

_TABLES = (Format.TABLE, Format.SHEETS)
_CODE = ("```", "~~~", "\n    ", "\n\t")  # how code begins in Markdown
_WITH_CODE = (Format.MARKDOWN, Format.NOTEBOOK, Format.WEB, Format.RST, Format.ASCIIDOC, Format.ORG, Format.LATEX)


class Excerpts:
    """The excerpts of the hits of one query; `leaves` is its number of words, phrases and patterns."""

    def __init__(self, catalog: CatalogReader, mode: Mode, query: Query) -> None:
        self._catalog = catalog
        self._mode = mode
        self._words = query.words
        match query.words:
            case Prefer(required, optional):
                self._with_preferred: Node | None = All((required, optional))
            case _:
                self._with_preferred = query.words
        leaves = tuple(wanted(query.words))
        self.leaves = len(leaves)
        self._known: dict[tuple[str, str], list[Highlight]] = {}
        self._answers: dict[tuple[bool, frozenset[int], frozenset[int]], bool] = {}
        self.bound = binds(query.words)
        self._asking: Set[int] = frozenset() if self.bound else _asking(leaves)
        joined = any(isinstance(leaf, Phrase | Spelled) for leaf in leaves)
        parts = (Word(leaf.text) if isinstance(leaf, Phrase | Spelled) else leaf for leaf in leaves)
        self._single_words = Highlighter(parts) if joined else None
        self._marker = LiteralHighlighter(leaves) if mode is Mode.EXACT else Highlighter(leaves)

    def marks(self, text: str, language: str) -> list[Highlight]:
        """Return the matches of the query in a text."""
        key = (text, language)
        if key not in self._known:
            self._known[key] = self._marker.marks(text, language)
        return self._known[key]

    def has_word(self, text: str, language: str) -> bool:
        """Return whether a text has a word of the query in any form, also one of a phrase or of `=`.

        Words that ask (when, who), which are not searched for, do not count beside others.
        """
        marks = self.marks(text, language) or (self._single_words.marks(text, language) if self._single_words else ())
        return any(mark.is_content and mark.leaf not in self._asking for mark in marks)

    def best(self, item: RankedChunk, chunk: Chunk, content: Content, marks: Sequence[Highlight]) -> Snippet:
        """Return the sentence nearest in meaning or, where another one has more of the words, that one."""
        if marks and content.format in _TABLES:
            return around_marks(_in_rows(chunk, content), marks)
        return self._with_code(content, chunk, self._best(item, chunk, marks), marks)

    def further(self, chunk: Chunk, content: Content, marks: Sequence[Highlight], shown: Snippet) -> Iterator[Snippet]:
        """Yield the other excerpts that fulfil the query, in order; every match that does is in one of them."""
        every = frozenset(mark.leaf for mark in marks)
        if not self._fulfilled(self._words, every, every):
            return
        chunk = _in_rows(chunk, content)
        together = self._in_a_sentence(self._words, chunk, marks)
        for at in further_places(
            chunk, marks, shown, lambda here: self._fulfilled(self._words, here, every), sentences_only=together
        ):
            yield self._with_code(content, chunk, at, marks)

    def sentence_fulfils(self, chunk: Chunk, content: Content) -> bool:
        """Return whether a sentence, or row of a table, fulfils the query by itself."""
        marks = self.marks(chunk.text, content.language)
        return self._in_a_sentence(self._with_preferred, _in_rows(chunk, content), marks)

    def excerpt_fulfils(self, chunk: Chunk, content: Content) -> bool:
        """Return whether the best excerpt fulfils the query."""
        marks = self.marks(chunk.text, content.language)
        chunk = _in_rows(chunk, content)
        return self._shows_all(self._with_preferred, chunk, around_marks(chunk, marks), marks)

    def _best(self, item: RankedChunk, chunk: Chunk, marks: Sequence[Highlight]) -> Snippet:
        if item.sentence < 0 or not item.is_nearer(self._mode):
            return around_marks(chunk, marks)
        near = around_sentence(chunk, item.sentence, marks)
        if not self.bound and (self._mode is Mode.SEMANTIC or self._shows_all(self._words, chunk, near, marks)):
            return near
        by_words = around_marks(chunk, marks)
        if self.bound:
            return max(near, by_words, key=lambda each: len(_leaves_in(chunk, each, marks)))
        return by_words if self._shows_all(self._words, chunk, by_words, marks) else near

    def _in_a_sentence(self, words: Node | None, chunk: Chunk, marks: Sequence[Highlight]) -> bool:
        every = frozenset(mark.leaf for mark in marks)
        return any(self._fulfilled(words, here, every) for here in leaves_of_sentences(chunk, marks))

    def _shows_all(self, words: Node | None, chunk: Chunk, snippet: Snippet, marks: Sequence[Highlight]) -> bool:
        return self._fulfilled(words, _leaves_in(chunk, snippet, marks), frozenset(mark.leaf for mark in marks))

    def _fulfilled(self, words: Node | None, here: Set[int], anywhere: Set[int]) -> bool:
        if not here or words is None:
            return False
        key = words is self._words, frozenset(here), frozenset(anywhere)
        if key not in self._answers:  # many sentences have the same words of the query
            self._answers[key] = _fulfils(words, iter(range(self.leaves)), here, anywhere)
        return self._answers[key]

    def _with_code(self, content: Content, chunk: Chunk, found: Snippet, marks: Sequence[Highlight]) -> Snippet:
        lines = self._code_lines(content, chunk, found, marks)
        return (whole_lines(chunk, *lines, marks) if lines is not None else None) or found

    def _code_lines(
        self, content: Content, chunk: Chunk, found: Snippet, marks: Sequence[Highlight]
    ) -> tuple[int, int] | None:
        """Return the first and last line of a snippet in source code; None if it has a match in other text."""
        first, last = found.span.first_line, found.span.last_line
        if content.format in (Format.CODE, Format.DATA):
            return first, last
        if content.format not in _WITH_CODE or (
            content.format == Format.MARKDOWN and not any(map(chunk.text.__contains__, _CODE))
        ):
            return None
        kinds = [LineKind(each & 15) for each in self._catalog.contents.kinds(content.id, found.span)]
        start, end = found.span.start - chunk.span.start, found.span.end - chunk.span.start
        inside = [mark.start for mark in marks if start <= mark.start < end] or [start]
        at = [chunk.text.count("\n", 0, place) + chunk.span.first_line - first for place in inside]
        return _block(kinds, at, first)


def _in_rows(chunk: Chunk, content: Content) -> Chunk:
    """Return a chunk of a table with its rows as sentences (a sentence to encode has several), any other unchanged."""
    if content.format not in _TABLES:
        return chunk
    ends = [at for at, char in enumerate(chunk.text) if char == "\n"]
    starts, ends = [0, *(at + 1 for at in ends)], [*ends, len(chunk.text)]
    base = chunk.span.start
    return replace(chunk, sentences=tuple((base + a, base + b) for a, b in zip(starts, ends, strict=True) if a < b))


def _leaves_in(chunk: Chunk, snippet: Snippet, marks: Sequence[Highlight]) -> Set[int]:
    """Return the numbers of the leaves of the query that an excerpt has."""
    return leaves_between(marks, snippet.span.start - chunk.span.start, snippet.span.end - chunk.span.start)


def _fulfils(node: Node, numbers: Iterator[int], here: Set[int], anywhere: Set[int], *, strict: bool = False) -> bool:
    """Return whether the leaves `here` fulfil the query; `numbers` counts its leaves as `wanted` does.

    Plain words are all needed, and one operand of OR. Operands of AND that match nowhere in the chunk match its title.
    """
    match node:
        case All(parts):
            found = [_fulfils(part, numbers, here, anywhere, strict=strict) for part in parts]  # each counts its leaves
            return all(found)
        case Either((Word(text), Wildcard(pattern)), False) if pattern == f"{text}*":  # the word being typed
            return not here.isdisjoint((next(numbers), next(numbers)))
        case Either(parts, typed):
            found = [_fulfils(part, numbers, here, anywhere, strict=True) for part in parts]
            return any(found) if typed else all(found)
        case Prefer(required, optional):
            found = [_fulfils(part, numbers, here, anywhere, strict=strict) for part in (required, optional)]
            return found[0]
        case Boosted(part):
            return _fulfils(part, numbers, here, anywhere, strict=strict)
        case Word() | Fuzzy() | Wildcard() | Phrase() | Spelled():
            number = next(numbers)
            if number in here or (isinstance(node, Word) and node.text.lower() in STOP_WORDS):
                return True
            return not strict and number not in anywhere
        case _:
            return True  # what is forbidden, and conditions on the file


def _block(kinds: Sequence[LineKind], places: Sequence[int], first: int) -> tuple[int, int] | None:
    """Return the first and last number of the lines of code around these indices; the lines count from `first`."""
    start, end = places[0], places[-1]
    if end >= len(kinds) or any(kind is not LineKind.CODE for kind in kinds[start : end + 1]):
        return None
    while start > 0 and kinds[start - 1] is LineKind.CODE:
        start -= 1
    while end + 1 < len(kinds) and kinds[end + 1] is LineKind.CODE:
        end += 1
    return first + start, first + end


def _asking(leaves: Sequence[TextLeaf]) -> frozenset[int]:
    """Return the numbers of the words that ask, none if all others are stop words."""
    words = [fold(leaf.text) if isinstance(leaf, Word) else "" for leaf in leaves]
    found = frozenset(number for number, word in enumerate(words) if word in ENGLISH_QUESTION_WORDS)
    others = (word for number, word in enumerate(words) if number not in found)
    return found if any(word not in STOP_WORDS for word in others) else frozenset()
