"""The settings dialog: eight pages; nothing is applied until Save."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from desktop_rag.gui.commands.command_parts import Commands
from desktop_rag.gui.os_services import detected_editor
from desktop_rag.gui.settings.appearance_page import AppearancePage
from desktop_rag.gui.settings.desktop_page import DesktopPage
from desktop_rag.gui.settings.profiles_page import ProfilesPage
from desktop_rag.gui.settings.settings_pages import (
    AnswersPage,
    EditorPage,
    FoldersPage,
    LimitsPage,
    MethodPage,
)
from desktop_rag.gui.settings.settings_search import SettingsSearch
from desktop_rag.gui.settings.shortcuts_page import ShortcutsPage
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile, Settings


class SettingsDialog(BoundedDialog):
    """Edits `Settings` and emits the changes; reads and writes neither files nor the keychain."""

    settings_changed = Signal(Settings)  # apply these settings
    key_changed = Signal(str, str)  # a profile's name and its new key; delete the key if empty
    profile_renamed = Signal(str, str)  # old and new name: move the stored key, if any
    probe_requested = Signal(Profile, str)  # test it with the typed key, empty for the stored one
    probe_stopped = Signal()  # stop the running test, if any
    rules_requested = Signal(object)  # show the rules of the folder with this FolderId

    def __init__(
        self,
        settings: Settings,
        folders: Sequence[FolderStatus] = (),
        parent: QWidget | None = None,
        commands: Commands | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.resize(760, 680)
        self._settings = settings
        self._search = SettingsSearch(self)
        self._pages = QTabWidget(self)
        stack = self._pages.findChild(QStackedWidget)  # a change of parent would apply the style to all of a page again
        self._profiles = ProfilesPage(settings, stack)
        self._method = MethodPage(settings.toolkit, stack)
        self._limits = LimitsPage(settings.limits, settings.money, stack)
        self._answers = AnswersPage(settings.unsourced, stack, follow_ups=settings.follow_ups)
        self._appearance = AppearancePage(settings, stack)
        self._desktop = DesktopPage(settings.desktop, stack)
        self._editor = EditorPage(settings.editor, detected_editor(), stack)
        self._shortcuts = ShortcutsPage(commands or Commands(()), settings.shortcuts, stack)
        self._folders = FoldersPage(folders, stack)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._save = QPushButton(self.tr("Save"), self)
        self._arrange()
        self._profiles.probe_requested.connect(self.probe_requested)
        self._profiles.probe_stopped.connect(self.probe_stopped)
        self._folders.rules_requested.connect(self.rules_requested)
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self.reject)
        self.finished.connect(self.probe_stopped)

    def show_keys(self, stored: frozenset[str], notice: str) -> None:
        """Show which profile names have a stored key, and `notice` if keys are lost when the program ends."""
        self._profiles.show_keys(stored, notice)

    def show_probe(self, result: ProbeResult) -> None:
        """Show the result of the last test."""
        self._profiles.show_probe(result)

    def show_page(self, title: str) -> None:
        """Show the page with this title; the first one if there is none."""
        self._pages.setCurrentIndex(page_titles().index(title) if title in page_titles() else 0)

    def settings(self) -> Settings:
        """Return the settings with the values of all pages."""
        profiles, active = self._profiles.result()
        return replace(
            self._appearance.applied_to(self._settings),
            profiles=profiles,
            active_profile=active,
            toolkit=self._method.toolkit(self._settings.toolkit),
            limits=self._limits.limits(),
            money=self._limits.money(),
            unsourced=self._answers.unsourced(),
            follow_ups=self._answers.follow_ups(),
            desktop=self._desktop.options(),
            editor=self._editor.editor(),
            shortcuts=self._shortcuts.shortcuts(),
        )

    def _arrange(self) -> None:
        pages = (
            self._profiles,
            self._method,
            self._limits,
            self._answers,
            self._appearance,
            self._desktop,
            self._shortcuts,
            self._editor,
            self._folders,
        )
        for page, title in zip(pages, page_titles(), strict=True):
            self._pages.addTab(page, title)
        self._search.search_in(self._pages)
        self._pages.setDocumentMode(True)
        self._pages.tabBar().setDrawBase(False)
        self._save.setDefault(True)
        set_role(self._save, "primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addWidget(self._search)
        layout.addWidget(self._pages, 1)
        layout.addLayout(buttons)

    def _on_save_clicked(self) -> None:
        if self._profiles.show_first_error():
            self._pages.setCurrentWidget(self._profiles)
            return
        after = self.settings()
        for name in self._profiles.removed():
            self.key_changed.emit(name, "")
        for old, new in self._profiles.renamed():
            self.profile_renamed.emit(old, new)
        for name, key in self._profiles.typed_keys():
            self.key_changed.emit(name, key)
        if after != self._settings:
            self.settings_changed.emit(after)
        self.accept()


def page_titles() -> tuple[str, ...]:
    """Return the titles of the pages, in order."""
    return (
        _tr("Models"),
        _tr("Method"),
        _tr("Limits"),
        _tr("Answers"),
        _tr("Appearance"),
        _tr("Desktop"),
        _tr("Shortcuts"),
        _tr("Editor"),
        _tr("Folders"),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingsDialog", text)
