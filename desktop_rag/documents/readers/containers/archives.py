"""Reads archives: ZIP, TAR whatever it is packed with, 7z, RAR; and single files that are packed."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats import Format
from desktop_rag.documents.readers.containers.members import Members
from desktop_rag.documents.readers.containers.rar import read_rar
from desktop_rag.documents.readers.containers.seven_zip import read_seven_zip
from desktop_rag.documents.readers.containers.streams import is_packed, open_packed, read_unpacked
from desktop_rag.documents.readers.containers.tars import is_tar, read_tar
from desktop_rag.documents.readers.containers.zips import read_zip
from desktop_rag.documents.readers.source import Source
from desktop_rag.errors import DocumentError

_READERS: Mapping[bytes, Callable[[Source, Members], None]] = MappingProxyType(
    {
        b"PK\x03\x04": read_zip,
        b"PK\x05\x06": read_zip,
        b"PK\x07\x08": read_zip,
        b"7z\xbc\xaf\x27\x1c": read_seven_zip,
        b"Rar!\x1a\x07": read_rar,
    }
)


def read_archive(source: Source, kind: Format) -> Document:
    """Return the members of an archive, or the one file that is packed; its first bytes say which it is."""
    reader = next((reader for mark, reader in _READERS.items() if source.data.startswith(mark)), None)
    if reader is None and is_packed(source.data):
        if not is_tar(open_packed(source).read(1024)):
            return read_unpacked(source)
        reader = read_tar
    elif reader is None and is_tar(source.data[:1024]):
        reader = read_tar
    if reader is None:
        raise DocumentError("This archive is damaged or of a kind that is not read.")
    builder = DocumentBuilder(kind)
    members = Members(source, builder)
    with source.keeping(builder):
        reader(source, members)
    members.finish()
    return builder.build()
