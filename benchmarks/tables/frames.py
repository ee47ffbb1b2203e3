"""Measures a frame of the page of tables while it scrolls, with 1,000 documents and 10 questions."""

import argparse
import os
import time
from collections.abc import Callable
from functools import partial

from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.work.columns import Column, Kind
from desktop_rag.work.table import Cell, CellState, Row, Table, TableHead, TableId

GOAL_MS = 16.0
FRAMES = 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--rows", type=int, default=1_000, metavar="N", help="documents (1,000)")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Scroll, sort and receive cells, and tell the CPU time of each frame."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from desktop_rag.gui.work.table_page import TablePage

    application = QApplication.instance() or QApplication([])
    page = TablePage()
    page.resize(1_280, 800)
    page.show()
    table = _table(options.rows)
    say(f"Showing {options.rows:,} × {len(table.columns)} cells …")
    page.show_tables(
        (TableHead(table.id, table.name, options.rows, 10 * options.rows, 10 * options.rows, 0),), table.id
    )
    page.show_table(table)
    application.processEvents()
    bar = page.view.verticalScrollBar()
    scrolled, filled = list[float](), list[float]()
    for step in range(FRAMES):
        bar.setValue(bar.maximum() * step // FRAMES)
        scrolled.append(_cost(page.view.grab))
    for step in range(FRAMES):
        place = (step % options.rows + 1, step % len(table.columns) + 1)
        filled.append(_cost(partial(page.model.put, place, table.cells[place])))
    ordered = [_cost(partial(page.model.sort, by, Qt.SortOrder.AscendingOrder)) for by in range(1, 11)]
    application.processEvents()
    rows = (
        Measurement("frame while scrolling, CPU", OURS, "ms", tuple(scrolled), goal=GOAL_MS),
        Measurement("a cell that comes, CPU", OURS, "ms", tuple(filled), goal=GOAL_MS),
        Measurement("sorting by a column, CPU", OURS, "ms", tuple(ordered)),
    )
    worst = (f"Worst frame {max(scrolled):.1f} ms, worst cell {max(filled):.1f} ms.",)
    return Report(f"A table of {options.rows:,} documents", rows, worst, this_machine())


def _cost(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return (time.process_time() - started) * 1_000


def _table(count: int) -> Table:
    kinds = (Kind.TEXT, Kind.AMOUNT)
    columns = tuple(Column(f"Question {number}", kinds[number % 2], id=number) for number in range(1, 11))
    rows = tuple(
        Row(number, f"{number:064x}", f"/d/{number}.md", f"Document {number}") for number in range(1, count + 1)
    )
    cells = {
        (row.number, column.id): Cell(
            CellState.FOUND,
            f"{row.number * column.id:,} euros",
            f"{row.number * column.id}|EUR" if column.kind is Kind.AMOUNT else f"{row.number * column.id:,} euros",
            sha256=row.sha256,
        )
        for row in rows
        for column in columns
    }
    return Table(TableId(1), "Measured", columns, rows, cells)
