"""The command `search -i`."""

import argparse
import gc
import sys

from desktop_rag.cli.output import FOUND, NOTHING, USAGE, Output
from desktop_rag.cli.scope_options import scope_filters
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.retrieval.api import Mode
from desktop_rag.stop import Stop


def search_live(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Search at each key in this terminal, and ask what was typed; return 2 if it cannot be used so."""
    try:
        from desktop_rag.cli.live_session import LiveView, live_search
    except ImportError:  # Windows has no termios
        output.error("`search -i` needs a terminal of Linux or macOS", "Here, search without -i, or in the window.")
        return USAGE
    if not (sys.stdin.isatty() and output.console.is_terminal) or output.console.is_dumb_terminal:
        output.error("`search -i` needs a terminal", "Its input or output is none, or cannot move its cursor.")
        return USAGE
    gc.enable()  # unlike one search, a session may last
    require_catalog(library)
    query = options.query or ""
    view = LiveView(query, len(query), Mode(options.mode), scope_filters(options))
    while question := live_search(library, view):
        from desktop_rag.cli.ask_command import converse  # slow to import

        if not converse(library, question, view.filters, output, stop):
            return NOTHING
    return FOUND
