"""The own date of a document: when a mail was sent, a photo taken, a text last saved; else the date in its name.

Names are those of the file and the title (“2023-04-17_minutes.pdf”, “Minutes of 17 April 2023”). Without any it is the
date of the file.
"""

import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache

from desktop_rag.documents.document import MailHeader
from desktop_rag.index.records import Content, FilePlace
from desktop_rag.text.dates import MONTH_NAME, Day, mentions

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2}))?")
_SEPARATOR = os.sep.encode()
_SAFE_YEAR = 1971  # some systems cannot convert earlier times to the local time zone
_HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d")
_YEAR_IN_NAME = re.compile(rb"(?<!\d)(?:19|20)\d\d")  # names without one are too many to remember
_NUMERIC = re.compile(r"(?:19|20)\d\d(?:[-/.年]\d|\d{4}(?!\d))|\d[-/.](?:19|20)\d\d")
_VERSION = re.compile(r"(?<![^\W_])v\.?\s?\d[\d.]*", re.IGNORECASE)
_MONTH = rf"(?i)(?<![^\W_])(?:{MONTH_NAME})(?![^\W_])"  # compiled when a name without a numeric date is read
# An article on 11 September 2001 is not of that day; minutes of that day are.
_DATED_KIND = re.compile(
    r"contract|agreement|draft|signed|dated|vertrag|vereinbarung|entwurf|unterzeichnet|contrat|convenio|合同|"
    r"minutes|protocol|meeting|agenda|letter|invoice|receipt|offer|quote|statement|report|memo|notes?\b|diary|journal|"
    r"protokoll|sitzung|tagesordnung|brief|rechnung|quittung|angebot|bericht|einladung|notiz|tagebuch|abrechnung|"
    r"compte|procès|réunion|lettre|facture|devis|rapport|acta|carta|factura|informe|纪要|会议|发票|报告|日记|通知",
    re.IGNORECASE,
)


def own_date_ns(content: Content, place: FilePlace, mail: MailHeader | None = None) -> int:
    """Return the own date of a document, or of one mail of it, in nanoseconds since 1970."""
    texts = ((mail.sent,) if mail is not None else ()) + (content.modified, content.created)
    return own_date_of(texts, content.title, place.path.rpartition(_SEPARATOR)[2], place.mtime_ns)


def own_date_of(texts: Iterable[str], title: str, name: bytes, mtime_ns: int) -> int:
    """Return the date in the first of `texts` that has one, else that of a file's name and title, or of the file."""
    found = next((found for text in texts if text and (found := moment_ns(text)) is not None), None)
    if found is None:
        named = _named(name) if _YEAR_IN_NAME.search(name) else None
        titled = _titled(title) if title and not (named and named.day) and _HAS_YEAR.search(title) else None
        # A title can only add the day to the month of a file name.
        day = titled if titled and (named is None or _month(named) == _month(titled)) else named
        found = _moment_of(day) if day else None
    return mtime_ns if found is None else found


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


@lru_cache(maxsize=1 << 17)
def _named(name: bytes) -> Day | None:
    """Return the one date in a file name, of a day or a month."""
    return _only_date(os.fsdecode(name).rpartition(".")[0].replace("_", " "))


@lru_cache(maxsize=1 << 14)
def _titled(title: str) -> Day | None:
    """Return the one day in the title of a document whose kind has a day."""
    day = _only_date(title) if _DATED_KIND.search(title) else None
    return day if day and day.day else None


def _month(day: Day) -> tuple[int, int]:
    return day.year, day.month


def _only_date(text: str) -> Day | None:
    """Return the date of a text with a year; None if there are several, or if day and month may be exchanged."""
    if not _HAS_YEAR.search(text) or not (_NUMERIC.search(text) or re.search(_MONTH, text)):
        return None
    text = _VERSION.sub(" ", text)
    found = [(text[each.start : each.end], each.days) for each in mentions(text) if each.days]
    days = {day for written, read in found if _HAS_YEAR.search(written) for day in _readings(written, read)}
    return days.pop() if len(days) == 1 else None


def _readings(text: str, days: tuple[Day, ...]) -> tuple[Day, ...]:
    """Return the readings of a date; between points the day stands first."""
    return days[:1] if "." in text else days


def _moment_of(day: Day) -> int | None:
    return moment_ns(f"{day.year:04}-{day.month:02}-{day.day or 1:02}")
