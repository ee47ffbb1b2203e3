"""Reads and writes the bookmarks of one library in the background."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage, BookmarkStore, as_markdown
from desktop_rag.errors import BookmarkError, DesktopRagError
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.written_files import write_file
from desktop_rag.text.display import one_line


class BookmarkControl(QObject):
    """Opens the bookmark file on first use, and never creates it if the library is missing."""

    changed = Signal(tuple)  # all Bookmarks, after every change
    notified = Signal(str)  # a sentence for the status
    saved = Signal(str, Path)  # that a file was written, as a sentence, and the file
    removed = Signal(Bookmark)  # `restore` undoes it
    trouble = Signal(str, str)  # a title and a sentence

    def __init__(self, path: Path, is_available: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._is_available = is_available
        self._opened: BookmarkStore | None = None
        self._commands = CommandQueue("bookmarks", self)
        self._commands.failed.connect(self._on_failed)

    def load(self) -> None:
        """Emit the current bookmarks; no file is created for a library without any."""
        self._commands.run(lambda _: self._all(), self.changed.emit)

    @Slot(BookmarkedPassage, str)
    def add(self, passage: BookmarkedPassage, note: str) -> None:
        """Add a bookmark."""
        message = self.tr("Bookmarked with your note") if note else self.tr("Bookmarked")
        self._change(lambda store: store.add(passage, note), message)

    @Slot(Bookmark, str)
    def write_note(self, bookmark: Bookmark, note: str) -> None:
        """Change the note of a bookmark."""
        self._change(lambda store: store.write_note(bookmark.id, note))

    @Slot(Bookmark)
    def delete(self, bookmark: Bookmark) -> None:
        """Delete a bookmark; `restore` undoes it."""
        self._change(lambda store: store.delete(bookmark.id))
        self.removed.emit(bookmark)

    def restore(self, bookmark: Bookmark) -> None:
        """Restore a deleted bookmark."""
        self._change(lambda store: store.restore(bookmark))

    @Slot(tuple, Path)
    def export(self, bookmarks: tuple[Bookmark, ...], path: Path) -> None:
        """Write bookmarks to a Markdown file."""

        def write(_: object) -> None:
            write_file(path, as_markdown(bookmarks).encode())

        message = self.tr("Bookmarks and notes saved to {0}").format(one_line(path.name))
        self._commands.run(write, lambda _: self.saved.emit(message, path))

    def close(self) -> None:
        """Finish the queued commands and close the file."""
        self._commands.run(lambda _: self._close())
        self._commands.close()

    def _change(self, change: Callable[[BookmarkStore], object], message: str = "") -> None:
        def work(_: object) -> tuple[Bookmark, ...]:
            change(self._store())
            return self._all()

        def then(bookmarks: tuple[Bookmark, ...]) -> None:
            self.changed.emit(bookmarks)
            if message:
                self.notified.emit(message)

        self._commands.run(work, then)

    def _all(self) -> tuple[Bookmark, ...]:
        if self._opened is None and not self._path.exists():
            return ()
        return self._store().all()

    def _store(self) -> BookmarkStore:
        if self._opened is None:
            if not self._is_available():
                raise BookmarkError("They are stored with the library, which is not available. Connect its disk.")
            self._opened = BookmarkStore(self._path)
            if self._opened.notice:
                self.trouble.emit(BookmarkError.title, self._opened.notice)
        return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        self.trouble.emit(error.title, str(error))
