"""Search, find, read and describe over the files of a library; what few requests need is imported by them."""

import os
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_rag.documents.document import LineKind
from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import TextlessFiles
from desktop_rag.index.encoding.encoder import return_memory
from desktop_rag.index.keywords.analysis import STOP_WORDS, terms
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout, UnsearchableFiles
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import (
    MAX_SIMILAR,
    ChunkText,
    ClauseCount,
    DocumentCard,
    DocumentDiff,
    DocumentGuide,
    DocumentList,
    DocumentQuery,
    Facets,
    Hit,
    LibraryFacts,
    LineWindow,
    Mode,
    Passage,
    Scope,
    SearchRequest,
    SearchResult,
    Sort,
)
from desktop_rag.retrieval.query.file_conditions import filter_condition
from desktop_rag.retrieval.query.parser import Query, is_indexed, parse, unfinished
from desktop_rag.retrieval.query.tree import Node, binds, join_all, wanted
from desktop_rag.retrieval.ranking.hit_assembly import HitAssembler, path_of, pool_sizes
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunks, sorted_hits
from desktop_rag.retrieval.ranking.ranker import Ranker
from desktop_rag.retrieval.ranking.reranking import RerankFeatures
from desktop_rag.retrieval.ranking.textless import textless_files
from desktop_rag.retrieval.reading.attached_documents import attached_first
from desktop_rag.retrieval.reading.find import Finder, read_places
from desktop_rag.retrieval.reading.related import chunk_texts, related
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.on_demand_encoding import Keep
from desktop_rag.retrieval.retrievers.vector import SentenceVectors, VectorRetriever
from desktop_rag.retrieval.service.file_browsing import FileBrowsing
from desktop_rag.retrieval.service.open_catalog import interruptible
from desktop_rag.retrieval.service.result_hints import (
    NO_SUCH_FILE,
    WordHints,
    missing_field,
    other_language,
    pasted_path,
)
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.retrieval.explain.explanation import Explanation

_MAX_OUTLINE_ENTRIES = 10_000  # a hundred thousand would freeze the window while they arrive
_SIMILAR_POOL = 5 * MAX_SIMILAR  # a file gives only a few of them
_SORTED, _SORTED_PLAIN = 1_000, 100  # hits that are sorted: of a query with operators, of plain words
# Strings in most of all words, the dearest first: letters by how frequent they are in English.
_FREQUENT = (*"etaoinsrhldcumfpgwybvkxjqz", "the", *sorted(word for word in STOP_WORDS if len(word) == 2))
_COUNT_FACTOR = 100.0  # sentences are counted again after this multiple of the time it takes
_PASSAGE_GONE = "This passage is no longer in the library. Search again."


GUIDE_LINES = 500  # that are read at a time for a guide


class SearchEngine(FileBrowsing):
    """An `Explorer` over the files of a library; one thread uses it at a time.

    Files are opened when first needed and reopened when they have changed; a library that does not exist is empty.
    `keep` receives vectors encoded on demand: (chunk, encoder id, rows). `keywords` and `vectors` replace the
    library's own indexes, for comparisons.
    """

    def __init__(
        self,
        library: Path,
        encoder: Path | None = None,
        keep: Keep | None = None,
        keywords: KeywordReader | None = None,
        vectors: SentenceVectors | None = None,
    ) -> None:
        super().__init__(Library(library))
        stored = vectors or VectorReader(self._library.vectors, self._stored_rows)
        self._vectors = VectorRetriever(stored, encoder or encoder_folder(), keep)
        self._keywords = keywords
        self._finder: tuple[ContentId, Finder] | None = None
        self._layout: tuple[ContentId, DocumentLayout] | None = None
        self._coverage: tuple[int, float] = (-1, 1.0)
        self._count_again_at = 0.0

    def close(self) -> None:
        """Close all files."""
        super().close()
        if self._keywords is not None:
            self._keywords.close()
        self._vectors.close()
        self._keywords = self._finder = self._layout = None

    def release(self) -> None:
        """Give back memory that only searches by meaning need."""
        self._vectors.release()
        return_memory()

    def warm(self) -> Generator[None]:
        """Make what the first exact searches would wait for, in steps of up to 60 ms; nothing without an index."""
        for word in _FREQUENT:
            with suppress(LibraryError):  # the next search says so
                self._current_keywords().max_occurrences(word, Stop())
            yield

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Return the best chunks for a query; raises `QueryError`."""
        started = time.perf_counter()
        query = self._parsed(request)
        catalog = self._catalog()
        if catalog is None or request.limit < 1:
            return SearchResult(request.query, request.mode, _milliseconds(started), (), 1.0)
        with interruptible(catalog, stop):
            hits, ranked, candidates = self._hits(catalog, request, _with_filters(query, request), stop)
            coverage = self._coverage_of(catalog, candidates)
            hints = WordHints(catalog, request, query, hits, candidates, lambda: self._keywords_of(candidates))
            left = replace(request, limit=request.limit - len(hits))
            similar = self._similar(catalog, left, query, candidates, stop)
            textless = self._textless(catalog, candidates)
            named = textless_files(catalog, textless, _with_filters(query, request), request, stop)
            named = tuple(each for each in named if each.path not in {hit.path for hit in hits})
            # Of the words of all documents, which do not have those of a name.
            corrected = "" if request.scope.withheld or named else hints.suggestion(stop)
            apart = not ranked.note and _without_words(request.mode, query, hits)
            if apart:  # an index of another catalog finds no words
                apart = self._current_keywords().watermark.lineage == catalog.lineage()
            languages = other_language(query, catalog) if apart or not (hits or similar or ranked.note) else None
            note = ranked.note or ranked.encoder_note or ("" if hits else missing_field(query, catalog))
            path = pasted_path(request.query)
            told = any(path == str(hit.path) or (hit.why.keyword_rank and " " not in path) for hit in hits)
            if path and not (told or named or request.scope.withheld):
                known = self.lookup("", Path(path), stop)
                corrected = f'path:"{path}"' if known else corrected
                note = note or ("" if known else NO_SUCH_FILE.format(f"“{path}”"))
            else:
                note = note or hints.missing_words(stop, named=bool(named))
        if ranked.encoder_missing:
            coverage = 0.0
        if request.reverse and request.sort is Sort.RELEVANCE and query.words is not None:
            hits = hits[::-1]
        took = _milliseconds(started)
        return SearchResult(
            *(request.query, request.mode, took, hits, coverage, note, corrected, similar, named, apart, languages),
            more=ranked.more,
        )

    def rerank_features(self, query: str, stop: Stop) -> list[tuple[Path, RerankFeatures]]:
        """Return the re-ranking features of each candidate passage, once for every file path."""
        catalog = self._catalog()
        request = SearchRequest(query, Mode.RERANKED)
        if catalog is None:
            return []
        parsed = self._parsed(request)
        with interruptible(catalog, stop):
            candidates = self._candidates(catalog, request.scope, parsed.files, stop)
            ranking = self._ranker(catalog)
            ranked = ranking.rank(parsed, request.mode, request.limit, candidates, stop)
            contents = catalog.chunks.contents_of(found.chunk for found in ranked.found)
            places = catalog.files.places(contents.values())
        return [
            (path_of(place), found.features)
            for found in ranked.found
            if found.features is not None and found.chunk in contents
            for place in places.get(contents[found.chunk], ())
        ]

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        """Count the documents that match a query by folder, type and year; raises `QueryError`."""
        from desktop_rag.retrieval.reading.facets import count_facets

        query = self._parsed(request)
        catalog = self._catalog()
        if catalog is None:
            return Facets(0)
        with interruptible(catalog, stop):
            candidates = self._candidates(catalog, request.scope, query.files, stop)
            ranking = self._ranker(catalog)
            listed = frozenset(request.listed)
            shown = frozenset[ContentId]() if request.filters else listed  # a filter is counted without itself
            contents = ranking.contents(query, request.mode, candidates, stop, shown)
            contents = np.union1d(contents, np.fromiter(listed, np.int64, len(listed))) if listed else contents
            return count_facets(catalog, candidates, contents, request.filters, stop, keep=True)

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count the matching documents of each clause of a query; raises `QueryError`."""
        from desktop_rag.retrieval.explain.clauses import clause_counts

        query = self._parsed(request)
        catalog = self._catalog()
        if catalog is None:
            return ()
        with interruptible(catalog, stop):
            ranking = self._ranker(catalog)
            candidates = cache(lambda condition: self._candidates(catalog, request.scope, condition, stop))

            def count(words: Node | None, condition: Node | None) -> int:
                stop.check()
                found = candidates(condition)
                if words is None:
                    return len(found.contents)
                alone = ranking.contents(Query(request.query, words, None), Mode.KEYWORD, found, stop)
                return len(found.contents.intersection(alone.tolist()))

            return clause_counts(query, request, count)

    def explain(self, path: Path, request: SearchRequest | None, stop: Stop) -> "Explanation":
        """Explain why a file is indexed or not and, with a request, why the search finds it; raises `QueryError`."""
        from desktop_rag.retrieval.explain.collect import Explainer

        query = self._parsed(request) if request is not None else None
        catalog = self._catalog()
        if catalog is None:
            raise LibraryError("This library is empty. Add a folder first.")
        with interruptible(catalog, stop):
            known = self._path_status(catalog, path)
            if known.content is None or request is None or query is None:
                return known
            whole = _with_filters(query, request)
            hits, _, candidates = self._hits(catalog, request, whole, stop)
            ranker, new = self._ranker(catalog, request), lambda scope: self._candidates(catalog, scope, None, stop)
            explainer = Explainer(catalog, ranker, request, query, whole, stop, new)
            found = explainer.explain(known.status.path, known.content, hits, candidates)
            return replace(known, in_search=found)

    def _stored_rows(self, encoder: str, chunks: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        catalog = self._catalog()
        return catalog.vectors.stored(encoder, chunks) if catalog is not None else {}

    def _path_status(self, catalog: CatalogReader, path: Path) -> "Explanation":
        from desktop_rag.retrieval.explain.collect import path_status

        return path_status(catalog, path)

    def _ranker(self, catalog: CatalogReader, request: SearchRequest | None = None) -> Ranker:
        return Ranker(catalog, self._current_keywords, self._vectors, request)

    def related(self, chunk: ChunkId, limit: int, stop: Stop) -> SearchResult:
        """Return passages of other documents that are related to a passage, at most one from each document."""
        started = time.perf_counter()
        catalog = self._catalog()
        if catalog is None:
            raise LibraryError(_PASSAGE_GONE)
        request = SearchRequest("", Mode.LINKED, limit, per_file=0)
        with interruptible(catalog, stop):
            known = catalog.chunks.by_id((chunk,)).get(chunk)
            if known is None:
                raise LibraryError(_PASSAGE_GONE)
            candidates = self._candidates(catalog, request.scope, None, stop)
            found = related(catalog, self._vectors, known, stop)
            hits = HitAssembler(catalog, candidates, request, Query("", None, None)).hits(found, stop)
            coverage = self._coverage_of(catalog, candidates)
        return SearchResult("", Mode.LINKED, _milliseconds(started), hits, coverage)

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        """Return passages of one document that contain a pattern as a substring, ignoring case."""
        catalog = self._catalog_with(content)
        if self._finder is None or self._finder[0] != content:
            text, pages = catalog.texts.whole(content), catalog.contents.pages((content,)).get(content, ())
            self._finder = (content, Finder(content, text, pages, catalog.contents.sections(content)))
        return self._finder[1].find(patterns, per_pattern, stop)

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        """Return `count` lines from line `first` (from 1), fewer at the end of the document."""
        stop.check()
        catalog = self._catalog_with(content)
        first = max(1, first)
        total = catalog.contents.by_id((content,))[content].line_count
        within = count > 0 and first <= total
        start, lines = catalog.texts.lines_with_offset(content, first, count) if within else (0, [])
        end = start + sum(len(line) + 1 for line in lines)
        marks = tuple(self._layout_of(catalog, content).structure.marks_between(start, end)) if lines else ()
        return LineWindow(content, first, tuple(lines), total, start, marks)

    def read_windows(self, places: tuple[tuple[ContentId, int, int], ...], stop: Stop) -> tuple[LineWindow, ...]:
        """Return the lines of each place (content, first line, count); fewer places, at least one, if they are long."""
        return read_places(self.read_lines, places, stop)

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        """Return whole chunks in the given order, without unknown ids and chunks that no visible file contains."""
        stop.check()
        catalog = self._catalog()
        return chunk_texts(catalog, chunks) if catalog is not None else ()

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        """Return the facts of a document, or None if the library does not contain it."""
        from desktop_rag.retrieval.reading.document_list import document_card

        stop.check()
        catalog = self._catalog()
        return document_card(catalog, content) if catalog is not None else None

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """Return documents by name; raises `QueryError` for an invalid filter."""
        from desktop_rag.retrieval.reading.document_list import list_documents

        filters = filter_condition(query.filters, date.today())
        catalog = self._catalog()
        if catalog is None:
            return DocumentList(0, (), Facets(0))
        with interruptible(catalog, stop):
            candidates = self._candidates(catalog, query.scope, filters, stop)
            return list_documents(catalog, candidates, query, stop)

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        """Return the diff of two documents, of at most `most` changes."""
        from desktop_rag.retrieval.reading.diff import diff_documents

        stop.check()
        catalog = self._catalog_with(one)
        with interruptible(catalog, stop):
            return diff_documents(catalog, one, other, most, stop)

    def guide(self, content: ContentId, stop: Stop) -> DocumentGuide:
        """Return the dates, amounts, names and defined terms of a document with their lines."""
        from desktop_rag.retrieval.reading.guide import guide_of

        kinds, card = self.layout(content, stop).kinds, self.describe(content, stop)
        headings = frozenset(at for at, kind in enumerate(kinds, 1) if kind & 0xF == LineKind.HEADING)

        def lines() -> Iterator[str]:
            for first in range(1, (card.lines if card else 0) + 1, GUIDE_LINES):
                yield from self.read_lines(content, first, GUIDE_LINES, stop).lines

        return guide_of(lines(), headings, stop)

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        """Return the document with this hash if a file has it, else the one now at `path`, else the deleted one."""
        stop.check()
        catalog = self._catalog()
        if catalog is None:
            return None
        same: ContentId | None = None
        with suppress(ValueError):
            same = catalog.contents.by_hash(bytes.fromhex(sha256)) if sha256 else None
        if same is None or not catalog.files.every_place([same]):  # no file has it any more: use the one at the path
            same = (catalog.files.content_at(os.fsencode(path)) if path is not None else None) or same
        return self.describe(same, stop) if same is not None else None

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        """Return line kinds, pages, boxes and structure of a document; the marks are returned by `read_lines`."""
        stop.check()
        known = self._layout_of(self._catalog_with(content), content)
        outline = known.structure.outline[:_MAX_OUTLINE_ENTRIES]
        return replace(known, structure=replace(known.structure, outline=outline, marks=b"", links=(), mails=()))

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        """Return the number of files, documents and chunks in `scope`, and what cannot be searched."""
        from desktop_rag.index.catalog.library_statistics import unsearchable_files

        stop.check()
        catalog = self._catalog()
        if catalog is None:
            return LibraryFacts(0, 0, 0, 1.0)
        candidates = self._candidates(catalog, scope, None, stop)
        chunks, ready, total = catalog.chunks.chunk_and_sentence_counts(candidates.contents)
        if scope.contents or scope.withheld or scope.filters:
            files, unseen = sum(map(len, candidates.places(candidates.contents).values())), UnsearchableFiles()
        else:
            files = catalog.files.count(scope.folders, scope.attached)
            unseen = unsearchable_files(catalog, scope.folders, scope.attached)
        return LibraryFacts(files, len(candidates.contents), chunks, ready / total if total else 1.0, unseen)

    def _hits(
        self, catalog: CatalogReader, request: SearchRequest, query: Query, stop: Stop
    ) -> tuple[tuple[Hit, ...], RankedChunks, Candidates]:
        """Rank more and more chunks until `limit` hits remain after assembly; sort them if that is asked."""
        if request.sort is not Sort.RELEVANCE and query.words is not None:
            pool = max(request.limit, _SORTED if binds(query.words) else _SORTED_PLAIN)
            by_relevance = replace(request, sort=Sort.RELEVANCE, limit=pool)
            hits, ranked, candidates = self._hits(catalog, by_relevance, query, stop)
            ranked = replace(ranked, more=ranked.more or len(hits) > request.limit)
            return sorted_hits(hits, request), ranked, candidates
        candidates = self._candidates(catalog, request.scope, query.files, stop)
        ranking = self._ranker(catalog, request)
        assembler = HitAssembler(catalog, candidates, request, query)
        for fetch in pool_sizes(request.limit, request.mode, query.words):
            ranked = ranking.rank(query, request.mode, fetch, candidates, stop)
            hits = assembler.hits(attached_first(catalog, ranked.found, request), stop)
            if len(hits) == request.limit or ranked.complete:
                break
        return hits, replace(ranked, more=assembler.left_out), candidates

    def _similar(
        self,
        catalog: CatalogReader,
        request: SearchRequest,
        query: Query,
        candidates: Candidates,
        stop: Stop,
    ) -> tuple[Hit, ...]:
        """Return passages near in meaning that do not fulfil a query with operators, if there is room for them."""
        limit = min(MAX_SIMILAR, request.limit)
        literal = request.mode is Mode.EXACT or request.published
        if limit < 1 or literal or not binds(query.words) or not any(wanted(query.words)):
            return ()
        ranking = self._ranker(catalog, request)
        similar = ranking.similar(query, request.mode, _SIMILAR_POOL, candidates, stop)
        few = replace(request, mode=Mode.SEMANTIC, limit=limit)
        return HitAssembler(catalog, candidates, few, query).hits(similar, stop)

    def _coverage_of(self, catalog: CatalogReader, candidates: Candidates) -> float:
        if catalog.chunks.are_all_encoded():  # else in the time of a count over all chunks
            return 1.0
        if (contents := candidates.restriction) is not None:
            return catalog.chunks.encoded_share(contents)
        began, version = time.monotonic(), catalog.data_version()
        if version != self._coverage[0] and began >= self._count_again_at:
            self._coverage = (version, catalog.chunks.encoded_share())
            self._count_again_at = began + _COUNT_FACTOR * (time.monotonic() - began)
        return self._coverage[1]

    def _candidates(self, catalog: CatalogReader, scope: Scope, condition: Node | None, stop: Stop) -> Candidates:
        return Candidates(catalog, scope, condition, stop)

    def _keywords_of(self, candidates: Candidates) -> KeywordReader:
        """Return the keyword index for what is asked of candidates."""
        del candidates
        return self._current_keywords()

    def _textless(self, catalog: CatalogReader, candidates: Candidates) -> TextlessFiles:
        """Return the files without text for what is asked of candidates."""
        del candidates
        return catalog.textless

    def _layout_of(self, catalog: CatalogReader, content: ContentId) -> DocumentLayout:
        """Return the whole layout, cached: lines are usually read from the same document again."""
        if self._layout is None or self._layout[0] != content:
            self._layout = (content, catalog.contents.layout(content))
        return self._layout[1]

    def _catalog_with(self, content: ContentId) -> CatalogReader:
        catalog = self._catalog()
        if catalog is None or content not in catalog.contents.by_id((content,)):
            raise LibraryError("This document is no longer in the library.")
        return catalog

    def _parsed(self, request: SearchRequest) -> Query:
        query = parse(request.query, default_and=request.default_and)
        whole = request.mode is Mode.EXACT or not request.unfinished
        return query if whole else unfinished(query, lambda word: is_indexed(self._current_keywords, word))

    def _current_keywords(self) -> KeywordReader:
        if self._keywords is None:
            self._keywords = keyword_reader(self._library.keywords)
        self._keywords.refresh()
        return self._keywords


def _with_filters(query: Query, request: SearchRequest) -> Query:
    """Return the query joined with the filters of the request."""
    return replace(query, files=join_all((query.files, filter_condition(request.filters, date.today()))))


def _without_words(mode: Mode, query: Query, hits: Sequence[Hit]) -> bool:
    """Return whether a search by words and meaning found no word of the query; stop words are not searched for."""
    if not hits or not mode.by_meaning or mode is Mode.SEMANTIC or query.words is None:
        return False
    if any(hit.why.by_words or not hit.why.semantic_rank for hit in hits):
        return False
    return any(term.text not in STOP_WORDS for term in terms(query.text, query=True))


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000.0
