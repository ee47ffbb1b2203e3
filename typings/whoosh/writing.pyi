from collections.abc import Callable, Iterator, Sequence

from typing import Protocol

from whoosh.codec.base import Codec, Segment
from whoosh.fields import Schema
from whoosh.filedb.filestore import Storage
from whoosh.index import FileIndex
from whoosh.reading import IndexReader

class IndexingError(Exception): ...

class _Pool(Protocol):
    def add(self, item: tuple[str, bytes, int, float, bytes], /) -> None: ...
    def iter_postings(self) -> Iterator[tuple[str, bytes, int, float, bytes]]: ...
    def cleanup(self) -> None: ...

class _Lock:
    fd: int | None
    def release(self) -> None: ...

class SegmentWriter:
    storage: Storage
    schema: Schema
    indexname: str
    generation: int
    segments: list[Segment]
    writelock: _Lock | None
    is_closed: bool
    pool: _Pool
    docnum: int
    _added: bool
    def __init__(
        self,
        ix: FileIndex,
        *,
        timeout: float = 0.0,
        delay: float = 0.1,
        limitmb: int = 128,
        codec: Codec | None = None,
        compound: bool = True,
    ) -> None: ...
    def _check_state(self) -> None: ...
    def _finish(self) -> None: ...
    def add_document(self, **fields: object) -> None: ...
    def update_document(self, **fields: object) -> None: ...
    def add_reader(self, reader: IndexReader) -> None: ...
    def delete_document(self, docnum: int, delete: bool = True) -> None: ...
    def delete_by_term(self, fieldname: str, text: str | int) -> int: ...
    def commit(
        self,
        mergetype: Callable[[SegmentWriter, list[Segment]], list[Segment]] | None = None,
        optimize: bool | None = None,
        merge: bool | None = None,
    ) -> None: ...
    def cancel(self) -> None: ...
    def _commit_toc(self, segments: Sequence[Segment]) -> None: ...
