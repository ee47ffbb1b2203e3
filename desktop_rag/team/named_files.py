"""Files without text in a team's library: one entry for each, with its name and facts; found by its name alone.

They have no passages and are in no change log: a writer compares all of them with what the server has.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_names import FileNames, TextlessFile, TextlessFiles, words_of
from desktop_rag.index.records import Content, ContentId, FilePlace, FolderId
from desktop_rag.retrieval.retrievers.textless import UNREAD
from desktop_rag.stop import Stop
from desktop_rag.team.document_cards import Packing, digest, shared_id
from desktop_rag.team.file_facts import facts_of
from desktop_rag.team.source_files import SourceFiles, TeamSource
from desktop_rag.team.team_connection import BulkAction, Json, TeamConnection, as_dict, as_list
from desktop_rag.team.team_indexes import FILES
from desktop_rag.team.team_records import Shared, hits, total

_PAGE = 2_000
_AT_ONCE = 500  # files that are read together
_MOST = 200  # files of a search, those with the most of its words first
_MOST_TERMS = 500  # of one search
_VOCABULARY = 10_000  # words of names that patterns and misspelled words are compared with, the most frequent ones


@dataclass(frozen=True, slots=True)
class NamedRecord:
    """A file without text, or a picture of text; `content` is None if it was not read."""

    place: FilePlace
    content: Content | None
    reason: str
    is_picture: bool


PACKING = Packing(NamedRecord)

Write = Callable[[Iterable[BulkAction], Stop], None]


class NamedFilesSync:
    """Keeps the entries of one source; `start` first."""

    def __init__(self, catalog: CatalogReader, source: TeamSource, connection: TeamConnection) -> None:
        self._catalog = catalog
        self._files = SourceFiles(catalog, source)
        self._space = source.space
        self._connection = connection
        self._number = 0
        self._written: dict[str, str] = {}  # the digests of the entries on the server

    def start(self, number: int, stop: Stop) -> None:
        """Learn what the server has of the source with this number."""
        self._number = number
        self._written = dict(digests_of(self._connection, FILES, number, "key", stop))

    def follow(self, write: Write, remove: Write, stop: Stop) -> None:
        """Write the entries that are not as on the server, and remove those of files that are gone or have text."""
        present: set[str] = set()
        files = self._files.textless()
        while some := list(islice(files, _AT_ONCE)):
            stop.check()
            contents = self._catalog.contents.by_id({file.content for file, _ in some if file.content is not None})
            records = [_record(file, contents, is_picture=picture) for file, picture in some]
            fresh = dict(action for record in records if (action := self._entry(record, present)) is not None)
            write(fresh.values(), stop)
            self._written |= {id_: str(as_dict(entry.source)["digest"]) for id_, entry in fresh.items()}
        gone = self._written.keys() - present
        remove((BulkAction(FILES, id_, None) for id_ in sorted(gone)), stop)
        for id_ in gone:
            del self._written[id_]

    def _entry(self, record: NamedRecord, present: set[str]) -> tuple[str, BulkAction] | None:
        """Return the entry of a file with its id, None if the server has it; note that it is `present`."""
        place, content = record.place, record.content
        id_ = f"{self._number}-{hashlib.blake2b(place.path, digest_size=12).hexdigest()}"
        present.add(id_)
        folder = FolderId(shared_id(self._number, place.folder))
        shared = None if content is None else replace(content, id=ContentId(shared_id(self._number, content.id)))
        known = replace(record, place=replace(place, folder=folder), content=shared)
        packed = PACKING.pack(known)
        if self._written.get(id_) == (said := digest(packed, self._space)):
            return None
        body: Json = {
            **facts_of(content or UNREAD, (known.place,), ()),
            "key": id_,
            "source": self._number,
            "space": self._space,
            "digest": said,
            "names": sorted(_words(place)),
            "picture": record.is_picture,
            "card": packed,
        }
        if shared is not None:
            body["content"] = shared.id
        return id_, BulkAction(FILES, id_, body)


class TeamNamedFiles(TextlessFiles):
    """Finds them, under the `conditions` of one request; each is looked up in real time before it is shown."""

    def __init__(self, database: Database, names: FileNames, shared: Shared) -> None:
        super().__init__(database, names)
        self._shared = shared
        self.conditions: list[Json] = []

    def all(self) -> tuple[TextlessFile, ...]:
        """Return the newest of them, without pictures of text."""
        return self._found({"bool": {"must_not": [{"term": {"picture": True}}]}})

    def with_words(self, words: Iterable[str], tests: Sequence[Callable[[str], bool]] = ()) -> tuple[TextlessFile, ...]:
        """See the base class; the best `_MOST` of them."""
        wanted = set(words)
        if tests and self._any():
            wanted.update(word for word in self._vocabulary() if any(test(word) for test in tests))
        some = sorted(wanted)[:_MOST_TERMS]
        each: list[Json] = [{"constant_score": {"filter": {"term": {"names": word}}}} for word in some]
        return self._found({"bool": {"should": each, "minimum_should_match": 1}}) if each else ()

    def _any(self) -> bool:
        few: Json = {"size": 0, "track_total_hits": 1}
        known = self._shared.seldom("textless", lambda: total(self._shared.search(FILES, few)))
        return bool(known)

    def _vocabulary(self) -> list[str]:
        body: Json = {"size": 0, "aggs": {"words": {"terms": {"field": "names", "size": _VOCABULARY}}}}
        answer = as_dict(self._shared.seldom("textless words", lambda: self._shared.search(FILES, body)))
        buckets = as_list(as_dict(as_dict(answer.get("aggregations")).get("words")).get("buckets"))
        return [str(as_dict(bucket).get("key")) for bucket in buckets]

    def _found(self, query: Json) -> tuple[TextlessFile, ...]:
        if not self._any():
            return ()
        wanted: Json = {"bool": {"must": [query], "filter": self.conditions}}
        order: list[Json] = [{"_score": {"order": "desc"}}, {"modified": {"order": "desc"}}]
        body: Json = {"query": wanted, "size": _MOST, "sort": order, "_source": False, "track_total_hits": False}
        ids = [str(hit["_id"]) for hit in hits(self._shared.search(FILES, body))]
        cards = self._shared.connection.mget(FILES, ids, ("card", "space"))
        spaces = self._shared.spaces
        records = [
            PACKING.unpack(card.get("card")) for card in cards.values() if not spaces or card.get("space") in spaces
        ]
        return tuple(self._file(record) for record in records if isinstance(record, NamedRecord))

    def _file(self, record: NamedRecord) -> TextlessFile:
        content = record.content
        if content is not None:
            self._shared.textless[content.id] = content
        return TextlessFile(
            record.place, content.id if content is not None else None, record.reason, _words(record.place)
        )


def digests_of(connection: TeamConnection, kind: str, source: int, order: str, stop: Stop) -> Iterator[tuple[str, str]]:
    """Yield the ids and digests of all entries of a source in an index, by a field that each has another value of."""
    after: list[object] = []
    while True:
        body: Json = {
            "size": _PAGE,
            "query": {"term": {"source": source}},
            "_source": ["digest"],
            "sort": [{order: "asc"}],
            **({"search_after": after} if after else {}),
        }
        found = hits(connection.ask("POST", f"/{connection.index(kind)}/_search", body, stop))
        for hit in found:
            yield str(hit["_id"]), str(as_dict(hit.get("_source")).get("digest"))
        if len(found) < _PAGE:
            return
        after = as_list(found[-1].get("sort"))


def _record(file: TextlessFile, contents: dict[ContentId, Content], *, is_picture: bool) -> NamedRecord:
    content = contents.get(file.content) if file.content is not None else None
    return NamedRecord(file.place, content, file.reason, is_picture)


def _words(place: FilePlace) -> frozenset[str]:
    return words_of(place.path.replace(b"\\", b"/").rpartition(b"/")[2])
