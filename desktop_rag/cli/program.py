"""The command line: `desktop-rag [FOLDER…]` opens the window, `desktop-rag VERB …` works without one."""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.cli.output import NOTHING, USAGE, Output
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.index.library import Library
from desktop_rag.paths import default_library

VERBS = {
    "index": "Add folders or files to the library and follow the progress",
    "search": "Search the library",
    "ask": "Ask a question and get a cited answer",
    "status": "Show what the library holds and what it is doing",
    "check": "Verify the library, and repair it",
}


def run_verb(arguments: Sequence[str]) -> int:
    """Run one verb; our errors become a sentence and exit code 1, wrong usage 2."""
    options = verb_parser().parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    output = Output(as_json=options.json)
    library = Library(options.library)
    try:
        return _verb(options, library, output)
    except (KeyboardInterrupt, Stopped):
        output.error("Stopped", "Interrupted; indexing that is under way goes on while a window is open.")
        return NOTHING
    except DesktopRagError as error:
        output.error(error.title, str(error))
        return NOTHING
    except BrokenPipeError:
        return NOTHING  # the reader of our output has seen enough


def _verb(options: argparse.Namespace, library: Library, output: Output) -> int:
    match options.verb:
        case "index":
            from desktop_rag.cli.index import index

            return index(library, options.paths, output)
        case "search":
            from desktop_rag.cli.search import search

            return search(library, options.query, options.mode, options.limit, output)
        case "ask":
            from desktop_rag.cli.ask import ask

            return ask(library, options.question, options.profile, options.toolkit, output)
        case "status":
            from desktop_rag.cli.status import status

            return status(library, output)
        case "check":
            from desktop_rag.cli.check import check

            return check(library, output, deep=options.deep, repair=options.repair)
        case _:
            return USAGE


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the window's arguments."""
    verbs = "\n".join(f"  {name:8} {text}" for name, text in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description="Ask your folders, and see the line that proves the answer.",
        epilog=f"without a window:\n{verbs}\n\n`desktop-rag VERB --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="folders or files to add")
    parser.add_argument("--library", type=Path, default=default_library(), metavar="DIR", help="use this library")
    parser.add_argument("--demo", action="store_true", help="index the sample, ask the sample question, and end")
    parser.add_argument("--version", action="version", version=f"Desktop RAG {__version__}")
    return parser


def verb_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--library", type=Path, default=default_library(), metavar="DIR", help="use this library")
    shared.add_argument("--json", action="store_true", help="print JSON, one object a line")
    parser = argparse.ArgumentParser(prog="desktop-rag")
    verbs = parser.add_subparsers(dest="verb", required=True)

    def verb(name: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, parents=[shared], help=VERBS[name], description=VERBS[name])

    verb("index").add_argument("paths", nargs="*", type=Path, metavar="PATH", help="none: only bring it up to date")
    searching = verb("search")
    searching.add_argument("query")
    searching.add_argument("--mode", choices=["keyword", "exact", "semantic", "hybrid"], default="hybrid")
    searching.add_argument("-k", "--limit", type=_positive, default=10, metavar="N", help="how many hits (10)")
    asking = verb("ask")
    asking.add_argument("question")
    asking.add_argument("--profile", metavar="P", help="an endpoint of the settings; `built-in` for none")
    asking.add_argument("--toolkit", metavar="T", help="the tools and the prompt to use")
    verb("status")
    checking = verb("check")
    checking.add_argument("--deep", action="store_true", help="compare every file and every vector")
    checking.add_argument("--repair", action="store_true", help="throw away damaged copies; they are built anew")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError("a number from 1 to 1000")
    return number
