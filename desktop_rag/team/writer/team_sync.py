"""Copies a library to a team library, following the catalog's change log: the one writer of a source.

A content is written as its lines, its passages, then its document, without which nothing of it is shown; the watermark
follows when the server has acknowledged all of them. Removals begin with the document. Every write has a
version: the number of this start of the writer (`epoch`), then a counter. So repeated and late requests change nothing,
and of two writers of one source the older one is refused.
"""

import logging
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from desktop_rag.errors import TeamBusy, TeamConflict
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import words_of
from desktop_rag.index.catalog.sentence_vectors import row_bytes
from desktop_rag.index.links.link_sync import keys_of_chunks, keys_of_document
from desktop_rag.index.records import Chunk, ChunkId, ContentId, FolderState
from desktop_rag.index.vectors.vector_codes import Codes, row_type
from desktop_rag.llm.json_value import as_list, as_object
from desktop_rag.retrieval.query.file_conditions import mail_at
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import (
    CHUNK_PACKING,
    DOCUMENT_PACKING,
    LAYOUT_PACKING,
    PIECE_PACKING,
    DocumentRecord,
    RootFolder,
    TextPiece,
    codes_of,
    digest,
    local_id,
    mean_of,
    packed_codes,
    shared_chunk,
    shared_document,
    shared_id,
)
from desktop_rag.team.format.file_facts import facts_of
from desktop_rag.team.format.team_indexes import (
    DOCUMENTS,
    FILES,
    LINES,
    PASSAGES,
    SOURCES,
    sources_in,
    terms_and_stems,
    written_terms,
)
from desktop_rag.team.server.json_answers import Json, aggregated, as_int, buckets, hits
from desktop_rag.team.server.team_connection import BulkAction, TeamConnection
from desktop_rag.team.writer.named_files_sync import NamedFilesSync, digests_of
from desktop_rag.team.writer.source_files import SourceFiles, TeamSource, TitleVectors

_PAGE = 10_000
_AT_ONCE = 32  # documents


def remove_orphans(
    connection: TeamConnection,
    source: int,
    known: Container[ContentId],
    delete: Callable[[Sequence[BulkAction]], int],
    stop: Stop,
) -> int:
    """Delete the entries of a source whose documents are not `known`; return how many there were.

    `delete` returns how many of these entries were deleted, and searches see that when it returns.
    """
    removed = 0
    for kind in (LINES, PASSAGES):
        strays = [each for each in _contents(connection, kind, source, stop) if ContentId(local_id(each)) not in known]
        for first in range(0, len(strays), _AT_ONCE):
            of_some: Json = {"terms": {"content": strays[first : first + _AT_ONCE]}}
            body: Json = {"query": of_some, "size": _PAGE, "_source": False}
            while True:
                answer = connection.ask("POST", f"/{connection.index(kind)}/_search", body, stop)
                found = hits(answer)
                deleted = delete([BulkAction(kind, str(hit["_id"]), None) for hit in found]) if found else 0
                removed += deleted
                if not deleted:
                    break
    return removed


def _contents(connection: TeamConnection, kind: str, source: int, stop: Stop) -> Iterator[int]:
    """Yield the documents that have entries in an index."""
    pages: Json = {"size": _PAGE, "sources": [{"content": {"terms": {"field": "content"}}}]}
    while True:
        body: Json = {"size": 0, "query": {"term": {"source": source}}, "aggs": {"contents": {"composite": pages}}}
        answer = connection.ask("POST", f"/{connection.index(kind)}/_search", body, stop)
        yield from (as_int(as_object(each.get("key")).get("content")) for each in buckets(answer, "contents"))
        if "after_key" not in (found := aggregated(answer, "contents")):
            return
        pages["after"] = found["after_key"]


Id = TypeVar("Id", bound=int)

logger = logging.getLogger(__name__)

CHANGES = 128  # of the change log in a step
BULK_BYTES = 4_000_000  # of a request, about
CONTENTS = 32  # checked or written together
_EPOCH_BITS = 40
_CARDS_FACTOR = 20.0  # files are compared again after this multiple of the time it takes …
CARDS_SECONDS = 30.0  # … but not before
HEARTBEAT_SECONDS = 60.0  # after which an unchanged watermark is written again
_MOST_WHOLE = 1_000_000  # 60 MB; of more passages some are written twice


@dataclass(slots=True)
class SyncCounts:
    """What a writer has done since it started, for metrics."""

    documents: int = 0
    passages: int = 0
    sentences: int = 0
    removed: int = 0
    retries: int = 0
    sequence: int = 0
    behind: int = 0
    synced_at: float = 0.0


class TeamSync:
    """The writer of one source. `start` first, then `step` until it returns False; later steps see what is new.

    `counts` are those of an earlier writer of the source in this process, which go on.
    """

    def __init__(
        self, catalog: CatalogReader, connection: TeamConnection, source: TeamSource, counts: SyncCounts | None = None
    ) -> None:
        self._catalog = catalog
        self._connection = connection
        self._source = source
        self._files = SourceFiles(catalog, source)
        self._named = NamedFilesSync(catalog, source, connection)
        self._titles = TitleVectors()
        self.counts = counts or SyncCounts()
        self.number = 0  # of the source, since `start`
        self._epoch = 0
        self._written = 0
        self._sequence = 0
        self._copied: dict[ContentId, str] = {}  # the digests of the cards on the server
        self._cards_at = self._heartbeat_at = 0.0
        self._data_version = -1
        self._began_with = ""
        self._whole: set[ChunkId] = set()  # passages that were written with all their vectors

    @property
    def documents(self) -> int:
        """Return how many documents of the source are on the server."""
        return len(self._copied)

    @property
    def sequence(self) -> int:
        """Return the number of the last change that was copied."""
        return self._sequence

    @property
    def behind(self) -> int:
        """Return how many changes are not copied yet."""
        return self._catalog.change_log.last_sequence() - self._sequence

    def start(self, stop: Stop) -> None:
        """Register this writer and learn what the server has; raises `TeamError`."""
        connection = self._connection
        connection.refresh((SOURCES,), stop)
        entry = self._register(stop)
        self.number, self._epoch = as_int(entry["number"]), as_int(entry["epoch"])
        lineage, encoder = self._catalog.lineage(), self._encoder()
        self._began_with = encoder
        same = entry.get("lineage") == lineage and entry.get("encoder") == encoder
        self._sequence = as_int(entry.get("sequence")) if same else 0
        if self._sequence > self._catalog.change_log.last_sequence():
            self._sequence = 0  # the catalog lost its last changes; their numbers are used again
        connection.refresh((DOCUMENTS, PASSAGES, LINES, FILES), stop)
        known = digests_of(connection, DOCUMENTS, self.number, "content", stop)
        self._copied = {ContentId(local_id(int(id_))): digest_ for id_, digest_ in known}
        self._named.start(self.number, stop)

        def delete(entries: Sequence[BulkAction]) -> int:
            return self._flush(entries, stop, refresh=True)

        removed = remove_orphans(connection, self.number, self._copied.keys() | self._files.visible(), delete, stop)
        logger.info("%d entries without a document were removed", removed)
        if self._sequence == 0:
            self._copied = dict.fromkeys(self._copied, "")  # write all of it again
        logger.info("source %s has %d documents on the server", self._source.name, len(self._copied))

    def step(self, stop: Stop) -> bool:
        """Copy some changes; return whether there are more. Raises `TeamError`; the same step may be tried again."""
        if self._encoder() != self._began_with:
            raise TeamBusy("The sentence encoder was renewed; its vectors need new indexes.")
        chunks, sequence = self._catalog.change_log.touched(self._sequence, CHANGES)
        version = self._catalog.data_version()
        changed = bool(chunks) or version != self._data_version
        if changed:
            visible = self._files.visible()
            self._remove(self._copied.keys() - visible, stop)
            present = self._catalog.chunks.contents_of(chunks)
            touched = {content for content in present.values() if content in visible}
            again = self._whole.intersection(present)  # a passage is in the log when added, then when encoded
            self._whole -= again
            self._write(sorted(touched), frozenset(present) - again, stop)
            self._delete_passages([chunk for chunk in chunks if chunk not in present], stop)
        more = sequence < self._catalog.change_log.last_sequence()
        if sequence != self._sequence or time.monotonic() >= self._heartbeat_at:
            self._set_watermark(sequence, stop, complete=not more)
            self._sequence = sequence
        if not more and changed and time.monotonic() >= self._cards_at:
            self.compare_all(stop)
            self._data_version = version
        counts = self.counts
        counts.sequence, counts.behind = sequence, self.behind
        return more

    def compare_all(self, stop: Stop) -> None:
        """Write the documents whose files or metadata are not as on the server, and the files without text."""
        began, visible = time.monotonic(), self._files.visible()
        self._remove(self._copied.keys() - visible, stop)
        for some in _batches(sorted(visible), CONTENTS):
            records = self._records(some)
            stale = [
                content
                for content, record in records.items()
                if digest(DOCUMENT_PACKING.pack(self._shared(record)), self._source.space) != self._copied.get(content)
            ]
            chunks = frozenset(chunk for content in stale for chunk, _, _ in records[content].chunks)
            self._write(stale, chunks, stop)
        self._named.follow(self._send, self._delete_at_once, stop)
        self._cards_at = time.monotonic() + max(CARDS_SECONDS, _CARDS_FACTOR * (time.monotonic() - began))

    # Registration and watermark

    def _register(self, stop: Stop) -> Json:
        """Return the entry of this source with a new epoch; of writers that start together only one succeeds."""
        connection = self._connection
        entries = sources_in(connection, connection.index(SOURCES), stop)
        mine = next((entry for entry in entries if entry.get("name") == self._source.name), None)
        known = [*entries, *sources_in(connection, connection.alias(SOURCES), stop)]
        same = mine or next((entry for entry in known if entry.get("name") == self._source.name), None)
        # The same number as in an earlier generation: readers keep what they know by its ids.
        number = as_int(same["number"]) if same else 1 + max((as_int(entry["number"]) for entry in known), default=0)
        path = f"/{connection.index(SOURCES)}/_doc/{number}"
        if mine is None:
            entry: Json = {"name": self._source.name, "space": self._source.space, "number": number, "epoch": 1}
            connection.ask("PUT", f"{path}?op_type=create&refresh=true", entry, stop)
            return entry
        current = connection.ask("GET", path, stop=stop)
        entry = as_object(current["_source"]) | {"space": self._source.space}
        entry["epoch"] = as_int(entry["epoch"]) + 1
        guard = f"if_seq_no={current['_seq_no']}&if_primary_term={current['_primary_term']}"
        connection.ask("PUT", f"{path}?{guard}&refresh=true", entry, stop)
        return entry

    def _set_watermark(self, sequence: int, stop: Stop, *, complete: bool) -> None:
        """Record that the server has everything up to a change; raises `TeamConflict` if another writer took over.

        `complete`: there was no later one, so that these indexes may be read, see `team_indexes`.
        """
        path = f"/{self._connection.index(SOURCES)}/_doc/{self.number}"
        current = self._connection.ask("GET", path, stop=stop)
        known = as_object(current.get("_source"))
        if known.get("epoch") != self._epoch:
            raise TeamConflict(
                f"Another program writes “{self._source.name}” to this team library. Stop one of them, or give it "
                "another --name."
            )
        entry = known | {
            "lineage": self._catalog.lineage(),
            "encoder": self._encoder(),
            "sequence": sequence,
            "complete": complete or known.get("complete") is True,
            "documents": len(self._copied),
            "at": int(time.time()),
        }
        guard = f"if_seq_no={current['_seq_no']}&if_primary_term={current['_primary_term']}"
        self._connection.ask("PUT", f"{path}?{guard}", entry, stop)
        self._heartbeat_at, self.counts.synced_at = time.monotonic() + HEARTBEAT_SECONDS, time.time()

    def _encoder(self) -> str:
        serving = self._catalog.encoders.serving()
        return serving.name if serving is not None else ""

    # What is copied

    def _shared(self, record: DocumentRecord) -> DocumentRecord:
        return shared_document(self.number, record)

    def _records(self, contents: Sequence[ContentId]) -> dict[ContentId, DocumentRecord]:
        catalog = self._catalog
        places, known = self._files.places(contents), catalog.contents.by_id(contents)
        mails, pages = catalog.mails.of(contents), catalog.contents.pages(contents)
        roots = {
            folder.id: RootFolder(folder.id, folder.path, folder.is_file, folder.state is FolderState.OFFLINE)
            for folder in self._files.folders()
        }
        found: dict[ContentId, DocumentRecord] = {}
        for content in contents:
            if content not in places or content not in known:
                continue
            chunks = catalog.chunks.first_and_last_lines(content)
            if not chunks:
                continue  # still being read, or without text
            found[content] = DocumentRecord(
                known[content],
                places[content],
                tuple(roots[root] for root in dict.fromkeys(place.folder for place in places[content])),
                pages.get(content, ()),
                catalog.contents.sections(content),
                mails.get(content, ()),
                catalog.texts.piece_lines(content),
                tuple(chunks),
                catalog.contents.layout(content).kinds,
            )
        return found

    # Writing

    def _write(self, contents: Sequence[ContentId], chunks: frozenset[ChunkId], stop: Stop) -> None:
        """Write these contents, and of their passages those among `chunks`."""
        for some in _batches(contents, CONTENTS):
            stop.check()
            records = self._records(some)
            fresh = [content for content in records if content not in self._copied]
            self._send((action for content in fresh for action in self._lines(content)), stop)
            packed = {content: DOCUMENT_PACKING.pack(self._shared(record)) for content, record in records.items()}
            digests = {content: digest(card, self._source.space) for content, card in packed.items()}
            changed = [content for content in records if digests[content] != self._copied.get(content)]
            for content, record in records.items():
                moved = content in changed and content in self._copied  # the facts in its passages are old
                own = [chunk for chunk, _, _ in record.chunks if moved or chunk in chunks]
                whole: list[ChunkId] = []
                self._send(self._passages(record, own, whole), stop)
                if len(self._whole) < _MOST_WHOLE:
                    self._whole.update(whole)
            titles = self._titles.packed((records[each].content.title for each in changed), self._began_with, stop)
            vectors = {each: titles.get(records[each].content.title, "") for each in changed}
            self._send(
                (self._document(records[each], packed[each], digests[each], vectors[each]) for each in changed), stop
            )
            self.counts.documents += len(changed)
            self._copied |= {content: digests[content] for content in changed}

    def _lines(self, content: ContentId) -> Iterator[BulkAction]:
        shared = shared_id(self.number, content)
        common: Json = {"content": shared, "source": self.number, "space": self._source.space}
        for first_line, start, body in self._catalog.texts.pieces(content):
            piece = PIECE_PACKING.pack(TextPiece(first_line, start, body))
            yield BulkAction(LINES, f"{shared}-{first_line}", {**common, "body": piece})
        layout = LAYOUT_PACKING.pack(self._catalog.contents.layout(content))
        yield BulkAction(LINES, f"{shared}-layout", {**common, "body": layout})

    def _document(self, record: DocumentRecord, packed: str, known: str, title_vector: str) -> BulkAction:
        shared = shared_id(self.number, record.content.id)
        names = sorted({word for place in record.places for word in words_of(place.path.rpartition(b"/")[2])})
        body: Json = {
            **facts_of(record.content, self._shared(record).places, record.mails),
            "content": shared,
            "source": self.number,
            "space": self._source.space,
            "sha256": record.content.sha256.hex(),
            "digest": known,
            "names": names,
            "called": list(map(str, keys_of_document(self._catalog, record.content, record.places))),
            "words": sorted({*names, *written_terms(record.content.title, stemmed=True).replace("|", " ").split()}),
            "title": _valid(record.content.title)[:512],
            "sort_name": _valid(record.places[0].path.decode("utf-8", "replace").lower())[-512:],
            "paths": [place.path.hex() for place in record.places if len(place.path) < 512],
            "files": len(record.places),
            "chunks": len(record.chunks),
            "card": packed,
        }
        if title_vector:
            body["title_vector"] = title_vector
        return BulkAction(DOCUMENTS, str(shared), body)

    def _passages(
        self, record: DocumentRecord, chunks: Sequence[ChunkId], whole: list[ChunkId]
    ) -> Iterator[BulkAction]:
        """Yield the passages, and add to `whole` those with all their vectors."""
        for some in _batches(chunks, 64):
            found = self._catalog.chunks.by_id(some)
            vectors = self._catalog.vectors.complete(some)
            keys = keys_of_chunks(self._catalog, list(found.values()))
            whole += vectors
            for chunk in found.values():
                yield self._passage(record, chunk, vectors.get(chunk.id, b""), keys[chunk.id])

    def _passage(self, record: DocumentRecord, chunk: Chunk, rows: bytes, keys: Sequence[int]) -> BulkAction:
        content = record.content
        shared = shared_chunk(self.number, chunk)
        mail = mail_at(record.mails, chunk.span.first_line)
        codes = self._codes(rows, chunk.id)
        text, stems = terms_and_stems(chunk.text)
        body: Json = {
            **facts_of(content, self._shared(record).places, (mail,) if mail is not None else ()),
            "chunk": shared.id,
            "content": shared.content,
            "source": self.number,
            "space": self._source.space,
            "sentence_count": len(chunk.sentences),
            "vector_count": len(codes),
            "title": written_terms(content.title, stemmed=True),
            "headings": written_terms(chunk.heading, stemmed=True),
            "text": text,
            "stem": stems,
            "keys": list(map(str, keys)),
            "card": CHUNK_PACKING.pack(shared),
        }
        if len(codes):
            body["mean"] = packed_codes(mean_of(codes))
            body["sentences"] = [{"v": row} for row in codes.tolist()]
        self.counts.passages += 1
        self.counts.sentences += len(codes)
        return BulkAction(PASSAGES, str(shared.id), body)

    def _codes(self, rows: bytes, chance: int) -> Codes:
        encoder = self._catalog.encoders.serving()
        if encoder is None or not rows or len(rows) % row_bytes(encoder.dimensions):
            return np.zeros((0, 0), np.int8)
        return codes_of(np.frombuffer(rows, row_type(encoder.dimensions))["codes"], chance)

    def _remove(self, contents: Iterable[ContentId], stop: Stop) -> None:
        """Delete these contents from the server: the document first, without which nothing of them is shown."""
        for some in _batches(sorted(contents), CONTENTS):
            ids = [str(shared_id(self.number, content)) for content in some]
            known = self._connection.mget(DOCUMENTS, ids, ("card",), stop)
            # Where document-level security applies, the server answers a read by id as of the last refresh.
            self._flush([BulkAction(DOCUMENTS, id_, None) for id_ in ids], stop, refresh=True)
            for id_, found in known.items():
                record = DOCUMENT_PACKING.unpack(found.get("card"))
                parts = [BulkAction(PASSAGES, str(chunk), None) for chunk, _, _ in record.chunks]
                parts += [BulkAction(LINES, f"{id_}-{line}", None) for line in (*record.pieces, "layout")]
                self._send(parts, stop)
            for content in some:
                self._copied.pop(content, None)
            self.counts.removed += len(some)

    def _delete_at_once(self, actions: Iterable[BulkAction], stop: Stop) -> None:
        self._flush(list(actions), stop, refresh=True)

    def _delete_passages(self, chunks: Sequence[ChunkId], stop: Stop) -> None:
        self._send((BulkAction(PASSAGES, str(shared_id(self.number, chunk)), None) for chunk in chunks), stop)

    def _send(self, actions: Iterable[BulkAction], stop: Stop) -> None:
        """Send actions in requests of about `BULK_BYTES`, each when the one before was acknowledged.

        While the server works on one, the next is made; when this returns, all are acknowledged.
        """
        waiting: list[BulkAction] = []
        size = 0
        with ThreadPoolExecutor(1, "bulk") as sender:
            sent: Future[int] | None = None
            for action in actions:
                waiting.append(action)
                size += _size(action)
                if size >= BULK_BYTES:
                    if sent is not None:
                        sent.result()
                    sent = sender.submit(self._connection.bulk, waiting, self._next_version(), stop)
                    waiting, size = [], 0
            if sent is not None:
                sent.result()
        self._flush(waiting, stop)

    def _flush(self, actions: Sequence[BulkAction], stop: Stop, *, refresh: bool = False) -> int:
        return self._connection.bulk(actions, self._next_version(), stop, refresh=refresh) if actions else 0

    def _next_version(self) -> int:
        self._written += 1
        return self._epoch << _EPOCH_BITS | self._written


def _size(action: BulkAction) -> int:
    """Return about how many bytes an action has; of lists, those of sentence vectors are long."""
    parts = (action.source or {}).values()
    return 200 + sum(len(part) if isinstance(part, str) else 1500 * len(as_list(part)) for part in parts)


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _batches(ids: Sequence[Id], size: int) -> Iterator[list[Id]]:
    for first in range(0, len(ids), size):
        yield list(ids[first : first + size])
