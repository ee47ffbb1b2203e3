"""The commands of the library switch: create, open, rename, remove, delete, and switch."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.formatting import library_name
from desktop_rag.gui.library.library_dialogs import NameDialog
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library.team_control import TeamControl
from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.text.display import one_line

_Listed = tuple[tuple[KnownLibrary, bool], ...]
_Looked = tuple[_Listed, frozenset[Path]]  # the libraries, and the folders of those of teams


class LibrariesControl(QObject):
    """Carries out the commands of the library switch; its owner shows the chosen library."""

    chosen = Signal(object)  # the KnownLibrary to show
    renamed = Signal(object)  # the open KnownLibrary under its new name
    trouble = Signal(str, str)  # a title and a sentence
    notified = Signal(str)  # a sentence for a toast

    def __init__(
        self, libraries: Libraries, panel: LibraryPanel, window: QWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._libraries = libraries
        self._switch = panel.switch
        self._window = window
        self._current: KnownLibrary | None = None
        self._listed: _Listed = ()
        self._teams = frozenset[Path]()
        self._commands = CommandQueue("libraries", self)
        self._commands.failed.connect(self._on_failed)
        self._switch.library_chosen.connect(self.chosen)
        self._switch.opened.connect(self.refresh)
        self._switch.create_requested.connect(self._on_create_requested)
        self._switch.open_requested.connect(self._on_open_requested)
        self._team = TeamControl(libraries, window, self)
        self._switch.team_requested.connect(self._team.open)
        self._switch.team_edit_requested.connect(self._on_team_edit_requested)
        self._team.added.connect(self.chosen)
        self._team.changed.connect(self._on_team_changed)
        self._team.trouble.connect(self._on_failed)
        self._switch.rename_requested.connect(self._on_rename_requested)
        self._switch.remove_requested.connect(self._on_remove_requested)
        self._switch.delete_requested.connect(self._on_delete_requested)
        panel.find_library_requested.connect(self._on_find_requested)

    def show_current(self, known: KnownLibrary) -> None:
        """Mark `known` as the open library."""
        self._current = known
        self._switch.show_libraries(self._listed, known)
        self._offer_editing()
        self.refresh()

    def close(self) -> None:
        """Finish the queued commands and end the threads."""
        self._team.close()
        self._commands.close()

    @Slot()
    def refresh(self) -> None:
        """Reload the list of libraries; the disk of one may be slow to answer."""
        self._commands.run(lambda _: self._look(), self._show)

    def _look(self) -> _Looked:
        every = self._libraries.all()
        listed = tuple((known, known.is_missing()) for known in every)
        return listed, frozenset(known.folder for known in every if known.library.is_team())

    def _show(self, looked: _Looked) -> None:
        listed, self._teams = looked
        if listed != self._listed:
            self._listed = listed
            self._switch.show_libraries(listed, self._current)
        self._offer_editing()

    def _offer_editing(self) -> None:
        self._switch.offer_editing(is_team=self._current is not None and self._current.folder in self._teams)

    @Slot()
    def _on_team_edit_requested(self) -> None:
        if self._current is not None:
            self._team.edit(self._current)

    @Slot(object)
    def _on_team_changed(self, known: KnownLibrary) -> None:
        self.notified.emit(self.tr("“{0}” was changed").format(one_line(library_name(known.name))))

    @Slot()
    def _on_create_requested(self) -> None:
        dialog = NameDialog(self.tr("New library"), self.tr("Create"), parent=self._window, place=True)
        dialog.named.connect(self.create_library)
        dialog.open()

    def create_library(self, name: str, folder: Path | None) -> None:
        """Create a library and open it."""
        self._commands.run(lambda _: self._libraries.create(name, folder), self.chosen.emit)

    @Slot()
    def _on_open_requested(self) -> None:
        self._choose_folder(self.tr("Folder of the library"), self.open_library)

    def open_library(self, folder: Path) -> None:
        """Add the library in `folder` to the list and open it."""
        self._commands.run(lambda _: self._libraries.open(folder), self.chosen.emit)

    @Slot()
    def _on_find_requested(self) -> None:
        self._choose_folder(self.tr("The library's new folder"), self.find_library)

    def find_library(self, folder: Path) -> None:
        """Open the missing library at its new location."""
        if self._current is not None:
            name = self._current.name
            self._commands.run(lambda _: self._libraries.move(name, folder), self.chosen.emit)

    @Slot()
    def _on_rename_requested(self) -> None:
        if self._current is None:
            return
        title = self.tr("Rename library")
        dialog = NameDialog(title, self.tr("Rename"), library_name(self._current.name), self._window, place=False)
        dialog.named.connect(self._rename)
        dialog.open()

    def _rename(self, new: str, _: object) -> None:
        def show(renamed: KnownLibrary) -> None:
            self._current = renamed
            self.renamed.emit(renamed)
            self.refresh()

        if self._current is not None:
            name = self._current.name
            self._commands.run(lambda _: self._libraries.rename(name, new), show)

    @Slot()
    def _on_remove_requested(self) -> None:
        self._ask(
            self.tr("Remove “{0}” from the list?"),
            self.tr(
                "Your conversations and notes with it stay here. “Add team library…” with its address adds it again."
            )
            if self._current is not None and self._current.folder in self._teams
            else self.tr("Nothing is deleted. “Open library…” adds it again."),
            self.tr("Remove"),
            partial(self._remove, delete=False),
            self.tr("“{0}” was removed from the list"),
        )

    @Slot()
    def _on_delete_requested(self) -> None:
        self._ask(
            self.tr("Delete “{0}”?"),
            self.tr(
                "Its index, conversations, bookmarks, notes and searches are deleted. "
                "Your documents stay where they are."
            ),
            self.tr("Delete"),
            partial(self._remove, delete=True),
            self.tr("“{0}” was deleted"),
        )

    def _remove(self, name: str, *, delete: bool) -> None:
        from desktop_rag.team.access.team_joining import leave_team_library  # the window starts without it

        leave_team_library(self._libraries, name, Credentials(), delete=delete)

    def _ask(self, title: str, words: str, act: str, do: Callable[[str], None], message: str) -> None:
        if self._current is None:
            return
        known, name = self._current, one_line(library_name(self._current.name))
        dialog = QuestionDialog(title.format(name), words, act, self._window)
        dialog.accepted.connect(lambda: self._leave_and(known, do, message.format(name)))
        dialog.open()

    def _leave_and(self, known: KnownLibrary, do: Callable[[str], None], message: str) -> None:
        """Open another library, then run `work` on `known`."""
        other = next(
            (library for library, missing in self._listed if library.folder != known.folder and not missing), None
        )
        other = other or next((library for library, _ in self._listed if library.folder != known.folder), None)
        if other is None:
            return
        self.chosen.emit(other)

        def done(_: None) -> None:
            self.notified.emit(message)
            self.refresh()

        self._commands.run(lambda _: do(known.name), done)

    def _choose_folder(self, title: str, act: Callable[[Path], None]) -> None:
        dialog = FileDialog(self._window, title, folders=True)
        dialog.fileSelected.connect(lambda path: act(Path(path)))
        dialog.open()

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        self.trouble.emit(error.title, str(error))
