"""The library panel: its folders with their progress and menus, and the footer."""

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import CommandPart
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.library.folder_rules_dialog import FolderRulesDialog
from desktop_rag.gui.library.library_delegate import LibraryDelegate
from desktop_rag.gui.library.library_dialogs import ScansDialog
from desktop_rag.gui.library.library_footer import LibraryFooter
from desktop_rag.gui.library.library_model import InnerRow, LibraryModel, is_complete
from desktop_rag.gui.library.library_switch import LibrarySwitch
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.layouts import CENTER, STRETCH, Part, in_column, in_row
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.index.file_rows import FolderContents
from desktop_rag.index.folders.rules import RuleDecision
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus, RulePreview, Schedule
from desktop_rag.index.records import FolderId, FolderRules, FolderState
from desktop_rag.text.display import one_line, shown_name

# What the panel shows instead of folders: an invitation for an empty library, or the path of a missing one.

_PICTURE = 40


class _Placeholder(QWidget):
    """A picture in the colours of the theme, a heading, sentences and buttons."""

    def _arrange(self, icon: str, title: str, sentences: Sequence[QLabel], buttons: Sequence[QPushButton]) -> None:
        self._icon, self._picture, heading = icon, Label(parent=self), Label(title, self)
        set_role(heading, "heading")
        for label in (self._picture, heading, *sentences):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        parts: tuple[Part, ...] = (
            self._picture,
            heading,
            *sentences,
            GRID // 2,
            *((button, CENTER) for button in buttons),
        )
        in_column(STRETCH, *parts, (STRETCH, 2), on=self, margins=(2 * GRID, GRID, 2 * GRID, GRID))
        self._draw()

    def _draw(self) -> None:
        colors = current_colors()
        color = colors.accent if self._icon == "drop" else colors.muted
        self._picture.setPixmap(icons.pixmap(self._icon, color, _PICTURE))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the current theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()


class EmptyLibrary(_Placeholder):
    """Invites the user to drop a folder."""

    add_requested = Signal()  # choose a folder
    sample_requested = Signal()  # add the sample library

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        add = QPushButton(self.tr("Add folder…"), self)
        add.setAccessibleDescription(self.tr("Choose a folder to search"))
        self.sample = QPushButton(self.tr("Try the sample library"), self)
        set_role(self.sample, "link")
        self.sample.setAccessibleDescription(self.tr("Add a few ready documents to see how asking works"))
        self.sample.hide()
        promise = Label(self.tr("Every word can be found in seconds. Your files stay where they are."), self)
        set_role(promise, "caption")
        promise.setWordWrap(True)
        self._arrange("drop", self.tr("Drop a folder here"), (promise,), (add, self.sample))
        add.clicked.connect(self.add_requested)
        self.sample.clicked.connect(self.sample_requested)


class MissingLibrary(_Placeholder):
    """Names the missing folder; the library opens by itself when its disk is connected."""

    find_requested = Signal()  # choose the library's new folder

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._where = PlainLabel("", "caption", self)
        promise = PlainLabel(self.tr("It opens by itself when its disk is connected."), "caption", self)
        find = QPushButton(self.tr("Find it…"), self)
        find.setAccessibleDescription(self.tr("Choose the library's new folder"))
        find.clicked.connect(self.find_requested)
        self._arrange("offline", self.tr("This library is missing"), (self._where, promise), (find,))

    def show_reason(self, reason: str) -> None:
        """Show why the library is missing."""
        self._where.setText(one_line(sentence(reason)))


_Shape = tuple[bool, bool, bool]
_LEAST_LIST = 48  # pixels
_REFRESH_MS = 3_000  # unfolded folders follow the indexer at most this often


class FolderTree(PanelList):
    """The folders as a tree: keys unfold, fold and choose rows."""

    chosen = Signal()  # the current row, by the Return key
    turned = Signal(bool)  # unfold the current row (True) or fold it

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current row, or unfold and fold it with the arrow keys."""
        forth, back = Qt.Key.Key_Right, Qt.Key.Key_Left
        if self.isRightToLeft():
            forth, back = back, forth
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.chosen.emit()
        elif event.key() in (forth, back):
            self.turned.emit(event.key() == forth)
        else:
            super().keyPressEvent(event)


class LibraryPanel(QWidget):
    """Shows the library's folders and reports the user's commands on them."""

    folders_dropped = Signal(object)  # a tuple of absolute paths as bytes, dropped or chosen, folders or files
    search_requested = Signal()  # open the search page
    files_requested = Signal()  # show the page of all files
    add_folder_requested = Signal()  # choose a folder to add
    pause_requested = Signal(object)  # a FolderId, or None for all
    resume_requested = Signal(object)  # a FolderId, or None for all
    schedule_chosen = Signal(Schedule)  # when to work in the background
    rescan_requested = Signal(object)  # a FolderId, or None for all
    remove_requested = Signal(object)  # a FolderId; takes effect at once, can be undone
    restore_requested = Signal(object)  # the FolderId whose removal to undo
    rules_changed = Signal(object, object)  # a FolderId and its new FolderRules
    rules_edited = Signal(object, object)  # a FolderId and the FolderRules it had before the dialog changed them
    preview_asked = Signal(object, object)  # a FolderId and FolderRules whose effect to count
    path_asked = Signal(object, object, object)  # a folder's path, FolderRules to test, and a path as bytes
    problems_requested = Signal(object)  # the FolderId whose problems to show
    folder_files_requested = Signal(object, object)  # the FolderId whose files to list, and the path of a subfolder
    contents_asked = Signal(object, object)  # the FolderId, and the path of a subfolder, whose contents to show
    file_requested = Signal(object, bool)  # the ListedFile to open, in a tab that stays (True) or for a look
    grown = Signal()  # more or fewer rows are shown
    retry_requested = Signal(object)  # the paths (bytes) of files to read again
    why_requested = Signal(object)  # the path (bytes) of a file or its folder: explain why it is found or not
    sample_requested = Signal()  # add the sample library
    forget_requested = Signal(object)  # the FolderStatus of the folder to erase completely
    relocate_requested = Signal(object)  # the FolderStatus of a folder that was moved
    opened_outside = Signal(Path)  # a folder to open in the file manager
    find_library_requested = Signal()  # choose the new location of the missing library

    def __init__(self, status: ShownStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Library"))
        self._model = LibraryModel(self)
        self._shapes: dict[FolderId, _Shape] = {}
        self._counts: tuple[tuple[FolderId, int, int, int], ...] = ()  # when the contents were asked for
        self._refreshing = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self.not_added = ""  # why folders cannot be added or changed, in the window's language; empty where they can
        self.switch = LibrarySwitch(self)
        self.search_button = icons.IconButton("search", self.tr("Search"), self)
        self.search_button.setObjectName("search")
        self.files_button = icons.IconButton("list", self.tr("Files of the library (Ctrl+Shift+L)"), self)
        self._add = icons.IconButton("folder-add", self.tr("Add folder…"), self)
        self._list = FolderTree(self._model, self.tr("Folders"), self)
        self._list.setDragEnabled(True)
        self._delegate = LibraryDelegate(self._model, self._list)
        self._list.setItemDelegate(self._delegate)
        self._empty = EmptyLibrary(self)
        self._missing = MissingLibrary(self)
        self._footer = LibraryFooter(status, self.switch.work, self)
        self._stack = QStackedWidget(self)
        self._add_commands()
        self._arrange()
        self._connect()
        status.changed.connect(self._on_status)  # after the footer, so that its text is current

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        self._model.show_folders(status.folders)
        self.switch.work.show_status(status)
        for folder in status.folders:
            self._fit_row(folder)
        self._stack.setCurrentWidget(self._page_of(status))
        self._missing.show_reason(status.trouble)
        self.not_added = sentence(status.not_added)
        self._delegate.has_files_here = not self.not_added
        if self._counted() != self._counts and not self._refreshing.isActive():
            self._refreshing.start()
        self._add.setEnabled(not status.missing and not self.not_added)
        self._add.setToolTip(tool_tip(self.not_added) or self.tr("Add folder…"))
        self._empty.sample.setVisible(not status.folders)
        something = bool(self._model.rowCount()) or bool(status.trouble) or status.phase is not IndexingPhase.IDLE
        self._footer.setVisible((something or status.forgetting) and not status.missing)
        self._refresh_actions()

    def _page_of(self, status: LibraryStatus) -> QWidget:
        if status.missing:
            return self._missing
        filled = bool(self._model.rowCount() or self.not_added) or status is UNKNOWN  # else it is empty for a moment
        return self._list if filled else self._empty

    def name_of(self, folder: FolderId) -> str:
        """Return a folder's name in the list; empty when it is not there."""
        status = self._model.folder(self._model.row_of(folder))
        return shown_name(status.path) if status else ""

    def has_folders(self) -> bool:
        """Return whether a folder is listed."""
        return self._model.rowCount() > 0

    def is_browsed(self) -> bool:
        """Return whether files are being opened from the list."""
        return self.window().focusWidget() is self._list

    def needed_height(self) -> int:
        """Return the height at which all folders are in sight."""
        rows = sum(map(self._list.sizeHintForRow, range(self._model.rowCount())))
        footer = 0 if self._footer.isHidden() else self._footer.minimumSizeHint().height()
        return self._add.sizeHint().height() + rows + footer + 4 * GRID

    def status_text(self) -> str:
        """Return the text of the footer."""
        return self._footer.status_text()

    def commands(self) -> CommandPart:
        """Return the commands for the selected folder, or the only one."""
        none, actions = self.tr("No folder is selected"), tuple(self._list.actions())
        return CommandPart(
            "folder",
            self.tr("On the selected folder"),
            actions,
            blocked=lambda: "" if self._list.isVisible() and self._current() else none,
        )

    def select(self, folder: FolderId) -> None:
        """Make `folder` the current row."""
        self._list.setCurrentIndex(self._model.index(self._model.row_of(folder)))

    def show_contents(self, folder: FolderId, inside: bytes, contents: FolderContents) -> None:
        """Show what is in a folder or subfolder that was unfolded."""
        self._model.show_contents(folder, inside, contents)

    def edit_rules(self, folder: FolderId) -> None:
        """Open the rules of a folder."""
        status = self._model.folder(self._model.row_of(folder))
        if status is None:
            return
        dialog = FolderRulesDialog(status, self.window())
        dialog.rules_changed.connect(self.rules_changed)
        dialog.rules_changed.connect(lambda folder, _: self.rules_edited.emit(folder, status.rules))
        dialog.path_asked.connect(self.path_asked)
        dialog.preview_asked.connect(self.preview_asked)
        dialog.open()

    def show_decision(self, decision: RuleDecision | None) -> None:
        """Show the decision about the tested path if the rules dialog is still open."""
        for dialog in self.window().findChildren(FolderRulesDialog):
            dialog.show_decision(decision)

    def show_preview(self, rules: FolderRules, preview: RulePreview) -> None:
        """Show what the rules in the dialog would do, if it is still open."""
        for dialog in self.window().findChildren(FolderRulesDialog):
            dialog.show_preview(rules, preview)

    def _fit_row(self, status: FolderStatus) -> None:
        shape = (is_complete(status), status.found == 0, bool(self._model.note(status)))
        if self._shapes.get(status.folder) != shape:
            self._shapes[status.folder] = shape
            self._delegate.sizeHintChanged.emit(self._model.index(self._model.row_of(status.folder)))

    def _current(self) -> FolderStatus | None:
        """Return the selected folder; a library's only folder need not be selected."""
        return self._model.folder(0 if self._model.rowCount() == 1 else self._list.currentIndex().row())

    def _chosen(self) -> FolderStatus | InnerRow | None:
        """Return what is selected, also what is in a folder."""
        return self._current() or self._model.inner(self._list.currentIndex().row())

    def _counted(self) -> tuple[tuple[FolderId, int, int, int], ...]:
        return tuple((each.folder, each.found, each.searchable, each.left_out) for each in self._model.folders())

    def _refresh_actions(self) -> None:
        status, chosen = self._current(), self._chosen()
        of_both = (self._listing, self._why, None, self._open, self._copy)
        self._list.set_menu(self._whole_menu if status is not None else of_both)
        for action in (self._pause, self._rescan, self._rules, self._remove, self._forget):
            action.setEnabled(status is not None and not self.not_added)
            action.setWhatsThis(self.not_added)
        for action in (self._listing, self._why):
            action.setEnabled(chosen is not None and not self.not_added)
            action.setWhatsThis(self.not_added)
        of_file = isinstance(chosen, InnerRow) and chosen.file is not None
        self._listing.setText(self.tr("Open") if of_file else self.tr("Show its files"))
        self._copy.setEnabled(chosen is not None)
        offline = isinstance(chosen, FolderStatus) and chosen.state is FolderState.OFFLINE
        self._open.setEnabled(chosen is not None and not offline and not self.not_added)
        self._relocate.setEnabled(status is not None and status.state in (FolderState.OFFLINE, FolderState.PAUSED))
        self._problems.setEnabled(status is not None and status.left_out > 0)
        paused = status is not None and status.state is FolderState.PAUSED
        self._pause.setText(self.tr("Resume") if paused else self.tr("Pause"))

    def _toggle(self, status: FolderStatus) -> None:
        paused = status.state is FolderState.PAUSED
        (self.resume_requested if paused else self.pause_requested).emit(status.folder)

    def _add_commands(self) -> None:
        add = self._list.add_command
        self._pause = add(self.tr("Pause"), "Space", self._on_pause_triggered)
        self._rescan = add(self.tr("Check for changes now"), "F5", self._on_rescan_triggered)
        self._listing = add(self.tr("Show its files"), "Alt+F", self._on_listing_triggered)
        self._problems = add(self.tr("Show problems"), "Alt+P", self._on_problems_triggered)
        self._rules = add(self.tr("Rules…"), "Alt+Return", self._on_rules_triggered)
        self._why = add(self.tr("Why is a file found or not?…"), "Ctrl+I", self._on_why_triggered)
        self._open = add(self.tr("Open in the file manager"), "Ctrl+Return", self._on_open_triggered)
        self._copy = add(self.tr("Copy path"), "Ctrl+C", self._on_copy_triggered)
        self._relocate = add(self.tr("Folder was moved…"), "Ctrl+R", self._on_relocate_triggered)
        self._remove = add(self.tr("Remove from library (can be undone)"), "Del", self._on_remove_triggered)
        self._forget = add(self.tr("Forget: erase its text for good…"), "Shift+Del", self._on_forget_triggered)
        first = (self._listing, self._problems, self._rules, self._why, None, self._pause, self._rescan)
        outside, gone = (self._open, self._copy, self._relocate), (self._remove, self._forget)
        self._whole_menu = (*first, None, *outside, None, *gone)
        self._refresh_actions()

    def _arrange(self) -> None:
        head = in_row(
            self.switch,
            STRETCH,
            self.search_button,
            self.files_button,
            self._add,
            spacing=None,
            margins=(GRID, GRID, GRID, 0),
        )
        for page in (self._list, self._empty, self._missing):
            self._stack.addWidget(page)
        self._stack.setMinimumHeight(_LEAST_LIST)  # the list scrolls, the sentences of the footer do not
        self._footer.hide()
        in_column(head, (self._stack, 1), self._footer, on=self, spacing=GRID // 2)

    def _connect(self) -> None:
        self.search_button.clicked.connect(self.search_requested)
        self.files_button.clicked.connect(self.files_requested)
        self._add.clicked.connect(self.add_folder_requested)
        self._empty.add_requested.connect(self.add_folder_requested)
        self._empty.sample_requested.connect(self.sample_requested)
        self._missing.find_requested.connect(self.find_library_requested)
        self.switch.work.pause_requested.connect(self._on_pause_all)
        self.switch.work.schedule_chosen.connect(self.schedule_chosen)
        self._footer.resume_requested.connect(self._on_resume_all)
        self._footer.engine_asked.connect(self._on_engine_asked)
        self._delegate.pause_clicked.connect(self._toggle)
        self._delegate.more_clicked.connect(self._on_more_clicked)
        self._delegate.problems_clicked.connect(self._on_problems_clicked)
        for changed in (self._model.rowsInserted, self._model.rowsRemoved):
            changed.connect(lambda *_: self.grown.emit())
        self._delegate.row_clicked.connect(self._on_row_clicked)
        self._list.selectionModel().currentChanged.connect(self._refresh_actions)
        self._list.doubleClicked.connect(self._on_listing_triggered)
        self._list.chosen.connect(self._on_listing_triggered)
        self._list.turned.connect(self._on_turned)
        self._refreshing.timeout.connect(self._on_refreshing)

    def _on_more_clicked(self, status: FolderStatus, at: QPoint) -> None:
        self.select(status.folder)
        self._list.open_menu(at)

    def _on_problems_clicked(self, status: FolderStatus) -> None:
        self.problems_requested.emit(status.folder)

    def _on_listing_triggered(self) -> None:
        chosen = self._chosen()
        if isinstance(chosen, InnerRow) and chosen.file is not None:
            self.file_requested.emit(chosen.file, True)  # noqa: FBT003 - by position
        elif chosen is not None:
            inside = chosen.inside if isinstance(chosen, InnerRow) else b""
            self.folder_files_requested.emit(chosen.folder, inside)

    def _on_row_clicked(self, row: int) -> None:
        """Unfold or fold a folder; open a file."""
        inner = self._model.inner(row)
        if inner is not None and inner.file is not None:
            self.file_requested.emit(inner.file, False)  # noqa: FBT003 - by position
        elif inner is not None and inner.more:
            self._on_listing_triggered()
        else:
            self._turn(row, unfold=not self._model.is_open(row))

    def _on_turned(self, unfold: bool) -> None:  # noqa: FBT001 - a slot
        if (row := self._list.currentIndex().row()) >= 0:
            self._turn(row, unfold=unfold)

    def _turn(self, row: int, *, unfold: bool) -> None:
        status = self._model.folder(row) or self._model.inner(row)
        is_file = status is None or (status.file is not None if isinstance(status, InnerRow) else status.is_file)
        if status is None or is_file or self.not_added or unfold is self._model.is_open(row):
            return
        if unfold:
            inside = status.inside if isinstance(status, InnerRow) else b""
            self._model.unfold(status.folder, inside)
            self._counts = self._counted()
            self.contents_asked.emit(status.folder, inside)
        else:
            self._model.fold(row)

    def _on_refreshing(self) -> None:
        self._counts = self._counted()
        for place in tuple(self._model.open_places()):
            self.contents_asked.emit(*place)

    def _on_pause_all(self) -> None:
        self.pause_requested.emit(None)

    def _on_resume_all(self) -> None:
        self.resume_requested.emit(None)

    def _on_engine_asked(self) -> None:
        ScansDialog(self.window()).open()

    def _on_pause_triggered(self) -> None:
        if status := self._current():
            self._toggle(status)

    def _on_rescan_triggered(self) -> None:
        if status := self._current():
            self.rescan_requested.emit(status.folder)

    def _on_problems_triggered(self) -> None:
        if status := self._current():
            self.problems_requested.emit(status.folder)

    def _on_rules_triggered(self) -> None:
        if status := self._current():
            self.edit_rules(status.folder)

    def _on_why_triggered(self) -> None:
        if chosen := self._chosen():
            self.why_requested.emit(chosen.path)

    def _on_open_triggered(self) -> None:
        if chosen := self._chosen():
            path = Path(os.fsdecode(chosen.path))
            of_file = isinstance(chosen, InnerRow) and chosen.file is not None
            self.opened_outside.emit(path.parent if of_file else path)

    def _on_copy_triggered(self) -> None:
        if chosen := self._chosen():
            QGuiApplication.clipboard().setText(os.fsdecode(chosen.path))

    def _on_relocate_triggered(self) -> None:
        if status := self._current():
            self.relocate_requested.emit(status)

    def _on_forget_triggered(self) -> None:
        if status := self._current():
            self.forget_requested.emit(status)

    def _on_remove_triggered(self) -> None:
        if status := self._current():
            self.remove_requested.emit(status.folder)
