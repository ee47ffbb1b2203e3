"""Unpacks TAR archives as a stream, packed or not."""

import io
import tarfile
from functools import partial

from desktop_rag.documents.formats.containers.members import DAMAGED, LINK, Members, UnreadableMember
from desktop_rag.documents.formats.containers.streams import is_packed, open_packed
from desktop_rag.documents.formats.source_file import ReadLimitReached, SourceFile

_BLOCK = 512
_CUT_SHORT = "This archive is damaged; what comes before the damage was read."


def is_tar(data: bytes) -> bool:
    """Return whether `data` begins with the header of a member."""
    try:
        tarfile.TarInfo.frombuf(data[:_BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def read_tar(source: SourceFile, members: Members) -> None:
    """Read the members of a TAR archive."""
    stream = open_packed(source) if is_packed(source.data) else io.BytesIO(source.data)
    try:
        with tarfile.open(fileobj=stream, mode="r|", errors="surrogateescape") as archive:
            for entry in archive:
                source.budget.check()
                if entry.isfile():
                    members.add(entry.name, entry.size, len(source.data), partial(_load, archive, entry))
                elif entry.issym() or entry.islnk():
                    members.skip(entry.name, LINK)
    except (tarfile.TarError, OSError, ValueError, EOFError) as error:
        raise ReadLimitReached(_CUT_SHORT) from error


def _load(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    member = archive.extractfile(entry)
    data = member.read() if member is not None else b""
    if len(data) < entry.size:
        raise UnreadableMember(DAMAGED)
    return data
