"""`desktop-rag table`: tables over documents are made, filled, printed and exported."""

import argparse
import sys
import time
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path

from desktop_rag.agent.budget import amount_text
from desktop_rag.agent.events import Answered, Citation
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.cli.export_command import BINARY, as_document, format_of_file, give_document, write_document
from desktop_rag.cli.output import FOUND, NOTHING, USAGE, Output, shown_path
from desktop_rag.cli.scope_options import scope_filters
from desktop_rag.cli.search_command import open_engine
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop, result_of
from desktop_rag.text.display import location_text, one_line, plural, printable
from desktop_rag.text.json_types import Json
from desktop_rag.work.columns import read_columns
from desktop_rag.work.filling import CellFilled, Estimate, FillEnded, Filler, RowGone, estimate, fill, usual_filler
from desktop_rag.work.report import Report, ReportId, ReportLimits, ReportSection, read_outline, written_outline
from desktop_rag.work.report_writing import ReportEnded, SectionEvent, SectionWritten, propose, write_report
from desktop_rag.work.row_reading import documents_of, rows_of, sample_of
from desktop_rag.work.standing import Standing, StandingId
from desktop_rag.work.standing_check import ask, begin, begin_table, check
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


# `desktop-rag report`: an outline is proposed, edited as a file, and written section by section.


def report(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """List, outline, write, print or delete a report; return 1 if sections are left."""
    if options.format in BINARY and options.out is None:  # before anything is written that cannot be shown
        options.refuse(f"--format {options.format} needs --out FILE")
    kind = options.format or format_of_file(options.out)
    with ExitStack() as opened:
        store = opened.enter_context(closing(WorkStore(library)))
        if options.question is None:
            return _report_list(store, output)
        known = _known(store, options)
        if known is not None and options.delete:
            store.delete_report(known)
            output.note("The report is deleted.", "")
            return FOUND
        engine = opened.enter_context(closing(open_engine(library)))
        filler = usual_filler(engine, ExtractiveModel(), profile=options.profile)
        if known is None:
            filters = scope_filters(options)
            given = _given(options.outline)
            sections = given or propose(options.question, filters, filler, stop)
            if options.outline_only:
                return _print_outline(sections, output)
            known = store.put_report(Report(options.question, sections, filters, time.time_ns()))
            output.note(f"Report {known}: {plural(len(sections), 'section')}.")
        limits = ReportLimits(options.tokens or 0, options.minutes or 0.0, options.money or 0.0)
        code = FOUND
        with closing(write_report(known, store, filler, stop, limits)) as events:
            for event in events:
                match event:
                    case SectionEvent(section) if event.told:
                        output.note(f"{section}  {one_line(printable(event.told))}")
                    case SectionWritten(section, of, heading, tokens):
                        if output.as_json:
                            output.value(
                                {"type": "section", "section": section, "of": of, "heading": heading, "tokens": tokens}
                            )
                        output.note(f"{section}/{of}  {one_line(printable(heading))}", "")
                    case ReportEnded(_, left, trouble, title):
                        code = NOTHING if left else FOUND
                        if trouble:
                            rest = plural(left, "section")
                            output.error(title, f"{trouble} {rest} left; `desktop-rag report {known}` goes on.")
        _report_print(known, kind, store, engine, options, output, stop)
        return code


def _known(store: WorkStore, options: argparse.Namespace) -> ReportId | None:
    """Return the report that is meant, None for a new question; raises `LibraryRefused`."""
    wanted = options.question.strip()
    known = next((number for number, _ in store.reports() if str(number) == wanted), None)
    if known is None and (options.delete or wanted.isdecimal()):
        raise LibraryRefused(f"There is no report {one_line(wanted)}. `desktop-rag report` lists them.")
    if not wanted:
        raise LibraryRefused("A report needs a question.")
    return known


def _given(outline: Path | None) -> tuple[ReportSection, ...]:
    if outline is None:
        return ()
    try:
        return read_outline(outline.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise LibraryRefused(f"{shown_path(outline)} cannot be read as an outline ({error}).") from error


def _print_outline(sections: tuple[ReportSection, ...], output: Output) -> int:
    for section in sections if output.as_json else ():
        output.value({"type": "outline", "heading": section.heading, "question": section.question})
    if not output.as_json:
        output.line(written_outline(sections).rstrip("\n"))
    return FOUND


def _report_list(store: WorkStore, output: Output) -> int:
    reports = store.reports()
    for number, each in reports:
        done, of = len(each.written), len(each.sections)
        if output.as_json:
            output.value({"type": "report", "id": number, "question": each.question, "sections": of, "written": done})
        else:
            told = f"  {done} of {plural(of, 'section')}"
            output.text((f"{number:5}  ", "bold"), (one_line(printable(each.question)), ""), (told, "dim"))
    if not reports:
        output.note("There are no reports yet: desktop-rag report \u201cYour question\u201d", "")
    return FOUND if reports else NOTHING


def _report_print(
    number: ReportId,
    kind: str,
    store: WorkStore,
    engine: SearchEngine,
    options: argparse.Namespace,
    output: Output,
    stop: Stop,
) -> None:
    written = store.report(number)
    text = as_document(written.question, written.turns, kind, engine, stop)
    give_document(text, kind, options.out, output, {"type": "report", "id": number, "question": written.question})


# `desktop-rag watch`: standing questions are added, listed, looked at again and removed; for scripts.


def watch(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """List, add, look at or remove standing questions; `run` returns 0 if something is new, else 1."""
    with ExitStack() as opened:
        store = opened.enter_context(closing(WorkStore(library)))
        if options.action == "list":
            return _watch_list(store, output)
        if options.action == "remove":
            for number, _ in _chosen(store, options.what or ""):
                store.delete_standing(number)
            output.note("The standing question is removed.", "")
            return FOUND
        engine = opened.enter_context(closing(open_engine(library)))
        filler = usual_filler(engine, ExtractiveModel(), profile=options.profile)
        if options.action == "add":
            return _add(store, engine, filler, options, output, stop)
        every = _chosen(store, options.what) if options.what else store.all_standing()
        new = [_look(number, store, engine, filler, output, stop, asks=options.ask) for number, _ in every]
        return FOUND if any(new) else NOTHING


def _chosen(store: WorkStore, wanted: str) -> tuple[tuple[StandingId, Standing], ...]:
    found = tuple(each for each in store.all_standing() if str(each[0]) == wanted)
    if not found:
        raise LibraryRefused(f"There is no standing question {one_line(wanted)}. `desktop-rag watch` lists them.")
    return found


def _watch_list(store: WorkStore, output: Output) -> int:
    every = store.all_standing()
    for number, standing in every:
        if output.as_json:
            output.value(standing_json(number, standing))
        else:
            _print_line(number, standing, output)
    if not every:
        output.note("There are no standing questions yet: desktop-rag watch add \u201cYour question\u201d", "")
    return FOUND if every else NOTHING


def _add(
    store: WorkStore, engine: SearchEngine, filler: Filler, options: argparse.Namespace, output: Output, stop: Stop
) -> int:
    kept = Standing(options.what or "", scope_filters(options))
    if options.table is not None:
        number = begin_table(named_table(store, options.table), store, filler, stop, kept)
    elif options.what:
        number = result_of(begin(options.what, store, filler, stop, kept))
    else:
        options.refuse("a question is missing: desktop-rag watch add \u201cYour question\u201d")
        return NOTHING
    standing = store.standing(number)
    if output.as_json:
        output.value(standing_json(number, standing))
    elif standing.answered is not None:
        turns = standing.turns()
        output.line(str(as_document(standing.question, lambda _: turns, "md", engine, stop)).rstrip("\n"))
    output.note(f"Standing question {number}. `desktop-rag watch run` tells what is new.")
    return FOUND


def _look(
    number: StandingId,
    store: WorkStore,
    engine: SearchEngine,
    filler: Filler,
    output: Output,
    stop: Stop,
    *,
    asks: bool,
) -> bool:
    """Look at a question, print what is new, and return whether something is."""
    standing = check(number, store, filler, stop)
    is_new = bool(standing.count or standing.gone)
    if asks and is_new and not standing.trouble:
        job = fill(standing.table, store, filler, stop) if standing.table else ask(number, store, filler, stop)
        with closing(job) as events:
            for _ in events:
                stop.check()
        if standing.table:
            check(number, store, filler, stop)
    after = store.standing(number)
    if output.as_json:
        output.value({**standing_json(number, standing), **_update_json(after if asks and is_new else None)})
        return is_new
    _print_line(number, standing, output)
    if standing.trouble:
        output.error(f"The look at {number} failed", standing.trouble)
    for each in (*standing.news, *standing.gone):
        gone = "gone: " if each in standing.gone else ""
        output.line(f"       {gone}{printable(each.path)}, {_place(each)}: “{one_line(each.quote)}”")
    if asks and is_new and after.updates and not standing.table:
        _print_update(after, engine, output, stop)
    return is_new


def _print_line(number: StandingId, standing: Standing, output: Output) -> None:
    output.text((f"{number:5}  ", "bold"), (one_line(printable(standing.question)), ""), (_watch_told(standing), "dim"))


def _print_update(standing: Standing, engine: SearchEngine, output: Output, stop: Stop) -> None:
    update = standing.updates[-1]
    if update.answered.text:
        output.line(
            str(as_document(standing.question, lambda _: standing.turns()[-1:], "md", engine, stop)).rstrip("\n")
        )
    for each in update.contradicted:
        output.line(f"       contradicted: {one_line(each.statement)} – “{one_line(each.words)}” [{each.citation}]")


def _watch_told(standing: Standing) -> str:
    if standing.trouble:
        return "  the last look failed"
    if not standing.count:
        return "  nothing new" + ("" if not standing.gone else f", {plural(len(standing.gone), 'passage')} gone")
    since = f"{datetime.fromtimestamp(standing.since_ns / 1e9):%Y-%m-%d}"
    what = plural(standing.count, "document") if standing.table else plural(standing.count, "new passage")
    return f"  {what} since {since}"


def _place(each: Citation) -> str:
    return location_text(each.page, each.first_line, each.last_line, each.section)


def _citation_json(each: Citation) -> dict[str, Json]:
    lines: Json = [each.first_line, each.last_line]
    return {"path": printable(each.path), "page": each.page, "lines": lines, "quote": each.quote}


def standing_json(number: StandingId, standing: Standing) -> dict[str, Json]:
    """Return a standing question, and what is new."""
    news: Json = [_citation_json(each) for each in standing.news]
    gone: Json = [_citation_json(each) for each in standing.gone]
    return {
        "type": "standing",
        "id": number,
        "question": standing.question,
        "table": standing.table,
        "new": standing.count,
        "trouble": standing.trouble,
        "since": f"{datetime.fromtimestamp(standing.since_ns / 1e9):%Y-%m-%dT%H:%M:%S}",
        "news": news,
        "gone": gone,
    }


def _update_json(standing: Standing | None) -> dict[str, Json]:
    if standing is None or not standing.updates:
        return {}
    update = standing.updates[-1]
    answered: Answered = update.answered
    added: Json = [_citation_json(each) for each in answered.citations]
    contradicted: Json = [
        {"statement": each.statement, "words": each.words, "citation": each.citation} for each in update.contradicted
    ]
    return {"answer": answered.text, "added": added, "contradicted": contradicted}
