"""The command line: `desktop-rag [FOLDER…]` opens the window, `desktop-rag VERB …` works without one."""

import argparse
import difflib
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.cli.interrupt import stopped_by_keyboard
from desktop_rag.cli.output import INTERRUPTED, NOTHING, UNHEARD, Output, silence
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.index.libraries import KnownLibrary, Libraries, present
from desktop_rag.index.library import Library
from desktop_rag.paths import data_home, log_folder, private_folder, valid_text
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

VERBS = {
    "index": "Add folders or files to the library and follow the progress",
    "search": "Search the library",
    "ask": "Ask a question and get a cited answer",
    "status": "Show what the library holds and what it is doing",
    "why": "Say why a file is found or not, by a rule or by a search",
    "retry": "Read files again that were set aside, or read only in part",
    "check": "Verify the library, and repair it",
    "forget": "Erase a folder from the library to the last byte",
    "relocate": "Say that folders of the library lie somewhere else now",
    "libraries": "List the libraries, make and rename them",
    "encoder": "Show the sentence encoder, or choose another one",
    "eval": "Measure how well this program finds, on test collections",
}

_MODES = ("keyword", "exact", "semantic", "hybrid", "linked", "hybrid+rerank")
_STOPPED = {
    "index": "What is searchable stays so; the rest goes on with the next `desktop-rag index`, or in an open window.",
    "check": "What was not looked at yet is unknown.",
}


class _Notes(logging.Handler):
    """Shows warnings of the engine to a person, beside a progress bar that may be drawn."""

    def __init__(self, output: Output) -> None:
        super().__init__(logging.WARNING)
        self._output = output

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        self._output.note(record.getMessage())


def run_verb(arguments: Sequence[str]) -> int:
    """Run one verb; our errors become a sentence and exit code 1, wrong usage 2."""
    options = verb_parser().parse_args(arguments)
    output = Output(as_json=options.json)
    return guarded(lambda stop: _verb(options, output, stop), output, _STOPPED.get(options.verb, ""))


def guarded(work: Callable[[Stop], int], output: Output, stopped: str = "") -> int:
    """Run `work` and return its exit code; our errors become a sentence and exit code 1, Ctrl+C says `stopped`."""
    logging.basicConfig(handlers=[_Notes(output)])
    try:
        return _guarded(work, output, stopped)
    except BrokenPipeError:  # the reader of our output has seen enough
        silence()
        return UNHEARD
    except OSError as error:
        silence()
        output.as_json = False  # standard output itself may be what failed
        output.error("The system reported an error", str(error))
        return NOTHING


def _guarded(work: Callable[[Stop], int], output: Output, stopped: str) -> int:
    try:
        with stopped_by_keyboard() as stop:
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
    """Send this module's log, the traceback of what should not happen, into a file; return what to do with it."""
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
    """Return the folder of the library to show: the one named, or the last one; None when there is none such."""
    known = Libraries(data_home())
    try:
        return (known.last() if text is None else known.find(text)).folder
    except DesktopRagError as error:
        Output(as_json=False).error(error.title, str(error))
        return None


def _named(text: str | None) -> KnownLibrary:
    known = Libraries(data_home())
    return known.usual() if text is None else known.find(text)


def _verb(options: argparse.Namespace, output: Output, stop: Stop) -> int:
    match options.verb:
        case "eval":
            from desktop_rag.cli.eval_command import evaluate

            return evaluate(options.arguments, output, stop)
        case "libraries":
            from desktop_rag.cli.libraries_command import libraries

            return libraries(Libraries(data_home()), options, output)
        case "encoder":
            from desktop_rag.cli.encoder_command import encoder

            return encoder(options, output)
        case _:
            return _verb_on(present(_named(options.library)), options, output, stop)


def _verb_on(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    match options.verb:
        case "index":
            from desktop_rag.cli.index_command import index

            return index(library, options.paths, output, stop)
        case "search":
            from desktop_rag.cli.search_command import search

            return search(library, options.query, options.mode, options.limit, output, stop)
        case "ask":
            from desktop_rag.cli.ask_command import ask

            return ask(library, options.question, options.profile, options.toolkit, output, stop)
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
            from desktop_rag.cli.check_command import check

            return check(library, output, stop, deep=options.deep, repair=options.repair)


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the window's arguments."""
    verbs = "\n".join(f"  {name:8} {text}" for name, text in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description="Ask your folders, and see the line that proves the answer.",
        epilog=f"without a window:\n{verbs}\n\n`desktop-rag VERB --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", type=_existing, metavar="FOLDER", help="folders or files to add")
    parser.add_argument("--library", type=_library, metavar="NAME|DIR", help="use this library")
    parser.add_argument("--demo", action="store_true", help="index the sample, ask the sample question, and end")
    parser.add_argument("--version", action="version", version=f"Desktop RAG {__version__}")
    return parser


def verb_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    answering = argparse.ArgumentParser(add_help=False)
    answering.add_argument("--json", action="store_true", help="print JSON, one object a line")
    shared = argparse.ArgumentParser(add_help=False, parents=[answering])
    shared.add_argument("--library", type=_library, metavar="NAME|DIR", help="use this library")
    parser = argparse.ArgumentParser(prog="desktop-rag")
    verbs = parser.add_subparsers(dest="verb", required=True)

    def verb(name: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, parents=[shared], help=VERBS[name], description=VERBS[name])

    verb("index").add_argument("paths", nargs="*", type=Path, metavar="PATH", help="none: only bring it up to date")
    searching = verb("search")
    searching.add_argument("query", type=_said("query"), metavar="QUERY", help="words, or the query language")
    searching.add_argument(
        "--mode",
        choices=_MODES,
        default="hybrid",
        help="by words, literally, by meaning, by words and meaning (hybrid), that with what the best hits name "
        "(linked), or with the best hits looked at once more (hybrid+rerank)",
    )
    searching.add_argument("-k", "--limit", type=_count, default=10, metavar="N", help="how many hits (10)")
    asking = verb("ask")
    asking.add_argument("question", type=_said("question"), metavar="QUESTION")
    asking.add_argument("--profile", metavar="P", help="an endpoint of the settings; `built-in` for none")
    asking.add_argument("--toolkit", metavar="T", help="the tools and the prompt to use; `help` lists them")
    verb("status").add_argument("--problems", action="store_true", help="list the files that are left out, and why")
    explaining = verb("why")
    explaining.add_argument("path", type=Path, metavar="PATH", help="a file or folder; it need not exist")
    explaining.add_argument("--query", type=_said("query"), metavar="Q", help="how it stands in this search")
    explaining.add_argument("--mode", choices=_MODES, default="hybrid", help="how to search (hybrid)")
    explaining.add_argument("-k", "--limit", type=_count, default=10, metavar="N", help="how many hits are shown (10)")
    verb("retry").add_argument("paths", nargs="*", type=Path, metavar="PATH", help="none: all that are set aside")
    checking = verb("check")
    checking.add_argument("--deep", action="store_true", help="compare every file and every vector")
    checking.add_argument("--repair", action="store_true", help="mend what can be mended; copies are built anew")
    forgetting = verb("forget")
    forgetting.add_argument("folder", type=Path, metavar="FOLDER", help="a folder or file of the library")
    forgetting.add_argument("--quotes", action="store_true", help="also erase the answers that quote it")
    moving = verb("relocate")
    moving.add_argument("old", type=Path, metavar="OLD", help="where folders of the library lay")
    moving.add_argument("new", type=Path, metavar="NEW", help="where they lie now")
    listing = verbs.add_parser(
        "libraries", parents=[answering], help=VERBS["libraries"], description=VERBS["libraries"]
    )
    doing = listing.add_mutually_exclusive_group()
    doing.add_argument(
        "--create", nargs="+", metavar=("NAME", "DIR"), help="make one, perhaps in a folder of your choice"
    )
    doing.add_argument("--open", type=Path, metavar="DIR", help="put one on the list that lies somewhere else")
    doing.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="call one something else")
    doing.add_argument("--remove", metavar="NAME", help="take one off the list; nothing of it is deleted")
    doing.add_argument("--delete", metavar="NAME", help="delete one with its conversations; your documents stay")
    encoding = verbs.add_parser("encoder", parents=[answering], help=VERBS["encoder"], description=VERBS["encoder"])
    choosing = encoding.add_mutually_exclusive_group()
    choosing.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="model.onnx, tokenizer.json")
    choosing.add_argument("--shipped", action="store_true", help="use the one that comes with the program again")
    judging = verbs.add_parser("eval", parents=[answering], help=VERBS["eval"], description=VERBS["eval"])
    judging.add_argument("arguments", nargs=argparse.REMAINDER, metavar="retrieval|qa|compare|report …", help="what")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError("it must be a number from 1 to 1000")
    return int(text)


def _said(what: str) -> Callable[[str], str]:
    def said(text: str) -> str:
        if not text.strip():
            raise argparse.ArgumentTypeError(f"the {what} is empty")
        return valid_text(text)

    return said


def _library(text: str) -> str:
    if valid_text(text) != text:
        raise argparse.ArgumentTypeError("the name of a library's folder must be valid UTF-8")
    return text


def _existing(text: str) -> Path:
    """Return the path of a folder or file; a mistyped verb must not open a window."""
    if os.path.lexists(text):
        return Path(text)
    if text in VERBS:
        raise argparse.ArgumentTypeError(f"options follow the verb: desktop-rag {text} …")
    close = difflib.get_close_matches(text, VERBS, n=1)
    hint = f"; did you mean `desktop-rag {close[0]}`?" if close else ""
    raise argparse.ArgumentTypeError(f"there is no file or folder “{text}”{hint}")
