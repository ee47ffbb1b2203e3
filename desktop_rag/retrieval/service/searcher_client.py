"""A `Retriever` that asks the searcher child; it starts the child at the first question and again after a crash."""

from pathlib import Path
from typing import TypeVar

from desktop_rag.errors import ProcessError
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout
from desktop_rag.processes.child import Child
from desktop_rag.processes.remote import Endpoint, Remote
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
from desktop_rag.retrieval.explain.explanation import Explanation
from desktop_rag.retrieval.service.searcher_messages import (
    SEARCHER_REPLIES,
    SEARCHER_REQUESTS,
    ChunkTexts,
    ClauseCounts,
    CountClauses,
    CountFacets,
    CountFacts,
    Describe,
    Described,
    Differ,
    Explain,
    FindPassages,
    GetLayout,
    LookUp,
    PassagesFound,
    ReadChunks,
    ReadLines,
    Relate,
    SearcherRequest,
)
from desktop_rag.stop import Stop

Reply = TypeVar("Reply")


class SearcherClient:
    """The library's reading side behind a pipe; any thread may ask, the questions are answered one by one."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._remote = Remote(self._start, SEARCHER_REQUESTS, SEARCHER_REPLIES)

    def close(self) -> None:
        """End the child; later questions fail."""
        self._remote.close()

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Return the best chunks for a query."""
        return self._ask(request, SearchResult, stop)

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        """Count the documents that contain what a query asks for."""
        return self._ask(CountFacets(request), Facets, stop)

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count for each part of a query by words the documents that hold it."""
        return self._ask(CountClauses(request), ClauseCounts, stop).clauses

    def explain(self, path: Path, request: SearchRequest | None, stop: Stop) -> Explanation:
        """Say why a file is found or not, by a search if there is one."""
        return self._ask(Explain(path, request), Explanation, stop)

    def related(self, chunk: ChunkId, limit: int, stop: Stop) -> SearchResult:
        """Return passages of other documents that belong to a passage."""
        return self._ask(Relate(chunk, limit), SearchResult, stop)

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        """Return passages of one document that contain a pattern as a substring, ignoring case."""
        return self._ask(FindPassages(content, patterns, per_pattern), PassagesFound, stop).passages

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        """Return `count` lines from line `first` (from 1), fewer at the end of the document."""
        return self._ask(ReadLines(content, first, count), LineWindow, stop)

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        """Return whole chunks in the order asked; unknown ids are left out."""
        return self._ask(ReadChunks(chunks), ChunkTexts, stop).chunks

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        """Return what is known of a document, or None if the library no longer holds it."""
        return self._ask(Describe(content), Described, stop).card

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        """Return the document a file holds under this hash or now at `path`; else what is remembered of the hash."""
        return self._ask(LookUp(sha256, path), Described, stop).card

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        """Return line kinds, pages and boxes of a document for the viewer."""
        return self._ask(GetLayout(content), DocumentLayout, stop)

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """Return documents by their names."""
        return self._ask(query, DocumentList, stop)

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        """Return at most `most` changes from one document to another."""
        return self._ask(Differ(one, other, most), DocumentDiff, stop)

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        """Return how much there is to search in `scope`."""
        return self._ask(CountFacts(scope), LibraryFacts, stop)

    def _ask(self, request: SearcherRequest, kind: type[Reply], stop: Stop) -> Reply:
        reply = self._remote.call(request, stop)
        if not isinstance(reply, kind):
            raise ProcessError("The searcher gave an answer to another question. Please try again.")
        return reply

    def _start(self, stop: Stop) -> Endpoint:
        child = Child.start("_searcher", "--library", str(self._library.absolute()))
        return Endpoint(child.connection, child.kill)
