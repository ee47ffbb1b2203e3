"""Writes the files without text of a source; they are in no change log, so all are compared with the server's."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import TextlessFile
from desktop_rag.index.records import Content, ContentId
from desktop_rag.llm.json_value import as_list, as_object
from desktop_rag.retrieval.ranking.textless import UNREAD
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import NAMED_PACKING, NamedRecord, digest, name_id, shared_name
from desktop_rag.team.format.file_facts import facts_of
from desktop_rag.team.format.team_indexes import FILES
from desktop_rag.team.server.json_answers import Json, hits
from desktop_rag.team.server.team_connection import BulkAction, TeamConnection
from desktop_rag.team.writer.source_files import SourceFiles, TeamSource

_PAGE = 2_000
_AT_ONCE = 500  # files that are read together

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
            self._written |= {id_: str(as_object(entry.source)["digest"]) for id_, entry in fresh.items()}
        gone = self._written.keys() - present
        remove((BulkAction(FILES, id_, None) for id_ in sorted(gone)), stop)
        for id_ in gone:
            del self._written[id_]

    def _entry(self, record: NamedRecord, present: set[str]) -> tuple[str, BulkAction] | None:
        """Return the entry of a file with its id, None if the server has it; note that it is `present`."""
        id_, known = name_id(self._number, record), shared_name(self._number, record)
        present.add(id_)
        packed = NAMED_PACKING.pack(known)
        if self._written.get(id_) == (said := digest(packed, self._space)):
            return None
        body: Json = {
            **facts_of(record.content or UNREAD, (known.place,), ()),
            "key": id_,
            "source": self._number,
            "space": self._space,
            "digest": said,
            "names": sorted(record.words),
            "picture": record.is_picture,
            "card": packed,
        }
        if known.content is not None:
            body["content"] = known.content.id
        return id_, BulkAction(FILES, id_, body)


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
            yield str(hit["_id"]), str(as_object(hit.get("_source")).get("digest"))
        if len(found) < _PAGE:
            return
        after = as_list(found[-1].get("sort"))


def _record(file: TextlessFile, contents: dict[ContentId, Content], *, is_picture: bool) -> NamedRecord:
    content = contents.get(file.content) if file.content is not None else None
    return NamedRecord(file.place, content, file.reason, is_picture)
