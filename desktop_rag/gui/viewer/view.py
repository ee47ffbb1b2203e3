"""What every way to show a document can do, whatever it draws: the rest of the tab speaks to it in lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.gui.viewer.events import Mark

Match = tuple[Mark, ...]  # one place that was found; it may run over several lines


@dataclass(frozen=True, slots=True)
class Selected:
    """The words a person has selected and the lines they stand in; without words the lines mean nothing."""

    text: str = ""
    first_line: int = 0
    last_line: int = 0


class DocumentView(Protocol):
    """A widget that shows one document at a time; lines count from 1 and are those of the catalog."""

    def show_citation(self, first: int, last: int) -> None:
        """Highlight these lines and bring the first of them into sight; 0 takes the highlight away."""
        ...

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark everything that was found; number `current`, from 0, stands out, -1 is none."""
        ...

    def go_to_match(self, match: Match) -> None:
        """Bring one of the matches into sight."""
        ...

    def reveal(self, line: int) -> None:
        """Bring a line into sight."""
        ...

    def seen_line(self) -> int:
        """Return the first line that is looked at."""
        ...

    def selected(self) -> Selected:
        """Return what is selected."""
        ...

    def copy(self) -> None:
        """Put what is selected on the clipboard."""
        ...
