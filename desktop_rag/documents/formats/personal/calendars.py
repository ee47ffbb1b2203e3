"""Reads calendars (iCalendar): each event, task and journal entry with its fields."""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_text
from desktop_rag.documents.formats.mail.mail_message import mailbox_of
from desktop_rag.documents.formats.personal.content_lines import (
    Property,
    format_moment,
    format_period,
    format_recurrence,
    properties,
)
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import ProblemKind

_READ = {"VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Entry"}
_FIELDS = {
    "DUE": "Due",
    "COMPLETED": "Completed",
    "LOCATION": "Where",
    "ORGANIZER": "Organizer",
    "STATUS": "Status",
    "PRIORITY": "Priority",
    "PERCENT-COMPLETE": "Percent complete",
    "CATEGORIES": "Categories",
    "RESOURCES": "Resources",
    "URL": "Web",
    "CONTACT": "Contact",
    "COMMENT": "Comment",
    "ATTACH": "Attached",
}
_MOMENTS = ("DUE", "COMPLETED")
_DAYS = {"EXDATE": "Except", "RDATE": "Also", "RECURRENCE-ID": "Instead of"}  # of an entry that repeats
_MOST_DAYS = 400
_LONGEST_LINK = 500  # characters; longer values contain the attached file itself


def read_calendar(source: SourceFile, kind: Format) -> Document:
    """Return the entries of a calendar; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        for number, (component, values) in enumerate(_components(source, builder), start=1):
            source.budget.check(builder.characters)
            _append(builder, component, values, number)
    return builder.build("This file is damaged or a calendar without entries.", ProblemKind.DAMAGED)


def _components(source: SourceFile, builder: DocumentBuilder) -> Iterator[tuple[str, list[Property]]]:
    """Yield kind and properties of each entry; alarms and time zones are left out."""
    open_components: list[str] = []
    values: list[Property] = []
    for one in properties(source.data):
        if one.name == "BEGIN":
            open_components.append(one.value.strip().upper())
            if open_components[-1] in _READ:
                values = []
        elif one.name == "END":
            ended = open_components.pop() if open_components else ""
            if ended in _READ:
                yield ended, values
        elif open_components and open_components[-1] in _READ:
            values.append(one)
        elif one.name in ("X-WR-CALNAME", "NAME") and open_components == ["VCALENDAR"]:
            builder.title = builder.title or one.line
    if open_components and open_components[-1] in _READ and values:  # the file is truncated
        yield open_components[-1], values


def _append(builder: DocumentBuilder, component: str, values: Sequence[Property], number: int) -> None:
    first = {one.name: one for one in reversed(values)}
    summary = first["SUMMARY"].line if "SUMMARY" in first else ""
    builder.add_blank()
    title = summary or f"{_READ[component]} {number}"
    when = format_period(first.get("DTSTART"), first.get("DTEND"), first.get("DURATION"))
    builder.begin_section(f"{when[:10]} {title}" if when else title)
    builder.title = builder.title or summary
    builder.add(Line(title, LineKind.HEADING, 1))
    if when:
        builder.add(Line(f"When: {when}", LineKind.FIELD))
    if (rule := first.get("RRULE")) and (repeated := format_recurrence(rule.value)):
        builder.add(Line(f"Repeats: {repeated}", LineKind.FIELD))
    for field, said in _DAYS.items():
        found = [format_moment(day) for one in values if one.name == field for day in one.value.split(",")[:_MOST_DAYS]]
        if days := ", ".join(filter(None, found[:_MOST_DAYS])):
            builder.add(Line(f"{said}: {days}", LineKind.FIELD))
    for one in values:
        if (value := _value(one)) and (name := _FIELDS.get(one.name)):
            builder.add(Line(f"{name}: {value}", LineKind.FIELD))
    if guests := [_person(one) for one in values if one.name == "ATTENDEE"]:
        builder.add(Line(f"Attendees: {', '.join(guests)}", LineKind.FIELD))
    for one in values:
        if one.name == "CATEGORIES":
            builder.tags += listed_tags(one.line)
        if one.name == "DESCRIPTION":
            append_text(builder, one.text)


def _value(one: Property) -> str:
    if one.name in _MOMENTS:
        return format_moment(one.value)
    if one.name == "ORGANIZER":
        return _person(one)
    if one.name == "STATUS":
        return one.line.replace("-", " ").lower()
    if one.name == "ATTACH":
        return one.parameters.get("FILENAME", "") or (one.line if len(one.value) < _LONGEST_LINK else "")
    return one.line


def _person(one: Property) -> str:
    name = one.parameters.get("CN", "").strip()
    address = re.sub("^mailto:", "", one.line, flags=re.IGNORECASE)
    return mailbox_of(name, address)
