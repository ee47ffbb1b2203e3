"""Reads single mails (.eml, .emlx) and mailboxes (.mbox), with a section for each mail."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format, suffix_of
from desktop_rag.documents.formats.mail.mail_message import append_mail, append_single_mail
from desktop_rag.documents.formats.mail.mime import mail_message_of, parse, parse_reencoded
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_NO_MAIL = "This file is damaged or not a mail."
_POSTMARK = re.compile(rb"^From [^\n]{0,200}\d\d:\d\d[^\n]{0,80}$", re.M)
_PLAIN_POSTMARK = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From ", re.M)
_ESCAPED = re.compile(rb"^>(?=>*From )", re.M)
_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:")
_WIDE_SAMPLE = 40  # bytes of the first header
_OUTLOOK_DATA = b"!BDN"
_APPLE_COUNT = re.compile(rb"\s*\d+\s*\n")


def read_mail(source: SourceFile, kind: Format) -> Document:
    """Return a mail; raises `DocumentError` if the file is not one."""
    wide = source.data[:_WIDE_SAMPLE].count(0) > _WIDE_SAMPLE // 3  # saved as UTF-16, as some Windows programs do
    data = (_as_utf8(source.data) if wide else source.data).lstrip(b"\xef\xbb\xbf\r\n\t ")
    if suffix_of(source.name) == "emlx" and (count := _APPLE_COUNT.match(data)):
        data = data[count.end() : count.end() + int(count[0])]
    if data.startswith(b"From "):
        return read_mailbox(source, kind)
    if not _HEADER.match(data):
        raise DocumentError(_NO_MAIL, ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        append_single_mail(mail_message_of(parse_reencoded(data) if wide else parse(data)), builder, source)
    return builder.build("This mail contains no text.")


def _as_utf8(data: bytes) -> bytes:
    try:
        return decode(data).encode()
    except DocumentError as error:
        raise DocumentError(_NO_MAIL, ProblemKind.DAMAGED) from error


def read_mailbox(source: SourceFile, kind: Format) -> Document:
    """Return the mails of a mailbox, a section each, up to the limits."""
    if source.data.startswith(_OUTLOOK_DATA):
        from desktop_rag.documents.formats.mail.pst import read_pst

        return read_pst(source, kind)
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        for number, data in enumerate(_messages(source.data), start=1):
            source.budget.check(builder.characters)
            mail = mail_message_of(parse(data))
            label = f"Message {number}: {mail.subject}" if mail.subject else f"Message {number}"
            builder.begin_section(label, apart=True)
            append_mail(mail, builder, source, label)
            builder.created = _later(builder.created, mail.sent_text)
    return builder.build("This mailbox contains no mails.")


def _later(one: str, other: str) -> str:
    """Return the later of two ISO timestamps; either may be empty; without an offset it is UTC."""

    def moment(text: str) -> datetime:
        found = datetime.fromisoformat(text)
        return found if found.tzinfo is not None else found.replace(tzinfo=UTC)

    return max(filter(None, (one, other)), key=moment, default="")


def _messages(data: bytes) -> Iterator[bytes]:
    marks = _POSTMARK if _POSTMARK.match(data) else _PLAIN_POSTMARK
    begin = -1
    for mark in marks.finditer(data):
        if begin >= 0:
            yield _unescaped(data[begin : mark.start()])
        begin = data.find(b"\n", mark.start()) + 1 or len(data)
    if begin < 0:
        raise DocumentError(_NO_MAIL if not _HEADER.match(data) else "This file is not a mailbox.", ProblemKind.DAMAGED)
    yield _unescaped(data[begin:])


def _unescaped(data: bytes) -> bytes:
    return _ESCAPED.sub(b"", data) if b"\n>" in data else data
