"""The output of verbs: results on standard output, all else on standard error; with `--json` one object per line."""

import json
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper

from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable, shorten_middle
from desktop_rag.text.json_types import Json

FOUND = 0
NOTHING = 1
MAX_PATH_LENGTH = 300  # characters; longer paths are shortened in the middle
USAGE = 2
INTERRUPTED = 130  # as shells report a program ended by Ctrl+C
BROKEN_PIPE = 141  # as shells report a program whose reader closed the pipe


class Output:
    """Writes results to standard output and everything else to standard error."""

    def __init__(self, *, as_json: bool) -> None:
        from desktop_rag.cli.shells.terminal import Terminal  # the window starts without it

        self.as_json = as_json
        _make_streams_tolerant()
        self.console = Terminal(stderr=False)
        self.errors = Terminal(stderr=True)

    @property
    def shows_progress(self) -> bool:
        """Return whether progress can be drawn on standard error: it is a terminal, without `--json`."""
        return self.errors.is_terminal and not self.errors.is_dumb_terminal and not self.as_json

    def value(self, value: Json) -> None:
        """Print one JSON object on its own line."""
        sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
        sys.stdout.flush()

    def line(self, text: str, style: str = "") -> None:
        """Print a line of the result as text."""
        self.console.show((text, style))

    def text(self, *parts: tuple[str, str]) -> None:
        """Print a line of (text, style) parts."""
        self.console.show(*parts)

    def note(self, text: str, style: str = "dim") -> None:
        """Print a note on standard error, except with `--json`."""
        if not self.as_json:
            self.errors.show((text, style))

    def error(self, title: str, message: str, **details: Json) -> None:
        """Print an error: with `--json` as an object with `details`, else on standard error."""
        if self.as_json:
            self.value({"type": "error", "error": title, "message": message, **details})
        else:
            self.errors.show((title, "bold red"))
            self.errors.show((message, ""))


def progress_notes(output: Output, stop: Stop) -> Callable[[str], None]:
    """Return a function that prints a note of progress; it raises `Stopped` if cancelled."""

    def note(text: str) -> None:
        stop.check()
        output.note(text)

    return note


def shown_path(path: object) -> str:
    """Return a path on one line, shortened in the middle if very long."""
    return shorten_middle(one_line(printable(path)), MAX_PATH_LENGTH)


def discard_output() -> None:
    """Discard everything further on standard output: its reader is gone or its disk full."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _make_streams_tolerant() -> None:
    """Replace characters the streams cannot encode, and missing streams by the null device."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # open as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
