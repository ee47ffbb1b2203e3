"""The output of verbs: results on standard output, all else on standard error; with `--json` one object per line."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING

from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable, shorten_middle, terminal_safe
from desktop_rag.text.json_types import Json

if TYPE_CHECKING:
    from desktop_rag.cli.terminal import Terminal

FOUND = 0
NOTHING = 1
MAX_PATH_LENGTH = 300  # characters; longer paths are shortened in the middle
USAGE = 2
INTERRUPTED = 130  # as shells report a program ended by Ctrl+C
BROKEN_PIPE = 141  # as shells report a program whose reader closed the pipe


_REWRITE = "\r\x1b[2K"  # a line of a terminal
_TELL_SECONDS = 5.0  # between lines of progress where they cannot be rewritten
_COLOURED = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")  # rich takes any stream for a terminal then


class PlainStream:
    """Prints lines without styles to what is no terminal: a file or another program, which need not wait for rich."""

    is_terminal = is_dumb_terminal = False

    def __init__(self, *, stderr: bool) -> None:
        self._stderr = stderr

    @property
    def file(self) -> IO[str]:
        """Return standard output or error."""
        return sys.stderr if self._stderr else sys.stdout

    def show(self, *parts: tuple[str, str]) -> None:
        """Print a line of (text, style) parts."""
        print(terminal_safe("".join(text for text, _ in parts)), file=self.file, flush=True)


class Output:
    """Writes results to standard output and everything else to standard error."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        _make_streams_tolerant()
        self.console = _console(stderr=False)
        self.errors = _console(stderr=True)
        self._told = -_TELL_SECONDS
        self._drawn = False

    @property
    def progress_console(self) -> "Terminal | None":
        """Return where progress can be drawn: on standard error if it is a terminal, without `--json`."""
        drawn = not self.as_json and self.errors.is_terminal and not self.errors.is_dumb_terminal
        return self.errors if drawn and not isinstance(self.errors, PlainStream) else None

    def value(self, value: Json) -> None:
        """Print one JSON object on its own line."""
        self._end_progress()
        sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
        sys.stdout.flush()

    def line(self, text: str, style: str = "") -> None:
        """Print a line of the result as text."""
        self._end_progress()
        self.console.show((text, style))

    def text(self, *parts: tuple[str, str]) -> None:
        """Print a line of (text, style) parts."""
        self._end_progress()
        self.console.show(*parts)

    def note(self, text: str, style: str = "dim") -> None:
        """Print a note on standard error, except with `--json`."""
        if not self.as_json:
            self._end_progress()
            self.errors.show((text, style))

    def progress(self, text: str) -> None:
        """Show progress on standard error: on a terminal on one line, else a line now and then."""
        now = time.monotonic()
        if self.progress_console is None and now - self._told > _TELL_SECONDS:
            self._told = now
            self.note(text)
        elif self.progress_console is not None:
            self._drawn = True
            text = terminal_safe(one_line(text))[: self.progress_console.width - 1]
            print(f"{_REWRITE}{text}", end="", file=self.errors.file, flush=True)

    def _end_progress(self) -> None:
        """Remove a drawn line of progress: another line follows."""
        if self._drawn:
            self._drawn = False
            print(_REWRITE, end="", file=self.errors.file, flush=True)

    def error(self, title: str, message: str, **details: Json) -> None:
        """Print an error: with `--json` as an object with `details`, else on standard error."""
        self._end_progress()
        if self.as_json:
            self.value({"type": "error", "error": title, "message": message, **details})
        else:
            self.errors.show((title, "bold red"))
            self.errors.show((message, ""))


def _console(*, stderr: bool) -> "Terminal | PlainStream":
    stream = sys.stderr if stderr else sys.stdout
    if not any(map(os.environ.get, _COLOURED)) and not (stream is not None and stream.isatty()):
        return PlainStream(stderr=stderr)
    from desktop_rag.cli.terminal import Terminal

    return Terminal(stderr=stderr)


def progress_notes(output: Output, stop: Stop) -> Callable[[str], None]:
    """Return a function that shows progress; it raises `Stopped` if cancelled."""

    def note(text: str) -> None:
        stop.check()
        output.progress(text)

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


# Ctrl+C as a `Stop`.


@contextmanager
def stop_on_interrupt() -> Generator[Stop]:
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
