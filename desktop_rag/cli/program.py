"""The command line: `desktop-rag [FOLDER…|LINK]` opens the window, `desktop-rag VERB …` works without one."""

import argparse
import difflib
import logging
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.cli.output import BROKEN_PIPE, INTERRUPTED, NOTHING, Output, discard_output
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.index.libraries import KnownLibrary, Libraries, present
from desktop_rag.index.library import Library
from desktop_rag.paths import data_home, log_folder, private_folder, valid_text
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import is_link

logger = logging.getLogger(__name__)

VERBS = {
    "index": "Add folders or files to the library and show the progress",
    "search": "Search the library",
    "ask": "Ask a question and get a cited answer",
    "cite": "Check the citations of a text against the library",
    "mcp": "Serve the library to other programs by the Model Context Protocol",
    "status": "Show the contents of the library and the activity of the indexer",
    "why": "Explain why a file is indexed or not, and why a search finds it or not",
    "retry": "Retry files that were quarantined or read only in part",
    "check": "Verify the library, and repair it",
    "forget": "Erase a folder and overwrite its text in all files of the library",
    "relocate": "Tell the library that its folders have moved",
    "libraries": "List, create, rename and remove libraries",
    "encoder": "Show or change the sentence encoder",
    "doctor": "Examine an endpoint: what it can do, and what to change on its server",
    "eval": "Measure the quality of search and answers on test collections",
}

# The values of `Mode`, whose module is too heavy to import for every verb.
_SORTS = ("relevance", "date", "name", "size", "folder")
_MODES = ("keyword", "exact", "semantic", "hybrid", "linked", "hybrid+rerank")
_STOPPED = {
    "index": "Searchable files stay searchable; `desktop-rag index` or an open window continues with the rest.",
    "check": "The rest was not checked.",
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
    output = Output(as_json=options.json)
    return guarded(lambda stop: _run(options, output, stop), output, _STOPPED.get(options.verb, ""))


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
        with _stop_on_interrupt() as stop:
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


@contextmanager
def _stop_on_interrupt() -> Generator[Stop]:
    """Yield a stop set by the first Ctrl+C; the second one ends the program. Main thread only."""
    stop = Stop()

    def interrupt(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # On another thread: the interrupted code may hold the lock of the stop.
        threading.Thread(target=stop.set, name="interrupt", daemon=True).start()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _log_to_file() -> str:
    """Log tracebacks of this module to a file; return a sentence about how to report it."""
    logger.propagate = False
    try:
        file = private_folder(log_folder()) / "command-line.log"
        handler: logging.Handler = logging.FileHandler(file, encoding="utf-8")
    except OSError:
        logger.addHandler(logging.NullHandler())
        return "Please report it."
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger.addHandler(handler)
    return f"Please report it with the end of {file}."


def library_of_window(text: str | None) -> Path | None:
    """Return the folder of the named library, or of the last one shown; print an error and return None if unknown."""
    known = Libraries(data_home())
    try:
        return (known.last() if text is None else known.find(text)).folder
    except DesktopRagError as error:
        Output(as_json=False).error(error.title, str(error))
        return None


def _known_library(text: str | None) -> KnownLibrary:
    known = Libraries(data_home())
    return known.usual() if text is None else known.find(text)


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

            return libraries(Libraries(data_home()), options, output)
        case "doctor":
            from desktop_rag.cli.doctor_command import doctor

            return doctor(options.profile, output, stop)
        case "mcp" if options.add or options.remove or options.clients:
            from desktop_rag.cli.mcp_command import change_client, list_clients

            if options.clients:
                return list_clients(output)
            return change_client(options, _known_library(options.library), output)
        case "encoder":
            from desktop_rag.cli.library_commands import encoder

            return encoder(options, output)
        case _:
            return _library_verb(present(_known_library(options.library)), options, output, stop)


def _library_verb(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    match options.verb:
        case "index":
            from desktop_rag.cli.index_command import index

            return index(library, options.paths, output, stop)
        case "search":
            from desktop_rag.cli.scope_options import scope_filters
            from desktop_rag.cli.search_command import search
            from desktop_rag.retrieval.api import Mode, SearchRequest, Sort

            request = SearchRequest(
                options.query,
                Mode(options.mode),
                options.limit,
                filters=scope_filters(options),
                sort=Sort(options.sort),
            )
            return search(library, request, output, stop)
        case "ask":
            from desktop_rag.cli.ask_command import ask
            from desktop_rag.cli.scope_options import scope_filters

            filters = scope_filters(options)
            file = options.model_file
            return ask(library, options.question, options.profile, options.toolkit, filters, output, stop, file)
        case "cite":
            from desktop_rag.cli.cite_command import cite

            return cite(library, options.file, output, stop)
        case "mcp":
            from desktop_rag.cli.mcp_command import serve
            from desktop_rag.cli.scope_options import scope_filters

            return serve(library, scope_filters(options), options.http, output, stop)
        case "status":
            from desktop_rag.cli.status_command import status

            return status(library, output, stop, listed=options.problems)
        case "why":
            from desktop_rag.cli.why_command import why

            return why(library, options.path, options.query, options.mode, options.limit, output, stop)
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
            from desktop_rag.cli.library_commands import check

            return check(library, output, stop, deep=options.deep, repair=options.repair)


def link_among(arguments: Sequence[str]) -> str:
    """Return the `desktop-rag://` link of a start, "" without one.

    It must stand alone: whoever wrote the link may have made a shell or a browser add options to it.
    """
    links = [argument for argument in arguments if is_link(argument)]
    if links and len(arguments) > 1:
        window_parser().error("a desktop-rag:// link must be the only argument")
    return links[0] if links else ""


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the window's arguments."""
    verbs = "\n".join(f"  {name:8} {text}" for name, text in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description="Ask your folders, and see the line that proves the answer.",
        epilog=f"with a link:\n  desktop-rag://open?file=PATH&line=N, desktop-rag://search?q=WORDS, desktop-rag://ask?q=WORDS\n\n"
        f"without a window:\n{verbs}\n\n`desktop-rag VERB --help` shows its options.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", type=_existing_path, metavar="FOLDER", help="folders or files to add")
    parser.add_argument("--library", type=_library, metavar="NAME|DIR", help="use this library")
    parser.add_argument("--demo", action="store_true", help="index the sample, ask the sample question, and end")
    background = "open the window in the tray, or minimised: what a start at login does"
    parser.add_argument("--background", action="store_true", help=background)
    portable = "as the first argument, also before a verb: keep all data in a folder beside the program"
    parser.add_argument("--portable", action=_Misplaced, nargs=0, help=portable)
    parser.add_argument("--version", action="version", version=f"Desktop RAG {__version__}")
    return parser


class _Misplaced(argparse.Action):
    """Refuses an option that is read, and taken away, as the first argument only."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Report wrong usage."""
        parser.error(f"{option_string} must be the first argument")


def verb_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    json_option = argparse.ArgumentParser(add_help=False)
    json_option.add_argument("--json", action="store_true", help="print JSON, one object a line")
    common = argparse.ArgumentParser(add_help=False, parents=[json_option])
    common.add_argument("--library", type=_library, metavar="NAME|DIR", help="use this library")
    parser = argparse.ArgumentParser(prog="desktop-rag")
    verbs = parser.add_subparsers(dest="verb", required=True)

    def verb(name: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, parents=[common], help=VERBS[name], description=VERBS[name])

    verb("index").add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files or folders; none: update")
    search = verb("search")
    search.add_argument("query", type=_non_empty("query"), metavar="QUERY", help="keywords, or the query language")
    search.add_argument(
        "--mode",
        choices=_MODES,
        default="hybrid",
        help="by keywords, as an exact substring, by meaning, by both (hybrid), also along the links of the best hits "
        "(linked), or with the best hits re-ranked (hybrid+rerank)",
    )
    search.add_argument("-k", "--limit", type=_count, default=10, metavar="N", help="maximum number of hits (10)")
    search.add_argument("--sort", choices=_SORTS, default="relevance", help="order of the hits (relevance)")
    _add_scope_options(search)
    ask = verb("ask")
    ask.add_argument("question", type=_non_empty("question"), metavar="QUESTION")
    model = ask.add_mutually_exclusive_group()
    model.add_argument("--profile", metavar="P", help="an endpoint of the settings, or `built-in`")
    file = "run this model file (GGUF) on this computer while it answers"
    model.add_argument("--model-file", type=_existing_path, metavar="FILE", help=file)
    ask.add_argument("--toolkit", metavar="T", help="the tools and the prompt to use; `help` lists them")
    _add_scope_options(ask)
    verb("cite").add_argument("file", metavar="FILE", help="the text, such as a Markdown file; `-`: standard input")
    mcp = verb("mcp")
    mcp.add_argument(
        "--http",
        type=_port,
        nargs="?",
        const=0,
        metavar="PORT",
        help="serve on 127.0.0.1 with a key instead of standard input and output; default: any free port",
    )
    client = mcp.add_mutually_exclusive_group()
    client.add_argument("--clients", action="store_true", help="list the programs whose settings can be changed")
    client.add_argument("--add", metavar="PROGRAM", help="add the server to the settings of this program, after asking")
    client.add_argument("--remove", metavar="PROGRAM", help="remove it from there, after asking")
    mcp.add_argument("--yes", action="store_true", help="change the settings without asking")
    _add_scope_options(mcp)
    verb("status").add_argument("--problems", action="store_true", help="list the skipped and failed files, and why")
    why = verb("why")
    why.add_argument("path", type=Path, metavar="PATH", help="a file or folder; it need not exist")
    why.add_argument("--query", type=_non_empty("query"), metavar="Q", help="also explain the rank in this search")
    why.add_argument("--mode", choices=_MODES, default="hybrid", help="search mode (hybrid)")
    why.add_argument("-k", "--limit", type=_count, default=10, metavar="N", help="number of hits shown (10)")
    verb("retry").add_argument("paths", nargs="*", type=Path, metavar="PATH", help="default: all quarantined files")
    check = verb("check")
    check.add_argument("--deep", action="store_true", help="compare every file and every vector")
    check.add_argument("--repair", action="store_true", help="repair the library; indexes are rebuilt")
    forget = verb("forget")
    forget.add_argument("folder", type=Path, metavar="FOLDER", help="a folder or file of the library")
    forget.add_argument("--quotes", action="store_true", help="also erase the answers that quote it")
    relocate = verb("relocate")
    relocate.add_argument("old", type=Path, metavar="OLD", help="the earlier path of folders of the library")
    relocate.add_argument("new", type=Path, metavar="NEW", help="their path now")
    libraries = verbs.add_parser(
        "libraries", parents=[json_option], help=VERBS["libraries"], description=VERBS["libraries"]
    )
    action = libraries.add_mutually_exclusive_group()
    action.add_argument(
        "--create", nargs="+", metavar=("NAME", "DIR"), help="create a library, optionally in a folder of your choice"
    )
    action.add_argument("--open", type=Path, metavar="DIR", help="add an existing library to the list")
    action.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="rename a library")
    action.add_argument("--remove", metavar="NAME", help="remove a library from the list without deleting it")
    action.add_argument("--delete", metavar="NAME", help="delete a library and its conversations, not your documents")
    encoder = verbs.add_parser("encoder", parents=[json_option], help=VERBS["encoder"], description=VERBS["encoder"])
    choice = encoder.add_mutually_exclusive_group()
    choice.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="model.onnx, tokenizer.json")
    choice.add_argument("--shipped", action="store_true", help="use the encoder that comes with the program")
    doctor = verbs.add_parser("doctor", parents=[json_option], help=VERBS["doctor"], description=VERBS["doctor"])
    doctor.add_argument("--profile", metavar="P", help="an endpoint of the settings; default: the chosen one")
    evaluation = verbs.add_parser("eval", parents=[json_option], help=VERBS["eval"], description=VERBS["eval"])
    evaluation.add_argument("arguments", nargs=argparse.REMAINDER, metavar="retrieval|qa|compare|report …", help="what")
    return parser


def _add_scope_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("only in some files; an option can be repeated")
    for name, what in (("--folder", "folders with this name or path"), ("--file", "files with this name or path")):
        group.add_argument(name, action="append", default=[], type=_non_empty("name"), metavar="F", help=what)
    group.add_argument("--type", action="append", default=[], type=_non_empty("type"), metavar="T", help="such as pdf")
    for name, what in (("--since", "not before this date"), ("--until", "not after this date")):
        group.add_argument(name, type=_date, metavar="D", help=f"{what}: 2024, 2024-03-15, last month …")


def _date(text: str) -> str:
    from desktop_rag.retrieval.query.date_ranges import side_of_range

    if text == "*" or side_of_range(text, date.today()) is None:
        raise argparse.ArgumentTypeError("it must be a date: 2024, 2024-03-15, today or last week")
    return text


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("it must be a number of a port, 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError("it must be a number from 1 to 1000")
    return int(text)


def _non_empty(what: str) -> Callable[[str], str]:
    def non_empty(text: str) -> str:
        if not text.strip():
            raise argparse.ArgumentTypeError(f"the {what} is empty")
        return valid_text(text)

    return non_empty


def _library(text: str) -> str:
    if valid_text(text) != text:
        raise argparse.ArgumentTypeError("the name of a library's folder must be valid UTF-8")
    return text


def _existing_path(text: str) -> Path:
    """Return the path of an existing file or folder; a mistyped verb must not open a window."""
    if os.path.lexists(text):
        return Path(text)
    if text in VERBS:
        raise argparse.ArgumentTypeError(f"options follow the verb: desktop-rag {text} …")
    close = difflib.get_close_matches(text, VERBS, n=1)
    hint = f"; did you mean `desktop-rag {close[0]}`?" if close else ""
    raise argparse.ArgumentTypeError(f"there is no file or folder “{text}”{hint}")
