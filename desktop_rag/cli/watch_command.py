"""`desktop-rag watch`: standing questions are added, listed, looked at again and removed; for scripts."""

import argparse
from contextlib import ExitStack, closing
from datetime import datetime

from desktop_rag.agent.events import Answered, Citation
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.cli.export_command import as_document
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.cli.scope_options import scope_filters
from desktop_rag.cli.search_command import open_engine
from desktop_rag.cli.table_command import named_table
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.text.display import location_text, one_line, plural, printable
from desktop_rag.text.json_types import Json
from desktop_rag.work.filling import Filler, fill, usual_filler
from desktop_rag.work.standing import Standing, StandingId
from desktop_rag.work.standing_check import ask, begin, begin_table, check
from desktop_rag.work.work_store import WorkStore


def watch(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """List, add, look at or remove standing questions; `run` returns 0 if something is new, else 1."""
    with ExitStack() as opened:
        store = opened.enter_context(closing(WorkStore(library)))
        if options.action == "list":
            return _list(store, output)
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


def _list(store: WorkStore, output: Output) -> int:
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
        asking = begin(options.what, store, filler, stop, kept)
        while True:
            try:
                next(asking)
            except StopIteration as ended:
                number = ended.value
                break
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
    output.text((f"{number:5}  ", "bold"), (one_line(printable(standing.question)), ""), (_told(standing), "dim"))


def _print_update(standing: Standing, engine: SearchEngine, output: Output, stop: Stop) -> None:
    update = standing.updates[-1]
    if update.answered.text:
        output.line(
            str(as_document(standing.question, lambda _: standing.turns()[-1:], "md", engine, stop)).rstrip("\n")
        )
    for each in update.contradicted:
        output.line(f"       contradicted: {one_line(each.statement)} – “{one_line(each.words)}” [{each.citation}]")


def _told(standing: Standing) -> str:
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
