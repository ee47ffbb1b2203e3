"""Title, author and dates of a binary office file ([MS-OLEPS])."""

from datetime import datetime

import olefile

from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.decoding.charsets import codec_name
from desktop_rag.documents.formats.mapi import BROKEN


def read_ole_metadata(ole: olefile.OleFileIO, builder: DocumentBuilder) -> None:
    """Set the metadata from the summary of an OLE file; damaged ones are left out."""
    try:
        found = ole.get_metadata()
    except BROKEN:
        return
    encoding = codec_name(f"cp{(found.codepage or 1252) & 0xFFFF}") or "cp1252"

    def words(value: object) -> str:
        text = value.decode(encoding, "replace") if isinstance(value, bytes) else str(value or "")
        return " ".join(text.replace("\x00", " ").split())

    builder.title = words(found.title)
    builder.author = words(found.author)
    builder.tags += listed_tags(words(found.keywords))
    builder.created = _date(found.create_time)
    builder.modified = _date(found.last_saved_time)


def _date(value: object) -> str:
    return value.isoformat()[:19] if isinstance(value, datetime) and value.year > 1980 else ""
