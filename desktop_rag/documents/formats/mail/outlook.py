"""Reads mails saved by Outlook (.msg, winmail.dat): fields, text, attachments and attached mails."""

import io
from collections.abc import Iterator
from functools import partial

import olefile

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.mail.mail_files import read_mail
from desktop_rag.documents.formats.mail.mail_message import MailAttachment, MailMessage, append_single_mail
from desktop_rag.documents.formats.mail.mapi_mail import ATTACHED, attachment_name, is_tnef, mapi_mail, read_tnef
from desktop_rag.documents.formats.mapi import OleProperties
from desktop_rag.documents.formats.source_file import BROKEN, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_NO_MAIL = "This file is damaged or not an Outlook mail."
_TOP, _INNER, _PART = 32, 24, 8  # header bytes of the property stream of the mail, of attached mails, of other storages
_EMBEDDED = "__substg1.0_3701000D"


def read_msg(source: SourceFile, kind: Format) -> Document:
    """Return a mail saved by Outlook; raises `DocumentError` if the file is not one."""
    if is_tnef(source.data):
        return read_tnef(source, kind)
    if not source.data.startswith(file_types.OLE):  # other programs save MIME mails under this suffix
        return read_mail(source, kind)
    builder = DocumentBuilder(kind)
    try:
        file = olefile.OleFileIO(io.BytesIO(source.data))
        storages = _storages(file)
    except BROKEN as error:
        raise DocumentError(_NO_MAIL, ProblemKind.DAMAGED) from error
    if () not in storages:
        raise DocumentError(_NO_MAIL, ProblemKind.DAMAGED)
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
        properties = OleProperties(self._file, path, top)
        recipients = [
            OleProperties(self._file, (*path, name), _PART, properties.code_page)
            for name in self._inside(path, "__recip_version1.0_")
        ]
        return mapi_mail(properties, recipients, list(self._attachments(path, properties.code_page)), self._source)

    def _attachments(self, path: tuple[str, ...], code_page: str) -> Iterator[MailAttachment]:
        for number, name in enumerate(self._inside(path, "__attach_version1.0_"), start=1):
            inside = (*path, name)
            properties = OleProperties(self._file, inside, _PART, code_page)
            file_name = attachment_name(properties, number)
            if (*inside, _EMBEDDED) in self._storages:
                mail = partial(self.mail, (*inside, _EMBEDDED), _INNER)
                yield MailAttachment(file_name, bytes, mail=mail)
            else:
                yield MailAttachment(file_name, partial(properties.binary, ATTACHED), properties.size(ATTACHED))

    def _inside(self, path: tuple[str, ...], beginning: str) -> list[str]:
        return sorted(name for name in self._storages.get(path, ()) if name.lower().startswith(beginning))
