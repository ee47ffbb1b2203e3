"""The command line: `desktop-rag [FOLDER…|LINK]` opens the window, `desktop-rag VERB …` works without one."""

import argparse
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.cli.output import BROKEN_PIPE, FOUND, INTERRUPTED, NOTHING, Output, discard_output, stop_on_interrupt
from desktop_rag.cli.verb_parsers import verb_parser, window_parser
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.log_format import LogFormatter
from desktop_rag.paths import data_home, log_folder, private_folder
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.index.libraries import KnownLibrary
    from desktop_rag.index.library import Library

logger = logging.getLogger(__name__)

_STOPPED = {
    "index": "Searchable files stay searchable; `desktop-rag index` or an open window continues with the rest.",
    "check": "The rest was not checked.",
    "report": "Written sections are kept; `desktop-rag report` lists the reports, and goes on with the one you number.",
    "table": "Filled cells are kept; `desktop-rag table` lists the tables, and goes on with the one you name.",
}


class _NoteHandler(logging.Handler):
    """Prints log warnings as notes, which do not disturb a progress bar."""

    def __init__(self, output: Output) -> None:
        super().__init__(logging.WARNING)
        self._output = output

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        self._output.note(record.getMessage())


def run_verb(arguments: Sequence[str]) -> int:
    """Run one verb; return 1 after one of our errors, whose sentence is printed, and 2 for wrong usage."""
    options = verb_parser().parse_args(arguments)
    _check_usage(options)
    output = Output(as_json=options.json)
    return guarded(lambda stop: _run_paged(options, output, stop), output, _STOPPED.get(options.verb, ""))


def _check_usage(options: argparse.Namespace) -> None:
    """Report options that contradict each other, and a missing question or query that is not typed later."""
    if options.json and getattr(options, "csv", False):
        options.refuse("--csv is another format than --json")
    word = {"ask": "question", "search": "query"}.get(options.verb)
    if word is None or (word == "question" and options.toolkit == "help"):
        return
    if getattr(options, word) is None and not options.interactive:
        options.refuse(f"a {word.upper()} is missing")
    if options.interactive and options.json:
        options.refuse("--interactive is for people, not with --json")


def _run_paged(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Run a verb, through the pager if it prints lists that can be long."""
    if getattr(options, "no_pager", True) or getattr(options, "interactive", False):
        return _run(options, output, stop)
    from desktop_rag.cli.pager import paged

    return paged(lambda: _run(options, output, stop), output)


def guarded(work: Callable[[Stop], int], output: Output, stopped: str = "") -> int:
    """Run `work` and return its exit code; print errors as sentences, and `stopped` after Ctrl+C."""
    logging.basicConfig(handlers=[_NoteHandler(output)])
    try:
        return _run_guarded(work, output, stopped)
    except BrokenPipeError:  # the reader of our output has closed the pipe
        discard_output()
        return BROKEN_PIPE
    except OSError as error:
        discard_output()
        output.as_json = False  # standard output itself may be what failed
        output.error("The system reported an error", str(error))
        return NOTHING


def _run_guarded(work: Callable[[Stop], int], output: Output, stopped: str) -> int:
    try:
        with stop_on_interrupt() as stop:
            return work(stop)
    except (KeyboardInterrupt, Stopped):
        output.error("Stopped", stopped or "Interrupted by the keyboard.")
        return INTERRUPTED
    except DesktopRagError as error:
        output.error(error.title, str(error))
        return NOTHING
    except OSError:
        raise
    except Exception as error:
        request = _log_to_file()
        logger.exception("a verb failed")
        output.error("Something went wrong", f"{error!r}. {request}")
        return NOTHING


def _log_to_file() -> str:
    """Log tracebacks of this module to a file; return a sentence about how to report it."""
    logger.propagate = False
    try:
        file = private_folder(log_folder()) / "command-line.log"
        file.touch(mode=0o600)
        handler: logging.Handler = logging.FileHandler(file, encoding="utf-8")
    except OSError:
        logger.addHandler(logging.NullHandler())
        return "Please report it."
    handler.setFormatter(LogFormatter("%(asctime)s %(message)s"))
    logger.addHandler(handler)
    return f"Please report it with the end of {file}."


def library_of_window(text: str | None) -> Path | None:
    """Return the folder of the named library, or of the last one shown; print an error and return None if unknown."""
    from desktop_rag.index.libraries import Libraries

    known = Libraries(data_home())
    try:
        return (known.last() if text is None else known.find(text)).folder
    except DesktopRagError as error:
        Output(as_json=False).error(error.title, str(error))
        return None


def _known_library(text: str | None) -> "KnownLibrary":
    from desktop_rag.index.libraries import Libraries

    known = Libraries(data_home())
    return known.usual() if text is None else known.find(text)


def _present_library(text: str | None) -> "Library":
    from desktop_rag.index.libraries import present

    return present(_known_library(text))


def _run(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    if (home := data_home()).is_dir():
        with suppress(PermissionError):  # a library of another user, read with their consent
            private_folder(home)
    match options.verb:
        case "eval":
            from desktop_rag.cli.eval_command import evaluate

            return evaluate(options.arguments, output, stop)
        case "libraries":
            from desktop_rag.cli.libraries_command import libraries
            from desktop_rag.index.libraries import Libraries

            return libraries(Libraries(data_home()), options, output)
        case "completion":
            from desktop_rag.cli.completion_command import completion

            return completion(options.shell, options.list, output)
        case "ask" if options.toolkit == "help":
            from desktop_rag.cli.completion_command import list_toolkits

            return list_toolkits(output)
        case "doctor":
            from desktop_rag.cli.doctor_command import doctor

            return doctor(options.profile, output, stop)
        case "mcp" if options.add or options.remove or options.clients:
            from desktop_rag.cli.mcp_command import change_client, list_clients

            if options.clients:
                return list_clients(output)
            return change_client(options, _known_library(options.library), output)
        case "serve-index":
            from desktop_rag.cli.team_commands import serve_index

            return serve_index(_known_library(options.library), options, output, stop)
        case "encoder" | "sent" | "settings":
            return _own_verb(options, output, stop)
        case _:
            return _library_verb(_present_library(options.library), options, output, stop)


def _own_verb(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Run a verb on the program's own files."""
    if options.verb == "sent":
        from desktop_rag.cli.sent_command import sent

        return sent(options, output)
    if options.verb == "settings":
        from desktop_rag.cli.settings_command import add_notes, settings

        done = settings(options.key, options.value, output)
        if options.key == "notes" and options.value is not None:
            add_notes(_present_library(None), output, stop)
        return done
    from desktop_rag.cli.encoder_command import encoder

    return encoder(options, output, stop)


def _library_verb(library: "Library", options: argparse.Namespace, output: Output, stop: Stop) -> int:
    match options.verb:
        case "index":
            from desktop_rag.cli.index_command import index

            return index(library, options.paths, output, stop, background=options.background)
        case "search":
            from desktop_rag.cli.live_command import search_live
            from desktop_rag.cli.scope_options import scope_filters
            from desktop_rag.cli.search_command import search
            from desktop_rag.retrieval.api import Mode, SearchRequest, Sort

            if options.interactive:
                return search_live(library, options, output, stop)
            request = SearchRequest(
                options.query,
                Mode(options.mode),
                options.limit,
                filters=scope_filters(options),
                sort=Sort(options.sort),
                reverse=options.reverse,
            )
            return search(library, request, output, stop)
        case "ask":
            from desktop_rag.cli.ask_command import ask

            return ask(library, options, output, stop)
        case "cite":
            from desktop_rag.cli.cite_command import cite

            return cite(library, options.file, output, stop, looks=not options.no_look)
        case "mcp":
            from desktop_rag.cli.mcp_command import serve
            from desktop_rag.cli.scope_options import lasting_filters

            return serve(library, lasting_filters(options, library), options.http, output, stop)
        case "serve":
            from desktop_rag.cli.scope_options import lasting_filters
            from desktop_rag.cli.serve_command import serve as serve_chat

            return serve_chat(library, lasting_filters(options, library), options.profile, options.port, output, stop)
        case "status":
            from desktop_rag.cli.status_command import status

            return status(library, output, stop, listed=options.problems)
        case "open":
            from desktop_rag.cli.search_command import link_to_place

            output.value({"type": "link", "link": link_to_place(library, options.place, stop)})
            return FOUND
        case "why":
            from desktop_rag.cli.why_command import why

            return why(library, options.path, options.query, options.mode, options.limit, output, stop)
        case _:
            return _upkeep_verb(library, options, output, stop)


def _upkeep_verb(library: "Library", options: argparse.Namespace, output: Output, stop: Stop) -> int:
    match options.verb:
        case "export":
            from desktop_rag.cli.export_command import export

            return export(library, options.conversation, options.format, options.out, output, stop)
        case "table":
            from desktop_rag.cli.table_command import table

            return table(library, options, output, stop)
        case "report":
            from desktop_rag.cli.table_command import report

            return report(library, options, output, stop)
        case "watch":
            from desktop_rag.cli.table_command import watch

            return watch(library, options, output, stop)
        case "events":
            from desktop_rag.cli.index_command import events

            return events(library, output, stop, once=options.once)
        case "retry":
            from desktop_rag.cli.folder_commands import retry

            return retry(library, options.paths, output, stop)
        case "forget":
            from desktop_rag.cli.folder_commands import forget

            return forget(library, options.folder, output, stop, quotes=options.quotes)
        case "relocate":
            from desktop_rag.cli.folder_commands import relocate

            return relocate(library, options.old, options.new, output, stop)
        case _:
            from desktop_rag.cli.libraries_command import check

            return check(library, output, stop, deep=options.deep, repair=options.repair)


def link_to_open(arguments: Sequence[str]) -> tuple[Path, str] | None:
    """Return the library's folder and the link of `open FILE:LINE`; print an error and return None if it has none."""
    options = verb_parser().parse_args(arguments)
    found: list[tuple[Path, str]] = []

    def find(stop: Stop) -> int:
        from desktop_rag.cli.search_command import link_to_place

        library = _present_library(options.library)
        found.append((library.folder, link_to_place(library, options.place, stop)))
        return FOUND

    guarded(find, Output(as_json=False))
    return found[0] if found else None


def link_among(arguments: Sequence[str]) -> str:
    """Return the `desktop-rag://` link of a command line, "" if there is none.

    It must be the only argument: a crafted link may make a shell or a browser add options.
    """
    from desktop_rag.text.desktop_links import is_link

    links = [argument for argument in arguments if is_link(argument)]
    if links and len(arguments) > 1:
        window_parser().error("a desktop-rag:// link must be the only argument")
    return links[0] if links else ""
