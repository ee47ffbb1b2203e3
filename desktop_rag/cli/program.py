"""The command line: `desktop-rag [FOLDER…|LINK]` opens the window, `desktop-rag VERB …` works without one."""

import argparse
import importlib
import inspect
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


# The module and function of each verb. It is called with those of its options that are its parameters, and as
# `library`, `known`, `options`, `output` and `stop` with what these are.
_RUNS = {
    "index": ("cli.index_command", "index"),
    "search": ("cli.search_command", "search"),
    "ask": ("cli.ask_command", "ask"),
    "table": ("cli.table_command", "table"),
    "report": ("cli.table_command", "report"),
    "watch": ("cli.table_command", "watch"),
    "open": ("cli.search_command", "print_link"),
    "cite": ("cli.cite_command", "cite"),
    "export": ("cli.export_command", "export"),
    "mcp": ("cli.mcp_command", "mcp"),
    "serve": ("cli.serve_command", "serve"),
    "serve-index": ("cli.team_commands", "serve_index"),
    "status": ("cli.status_command", "status"),
    "why": ("cli.why_command", "why"),
    "retry": ("cli.folder_commands", "retry"),
    "check": ("cli.libraries_command", "check"),
    "forget": ("cli.folder_commands", "forget"),
    "relocate": ("cli.folder_commands", "relocate"),
    "libraries": ("cli.libraries_command", "libraries"),
    "encoder": ("cli.encoder_command", "encoder"),
    "settings": ("cli.settings_command", "settings"),
    "sent": ("cli.sent_command", "sent"),
    "events": ("cli.index_command", "events"),
    "completion": ("cli.completion_command", "completion"),
    "doctor": ("cli.doctor_command", "doctor"),
    "eval": ("cli.eval_command", "evaluate"),
}


def _run(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    if (home := data_home()).is_dir():
        with suppress(PermissionError):  # a library of another user, read with their consent
            private_folder(home)
    module, name = _RUNS[options.verb]
    if options.verb == "ask" and options.toolkit == "help":
        module, name = "cli.completion_command", "list_toolkits"
    elif options.verb == "search" and options.interactive:
        module, name = "cli.live_command", "search_live"
    run: Callable[..., int] = getattr(importlib.import_module(f"desktop_rag.{module}"), name)
    wanted = inspect.signature(run).parameters
    given = {**vars(options), "options": options, "output": output, "stop": stop}
    if "known" in wanted:
        given["known"] = _known_library(options.library)
    elif "library" in wanted:
        given["library"] = _present_library(options.library)
    return run(**{name: given[name] for name in wanted})


def _known_library(text: str | None) -> "KnownLibrary":
    from desktop_rag.index.libraries import Libraries

    return Libraries(data_home()).chosen(text)


def _present_library(text: str | None) -> "Library":
    from desktop_rag.index.libraries import present

    return present(_known_library(text))


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
