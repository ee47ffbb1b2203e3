"""The documents opened last in a library, newest first; stored with it, as paths and hashes, without their text."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.formatting import document_name
from desktop_rag.gui.viewer.target import Target
from desktop_rag.text.desktop_links import OpenLink
from desktop_rag.text.display import one_line

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
