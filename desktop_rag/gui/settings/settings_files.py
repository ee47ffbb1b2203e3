"""Export and import of settings: the file dialogs, the work in the background, and the question before a change."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.gui.background.command_queue import CommandQueue
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.settings.settings_changes import changes
from desktop_rag.gui.settings.settings_exchange import ImportedSettings, read_import, write_export
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.settings import Settings
from desktop_rag.text.display import one_line


class ImportDialog(ActionDialog):
    """Shows what an import changes, before it does."""

    def __init__(self, before: Settings, imported: ImportedSettings, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Import settings"), self.tr("Use these settings"), parent)
        found = changes(before, imported.settings)
        count = len(found)
        said = counted(self.tr("%Ln setting(s) change:", "", count), count) if found else self.tr("Nothing changes.")
        listed = ScrolledPage(self)
        listed.column.setSpacing(GRID // 2)
        for change in found:
            listed.add_words(one_line(str(change)))
        listed.column.addStretch(1)
        listed.setMinimumHeight(min(240, 40 + 28 * count) if found else 0)
        kept = self.tr("The model in use, stored keys and the editor stay as they are.")
        keys = self.tr("A new model has no key yet; type it on the page Models.")
        more = self.words(f"{kept} {keys}" if imported.added else kept, "muted")
        self.act.setEnabled(bool(found))
        set_role(self.act, "primary")
        self.arrange(self.words(said), listed, more)


class SettingsFiles(QObject):
    """Writes and reads files of settings."""

    imported = Signal(object)  # the ImportedSettings the user agreed to
    saved = Signal(str, Path)  # that the settings were written, as a sentence, and the file

    def __init__(self, commands: CommandQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = commands
        self._folder = ""

    def ask_export(self, settings: Settings, window: QWidget) -> None:
        """Ask for a file, and write the settings there."""
        dialog = self._dialog(self.tr("Export settings"), window)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile("desktop-rag-settings.json")
        dialog.fileSelected.connect(lambda path: self.export(settings, Path(path)))
        dialog.open()

    def ask_import(self, settings: Settings, window: QWidget) -> None:
        """Ask for a file, and show what it would change."""
        dialog = self._dialog(self.tr("Import settings"), window)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.show_import(settings, Path(path), window))
        dialog.open()

    def export(self, settings: Settings, path: Path) -> None:
        """Write the settings to `path` in the background."""
        self._folder = str(path.parent)
        done = self.tr("Saved as {0}, without keys").format(one_line(path.name))
        self._commands.run(lambda _: write_export(path, settings), lambda _: self.saved.emit(done, path))

    def show_import(self, settings: Settings, path: Path, window: QWidget) -> None:
        """Read `path` in the background, then show what it would change."""
        self._folder = str(path.parent)

        def show(imported: ImportedSettings) -> None:
            dialog = ImportDialog(settings, imported, window)
            dialog.accepted.connect(lambda: self.imported.emit(imported))
            dialog.open()

        self._commands.run(lambda _: read_import(path, settings), show)

    def _dialog(self, title: str, window: QWidget) -> QFileDialog:
        dialog = FileDialog(window, title, self._folder)
        dialog.setNameFilter(self.tr("Settings (*.json)"))
        return dialog
