"""The retrieval service over a team library: the search engine of every library, over a catalog on the server."""

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

from desktop_rag.errors import (
    EncoderError,
    LibraryRefused,
    TeamBusy,
    TeamError,
    TeamMissing,
    TeamNotSecure,
    TeamRefused,
    TeamUnreachable,
)
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import TextlessFiles
from desktop_rag.index.file_rows import FileQuery, FileWindow, FolderContents, LibraryOverview
from desktop_rag.index.folders.path_explanation import OUTSIDE, STATES
from desktop_rag.index.folders.path_status import PathStatus
from desktop_rag.index.folders.rules import FolderRule, RuleDecision
from desktop_rag.index.keywords.analysis import stem, terms
from desktop_rag.index.records import ChunkId, ContentId, FileState, FolderId
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.llm.json_value import as_object
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import (
    Attachment,
    ClauseCount,
    DocumentCard,
    DocumentList,
    DocumentQuery,
    Facets,
    Hit,
    LibraryFacts,
    Mode,
    Order,
    Scope,
    SearchRequest,
    SearchResult,
)
from desktop_rag.retrieval.explain.clauses import clause_counts
from desktop_rag.retrieval.explain.explanation import Explanation
from desktop_rag.retrieval.query.file_conditions import filter_condition
from desktop_rag.retrieval.query.parser import Query, parse
from desktop_rag.retrieval.query.term_expansion import TermExpansion
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tree import Filter, Node, Word, binds, wanted
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk, RankedChunks
from desktop_rag.retrieval.ranking.ranker import POOL, Ranker
from desktop_rag.retrieval.reading.document_list import document_cards
from desktop_rag.retrieval.reading.facets import count_facets
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats
from desktop_rag.retrieval.retrievers.vector import VectorRetriever
from desktop_rag.retrieval.service.open_catalog import interruptible
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import Mounts, MountTable, StoredCopies, place_in_store
from desktop_rag.team.format.document_cards import SOURCE_BITS
from desktop_rag.team.format.team_indexes import DOCUMENTS, KINDS, LATER, PASSAGES, of_contents, require_known_format
from desktop_rag.team.reader.team_catalog import TeamCatalog
from desktop_rag.team.reader.team_query import Among, TeamCandidates, conditions_of, request_of
from desktop_rag.team.reader.team_records import Shared
from desktop_rag.team.reader.team_search import TeamKeywords, TeamRetriever, TeamVectors
from desktop_rag.team.server.json_answers import Json, aggregated, as_int, buckets, hits, total
from desktop_rag.team.server.team_connection import TeamConnection

# What is wrong with a team's library now, looked at now and then: its copies, its disks, its writers.

logger = logging.getLogger(__name__)

STALLED_SECONDS = 15 * 60
_BLOCK = "index.blocks.read_only_allow_delete"  # set by the server at its flood stage
_IF_THERE = "ignore_unavailable=true"  # of indexes in `LATER`

_STATES = (TeamBusy, TeamMissing, TeamNotSecure, TeamRefused, TeamUnreachable)  # not of one query

Troubles = Mapping[ServerTrouble, str]  # with their sentences
Tell = Callable[[Iterable[str]], None]


class TeamHealth:
    """Looks at the state of one library and passes its sentences to `tell`, for the window.

    A role that may not ask for the state of the server is told of parts that did not answer and of its writers alone.
    """

    def __init__(self, shared: Shared, tell: Tell = lambda _: None) -> None:
        self._shared = shared
        self._tell = tell
        self._refused: set[str] = set()
        self._incomplete = False

    def troubles(self, stop: Stop, *, incomplete: bool | None = None) -> Troubles:
        """Return what is wrong; `incomplete`: a part did not answer the search before, None: as the one before that."""
        self._incomplete = self._incomplete if incomplete is None else incomplete
        state = self._shared.seldom("health", lambda: self._looked(stop))
        found = dict(state) if isinstance(state, dict) else {}
        if self._incomplete:
            found[ServerTrouble.INCOMPLETE] = ServerTrouble.INCOMPLETE.sentence()
        ordered = {each: found[each] for each in ServerTrouble if each in found}
        self._tell(ordered.values())
        return ordered

    def note_failure(self, error: TeamError) -> None:
        """Pass on why a search failed, if that is the state of the server: what was told before no longer holds."""
        if isinstance(error, _STATES):
            self._tell((str(error),))

    def _looked(self, stop: Stop) -> Troubles:
        connection, found = self._shared.connection, dict[ServerTrouble, str]()
        later = [kind for kind in LATER if self._answer(f"/{connection.alias(kind)}/_mapping?{_IF_THERE}", stop)]
        indexes = ",".join(connection.alias(kind) for kind in KINDS if kind in later or kind not in LATER)
        match self._answer(f"/_cluster/health/{indexes}?local=true", stop).get("status"):
            case "red":
                found[ServerTrouble.INCOMPLETE] = ServerTrouble.INCOMPLETE.sentence()
            case "yellow":
                found[ServerTrouble.COPY_MISSING] = ServerTrouble.COPY_MISSING.sentence()
        blocks = self._answer(f"/{indexes}/_settings/{_BLOCK}?local=true&flat_settings=true", stop)
        if any(as_object(as_object(each).get("settings")).get(_BLOCK) == "true" for each in blocks.values()):
            found[ServerTrouble.DISK_FULL] = ServerTrouble.DISK_FULL.sentence()
        oldest = min((as_int(entry.get("at")) for entry in self._shared.sources(stop)), default=0)
        if oldest and time.time() - oldest > STALLED_SECONDS:
            found[ServerTrouble.NOT_CURRENT] = ServerTrouble.NOT_CURRENT.sentence(oldest)
        return found

    def _answer(self, path: str, stop: Stop) -> Json:
        """Return an answer, an empty one if there is none: the search was answered, so this is no reason to fail."""
        if path not in self._refused:
            try:
                return self._shared.connection.ask("GET", path, stop=stop, tries=1)
            except TeamRefused:  # the role does not allow it
                self._refused.add(path)
            except TeamError as error:
                logger.info("the state of the team's server is not known: %s", error)
        return {}


_COUNTED = 2_000  # documents whose facets are counted one by one; of more, those of the best ones
_EXACTLY = 40_000  # documents; more are counted about
_SPARE, _RERANKED = 4, 40  # passages whose nearest sentence is looked up, beyond the limit and for re-ranking


class TeamEngine(SearchEngine):
    """An `Explorer` and `FileBrowser` over a team library; `spaces` narrows what the reader's role allows.

    `mounts` are folders of the file server and where they are on this computer, `copies` those of a store of files.
    `tell` is told what is wrong with the library, in sentences.
    """

    def __init__(
        self,
        connection: TeamConnection,
        encoder: Path | None = None,
        spaces: Sequence[str] = (),
        mounts: Mounts = (),
        copies: StoredCopies | None = None,
        tell: Tell = lambda _: None,
    ) -> None:
        self._team = TeamCatalog(connection, spaces)
        self._health = TeamHealth(self._team.shared, tell)
        words = TeamKeywords(self._team.shared)
        vectors = TeamVectors(self._team.shared, words, located=_RERANKED)
        super().__init__(Path(), encoder, keywords=words, vectors=vectors)
        self._vectors = TeamRetriever(vectors, encoder or encoder_folder())
        self._connection = connection
        self._mounts = MountTable(mounts)
        self._copies = copies

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()
        super().close()

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Return the best passages for a query; raises `QueryError`."""
        if request.mode is Mode.EXACT:
            raise LibraryRefused('A team library has no exact mode. Search for a phrase instead: "as it is written".')
        incomplete = self._connection.incomplete
        request = replace(request, scope=self._mounts.scope(request.scope))  # files without text are compared here
        try:
            result = self._mounts.result(super().search(request, stop))
        except TeamError as error:
            self._health.note_failure(error)
            raise
        troubles = self._health.troubles(stop, incomplete=self._connection.incomplete > incomplete)
        note = " ".join(filter(None, (result.note, *troubles.values())))
        return replace(result, note=note, troubles=tuple(troubles))

    def related(self, chunk: ChunkId, limit: int, stop: Stop) -> SearchResult:
        """See the base class."""
        return self._mounts.result(super().related(chunk, limit, stop))

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        """See the base class."""
        card = super().describe(content, stop)
        return next(iter(self._mounts.cards((card,)))) if card is not None else None

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        """See the base class; `path` is on this computer."""
        card = super().lookup(sha256, self._mounts.there(path) if path is not None else None, stop)
        return next(iter(self._mounts.cards((card,)))) if card is not None else None

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        """Count the matching documents; beyond `_COUNTED` the lists count the best ones, and the number is about."""
        query = parse(request.query, default_and=request.default_and)
        catalog = self._catalog()
        with interruptible(catalog, stop):
            candidates = self._candidates(catalog, request.scope, query.files, stop)
            found, documents = self._documents_of(query.words, candidates, _COUNTED, stop)
            wordless = request.mode is Mode.SEMANTIC or (request.mode is not Mode.KEYWORD and not found)
            shown = request.listed and request.mode is not Mode.SEMANTIC and not request.filters
            if wordless and query.words is not None and not binds(query.words) and not shown:
                ranking = self._ranker(self._team)
                ranked = ranking.rank(query, request.mode.first, POOL, candidates, stop)
                found = frozenset(self._team.chunks.contents_of(each.chunk for each in ranked.found).values())
                documents = len(found)
            found = found.union(request.listed)
            documents = max(documents, len(found))
            return self._counted(candidates, found, documents, request.filters, stop)

    def _counted(
        self,
        candidates: TeamCandidates,
        found: frozenset[ContentId],
        documents: int,
        filters: Sequence[Filter],
        stop: Stop,
    ) -> Facets:
        """Count the documents `found`, the best of `documents`."""
        self._team.shared.fetch_documents(found)
        counted = count_facets(self._team, Among(candidates, found), found, filters, stop, keep=True)
        return replace(counted, documents=documents, about=True) if documents > len(found) else counted

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count the matching documents of each clause of a query, above 40,000 about; raises `QueryError`."""
        query = parse(request.query, default_and=request.default_and)
        catalog = self._catalog()

        def count(words: Node | None, condition: Node | None) -> int:
            candidates = self._candidates(catalog, request.scope, condition, stop)
            return self._documents_of(words, candidates, 0, stop)[1]

        with interruptible(catalog, stop):
            return clause_counts(query, request, count, _EXACTLY)

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """Return documents with all words in their names and titles, else with any; raises `QueryError`."""
        catalog = self._catalog()
        with interruptible(catalog, stop):
            filters = filter_condition(query.filters, date.today())
            candidates = self._candidates(catalog, query.scope, filters, stop)
            words = list(dict.fromkeys(stem(term.text) for term in terms(query.words)))
            wanted: Json = {"bool": {"filter": candidates.conditions}}
            if words:
                wanted["bool"] |= {  # type: ignore[operator]
                    "should": [{"constant_score": {"filter": {"term": {"words": word}}}} for word in words],
                    "minimum_should_match": 1,
                }
            order: list[Json] = [{"sort_name": {"order": "asc"}}]
            if query.order is Order.NEWEST:
                order = [{"date": {"order": "desc", "mode": "max"}}, *order]
            elif query.order is Order.FIT and words:
                order = [{"_score": {"order": "desc"}}, *order]
            body: Json = {"query": wanted, "from": query.skip, "size": query.limit, "sort": order, "_source": False}
            answer = catalog.shared.search(DOCUMENTS, body | {"track_total_hits": True, "track_scores": True})
            page = {ContentId(as_int(hit["_id"])): hit for hit in hits(answer)}
            catalog.shared.fetch_documents(page)
            cards = document_cards(catalog, tuple(page))
            facets = Facets(0)
            if query.with_facets:
                whole = hits(catalog.shared.search(DOCUMENTS, body | {"from": 0, "size": _COUNTED}))
                contents = frozenset(ContentId(as_int(hit["_id"])) for hit in whole)
                facets = self._counted(candidates, contents, total(answer), query.filters, stop)
        fits = tuple(round(_score_of(page[card.content]) / max(1, len(words)), 3) for card in cards)
        return DocumentList(total(answer), self._mounts.cards(cards), facets, fits)

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        """Return the number of files, documents and passages in `scope`; look at the state of the server, too."""
        catalog = self._catalog()
        with interruptible(catalog, stop):
            self._require_format(stop)
            conditions = conditions_of(self._mounts.scope(scope), None)
            sums: Json = {"files": {"sum": {"field": "files"}}, "chunks": {"sum": {"field": "chunks"}}}
            body: Json = {"query": {"bool": {"filter": conditions}}, "size": 0, "aggs": sums, "track_total_hits": True}
            incomplete = self._connection.incomplete
            answer = catalog.shared.search(DOCUMENTS, body)
            files, chunks = _sum(answer, "files"), _sum(answer, "chunks")
            self._health.troubles(stop, incomplete=True if self._connection.incomplete > incomplete else None)
            return LibraryFacts(files, total(answer), chunks, self._share_encoded(conditions))

    def list_files(self, query: FileQuery, first: int, count: int, stop: Stop) -> FileWindow:
        """Return no rows: the list of all files is kept where they are."""
        del query, count, stop
        return FileWindow(0, first, ())

    def file_paths(self, query: FileQuery, limit: int, stop: Stop) -> tuple[tuple[FolderId, bytes], ...]:
        """Return nothing, see `list_files`."""
        del query, limit, stop
        return ()

    def folder_contents(self, folder: FolderId, inside: bytes, most: int, stop: Stop) -> FolderContents:
        """Return nothing, see `list_files`."""
        del folder, inside, most, stop
        return FolderContents()

    def overview(self, folder: FolderId | None, stop: Stop) -> LibraryOverview:
        """Return empty statistics, see `list_files`."""
        del folder, stop
        return LibraryOverview()

    def attachments(self, paths: tuple[bytes, ...], stop: Stop) -> tuple[Attachment, ...]:
        """Return that nothing is attached: conversations attach files to libraries on this computer."""
        del stop
        return tuple(Attachment(path, unread=1, reason="A team library takes no attachments.") for path in paths)

    def file_copy(self, sha256: str, stop: Stop) -> Path | None:
        """Return a copy of the file of a document that this user may read now."""
        catalog = self._catalog()
        if self._copies is None:
            return None
        with interruptible(catalog, stop):
            content = catalog.contents.by_hash(bytes.fromhex(sha256))
            record = catalog.shared.fetch_documents((content,)).get(content) if content is not None else None
            if record is None:
                return None
            place = place_in_store(catalog.shared.spaces_of[record.content.id], record.content.id >> SOURCE_BITS)
        ending = Path(os.fsdecode(record.places[0].path)).suffix
        return self._copies.fetch(place, sha256, ending if ending[1:].isalnum() else "", stop)

    def _catalog(self) -> TeamCatalog:
        self._team.shared.start()
        return self._team

    def _require_format(self, stop: Stop) -> None:
        """Raise `TeamError` if the server has another format by now; asked now and then."""
        self._team.shared.seldom("format", lambda: require_known_format(self._connection, stop))

    def _path_status(self, catalog: CatalogReader, path: Path) -> Explanation:
        raw = os.fsencode(self._mounts.there(path))
        content = catalog.files.content_at(raw)
        decision = RuleDecision(FolderRule.INCLUDED, included=True)
        if content is None or content not in self._team.shared.fetch_documents((content,)):
            if (named := self._team.named.at(raw)) is not None:
                said = f"It has no text, and is found by its name only. {named.reason}".strip()
                return Explanation(PathStatus(raw, None, decision, FileState.FAILED, said))
            return Explanation(PathStatus(raw, None, None, None, OUTSIDE))
        share = self._share_encoded([of_contents((content,))])
        state = FileState.READY if share >= 1.0 else FileState.SEARCHABLE
        return Explanation(PathStatus(raw, None, decision, state, STATES[state]), content, share)

    def _ranker(self, catalog: CatalogReader, request: SearchRequest | None = None) -> Ranker:
        return _TeamRanker(self._team, self._vectors, request)

    def _candidates(self, catalog: CatalogReader, scope: Scope, condition: Node | None, stop: Stop) -> TeamCandidates:
        del catalog
        self._require_format(stop)
        return TeamCandidates(self._team, self._mounts.scope(scope), condition, stop)

    def _keywords_of(self, candidates: Candidates) -> TeamKeywords:
        return TeamKeywords(self._team.shared, _conditions(candidates))

    def _textless(self, catalog: CatalogReader, candidates: Candidates) -> TextlessFiles:
        del catalog
        return self._team.named.under(_conditions(candidates))

    def _hits(
        self, catalog: CatalogReader, request: SearchRequest, query: Query, stop: Stop
    ) -> tuple[tuple[Hit, ...], RankedChunks, Candidates]:
        """Return the hits; what needs no earlier answer is asked for in few requests."""
        words = [leaf.text for leaf in wanted(query.words) if isinstance(leaf, Word)]
        self._team.names.expect(stem(term.text) for word in words for term in terms(word, query=True))
        return super()._hits(catalog, request, query, stop)

    def _coverage_of(self, catalog: CatalogReader, candidates: Candidates) -> float:
        del catalog
        return self._share_encoded(_conditions(candidates))

    def _share_encoded(self, conditions: list[Json]) -> float:
        """Return the share of sentences with a vector; of the whole library it is asked for only now and then."""
        sums: Json = {name: {"sum": {"field": name}} for name in ("sentence_count", "vector_count")}
        body: Json = {"query": {"bool": {"filter": conditions}}, "size": 0, "aggs": sums}

        def counted() -> float:
            answer = self._team.shared.search(PASSAGES, body)
            sentences, vectors = _sum(answer, "sentence_count"), _sum(answer, "vector_count")
            return vectors / sentences if sentences else 1.0

        share = counted() if conditions else self._team.shared.seldom("encoded", counted)
        return share if isinstance(share, float) else 1.0

    def _documents_of(
        self, words: Node | None, candidates: TeamCandidates, limit: int, stop: Stop
    ) -> tuple[frozenset[ContentId], int]:
        """Return the best `limit` documents with passages that match, and about how many there are."""
        keywords = self._keywords_of(candidates)
        expansion = TermExpansion(self._team, keywords, candidates.holders, words, stop)
        query = keyword_query(words, expansion) if words is not None else None
        if words is not None and query is None:
            return frozenset(), 0
        body = keywords.restricted(request_of(query) if query is not None else {"match_all": {}})
        counts: Json = {"documents": {"cardinality": {"field": "content", "precision_threshold": _EXACTLY}}}
        if limit:
            counts["best"] = {"terms": {"field": "content", "size": limit}}
        answer = self._team.shared.search(PASSAGES, body | {"size": 0, "aggs": counts})
        contents = frozenset(ContentId(as_int(bucket.get("key"))) for bucket in buckets(answer, "best"))
        return contents, as_int(aggregated(answer, "documents").get("value"))


class _TeamRanker(Ranker):
    """Ranks the candidates of each search under their conditions.

    What the best passages show is fetched with them: the texts, and their nearest sentences.
    """

    def __init__(self, catalog: TeamCatalog, retriever: VectorRetriever, request: SearchRequest | None) -> None:
        super().__init__(catalog, lambda: TeamKeywords(catalog.shared), retriever, request)
        self._shared = catalog.shared
        self._request = request

    def rank(self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop) -> RankedChunks:
        """See the base class; what needs no earlier answer is asked for in one request."""
        ahead = None
        has_words = any(isinstance(leaf, Word) for leaf in wanted(query.words))
        if mode.by_meaning and mode is not Mode.SEMANTIC and not binds(query.words) and has_words:
            with suppress(EncoderError):  # said when the search comes to it
                ahead = self._encoded(query, stop).direction
        stored, ranker = self._under(candidates, ahead)
        ranked = ranker.rank(query, mode, limit, candidates, stop)
        return replace(ranked, found=stored.with_sentences(ranked.found, mode))

    def similar(
        self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop
    ) -> Sequence[RankedChunk]:
        """See the base class."""
        stored, ranker = self._under(candidates)
        return stored.with_sentences(ranker.similar(query, mode, limit, candidates, stop), mode)

    def _under(self, candidates: Candidates, ahead: Floats | None = None) -> tuple[TeamVectors, Ranker]:
        """Return the vectors, and a ranker by them, under the conditions of candidates."""
        keywords = TeamKeywords(self._shared, _conditions(candidates), ahead)
        shown, located = 0, 0
        if self._request is not None:
            shown = self._request.limit + _SPARE
            located = _RERANKED if self._request.mode in (Mode.RERANKED, Mode.BEST) else 0
        stored = TeamVectors(self._shared, keywords, shown, located)
        return stored, Ranker(self._catalog, lambda: keywords, self._vectors, self._request, stored)


def _conditions(candidates: Candidates) -> list[Json]:
    return candidates.conditions if isinstance(candidates, TeamCandidates) else []


def _sum(answer: Json, name: str) -> int:
    return as_int(aggregated(answer, name).get("value"))


def _score_of(hit: Json) -> float:
    score = hit.get("_score")
    return float(score) if isinstance(score, int | float) else 0.0
