"""The console of the verbs: plain text in styles, safe for a terminal."""

import os
import sys
from typing import IO

from rich.console import Console
from rich.text import Text

from desktop_rag.text.display import terminal_safe


def has_screen() -> bool:
    """Return whether a window may be opened, without loading Qt to make sure."""
    wanted = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in wanted)


class Terminal(Console):
    """A console that prints plain text: no markup, no `:emoji:` codes, no automatic highlighting."""

    def __init__(self, *, stderr: bool, pager: IO[str] | None = None, width: int | None = None) -> None:
        """Print to standard output or error, or to a `pager`, which shows colours as a terminal of this width does."""
        super().__init__(
            stderr=stderr,
            file=pager,
            force_terminal=True if pager else None,
            width=width,
            highlight=False,
            soft_wrap=True,
            emoji=False,
            markup=False,
        )

    def show(self, *parts: tuple[str, str]) -> None:
        """Print a line of (text, style) parts."""
        self.print(Text.assemble(*((terminal_safe(text), style) for text, style in parts)))

    def on_broken_pipe(self) -> None:
        """Raise, so that the caller decides about the exit code."""
        raise BrokenPipeError
