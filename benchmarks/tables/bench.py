"""Fills tables over documents whose values are known, and counts right, empty and false cells."""

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.report import OURS, Measurement, Report
from benchmarks.tables.known_documents import CONTRACT_COLUMNS, PAPER_COLUMNS, KnownDocument, contracts, papers
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.model_choice import BUILT_IN
from desktop_rag.evaluation.indexing import RunningLibrary, settled
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import usable_settings
from desktop_rag.stop import Stop
from desktop_rag.work.columns import Column, Kind, normal_form
from desktop_rag.work.filling import FillEnded, fill, usual_filler
from desktop_rag.work.row_reading import rows_of
from desktop_rag.work.table import Cell, CellState, Table
from desktop_rag.work.work_store import WorkStore

RIGHT, FALSE = 0.5, 0.03  # of the cells without a model: at least, at most
RIGHT_BY_MODEL, FALSE_BY_MODEL = 0.95, 0.01


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--seed", type=int, default=2, metavar="N", help="of the documents (2); 1 was used for tuning")
    parser.add_argument("--model", metavar="NAME", help="fill by the model of this endpoint of the settings")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print up to N false cells of each column (0)")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Fill a table of 40 contracts and one of 30 papers, and compare each cell with the known value."""
    rows: list[Measurement] = []
    notes: list[str] = []
    every: Counter[str] = Counter()
    for name, columns, documents in (
        ("contracts", CONTRACT_COLUMNS, contracts(options.seed)),
        ("papers", PAPER_COLUMNS, papers(options.seed)),
    ):
        say(f"Filling {len(documents)} {name} × {len(columns)} columns …")
        table = _filled(documents, columns, options.model)
        judged = list(_judged(table, documents))
        shown: Counter[str] = Counter()
        for column, known, cell, verdict in judged:
            shown[column.name] += verdict == "false"
            if verdict == "false" and shown[column.name] <= options.show:
                say(f"{column.name}: {cell.shown!r} instead of {known!r}")
        for column in columns:
            own = Counter(verdict for each, _, _, verdict in judged if each.name == column.name)
            notes.append(f"{name}, {column.name}: {_counts(own)}")
        every.update(verdict for *_, verdict in judged)
        rows += _measured(name, Counter(verdict for *_, verdict in judged), by_model=bool(options.model))
    rows += _measured("all", every, by_model=bool(options.model))
    return Report(f"Tables over known documents, seed {options.seed}", tuple(rows), tuple(notes), this_machine())


def _filled(documents: Sequence[KnownDocument], columns: Sequence[Column], model: str | None) -> Table:
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        files = Path(scratch) / "files"
        files.mkdir()
        for each in documents:
            (files / each.name).write_text(each.text, encoding="utf-8")
        with RunningLibrary(Path(scratch) / "library") as running:
            running.add(files)
            running.wait_until(settled)
            stop = Stop()
            with (
                closing(SearchEngine(running.library.folder)) as engine,
                closing(WorkStore(running.library)) as store,
            ):
                filler = usual_filler(engine, ExtractiveModel(), profile=model or BUILT_IN, settings=usable_settings())
                table = store.create("Known", columns, rows_of(engine, (), stop))
                for event in fill(table, store, filler, stop):
                    if isinstance(event, FillEnded) and event.trouble:
                        raise RuntimeError(event.trouble)
                return store.load(table)


def _judged(table: Table, documents: Sequence[KnownDocument]) -> Iterator[tuple[Column, str | None, Cell, str]]:
    known = {each.name: each.values for each in documents}
    for row in table.rows:
        values = known[os.path.basename(row.path)]  # noqa: PTH119 - a text
        for column in table.columns:
            cell, value = table.cell(row.number, column.id), values[column.name]
            yield column, value, cell, _verdict(column, cell, value)


def _verdict(column: Column, cell: Cell, known: str | None) -> str:
    """Return right, false, empty, or none: the document says nothing, and neither does the cell."""
    if cell.state is not CellState.FOUND:
        return "none" if known is None else "empty"
    if known is None:
        return "false"
    if column.kind is Kind.TEXT:
        return "right" if " ".join(known.split()).casefold() in " ".join(cell.value.split()).casefold() else "false"
    same = normal_form(column, cell.value).split("|")[0] == normal_form(column, known).split("|")[0]
    return "right" if same else "false"


def _measured(name: str, counted: Counter[str], *, by_model: bool) -> Iterator[Measurement]:
    stated = counted["right"] + counted["empty"] + counted["false"]
    right, false = (RIGHT_BY_MODEL, FALSE_BY_MODEL) if by_model else (RIGHT, FALSE)
    share = counted["right"] / stated if stated else 0.0
    wrong = counted["false"] / counted.total()
    yield Measurement(f"{name}: right, of the cells that have a value", OURS, "", (share,), "more", right)
    yield Measurement(f"{name}: false, of all cells", OURS, "", (wrong,), "less", false)


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{counted[each]} {each}" for each in ("right", "empty", "false", "none") if counted[each])
