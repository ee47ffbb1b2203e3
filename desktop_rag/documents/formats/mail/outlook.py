"""Reads mails saved by Outlook (.msg): fields, text, attachments and attached mails."""

import io
from collections.abc import Iterator
from functools import partial

import olefile

from desktop_rag.documents import file_signatures
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.mail.mail_files import read_mail
from desktop_rag.documents.formats.mail.mail_message import (
    Body,
    MailAttachment,
    MailMessage,
    append_single_mail,
    mailbox_of,
)
from desktop_rag.documents.formats.mail.mapi import BROKEN, Properties, unpack_rtf
from desktop_rag.documents.formats.mail.mime import answered, date_of, header, ids_in, name_of_path, parse
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import decode_html
from desktop_rag.errors import DocumentError

_NO_MAIL = "This file is damaged or not an Outlook mail."
_TOP, _INNER, _PART = 32, 24, 8  # header bytes of the property stream of the mail, of attached mails, of other storages
_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
_EMBEDDED = "__substg1.0_3701000D"
_SUBJECT, _BODY, _HTML, _RTF, _HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
_SENDER_NAMES, _SENDER_ADDRESSES = (0x0C1A, 0x0042), (0x5D01, 0x5D02, 0x0C1F, 0x0065)
_SENT, _DELIVERED = 0x0039, 0x0E06
_ID, _IN_REPLY_TO, _REFERENCES = 0x1035, 0x1042, 0x1039
_SHOWN = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
_NAME, _ADDRESSES, _KIND = 0x3001, (0x39FE, 0x3003), 0x0C15
_FILE_NAMES, _DATA = (0x3707, 0x3704, 0x3001), 0x3701


def read_msg(source: SourceFile, kind: Format) -> Document:
    """Return a mail saved by Outlook; raises `DocumentError` if the file is not one."""
    if not source.data.startswith(file_signatures.OLE):  # other programs save MIME mails under this suffix
        return read_mail(source, kind)
    builder = DocumentBuilder(kind)
    try:
        file = olefile.OleFileIO(io.BytesIO(source.data))
        storages = _storages(file)
    except BROKEN as error:
        raise DocumentError(_NO_MAIL) from error
    if () not in storages:
        raise DocumentError(_NO_MAIL)
    with source.keep_partial(builder):
        append_single_mail(_Mails(file, storages, source).mail((), _TOP), builder, source)
    return builder.build("This mail contains no text.")


def _storages(file: olefile.OleFileIO) -> dict[tuple[str, ...], list[str]]:
    """Return the storages with properties, each with the names of its sub-storages."""
    found: dict[tuple[str, ...], list[str]] = {}
    for *path, name in file.listdir(streams=True, storages=False):
        if name == "__properties_version1.0":
            found.setdefault(tuple(path), [])
            if path:
                found.setdefault(tuple(path[:-1]), []).append(path[-1])
    return found


class _Mails:
    """Parses the mail in a file and its attached mails."""

    def __init__(self, file: olefile.OleFileIO, storages: dict[tuple[str, ...], list[str]], source: SourceFile) -> None:
        self._file = file
        self._storages = storages
        self._source = source

    def mail(self, path: tuple[str, ...], top: int) -> MailMessage:
        properties = Properties(self._file, path, top)
        subject = properties.line(_SUBJECT)
        head = parse(properties.text(_HEADERS).encode("utf-8", "replace"))
        body = self._body(properties)
        return MailMessage(
            people=[("From", self._sender(properties) or header(head, "From")), *self._recipients(path, properties)],
            subject=subject,
            sent=properties.timestamp(_SENT, _DELIVERED) or date_of(header(head, "Date")),
            bodies=[body] if body.plain or body.html else [],
            attachments=list(self._attachments(path, properties.code_page)),
            id=next(iter(ids_in(properties.line(_ID) or header(head, "Message-ID"))), ""),
            answers=answered(
                properties.line(_IN_REPLY_TO) or header(head, "In-Reply-To"),
                properties.line(_REFERENCES) or header(head, "References"),
            ),
        )

    def _sender(self, properties: Properties) -> str:
        addresses = (properties.line(tag) for tag in _SENDER_ADDRESSES)
        address = next((address for address in addresses if "@" in address), "")
        return mailbox_of(properties.line(*_SENDER_NAMES), address)

    def _recipients(self, path: tuple[str, ...], properties: Properties) -> list[tuple[str, str]]:
        """Return the recipient fields, from the recipient storages or else from Outlook's display fields."""
        people: dict[str, list[str]] = {name: [] for name in _SHOWN}
        for name in self._inside(path, "__recip_version1.0_"):
            recipient = Properties(self._file, (*path, name), _PART, properties.code_page)
            addresses = (recipient.line(tag) for tag in _ADDRESSES)
            address = next((address for address in addresses if "@" in address), "")
            kind = _KINDS.get(recipient.number(_KIND))
            if kind and (shown := mailbox_of(recipient.line(_NAME), address)):
                people[kind].append(shown)
        return [(kind, ", ".join(people[kind]) or properties.line(tag)) for kind, tag in _SHOWN.items()]

    def _body(self, properties: Properties) -> Body:
        plain = properties.text(_BODY)
        page = properties.binary(_HTML)
        html = decode_html(page, properties.html_code_page) if page else properties.text(_HTML)
        if not plain.strip() and not html and (rich := unpack_rtf(properties.binary(_RTF))):
            try:
                plain = self._source.read_member("body.rtf", rich).text
            except DocumentError:
                plain = ""
        return Body(plain, html)

    def _attachments(self, path: tuple[str, ...], code_page: str) -> Iterator[MailAttachment]:
        for number, name in enumerate(self._inside(path, "__attach_version1.0_"), start=1):
            inside = (*path, name)
            properties = Properties(self._file, inside, _PART, code_page)
            file_name = name_of_path(properties.line(*_FILE_NAMES)) or f"Attachment {number}"
            if (*inside, _EMBEDDED) in self._storages:
                mail = partial(self.mail, (*inside, _EMBEDDED), _INNER)
                yield MailAttachment(file_name, bytes, mail=mail)
            else:
                yield MailAttachment(file_name, partial(properties.binary, _DATA), properties.size(_DATA))

    def _inside(self, path: tuple[str, ...], beginning: str) -> list[str]:
        return sorted(name for name in self._storages.get(path, ()) if name.lower().startswith(beginning))
