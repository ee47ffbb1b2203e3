"""`desktop-rag report`: an outline is proposed, edited as a file, and written section by section."""

import argparse
import time
from contextlib import ExitStack, closing
from pathlib import Path

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.cli.export_command import BINARY, as_document, format_of_file, give_document
from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.cli.scope_options import scope_filters
from desktop_rag.cli.search_command import open_engine
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, printable
from desktop_rag.work.filling import usual_filler
from desktop_rag.work.report import Report, ReportId, ReportLimits, Section, read_outline, written_outline
from desktop_rag.work.report_writing import ReportEnded, SectionEvent, SectionWritten, propose, write_report
from desktop_rag.work.work_store import WorkStore


def report(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """List, outline, write, print or delete a report; return 1 if sections are left."""
    if options.format in BINARY and options.out is None:  # before anything is written that cannot be shown
        options.refuse(f"--format {options.format} needs --out FILE")
    kind = options.format or format_of_file(options.out)
    with ExitStack() as opened:
        store = opened.enter_context(closing(WorkStore(library)))
        if options.question is None:
            return _list(store, output)
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
        _print(known, kind, store, engine, options, output, stop)
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


def _given(outline: Path | None) -> tuple[Section, ...]:
    if outline is None:
        return ()
    try:
        return read_outline(outline.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise LibraryRefused(f"{shown_path(outline)} cannot be read as an outline ({error}).") from error


def _print_outline(sections: tuple[Section, ...], output: Output) -> int:
    for section in sections if output.as_json else ():
        output.value({"type": "outline", "heading": section.heading, "question": section.question})
    if not output.as_json:
        output.line(written_outline(sections).rstrip("\n"))
    return FOUND


def _list(store: WorkStore, output: Output) -> int:
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


def _print(
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
