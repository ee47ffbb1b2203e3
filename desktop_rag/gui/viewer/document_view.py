"""The protocols of the views of a document; all positions are line numbers of the catalog."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.gui.viewer.viewer_events import DocumentFound, LinesLoaded, Mark

Match = tuple[Mark, ...]  # one match of a search; it may span several lines


@dataclass(frozen=True, slots=True)
class Selected:
    """The selected text and its lines; the lines are meaningless when the text is empty."""

    text: str = ""
    first_line: int = 0
    last_line: int = 0


def zooms(event: QWheelEvent, zoom: Callable[[int], object]) -> bool:
    """Zoom in (1) or out (-1) by a turn of the wheel with Ctrl; return whether it was one."""
    if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return False
    if turned := event.angleDelta().y():
        zoom(1 if turned > 0 else -1)
    event.accept()
    return True


class DocumentView(Protocol):
    """A widget that shows one document at a time; lines count from 1 and are those of the catalog."""

    def show_citation(self, first: int, last: int) -> None:
        """Highlight these lines and scroll to the first of them; 0 removes the highlight."""

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark all matches and emphasise match number `current` (from 0; -1: none)."""

    def go_to_match(self, match: Match) -> None:
        """Scroll to a match."""

    def reveal(self, line: int) -> None:
        """Scroll to a line."""

    def first_visible_line(self) -> int:
        """Return the first visible line."""

    def selected(self) -> Selected:
        """Return the selection."""

    def copy(self) -> None:
        """Copy the selection to the clipboard."""


class WrittenView(DocumentView, Protocol):
    """A view of the catalog's lines, which arrive in parts."""

    def begin(self, found: DocumentFound) -> None:
        """Show another document; its lines arrive with `add_lines`."""

    def retarget(self, found: DocumentFound) -> None:
        """Show another target in the open document."""

    def add_lines(self, read: LinesLoaded) -> None:
        """Add lines that were read."""

    def read_finished(self) -> None:
        """Note that the read job has finished, and request lines that are still missing."""

    def show_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the quote."""

    def show_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Mark the bookmarked passages, each given as (first, last) line."""

    def scroll_to(self, line: int) -> None:
        """Scroll so that `line` is the first visible one."""

    def highlighted_text(self) -> str:
        """Return the text of the highlighted lines that are loaded."""

    def visible_lines(self) -> tuple[int, int]:
        """Return the first and last line that are at least partly visible."""

    def select_all(self) -> None:
        """Select everything that is loaded."""

    def set_zoom(self, points: int) -> None:
        """Enlarge the text by this many points."""


# What an open document asks of the window and of the bookmarks: one object, created by the panel and handed down.


class DocumentRequests(QObject):
    """Signals that any part of a document tab may emit."""

    copied = Signal(str)  # the quote with its reference, or the link, that was copied
    external_requested = Signal(Path)  # open this file in its own program
    editor_requested = Signal(Path, int)  # open this file in the user's editor at this line
    link_followed = Signal(str, str)  # show the document that a link names, relative to the file at this path
    folder_requested = Signal(Path)  # show this file in the file manager
    bookmark_chosen = Signal(Bookmark)  # show its passage
    summary_requested = Signal(str)  # have a model summarise the document with this checksum
    note_requested = Signal(Bookmark)  # edit its note
    delete_requested = Signal(Bookmark)
