"""The settings dialog: pages; nothing is applied until Save."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from desktop_rag.gui.command_parts import Commands
from desktop_rag.gui.settings.diagnostics import DiagnosticsPage
from desktop_rag.gui.settings.encoder_page import EncoderPage
from desktop_rag.gui.settings.folders_page import FolderRequests, FoldersPage
from desktop_rag.gui.settings.page_parts import EditingPage, FoldedFields
from desktop_rag.gui.settings.page_titles import EVERYDAY, page_titles
from desktop_rag.gui.settings.profiles_page import ProfilesPage
from desktop_rag.gui.settings.programs_page import ProgramsPage
from desktop_rag.gui.settings.settings_exchange import changes
from desktop_rag.gui.settings.settings_pages import (
    AnswersPage,
    AppearancePage,
    DesktopPage,
    EditorPage,
    History,
    LimitsPage,
    MethodPage,
    PrivacyPage,
)
from desktop_rag.gui.settings.shortcuts_page import ShortcutsPage
from desktop_rag.gui.theme.theme import GRID, fit_density, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog, QuestionDialog
from desktop_rag.gui.widgets.fields import FilterField, WheelGuard
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.paths import data_home
from desktop_rag.settings import Settings

# The field that finds a setting: it shows the pages that name it and marks its rows.


class SettingsSearch(QWidget):
    """Filters the pages of a tab widget by the words of their labels, buttons and fields."""

    filtered = Signal()  # other pages are offered

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pages: QTabWidget | None = None
        self._marked: list[QWidget] = []
        self._field = _SearchField(self.tr("Find a setting"), self)
        self._nothing = PlainLabel("", "muted", self)
        self._nothing.hide()
        in_column(self._field, self._nothing, on=self, spacing=GRID // 2)
        self._field.textChanged.connect(self._on_text_changed)
        self._field.stepped.connect(self._on_stepped)
        self._field.accepted.connect(self._on_accepted)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), parent)
        find.activated.connect(self._field.setFocus)

    def search_in(self, pages: QTabWidget) -> None:
        """Search the pages of `pages`."""
        self._pages = pages

    def _on_text_changed(self, text: str) -> None:
        pages = self._pages
        if pages is None:
            return
        self._mark([])
        words = text.casefold().split()
        found = {place: _found(pages, place, words) for place in range(pages.count())} if words else {}
        matching = [place for place, rows in found.items() if rows or _has(pages.tabText(place), words)]
        stays = not matching or pages.currentIndex() in matching
        for place in range(pages.count()):
            pages.setTabVisible(place, not matching or place in matching)
        self.filtered.emit()
        if not stays:
            pages.setCurrentIndex(min(matching, key=lambda place: _shortest(found[place])))
        self._mark([row for rows in found.values() for row in rows])
        for row in self._marked:
            _expand(row)
        self._show_first(pages)
        shown = (pages.widget(place) for place in matching)
        self._explain([page for page in shown if page is not None], searched=bool(words))

    def _explain(self, pages: list[QWidget], *, searched: bool) -> None:
        """Say why no setting is shown: no page has the words, or only fields of endpoints, and there is no endpoint."""
        hidden = bool(self._marked) and not any(row.isVisibleTo(page) for row in self._marked for page in pages)
        if hidden and len(pages) == 1:
            self._nothing.setText(self.tr("This is set for each model. Connect one first."))
        else:
            self._nothing.setText(self.tr("No setting has this in its name or description."))
        self._nothing.setVisible(searched and (hidden or not pages))

    def _show_first(self, pages: QTabWidget) -> QWidget | None:
        """Scroll to the first marked row of the current page, and return it."""
        page = pages.currentWidget()
        row = next((row for row in self._marked if page.isAncestorOf(row)), None)
        for area in page.findChildren(QScrollArea):
            if row is not None and area.isAncestorOf(row):
                area.ensureWidgetVisible(row)
        return row

    @Slot(int)
    def _on_stepped(self, by: int) -> None:
        """Show the next of the offered pages, or the one before."""
        if (pages := self._pages) is not None:
            offered = [place for place in range(pages.count()) if pages.isTabVisible(place)]
            at = offered.index(pages.currentIndex()) + by if pages.currentIndex() in offered else 0
            pages.setCurrentIndex(offered[max(0, min(at, len(offered) - 1))])
            self._show_first(pages)

    @Slot()
    def _on_accepted(self) -> None:
        """Go to the first setting that was found on the page, else to the next part of the dialog."""
        row = self._show_first(self._pages) if self._pages is not None else None
        field = _field_at(row, self._pages.currentWidget()) if self._pages is not None and row is not None else None
        if field is None:
            self.focusNextChild()
        else:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _mark(self, rows: list[QWidget]) -> None:
        changed, self._marked = self._marked + rows, rows
        for row in changed:
            row.setProperty("found", row in rows)
            if row.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
                row.style().unpolish(row)
                row.style().polish(row)


class _SearchField(FilterField):
    """Return stays in the dialog, the arrows go through the pages, and Escape first empties the field."""

    stepped = Signal(int)  # to the next page (1) or the one before (-1)
    accepted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to what was found with Return, through the pages with the arrows; empty the field with Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


def _takes_keys(widget: QWidget) -> bool:
    tab = Qt.FocusPolicy.TabFocus.value
    return bool(widget.focusPolicy().value & tab) and widget.isEnabled() and widget.isVisible()


def _field_at(row: QWidget, page: QWidget) -> QWidget | None:
    """Return the first control of a page that is in a row or below it."""
    top = row.mapTo(page, QPoint(0, 0)).y()
    places = [(each.mapTo(page, each.rect().bottomLeft()), each) for each in page.findChildren(QWidget)]
    below = [(place.y(), place.x(), number) for number, (place, each) in enumerate(places) if _takes_keys(each)]
    after = [found for found in below if found[0] >= top]
    return places[min(after)[2]][1] if after else None


def _found(pages: QTabWidget, place: int, words: list[str]) -> list[QWidget]:
    """Return the labels and buttons of a page that contain all words; in the page's order."""
    page = pages.widget(place)
    widgets = page.findChildren(QWidget) if page is not None else []
    return [w for w in widgets if isinstance(w, (QLabel, QAbstractButton)) and _has(w.text(), words)]


def _expand(row: QWidget) -> None:
    """Show a row of fields that are collapsed."""
    above: QWidget | None = row
    while above is not None:
        if isinstance(above, FoldedFields):
            above.expand()
        above = above.parentWidget()


def _shortest(rows: list[QWidget]) -> int:
    """Return the characters of the shortest text: words in a name say more than words in a description."""
    return min((len(row.text()) for row in rows if isinstance(row, (QLabel, QAbstractButton))), default=0)


def _has(text: str, words: list[str]) -> bool:
    shown = text.replace("&", "").casefold()
    return all(word in shown for word in words)


_SIMPLE = (MethodPage, LimitsPage, AnswersPage, AppearancePage, DesktopPage, EditorPage)
_RESETTABLE = (*_SIMPLE, ShortcutsPage)
_PLACE = Qt.ItemDataRole.UserRole
_ADVANCED = -1  # the place of the heading

_WIDEST = 190  # pixels of the list of pages, whose longer titles are elided


class PageList(QListWidget):
    """Replaces the tab bar of `pages`: it shows the names of all pages at any size, and scrolls if it must.

    Those of every day come first; the others are listed below “Advanced” once that is chosen, or one of them is shown.
    """

    def __init__(self, pages: QTabWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = pages
        self._unfolded = False  # the advanced pages are listed
        self.setAccessibleName(self.tr("Pages"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_role(self, "pages")
        pages.tabBar().hide()
        pages.currentChanged.connect(self._on_page_changed)
        self.currentItemChanged.connect(self._on_item_chosen)

    def show_names(self) -> None:
        """Show the names of the pages that are offered."""
        with QSignalBlocker(self):
            self.clear()
            visible = [self._pages.isTabVisible(place) for place in range(self._pages.count())]
            unfolded = self._unfolded or self._pages.currentIndex() >= EVERYDAY or not all(visible)
            for place, seen in enumerate(visible):
                if place == EVERYDAY:
                    self._add(self.tr("Advanced"), _ADVANCED).setHidden(not any(visible[place:]))
                advanced = place >= EVERYDAY
                item = self._add(("    " if advanced else "") + self._pages.tabText(place), place)
                item.setHidden(not seen or (advanced and not unfolded))
            self._show_current(self._pages.currentIndex())
        self._fit()

    def _add(self, text: str, place: int) -> QListWidgetItem:
        item = QListWidgetItem(text, self)
        item.setData(_PLACE, place)
        return item

    def _show_current(self, place: int) -> None:
        with QSignalBlocker(self):
            self.setCurrentRow(place + (place >= EVERYDAY))

    @Slot(int)
    def _on_page_changed(self, place: int) -> None:
        if place >= EVERYDAY and not self._unfolded and self.count():
            self._unfolded = True
            self.show_names()
        self._show_current(place)

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, item: QListWidgetItem | None) -> None:
        place = int(item.data(_PLACE)) if item is not None else _ADVANCED
        self._pages.setCurrentIndex(EVERYDAY if place == _ADVANCED else place)
        self._show_current(self._pages.currentIndex())

    def _fit(self) -> None:
        hints = (self.sizeHintForIndex(self.indexFromItem(self.item(row))).width() for row in range(self.count()))
        self.setFixedWidth(min(max(hints, default=0), _WIDEST) + 3 * GRID)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the width to the names in the new font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.count():
            self._fit()


class SettingsDialog(BoundedDialog):
    """Edits `Settings` and emits the changes; reads and writes neither files nor the keychain."""

    settings_changed = Signal(Settings)  # apply these settings
    key_changed = Signal(str, str)  # a profile's name and its new key; delete the key if empty
    profile_renamed = Signal(str, str)  # old and new name: move the stored key, if any
    export_requested = Signal()  # write the saved settings to a file
    import_requested = Signal()  # take settings from a file
    folder_requested = Signal(Path)  # show this file in the file manager

    def __init__(
        self,
        settings: Settings,
        folders: Sequence[FolderStatus] = (),
        parent: QWidget | None = None,
        commands: Commands | None = None,
        histories: tuple[History, ...] = (),
        folder_requests: FolderRequests | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        """Build the dialog; without `at_once` it has no page: exhaust `build` before anything else."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.resize(1040, 680)
        self._settings = settings
        self._opened: Settings | None = None  # as the pages showed them at first
        self._commands = commands or Commands(())
        self._search = SettingsSearch(self)
        self._pages = QTabWidget(self)
        self._list = PageList(self._pages, self)
        self._given = folders, histories, folder_requests
        if at_once:
            for _ in self.build():
                pass

    def build(self) -> Iterator[None]:
        """Build the pages, some before each item."""
        settings, (folders, histories, requests) = self._settings, self._given
        stack = self._pages.findChild(QStackedWidget)  # a change of parent would apply the style to all of a page again
        self.profiles = ProfilesPage(settings, stack, at_once=False)
        yield from self.profiles.build()
        yield
        method, limits, answers = MethodPage(settings, stack), LimitsPage(settings, stack), AnswersPage(settings, stack)
        yield
        appearance, desktop = AppearancePage(settings, stack), DesktopPage(settings, stack)
        yield
        shortcuts, editor = ShortcutsPage(settings, self._commands, stack), EditorPage(settings, stack)
        yield
        self.folders = FoldersPage(folders, stack, requests)
        self.encoders = EncoderPage(settings.encoder, stack)
        yield
        self.programs = ProgramsPage(stack)
        self.privacy = PrivacyPage(settings, data_home(), histories, stack)
        yield
        self.diagnostics = DiagnosticsPage(settings, stack)
        yield
        self._replaced: dict[type[QWidget], QWidget] = {}  # pages as they were before a reset
        self._more = QPushButton(self.tr("More"), self)
        self._more.setObjectName("settings_menu")
        self._menu = QMenu(self)
        self._note = NoteLabel("muted", self)
        self._folder = QPushButton(self.tr("Show in folder"), self)
        self._saved = Path()
        self._undo = QPushButton(self.tr("Undo"), self)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._save = QPushButton(self.tr("Save"), self)
        self._arrange(
            (
                *(appearance, self.folders, self.profiles, answers, self.privacy, shortcuts),
                *(method, limits, desktop, editor, self.encoders, self.programs, self.diagnostics),
            )
        )
        self._pages.currentChanged.connect(self._on_page_changed)
        self._folder.clicked.connect(lambda: self.folder_requested.emit(self._saved))
        self._undo.clicked.connect(self._on_undo_clicked)
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self._discard)
        self.finished.connect(self.profiles.probe_stopped)
        # the pages hear these keys only while the keyboard is inside them, and the dialog opens with it in the search
        for keys, step in (("Ctrl+Tab", 1), ("Ctrl+PgDown", 1), ("Ctrl+Shift+Tab", -1), ("Ctrl+PgUp", -1)):
            QShortcut(keys, self).activated.connect(partial(self._turn_page, step))
        self._opened = self.settings()

    @Slot(LibraryStatus)
    def show_status(self, status: LibraryStatus) -> None:
        """Show the folders of the library as they are now."""
        self.folders.show_folders(status.folders)

    def show_note(self, text: str, *, trouble: bool = False) -> None:
        """Show a sentence beside the buttons."""
        set_role(self._note, "trouble" if trouble else "muted")
        self._note.setText(text)
        self._folder.hide()

    def show_saved(self, text: str, path: Path) -> None:
        """Say that a file was written, and offer to show it in its folder."""
        self.show_note(text)
        self._saved = path
        self._folder.show()

    def reset_page(self) -> None:
        """Give the page shown the usual values, and say what changes; `Undo` brings the page back."""
        before = self.settings()
        old = self._pages.currentWidget()
        new = self._usual_page(old)
        if new is None:
            return
        self._put(new)
        found = changes(before, self.settings())
        if not found:
            self._put(old)
            self.show_note(self.tr("This page has its usual values."))
            return
        self._replaced.setdefault(type(old), old)
        self._undo.show()
        self.show_note(self.tr("When you save: {0}").format("; ".join(str(change) for change in found)))

    def _usual_page(self, page: QWidget) -> QWidget | None:
        """Return a page of the same kind with the usual values; None if it has none."""
        if isinstance(page, ShortcutsPage):
            return ShortcutsPage(Settings(), self._commands, page.parentWidget())
        return type(page)(Settings(), page.parentWidget()) if isinstance(page, _SIMPLE) else None

    def _put(self, page: QWidget) -> None:
        """Show `page` in place of the page shown, which is of the same kind."""
        at = self._pages.currentIndex()
        with QSignalBlocker(self._pages):
            title = self._pages.tabText(at)
            self._pages.removeTab(at)
            self._pages.insertTab(at, page, title)
            self._pages.setCurrentIndex(at)
        fit_density(page)
        self._wheel.guard(page)

    def _on_undo_clicked(self) -> None:
        self._put(self._replaced.pop(type(self._pages.currentWidget())))
        self._undo.hide()
        self.show_note(self.tr("The page is as it was."))

    def _turn_page(self, step: int) -> None:
        self._pages.setCurrentIndex((self._pages.currentIndex() + step) % self._pages.count())

    def _on_page_changed(self) -> None:
        page = self._pages.currentWidget()
        self._undo.setVisible(type(page) in self._replaced)
        self._reset.setEnabled(isinstance(page, _RESETTABLE))
        self.show_note("")

    def show_page(self, title: str) -> None:
        """Show the page with this title; the first one if there is none."""
        self._pages.setCurrentIndex(page_titles().index(title) if title in page_titles() else 0)

    def settings(self) -> Settings:
        """Return the settings with the values of all pages."""
        settings = self._settings
        for place in range(self._pages.count()):
            page: object = self._pages.widget(place)
            settings = page.applied_to(settings) if isinstance(page, EditingPage) else settings
        return settings

    def _arrange(self, pages: Sequence[QWidget]) -> None:
        for page, title in zip(pages, page_titles(), strict=True):
            self._pages.addTab(page, title)
        self._search.search_in(self._pages)
        self._search.filtered.connect(self._list.show_names)
        self._list.show_names()
        self._wheel = WheelGuard(self._pages)
        self._pages.setDocumentMode(True)
        self._save.setDefault(True)
        set_role(self._save, "primary")
        for button in (self._more, self._folder, self._undo):
            set_role(button, "quiet")
        self._more.setMenu(self._menu)
        self._undo.hide()
        self._undo.setAccessibleDescription(self.tr("Bring back the page as it was before the reset"))
        self._reset = self._menu.addAction(self.tr("Reset this page"), self.reset_page)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Export settings…"), self.export_requested.emit)
        self._menu.addAction(self.tr("Import settings…"), self.import_requested.emit)
        self._on_page_changed()
        in_column(
            self._search,
            (in_row(self._list, (self._pages, 1), spacing=2 * GRID), 1),
            in_row(self._more, (self._note, 1), self._folder, self._undo, self._cancel, self._save),
            on=self,
            spacing=2 * GRID,
            margins=2 * GRID,
        )

    def reject(self) -> None:
        """Ask before Escape or the window's own button throws changes away; Cancel says so itself."""
        if self._opened is None or (self.settings() == self._opened and not self.profiles.typed_keys()):
            self._discard()
            return
        words = self.tr("What you changed here is not saved.")
        question = QuestionDialog(self.tr("Discard the changes?"), words, self.tr("Discard"), self)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.accepted.connect(self._discard)
        question.open()

    @Slot()
    def _discard(self) -> None:
        super().reject()

    def _on_save_clicked(self) -> None:
        if self.profiles.show_first_error():
            self._pages.setCurrentWidget(self.profiles)
            return
        after = self.settings()
        for name in self.profiles.removed():
            self.key_changed.emit(name, "")
        for old, new in self.profiles.renamed():
            self.profile_renamed.emit(old, new)
        for name, key in self.profiles.typed_keys():
            self.key_changed.emit(name, key)
        if after != self._settings:
            self.settings_changed.emit(after)
        self.accept()
