"""The request for one cell, and what a reply to it says: a value and words that prove it, or none."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from desktop_rag.agent.prompts import mark_as_data, ordering
from desktop_rag.llm.chat import Evidence, GivenPassages, UserMessage
from desktop_rag.llm.json_value import as_object
from desktop_rag.text.display import one_line
from desktop_rag.work.columns import Column, Kind, is_of_kind
from desktop_rag.work.row_reading import DocumentReading, ReadLines

PROMPT = "table-cell"
LONGEST_VALUE = 500  # characters
_OPENS = re.compile(r"\{")
_NONE = frozenset(("", "null", "none", "n/a", "not found", "not in this document", "not stated", "unknown", "-", "–"))
_LINE_NUMBER = re.compile(r"^\s*(?:L|lines?\s*)?\d{1,7}\s*[:|]\s+", re.IGNORECASE)
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"value": {"type": "string"}, "quote": {"type": "string"}},
        "required": ["value", "quote"],
        "additionalProperties": False,
    }
)


@dataclass(frozen=True, slots=True)
class CellReply:
    """What a reply says: a value and a quotation, no value (`absent`), or nothing that can be used, and `why`."""

    value: str = ""
    quote: str = ""
    absent: bool = False
    why: str = ""


def cell_message(column: Column, reading: DocumentReading, read: ReadLines) -> UserMessage:
    """Return the request: the lines first, so that a server reads them once for all questions about a document."""
    reference, card = reading.reference, reading.card
    evidence = read.evidence(reference, card)
    shown = "\n⋯\n".join(map(_numbered, evidence))
    label = evidence[0].label if evidence else card.title
    data = mark_as_data(f"[{reference}] {one_line(label)}\n{shown}", ordering(evidence), reading.code)
    whole = "These are all its lines." if read.whole else "These are passages of it; other lines are not shown."
    return UserMessage(
        f"{data}\n\n{whole}\n\nQuestion: {column.name}\nKind of value: {_kind(column)}",
        evidence,
        given=GivenPassages(column.name),
    )


def again_message(why: str) -> UserMessage:
    """Return the request to repair a reply."""
    return UserMessage(
        f"{why} Write only the JSON object with “value” and “quote”; both empty if the lines do not say it.", aside=True
    )


def read_reply(column: Column, text: str) -> CellReply:
    """Return what a reply says, in whatever it is wrapped."""
    for found in _objects(text):
        if "value" not in found:
            continue
        value, quote = _text(found["value"]), _text(found.get("quote"))
        if value.casefold().strip(" .") in _NONE:
            return CellReply(absent=True)
        if len(value) > LONGEST_VALUE:
            return CellReply(why="The value is too long.")
        if column.kind in (Kind.YES_NO, Kind.ONE_OF) and not is_of_kind(column, value):
            return CellReply(why=f"“{value[:60]}” is not {_kind(column)}.")
        return CellReply(value, _LINE_NUMBER.sub("", quote))
    return CellReply(why="The reply is no JSON object.")


def _objects(text: str) -> Iterator[Mapping[str, object]]:
    """Yield the JSON objects of a reply, which may stand in prose or a block of code."""
    decoder = json.JSONDecoder()
    for opened in list(_OPENS.finditer(text))[:20]:
        try:
            found, _ = decoder.raw_decode(text, opened.start())
        except (ValueError, RecursionError):
            continue
        if as_object(found):
            yield as_object(found)


def _text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return " ".join(one_line(value).split())
        case int() | float():
            return str(value)
        case _:
            return ""


def _kind(column: Column) -> str:
    match column.kind:
        case Kind.ONE_OF:
            return "exactly one of: " + " | ".join(column.options)
        case Kind.YES_NO:
            return "yes or no"
        case Kind.DATE:
            return "a date, as written, with its year"
        case Kind.AMOUNT:
            return "an amount, as written, with its unit or currency"
        case Kind.TEXT:
            return "a text, as short as the question allows, as written"


def _numbered(run: Evidence) -> str:
    return "\n".join(f"{number}: {line}" for number, line in enumerate(run.lines, run.first_line))
