"""Requests to show a document or a citation: one object, created by the window and handed down."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QRect, Signal

from desktop_rag.agent.events import Citation
from desktop_rag.gui.viewer.viewer_events import Target


@dataclass(frozen=True, slots=True)
class CardRequest:
    """A citation whose card is to be shown beside `place`, a rectangle of the screen.

    `checked` says what is known of its statement, which may be `refused`; `note` what has changed about the file.
    `by_key`: at once, and again to pin it. `answer` are all citations beside this one.
    """

    citation: Citation
    checked: str
    note: str
    place: QRect
    by_key: bool = False
    refused: bool = False
    answer: tuple[Citation, ...] = ()


class ViewerRequests(QObject):
    """Signals that any view may emit; the window opens the viewer and shows what was requested."""

    citation_requested = Signal(object, object)  # a Citation, to show its lines, and all of its answer, in order
    target_requested = Signal(Target)  # show its lines; the keyboard focus stays where it is
    target_focus_requested = Signal(Target)  # show its lines and move the keyboard focus to the viewer
    note_requested = Signal(Citation)  # save its words to the notes
    bibliography_requested = Signal(Citation, str)  # copy its document for reference managers, in this ExportFormat
    folder_requested = Signal(Path)  # show this file in its folder
    card_requested = Signal(CardRequest)  # the pointer rests on a citation, or its key was pressed
    card_left = Signal()  # the pointer has left the citation
    card_dismissed = Signal()  # the user closes the card with a key
