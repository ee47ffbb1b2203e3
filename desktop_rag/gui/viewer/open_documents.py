"""The documents that are open, and were last, stored with their library; a restart or a crash opens them again."""

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.decoding import decode_json
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.formatting import document_name
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import Target, ViewedPlace
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.text.desktop_links import OpenLink
from desktop_rag.text.display import one_line

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab


# The documents opened last in a library, newest first; stored with it, as paths and hashes, without their text.

MOST_RECENT = 20


@dataclass(frozen=True, slots=True)
class RecentDocument:
    """A document and the lines that were shown."""

    path: str
    title: str
    sha256: str = ""
    first_line: int = 0
    last_line: int = 0

    @property
    def name(self) -> str:
        """Return its name, safe to show."""
        return one_line(document_name(self.path, self.title))

    @property
    def link(self) -> OpenLink:
        """Return the lines as a link, by which they are found again also after the file was renamed."""
        return OpenLink(self.path, self.first_line, self.last_line, self.sha256)


class RecentDocuments(QObject):
    """The list of the open library."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: tuple[RecentDocument, ...] = ()

    @property
    def documents(self) -> tuple[RecentDocument, ...]:
        """Return the documents, the last one first."""
        return self._documents

    def restore(self, documents: Sequence[RecentDocument]) -> None:
        """Append the stored list to what has been opened meanwhile."""
        opened = {document.path for document in self._documents}
        self._set((*self._documents, *(each for each in documents if each.path not in opened)))

    @Slot(Target)
    def note(self, target: Target) -> None:
        """Put an opened document first."""
        if target.path:
            lines = (target.first_line, target.last_line)
            opened = RecentDocument(target.path, target.title, target.sha256, *lines)
            self._set((opened, *(each for each in self._documents if each.path != target.path)))

    def undoable_clear(self) -> Callable[[], None]:
        """Empty the list; return how to bring it back."""
        before = self._documents
        self.clear()
        return lambda: self.restore(before)

    @Slot()
    def clear(self) -> None:
        """Empty the list."""
        self._set(())

    @Slot(tuple)
    def forget_folders(self, folders: tuple[bytes, ...]) -> None:
        """Remove the documents in folders that were removed from the library."""
        roots = [os.fsdecode(folder).rstrip(os.sep) for folder in folders]
        self._set(
            tuple(
                each
                for each in self._documents
                if not any(each.path == root or each.path.startswith(root + os.sep) for root in roots)
            )
        )

    def _set(self, documents: tuple[RecentDocument, ...]) -> None:
        if documents[:MOST_RECENT] != self._documents:
            self._documents = documents[:MOST_RECENT]
            self.changed.emit()


MOST_DOCUMENTS = 12  # opened again, the last ones
_SAVE_MS = 1_500  # between two looks at what is open
_UNKNOWN = ContentId(0)  # the ids of a catalog may be another's after a repair


@dataclass(frozen=True, slots=True)
class StoredDocuments:
    """Places from left to right, the current one (-1: none), the size of the text, and documents opened before."""

    places: tuple[ViewedPlace, ...] = ()
    current: int = -1
    text_zoom: int = 0
    recent: tuple[RecentDocument, ...] = ()


class OpenDocuments(QObject):
    """Stores what is open whenever it has changed, and opens it again with its library."""

    def __init__(self, viewer: ViewerPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.recent = RecentDocuments(self)
        viewer.viewed.connect(self.recent.note)
        viewer.folders_closed.connect(self.recent.forget_folders)
        self._viewer = viewer
        self._folder: Path | None = None
        self._stored = StoredDocuments()
        self._commands = CommandQueue("open documents", self)
        self._timer = QTimer(self, interval=_SAVE_MS)
        self._timer.timeout.connect(self.save)

    def show_library(self, folder: Path) -> None:
        """Open the documents that were open last in this library, unless others have been opened meanwhile."""

        def restore(stored: StoredDocuments) -> None:
            if folder == self._folder:
                self.recent.restore(stored.recent)
                if not self._viewer.tab_count():
                    self._restore(stored)
                self._timer.start()

        self._folder = folder
        self._commands.run(lambda _: load(folder), restore)

    @Slot()
    def leave(self) -> None:
        """Store what is open; the library is left."""
        if self._timer.isActive():
            self.save()
        self._timer.stop()
        self._folder = None
        self.recent.clear()

    def close(self) -> None:
        """Store what is open and wait until it is written."""
        self.leave()
        self._commands.close()

    @Slot()
    def save(self) -> None:
        """Store what is open if it has changed."""
        folder, now = self._folder, self._open()
        if folder is not None and now != self._stored:
            self._stored = now
            self._commands.run(lambda _: store(folder, now))

    def _open(self) -> StoredDocuments:
        tabs = self._viewer.all_tabs()
        current = self._viewer.current_tab()
        kept = [(tab, place) for tab in tabs if (place := _place(tab)) is not None][-MOST_DOCUMENTS:]
        shown = next((at for at, (tab, _) in enumerate(kept) if tab is current), -1)
        return StoredDocuments(tuple(place for _, place in kept), shown, self._viewer.text_zoom, self.recent.documents)

    def _restore(self, stored: StoredDocuments) -> None:
        self._stored = stored
        self._viewer.set_text_zoom(stored.text_zoom)
        for place in stored.places:
            self._viewer.open_again(place.target, place.line)
        if 0 <= stored.current < len(stored.places) - 1:
            current = stored.places[stored.current]
            self._viewer.open_again(current.target, current.line)


def _place(tab: "DocumentTab") -> ViewedPlace | None:
    """Return what a tab shows, named by hash, path and offsets alone."""
    place, found = tab.place(), tab.found
    if place is None:
        return None
    sha256 = place.target.sha256 or (found.card.sha256 if found is not None and found.card is not None else "")
    words = tab.body.marked or place.target.words
    target = replace(
        place.target, content=_UNKNOWN, sha256=sha256, quote="", passage="", passage_first_line=1, words=words
    )
    return replace(place, target=target) if sha256 or target.path else None


def load(library: Path) -> StoredDocuments:
    """Load the file from a library's folder; nothing if it is missing or unreadable."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeError):
        return decode_json(Library(library).documents.read_bytes(), StoredDocuments)
    return StoredDocuments()


def store(library: Path, documents: StoredDocuments) -> None:
    """Write the file; an unplugged or read-only library keeps nothing."""
    if library.is_dir():
        with contextlib.suppress(OSError):
            write_durably(Library(private_folder(library)).documents, msgspec.json.encode(documents))
