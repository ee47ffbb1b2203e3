"""Reads address books (vCard): each contact with its fields."""

from collections.abc import Iterator, Sequence

from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_text
from desktop_rag.documents.formats.personal.content_lines import Property, format_moment, properties
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import ProblemKind

_FIELDS = {
    "NICKNAME": "Nickname",
    "ORG": "Organization",
    "TITLE": "Title",
    "ROLE": "Role",
    "TEL": "Phone",
    "EMAIL": "E-mail",
    "ADR": "Address",
    "LABEL": "Address",
    "BDAY": "Birthday",
    "ANNIVERSARY": "Anniversary",
    "URL": "Web",
    "IMPP": "Chat",
    "X-SKYPE": "Skype",
    "X-JABBER": "Jabber",
    "X-SOCIALPROFILE": "Profile",
    "RELATED": "Related",
    "CATEGORIES": "Categories",
}
_MOMENTS = ("BDAY", "ANNIVERSARY")
_ADDRESS = (0, 1, 2, 5, 3, 4, 6)  # box, extension, street, code, town, region, country
_NAME = (3, 1, 2, 0, 4)  # prefix, given, further, family name, suffix


def read_contacts(source: SourceFile, kind: Format) -> Document:
    """Return the people of an address book; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        for number, card in enumerate(_cards(source.data), start=1):
            source.budget.check(builder.characters)
            _append(builder, card, number)
    return builder.build("This file is damaged or an address book without contacts.", ProblemKind.DAMAGED)


def _cards(data: bytes) -> Iterator[list[Property]]:
    card: list[Property] | None = None
    for one in properties(data):
        if one.name == "BEGIN" and one.value.strip().upper() == "VCARD":
            card = []
        elif one.name == "END" and card is not None:
            if card:
                yield card
            card = None
        elif card is not None:
            card.append(one)
    if card:  # the file is truncated
        yield card


def _append(builder: DocumentBuilder, card: Sequence[Property], number: int) -> None:
    first = {one.name: one for one in reversed(card)}
    name = first["FN"].line if "FN" in first else ""
    if not name and "N" in first:
        name = _joined(first["N"].parts, _NAME, " ")
    if not name:
        name = next((_value(first[other]) for other in ("ORG", "EMAIL", "TEL") if other in first), "")
    name = name or f"Contact {number}"
    builder.begin_section(name, apart=True)
    builder.title = builder.title or name
    builder.add(Line(name, LineKind.HEADING, 1))
    for one in card:
        label, value = _FIELDS.get(one.name, ""), _value(one)
        if label and value:
            kinds = f" ({one.types})" if one.types else ""
            builder.add(Line(f"{label}{kinds}: {value}", LineKind.FIELD))
    for one in card:
        if one.name == "CATEGORIES":
            builder.tags += listed_tags(one.line)
        if one.name == "NOTE":
            append_text(builder, one.text)


def _value(one: Property) -> str:
    if one.name == "ADR":
        return _joined(one.parts, _ADDRESS, ", ")
    if one.name == "ORG":
        return _joined(one.parts, range(len(one.parts)), ", ")
    if one.name in _MOMENTS:
        return format_moment(one.value)
    return one.line.removeprefix("tel:")


def _joined(parts: Sequence[str], order: Sequence[int], between: str) -> str:
    return between.join(parts[index] for index in order if index < len(parts) and parts[index])
