"""A terminal that gives each key at once and is painted row by row; it is restored however the program ends."""

import codecs
import io
import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType, TracebackType
from typing import NamedTuple, Self

from rich.console import Console
from rich.text import Text

_ESCAPE_SECONDS = 0.1  # after which an escape is the key, not the beginning of a sequence
_BEGIN = "\x1b[?1049h\x1b[?2004h"  # the alternate screen; pasted text in brackets
_END = "\x1b[?2004l\x1b[?1049l\x1b[?25h"
_KEYS = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x03": "quit",
    "\x04": "quit",
    "\x15": "clear",
    "\x17": "word",
    "\x14": "type",
    "\x0f": "folder",
    "\x11": "ask",
    "\x01": "home",
    "\x05": "end",
    "\x0c": "redraw",
    "\x0e": "down",
    "\x10": "up",
}
_SEQUENCES = {
    "[A": "up",
    "OA": "up",
    "[B": "down",
    "OB": "down",
    "[C": "right",
    "OC": "right",
    "[D": "left",
    "OD": "left",
    "[H": "home",
    "OH": "home",
    "[1~": "home",
    "[F": "end",
    "OF": "end",
    "[4~": "end",
    "[5~": "page_up",
    "[6~": "page_down",
    "[3~": "delete",
    "[Z": "back_tab",
}
_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.)", re.DOTALL)
_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"


class Key(NamedTuple):
    """A key by its name; "text" is what was typed or pasted."""

    name: str
    text: str = ""


class KeyDecoder:
    """Turns bytes into keys, whatever pieces they come in."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def waits(self) -> bool:
        """Return whether an escape came that may be the beginning of a sequence."""
        return self._rest.startswith("\x1b") and not self._rest.startswith(_PASTE)

    def feed(self, data: bytes) -> list[Key]:
        """Return the keys that are complete."""
        self._rest += self._decoder.decode(data)
        keys = list[Key]()
        while self._rest and (key := self._next()) is not None:
            keys.append(key)
        return [key for key in keys if key.name]

    def escape(self) -> list[Key]:
        """Return the keys when no more bytes have come: an escape was the key."""
        rest, self._rest = self._rest[1:], ""
        return [Key("escape"), *self.feed(rest.encode())]

    def _next(self) -> Key | None:
        rest = self._rest
        if rest.startswith(_PASTE):
            text, end, after = rest.removeprefix(_PASTE).partition(_PASTED)
            if not end:
                return None
            self._rest = after
            return Key("text", " ".join(text.split()))
        if rest[0] == "\x1b":
            if found := _SEQUENCE.match(rest):
                self._rest = rest[found.end() :]
                return Key(_SEQUENCES.get(found[1], ""))
            if len(rest) == 1 or rest[1] in "[O":
                return None
            self._rest = rest[1:]
            return Key("escape")
        self._rest = rest[1:]
        if rest[0] in _KEYS:
            return Key(_KEYS[rest[0]])
        return Key("text", rest[0]) if rest[0].isprintable() else Key("")


class RawTerminal:
    """The terminal of standard input and output, for the time of a `with` block."""

    def __init__(self) -> None:
        self._input, self._output = sys.stdin.fileno(), sys.stdout.fileno()
        self._woken, self._waking = os.pipe()
        os.set_blocking(self._waking, False)  # a full pipe wakes, too
        self._keys = KeyDecoder()
        self._painted: list[str] = []
        self._console = Console(force_terminal=True, file=io.StringIO(), highlight=False, legacy_windows=False)
        self.ended = False  # by a signal

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._input)
        self._handlers = {each: signal.signal(each, self._signalled) for each in (signal.SIGTERM, signal.SIGHUP)}
        self._handlers[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, self._resized)
        # Handlers run in the main thread, which `wait` holds up if the system gives the signal to another.
        self._woken_before = signal.set_wakeup_fd(self._waking, warn_on_full_buffer=False)
        tty.setraw(self._input)
        self._write(_BEGIN)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        signal.set_wakeup_fd(self._woken_before)
        for each, handler in self._handlers.items():
            signal.signal(each, handler)
        try:
            self._write(_END)
        finally:
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)

    @property
    def size(self) -> tuple[int, int]:
        """Return the columns and rows."""
        found = os.get_terminal_size(self._output)
        return max(20, found.columns), max(5, found.lines)

    def wake(self) -> None:
        """End the `wait` of another thread."""
        with suppress(BlockingIOError):
            os.write(self._waking, b".")

    def wait(self) -> list[Key]:
        """Wait for keys, a call of `wake`, or another size; return the keys."""
        ready, _, _ = select.select([self._input, self._woken], [], [], _ESCAPE_SECONDS if self._keys.waits else None)
        if self._woken in ready:
            os.read(self._woken, 4096)
        if self._input in ready:
            data = os.read(self._input, 65_536)
            return self._keys.feed(data) if data else [Key("quit")]
        return self._keys.escape() if self._keys.waits and not ready else []

    def paint(self, rows: Sequence[Text], cursor: int) -> None:
        """Show rows, writing only those that changed, with the cursor in this column of the first."""
        width, height = self.size
        self._console.width = width
        lines = [self._ansi(row) for row in rows[:height]]
        lines += [""] * (height - len(lines))
        if len(lines) != len(self._painted):
            self._painted = ["\0"] * len(lines)
        changed = "".join(
            f"\x1b[{number};1H{line}\x1b[0m\x1b[K"
            for number, (line, before) in enumerate(zip(lines, self._painted, strict=True), 1)
            if line != before
        )
        self._painted = lines
        # One write between the marks of a synchronised update: no half-painted screen is seen.
        self._write(f"\x1b[?2026h\x1b[?25l{changed}\x1b[1;{min(cursor, width - 1) + 1}H\x1b[?25h\x1b[?2026l")

    def forget(self) -> None:
        """Paint all rows next time."""
        self._painted = []

    def _ansi(self, row: Text) -> str:
        with self._console.capture() as taken:
            self._console.print(row, end="", no_wrap=True, overflow="ellipsis", crop=True)
        return taken.get()

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._output, data) :]

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self.ended = True

    def _resized(self, number: int, frame: FrameType | None) -> None:
        self.forget()
