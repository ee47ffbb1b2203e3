"""Chooses the excerpts of a found chunk: the best one, and every other place that fulfils the query."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from desktop_rag.documents.document import LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.index.records import Chunk, Content
from desktop_rag.retrieval.api import Mode, Snippet
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
from desktop_rag.retrieval.reading.highlights import Highlight, Highlighter, LiteralHighlighter
from desktop_rag.retrieval.reading.snippets import (
    around_marks,
    around_sentence,
    further_places,
    leaves_between,
    leaves_of_sentences,
    whole_lines,
)

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
