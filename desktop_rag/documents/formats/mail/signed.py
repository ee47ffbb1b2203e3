"""Unwraps what is signed with S/MIME or CAdES (RFC 5652): mails, and files such as “Invoice.pdf.p7m”.

The signature is not checked.
"""

import base64
import binascii
import re
from collections.abc import Iterator

from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format, format_of
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_SEQUENCE, _CONTEXT, _OCTETS, _IDENTIFIER, _CONSTRUCTED = 0x30, 0xA0, 0x04, 0x06, 0x20
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_ENCRYPTED = tuple(map(bytes.fromhex, ("2a864886f70d010703", "2a864886f70d010706", "2a864886f70d0109100117")))
_PEM = re.compile(rb"-----BEGIN [A-Z0-9 ]+-----(.+?)-----END", re.S)
_BASE64 = re.compile(rb"M[A-Za-z0-9+/=\s]+")
_HEADER = re.compile(rb"[!-9;-~]{1,80}[ \t]*:")
_MAX_DEPTH, _MAX_PIECES = 8, 2_000_000


def read_signed(source: SourceFile, kind: Format) -> Document:
    """Return the document of the signed mail or file; raises `DocumentError` if it is encrypted or only a signature."""
    if _HEADER.match(source.data):
        return source.read_member("mail.eml", source.data, source.label_prefix)
    data = unarmoured(source.data)
    if data[:1] != bytes((_SEQUENCE,)):
        raise DocumentError("This file is damaged or not a signed mail or file.", ProblemKind.DAMAGED)
    content = signed_content(data)
    if content is None:
        if is_encrypted_for_someone(data):
            raise DocumentError(
                "This mail or file is encrypted; save it decrypted to have it read.", ProblemKind.PROTECTED
            )
        raise DocumentError("This file holds only a signature, not what was signed.", ProblemKind.EMPTY)
    source.budget.count_unpacked(len(content), len(data))
    inner = source.name[:-4] if source.name.lower().endswith((".p7m", ".p7s")) else source.name
    if format_of(inner) is None and _HEADER.match(content):
        inner = "mail.eml"
    return source.read_member(inner, content, source.label_prefix)


def unarmoured(data: bytes) -> bytes:
    """Return the bytes of a file that may be PEM or Base64."""
    if data[:1] != bytes((_SEQUENCE,)) and (armour := _PEM.search(data)):
        data = armour[1].strip()
    if _BASE64.fullmatch(data):
        try:
            return base64.b64decode(data)
        except binascii.Error:
            return data
    return data


def signed_content(data: bytes) -> bytes | None:
    """Return what is signed, or None if it is not inside, or not signed data."""
    identifier, signed = _content_info(data)
    if identifier != _SIGNED_DATA:
        return None
    fields = [value for tag, value in _values(signed) if tag == _SEQUENCE]
    if not fields:
        return None
    for tag, value in _values(fields[0]):
        if tag == _CONTEXT:
            return b"".join(_octets(value, 0)) or None
    return None


def is_encrypted_for_someone(data: bytes) -> bool:
    """Return whether the data is encrypted."""
    return _content_info(data)[0] in _ENCRYPTED


def _content_info(data: bytes) -> tuple[bytes, bytes]:
    """Return the identifier of the kind of content, and the fields of its sequence."""
    outer = next(_values(data), (0, b""))
    identifier = b""
    for tag, value in _values(outer[1]):
        if tag == _IDENTIFIER:
            identifier = value
        elif tag == _CONTEXT:
            return identifier, next(_values(value), (0, b""))[1]
    return identifier, b""


def _octets(data: bytes, depth: int) -> Iterator[bytes]:
    """Yield the pieces of an octet string, which may consist of others."""
    for tag, value in _values(data):
        if tag == _OCTETS:
            yield value
        elif tag == _OCTETS | _CONSTRUCTED and depth < _MAX_DEPTH:
            yield from _octets(value, depth + 1)


def _values(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield tag and contents of each BER value, up to the first damage or the end of contents."""
    position = 0
    for _ in range(_MAX_PIECES):
        head = _head(data, position)
        if head is None or data[position] == 0:
            return
        start, size = head
        if size is None:
            end = _end_of_contents(data, start)
            yield data[position], data[start:end]
            position = end + 2
        else:
            yield data[position], data[start : start + size]
            position = start + size


def _head(data: bytes, position: int) -> tuple[int, int | None] | None:
    """Return where the contents of a value begin and their size, None if it is indefinite; None at the end."""
    if position + 2 > len(data):
        return None
    length = data[position + 1]
    if length < 0x80:
        return position + 2, length
    if length == 0x80:
        return position + 2, None
    count = length & 0x7F
    if count > 8:
        return None
    return position + 2 + count, int.from_bytes(data[position + 2 : position + 2 + count], "big")


def _end_of_contents(data: bytes, position: int) -> int:
    """Return where the contents of indefinite size that begin at `position` end."""
    open_values = 1
    for _ in range(_MAX_PIECES):
        head = _head(data, position)
        if head is None:
            return len(data)
        if data[position] == 0 and head[1] == 0:
            open_values -= 1
            if not open_values:
                return position
        if head[1] is None:
            open_values += 1
        position = head[0] + (head[1] or 0)
    return len(data)
