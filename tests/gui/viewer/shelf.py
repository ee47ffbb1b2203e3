"""A library in memory that answers like the real one, over real documents."""

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import LibraryError
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout
from desktop_rag.retrieval.api import (
    ChunkText,
    ClauseCount,
    DocumentCard,
    DocumentDiff,
    DocumentList,
    DocumentQuery,
    Facets,
    LibraryFacts,
    LineWindow,
    Passage,
    Scope,
    SearchRequest,
    SearchResult,
)
from desktop_rag.retrieval.reading.find import Finder
from desktop_rag.stop import Stop


@dataclass
class Book:
    """One document on the shelf."""

    content: ContentId
    sha256: str
    document: Document
    lines: tuple[str, ...]
    path: Path | None
    modified_ns: int
    offline: bool = False


class Shelf:
    """A `Retriever` over a handful of documents; `gate`, while cleared, holds every answer back until Stop."""

    def __init__(self) -> None:
        self.books: list[Book] = []
        self.gate = threading.Event()
        self.gate.set()
        self.asked = threading.Event()  # set when a question has arrived
        self.broken: Exception | None = None
        self.windows: list[tuple[int, int]] = []  # what was read: first line, count

    def put(self, path: Path) -> Book:
        """Read a file of the disk."""
        data = path.read_bytes()
        return self.put_document(path, read_document(path.name, data), hashlib.sha256(data).hexdigest())

    def put_text(self, path: Path, text: str) -> Book:
        """Write a file and read it."""
        path.write_text(text, encoding="utf-8")
        return self.put(path)

    def put_document(self, path: Path | None, document: Document, sha256: str) -> Book:
        """Take in a document that is there already; what lay at its path before is gone."""
        self.books = [book for book in self.books if book.path != path or path is None]
        modified = path.stat().st_mtime_ns if path and path.exists() else 0
        lines = tuple(document.text.split("\n"))
        number = ContentId(max((book.content for book in self.books), default=0) + 1)
        book = Book(number, sha256, document, lines, path, modified)
        self.books.append(book)
        return book

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        raise NotImplementedError

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        raise NotImplementedError

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        raise NotImplementedError

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        raise NotImplementedError

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        self._answer(stop)
        book = self._book(content)
        return Finder(content, book.document.text, book.document.pages).find(patterns, per_pattern, stop)

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        self._answer(stop)
        self.windows.append((first, count))
        document = self._book(content).document
        lines = self._book(content).lines[first - 1 : first - 1 + count]
        start = document.line_starts[first - 1] if lines else 0
        end = start + sum(len(line) + 1 for line in lines)
        marks = tuple(document.structure.marks_between(start, end))
        return LineWindow(content, first, lines, document.line_count, start, marks)

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        self._answer(stop)
        return next((_card(book) for book in self.books if book.content == content), None)

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        self._answer(stop)
        by_hash = next((book for book in self.books if book.sha256 == sha256), None)
        found = by_hash or next((book for book in self.books if book.path == path and path is not None), None)
        return _card(found) if found else None

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        self._answer(stop)
        document = self._book(content).document
        return DocumentLayout(document.kinds, document.pages, document.boxes, document.structure)

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        self._answer(stop)
        return Facets(len(self.books))

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        self._answer(stop)
        cards = tuple(_card(book) for book in self.books if not query.words or query.words in str(book.path))
        return DocumentList(len(cards), cards[query.skip : query.skip + query.limit], Facets(len(self.books)))

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        self._answer(stop)
        same = self._book(one).lines == self._book(other).lines
        return DocumentDiff((), 0, float(same))

    def _answer(self, stop: Stop) -> None:
        self.asked.set()
        with stop.interrupting(self.gate.set):
            self.gate.wait(30)
        stop.check()
        if self.broken is not None:
            raise self.broken

    def _book(self, content: ContentId) -> Book:
        for book in self.books:
            if book.content == content:
                return book
        raise LibraryError("This document is no longer in the library.")


def _card(book: Book) -> DocumentCard:
    document = book.document
    return DocumentCard(
        content=book.content,
        sha256=book.sha256,
        path=book.path,
        also=(),
        format=document.format,
        title=document.title or (book.path.name if book.path else ""),
        author=document.author,
        created=document.created,
        language=document.language,
        modified_ns=book.modified_ns,
        lines=document.line_count,
        words=len(document.text) // 6,
        pages=len(document.pages),
        partial=document.partial,
        offline=book.offline,
    )
