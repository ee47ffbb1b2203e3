"""A retriever over real documents in memory."""

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import LibraryError
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout, FolderId
from desktop_rag.retrieval.api import (
    Attachment,
    ChunkText,
    ClauseCount,
    DocumentCard,
    DocumentDiff,
    DocumentGuide,
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
from desktop_rag.retrieval.reading.guide import guide_of
from desktop_rag.stop import Stop


@dataclass
class MemoryFile:
    """One document of a `MemoryRetriever`."""

    content: ContentId
    sha256: str
    document: Document
    lines: tuple[str, ...]
    path: Path | None
    modified_ns: int
    offline: bool = False


class MemoryRetriever:
    """A `Retriever` over a few documents; while `gate` is cleared, every call blocks until it is stopped."""

    def __init__(self) -> None:
        self.files: list[MemoryFile] = []
        self.gate = threading.Event()
        self.gate.set()
        self.asked = threading.Event()  # set when a call has arrived
        self.broken: Exception | None = None
        self.copies: dict[str, Path] = {}  # of files in the store of a team's library, by their hashes
        self.windows: list[tuple[int, int]] = []  # the windows read: first line, count

    def add(self, path: Path) -> MemoryFile:
        """Add a file on disk."""
        data = path.read_bytes()
        return self.add_document(path, read_document(path.name, data), hashlib.sha256(data).hexdigest())

    def add_text(self, path: Path, text: str) -> MemoryFile:
        """Write a file and add it."""
        path.write_text(text, encoding="utf-8")
        return self.add(path)

    def add_document(self, path: Path | None, document: Document, sha256: str) -> MemoryFile:
        """Add a document, replacing an earlier one at its path."""
        self.files = [stored for stored in self.files if stored.path != path or path is None]
        modified = path.stat().st_mtime_ns if path and path.exists() else 0
        lines = tuple(document.text.split("\n"))
        number = ContentId(max((stored.content for stored in self.files), default=0) + 1)
        stored = MemoryFile(number, sha256, document, lines, path, modified)
        self.files.append(stored)
        return stored

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        raise NotImplementedError

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        raise NotImplementedError

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        raise NotImplementedError

    def attachments(self, paths: tuple[bytes, ...], stop: Stop) -> tuple[Attachment, ...]:
        raise NotImplementedError

    def attached_contents(self, attached: tuple[FolderId, ...], stop: Stop) -> tuple[ContentId, ...]:
        raise NotImplementedError

    def file_copy(self, sha256: str, stop: Stop) -> Path | None:
        return self.copies.get(sha256)

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        raise NotImplementedError

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        self._answer(stop)
        stored = self._stored(content)
        return Finder(content, stored.document.text, stored.document.pages).find(patterns, per_pattern, stop)

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        self._answer(stop)
        self.windows.append((first, count))
        document = self._stored(content).document
        lines = self._stored(content).lines[first - 1 : first - 1 + count]
        start = document.line_starts[first - 1] if lines else 0
        end = start + sum(len(line) + 1 for line in lines)
        marks = tuple(document.structure.marks_between(start, end))
        return LineWindow(content, first, lines, document.line_count, start, marks)

    def read_windows(self, places: tuple[tuple[ContentId, int, int], ...], stop: Stop) -> tuple[LineWindow, ...]:
        return tuple(self.read_lines(*place, stop) for place in places)

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        self._answer(stop)
        return next((_card(stored) for stored in self.files if stored.content == content), None)

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        self._answer(stop)
        by_hash = next((stored for stored in self.files if stored.sha256 == sha256), None)
        found = by_hash or next((stored for stored in self.files if stored.path == path and path is not None), None)
        return _card(found) if found else None

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        self._answer(stop)
        document = self._stored(content).document
        return DocumentLayout(document.kinds, document.pages, document.boxes, document.structure)

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        self._answer(stop)
        return Facets(len(self.files))

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        self._answer(stop)
        cards = tuple(_card(stored) for stored in self.files if not query.words or query.words in str(stored.path))
        return DocumentList(len(cards), cards[query.skip : query.skip + query.limit], Facets(len(self.files)))

    def guide(self, content: ContentId, stop: Stop) -> DocumentGuide:
        self._answer(stop)
        return guide_of(self._stored(content).lines, frozenset(), stop)

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        self._answer(stop)
        same = self._stored(one).lines == self._stored(other).lines
        return DocumentDiff((), 0, float(same))

    def _answer(self, stop: Stop) -> None:
        self.asked.set()
        with stop.interrupting(self.gate.set):
            self.gate.wait(30)
        stop.check()
        if self.broken is not None:
            raise self.broken

    def _stored(self, content: ContentId) -> MemoryFile:
        for stored in self.files:
            if stored.content == content:
                return stored
        raise LibraryError("This document is no longer in the library.")


def _card(stored: MemoryFile) -> DocumentCard:
    document = stored.document
    return DocumentCard(
        content=stored.content,
        sha256=stored.sha256,
        path=stored.path,
        also=(),
        format=document.format,
        title=document.title or (stored.path.name if stored.path else ""),
        author=document.author,
        created=document.created,
        language=document.language,
        modified_ns=stored.modified_ns,
        lines=document.line_count,
        words=len(document.text) // 6,
        pages=len(document.pages),
        partial=document.partial,
        offline=stored.offline,
    )
