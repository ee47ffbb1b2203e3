"""Unpacks 7z archives through py7zr; what is packed together is unpacked once, from the first to the last."""

import io
import lzma
import zlib

import py7zr
from py7zr.exceptions import ArchiveError, PasswordRequired, UnsupportedCompressionMethodError
from py7zr.io import Py7zIO, WriterFactory

from desktop_rag.documents.file_types import MAX_FILE_BYTES, is_supported
from desktop_rag.documents.formats.containers.members import LINK, PROTECTED, UNKNOWN_PACKING, Members
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError

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
_CUT_SHORT = "This archive is damaged; what comes before the damage was read."


def read_seven_zip(source: SourceFile, members: Members) -> None:
    """Read the members of a 7z archive."""
    try:
        archive = py7zr.SevenZipFile(io.BytesIO(source.data))
    except PasswordRequired as error:
        raise DocumentError("This archive is protected by a password.") from error
    except _BROKEN as error:
        raise DocumentError("This archive is damaged or not a 7z archive.") from error
    with archive:
        factory = _Factory(source, members)
        for number, facts in enumerate(archive.files.files_list):
            name = str(facts.get("filename", ""))
            facts["filename"] = str(number)  # names of members are no paths, not even to the library
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
            raise ReadLimitReached(_CUT_SHORT) from error


class _Factory(WriterFactory):
    """Makes for each member what takes its bytes."""

    def __init__(self, source: SourceFile, members: Members) -> None:
        self.entries: list[str] = []
        self.links: set[int] = set()
        self._packed = len(source.data)
        self._budget = source.budget
        self._members = members

    def create(self, filename: str) -> Py7zIO:
        """Return what takes the bytes of the member of this number."""
        number = int(filename)
        return _Taking(self.entries[number], self._packed, self._budget, self._members, link=number in self.links)


class _Taking(Py7zIO):
    """Takes the bytes of one member and hands them on when they are complete."""

    def __init__(self, name: str, packed: int, budget: ReadBudget, members: Members, *, link: bool) -> None:
        self._name = name
        self._link = link
        self._packed = packed
        self._most = min(MAX_FILE_BYTES, budget.unpacked_allowance(packed))
        self._budget = budget
        self._members = members
        self._taken = io.BytesIO()
        self._length = 0

    def write(self, s: bytes | bytearray) -> int:
        """Keep the next bytes, unless they are too many or not read anyway."""
        self._budget.check()
        self._length += len(s)
        if self._length <= self._most and is_supported(self._name):
            self._taken.write(s)
        return len(s)

    def close(self) -> None:
        """Hand on the whole member."""
        if self._link:
            self._members.skip(self._name, LINK)
        else:
            self._members.add(self._name, self._length, self._packed, self._taken.getvalue)

    def read(self, size: int | None = None) -> bytes:
        """Return nothing: what was taken is read elsewhere."""
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        """Stay where it is."""
        return 0

    def flush(self) -> None:
        """Keep everything in memory."""

    def size(self) -> int:
        """Return how many bytes came."""
        return self._length
