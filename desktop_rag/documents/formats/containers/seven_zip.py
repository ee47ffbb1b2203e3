"""Unpacks 7z archives with py7zr; members that are compressed together are decompressed once, in order."""

import io
import lzma
import zlib

import py7zr
from py7zr.exceptions import ArchiveError, PasswordRequired, UnsupportedCompressionMethodError
from py7zr.io import Py7zIO, WriterFactory

from desktop_rag.documents.file_types import MAX_FILE_BYTES, is_supported
from desktop_rag.documents.formats.containers.members import LINK, PROTECTED, UNKNOWN_PACKING, Members
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_BROKEN = (
    ArchiveError,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)
_CUT_SHORT = "This archive is damaged; only the part before the damage was read."


def read_seven_zip(source: SourceFile, members: Members) -> None:
    """Read the members of a 7z archive."""
    try:
        archive = py7zr.SevenZipFile(io.BytesIO(source.data))
    except PasswordRequired as error:
        raise DocumentError("This archive is protected by a password.", ProblemKind.PROTECTED) from error
    except _BROKEN as error:
        raise DocumentError("This archive is damaged or not a 7z archive.", ProblemKind.DAMAGED) from error
    with archive:
        factory = _Factory(source, members)
        for number, facts in enumerate(archive.files.files_list):
            name = str(facts.get("filename", ""))
            facts["filename"] = str(number)  # so that member names are never used as paths, not even by the library
            factory.entries.append(name)
            if archive.files[number].is_symlink:
                factory.links.add(number)
        if archive.needs_password():
            for name in factory.entries:
                members.skip(name, PROTECTED)
            return
        try:
            archive.extractall(factory=factory)
        except UnsupportedCompressionMethodError:
            for name in factory.entries[members.count :]:
                members.skip(name, UNKNOWN_PACKING)
        except _BROKEN as error:
            raise ReadLimitReached(_CUT_SHORT, ProblemKind.DAMAGED) from error


class _Factory(WriterFactory):
    """Creates the sink for the bytes of each member."""

    def __init__(self, source: SourceFile, members: Members) -> None:
        self.entries: list[str] = []
        self.links: set[int] = set()
        self._packed = len(source.data)
        self._budget = source.budget
        self._members = members

    def create(self, filename: str) -> Py7zIO:
        """Return the sink for the member with this number."""
        number = int(filename)
        return _MemberSink(self.entries[number], self._packed, self._budget, self._members, link=number in self.links)


class _MemberSink(Py7zIO):
    """Collects the bytes of one member and adds it to the archive's members when complete."""

    def __init__(self, name: str, packed: int, budget: ReadBudget, members: Members, *, link: bool) -> None:
        self._name = name
        self._link = link
        self._packed = packed
        self._limit = min(MAX_FILE_BYTES, budget.unpacked_allowance(packed))
        self._budget = budget
        self._members = members
        self._collected = io.BytesIO()
        self._length = 0

    def write(self, s: bytes | bytearray) -> int:
        """Keep the next bytes, unless they are too many or the format is not read."""
        self._budget.check()
        self._length += len(s)
        if self._length <= self._limit and is_supported(self._name):
            self._collected.write(s)
        return len(s)

    def close(self) -> None:
        """Add the complete member."""
        if self._link:
            self._members.skip(self._name, LINK)
        else:
            self._members.add(self._name, self._length, self._packed, self._collected.getvalue)

    def read(self, size: int | None = None) -> bytes:
        """Return nothing; the interface requires the method."""
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        """Do nothing; the interface requires the method."""
        return 0

    def flush(self) -> None:
        """Do nothing; everything stays in memory."""

    def size(self) -> int:
        """Return the number of bytes written."""
        return self._length
