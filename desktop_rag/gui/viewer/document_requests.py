"""What an open document asks of the window and of the bookmarks: one object, created by the panel and handed down."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop_rag.agent.conversations.bookmarks import Bookmark


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
