"""Opens files of the viewer in other programs on request, and says so if that fails."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from desktop_rag.errors import SettingsError
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.os_services import open_by_system, open_in_editor, show_in_folder
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.viewer.document_requests import DocumentRequests
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.text.display import one_line


class ExternalPrograms(QObject):
    """Serves the requests of open documents that other programs carry out."""

    def __init__(self, requests: DocumentRequests, settings: SettingsControl, window: MainWindow) -> None:
        super().__init__(window)
        self._settings = settings
        self._window = window
        requests.external_requested.connect(self._on_external_requested)
        for folder_requested in (requests.folder_requested, settings.folder_requested):
            folder_requested.connect(self._on_folder_requested)
        requests.editor_requested.connect(self._on_editor_requested)

    @Slot(Path)
    def _on_external_requested(self, path: Path) -> None:
        if not path.exists():
            self._window.show_toast(self.tr("“{0}” is not on this computer").format(one_line(path.name)))
        elif not open_by_system(path):
            self._window.show_toast(self.tr("No program on this computer opens {0}").format(one_line(path.name)))

    @Slot(Path)
    def _on_folder_requested(self, path: Path) -> None:
        if not show_in_folder(path):
            self._window.show_toast(self.tr("{0} cannot be shown in its folder").format(one_line(path.name)))

    @Slot(Path, int)
    def _on_editor_requested(self, path: Path, line: int) -> None:
        try:
            open_in_editor(self._settings.settings.editor, path, line)
        except SettingsError as error:
            self._window.show_toast(sentence(error), self.tr("Settings…"), self._settings.open_dialog)
