"""What every way to show a document can do, whatever it draws: the rest of the tab speaks to it in lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.gui.viewer.viewer_events import DocumentFound, LinesRead, Mark

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


class WrittenView(DocumentView, Protocol):
    """A view that is drawn from the lines of the catalog and is given them piece by piece."""

    def begin(self, found: DocumentFound) -> None:
        """Show another document; its lines follow."""
        ...

    def go_on(self, found: DocumentFound) -> None:
        """Show another place of the document that is open."""
        ...

    def add_lines(self, read: LinesRead) -> None:
        """Take in lines."""
        ...

    def reading_finished(self) -> None:
        """Know that no more lines are on their way, and ask for those that are missing."""
        ...

    def show_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the cited words."""
        ...

    def show_noted(self, noted: tuple[tuple[int, int], ...]) -> None:
        """Mark the lines from the first to the last of each passage that is bookmarked."""
        ...

    def scroll_to(self, line: int) -> None:
        """Make `line` the first one seen."""
        ...

    def highlighted_text(self) -> str:
        """Return the words of the highlighted lines that are loaded."""
        ...

    def seen(self) -> tuple[int, int]:
        """Return the first and last line that are seen at least in part."""
        ...

    def select_all(self) -> None:
        """Select the whole document, or what of it is loaded."""
        ...

    def set_zoom(self, points: int) -> None:
        """Show the words this many points larger than usual."""
        ...
