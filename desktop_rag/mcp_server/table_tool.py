"""The tool `fill_table`: documents × questions as one result, each cell with the line that proves it."""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.gate.surroundings import SentLines
from desktop_rag.agent.run.model_choice import BUILT_IN
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, choice, integer, strings
from desktop_rag.agent.tools.tool import tool_spec
from desktop_rag.errors import LibraryRefused, QueryError, SendingRefused
from desktop_rag.index.library import Library
from desktop_rag.llm.tokens import estimate
from desktop_rag.retrieval.api import Retriever, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, printable, shorten
from desktop_rag.text.json_types import Json
from desktop_rag.work.arrangement import state_of
from desktop_rag.work.columns import Column, read_columns
from desktop_rag.work.filling import CellFilled, FillEnded, Filler, fill, usual_filler
from desktop_rag.work.model_requests import Used
from desktop_rag.work.report import Report, ReportLimits, read_outline
from desktop_rag.work.report_writing import ReportEnded, SectionEvent, SectionWritten, propose, write_report
from desktop_rag.work.row_reading import documents_of
from desktop_rag.work.table import MOST_ROWS, Row, Table
from desktop_rag.work.table_export import state_text, used_json
from desktop_rag.work.work_store import WorkStore, check_rows

MOST_COLUMNS, MOST_CELLS = 10, 60
LONGEST_QUOTE, SHORT_QUOTE = 160, 40  # characters of a quotation; of one in a result that would be too long
FILL_TABLE = tool_spec(
    "fill_table",
    "Answer the same questions about many documents: one row for each document, one column for each question, each "
    "value with the words and lines that prove it. It uses the model that the user has chosen in Desktop RAG, one "
    "request a cell, and reports its progress.",
    {
        "columns": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": MOST_COLUMNS,
            "description": "questions, with the kind of their answers if they are no texts: “Landlord”, “Rent: amount”,"
            " “Start: date”, “Pets: yes/no”, “Law: one of German, English”",
        },
        "query": {"type": "string", "description": "which documents: those that this search finds; default: all"},
        "limit": {"type": "integer", "description": f"documents; default: as many as {MOST_CELLS} cells allow"},
        "skip": {"type": "integer", "description": "documents that were filled before"},
        "model": {"type": "string", "enum": ["chosen", "built-in"], "description": "built-in: no model is asked"},
    },
    "columns",
)


@dataclass(frozen=True, slots=True)
class FilledForProgram:
    """A filled table as text and data, and the lines in it, to find secrets."""

    text: str
    data: dict[str, Json]
    sent: tuple[SentLines, ...]


def fill_for_program(
    arguments: Arguments,
    filters: tuple[Filter, ...],
    report: Callable[[str], None],
    stop: Stop,
    retriever: Retriever,
    most_tokens: int,
) -> FilledForProgram:
    """Fill a table that is not kept, without documents that are never sent; raises `ArgumentError` and our errors."""
    written = strings(arguments, ("columns",), MOST_COLUMNS + 1, 400)
    if len(written) > MOST_COLUMNS:
        raise ArgumentError(f"At most {MOST_COLUMNS} columns are filled at a time.")
    queries = strings(arguments, ("query",), 1, 2_000) if arguments.get("query") else ()
    most = MOST_CELLS // len(written)
    limit, skip = integer(arguments, ("limit",), most, 1, most), integer(arguments, ("skip",), 0, 0, MOST_ROWS)
    profile = BUILT_IN if choice(arguments, ("model",), ("chosen", "built-in"), "chosen") == "built-in" else None
    scope = Scope(withheld=privacy().withheld())
    try:
        columns = read_columns(written)
        rows = documents_of(retriever, filters, next(iter(queries), None), stop, scope)
        check_rows(len(rows[skip:]))
    except (LibraryRefused, QueryError) as error:
        raise ArgumentError(str(error)) from error
    filled, ended = _filled(
        columns, rows[skip : skip + limit], usual_filler(retriever, ExtractiveModel(), profile=profile), report, stop
    )
    known = [each.proof.citation for each in filled.cells.values() if each.proof]
    if withheld_among(retriever, known, privacy().withheld(), stop):
        raise SendingRefused("A document of this table was marked as never sent meanwhile. Fill it again.")
    left = len(rows) - skip - limit
    notes = [f"{plural(left, 'document')} left: go on with skip {skip + limit}."] if left > 0 else []
    notes += [ended.trouble] if ended.trouble else []
    fitting = (_shown(filled, ended, notes, quote) for quote in (LONGEST_QUOTE, SHORT_QUOTE, 0))
    return next((each for each in fitting if _tokens(each) <= most_tokens), _shown(filled, ended, notes, 0))


def _filled(
    columns: Sequence[Column], rows: Sequence[Row], filler: Filler, report: Callable[[str], None], stop: Stop
) -> tuple[Table, FillEnded]:
    ended = FillEnded(0, 0, Used())
    with (
        tempfile.TemporaryDirectory(prefix="desktop-rag-table-") as folder,
        closing(WorkStore(Library(Path(folder)))) as store,
    ):
        table = store.create("Table", columns, rows)
        with closing(fill(table, store, filler, stop)) as events:
            for event in events:
                if isinstance(event, CellFilled):
                    report(f"{event.done} of {event.of} cells")
                if isinstance(event, FillEnded):
                    ended = event
        return store.load(table), ended


def _shown(table: Table, ended: FillEnded, notes: list[str], quote: int) -> FilledForProgram:
    lines = list(notes)
    rows: list[Json] = []
    for row in table.rows:
        lines.append(f"{one_line(printable(row.path))}")
        cells: dict[str, Json] = {}
        for column in table.columns:
            cell = table.cell(row.number, column.id)
            cited = cell.proof.citation if cell.proof else None
            place = f" [L{cited.first_line}-{cited.last_line}]" if cited else ""
            lines.append(f"- {column.name}: {one_line(cell.shown) or f'({state_text(table, row, column)})'}{place}")
            cells[column.name] = {
                "value": cell.shown,
                "state": state_of(table, row, column),
                "quote": shorten(cited.quote, quote) if cited and quote else "",
                "page": cited.page if cited else None,
                "lines": [cited.first_line, cited.last_line] if cited else None,
                "mark": cell.proof.claim.mark if cell.proof else None,
            }
        rows.append({"path": printable(row.path), "title": printable(row.title), "cells": cells})
    told: Json = list(notes)
    data: dict[str, Json] = {"rows": rows, "notes": told, "usage": used_json(ended.used)}
    sent = (
        SentLines(each.content, each.passage_first_line, tuple(each.passage.split("\n")))
        for each in (cell.proof.citation for cell in table.cells.values() if cell.proof)
    )
    return FilledForProgram("\n".join(lines), data, tuple(sent))


def _tokens(filled: FilledForProgram) -> int:
    return estimate(filled.text) + estimate(json.dumps(filled.data, ensure_ascii=False))


# The tool `write_report`: an outline of its own or a given one, written section by section with its lines.

MOST_SECTIONS = 8
WRITE_REPORT = tool_spec(
    "write_report",
    "Let the agent of the library write a report: each section is searched, written, and checked against the cited "
    "lines. It uses the model that the user has chosen in Desktop RAG, takes minutes, and reports its progress.",
    {
        "question": {"type": "string", "description": "what the report is about"},
        "sections": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": MOST_SECTIONS,
            "description": "its outline, each “Heading: question”; default: one that is proposed by the model",
        },
        "tokens": {"type": "integer", "description": "after which no further section is begun"},
        "model": {"type": "string", "enum": ["chosen", "built-in"], "description": "built-in: quotes, no model"},
    },
    "question",
)


def report_for_program(
    arguments: Arguments, filters: tuple[Filter, ...], report: Callable[[str], None], stop: Stop, retriever: Retriever
) -> tuple[Report, ReportEnded]:
    """Write a report that is not kept, without documents that are never sent; raises `ArgumentError` and our errors."""
    [question, *_] = strings(arguments, ("question",), 1, 2_000)
    profile = BUILT_IN if choice(arguments, ("model",), ("chosen", "built-in"), "chosen") == "built-in" else None
    lines = strings(arguments, ("sections",), MOST_SECTIONS + 1, 800) if arguments.get("sections") else ()
    if len(lines) > MOST_SECTIONS:
        raise ArgumentError(f"At most {MOST_SECTIONS} sections are written at a time.")
    filler, withheld = usual_filler(retriever, ExtractiveModel(), profile=profile), privacy().withheld()
    limits = ReportLimits(integer(arguments, ("tokens",), 0, 0, 100_000_000))
    try:
        sections = read_outline(lines) if lines else propose(question, filters, filler, stop)[:MOST_SECTIONS]
    except LibraryRefused as error:
        raise ArgumentError(str(error)) from error
    ended = ReportEnded(0, len(sections))
    with (
        tempfile.TemporaryDirectory(prefix="desktop-rag-report-") as folder,
        closing(WorkStore(Library(Path(folder)))) as store,
    ):
        number = store.put_report(Report(question, sections, filters, time.time_ns()))
        with closing(write_report(number, store, filler, stop, limits, withheld)) as events:
            for event in events:
                match event:
                    case SectionEvent() if event.told:
                        report(event.told)
                    case SectionWritten(section, of, heading):
                        report(f"{section} of {of} sections: {heading}")
                    case ReportEnded():
                        ended = event
        written = store.report(number)
    if withheld_among(retriever, written.citations, privacy().withheld(), stop):
        raise SendingRefused("A document of this report was marked as never sent meanwhile. Write it again.")
    return written, ended
