"""The main window: library and conversations on the left, the conversation in the centre, the document on the right."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop_rag.agent.conversations.transcript import ConversationId
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_palette import PaletteControl, PaletteEntry
from desktop_rag.gui.command_parts import CommandPart, Commands, name_keys, plain_text
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.formatting import library_name
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import ShownStatus, totals_text
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import keep_on_screen
from desktop_rag.gui.widgets.drop_zone import DropZone
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, button_text
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.gui.window.help_dialogs import AboutDialog, GuideDialog, ShortcutsDialog
from desktop_rag.gui.window.main_menus import Menus
from desktop_rag.gui.window_state import load_window_state, store_window_state
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderId, FolderRules
from desktop_rag.settings import Theme
from desktop_rag.text.display import one_line

# Sidebar, conversation and document side by side; each keeps the share of the width that the user gave it.


class ColumnSplitter(QSplitter):
    """Three columns; a narrow window takes width from them, and gives it back when it is wide again.

    Qt shares out a new width by the present widths, so that columns which had shrunk to their least stayed equal.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._chosen: list[int] = []
        self.splitterMoved.connect(self._keep)

    def setSizes(self, sizes: Sequence[int]) -> None:
        """Set and remember the widths; those of conversation and document are shares."""
        self._chosen = list(sizes)
        super().setSizes(self._chosen)

    def share_out(self) -> None:
        """Give the columns that are shown the widths that were chosen."""
        if self._chosen:
            super().setSizes(self._chosen)

    def chosen_first(self) -> int:
        """Return the width that was chosen for the first column, also while it is hidden."""
        return self._chosen[0] if self._chosen else 0

    def stored(self) -> str:
        """Return the chosen widths as the settings of the window keep them."""
        return ",".join(map(str, self._chosen))

    def restore(self, stored: object) -> None:
        """Set widths that were stored; anything else changes nothing."""
        widths = [int(width) for width in str(stored).split(",") if width.isdecimal() and len(width) < 6]
        if len(widths) == self.count():
            self.setSizes(widths)

    def _keep(self) -> None:
        left, centre, right = self.sizes()
        if left:
            self._chosen[0] = left
        if right:  # else the conversation has the width of both
            self._chosen[1:] = centre, right

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the new width in one step."""
        if self._chosen:
            self.share_out()
        else:
            super().resizeEvent(event)


# The pages in the centre of the window.


class Pages(QStackedWidget):
    """Shows one of its pages, which gets the focus that is meant for all."""

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self.currentChanged.connect(self._on_current_changed)
        for page in pages:
            self.addWidget(page)

    @Slot(int)
    def _on_current_changed(self, number: int) -> None:
        if (page := self.widget(number)) is not None:
            self.setFocusProxy(page)


_SMALLEST = (900, 560)
_USUAL = (1280, 800)
_SIDEBAR = 304
_LEAST = (212, 362, 320)  # minimum widths of sidebar, conversation and document; the latter two fit 683 pixels
_AT_EASE = 660 + 440  # … and of the latter two to read in both: a narrower window folds the sidebar beside a document
_STATE_VERSION = 1
_FORMER_SHARES = ",560,560"  # of conversation and document, which nobody chose
_LATE_CLICK_MS = 1_000
_SAVE_MS = 1_000  # milliseconds after which a new size is stored: a killed window is not closed
_PALETTE_CONVERSATIONS = 300


class MainWindow(QMainWindow):
    """Lays out the parts; the owner of the window connects them."""

    settings_requested = Signal()  # open the settings
    models_requested = Signal()  # open the settings where models are chosen
    theme_chosen = Signal(object)  # the Theme chosen in the View menu
    search_requested = Signal()  # show the search page and focus its field
    question_requested = Signal()  # focus the question field
    bookmarks_requested = Signal()  # list all bookmarks and notes
    tables_requested = Signal()  # show the page of tables
    reports_requested = Signal()  # show the page of reports
    standing_requested = Signal()  # show the page of standing questions
    files_requested = Signal(int)  # show this tab of the page of all files
    find_requested = Signal()  # find text in the open document
    why_requested = Signal()  # explain why a file is found or not
    folder_relocated = Signal(object, object)  # the old and the new path of a folder, as bytes
    asked_about = Signal(object)  # ask about files and folders of the library: a tuple of paths as bytes
    closing = Signal()  # the window closes: stop everything

    def __init__(
        self, conversation: QWidget, viewer: QWidget, status: ShownStatus, parts: Sequence[CommandPart] = ()
    ) -> None:
        super().__init__()
        self.setWindowTitle("Desktop RAG")
        self.setWindowIcon(icons.app_icon())
        self.setMinimumSize(*_SMALLEST)
        self.resize(*_USUAL)
        self.library = LibraryPanel(status, self)
        self.conversations = ConversationsPanel(parent=self)
        self.menus = Menus(self, self.library.switch.menu)
        own = (*self.menus.commands(), self.library.switch.commands(), self.library.commands())
        self.commands = Commands((*own, *self.conversations.commands(), *parts), self)
        self.addActions(self.conversations.keys_everywhere)  # also while the sidebar is hidden
        self.menus.offer_in_file(self.conversations.keys_everywhere)
        first = conversation.widget(0) if isinstance(conversation, Pages) else None  # other pages have own keys
        (first or conversation).addActions(self.conversations.keys_in_answers)
        self.palette_control = PaletteControl(self.commands, self)
        self.palette_control.add_source(self._places)
        self._conversation = conversation
        self._viewer = viewer
        self._sidebar = QSplitter(Qt.Orientation.Vertical, self)
        self._columns = ColumnSplitter(self)
        self._gave_way: QAction | None = None  # of the column that is hidden for another one, not by the user
        self._keeps_three = False  # the user has brought the sidebar back beside a document
        self._panels_moved = False  # the user has chosen the heights in the sidebar
        self._totals = ""
        self._doing = ""
        self._counted = QPushButton(self)
        self._said = ElidedLabel(self)
        self._model = QPushButton(self)
        self._toast = Toast(self)
        self.hides_on_close: Callable[[], bool] = lambda: False  # instead of closing
        self._quits = False
        self._shape_changed = QTimer(self, interval=_SAVE_MS, singleShot=True)
        self._shape_changed.timeout.connect(self._save)
        self._arrange()
        self._chosen_in = str(Path.home())
        self._drop_zone = DropZone(self)
        self._drop_zone.yield_files(self.findChildren(QWidget))
        self._connect()
        self._restore()
        status.changed.connect(self.menus.show_status)
        status.changed.connect(self._drop_zone.show_status)
        status.changed.connect(self._on_status)  # after the panel, whose text the status bar repeats

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        at_work = status.trouble or status.phase is not IndexingPhase.IDLE or status.forgetting
        self._doing = self.library.status_text() if at_work and not status.missing else ""
        self._totals = totals_text(status)
        self._share_panels()
        self._refresh_status_line()

    def _refresh_status_line(self) -> None:
        hidden = not self.menus.show_sidebar.isChecked()  # the panel shows its own status while it is visible
        self._counted.setText(self._totals)
        self._counted.setVisible(bool(self._totals))
        self._said.show_text(self._doing if hidden else "")
        self._said.setVisible(bool(self._doing) and hidden)

    def take_drops_on(self, question: QWidget) -> None:
        """Report what is dropped on the question by `asked_about`."""
        self._drop_zone.set_question(question)

    def show_library(self, name: str) -> None:
        """Show the library's name in the title; none if there is only one library."""
        self.setWindowTitle(f"{one_line(library_name(name))} — Desktop RAG" if name else "Desktop RAG")

    def leave_library(self) -> None:
        """Drop the pending undo: it belongs to the library that is left."""
        self._toast.finish()

    def bring_to_front(self) -> None:
        """Raise the window above all others, also when minimised."""
        state = self.windowState() & ~Qt.WindowState.WindowMinimized
        self.setWindowState(state | Qt.WindowState.WindowActive)
        self.show()
        self.raise_()
        self.activateWindow()

    @Slot()
    def quit(self) -> None:
        """Close the window for good."""
        self._quits = True
        self.close()

    def show_model(self, text: str) -> None:
        """Show in the status bar which model answers."""
        self._model.setText(button_text(one_line(text)))
        self._model.setAccessibleName(self.tr("Model in use: {0}").format(one_line(text)))
        self._model.show()

    def show_theme(self, theme: Theme) -> None:
        """Check the theme in use in the View menu."""
        self.menus.show_theme(theme)

    def open_document_pane(self) -> None:
        """Show the document pane."""
        self.menus.show_document.setChecked(True)

    def close_document_pane(self) -> None:
        """Hide the document pane."""
        self.menus.show_document.setChecked(False)

    def offer_undo(self, text: str, undo: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Show what was done with an Undo button for some seconds; call `otherwise` if it is not pressed."""
        self._toast.offer(text, undo, otherwise)

    def show_toast(self, text: str, action: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a toast, perhaps with a button named `action`."""
        self._toast.show_toast(text, action, act)

    @Slot(str, str)
    def show_trouble(self, title: str, message: str) -> None:
        """Show in a toast what went wrong."""
        self.show_toast(f"{sentence(title)}: {sentence(message)}")

    def choose_folder(self) -> None:
        """Let the user choose a folder to add."""
        dialog = FileDialog(self, self.tr("Add a folder to your library"), folders=True)
        self._open_file_dialog(dialog)

    def choose_files(self) -> None:
        """Let the user choose files to add."""
        dialog = FileDialog(self, self.tr("Add files to your library"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self._open_file_dialog(dialog)

    def _open_file_dialog(self, dialog: QFileDialog) -> None:
        if reason := self.library.not_added:
            dialog.deleteLater()
            self.show_toast(reason)
            return
        dialog.setDirectory(self._chosen_in)
        dialog.filesSelected.connect(self._on_files_selected)
        dialog.open()

    def _arrange(self) -> None:
        for panel in (self.library, self.conversations):
            self._sidebar.addWidget(panel)
        self._sidebar.setStretchFactor(0, 3)
        self._sidebar.setStretchFactor(1, 2)
        columns = (self._sidebar, self._conversation, self._viewer)
        for place, (column, least) in enumerate(zip(columns, _LEAST, strict=True)):
            column.setMinimumWidth(least)
            self._columns.addWidget(column)
            self._columns.setStretchFactor(place, 3 if place else 0)
        for splitter in (self._sidebar, self._columns):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        self._sidebar.splitterMoved.connect(self._on_panels_moved)
        self._columns.splitterMoved.connect(lambda: self._shape_changed.start())
        for area in (self._conversation, self._viewer):
            area.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            set_role(area, "surface")
        set_role(self._sidebar, "sidebar")
        self._viewer.hide()
        body = QWidget(self)
        in_column((self._columns, 1), self._toast, on=body, spacing=0)
        self.setCentralWidget(body)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(GRID, 0, GRID, 0)
        self._model.setToolTip(self.tr("The model that answers; click to choose another one"))
        self._model.clicked.connect(self.models_requested)
        set_role(self._said, "caption")
        self._counted.setToolTip(self.tr("Files of the library"))
        self._counted.clicked.connect(lambda: self.menus.files.trigger())
        for button in (self._counted, self._model):
            set_role(button, "footer")
        fold = icons.IconButton("sidebar-left", self.tr("Library and conversations"), self)
        fold.setObjectName("show_sidebar")
        fold.clicked.connect(self.menus.show_sidebar.trigger)
        name_keys(fold, (self.menus.show_sidebar,))
        bar.addWidget(fold)
        bar.addWidget(self._counted)
        bar.addWidget(self._said, 1)
        bar.addPermanentWidget(self._model)
        self._model.hide()

    def _connect(self) -> None:
        menus = self.menus
        self._drop_zone.folders_dropped.connect(self.library.folders_dropped)
        self._drop_zone.asked_about.connect(self.asked_about)
        self.library.add_folder_requested.connect(self.choose_folder)
        self.library.remove_requested.connect(self._on_folder_removed)
        self.library.rules_edited.connect(self._on_rules_edited)
        self.library.grown.connect(self._share_panels)
        self.library.relocate_requested.connect(self._on_relocate_requested)
        self.conversations.delete_requested.connect(self._on_conversation_deleted)
        self.conversations.archive_requested.connect(self._on_conversation_archived)
        menus.new_conversation.triggered.connect(self.conversations.new_requested)
        menus.add_folder.triggered.connect(self.choose_folder)
        menus.add_files.triggered.connect(self.choose_files)
        menus.settings.triggered.connect(self.settings_requested)
        menus.quit.triggered.connect(self.quit)
        menus.undo_removal.triggered.connect(self._toast.act)
        self._toast.offering.connect(menus.undo_removal.setEnabled)
        self._toast.shown.connect(self._on_toast_shown)
        menus.search.triggered.connect(self.search_requested)
        menus.search.changed.connect(self._on_keys_changed)
        self._on_keys_changed()
        self.library.search_requested.connect(self.search_requested)
        menus.ask.triggered.connect(self.question_requested)
        menus.find.triggered.connect(self.find_requested)
        menus.why.triggered.connect(self.why_requested)
        for tab, action in enumerate((menus.files, menus.problems, menus.statistics)):  # in the order of the tabs
            action.triggered.connect(lambda _=False, tab=tab: self.files_requested.emit(tab))
        self.library.files_requested.connect(menus.files.trigger)
        menus.tables.triggered.connect(lambda: self.tables_requested.emit())
        menus.reports.triggered.connect(self.reports_requested)
        menus.standing.triggered.connect(self.standing_requested)
        menus.bookmarks.triggered.connect(self.bookmarks_requested)
        menus.filter_conversations.triggered.connect(self._on_filter_triggered)
        menus.show_sidebar.toggled.connect(self._on_sidebar_toggled)
        menus.show_document.toggled.connect(self._on_document_toggled)
        menus.full_screen.toggled.connect(self._on_full_screen_toggled)
        menus.palette.triggered.connect(self.palette_control.open)
        menus.shortcuts.triggered.connect(self._on_shortcuts_triggered)
        menus.guide.triggered.connect(self._on_guide_triggered)
        menus.about.triggered.connect(self._on_about_triggered)
        for action in menus.themes.values():
            action.triggered.connect(self._on_theme_triggered)

    def _restore(self) -> None:
        self._columns.setSizes([_SIDEBAR, 660, 560])
        state = load_window_state()
        self.menus.show_sidebar.setChecked(state.get("sidebar") != "false")
        if state.get("version") != str(_STATE_VERSION):
            return
        for name, restore in (("geometry", self.restoreGeometry), ("panels", self._sidebar.restoreState)):
            if isinstance(data := state.get(name), str) and data:
                restored = restore(QByteArray.fromHex(data.encode()))
                self._panels_moved = self._panels_moved or (name == "panels" and restored)
        widths = str(state.get("widths"))
        self._columns.restore("" if widths.endswith(_FORMER_SHARES) else widths)

    def _save(self) -> None:
        self._shape_changed.stop()
        sidebar = self.menus.show_sidebar
        store_window_state(
            {
                "version": str(_STATE_VERSION),
                "geometry": self.saveGeometry().data().hex(),
                "widths": self._columns.stored(),
                "panels": self._sidebar.saveState().data().hex() if self._panels_moved else "",
                "sidebar": "true" if sidebar.isChecked() or self._gave_way is sidebar else "false",
            }
        )

    @Slot()
    def _on_panels_moved(self) -> None:
        self._panels_moved = True
        self._shape_changed.start()

    def _share_panels(self) -> None:
        """Give the folders what they need, half of the sidebar at least, until the user has moved the line below."""
        height = self._sidebar.height()
        if not self._panels_moved and height:
            folders = max(self.library.needed_height(), height // 2) if self.library.has_folders() else height * 4 // 7
            folders = min(folders, height * 2 // 3)
            self._sidebar.setSizes([folders, height - folders])

    def _on_sidebar_toggled(self, shown: bool) -> None:  # noqa: FBT001 - Qt passes it by position
        if self.menus.show_document.isChecked() and (shown or self._gave_way is not self.menus.show_sidebar):
            self._keeps_three, self._gave_way = shown, None
        self._sidebar.setVisible(shown)
        self._columns.share_out()
        if self._give_way(self.menus.show_document, shown=shown):
            self._gave_way = self.menus.show_sidebar  # which it does again for the document
        self._refresh_status_line()

    def _on_document_toggled(self, shown: bool) -> None:  # noqa: FBT001 - Qt passes it by position
        if not shown and self._viewer.isAncestorOf(self.focusWidget()):
            self._conversation.setFocus()
        self._viewer.setVisible(shown)
        self._give_way(self.menus.show_sidebar, shown=shown)
        self._columns.share_out()

    def _give_way(self, other: QAction, *, shown: bool) -> bool:
        """Hide the other side column in a window too narrow for three; return whether it is shown again.

        The sidebar also gives way to ease, unless the user has brought it back.
        """
        if shown and self.width() < self._least_for(other) and other.isChecked():
            self._gave_way = other
            other.setChecked(False)
        back = not shown and self._gave_way is other
        if back:
            self._gave_way = None
            other.setChecked(True)
        return back

    def _least_for(self, other: QAction) -> int:
        """Return the least width of a window in which the column of `other` need not give way."""
        kept = self._keeps_three or self.library.is_browsed()
        eased = other is self.menus.show_sidebar and not kept
        return self._columns.chosen_first() + _AT_EASE if eased else sum(_LEAST)

    def _fit_sidebar(self) -> None:
        """Fold the sidebar beside a document in a window that became narrow; unfold it once there is room again."""
        sidebar = self.menus.show_sidebar
        has_room = self.width() >= self._least_for(sidebar)
        if self.menus.show_document.isChecked() and sidebar.isChecked() is not has_room:
            if not has_room:
                self._gave_way = sidebar
                sidebar.setChecked(False)
            elif self._gave_way is sidebar:
                self._gave_way = None
                sidebar.setChecked(True)
                self._keeps_three = False  # which the user did not ask for

    def _on_full_screen_toggled(self, full: bool) -> None:  # noqa: FBT001 - Qt passes it by position
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _on_folder_removed(self, folder: FolderId) -> None:
        text = self.tr("Removed “{0}” from the library").format(self.library.name_of(folder))
        self.offer_undo(text, partial(self.library.restore_requested.emit, folder))

    def _on_rules_edited(self, folder: FolderId, before: FolderRules) -> None:
        text = self.tr("Rules of “{0}” changed").format(self.library.name_of(folder))
        self.offer_undo(text, partial(self.library.rules_changed.emit, folder, before))

    def _on_relocate_requested(self, status: FolderStatus) -> None:
        title = self.tr("The new location of “{0}”").format(self.library.name_of(status.folder))
        dialog = FileDialog(self, title, folders=not status.is_file)
        if status.is_file:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setDirectory(self._chosen_in)
        dialog.fileSelected.connect(lambda path: self.folder_relocated.emit(status.path, os.fsencode(path)))
        dialog.open()

    def _on_conversation_deleted(self, conversation: ConversationId) -> None:
        panel = self.conversations
        text = self.tr("Deleted “{0}”").format(panel.title_of(conversation))
        panel.dismiss(conversation)
        erase = partial(panel.delete_confirmed.emit, conversation)
        self.offer_undo(text, partial(panel.bring_back, conversation), erase)

    def _on_conversation_archived(self, conversation: ConversationId, archived: bool) -> None:  # noqa: FBT001 - a slot
        if archived:
            text = self.tr("Archived “{0}”").format(self.conversations.title_of(conversation))
            emit = self.conversations.archive_requested.emit
            self.offer_undo(text, partial(emit, conversation, False))  # noqa: FBT003 - by position

    def _on_files_selected(self, files: list[str]) -> None:
        self._chosen_in = str(Path(files[0]).parent) if files else self._chosen_in
        self.library.folders_dropped.emit(tuple(os.fsencode(file) for file in files))

    def _on_filter_triggered(self) -> None:
        self.menus.show_sidebar.setChecked(True)
        self.conversations.focus_filter()

    def _on_theme_triggered(self) -> None:
        chosen = next(theme for theme, action in self.menus.themes.items() if action.isChecked())
        self.theme_chosen.emit(chosen)

    def _on_shortcuts_triggered(self) -> None:
        ShortcutsDialog(self.commands.listing(), self).open()

    def _places(self) -> Iterator[PaletteEntry]:
        """Yield what can be opened: the libraries and the last conversations."""
        for action in self.library.switch.places():
            yield PaletteEntry("", plain_text(action), self.tr("Library"), action.trigger)
        for summary in self.conversations.conversations()[:_PALETTE_CONVERSATIONS]:
            show = partial(self.conversations.conversation_chosen.emit, summary.id, 0)
            yield PaletteEntry("", one_line(summary.title), self.tr("Conversation"), show)

    @Slot(bool)
    def _on_toast_shown(self, shown: bool) -> None:  # noqa: FBT001 - a slot
        bar = self.statusBar()
        if shown:
            self._toast.setMinimumHeight(bar.height())
        bar.setVisible(not shown)
        # A late click on the button of the note is none on what takes its place.
        through = Qt.WidgetAttribute.WA_TransparentForMouseEvents
        self._model.setAttribute(through, not shown)
        QTimer.singleShot(_LATE_CLICK_MS, self._model, lambda: self._model.setAttribute(through, False))  # noqa: FBT003

    def _on_keys_changed(self) -> None:
        name_keys(self.library, (self.menus.search,))

    def _on_guide_triggered(self) -> None:
        guide = self.findChild(GuideDialog) or GuideDialog(self)
        guide.show()
        guide.activateWindow()

    def _on_about_triggered(self) -> None:
        AboutDialog(self).open()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the status bar as high as a note of one line in the new style."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._fit_status_bar()
        elif event.type() == QEvent.Type.WindowStateChange:
            self._shape_changed.start()

    def _fit_status_bar(self) -> None:
        self.statusBar().setMinimumHeight(self._toast.height_of_one_line())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Store the new size soon."""
        super().resizeEvent(event)
        self._share_panels()
        self._fit_sidebar()
        if event.spontaneous() or self.isVisible():
            self._shape_changed.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the window to its screen."""
        self._fit_status_bar()
        super().showEvent(event)
        keep_on_screen(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the sizes and let the owner stop all work; or only hide, unless the user or the session ends."""
        application = QApplication.instance()
        ends = self._quits or (isinstance(application, QApplication) and application.isSavingSession())
        if not ends and self.hides_on_close():
            self._save()
            self.hide()
            event.ignore()
            return
        self._toast.finish()
        self._save()
        self.closing.emit()
        super().closeEvent(event)
