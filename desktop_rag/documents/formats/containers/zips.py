"""Unpacks ZIP archives; if the central directory is missing, members are found by their local headers."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from desktop_rag.documents import file_types
from desktop_rag.documents.decoding.encodings import name_encoding
from desktop_rag.documents.formats.containers.members import (
    DAMAGED,
    LINK,
    PROTECTED,
    UNKNOWN_PACKING,
    Members,
    UnreadableMember,
)
from desktop_rag.documents.formats.source_file import ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, LookupError)
_ENCRYPTED, _SIZES_FOLLOW, _UTF8 = 1, 8, 0x800  # bits of a member's flags (APPNOTE.TXT, 4.4.4)
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_STORED, _DEFLATED = 0, 8
_SALVAGED = "This archive is damaged; only the files that could be recovered were read."


def read_zip(source: SourceFile, members: Members) -> None:
    """Read the members of a ZIP archive."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        entries = archive.infolist()
    except NotImplementedError as error:
        raise DocumentError("This archive is split into several files; join them to have it read.") from error
    except _BROKEN:
        _salvage(source, members)
        return
    others = name_encoding(b"\n".join(map(_raw_name, (each for each in entries if _is_odd(each)))))
    for entry in entries:
        if entry.filename.endswith("/"):  # `is_dir` fails for an empty name
            continue
        name = _name(entry.filename, entry.flag_bits, others)
        if entry.flag_bits & _ENCRYPTED:
            members.skip(name, PROTECTED)
        elif stat.S_ISLNK(entry.external_attr >> 16):
            members.skip(name, LINK)
        else:
            members.add(name, entry.file_size, entry.compress_size, partial(_unpacked, archive, entry))


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(entry) as member:
            return member.read(entry.file_size)
    except (NotImplementedError, RuntimeError) as error:
        raise UnreadableMember(UNKNOWN_PACKING) from error
    except _BROKEN as error:
        raise UnreadableMember(DAMAGED) from error


def _is_odd(entry: zipfile.ZipInfo) -> bool:
    return not (entry.flag_bits & _UTF8 or entry.filename.isascii())


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    return entry.filename.encode("cp437", "replace")


def _name(name: str, flags: int, others: str = "") -> str:
    """Return a member's name; many programs write UTF-8 without setting the flag, or the page of their system."""
    if flags & _UTF8 or name.isascii():
        return name
    for encoding in ("utf-8", others or "cp437"):
        with suppress(UnicodeError):
            return name.encode("cp437").decode(encoding)
    return name


def _salvage(source: SourceFile, members: Members) -> None:
    found = False
    for name, packed, size, method in _local_members(source.data):
        found = True
        limit = source.budget.unpacked_allowance(len(packed)) if size is None else size
        members.add(name, size or 0, len(packed), partial(_inflated, source, packed, method, limit))
    if not found:
        raise DocumentError("This archive is damaged or not a ZIP archive.", ProblemKind.DAMAGED)
    raise ReadLimitReached(_SALVAGED, ProblemKind.DAMAGED)


def _local_members(data: bytes) -> Iterator[tuple[str, memoryview, int | None, int]]:
    """Yield (name, packed bytes, size if declared, method) of each local header in `data`."""
    start = data.find(file_types.ZIP)
    while 0 <= start <= len(data) - _LOCAL.size:
        _, _, flags, method, _, _, _, packed, size, name_length, extra = _LOCAL.unpack_from(data, start)
        begin = start + _LOCAL.size + name_length + extra
        name = data[start + _LOCAL.size : begin - extra].decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        has_sizes = not flags & _SIZES_FOLLOW and packed != 0xFFFFFFFF
        following = data.find(file_types.ZIP, begin + (packed if has_sizes else 0))
        end = begin + packed if has_sizes else (following if following >= 0 else len(data))
        if not name.endswith("/") and not flags & _ENCRYPTED:
            yield _name(name, flags), memoryview(data)[begin:end], size if has_sizes else None, method
        start = following


def _inflated(source: SourceFile, packed: memoryview, method: int, limit: int) -> bytes:
    if method == _STORED:
        return bytes(packed[:limit])
    if method != _DEFLATED:
        raise UnreadableMember(UNKNOWN_PACKING)
    if not (data := source.budget.inflated(packed, limit)):
        raise UnreadableMember(DAMAGED)
    return data
