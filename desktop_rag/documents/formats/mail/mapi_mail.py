"""Builds a `MailMessage` from the MAPI properties of a mail, its recipients and its attachments."""

from collections.abc import Iterable

from desktop_rag.documents.formats.mail.mail_message import Body, MailAttachment, MailMessage, mailbox_of
from desktop_rag.documents.formats.mail.mime import answered, date_of, header, ids_in, name_of_path, parse
from desktop_rag.documents.formats.mapi import MapiProperties, unpack_rtf
from desktop_rag.documents.formats.source_file import SourceFile
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
