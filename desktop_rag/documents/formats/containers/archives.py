"""Reads archives: ZIP, TAR whatever it is packed with, 7z, RAR; and single files that are packed."""

from collections.abc import Callable
from importlib import import_module
from types import MappingProxyType

from desktop_rag.documents import file_signatures
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.containers.members import Members
from desktop_rag.documents.formats.containers.streams import is_packed, is_tar, open_packed, read_unpacked
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError

_TAR = ("streams", "read_tar")
_READERS = MappingProxyType(  # what an archive needs is imported when its first one comes
    {
        file_signatures.ZIP: ("zips", "read_zip"),
        b"PK\x05\x06": ("zips", "read_zip"),
        b"PK\x07\x08": ("zips", "read_zip"),
        b"7z\xbc\xaf\x27\x1c": ("seven_zip", "read_seven_zip"),
        b"Rar!\x1a\x07": ("rar", "read_rar"),
    }
)


def read_archive(source: SourceFile, kind: Format) -> Document:
    """Return the members of an archive, or the one file that is packed; its first bytes say which it is."""
    named = next((named for mark, named in _READERS.items() if source.data.startswith(mark)), None)
    if named is None and is_packed(source.data):
        if not is_tar(open_packed(source).read(1024)):
            return read_unpacked(source)
        named = _TAR
    elif named is None and is_tar(source.data[:1024]):
        named = _TAR
    if named is None:
        raise DocumentError("This archive is damaged or of a kind that is not read.")
    builder = DocumentBuilder(kind)
    members = Members(source, builder)
    with source.keep_partial(builder):
        _reader(*named)(source, members)
    members.finish()
    return builder.build("This archive is empty.")


def _reader(module: str, function: str) -> Callable[[SourceFile, Members], None]:
    reader: Callable[[SourceFile, Members], None] = getattr(
        import_module(f"desktop_rag.documents.formats.containers.{module}"), function
    )
    return reader
