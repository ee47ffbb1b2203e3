"""Builds a `MailMessage` from the MAPI properties of a mail, its recipients and its attachments."""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.mail.mail_message import (
    Body,
    MailAttachment,
    MailMessage,
    append_single_mail,
    mailbox_of,
)
from desktop_rag.documents.formats.mail.mime import answered, date_of, header, ids_in, name_of_path, parse
from desktop_rag.documents.formats.mapi import MapiProperties, codec_of_code_page, unpack_rtf
from desktop_rag.documents.formats.source_file import MAX_ENTRIES, ReadBudget, SourceFile
from desktop_rag.documents.formats.web.html_page import decode_html
from desktop_rag.errors import DocumentError

ATTACHED = 0x3701  # the bytes of an attachment

_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
_SUBJECT, _BODY, _HTML, _RTF, _HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
_SENDER_NAMES, _SENDER_ADDRESSES = (0x0C1A, 0x0042), (0x5D01, 0x5D02, 0x0C1F, 0x0065)
_SENT, _DELIVERED = 0x0039, 0x0E06
_ID, _IN_REPLY_TO, _REFERENCES = 0x1035, 0x1042, 0x1039
_SHOWN = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
_NAME, _ADDRESSES, _KIND = 0x3001, (0x39FE, 0x3003), 0x0C15
_FILE_NAMES = (0x3707, 0x3704, 0x3001)


def mapi_mail(
    properties: MapiProperties,
    recipients: Iterable[MapiProperties],
    attachments: list[MailAttachment],
    source: SourceFile,
) -> MailMessage:
    """Return the mail with these properties; what they leave out is taken from its stored headers."""
    head = parse(properties.text(_HEADERS).encode("utf-8", "replace"))
    body = _body(properties, source)
    return MailMessage(
        people=[("From", _sender(properties) or header(head, "From")), *_people(properties, recipients)],
        subject=_subject(properties),
        sent=properties.timestamp(_SENT, _DELIVERED) or date_of(header(head, "Date")),
        bodies=[body] if body.plain or body.html else [],
        attachments=attachments,
        id=next(iter(ids_in(properties.line(_ID) or header(head, "Message-ID"))), ""),
        answers=answered(
            properties.line(_IN_REPLY_TO) or header(head, "In-Reply-To"),
            properties.line(_REFERENCES) or header(head, "References"),
        ),
    )


def attachment_name(properties: MapiProperties, number: int) -> str:
    """Return the file name of an attachment, else `Attachment` and its number."""
    return name_of_path(properties.line(*_FILE_NAMES)) or f"Attachment {number}"


def _subject(properties: MapiProperties) -> str:
    subject = properties.text(_SUBJECT)
    if subject[:1] == "\x01":  # and the length of its prefix, “Re: ” ([MS-PST], 2.5.3.1.1.1)
        subject = subject[2:]
    return " ".join(subject.split())


def _sender(properties: MapiProperties) -> str:
    addresses = (properties.line(tag) for tag in _SENDER_ADDRESSES)
    address = next((address for address in addresses if "@" in address), "")
    return mailbox_of(properties.line(*_SENDER_NAMES), address)


def _people(properties: MapiProperties, recipients: Iterable[MapiProperties]) -> list[tuple[str, str]]:
    """Return the recipient fields, from the recipients or else from Outlook's display fields."""
    people: dict[str, list[str]] = {name: [] for name in _SHOWN}
    for recipient in recipients:
        addresses = (recipient.line(tag) for tag in _ADDRESSES)
        address = next((address for address in addresses if "@" in address), "")
        kind = _KINDS.get(recipient.number(_KIND))
        if kind and (shown := mailbox_of(recipient.line(_NAME), address)):
            people[kind].append(shown)
    return [(kind, ", ".join(people[kind]) or properties.line(tag)) for kind, tag in _SHOWN.items()]


def _body(properties: MapiProperties, source: SourceFile) -> Body:
    plain = properties.text(_BODY)
    page = properties.binary(_HTML)
    html = decode_html(page, properties.html_code_page) if page else properties.text(_HTML)
    if not plain.strip() and not html and (rich := unpack_rtf(properties.binary(_RTF))):
        try:
            plain = source.read_member("body.rtf", rich).text
        except DocumentError:
            plain = ""
    return Body(plain, html)


# Reads TNEF ([MS-OXTNEF]): the file winmail.dat, in which Outlook sends the text and the attachments of a mail.

_SIGNATURE = struct.pack("<I", 0x223E9F78)
_ATTRIBUTE = struct.Struct("<BII")  # level, id and length
_FIRST = 6  # after the signature and the key
_TNEF_SUBJECT, _TNEF_BODY, _PROPERTIES, _CODE_PAGE, _RECIPIENTS = 0x18004, 0x2800C, 0x69003, 0x69007, 0x69004
_NEXT_ATTACHMENT, _TITLE, _DATA, _ATTACHMENT_PROPERTIES = 0x69002, 0x18010, 0x6800F, 0x69005
_UNICODE, _ANSI, _OBJECT, _BINARY = 0x1F, 0x1E, 0x0D, 0x102
_MANY = 0x1000  # bit of the type of a property with several values
_SIZES = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 0xA: 4, 0xB: 4, 0x14: 8, 0x40: 8, 0x48: 16}
_NAMED = 0x8000  # tags from here on have a name
_INTERFACE = 16  # bytes in front of an embedded mail
_MAX_PROPERTIES = 10_000
_TAGS = {_TNEF_SUBJECT: 0x0037, _TNEF_BODY: 0x1000, _TITLE: 0x3707}  # the properties that attributes stand for


class _TnefProperties(MapiProperties):
    def __init__(self, code_page: str = "") -> None:
        self._stored: dict[tuple[int, int], bytes] = {}
        self.code_page = self.html_code_page = code_page

    def stored(self, tag: int, kind: int) -> bytes:
        return self._stored.get((tag, kind), b"")

    def fixed(self, tag: int, kind: int) -> int:
        return int.from_bytes(self._stored.get((tag, kind), b""), "little")

    def put(self, tag: int, kind: int, data: bytes) -> None:
        self._stored.setdefault((tag, kind), data)


@dataclass(slots=True)
class _Item:
    """What the attributes of a mail hold."""

    properties: _TnefProperties
    recipients: list[_TnefProperties] = field(default_factory=list)
    attachments: list[_TnefProperties] = field(default_factory=list)


def is_tnef(data: bytes) -> bool:
    """Return whether `data` starts like a winmail.dat."""
    return data.startswith(_SIGNATURE)


def read_tnef(source: SourceFile, kind: Format) -> Document:
    """Return the mail in a winmail.dat, with its attachments."""
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        append_single_mail(_mail(source.data, source, 0), builder, source)
    return builder.build("This mail contains no text.")


def _mail(data: bytes, source: SourceFile, depth: int) -> MailMessage:
    item = _item(data, source.budget)
    attachments: list[MailAttachment] = []
    for number, properties in enumerate(item.attachments, start=1):
        name = attachment_name(properties, number)
        embedded = properties.stored(ATTACHED, _OBJECT)[_INTERFACE:]
        if is_tnef(embedded):
            attachments.append(MailAttachment(name, bytes, mail=partial(_mail, embedded, source, depth + 1)))
        else:
            content = properties.binary(ATTACHED)
            attachments.append(MailAttachment(name, partial(bytes, content), len(content)))
    return mapi_mail(item.properties, item.recipients, attachments, source)


def _item(data: bytes, budget: ReadBudget) -> _Item:
    item = _Item(_TnefProperties())
    for identifier, value in _attributes(data):
        budget.check()
        target = item.attachments[-1] if item.attachments else item.properties
        if identifier == _CODE_PAGE:
            item.properties.code_page = codec_of_code_page(int.from_bytes(value[:4], "little"))
        elif identifier == _NEXT_ATTACHMENT:
            item.attachments.append(_TnefProperties(item.properties.code_page))
        elif identifier == _DATA:
            target.put(ATTACHED, _BINARY, value)
        elif identifier in _TAGS:
            target.put(_TAGS[identifier], _ANSI, value)
        elif identifier == _PROPERTIES:
            _read_properties(value, 0, item.properties, budget)
            item.properties.find_code_pages(item.properties.code_page)
        elif identifier == _ATTACHMENT_PROPERTIES:
            _read_properties(value, 0, target, budget)
        elif identifier == _RECIPIENTS:
            item.recipients += _recipients(value, item.properties.code_page, budget)
    return item


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    position = _FIRST
    for _ in range(MAX_ENTRIES):
        if position + _ATTRIBUTE.size > len(data):
            return
        _, identifier, length = _ATTRIBUTE.unpack_from(data, position)
        position += _ATTRIBUTE.size
        yield identifier, data[position : position + length]
        position += length + 2  # a checksum


def _recipients(data: bytes, code_page: str, budget: ReadBudget) -> Iterator[_TnefProperties]:
    position = 4
    for _ in range(min(_MAX_PROPERTIES, int.from_bytes(data[:4], "little"))):
        if position >= len(data):
            return
        recipient = _TnefProperties(code_page)
        position = _read_properties(data, position, recipient, budget)
        yield recipient


def _read_properties(data: bytes, position: int, properties: _TnefProperties, budget: ReadBudget) -> int:
    """Read a list of properties at `position` and return where it ends; stops at the first damage."""
    count = int.from_bytes(data[position : position + 4], "little")
    position += 4
    for _ in range(min(count, _MAX_PROPERTIES)):
        if position + 4 > len(data):
            break
        budget.check()
        kind, tag = struct.unpack_from("<HH", data, position)
        position = _after_name(data, position + 4) if tag >= _NAMED else position + 4
        single = kind & ~_MANY
        if kind & _MANY or single in (_UNICODE, _ANSI, _OBJECT, _BINARY):
            values = int.from_bytes(data[position : position + 4], "little")
            position += 4
            for number in range(min(values, _MAX_PROPERTIES)):
                size = _SIZES.get(single, 0)
                if not size:
                    size = int.from_bytes(data[position : position + 4], "little")
                    position += 4
                if number == 0 and tag < _NAMED:
                    properties.put(tag, single, data[position : position + size])
                position += size + -size % 4
                if position > len(data):
                    return len(data)
        elif single in _SIZES:
            properties.put(tag, kind, data[position : position + _SIZES[single]])
            position += _SIZES[single]
        else:
            return len(data)
    return position


def _after_name(data: bytes, position: int) -> int:
    """Return where the value of a named property begins: after a GUID and a number or a padded text."""
    by_text = int.from_bytes(data[position + 16 : position + 20], "little")
    size = int.from_bytes(data[position + 20 : position + 24], "little")
    return position + 24 + (size + -size % 4 if by_text else 0)
