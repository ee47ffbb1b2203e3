"""The catalog of a team library as the retrieval package reads it: records fetched from the server when asked for.

Documents are fetched in every search, in real time, so that nothing that was removed is shown; passages and lines
never change under their ids and are cached. What has no counterpart on the server answers as in an empty library.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from typing import TypeVar

from desktop_rag.documents.document import MailHeader, Page, Section, Span, Structure
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.catalog_schema import prepare
from desktop_rag.index.catalog.chunk_table import CatalogPassage, ChunkTable, RecentChunks
from desktop_rag.index.catalog.content_table import ContentLanguages, ContentTable, ContentTexts
from desktop_rag.index.catalog.database import IN_MEMORY, Database
from desktop_rag.index.catalog.file_names import FileNames, NameTest, TextlessFile, TextlessFiles, words_of
from desktop_rag.index.catalog.file_table import FileTable
from desktop_rag.index.catalog.folder_table import FolderTable
from desktop_rag.index.catalog.link_tables import LinkTables
from desktop_rag.index.catalog.mail_table import MailTable
from desktop_rag.index.links.neighbours import COMMONEST
from desktop_rag.index.records import (
    Chunk,
    ChunkId,
    Content,
    ContentId,
    DocumentLayout,
    FilePlace,
    Folder,
    FolderId,
    FolderRules,
    FolderState,
)
from desktop_rag.llm.json_value import as_list, as_object
from desktop_rag.team.format.document_cards import LAYOUT_PACKING, NAMED_PACKING, PIECE_PACKING, NamedRecord, TextPiece
from desktop_rag.team.format.team_indexes import DOCUMENTS, FILES, PASSAGES, RESULT_WINDOW
from desktop_rag.team.reader.team_records import Shared
from desktop_rag.team.server.json_answers import Json, as_int, buckets, hits, total
from desktop_rag.team.server.team_connection import TeamConnection


class _OnServer:
    """A table of the catalog whose records the server has."""

    def __init__(self, database: Database, shared: Shared) -> None:
        super().__init__(database)  # type: ignore[call-arg]  # of the table
        self._shared = shared


# The links of a team library: names in passages and names of documents share their keys, see `links.mentions`.

_MOST_DOCUMENTS = 2_000  # that carry any of the names

Id = TypeVar("Id")


class TeamLinks(_OnServer, LinkTables):
    """Reads the links from the server."""

    def exist(self) -> bool:
        """See the base class."""
        return True

    def keys_in(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, set[int]]:
        """See the base class."""
        found = self._shared.connection.mget_stored(PASSAGES, list(map(str, chunks)), "keys")
        return {chunk: set(map(as_int, found.get(str(chunk), ()))) for chunk in chunks}

    def documents_named(self, keys: Sequence[int]) -> dict[int, list[ContentId]]:
        """See the base class; of names that very many documents have, some are enough."""
        return self._holders(DOCUMENTS, "called", keys, _MOST_DOCUMENTS, ContentId)

    def chunk_counts(self, keys: Sequence[int], most: int) -> dict[int, int]:
        """See the base class."""
        found = {key: min(most, as_int(bucket.get("doc_count"))) for key, bucket in self._buckets(keys).items()}
        return {key: found.get(key, 0) for key in keys}

    def chunks_with(self, keys: Iterable[int]) -> dict[int, list[ChunkId]]:
        """See the base class; of names that more than `COMMONEST` chunks share, some are enough."""
        of: Json = {"aggs": {"of": {"terms": {"field": "chunk", "size": COMMONEST}}}}
        return {
            key: [ChunkId(as_int(each.get("key"))) for each in buckets(bucket, "of")]
            for key, bucket in self._buckets(list(keys), of).items()
        }

    def chunks_naming(self, content: ContentId, limit: int) -> list[ChunkId]:
        """See the base class."""
        found = self._shared.connection.mget(DOCUMENTS, [str(content)], ("called",))
        names = [as_int(key) for source in found.values() for key in as_list(source.get("called"))]
        holders = self._holders(PASSAGES, "keys", names, limit, ChunkId)
        return list(dict.fromkeys(chunk for chunks in holders.values() for chunk in chunks))[:limit]

    def _buckets(self, keys: Sequence[int], inside: Json | None = None) -> dict[int, Json]:
        """Return what the passages with each of these keys aggregate to."""
        if not keys:
            return {}
        names = list(map(str, keys))
        wanted: Json = {"field": "keys", "include": names, "size": len(names)}
        aggregation: Json = {"keys": {"terms": wanted, **(inside or {})}}
        answer = self._shared.search(PASSAGES, {"query": {"terms": {"keys": names}}, "size": 0, "aggs": aggregation})
        return {as_int(each.get("key")): each for each in buckets(answer, "keys")}

    def _holders(
        self, kind: str, field: str, keys: Sequence[int], size: int, of: Callable[[int], Id]
    ) -> dict[int, list[Id]]:
        """Return the entries with each of these keys in a field, of all keys together at most `size`."""
        found: dict[int, list[Id]] = defaultdict(list)
        if keys:
            id_ = "chunk" if kind == PASSAGES else "content"
            body: Json = {"query": {"terms": {field: list(map(str, keys))}}, "size": size, "track_total_hits": False}
            answer = self._shared.search(kind, body | {"stored_fields": "_none_", "docvalue_fields": [field, id_]})
            asked = set(keys)
            for fields in (as_object(hit["fields"]) for hit in hits(answer)):
                for key in asked.intersection(map(as_int, as_list(fields[field]))):
                    found[key].append(of(as_int(as_list(fields[id_])[0])))
        return found


_MOST_NAMED = 2_000  # documents with a word in their names; a word of more is no answer to a search
_MOST_LANGUAGES = 1_000  # with and without their regions
LINEAGE = "team"
_MOST = 200  # files of a search, those with the most of its words first
_MOST_TERMS = 500  # of one search
_VOCABULARY = 10_000  # words of names that patterns and misspelled words are compared with, the most frequent ones


class TeamNamedFiles(TextlessFiles):
    """Finds them under conditions; each is looked up in real time before it is shown."""

    def __init__(self, database: Database, names: FileNames, shared: Shared) -> None:
        super().__init__(database, names)
        self._shared = shared
        self._conditions: Sequence[Json] = ()

    def under(self, conditions: Sequence[Json]) -> "TeamNamedFiles":
        """Return those that fulfil the conditions of one request."""
        found = copy(self)
        found._conditions = conditions
        return found

    def all(self) -> tuple[TextlessFile, ...]:
        """Return the newest of them, without pictures of text."""
        return self._found({"bool": {"must_not": [{"term": {"picture": True}}]}})

    def with_words(self, words: Iterable[str], tests: Sequence[NameTest] = ()) -> tuple[TextlessFile, ...]:
        """See the base class; the best `_MOST` of them."""
        wanted = set(words)
        if tests and self._any():
            wanted.update(word for word in self._vocabulary() if any(test.passes(word) for test in tests))
        some = sorted(wanted)[:_MOST_TERMS]
        each: list[Json] = [{"constant_score": {"filter": {"term": {"names": word}}}} for word in some]
        return self._found({"bool": {"should": each, "minimum_should_match": 1}}) if each else ()

    def at(self, path: bytes) -> TextlessFile | None:
        """Return the one at an absolute path of the server, if this user may see it."""
        found = self.with_words(words_of(os.path.basename(path)))  # noqa: PTH119 (bytes)
        return next((file for file in found if file.place.path == path), None)

    def _any(self) -> bool:
        few: Json = {"size": 0, "track_total_hits": 1}
        known = self._shared.seldom("textless", lambda: total(self._shared.search(FILES, few)))
        return bool(known)

    def _vocabulary(self) -> list[str]:
        body: Json = {"size": 0, "aggs": {"words": {"terms": {"field": "names", "size": _VOCABULARY}}}}
        answer = as_object(self._shared.seldom("textless words", lambda: self._shared.search(FILES, body)))
        return [str(bucket.get("key")) for bucket in buckets(answer, "words")]

    def _found(self, query: Json) -> tuple[TextlessFile, ...]:
        if not self._any():
            return ()
        wanted: Json = {"bool": {"must": [query], "filter": [*self._conditions]}}
        order: list[Json] = [{"_score": {"order": "desc"}}, {"modified": {"order": "desc"}}]
        body: Json = {"query": wanted, "size": _MOST, "sort": order, "_source": False, "track_total_hits": False}
        ids = [str(hit["_id"]) for hit in hits(self._shared.search(FILES, body))]
        cards = self._shared.connection.mget(FILES, ids, ("card", "space"))
        spaces = self._shared.spaces
        visible = (card for card in cards.values() if not spaces or card.get("space") in spaces)
        return tuple(self._file(NAMED_PACKING.unpack(card.get("card"))) for card in visible)

    def _file(self, record: NamedRecord) -> TextlessFile:
        content = record.content
        if content is not None:
            self._shared.textless[content.id] = content
        return TextlessFile(record.place, content.id if content is not None else None, record.reason, record.words)


class TeamContents(_OnServer, ContentTable):
    """Metadata of documents."""

    def by_id(self, ids: Iterable[ContentId]) -> dict[ContentId, Content]:
        """See the base class."""
        wanted = list(ids)
        known = {id_: self._shared.textless[id_] for id_ in wanted if id_ in self._shared.textless}
        found = self._shared.fetch_documents(id_ for id_ in wanted if id_ not in known)
        return known | {id_: record.content for id_, record in found.items()}

    def languages_of(self, ids: Iterable[ContentId]) -> dict[ContentId, str]:
        """See the base class."""
        wanted = list(ids)
        known = {id_: self._shared.languages[id_] for id_ in wanted if id_ in self._shared.languages}
        return known | super().languages_of(id_ for id_ in wanted if id_ not in known)

    def by_hash(self, sha256: bytes) -> ContentId | None:
        """See the base class."""
        found = hits(self._shared.search(DOCUMENTS, {"query": {"term": {"sha256": sha256.hex()}}, "size": 1}))
        return ContentId(as_int(found[0]["_id"])) if found else None

    def pages(self, ids: Iterable[ContentId]) -> dict[ContentId, tuple[Page, ...]]:
        """See the base class."""
        return {id_: record.pages for id_, record in self._shared.fetch_documents(ids).items() if record.pages}

    def sections(self, content: ContentId) -> tuple[Section, ...]:
        """See the base class."""
        found = self._shared.fetch_documents((content,)).get(content)
        return found.sections if found is not None else ()

    def with_sections(self, ids: Iterable[ContentId]) -> frozenset[ContentId]:
        """See the base class."""
        return frozenset(id_ for id_, record in self._shared.fetch_documents(ids).items() if record.sections)

    def section_at(self, content: ContentId, line: int) -> str:
        """See the base class."""
        return next((each.label for each in reversed(self.sections(content)) if each.first_line <= line), "")

    def kinds(self, content: ContentId, span: Span) -> bytes:
        """See the base class."""
        found = self._shared.fetch_documents((content,)).get(content)
        return found.kinds[span.first_line - 1 : span.last_line] if found is not None else b""

    def layout(self, content: ContentId) -> DocumentLayout:
        """See the base class."""
        readable = self._shared.fetch_documents((content,))
        found = self._shared.fetch_stored([f"{each}-layout" for each in readable], LAYOUT_PACKING)
        return found[0] if found else DocumentLayout(b"", (), b"")

    def structure(self, content: ContentId) -> Structure:
        """See the base class."""
        return self.layout(content).structure


class TeamTexts(_OnServer, ContentTexts):
    """The texts of documents, by their pieces."""

    def whole(self, content: ContentId) -> str:
        """See the base class."""
        return "".join(piece.body for piece in self._pieces(content, 1, 1 << 60))

    def lines_with_offset(self, content: ContentId, first: int, count: int) -> tuple[int, list[str]]:
        """See the base class."""
        found = self._pieces(content, first, first + count)
        record = self._shared.fetch_documents((content,)).get(content)
        if not found or record is None:
            return 0, []
        skipped = first - found[0].first_line
        lines = "".join(piece.body for piece in found).split("\n")
        start = found[0].start + sum(len(line) + 1 for line in lines[:skipped])
        return start, lines[skipped : skipped + count][: max(0, record.content.line_count - first + 1)]

    def _pieces(self, content: ContentId, first: int, end: int) -> list[TextPiece]:
        record = self._shared.fetch_documents((content,)).get(content)
        starts = record.pieces if record is not None else ()
        before = [line for line in starts if line <= first][-1:]
        wanted = [*before, *(line for line in starts if first < line < end)]
        return self._shared.fetch_stored([f"{content}-{line}" for line in wanted], PIECE_PACKING)


class TeamChunks(_OnServer, ChunkTable):
    """The passages."""

    def by_id(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """See the base class."""
        return self._shared.fetch_chunks(ids)

    def passages(self, ids: Iterable[ChunkId]) -> Iterator[CatalogPassage]:
        """See the base class."""
        for chunk in self._shared.fetch_chunks(ids).values():
            yield CatalogPassage(chunk.id, chunk.content, chunk.heading, chunk.text)

    def contents_of(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, ContentId]:
        """See the base class."""
        return self._shared.owners_of(chunks)

    def of_content(self, content: ContentId) -> tuple[Chunk, ...]:
        """See the base class."""
        return tuple(self._shared.fetch_chunks(self.ids_of_content(content)).values())

    def ids_of_content(self, content: ContentId) -> tuple[ChunkId, ...]:
        """See the base class."""
        found = self._shared.fetch_documents((content,)).get(content)
        return tuple(chunk for chunk, _, _ in found.chunks) if found is not None else ()

    def at_line(self, content: ContentId, line: int) -> ChunkId | None:
        """See the base class."""
        found = self._shared.fetch_documents((content,)).get(content)
        chunks = found.chunks if found is not None else ()
        return next((chunk for chunk, _, last in chunks if last >= line), None)


class TeamFiles(_OnServer, FileTable):
    """The files of documents, as paths on the team's server."""

    def places(
        self, ids: Iterable[ContentId], attached: Sequence[FolderId] = ()
    ) -> dict[ContentId, tuple[FilePlace, ...]]:
        """See the base class."""
        del attached
        return {id_: record.places for id_, record in self._shared.fetch_documents(ids).items()}

    def every_place(self, ids: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """See the base class."""
        return self.places(ids)

    def offline_among(self, ids: Iterable[ContentId]) -> frozenset[ContentId]:
        """See the base class."""
        found = self._shared.fetch_documents(ids)
        return frozenset(id_ for id_, record in found.items() if all(root.offline for root in record.roots))

    def content_at(self, path: bytes) -> ContentId | None:
        """See the base class."""
        found = hits(self._shared.search(DOCUMENTS, {"query": {"term": {"paths": path.hex()}}, "size": 1}))
        return ContentId(as_int(found[0]["_id"])) if found else None

    def count_contents_up_to(self, most: int) -> int:
        """See the base class."""
        answer = self._shared.seldom(
            ("files", most), lambda: self._shared.search(DOCUMENTS, {"size": 0, "track_total_hits": most})
        )
        return min(most, total(as_object(answer)))


class TeamFolders(_OnServer, FolderTable):
    """The root folders of the documents fetched in this request."""

    def all(self) -> tuple[Folder, ...]:
        """See the base class."""
        known = (record for record in self._shared.documents.values() if record is not None)
        roots = {root.id: root for record in known for root in record.roots}
        return tuple(
            Folder(root.id, root.path, root.is_file, FolderState.ACTIVE, FolderRules()) for root in roots.values()
        )


class TeamFileNames(_OnServer, FileNames):
    """Finds documents by the words of their files' names."""

    def expect(self, words: Iterable[str]) -> None:
        """Ask for the documents with each of these words, unless that is known: in one search, if they are few."""
        missing = self._shared.unknown(dict.fromkeys(frozenset((word,)) for word in words if word))
        keys = [key for key in missing if isinstance(key, frozenset)]
        if not keys:
            return
        fields: Json = {"stored_fields": "_none_", "docvalue_fields": ["content", "names"], "track_total_hits": False}
        found = hits(self._shared.search(DOCUMENTS, _named(frozenset().union(*keys)) | fields))
        if len(found) >= _MOST_NAMED:
            bodies = [self._shared.restricted(_named(key)) for key in keys]
            answers = self._shared.connection.msearch(DOCUMENTS, bodies)
            self._shared.note_seldom(dict(zip(keys, map(_few, answers), strict=True)))
        else:
            names = [(as_list(fields["content"])[0], as_list(fields["names"])) for fields in _fields(found)]
            self._shared.note_seldom(
                {
                    key: frozenset(ContentId(as_int(of)) for of, each in names if not key.isdisjoint(each))
                    for key in keys
                }
            )

    def holding(self, words: Iterable[str]) -> frozenset[ContentId]:
        """See the base class."""
        wanted = frozenset(filter(None, words))
        if not wanted:
            return frozenset()
        found = self._shared.seldom(wanted, lambda: _few(self._shared.search(DOCUMENTS, _named(wanted))))
        return found if isinstance(found, frozenset) else frozenset()

    def matching(self, pattern: re.Pattern[str], prefix: str = "") -> frozenset[ContentId]:
        """See the base class."""
        body: Json = {"query": {"prefix": {"names": prefix}}, "size": RESULT_WINDOW, "_source": ["names"]}
        return frozenset(
            ContentId(as_int(hit["_id"]))
            for hit in hits(self._shared.search(DOCUMENTS, body))
            if any(pattern.fullmatch(str(name)) for name in as_list(as_object(hit["_source"]).get("names")))
        )

    def count(self) -> int:
        """See the base class."""
        answer = self._shared.seldom(
            "names", lambda: self._shared.search(DOCUMENTS, {"size": 0, "track_total_hits": True})
        )
        return total(as_object(answer))


def _named(words: frozenset[str]) -> Json:
    """Return the search for documents with any of these words in their names."""
    return {"query": {"terms": {"names": sorted(words)}}, "size": _MOST_NAMED, "_source": False}


def _fields(found: Iterable[Json]) -> Iterator[Json]:
    return (as_object(hit["fields"]) for hit in found)


def _few(answer: Json) -> frozenset[ContentId]:
    if total(answer) >= _MOST_NAMED:
        return frozenset()
    return frozenset(ContentId(as_int(hit["_id"])) for hit in hits(answer))


class TeamMails(_OnServer, MailTable):
    """The mails in documents."""

    def of(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[MailHeader, ...]]:
        """See the base class."""
        return {id_: record.mails for id_, record in self._shared.fetch_documents(contents).items() if record.mails}

    def any(self) -> bool:
        """See the base class; asked for now and then."""
        body: Json = {"query": {"exists": {"field": "person_from"}}, "size": 0, "terminate_after": 1}
        return total(as_object(self._shared.seldom("mails", lambda: self._shared.search(DOCUMENTS, body)))) > 0


class TeamLanguages(_OnServer, ContentLanguages):
    """The languages of documents."""

    def among(self, languages: Collection[str]) -> dict[str, frozenset[ContentId]]:
        """Return nothing: words match by their English stems, not by the inflected forms of other languages."""
        del languages
        return {}

    def counts(self) -> Counter[str]:
        """See the base class; asked for now and then."""
        wanted: Json = {"languages": {"terms": {"field": "language", "size": _MOST_LANGUAGES}}}
        body: Json = {"size": 0, "track_total_hits": False, "aggs": wanted}
        answer = as_object(self._shared.seldom("languages", lambda: self._shared.search(DOCUMENTS, body)))
        counts = Counter({str(each["key"]): as_int(each["doc_count"]) for each in buckets(answer, "languages")})
        return Counter({code: count for code, count in counts.items() if code and "-" not in code})


class _NoRecentChunks(RecentChunks):
    """Asks for the chunks of each search: they come with its hits."""

    def by_id(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """Return chunks with their text; unknown ids are missing."""
        return self._chunks.by_id(ids)


class TeamCatalog(CatalogReader):
    """A catalog over a team library; see the module."""

    def __init__(self, connection: TeamConnection, spaces: Sequence[str] = ()) -> None:
        database = Database(IN_MEMORY)
        prepare(database)
        super().__init__(database)
        self.shared = shared = Shared(connection, spaces)
        self.folders = TeamFolders(database, shared)
        self.files = TeamFiles(database, shared)
        self.file_names = self.names = TeamFileNames(database, shared)
        self.textless = self.named = TeamNamedFiles(database, self.names, shared)
        self.contents = TeamContents(database, shared)
        self.texts = TeamTexts(database, shared)
        self.chunks = TeamChunks(database, shared)
        self.recent_chunks = _NoRecentChunks(database, self.chunks)
        self.languages = TeamLanguages(database, shared)
        self.mails = TeamMails(database, shared)
        self.links = TeamLinks(database, shared)

    def interrupt(self) -> None:
        """End the request that is waited for, and send no further one before the next `TeamEngine` call."""
        self.shared.connection.interrupt()

    def lineage(self) -> str:
        """Return a fixed id: the indexes of the server belong to this catalog."""
        return LINEAGE
