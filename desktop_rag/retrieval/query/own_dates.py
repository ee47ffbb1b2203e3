"""The own date of a document: when a mail was sent, a photo taken, a text last saved; else the date of its file."""

import re
from datetime import UTC, datetime
from functools import lru_cache

from desktop_rag.documents.document import MailHeader
from desktop_rag.index.records import Content, FilePlace

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2}))?")
_SAFE_YEAR = 1971  # some systems cannot convert earlier times to the local time zone


def own_date_ns(content: Content, place: FilePlace, mail: MailHeader | None = None) -> int:
    """Return the own date of a document, or of one mail of it, in nanoseconds since 1970."""
    texts = ((mail.sent,) if mail is not None else ()) + (content.modified, content.created)
    return next((found for text in texts if text and (found := moment_ns(text)) is not None), place.mtime_ns)


@lru_cache(maxsize=1 << 16)
def moment_ns(text: str) -> int | None:
    """Return an ISO date, also of a month or year alone, in nanoseconds since 1970; None if it is not one.

    Without an offset from UTC it is a local time.
    """
    if partial := _PARTIAL.fullmatch(text):
        text = f"{partial[1]}-{partial[2] or '01'}-01"
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None and moment.year < _SAFE_YEAR:
            moment = moment.replace(tzinfo=UTC)
        return int(moment.timestamp()) * 1_000_000_000
    except (ValueError, OverflowError):
        return None
