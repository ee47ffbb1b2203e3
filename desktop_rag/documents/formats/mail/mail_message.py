"""A mail independent of its file format, and how it is appended to a document: fields, text, attachments."""

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Line, LineKind, MailHeader
from desktop_rag.documents.file_types import Format, format_of, suffix_of
from desktop_rag.documents.formats.inline_text import mark_hidden, without_hidden
from desktop_rag.documents.formats.source_file import MAX_NESTING, ReadLimitReached, SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage
from desktop_rag.documents.formats.web.html_text import HtmlTextExtractor
from desktop_rag.errors import DocumentError
from desktop_rag.text.display import label_of

_QUOTED = re.compile(r"(?:>[ \t]?)+")
_WORD = re.compile(r"[^\W\d_]{3,}|\d[\d.,:/-]*\d|\d")
_FIGURE = re.compile(r"\d")
_ADDRESS = re.compile(r"[^\s<>]*(?:://|@)\S*")
_REFERENCE = re.compile(r"\[\d{1,3}\]")  # by which programs number the links of a page
_FEW_WORDS, _SHARED = 5, 1 / 3  # words of a line; the part of them that both alternatives have
_MISSING = 0.2  # of the words of the HTML; with more missing, the plain text is not the mail
_CHECKED_EVERY = 200  # lines


@dataclass(frozen=True, slots=True)
class MailAttachment:
    """An attachment: a file that `load` decodes from `packed` bytes, or another mail."""

    name: str
    load: Callable[[], bytes]
    packed: int = 0
    mail: "Callable[[], MailMessage] | None" = None


@dataclass(frozen=True, slots=True)
class Body:
    """A part of a mail's text, as plain text, HTML or both."""

    plain: str = ""
    html: str = ""


@dataclass(frozen=True, slots=True)
class MailMessage:
    """One mail; `answers` are the ids before it in its thread, the nearest first."""

    people: Sequence[tuple[str, str]]  # the fields From, To, Cc and Bcc
    subject: str = ""
    sent: datetime | None = None
    unparsed_date: str = ""  # the Date header where it names no moment
    bodies: list[Body] = field(default_factory=list)
    attachments: list[MailAttachment] = field(default_factory=list)
    id: str = ""
    answers: tuple[str, ...] = ()
    labels: str = ""  # separated by commas

    @property
    def author(self) -> str:
        """Return the From field."""
        return dict(self.people).get("From", "")

    @property
    def sent_text(self) -> str:
        """Return the moment it was sent in ISO form, with the offset from UTC if known; empty if unknown."""
        return self.sent.isoformat(timespec="seconds") if self.sent else ""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Return the fields to show, without empty ones."""
        date = self.sent.strftime("%Y-%m-%d %H:%M %z").strip() if self.sent else self.unparsed_date
        return [(name, value) for name, value in (*self.people, ("Date", date), ("Subject", self.subject)) if value]


def mailbox_of(name: str, address: str) -> str:
    """Return `Name <address>`, or the one of both that is known."""
    return f"{name} <{address}>" if name and address and name != address else name or address


def append_single_mail(mail: MailMessage, builder: DocumentBuilder, source: SourceFile) -> None:
    """Append the only mail of a file and take the metadata of the document from it."""
    builder.title, builder.author = mail.subject, mail.author
    builder.created = mail.sent_text
    append_mail(mail, builder, source, source.label_prefix or mail.subject or source.name)


def append_mail(mail: MailMessage, builder: DocumentBuilder, source: SourceFile, label: str, depth: int = 0) -> None:
    """Append a mail, then each of its attachments as the section `label › name`."""
    people = dict(mail.people)
    copies = ", ".join(filter(None, (people.get("Cc"), people.get("Bcc"))))
    first_line = len(builder) + 1
    builder.tags += listed_tags(mail.labels)
    try:
        _append_parts(mail, builder, source, label, depth)
    finally:  # also of a mail that is not read to its end
        if len(builder) >= first_line:
            builder.add_mail(
                MailHeader(first_line, 0, mail.author, people.get("To", ""), copies, mail.subject, mail.sent_text)
            )


def _append_parts(mail: MailMessage, builder: DocumentBuilder, source: SourceFile, label: str, depth: int) -> None:
    first_line = len(builder) + 1
    for name, value in mail.fields:
        builder.add(Line(f"{name}: {value}", LineKind.FIELD))
    if mail.attachments:
        names = ", ".join(label_of(attachment.name) for attachment in mail.attachments)
        builder.add(Line(f"Attachments: {names}", LineKind.FIELD))
    for body in mail.bodies:
        builder.add_blank()
        _append_body(body, builder, source)
    builder.add_message(first_line, mail.id, mail.answers)
    for attachment in mail.attachments:
        source.budget.check(builder.characters)
        _append_attachment(attachment, builder, source, f"{label} › {attachment.name}", depth)


def _append_attachment(
    attachment: MailAttachment, builder: DocumentBuilder, source: SourceFile, label: str, depth: int
) -> None:
    if attachment.mail is not None:
        if source.depth + depth >= MAX_NESTING:
            raise ReadLimitReached("Mails nested this deeply in other mails are not read.")
        builder.begin_section(label, apart=True)
        append_mail(attachment.mail(), builder, source, label, depth + 1)
        return
    if not suffix_of(attachment.name) or format_of(attachment.name) in (None, Format.PICTURE):
        return  # its name is listed in the fields
    source.budget.count_unpacked(attachment.packed, attachment.packed)
    builder.add_blank()
    try:
        document = source.read_member(attachment.name, attachment.load(), label)
    except DocumentError as error:
        builder.begin_section(label)
        builder.add(Line(f"{label_of(attachment.name)}: {error}"))
        return
    builder.include(document, label)
    if document.partial:
        builder.leave_out(f"{label_of(attachment.name)}: {document.partial}", document.partial_kind)


def _append_body(body: Body, builder: DocumentBuilder, source: SourceFile) -> None:
    """Append what mail programs show, the HTML, or the plain text where that says the same: it has no layout.

    Lines of the plain text that say something else are marked as hidden.
    """
    plain = clean(body.plain).strip("\n")
    root = HtmlPage(body.html).root if body.html else None
    lines = plain.split("\n") if plain.strip() else []
    shown = _words_shown(root, source) if root is not None and lines else ()
    seen = frozenset(shown)
    if root is not None and (not lines or _says_more(shown, plain)):
        HtmlTextExtractor(builder, source.budget, keep_boilerplate=True).read(root)
        unlike = [line for line in lines if _is_unlike(line, seen)]
        if unlike:
            builder.add_blank()
        lines = unlike
    for number, line in enumerate(lines):
        if number % _CHECKED_EVERY == 0:
            source.budget.check(builder.characters)
        if seen and _is_unlike(line, seen):
            line = mark_hidden(line)
        if not line.strip():
            builder.add_blank()
        elif quoted := _QUOTED.match(line):
            builder.add(Line(line.rstrip(), LineKind.QUOTE, quoted[0].count(">")))
        else:
            builder.add(Line(line.rstrip()))


def _words_shown(root: "etree._Element", source: SourceFile) -> Sequence[str]:
    """Return the words and figures that a mail program shows of the HTML of a mail."""
    shown = DocumentBuilder(Format.MAIL)
    HtmlTextExtractor(shown, source.budget, keep_boilerplate=True).read(root)
    return _words(without_hidden(shown.build().text)) if shown.characters else ()


def _says_more(shown: Sequence[str], plain: str) -> bool:
    """Return whether HTML shows words that the plain text lacks, or any other figure."""
    known = frozenset(_words(plain))
    missing = [word for word in shown if word not in known]
    few = min(_FEW_WORDS, len(shown) // 2)
    return len(missing) > max(few, _MISSING * len(shown)) or any(map(_FIGURE.search, missing))


def _words(text: str) -> list[str]:
    return _WORD.findall(_ADDRESS.sub(" ", text.casefold()))


def _is_unlike(line: str, seen: Container[str]) -> bool:
    """Return whether a line of the plain text, or a figure in it, is not in the HTML that most programs show."""
    words = _words(_REFERENCE.sub(" ", line))
    if any(_FIGURE.search(word) and word not in seen for word in words):
        return True
    return len(words) >= _FEW_WORDS and sum(word in seen for word in words) < _SHARED * len(words)
