"""Unpacks RAR, CAB, CPIO, AR (Debian packages), LHA and ISO 9660 with libarchive of the system or the frozen program.

No Python package contains it. Windows, macOS and most Linux desktops have it; freezing on Linux bundles the system's.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from desktop_rag.documents.file_types import MAX_FILE_BYTES
from desktop_rag.documents.formats.containers.members import DAMAGED, LINK, Members, UnreadableMember
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    from libarchive.entry import ArchiveEntry

_LIBRARIES = {"win32": "archiveint.dll", "darwin": "/usr/lib/libarchive.dylib"}  # both are part of the system
_LIBRARY = _LIBRARIES.get(sys.platform, "libarchive.so.13")
_MISSING = "Archives of this kind are read where libarchive is installed (package libarchive13); or unpack this one."
_CUT_SHORT = "This archive is damaged or protected by a password; only its first part was read."
_PIECE = 1024 * 1024
_CPIO = (b"070701", b"070702", b"070707", b"\xc7\x71", b"\x71\xc7")
_SIGNATURES = (b"Rar!\x1a\x07", b"MSCF", b"!<arch>\n", *_CPIO)
_ISO_MARK = 0x8001  # in the first volume descriptor (ECMA-119, 8.1.2)


def is_native_archive(data: bytes) -> bool:
    """Return whether `data` starts like an archive that libarchive unpacks."""
    return data.startswith(_SIGNATURES) or data[2:5] in (b"-lh", b"-lz") or data[_ISO_MARK : _ISO_MARK + 5] == b"CD001"


def read_native_archive(source: SourceFile, members: Members) -> None:
    """Read the members of such an archive; raises `DocumentError` where libarchive is missing."""
    _load_library()
    from libarchive import ArchiveError, memory_reader

    try:
        with memory_reader(source.data) as archive:
            for entry in archive:
                source.budget.check()
                if entry.isfile:
                    size = int(entry.size or 0)
                    members.add(str(entry.pathname or ""), size, len(source.data), partial(_load, entry, size))
                elif entry.issym or entry.islnk:
                    members.skip(str(entry.pathname or ""), LINK)
    except ArchiveError as error:
        if not members.count:
            raise DocumentError("This archive is damaged or protected by a password.", ProblemKind.PROTECTED) from error
        raise ReadLimitReached(_CUT_SHORT, ProblemKind.PROTECTED) from error


def unpacked_archive(data: bytes, budget: ReadBudget, kind: str = "all") -> Iterator[bytes]:
    """Yield the bytes of an archive's members one after another, up to the first damage; their sizes are trusted.

    `kind` is libarchive's name of the format, `raw` for a single compressed file.
    """
    _load_library()
    from libarchive import ArchiveError, memory_reader

    with suppress(ArchiveError), memory_reader(data, kind) as archive:
        for entry in archive:
            for piece in entry.get_blocks(_PIECE):
                budget.check()
                yield bytes(piece)


def _load_library() -> None:
    # Without it the library is looked for with external programs, which the sandbox forbids.
    os.environ.setdefault("LIBARCHIVE", _LIBRARY)
    try:
        import_module("libarchive")
    except (ImportError, OSError, AttributeError, TypeError) as error:
        raise DocumentError(_MISSING) from error


def _load(entry: "ArchiveEntry", size: int) -> bytes:
    from libarchive import ArchiveError

    data = bytearray()
    try:
        for piece in entry.get_blocks(_PIECE):
            data += piece
            if len(data) > min(size, MAX_FILE_BYTES):
                raise UnreadableMember(DAMAGED)
    except ArchiveError as error:
        raise UnreadableMember("damaged or protected by a password") from error
    return bytes(data)
