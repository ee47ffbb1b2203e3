"""Decompresses single files (gzip, bzip2, xz, Zstandard, compress) within the limits; unpacks TAR as a stream."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from dataclasses import replace
from functools import partial

from backports import zstd

from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import MAX_FILE_BYTES
from desktop_rag.documents.formats.containers.members import DAMAGED, LINK, Members, UnreadableMember
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_BROKEN = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, zstd.ZstdError)

_GZIP, _BZIP2, _XZ, _ZSTD, _LZMA = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"\x5d\x00\x00"
_COMPRESS = b"\x1f\x9d"  # of old Unix, suffix .Z
_SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ".lzma", ".z")
_Stream = gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile | zstd.ZstdFile | io.BytesIO
_PIECE = 1024 * 1024
_TAR_BLOCK = 512
_DAMAGED_TAR = "This archive is damaged; only the part before the damage was read."
_TRUNCATED = "This file unpacks to far more than its size; the rest of it was left out."


def is_compressed(data: bytes) -> bool:
    """Return whether `data` starts with the signature of a compressed file."""
    return data.startswith((_GZIP, _BZIP2, _XZ, _ZSTD, _LZMA, _COMPRESS))


class DecompressedStream(io.RawIOBase):
    """The decompressed bytes of a file; every read checks the budget."""

    def __init__(self, stream: _Stream, budget: ReadBudget) -> None:
        self._stream = stream
        self._budget = budget

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most a megabyte; none at the end or where the data is damaged."""
        self._budget.check()
        try:
            return self._stream.read1(size if 0 <= size < _PIECE else _PIECE)
        except _BROKEN:
            return b""


def open_compressed(source: SourceFile) -> DecompressedStream:
    """Return the decompressed bytes of a compressed file."""
    packed = io.BytesIO(source.data)
    if source.data.startswith(_GZIP):
        return DecompressedStream(gzip.GzipFile(fileobj=packed), source.budget)
    if source.data.startswith(_BZIP2):
        return DecompressedStream(bz2.BZ2File(packed), source.budget)
    if source.data.startswith(_ZSTD):
        return DecompressedStream(zstd.ZstdFile(packed), source.budget)
    if source.data.startswith(_COMPRESS):
        return DecompressedStream(io.BytesIO(_uncompressed(source)), source.budget)
    return DecompressedStream(lzma.LZMAFile(packed), source.budget)


def _uncompressed(source: SourceFile) -> bytes:
    from desktop_rag.documents.formats.containers.native_archives import unpacked_archive

    limit = min(MAX_FILE_BYTES, source.budget.unpacked_allowance(len(source.data)))
    data = bytearray()
    for piece in unpacked_archive(source.data, source.budget, "raw"):
        data += piece
        if len(data) > limit:
            break
    return bytes(data)


def unpack_compressed(source: SourceFile, most: int = MAX_FILE_BYTES) -> tuple[bytes, bool]:
    """Return the bytes of a compressed file, at most `most`, and whether they end at a limit; stops at damage."""
    packed = len(source.data)
    limit = min(most, source.budget.unpacked_allowance(packed))
    stream = open_compressed(source)
    data = bytearray()
    while len(data) <= limit and (piece := stream.read()):
        data += piece
    if not data:
        raise DocumentError("This file is damaged and cannot be unpacked.", ProblemKind.DAMAGED)
    truncated = len(data) > limit
    del data[limit:]
    source.budget.count_unpacked(len(data), packed)
    return bytes(data), truncated


def read_compressed(source: SourceFile) -> Document:
    """Return the document of a compressed file, up to the first damage or the size limit."""
    data, truncated = unpack_compressed(source)
    document = source.read_member(_name_without_suffix(source.name), data, source.label_prefix)
    if truncated and not document.partial:
        return replace(document, partial=_TRUNCATED, partial_kind=ProblemKind.LIMIT)
    return document


def _name_without_suffix(name: str) -> str:
    suffix = next((suffix for suffix in _SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(suffix)] or "file"


def is_tar(data: bytes) -> bool:
    """Return whether `data` starts with the header of a TAR member."""
    try:
        tarfile.TarInfo.frombuf(data[:_TAR_BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def read_tar(source: SourceFile, members: Members) -> None:
    """Read the members of a TAR archive, compressed or not."""
    stream = open_compressed(source) if is_compressed(source.data) else io.BytesIO(source.data)
    try:
        with tarfile.open(fileobj=stream, mode="r|", errors="surrogateescape") as archive:
            for entry in archive:
                source.budget.check()
                if entry.isfile():
                    members.add(entry.name, entry.size, len(source.data), partial(_load, archive, entry))
                elif entry.issym() or entry.islnk():
                    members.skip(entry.name, LINK)
    except (tarfile.TarError, OSError, ValueError, EOFError) as error:
        raise ReadLimitReached(_DAMAGED_TAR, ProblemKind.DAMAGED) from error


def _load(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    member = archive.extractfile(entry)
    data = member.read() if member is not None else b""
    if len(data) < entry.size:
        raise UnreadableMember(DAMAGED)
    return data
