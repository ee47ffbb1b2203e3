"""How verbs talk: plain lines for people, one JSON object a line for programs."""

import json
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

FOUND = 0
NOTHING = 1
USAGE = 2


class Output:
    """Writes results to standard output and everything else to standard error."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.console = Console(highlight=False, soft_wrap=True)
        self.errors = Console(stderr=True, highlight=False, soft_wrap=True)

    def value(self, value: Json) -> None:
        """Print one JSON object on a line of its own."""
        sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
        sys.stdout.flush()

    def line(self, text: str, style: str = "") -> None:
        """Print a line for a person; text is never read as markup."""
        self.console.print(text, style=style or None, markup=False)

    def error(self, title: str, message: str) -> None:
        """Say what went wrong: to a program as JSON, to a person on standard error."""
        if self.as_json:
            self.value({"error": title, "message": message})
        else:
            self.errors.print(title, style="bold red", markup=False)
            self.errors.print(message, markup=False)


def printable(path: object) -> str:
    """Return a path as text that any terminal and JSON reader takes, also when its name is no UTF-8."""
    return str(path).encode("utf-8", "backslashreplace").decode()
