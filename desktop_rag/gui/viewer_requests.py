"""Requests to show a document in the viewer: one object, created by the window and handed down."""

from PySide6.QtCore import QObject, Signal

from desktop_rag.agent.events import Citation, Source


class ViewerRequests(QObject):
    """Signals that any view may emit; the window opens the viewer and shows what was requested."""

    citation_requested = Signal(Citation)  # show its lines, beside the other citations of the same answer
    source_requested = Signal(Source)  # show its lines; the keyboard focus stays where it is
    source_focus_requested = Signal(Source)  # show its lines and move the keyboard focus to the viewer
