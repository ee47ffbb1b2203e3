"""The menus of the main window and their shortcuts."""

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMetaObject, QObject, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import CommandPart, without_mnemonic
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.viewer.open_documents import RecentDocument, RecentDocuments
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.retrieval.api import Retriever
from desktop_rag.settings import Theme
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten_middle


class Menus(QObject):
    """Builds the menu bar of `window`; its actions are public attributes."""

    def __init__(self, window: QMainWindow, libraries: QMenu) -> None:
        super().__init__(window)
        self._window = window
        self._libraries = libraries
        self.recent = QMenu(self.tr("Recent documents"), window)
        self.recent.setEnabled(False)  # until it has entries
        self.new_conversation = self._action(self.tr("New conversation"), "Ctrl+N")
        self.add_folder = self._action(self.tr("Add folder…"), "Ctrl+O")
        self.add_files = self._action(self.tr("Add files…"), "Ctrl+Shift+O")
        self.settings = self._action(self.tr("Settings…"), "Ctrl+,", QAction.MenuRole.PreferencesRole)
        self.quit = self._action(self.tr("Quit"), "Ctrl+Q", QAction.MenuRole.QuitRole)
        self.undo_removal = self._action(self.tr("Undo the last change"), "Ctrl+Alt+Z")
        self.undo_removal.setEnabled(False)
        self.undo_removal.setWhatsThis(self.tr("Nothing that can be undone was changed in the last seconds"))
        self.find = self._action(self.tr("Find in document…"), "Ctrl+F")
        self.ask = self._action(self.tr("Write a question"), "Ctrl+L")
        self.search = self._action(self.tr("Search"), "Ctrl+K")
        self.why = self._action(self.tr("Why is a file found or not?…"), "Ctrl+Shift+I")
        self.filter_conversations = self._action(self.tr("Find a conversation"), "Ctrl+Shift+K")
        self.show_sidebar = self._toggle(self.tr("Show library and conversations"), "Ctrl+B")
        self.show_sidebar.setChecked(True)
        self.show_document = self._toggle(self.tr("Show document"), "Ctrl+D")
        self.bookmarks = self._action(self.tr("Bookmarks and notes…"), "Ctrl+Shift+B")
        self.tables = self._action(self.tr("Tables over documents"), "Ctrl+Shift+D")
        self.reports = self._action(self.tr("Reports"), "Ctrl+Shift+R")
        self.standing = self._action(self.tr("Standing questions"), "Ctrl+Shift+N")
        self.files = self._action(self.tr("Files of the library"), "Ctrl+Shift+L")
        self.problems = self._action(self.tr("Problems of the library"), "Ctrl+Shift+X")
        self.statistics = self._action(self.tr("Statistics of the library"), "Ctrl+Shift+S")
        self.full_screen = self._toggle(self.tr("Full screen"), "F11")
        self.palette = self._action(self.tr("Find a command…"), "Ctrl+Shift+P")
        self.shortcuts = self._action(self.tr("Keyboard shortcuts"), "F1")
        self.tour = self._action(self.tr("Tour of the window"), "Shift+F1")
        self.guide = self._action(self.tr("User guide"), "Ctrl+Shift+G")
        self.updates = self._action(self.tr("Check for updates…"), "Ctrl+F1")
        self.about = self._action(self.tr("About Desktop RAG"), "Ctrl+Shift+F1", QAction.MenuRole.AboutRole)
        self.themes = self._theme_actions()
        self._parts: list[CommandPart] = []
        for name, action in vars(self).items():
            if isinstance(action, QAction):
                action.setObjectName(name)
        self._fill()

    def offer_in_file(self, actions: Sequence[QAction]) -> None:
        """Offer commands of another part of the window in the File menu, too."""
        menu = self._window.menuBar().actions()[0].menu()
        if isinstance(menu, QMenu):
            menu.insertActions(self.settings, actions)
            menu.insertSeparator(self.settings)

    def show_theme(self, theme: Theme) -> None:
        """Check the theme in use."""
        self.themes[theme].setChecked(True)

    @Slot(LibraryStatus)
    def show_status(self, status: LibraryStatus) -> None:
        """Offer to add files only where that is possible; else say why it is not."""
        for action in (self.add_folder, self.add_files):
            action.setEnabled(not status.not_added)
            action.setWhatsThis(sentence(status.not_added))

    def commands(self) -> tuple[CommandPart, ...]:
        """Return the commands of the menus."""
        return tuple(self._parts)

    def _action(self, text: str, keys: str, role: QAction.MenuRole = QAction.MenuRole.NoRole) -> QAction:
        action = QAction(text, self._window)
        action.setShortcut(QKeySequence(keys))
        action.setMenuRole(role)
        return action

    def _toggle(self, text: str, keys: str) -> QAction:
        action = self._action(text, keys)
        action.setCheckable(True)
        return action

    def _theme_actions(self) -> dict[Theme, QAction]:
        names = {
            Theme.SYSTEM: (self.tr("Same as the system"), "Ctrl+J, S"),
            Theme.LIGHT: (self.tr("Light"), "Ctrl+J, L"),
            Theme.DARK: (self.tr("Dark"), "Ctrl+J, D"),
        }
        group = QActionGroup(self)
        actions = {theme: self._toggle(*name) for theme, name in names.items()}
        for theme, action in actions.items():
            action.setData(theme.value)
            action.setObjectName(theme.value)
            group.addAction(action)
        return actions

    def _fill(self) -> None:
        bar = self._window.menuBar()
        file = bar.addMenu(self.tr("&File"))
        _add(file, (self.new_conversation, None, self.add_folder, self.add_files, None))
        file.addMenu(self.recent)
        file.addMenu(self._libraries)
        _add(file, (None, self.settings, None, self.quit))
        edit = bar.addMenu(self.tr("&Edit"))
        _add(edit, (*self._editing(), None, self.undo_removal, None))
        _add(edit, (self.search, self.ask, self.find, self.filter_conversations, None, self.why))
        view = bar.addMenu(self.tr("&View"))
        _add(view, (self.show_sidebar, self.show_document, None))
        _add(
            view,
            (
                self.tables,
                self.reports,
                self.standing,
                self.files,
                self.problems,
                self.statistics,
                self.bookmarks,
                None,
            ),
        )
        theme = view.addMenu(self.tr("Theme"))
        theme.addActions(list(self.themes.values()))
        _add(view, (None, self.full_screen))
        helping = bar.addMenu(self.tr("&Help"))
        _add(helping, (self.guide, self.tour, self.shortcuts, self.palette, None, self.updates, self.about))
        for name, menu in (("file", file), ("edit", edit), ("view", view), ("theme", theme), ("help", helping)):
            actions = tuple(action for action in menu.actions() if action.objectName())
            self._parts.append(CommandPart(name, without_mnemonic(menu.title()), actions, everywhere=True))

    def _editing(self) -> tuple[QAction, ...]:
        standard = QKeySequence.StandardKey
        return (
            self._editing_action(self.tr("Undo typing"), standard.Undo, "undo"),
            self._editing_action(self.tr("Redo typing"), standard.Redo, "redo"),
            self._editing_action(self.tr("Cut"), standard.Cut, "cut"),
            self._editing_action(self.tr("Copy"), standard.Copy, "copy"),
            self._editing_action(self.tr("Paste"), standard.Paste, "paste"),
            self._editing_action(self.tr("Select all"), standard.SelectAll, "selectAll"),
        )

    def _editing_action(self, text: str, keys: QKeySequence.StandardKey, slot: str) -> QAction:
        action = QAction(text, self._window)
        shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        action.setText(f"{text}\t{shown}")  # only shown in the list: fields and lists handle these keys themselves
        action.setObjectName(slot)
        action.triggered.connect(_on_focused(slot))
        return action


def _add(menu: QMenu, actions: Iterable[QAction | None]) -> None:
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)


def _on_focused(slot: str) -> Callable[[], None]:
    """Return a function that calls `slot` of the focused widget, if it has one."""

    def call() -> None:
        widget = QApplication.focusWidget()
        if widget is not None and widget.metaObject().indexOfSlot(f"{slot}()") >= 0:
            QMetaObject.invokeMethod(widget, slot)

    return call


# The menu of the documents opened last.

_LONGEST = 60  # characters of a name


class RecentMenu(QObject):
    """Fills the menu when it opens; documents that are gone become grey as soon as the library has said so."""

    def __init__(
        self,
        menu: QMenu,
        recent: RecentDocuments,
        retriever: Callable[[], Retriever],
        show: Callable[[RecentDocument], None],
    ) -> None:
        super().__init__(menu)
        self._menu = menu
        self._recent = recent
        self._retriever = retriever
        self._show = show
        self._entries: dict[RecentDocument, QAction] = {}
        self._worker: LatestOnlyWorker[RecentDocument] = LatestOnlyWorker("recent documents", self._on_missing, self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill)
        recent.changed.connect(self._on_changed)
        self._on_changed()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()

    @Slot()
    def _on_changed(self) -> None:
        self._menu.setEnabled(bool(self._recent.documents))

    @Slot()
    def _fill(self) -> None:
        self._menu.clear()
        documents = self._recent.documents
        self._entries = {document: self._menu.addAction(_text(document)) for document in documents}
        for document, action in self._entries.items():
            action.setToolTip(tool_tip(document.path))
            action.triggered.connect(partial(self._show, document))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Clear the list")).triggered.connect(self._recent.clear)
        retriever = self._retriever()
        self._worker.ask(lambda stop: _missing(documents, retriever, stop))

    @Slot(object)
    def _on_missing(self, document: RecentDocument) -> None:
        if (action := self._entries.get(document)) is not None:
            action.setEnabled(False)
            action.setText(self.tr("{0} (no longer there)").format(_text(document)))


def _text(document: RecentDocument) -> str:
    return button_text(shorten_middle(document.name, _LONGEST))


def _missing(documents: tuple[RecentDocument, ...], retriever: Retriever, stop: Stop) -> Generator[RecentDocument]:
    """Yield the documents that are no longer in the library or on the disk; one on a missing disk is not among them."""
    for document in documents:
        card = retriever.lookup(document.sha256, Path(document.path), stop)
        if card is None or card.path is None:
            yield document
