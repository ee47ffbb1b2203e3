"""Title, author and dates of a binary office file ([MS-OLEPS])."""

from datetime import datetime

import olefile

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.formats.mail.mapi import BROKEN
from desktop_rag.documents.tags import listed_tags


def read_ole_metadata(ole: olefile.OleFileIO, builder: DocumentBuilder) -> None:
    """Set the metadata from the summary of an OLE file; damaged ones are left out."""
    try:
        found = ole.get_metadata()
    except BROKEN:
        return
    encoding = f"cp{(found.codepage or 1252) & 0xFFFF}"

    def words(value: object) -> str:
        text = _decoded(value, encoding) if isinstance(value, bytes) else str(value or "")
        return " ".join(text.replace("\x00", " ").split())

    builder.title = words(found.title)
    builder.author = words(found.author)
    builder.tags += listed_tags(words(found.keywords))
    builder.created = _date(found.create_time)
    builder.modified = _date(found.last_saved_time)


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode("utf-8" if encoding == "cp65001" else encoding, "replace")
    except LookupError:
        return data.decode("cp1252", "replace")


def _date(value: object) -> str:
    return value.isoformat()[:19] if isinstance(value, datetime) and value.year > 1980 else ""
