"""What a team library stores of a document beside the fields that are searched: records in MessagePack.

Ids are those of one source (`source << 44 | local id`), so that several sources can share a library.
"""

import base64
import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import msgspec
import numpy as np

from desktop_rag.decoding import msgpack_decoder
from desktop_rag.documents.document import MailHeader, Page, Section
from desktop_rag.errors import TeamError
from desktop_rag.index.catalog.file_names import words_of
from desktop_rag.index.records import Chunk, ChunkId, Content, ContentId, DocumentLayout, FilePlace, FolderId
from desktop_rag.index.vectors.vector_codes import Codes
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats

SOURCE_BITS = 44
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a text that ends at the end of a line."""

    first_line: int
    start: int
    body: str


@dataclass(frozen=True, slots=True)
class RootFolder:
    """A root folder of a document's files."""

    id: FolderId
    path: bytes
    is_file: bool
    offline: bool


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document: its metadata, files, pages, sections and mails, and what its text is split into.

    `pieces` are the first lines of its pieces of text, `chunks` its passages in order as (id, first line, last line).
    """

    content: Content
    places: tuple[FilePlace, ...]
    roots: tuple[RootFolder, ...]
    pages: tuple[Page, ...]
    sections: tuple[Section, ...]
    mails: tuple[MailHeader, ...]
    pieces: tuple[int, ...]
    chunks: tuple[tuple[ChunkId, int, int], ...]
    kinds: bytes


@dataclass(frozen=True, slots=True)
class NamedRecord:
    """A file without text, or a picture of text; `content` is None if it was not read."""

    place: FilePlace
    content: Content | None
    reason: str
    is_picture: bool

    @property
    def words(self) -> frozenset[str]:
        """Return the words of its name."""
        return words_of(self.place.path.replace(b"\\", b"/").rpartition(b"/")[2])


def shared_id(source: int, local: int) -> int:
    """Return the id in the team's library of a local one."""
    return source << SOURCE_BITS | local


def local_id(shared: int) -> int:
    """Return the local id of one in the team's library."""
    return shared & ((1 << SOURCE_BITS) - 1)


def shared_chunk(source: int, chunk: Chunk) -> Chunk:
    """Return a chunk with the ids of the team's library."""
    content = ContentId(shared_id(source, chunk.content))
    return replace(chunk, id=ChunkId(shared_id(source, chunk.id)), content=content)


def shared_document(source: int, record: DocumentRecord) -> DocumentRecord:
    """Return a document with the ids of the team's library."""
    return replace(
        record,
        content=replace(record.content, id=ContentId(shared_id(source, record.content.id))),
        places=tuple(replace(each, folder=FolderId(shared_id(source, each.folder))) for each in record.places),
        roots=tuple(replace(each, id=FolderId(shared_id(source, each.id))) for each in record.roots),
        chunks=tuple((ChunkId(shared_id(source, chunk)), first, last) for chunk, first, last in record.chunks),
    )


def shared_name(source: int, record: NamedRecord) -> NamedRecord:
    """Return a file without text with the ids of the team's library."""
    content, place = record.content, record.place
    return replace(
        record,
        place=replace(place, folder=FolderId(shared_id(source, place.folder))),
        content=None if content is None else replace(content, id=ContentId(shared_id(source, content.id))),
    )


def name_id(source: int, record: NamedRecord) -> str:
    """Return the id of the entry of a file without text."""
    return f"{source}-{hashlib.blake2b(record.place.path, digest_size=12).hexdigest()}"


class Packing(Generic[Record]):
    """Packs the records of one type for a field of the server."""

    def __init__(self, kind: type[Record]) -> None:
        self._encode = msgspec.msgpack.Encoder().encode
        self._decoder = msgpack_decoder(kind)

    def pack(self, record: Record) -> str:
        """Return a record as base64 of compressed MessagePack; a lone surrogate in it becomes a question mark."""
        try:
            data = self._encode(record)
        except UnicodeEncodeError:
            data = self._encode(_without_surrogates(record))
        return base64.b64encode(zlib.compress(data, 1)).decode()

    def unpack(self, packed: object) -> Record:
        """Return a record; raises `TeamError` for anything else."""
        try:
            return self._decoder.decode(zlib.decompress(base64.b64decode(str(packed))))
        except (ValueError, zlib.error) as error:
            raise TeamError("The team's library holds a document that cannot be read. Ask whoever runs it.") from error


DOCUMENT_PACKING, CHUNK_PACKING, NAMED_PACKING = Packing(DocumentRecord), Packing(Chunk), Packing(NamedRecord)
PIECE_PACKING, LAYOUT_PACKING = Packing(TextPiece), Packing(DocumentLayout)


def digest(packed: str, space: str) -> str:
    """Return a short hash that changes with a document's card or space."""
    return hashlib.blake2b(f"{space}\0{packed}".encode(), digest_size=9).hexdigest()


def _without_surrogates(record: object) -> object:
    def valid(value: object) -> object:
        if isinstance(value, str):
            return value.encode("utf-8", "replace").decode()
        if isinstance(value, dict):
            return {key: valid(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [valid(each) for each in value]
        return value

    return valid(msgspec.to_builtins(record, builtin_types=(bytes,)))


# Sentence vectors as the server has them: int8 codes, all of one length, so that their inner product is a cosine.
#
# For a cosine of vectors of any length the server would compute three products, for this it computes one.

_MOST = 127
_WIDEST = 0.35  # of a component of a unit vector; what is beyond is cut off
_LENGTH = _MOST / _WIDEST


def packed_codes(codes: Codes) -> str:
    """Return rows of codes for a field of the server, with their length before them."""
    return base64.b64encode(codes.shape[1].to_bytes(2, "little") + codes.tobytes()).decode()


def unit_rows(packed: Sequence[str]) -> Floats:
    """Return the rows of several packed ones as unit vectors; zero rows stay zero."""
    data = [base64.b64decode(each + "==") for each in packed]  # the server leaves out the padding of a doc value
    dimensions = int.from_bytes(data[0][:2], "little") if data else 1
    return _units(np.frombuffer(b"".join(each[2:] for each in data), np.int8).reshape(-1, dimensions))


def mean_of(codes: Codes) -> Codes:
    """Return the direction of the mean of the unit vectors of these rows, as one row of codes."""
    return codes_of(_units(codes).sum(axis=0)[None])


def codes_of(vectors: Floats | Codes, chance: int | None = None) -> Codes:
    """Return the codes of vectors by their directions, one row each; zero rows stay zero.

    With a seed `chance` they are rounded up or down by chance. A sentence of many passages, such as the end of every
    mail, then has codes that differ a little: equal ones are linked to each other only, and a search that comes to one
    of them finds little else.
    """
    cut = _units(np.clip(_units(vectors), -_WIDEST, _WIDEST)) * _LENGTH
    whole = np.rint(cut) if chance is None else np.floor(cut + np.random.default_rng(chance).random(cut.shape))
    return np.asarray(np.clip(whole, -_MOST, _MOST), np.int8)


def cosine_of(score: float) -> float:
    """Return the cosine for a score of the server: 1 more than the inner product p, for a negative one 1/(1 - p)."""
    product = score - 1 if score >= 1 else 1 - 1 / max(score, 1e-9)
    return product / _LENGTH**2


def _units(rows: Codes | Floats) -> Floats:
    rows = rows.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)
