"""`desktop-rag table`: tables over documents are made, filled, printed and exported."""

import argparse
import sys
from contextlib import ExitStack, closing
from pathlib import Path

from desktop_rag.agent.budget.spending import amount_text
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.cli.export_command import format_of_file, write_document
from desktop_rag.cli.output import FOUND, NOTHING, USAGE, Output, shown_path
from desktop_rag.cli.scope_options import scope_filters
from desktop_rag.cli.search_command import open_engine
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, printable
from desktop_rag.work.columns import read_columns
from desktop_rag.work.filling import CellFilled, Estimate, FillEnded, Filler, RowGone, estimate, fill, usual_filler
from desktop_rag.work.row_reading import documents_of, rows_of, sample_of
from desktop_rag.work.table import Place, Table, TableHead, TableId
from desktop_rag.work.table_export import FORMATS, event_json, exported, head_json, state_text, table_json
from desktop_rag.work.work_store import WorkStore

MOST_SUGGESTED = 20
LEAST_SHARE = 0.3  # of the documents have a suggested column


def table(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """List, make, fill, print or delete a table; return 1 if cells are left without a result."""
    kind = options.format or format_of_file(options.out, FORMATS)  # before anything is asked
    with ExitStack() as opened:
        engine = opened.enter_context(closing(open_engine(library)))
        if options.suggest:
            return _suggest(engine, scope_filters(options), output, stop)
        store = opened.enter_context(closing(WorkStore(library)))
        if store.notice:
            output.note(store.notice, "yellow")
        if options.table is None and not options.column:
            return _list(store, output)
        chosen = (
            _made(store, engine, options, output, stop) if options.table is None else named_table(store, options.table)
        )
        if options.delete:
            store.delete(chosen)
            output.note("The table is deleted.", "")
            return FOUND
        code = FOUND
        if not options.no_fill:
            filler = usual_filler(engine, ExtractiveModel(), profile=options.profile)
            code = _filled(chosen, store, filler, options, output, stop)
        _print(store.load(chosen), kind, options, output)
        return code


def _list(store: WorkStore, output: Output) -> int:
    tables = store.tables()
    for head in tables:
        if output.as_json:
            output.value(head_json(head))
        else:
            told = f"  {plural(head.rows, 'document')}, {head.filled:,} of {head.cells:,} cells"
            output.text((f"{head.id:5}  ", "bold"), (one_line(printable(head.name)), ""), (told, "dim"))
    if not tables:
        output.note("There are no tables yet: desktop-rag table --column “Rent: amount” --folder FOLDER", "")
    return FOUND if tables else NOTHING


def _suggest(engine: SearchEngine, filters: tuple[Filter, ...], output: Output, stop: Stop) -> int:
    """Print labels and headings that many of the documents have."""
    sample = sample_of(engine, rows_of(engine, filters, stop), stop)
    found = ExtractiveModel().common_labels(sample, stop)
    common = [(name, count) for name, count in found if count > 1 and count >= LEAST_SHARE * len(sample)]
    for name, count in common[:MOST_SUGGESTED]:
        if output.as_json:
            output.value({"type": "column", "name": name, "documents": count, "of": len(sample)})
        else:
            output.text(
                (one_line(printable(name)), ""), (f"  in {count:,} of {plural(len(sample), 'document')}", "dim")
            )
    if not common:
        output.note("These documents share no labels and no headings.", "")
    return FOUND if common else NOTHING


def named_table(store: WorkStore, wanted: str) -> TableId:
    """Return the table with this number or name; raises `LibraryRefused`."""
    found: list[TableHead] = [head for head in store.tables() if wanted in (str(head.id), head.name)]
    if not found:
        raise LibraryRefused(f"There is no table “{one_line(wanted)}”. `desktop-rag table` lists them.")
    return found[0].id


def _made(store: WorkStore, engine: SearchEngine, options: argparse.Namespace, output: Output, stop: Stop) -> TableId:
    columns = read_columns(options.column)
    rows = documents_of(engine, scope_filters(options), options.query, stop)
    name = options.name or ", ".join(column.name for column in columns[:3])
    made = store.create(name, columns, rows)
    output.note(f"Table {made}: {plural(len(rows), 'document')}, {plural(len(columns), 'column')}.")
    return made


def _filled(
    chosen: TableId, store: WorkStore, filler: Filler, options: argparse.Namespace, output: Output, stop: Stop
) -> int:
    """Fill a table after the user has seen what it takes at most."""
    before = store.load(chosen)
    wanted: tuple[Place, ...] | None = None
    if options.again:
        wanted = tuple((row.number, column.id) for row in before.rows for column in before.columns)
    budget = estimate(filler, filler.wanting(before) if wanted is None else wanted)
    if budget.requests and not options.yes and not _confirmed(budget, output):
        return USAGE
    left, trouble = 0, False
    with closing(fill(chosen, store, filler, stop, wanted)) as events:
        for event in events:
            if output.as_json:
                output.value(event_json(event, before))
            elif isinstance(event, CellFilled):
                output.note(_told(before, event))
            elif isinstance(event, RowGone):
                output.note(f"{shown_path(event.row.path)} is gone.", "yellow")
            if isinstance(event, FillEnded):
                left, trouble = event.left, bool(event.trouble)
                if trouble and not output.as_json:
                    rest = f"{plural(left, 'cell')} left; " if left else ""
                    output.error(event.title, f"{event.trouble} {rest}`table {chosen}` goes on.")
    return NOTHING if left or trouble else FOUND


def _confirmed(budget: Estimate, output: Output) -> bool:
    """Show what filling may take at most, and ask; without a terminal nothing is asked and nothing is sent."""
    money = f", {amount_text(budget.money)}" if budget.money is not None else ""
    told = (
        f"{plural(budget.cells, 'cell')}: at most {plural(budget.requests, 'request')}, {budget.tokens:,} tokens{money}"
    )
    if output.as_json or not sys.stdin.isatty():
        output.error("Not confirmed", f"{told}. Say --yes to fill the table without being asked.")
        return False
    output.note(f"{told}.", "")
    return input("Fill the table? [y/N] ").strip().lower() in ("y", "yes", "j", "ja")


def _told(table: Table, event: CellFilled) -> str:
    row = next(each for each in table.rows if each.number == event.place[0])
    column = next(each for each in table.columns if each.id == event.place[1])
    value = event.cell.value or state_text(table.with_cell(event.place, event.cell), row, column)
    told = f"{row.title} · {column.name}: {value}"
    return f"{event.done:,}/{event.of:,}  {one_line(printable(told))}"


def _print(table: Table, kind: str, options: argparse.Namespace, output: Output) -> None:
    file: Path | None = options.out
    if file is not None:
        write_document(file, exported(table, kind))
        output.note(f"Saved as {shown_path(file)}", "")
    elif kind == "xlsx":
        options.refuse("--format xlsx needs --out FILE")
    elif not output.as_json:
        output.line(exported(table, kind).decode("utf-8-sig").rstrip("\n"))
    if output.as_json:
        output.value(table_json(table))
