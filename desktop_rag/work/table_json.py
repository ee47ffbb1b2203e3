"""Tables, cells and the events of filling as JSON: one shape for the command line, MCP and Python."""

import os

from desktop_rag.agent.citations.marks import describe_claim
from desktop_rag.text.display import one_line, printable
from desktop_rag.text.json_types import Json
from desktop_rag.work.arrangement import state_of, summaries
from desktop_rag.work.columns import Column
from desktop_rag.work.filling import CellAsked, CellFilled, FillEnded, FillEvent, RowGone, RowsChecked
from desktop_rag.work.model_requests import Used
from desktop_rag.work.table import Cell, Row, Table, TableHead


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
