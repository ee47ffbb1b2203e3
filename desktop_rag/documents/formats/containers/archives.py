"""Reads archives (ZIP, TAR in any compression, 7z, and what libarchive unpacks) and single compressed files."""

from collections.abc import Callable
from importlib import import_module
from types import MappingProxyType

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.containers.members import Members
from desktop_rag.documents.formats.containers.native_archives import is_native_archive
from desktop_rag.documents.formats.containers.streams import is_compressed, is_tar, open_compressed, read_compressed
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_TAR = ("streams", "read_tar")
_NATIVE = ("native_archives", "read_native_archive")
_READERS = MappingProxyType(  # imported lazily with the first archive of the kind
    {
        file_types.ZIP: ("zips", "read_zip"),
        b"PK\x05\x06": ("zips", "read_zip"),
        b"PK\x07\x08": ("zips", "read_zip"),
        b"7z\xbc\xaf\x27\x1c": ("seven_zip", "read_seven_zip"),
    }
)


def read_archive(source: SourceFile, kind: Format) -> Document:
    """Return the members of an archive, or the one compressed file; the first bytes decide which it is."""
    reader = next((reader for mark, reader in _READERS.items() if source.data.startswith(mark)), None)
    if reader is None and is_compressed(source.data):
        if not is_tar(open_compressed(source).read(1024)):
            return read_compressed(source)
        reader = _TAR
    elif reader is None and is_tar(source.data[:1024]):
        reader = _TAR
    elif reader is None and is_native_archive(source.data):
        reader = _NATIVE
    if reader is None:
        raise DocumentError("This archive is damaged or of an unsupported kind.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    members = Members(source, builder)
    with source.keep_partial(builder):
        _import_reader(*reader)(source, members)
    members.finish()
    return builder.build("This archive is empty.")


def _import_reader(module: str, function: str) -> Callable[[SourceFile, Members], None]:
    imported: Callable[[SourceFile, Members], None] = getattr(
        import_module(f"desktop_rag.documents.formats.containers.{module}"), function
    )
    return imported
