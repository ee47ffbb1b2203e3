"""What the pages of the user's work have in common: the stored work of the shown library, and one job at a time."""

import os
from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget
from shiboken6 import isValid

from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.errors import DesktopRagError, WorkError
from desktop_rag.gui.background import CommandQueue, StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.conversation.export.export_files import safe_name
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.privacy.host_dialog import HostConfirmation
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog, QuestionDialog
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderState
from desktop_rag.retrieval.api import Retriever
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import shown_path
from desktop_rag.work.filling import Filler, usual_filler
from desktop_rag.work.row_reading import documents_of, rows_of_cards
from desktop_rag.work.table import Row
from desktop_rag.work.work_store import WorkStore, check_rows

# The choice of the documents of a table, a report or a standing question.


@dataclass(frozen=True, slots=True)
class ChosenDocuments:
    """All documents, those that fulfil filters or that a search finds, or given ones."""

    filters: tuple[Filter, ...] = ()
    query: str = ""
    hashes: tuple[str, ...] = ()
    paths: tuple[bytes, ...] = ()


class DocumentsBox(QWidget):
    """Chooses given documents, all, those of a folder and, where it `searches`, those that a search finds."""

    changed = Signal()

    def __init__(
        self,
        folders: Sequence[bytes],
        given: ChosenDocuments | None = None,
        *,
        searches: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._given = given
        self.where = ElidedComboBox(self)
        self.query = QLineEdit(self)
        if given is not None:
            count = len(given.hashes or given.paths)
            self.where.addItem(counted(self.tr("%Ln chosen document(s)", "", count), count), "given")
        self.where.addItem(self.tr("All documents of the library"), "all")
        for folder in folders:
            self.where.addItem(button_text(shown_path(folder)), folder)
        if searches:
            self.where.addItem(self.tr("Documents that a search finds"), "query")
        self.where.setAccessibleName(self.tr("Documents"))
        self.query.setPlaceholderText(self.tr("What to search for"))
        self.query.setAccessibleName(self.tr("What to search for"))
        self.query.hide()
        in_column(self.where, self.query, on=self)
        self.where.currentIndexChanged.connect(self._on_where)
        self.query.textChanged.connect(lambda _: self.changed.emit())

    def documents(self) -> ChosenDocuments | None:
        """Return the chosen documents; None while nothing to search for is written."""
        match self.where.currentData():
            case "given":
                return self._given
            case "query":
                query = self.query.text().strip()
                return ChosenDocuments(query=query) if query else None
            case bytes() as folder:
                return ChosenDocuments((Filter(FileField.FOLDER, folder.decode("utf-8", "surrogateescape")),))
        return ChosenDocuments()

    @Slot()
    def _on_where(self) -> None:
        self.query.setVisible(self.where.currentData() == "query")
        self.changed.emit()


E = TypeVar("E")
T = TypeVar("T")

_LOOK_MS = 3_000  # between looks at what another program has written


class RefusableDialog(ActionDialog):
    """Stays open with a reason until what it asks for can be done."""

    def arrange(self, *parts: QWidget) -> None:
        """Lay out title, parts, the reason, and buttons."""
        self._error = PlainLabel("", "danger", self)
        self._error.hide()
        super().arrange(*parts, self._error)
        self.act.clicked.disconnect()
        self.act.clicked.connect(self._on_act)
        set_role(self.act, "primary")

    def show_error(self, text: str) -> None:
        """Say why it cannot be done."""
        self._error.setText(sentence(text))
        self._error.setVisible(bool(text))

    @abstractmethod
    def _on_act(self) -> None:
        """Ask for it."""


class WorkControl(QObject, Generic[E]):
    """A page with stored work; `E` are the events of its job."""

    host_confirmed = Signal(str)  # a host that the user allows sending to
    trouble = Signal(str, str)  # title and message
    saved = Signal(str, Path)  # a sentence, and the file that was written

    def __init__(
        self,
        page: QWidget,
        name: str,
        status: ShownStatus,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._sheet = page
        self._status = status
        self._settings = settings
        self._library: Library | None = None
        self._retriever: Retriever | None = None
        self._built_in: BuiltInModel | None = None
        self._store: WorkStore | None = None
        self._revision = 0
        self._closed = False
        self._commands = CommandQueue(name, self)
        self._commands.failed.connect(self._on_failed)
        self._worker: StreamWorker[E] = StreamWorker(f"{name} job", self._on_event, self)
        self._worker.failed.connect(self._on_failed)
        self._worker.finished.connect(self._on_finished)
        self._host = HostConfirmation(page, self)
        self._host.confirmed.connect(self.host_confirmed)
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self._look)

    def show_library(self, library: Library, retriever: Retriever, built_in: BuiltInModel) -> None:
        """Show the work of another library; the job of the one before ends, what it found is kept."""
        self._worker.stop()
        self._commands.run(lambda _: self._close_store())
        self._library, self._retriever, self._built_in = library, retriever, built_in
        self._forget()
        if self._sheet.isVisible():
            self.load()

    @abstractmethod
    def load(self) -> None:
        """Load the list, and what is shown."""

    def close(self) -> None:
        """Stop the job and close the file."""
        self._closed = True
        self._looking.stop()
        self._worker.close()
        self._commands.run(lambda _: self._close_store())
        self._commands.close()

    @abstractmethod
    def _forget(self) -> None:
        """Show nothing: another library is opened."""

    @abstractmethod
    def _on_event(self, event: E) -> None:
        """Show an event of the job."""

    @abstractmethod
    def _on_finished(self) -> None:
        """Show that the job is over."""

    @Slot()
    def _look(self) -> None:
        """Load again when another program has written."""
        if self._sheet.isVisible() and not self._worker.is_running() and self._library is not None:
            self._commands.run(
                lambda _: self._store is not None and self._store.revision() != self._revision,
                lambda changed: self.load() if changed else None,
            )

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else self.tr("Something went wrong")
        self.trouble.emit(title, sentence(error))

    def _load(self, read: Callable[[WorkStore], T], show: Callable[[T], None], nothing: T) -> None:
        """Show what is read from the store; `nothing` if there is none yet: reading must not make a file."""

        def work(_: Stop) -> T:
            if not self._exists():
                return nothing
            store = self._opened()
            found, self._revision = read(store), store.revision()
            return found

        self._commands.run(work, show)
        self._looking.start()

    def _folders(self) -> list[bytes]:
        return [each.path for each in self._status.current.folders if each.state is not FolderState.REMOVED]

    def _begin(self, work: Callable[[WorkStore, Filler, Stop], Generator[E, None, object]]) -> bool:
        """Start a job with a store and a filler of its own; return whether none was running."""
        library, retriever, built_in, settings = self._library, self._retriever, self._built_in, self._settings
        if library is None or retriever is None or built_in is None or self._worker.is_running():
            return False

        def job(stop: Stop) -> Generator[E]:
            with closing(WorkStore(library)) as store:
                filler = usual_filler(retriever, built_in, settings=settings())
                with closing(work(store, filler, stop)) as events:
                    yield from events

        self._worker.start(job)
        return True

    def _once_allowed(self, begin: Callable[[], object], refused: Callable[[], None] = lambda: None) -> None:
        """Begin what sends, once the user allows a host that is new."""
        if not self._host.asks(self._settings(), lambda: (begin(), None)[1], refused):
            begin()

    def _ask_to_delete(self, title: str, words: str, act: str, delete: Callable[[WorkStore], None]) -> None:
        dialog = QuestionDialog(title, words, act, self._sheet.window())
        dialog.accepted.connect(lambda: self._change(delete))
        dialog.open()

    def _change(self, change: Callable[[WorkStore], None]) -> None:
        self._commands.run(lambda _: change(self._opened()), lambda _: self.load())

    def _accept(self, dialog: RefusableDialog, work: Callable[[Stop], T], then: Callable[[T], None]) -> None:
        """Do what a dialog was filled in for: it closes when that is done, and says why it was refused."""

        def tried(stop: Stop) -> T | DesktopRagError:
            try:
                return work(stop)
            except DesktopRagError as error:
                return error

        def done(made: T | DesktopRagError) -> None:
            if isinstance(made, DesktopRagError):
                dialog.show_error(str(made))
            else:
                dialog.accept()
                then(made)

        self._commands.run(tried, while_open(dialog, done))

    def _ask_for_file(self, title: str, name: str, ending: str, write: Callable[[Path], None]) -> None:
        """Ask for a place, and write there."""
        dialog = FileDialog(self._sheet.window(), title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending)
        dialog.setNameFilter(f"*.{ending}")
        dialog.selectFile(f"{safe_name(name)}.{ending}")
        dialog.filesSelected.connect(lambda files: write(Path(files[0])))
        dialog.open()

    def _rows(self, documents: ChosenDocuments, stop: Stop) -> tuple[Row, ...]:
        """Return the chosen documents as rows; raises `LibraryRefused` for too many or none."""
        retriever = self._retriever
        if retriever is None:
            return ()
        if documents.hashes or documents.paths:
            cards = [retriever.lookup(each, None, stop) for each in documents.hashes]
            cards += [retriever.lookup("", Path(os.fsdecode(each)), stop) for each in documents.paths]
            rows = rows_of_cards(card for card in cards if card is not None)
            check_rows(len(rows))
            return rows
        return documents_of(retriever, documents.filters, documents.query or None, stop)

    def _filters(self, documents: ChosenDocuments, stop: Stop) -> tuple[Filter, ...]:
        """Return the chosen documents as conditions; raises as `_rows`."""
        if not (documents.query or documents.hashes or documents.paths):
            return documents.filters
        return tuple(Filter(FileField.PATH, row.path) for row in self._rows(documents, stop))

    def _exists(self) -> bool:
        """Whether there may be stored work; reading must not make a file."""
        return self._library is not None and (self._library.work.exists() or self._store is not None)

    def _opened(self) -> WorkStore:
        if self._store is None:
            if self._library is None or not self._library.exists():
                raise WorkError("They are stored with the library, which is not available. Connect its disk.")
            self._store = WorkStore(self._library)
        return self._store

    def _close_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def while_open(dialog: QWidget, then: Callable[[T], None]) -> Callable[[T], None]:
    """Return a callback that does nothing once a dialog was closed, which deletes it."""

    def call(result: T) -> None:
        if isValid(dialog) and dialog.isVisible():
            then(result)

    return call
