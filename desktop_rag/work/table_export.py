"""Writes a table as CSV, Markdown or XLSX: values, the words that prove them, and links to their lines."""

import csv
import io
import os
from collections.abc import Iterator, Sequence
from datetime import date

from desktop_rag.agent.citations.marks import describe_claim
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import location_text, one_line, printable
from desktop_rag.text.json_types import Json
from desktop_rag.work.arrangement import state_of, summaries
from desktop_rag.work.columns import Column, Kind, amount_of
from desktop_rag.work.filling import CellAsked, CellFilled, FillEnded, FillEvent, RowGone, RowsChecked
from desktop_rag.work.model_requests import Used
from desktop_rag.work.table import Cell, CellState, Row, Table, TableHead
from desktop_rag.work.xlsx import SheetCell, workbook

FORMATS = ("xlsx", "csv", "md")
NOT_THERE = "not in this document"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # begin a formula where a spreadsheet reads CSV
_STATES = {
    "waiting": "not asked yet",
    "absent": NOT_THERE,
    "unstated": "not found without a model",
    "failed": "no answer",
    "stale": "the document has changed since",
    "corrected": "corrected by hand",
    "gone": "the document is gone",
    "doubtful": "doubtful",
    "found": "",
}


def exported(table: Table, kind: str, rows: Sequence[Row] | None = None) -> bytes:
    """Return a table in a format of `FORMATS`; `rows` in the order in which they are looked at."""
    shown = table.rows if rows is None else rows
    match kind:
        case "xlsx":
            return _workbook(table, shown)
        case "csv":
            return _csv(table, shown).encode("utf-8-sig")  # a spreadsheet takes it for another encoding without a mark
        case _:
            return _markdown(table, shown).encode()


def state_text(table: Table, row: Row, column: Column) -> str:
    """Return the state of a cell in words, empty for a value that was found."""
    cell = table.cell(row.number, column.id)
    told = _STATES[state_of(table, row, column)]
    if cell.state is CellState.ABSENT and cell.note and cell.correction is None:
        return cell.note.rstrip(".")
    return f"{told}: {cell.note.rstrip('.')}" if cell.state is CellState.FAILED and cell.note else told


def link_of(row: Row, cell: Cell) -> str:
    """Return the link to the lines of a cell, empty if it has none or the document is gone."""
    if cell.proof is None or row.gone:
        return ""
    citation = cell.proof.citation
    path = os.path.abspath(citation.path)  # noqa: PTH100 - a text
    return link_to(path, citation.first_line, citation.last_line, citation.sha256)


def _title(row: Row) -> str:
    return f"{row.title} ({_STATES['gone']})" if row.gone else row.title


def _place(cell: Cell) -> str:
    if cell.proof is None:
        return ""
    each = cell.proof.citation
    return location_text(each.page, each.first_line, each.last_line, each.section)


def _quote(cell: Cell) -> str:
    return one_line(cell.proof.citation.quote) if cell.proof else ""


def _csv(table: Table, rows: Sequence[Row]) -> str:
    written = io.StringIO()
    writer = csv.writer(written)
    heads = ["Document", "Path"]
    for column in table.columns:
        heads += [column.name, f"{column.name}: quotation", f"{column.name}: place", f"{column.name}: state"]
        heads += [f"{column.name}: link"]
    writer.writerow(map(_inert, heads))
    for row in rows:
        values = [row.title, row.path]
        for column in table.columns:
            cell = table.cell(row.number, column.id)
            values += [cell.shown, _quote(cell), _place(cell), state_text(table, row, column), link_of(row, cell)]
        writer.writerow(map(_inert, values))
    return written.getvalue()


def _inert(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _markdown(table: Table, rows: Sequence[Row]) -> str:
    heads = ("Document", *(column.name for column in table.columns))
    lines = [f"# {_escaped(table.name)}", "", _row(map(_escaped, heads)), _row("---" for _ in heads)]
    notes: list[str] = []
    for row in rows:
        values = [_escaped(_title(row))]
        for column in table.columns:
            cell = table.cell(row.number, column.id)
            told = state_text(table, row, column)
            value = _escaped(cell.shown) if cell.shown else f"*{_escaped(told)}*" if told else ""
            if cell.proof:
                notes.append(_note(row, cell, len(notes) + 1))
                value += f" [^{len(notes)}]"
            values.append(f"{value} *({told})*" if cell.shown and told else value)
        lines.append(_row(values))
    told_sums = summaries(table, rows)
    if any(told_sums.values()):
        lines.append(_row(("", *(_escaped(told_sums[column.id]) for column in table.columns))))
    return "\n".join((*lines, "", *notes)) + "\n"


def _note(row: Row, cell: Cell, number: int) -> str:
    claim = cell.proof.claim if cell.proof else None
    told = f" {_escaped(describe_claim(claim))}" if claim else ""
    corrected = f" Found: “{_escaped(cell.value)}”." if cell.correction is not None else ""
    name = _escaped(cell.proof.citation.title) if cell.proof else ""
    link = link_of(row, cell)
    where = f"[{name}, {_place(cell)}](<{link}>)" if link else f"{name}, {_place(cell)}"
    return f"[^{number}]: “{_escaped(_quote(cell))}” – {where}.{told}{corrected}"


def _row(values: "Iterator[str] | Sequence[str] | map[str]") -> str:
    return f"| {' | '.join(values)} |"


def _escaped(text: str) -> str:
    text = one_line(text)
    for mark in "\\`*_[]<>|#":
        text = text.replace(mark, f"\\{mark}")
    return text


def _workbook(table: Table, rows: Sequence[Row]) -> bytes:
    heads = [SheetCell("Document", bold=True), *(SheetCell(column.name, bold=True) for column in table.columns)]
    values = [heads]
    proofs = [[SheetCell(name, bold=True) for name in _PROOF_HEADS]]
    for row in rows:
        values.append(
            [
                SheetCell(_title(row), link=link_to(row.path, 0, 0, row.sha256) if row.path and not row.gone else ""),
                *(_sheet_cell(table, row, column) for column in table.columns),
            ]
        )
        for column in table.columns:
            proofs += _proof_row(table, row, column)
    told = summaries(table, rows)
    if any(told.values()):
        values.append([SheetCell(""), *(SheetCell(told[column.id], bold=True) for column in table.columns)])
    return workbook({table.name: values, "Quotations": proofs})


_PROOF_HEADS = ("Document", "Question", "Value", "Found value", "Quotation", "Place", "State", "What is known", "Link")


def _proof_row(table: Table, row: Row, column: Column) -> Iterator[list[SheetCell]]:
    cell = table.cell(row.number, column.id)
    told = state_text(table, row, column)
    if not (cell.shown or told):
        return
    known = describe_claim(cell.proof.claim) if cell.proof else ""
    texts = (_title(row), column.name, cell.shown, cell.value, _quote(cell), _place(cell), told, known)
    link = link_of(row, cell)
    yield [*map(SheetCell, texts), SheetCell(link, link=link)]


def _sheet_cell(table: Table, row: Row, column: Column) -> SheetCell:
    """Return a value as a spreadsheet understands it: numbers with their unit, dates; else as text."""
    cell = table.cell(row.number, column.id)
    told = "" if cell.shown else state_text(table, row, column)
    link, normal = link_of(row, cell), cell.shown_normal
    amount = amount_of(normal) if column.kind is Kind.AMOUNT else None
    if amount:
        return SheetCell(amount.number, unit=amount.unit, link=link)
    if column.kind is Kind.DATE and len(normal) == len("2024-01-31"):
        return SheetCell(date.fromisoformat(normal), link=link)
    return SheetCell(cell.shown or (told if told != _STATES["waiting"] else ""), link=link, grey=not cell.shown)


# Tables, cells and the events of filling as JSON: one shape for the command line, MCP and Python.


def head_json(head: TableHead) -> dict[str, Json]:
    """Return a table of the list."""
    return {
        "type": "table",
        "id": head.id,
        "name": one_line(head.name),
        "documents": head.rows,
        "cells": head.cells,
        "filled": head.filled,
    }


def table_json(table: Table) -> dict[str, Json]:
    """Return a whole table, row by row."""
    rows: Json = [row_json(table, row) for row in table.rows]
    told = summaries(table, table.rows)
    columns: Json = [{**_column_json(column), "summary": told[column.id]} for column in table.columns]
    return {"type": "table", "id": table.id, "name": one_line(table.name), "columns": columns, "rows": rows}


def row_json(table: Table, row: Row) -> dict[str, Json]:
    """Return a document and its cells by the names of their columns."""
    cells: Json = {
        column.name: cell_json(table.cell(row.number, column.id), state_of(table, row, column))
        for column in table.columns
    }
    return {
        "row": row.number,
        "document": row.sha256,
        "title": printable(row.title),
        "path": printable(row.path),
        "gone": row.gone,
        "cells": cells,
    }


def cell_json(cell: Cell, state: str) -> dict[str, Json]:
    """Return the value of a cell, what was found, where it stands, and what is known of it."""
    proof = cell.proof
    citation, claim = (proof.citation, proof.claim) if proof else (None, None)
    return {
        "value": cell.shown,
        "normal": cell.shown_normal,
        "state": state,
        "found": cell.value,
        "quote": citation.quote if citation else "",
        "page": citation.page if citation else None,
        "lines": [citation.first_line, citation.last_line] if citation else None,
        "mark": claim.mark if claim else None,
        "says": describe_claim(claim) if claim else "",
        "note": cell.note,
        "by": cell.by,
    }


def used_json(used: Used) -> dict[str, Json]:
    """Return what requests have used."""
    return {
        "requests": used.requests,
        "prompt_tokens": used.prompt,
        "completion_tokens": used.completion,
        "estimated": used.estimated,
        "money": used.money,
    }


def event_json(event: FillEvent, table: Table) -> dict[str, Json]:
    """Return an event of filling; `table` names its rows and columns."""
    match event:
        case RowsChecked():
            return {"type": "checked", "documents": len(event.table.rows), "cells": event.cells}
        case CellAsked(place):
            return {"type": "asked", **_place_json(table, place)}
        case CellFilled(place, cell, done, of):
            return {
                "type": "cell",
                **_place_json(table, place),
                **cell_json(cell, cell.state.value),
                "done": done,
                "of": of,
            }
        case RowGone(row):
            return {"type": "gone", "row": row.number, "path": printable(row.path)}
        case FillEnded(filled, left, used, trouble):
            return {"type": "filled", "filled": filled, "left": left, "usage": used_json(used), "trouble": trouble}


def _place_json(table: Table, place: tuple[int, int]) -> dict[str, Json]:
    row = next((each for each in table.rows if each.number == place[0]), None)
    column = next((each for each in table.columns if each.id == place[1]), None)
    path = printable(os.fspath(row.path)) if row else ""
    return {"row": place[0], "path": path, "column": column.name if column else ""}


def _column_json(column: Column) -> dict[str, Json]:
    options: Json = list(column.options)
    return {"name": column.name, "kind": column.kind.value, "options": options}
