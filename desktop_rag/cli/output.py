"""How verbs talk: results on standard output, all else on standard error; one JSON object a line for programs."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper

from rich.console import Console
from rich.text import Text

from desktop_rag.text.display import one_line, printable, shorten_middle, terminal_safe

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

FOUND = 0
NOTHING = 1
LONGEST_PATH = 300  # characters a person is shown of one
USAGE = 2
INTERRUPTED = 130  # as shells report a program that Ctrl+C ended
UNHEARD = 141  # as shells report a program whose reader went away


class _Terminal(Console):
    """A console that prints what it is given: no markup, no `:emoji:` codes, no guessed colours."""

    def __init__(self, *, stderr: bool) -> None:
        super().__init__(stderr=stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)

    def on_broken_pipe(self) -> None:
        """Leave it to the caller what the end of the reader means."""
        raise BrokenPipeError


class Output:
    """Writes results to standard output and everything else to standard error."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        _forgive_encodings()
        self.console = _Terminal(stderr=False)
        self.errors = _Terminal(stderr=True)

    @property
    def is_watched(self) -> bool:
        """Return whether a person looks on: progress may be drawn on standard error."""
        return self.errors.is_terminal and not self.errors.is_dumb_terminal and not self.as_json

    def value(self, value: Json) -> None:
        """Print one JSON object on a line of its own."""
        sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
        sys.stdout.flush()

    def line(self, text: str, style: str = "") -> None:
        """Print a line of the result for a person."""
        self.console.print(Text(terminal_safe(text), style))

    def text(self, *parts: tuple[str, str]) -> None:
        """Print a line made of (text, style) parts."""
        self.console.print(Text.assemble(*((terminal_safe(text), style) for text, style in parts)))

    def note(self, text: str, style: str = "dim") -> None:
        """Tell a person what is going on; programs do not hear it."""
        if not self.as_json:
            self.errors.print(Text(terminal_safe(text), style))

    def error(self, title: str, message: str, **details: Json) -> None:
        """Say what went wrong: to a program as JSON, with `details`; to a person on standard error."""
        if self.as_json:
            self.value({"type": "error", "error": title, "message": message, **details})
        else:
            self.errors.print(Text(terminal_safe(title), "bold red"))
            self.errors.print(Text(terminal_safe(message)))


def shown_path(path: object) -> str:
    """Return a path on one line; of a very long one the middle is left out."""
    return shorten_middle(one_line(printable(path)), LONGEST_PATH)


def silence() -> None:
    """Let nothing more be written to standard output: its reader is gone or its disk is full."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _forgive_encodings() -> None:
    """Print a question mark for what a stream's encoding lacks, and nothing where there is no stream."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
