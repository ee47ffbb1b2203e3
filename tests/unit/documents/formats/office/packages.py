import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError

_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def pack(parts: Mapping[str, str], files: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """Return a ZIP package of these parts and files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
        for name, data in files.items():
            package.writestr(name, data)
    return buffer.getvalue()


def relations(**targets: str) -> str:
    """Return a relationships part; each keyword is `id__type`, or one name for both."""
    items = []
    for name, target in targets.items():
        identifier, _, kind = name.rpartition("__")
        mode = ' TargetMode="External"' if "://" in target else ""
        items.append(
            f'<Relationship Id="{identifier or kind}" Type="{_TYPES}/{kind}" Target="{target}"{mode}/>',
        )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{"".join(items)}</Relationships>'


def shown(document: Document) -> list[tuple[str, int, str]]:
    """Return kind, level and text of each non-empty line."""
    return [(line.kind.name, line.level, line.text) for line in document.lines() if line.kind is not LineKind.BLANK]


def texts(name: str, data: bytes) -> list[str]:
    """Return the non-empty lines of a file."""
    return [text for _, _, text in shown(read_document(name, data))]


def read_or_refuse(name: str, data: bytes) -> None:
    """Read a damaged file: it has a text, or a reason that can be shown."""
    with suppress(DocumentError):
        read_document(name, data, seconds=5)


def ole_with_password() -> bytes:
    """Return the start of an office file with a password."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(496)
