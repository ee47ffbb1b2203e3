"""Parses Internet mail (RFC 5322, MIME), tolerating broken headers and encodings."""

import base64
import binascii
import email.errors
import email.header
import email.parser
import email.utils
import mimetypes
import re
from collections.abc import Iterator
from datetime import datetime
from email.message import Message
from functools import partial

from desktop_rag.documents.decoding.charsets import codec_name, decode_leniently
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format, format_of
from desktop_rag.documents.formats.mail.mail_message import Body, MailAttachment, MailMessage
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.text.display import label_of

# Unwraps what is signed with S/MIME or CAdES (RFC 5652): mails, and files such as “Invoice.pdf.p7m”.
#
# The signature is not checked.

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


_PEOPLE = ("From", "To", "Cc", "Bcc")
_LABELS = ("Keywords", "X-Keywords", "X-Gmail-Labels", "X-Label")  # of RFC 5322, Dovecot, Google Takeout, mutt
_MAX_HEADER = 20_000  # characters per header; address lists may be long
_MAX_PARTS = 5_000
_MAX_ANSWERED = 50  # earlier mails of a thread
_ID = re.compile(r"<([^<>]{3,900})>")
_BARE_ID = re.compile(r"[^<>\s\"]{1,900}@[^<>\s\"]{1,900}")
_RICH = ("text/enriched", "text/richtext")
_TEXTS = ("text/plain", "text/html", *_RICH)
_ENRICHED = re.compile(r"<(?:/?[\w-]{1,60}>|(<))")  # RFC 1896: marks, and a sign that is doubled
_BOUNDARY = re.compile(rb"^--([\w'()+,./:=?-]{1,70})[ \t]*\r?$", re.MULTILINE)
_UUENCODED = re.compile(
    r"^begin [0-7]{3,4} (?P<name>[^\r\n]{1,255})\r?\n(?P<lines>(?:[ -`]{1,86}\r?\n){1,1000000})end[ \t]*\r?$",
    re.MULTILINE,
)
_SUFFIXES = {  # where `mimetypes` gives another suffix or none
    "text/plain": ".txt",
    "text/html": ".html",
    "text/calendar": ".ics",
    "text/vcard": ".vcf",
    "text/x-vcard": ".vcf",
    "application/pdf": ".pdf",
    "application/ics": ".ics",
    "application/ms-tnef": ".tnef",
    "application/pkcs7-mime": ".p7m",
}
_SIGNED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_UNPACKED = ("", "7bit", "8bit", "binary")  # transfer encodings that leave the text as it is


def parse(data: bytes) -> "Message[str, str]":
    """Return the tree of parts of a mail, even of a malformed one."""
    try:
        return email.parser.BytesParser().parsebytes(data)
    except RecursionError as error:
        raise DocumentError("This mail is nested too deeply to be read.", ProblemKind.LIMIT) from error


def parse_reencoded(data: bytes) -> "Message[str, str]":
    """Return the parts of a mail that was converted to UTF-8 as a whole, whatever encodings its parts declare."""
    message = parse(data)
    for part in message.walk():
        unpacked = str(part.get("Content-Transfer-Encoding", "")).strip().lower() in _UNPACKED
        if unpacked and part.get_content_maintype() == "text":
            part.set_param("charset", "utf-8")
    return message


def mail_message_of(message: "Message[str, str]") -> MailMessage:
    """Return a parsed mail; its attachments are decoded later."""
    date = header(message, "Date")
    bodies: list[Body] = []
    attachments: list[MailAttachment] = []
    for part in _parts(message):
        kind = part.get_content_type()
        if kind == "multipart/alternative":
            bodies.append(_alternative(part, attachments))
        elif kind in _TEXTS and not _is_attached(part):
            text = text_of(part)
            if kind == "text/plain" and "begin " in text:
                text, files = uuencoded_files(text)
                attachments += (MailAttachment(name, partial(bytes, data), len(data)) for name, data in files)
            bodies.append(Body(html=text) if kind == "text/html" else Body(text))
        elif kind == "message/delivery-status":
            bodies.append(Body("\n".join(_report_lines(part))))
        elif kind == "text/rfc822-headers":
            returned = parse(data_of(part).lstrip())
            bodies.append(Body("\n".join(f"{name}: {decoded_header(str(value))}" for name, value in returned.items())))
        else:
            attachments.append(_attachment(part, len(attachments) + 1))
    return MailMessage(
        people=[(name, header(message, name)) for name in _PEOPLE],
        subject=header(message, "Subject"),
        sent=date_of(date),
        unparsed_date=date,
        bodies=bodies,
        attachments=attachments,
        id=next(iter(ids_in(header(message, "Message-ID"))), ""),
        answers=answered(header(message, "In-Reply-To"), header(message, "References")),
        labels=",".join(header(message, name) for name in _LABELS),
    )


def _report_lines(part: "Message[str, str]") -> Iterator[str]:
    """Yield the fields of a delivery report, and the prose that some servers write into it."""
    for block in _blocks(part):
        yield from (f"{name}: {value}" for name, value in block.items())
        if isinstance(prose := block.get_payload(), str) and prose.strip():
            yield prose.strip("\r\n")


def uuencoded_files(text: str) -> tuple[str, list[tuple[str, bytes]]]:
    """Return a text without the files that are written into it by uuencode, and these by name."""
    files: list[tuple[str, bytes]] = []

    def taken(found: re.Match[str]) -> str:
        try:
            data = b"".join(map(binascii.a2b_uu, found["lines"].encode("ascii").splitlines()))
        except (ValueError, binascii.Error):
            return found.group()
        files.append((name_of_path(found["name"]), data))
        return ""

    return _UUENCODED.sub(taken, text), files


def ids_in(text: str) -> list[str]:
    """Return the message ids in a header (RFC 5322, 3.6.4), without brackets and folding."""
    return ["".join(found.split()) for found in _ID.findall(text) or _BARE_ID.findall(text)]


def answered(in_reply_to: str, references: str) -> tuple[str, ...]:
    """Return the ids of earlier mails in the thread, the nearest first."""
    every = [*ids_in(in_reply_to), *reversed(ids_in(references))]
    return tuple(dict.fromkeys(every))[:_MAX_ANSWERED]


def _alternative(parent: "Message[str, str]", attachments: list[MailAttachment]) -> Body:
    """Return the alternatives of one text; other parts are added to `attachments`."""
    plain: list[str] = []
    html: list[str] = []
    for part in _parts(parent, inside=True):
        kind = part.get_content_type()
        if kind in _TEXTS and not _is_attached(part):
            if kind not in _RICH or not plain:
                (html if kind == "text/html" else plain).append(text_of(part))
        else:
            attachments.append(_attachment(part, len(attachments) + 1))
    return Body("\n\n".join(plain), "\n".join(html))


def header(message: "Message[str, str]", name: str) -> str:
    """Return the first header of this name, decoded, in one line."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return decoded_header(str(raw))


def decoded_header(raw: str) -> str:
    """Return the text of a header, with encoded words (RFC 2047) and non-ASCII bytes decoded."""
    raw = raw[:_MAX_HEADER]
    if not raw.isascii():
        raw = _decoded(raw.encode("utf-8", "surrogateescape"), "")
    if "=?" in raw:
        try:
            pieces = email.header.decode_header(raw)
        except (email.errors.HeaderParseError, ValueError):
            pieces = [(raw, None)]
        raw = "".join(_piece(*piece) for piece in pieces)
    return " ".join(clean(raw).split())


def _piece(piece: str | bytes, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    return _decoded(piece, charset) if charset else piece.decode("raw_unicode_escape", "replace")


def date_of(text: str) -> datetime | None:
    """Return the date-time of a Date header, or None if it is malformed."""
    try:
        return email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def text_of(part: "Message[str, str]") -> str:
    """Return the decoded text of a part."""
    data = data_of(part)
    charset = str(part.get_content_charset("") or "")
    text = _decoded(data, charset)
    if part.get_content_type() in _RICH:
        return _ENRICHED.sub(r"\1", text)
    if part.get_content_type() == "text/plain" and str(part.get_param("format", "")).lower() == "flowed":
        return _unfolded(text, deleted=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def data_of(part: "Message[str, str]") -> bytes:
    """Return the bytes of a part without its transfer encoding; empty if that is invalid."""
    try:
        data = _payload(part, decode=True)
    except (ValueError, LookupError):
        data = None
    return data if isinstance(data, bytes) else b""


def name_of(part: "Message[str, str]") -> str:
    """Return the file name declared by a part."""
    try:
        declared = part.get_filename("") or ""
    except (ValueError, LookupError, TypeError):
        declared = ""
    return name_of_path(decoded_header(str(declared)))


def name_of_path(path: str) -> str:
    """Return the last component of an untrusted path as one line; use it only as a label."""
    return label_of(path.replace("\\", "/").rsplit("/", 1)[-1])


def _decoded(data: bytes, charset: str) -> str:
    if data.isascii() and not codec_name(charset).startswith(("iso2022", "hz", "utf-7", "utf-16", "utf-32")):
        return data.decode("ascii")
    return decode_leniently(data, charset)


def _unfolded(text: str, *, deleted: bool) -> str:
    """Return format=flowed text with its soft line breaks, those after a space, removed (RFC 3676)."""
    lines: list[str] = []
    open_line = False
    for line in text.replace("\r\n", "\n").split("\n"):
        line = line.removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        quoted = line.startswith(">")
        content = line[:-1] if flows and deleted else line
        if open_line and not quoted:
            lines[-1] += content
        else:
            lines.append(content)
        open_line = flows and not quoted
    return "\n".join(lines)


def _parts(message: "Message[str, str]", *, inside: bool = False) -> "Iterator[Message[str, str]]":
    """Yield the leaf parts; multipart/alternative counts as one unless `inside` is set."""
    waiting = [message]
    for _ in range(_MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        whole = part.get_content_type() == "multipart/alternative" and not inside
        if part.get_content_maintype() == "multipart" and not part.is_multipart():
            part = _divided(part)
        if part.get_content_maintype() == "multipart" and part.is_multipart() and not whole:
            waiting.extend(reversed(_blocks(part)))
        elif part.get_content_type() in _SIGNED and (content := signed_content(data_of(part))) is not None:
            waiting.append(parse(content))
        else:
            yield part


def _divided(part: "Message[str, str]") -> "Message[str, str]":
    """Return a multipart that the parser did not divide: it is in base64, or its lines name another boundary."""
    data = data_of(part) or str(_payload(part)).encode("utf-8", "surrogateescape")
    found = _BOUNDARY.search(data)
    if found is None:
        return part
    kind = part.get_content_type().encode()
    again = parse(b'Content-Type: %b; boundary="%b"\n\n%b' % (kind, found[1], data[found.start() :]))
    return again if again.is_multipart() else part


def _blocks(part: "Message[str, str]") -> "list[Message[str, str]]":
    payload = _payload(part)
    return [block for block in payload if isinstance(block, Message)] if isinstance(payload, list) else []


def _is_attached(part: "Message[str, str]") -> bool:
    return part.get_content_disposition() == "attachment" or bool(name_of(part))


def _attachment(part: "Message[str, str]", number: int) -> MailAttachment:
    kind = part.get_content_type()
    name = name_of(part)
    if kind == "message/rfc822" and (inner := _inner_mail(part)) is not None:
        subject = header(inner, "Subject")
        return MailAttachment(name or subject or f"Message {number}", bytes, mail=lambda: mail_message_of(inner))
    if not name:
        suffix = _SUFFIXES.get(kind) or mimetypes.guess_extension(kind, strict=False) or ""
        name = f"Part {number}{suffix}"
    payload = _payload(part)
    return MailAttachment(name, lambda: data_of(part), len(payload) if isinstance(payload, str) else 0)


def _inner_mail(part: "Message[str, str]") -> "Message[str, str] | None":
    """Return the mail inside a part, also one that is encoded, which RFC 2046 does not allow."""
    inner = next(iter(_blocks(part)), None)
    text = inner.get_payload() if inner is not None else None
    is_quoted = str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "quoted-printable"
    if inner is not None and isinstance(text, str) and is_quoted and "Content-Transfer-Encoding" not in inner:
        text = "\n".join([*(f"{name}: {value}" for name, value in inner.raw_items()), "", text])
    if inner is not None and isinstance(text, str) and (is_quoted or not inner.keys()):
        encoded = Message()
        encoded["Content-Transfer-Encoding"] = str(part.get("Content-Transfer-Encoding", ""))
        encoded.set_payload(text)
        return parse(data_of(encoded))
    return inner


def _payload(part: "Message[str, str]", *, decode: bool = False) -> object:
    """Return what a part holds; an encoding whose name is none, such as one with a NUL, counts as not declared."""
    try:
        return part.get_payload(decode=True) if decode else part.get_payload()
    except (ValueError, LookupError):
        part.del_param("charset")
        return part.get_payload(decode=True) if decode else part.get_payload()
