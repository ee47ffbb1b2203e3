"""Attaches files and folders to the conversation, shows how far they have been read, and asks where they belong."""

import os
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QDir, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.composer.scope_picker import (
    DroppedChoices,
    FoundChoices,
    ScopeChoice,
    find_choices,
    find_dropped,
)
from desktop_rag.gui.library_status import waiting_for
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.retrieval.api import Attachment, Facets, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.display import shown_name

_AGAIN_MS, _LATER_MS = 700, 5000  # between two looks at what is still being read: a few files, very many
_FILES_PER_MS = 10  # by which the next look is later
_MOST_LOOKS = 1200  # then it is looked at again only when the conversation is


class AttachFolderDialog(ActionDialog):
    """Offers to add a folder to the library, or to attach it."""

    attach_chosen = Signal()  # only for this conversation; `accepted`: add it to the library

    def __init__(self, folder: bytes, parent: QWidget | None = None) -> None:
        title = self.tr("Where does “{0}” belong?").format(shown_name(folder))
        super().__init__(title, self.tr("Add to the library"), parent)
        set_role(self.act, "primary")
        self._attach = QPushButton(self.tr("Only this conversation"), self)
        self._attach.clicked.connect(self._on_attach_clicked)
        library = self.tr("In the library every conversation and every search finds it.")
        own = self.tr("Attached, only this conversation finds it, and forgets it when you delete the conversation.")
        self.arrange(self.words(library), self.words(own, "muted"), self._attach)
        self.act.setFocus()

    def _on_attach_clicked(self) -> None:
        self.attach_chosen.emit()
        self.reject()


class Attaching(Protocol):
    """Attaches files to the conversation that is visible."""

    def attach_files(self, paths: tuple[bytes, ...]) -> None:
        """Attach files and folders at absolute paths from now on."""

    def undo_of_removal(self, path: bytes) -> Callable[[], None]:
        """Return what attaches a removed file again."""


class AttachmentControl(QObject):
    """Connects the composer with what its conversation has attached."""

    add_requested = Signal(object)  # a tuple of paths as bytes, for the library
    undoable = Signal(str, object)  # a sentence about what was done, and a function that undoes it

    def __init__(
        self,
        composer: Composer,
        retriever: Retriever,
        attaching: Attaching,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._composer = composer
        self._retriever = retriever
        self._attach, self._undo_of_removal = attaching.attach_files, attaching.undo_of_removal
        self._paths: tuple[bytes, ...] = ()
        self._looks = 0
        self._states: tuple[Attachment, ...] = ()
        self._held = ""  # what reading waits for
        self._chosen_in = QDir.homePath()
        self._worker = LatestOnlyWorker("attachments", self._on_found, self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)

    def attach(self) -> None:
        """Follow the composer."""
        self._composer.attach_requested.connect(self.choose_files)
        self._composer.files_pasted.connect(self._attach)
        self._composer.scope_row.attached_shown.connect(self._on_shown)
        self._composer.scope_row.attachment_removed.connect(self._on_removed)
        self._composer.status.changed.connect(self._on_status)

    def detach(self) -> None:
        """Leave the composer to another library."""
        self._composer.attach_requested.disconnect(self.choose_files)
        self._composer.files_pasted.disconnect(self._attach)
        self._composer.scope_row.attached_shown.disconnect(self._on_shown)
        self._composer.scope_row.attachment_removed.disconnect(self._on_removed)
        self._composer.status.changed.disconnect(self._on_status)
        self._timer.stop()

    def close(self) -> None:
        """Wait for the thread."""
        self._timer.stop()
        self._worker.close()

    @Slot()
    def choose_files(self) -> None:
        """Let the user choose files to attach."""
        dialog = FileDialog(self._composer, self.tr("Attach files to this conversation"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setDirectory(self._chosen_in)
        dialog.filesSelected.connect(self._on_files_selected)
        dialog.open()

    def ask_about(self, folder: bytes) -> None:
        """Ask whether to add a folder to the library or to attach it."""
        dialog = AttachFolderDialog(folder, self._composer)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.add_requested.emit((folder,)))
        dialog.attach_chosen.connect(lambda: self._attach((folder,)))
        dialog.open()

    @Slot(list)
    def _on_files_selected(self, files: list[str]) -> None:
        self._chosen_in = str(Path(files[0]).parent)
        self._attach(tuple(map(os.fsencode, files)))

    @Slot(object)
    def _on_shown(self, paths: tuple[bytes, ...]) -> None:
        if paths != self._paths:
            self._paths, self._looks = paths, 0
        self._look()

    @Slot(bytes)
    def _on_removed(self, path: bytes) -> None:
        self.undoable.emit(self.tr("“{0}” is no longer attached").format(shown_name(path)), self._undo_of_removal(path))

    @Slot()
    def _look(self) -> None:
        self._timer.stop()
        paths, retriever = self._paths, self._retriever
        if paths:
            self._worker.ask(lambda stop: _states(retriever, paths, stop))

    def _on_found(self, states: tuple[Attachment, ...]) -> None:
        if tuple(state.path for state in states) != self._paths:
            return
        self._states = states
        self._composer.scope_row.show_attachments(states, self._held)
        self._looks += 1
        if any(state.waiting for state in states) and not self._held and self._looks < _MOST_LOOKS:
            files = sum(state.files for state in states)
            self._timer.start(min(_AGAIN_MS + files // _FILES_PER_MS, _LATER_MS))

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        elsewhere = self.tr("A team library takes no attachments. Ask about files in a library on this computer.")
        self._composer.refuse_attachments(elsewhere if status.not_added else "")
        held = waiting_for(status)
        if held != self._held:
            self._held = held
            if self._paths:
                self._composer.scope_row.show_attachments(self._states, held)
                self._look()


def _states(retriever: Retriever, paths: tuple[bytes, ...], stop: Stop) -> Generator[tuple[Attachment, ...]]:
    yield retriever.attachments(paths, stop)


# Connects the @ in the question, and files dropped on it, with the library.

_FRESH_SECONDS = 30


class ScopeControl(QObject):
    """Looks up what the question can be limited to, on a background thread."""

    files_dropped = Signal(object)  # a tuple of paths as bytes that are not in the library
    folder_dropped = Signal(bytes)  # one that is not in the library

    def __init__(self, composer: Composer, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._composer = composer
        self._retriever = retriever
        self._facets: Facets | None = None  # of the whole library, kept while you type
        self._counted = 0.0  # when, in seconds
        self._choices = LatestOnlyWorker("scope", self._on_found, self)
        self._drops = LatestOnlyWorker("dropped scope", self._on_dropped, self)

    def attach(self) -> None:
        """Follow the question field."""
        self._composer.picker.wanted.connect(self._on_wanted)
        self._composer.picker.chosen.connect(self._on_chosen)

    def detach(self) -> None:
        """Leave the question field to another library."""
        self._composer.picker.wanted.disconnect(self._on_wanted)
        self._composer.picker.chosen.disconnect(self._on_chosen)

    def close(self) -> None:
        """Wait for the threads."""
        self._choices.close()
        self._drops.close()

    def limit_to(self, paths: tuple[Path, ...]) -> None:
        """Limit the question to files and folders of the library."""
        self._drops.ask(lambda stop: find_dropped(self._retriever, paths, stop))

    @Slot(str)
    def _on_wanted(self, letters: str) -> None:
        facets = self._facets if time.monotonic() - self._counted < _FRESH_SECONDS else None
        self._choices.ask(lambda stop: find_choices(self._retriever, letters, facets, stop))

    def _on_found(self, found: FoundChoices) -> None:
        if found.facets is not self._facets:
            self._facets, self._counted = found.facets, time.monotonic()
        self._composer.picker.show_choices(found.words, found.choices)

    @Slot(ScopeChoice)
    def _on_chosen(self, choice: ScopeChoice) -> None:
        self._composer.narrow(choice.added_to(self._composer.scope_row.scope()))

    def _on_dropped(self, dropped: DroppedChoices) -> None:
        scope = self._composer.scope_row.scope()
        for choice in dropped.choices:
            scope = choice.added_to(scope)
        if dropped.choices:
            self._composer.narrow(scope)
            self._composer.setFocus()
        if dropped.files:
            self.files_dropped.emit(tuple(map(os.fsencode, dropped.files)))
        for folder in dropped.folders[:1]:
            self.folder_dropped.emit(os.fsencode(folder))
