"""The viewer: the open documents in tabs on the right of the window."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage
from desktop_rag.agent.events import Citation
from desktop_rag.documents.file_types import format_of
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.command_parts import CommandPart, name_keys, name_keys_of_entries, new_command, shown_keys
from desktop_rag.gui.theme.theme import fit_density, set_role
from desktop_rag.gui.viewer.bookmark_dialogs import BookmarksDialog, NoteDialog
from desktop_rag.gui.viewer.document_view import DocumentRequests
from desktop_rag.gui.viewer.pages.render_service import RenderService, real_painter
from desktop_rag.gui.viewer.side.side_panel import SidePage
from desktop_rag.gui.viewer.tabs.freshness import Freshness, is_inside
from desktop_rag.gui.viewer.tabs.tab_strip import TabStrip
from desktop_rag.gui.viewer.viewer_events import (
    PRINTED,
    PlaceHistory,
    Target,
    ViewedPlace,
    target_of_bookmark,
    target_of_card,
    target_of_citation,
)
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.retrieval.api import DocumentCard, Retriever

if TYPE_CHECKING:
    from desktop_rag.documents.render.painter_client import Painter
    from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab


# Bookmarks in the viewer: adding them, marking them in documents, and listing them.


class Bookmarking(QObject):
    """Emits the user's changes; the controller answers with `show_bookmarks`."""

    added = Signal(BookmarkedPassage, str)  # a passage and its note, which may be empty
    note_changed = Signal(Bookmark, str)
    export_requested = Signal(tuple, Path)  # write these Bookmarks to a file

    def __init__(self, requests: DocumentRequests, window: QWidget) -> None:
        super().__init__(window)
        self._requests = requests
        self._window = window
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._dialog: BookmarksDialog | None = None
        requests.note_requested.connect(self.edit)

    def show_bookmarks(self, bookmarks: Sequence[Bookmark], tabs: "Sequence[DocumentTab]") -> None:
        """Show the current bookmarks in all tabs and in the dialog."""
        self._bookmarks = tuple(bookmarks)
        for tab in tabs:
            self.update_tab(tab)
        if self._dialog is not None:
            self._dialog.show_bookmarks(self._bookmarks)

    def connect_tab(self, tab: "DocumentTab") -> None:
        """Connect a new tab."""
        tab.bookmark_requested.connect(self._on_bookmark_requested)

    def update_tab(self, tab: "DocumentTab") -> None:
        """Show the bookmarks of its document in a tab."""
        tab.show_bookmarks([bookmark for bookmark in self._bookmarks if tab.holds(bookmark.passage)])

    def bookmark(self, tab: "DocumentTab", *, with_note: bool) -> None:
        """Bookmark the selected, cited or visible passage; `with_note`: ask for a note first."""
        tab.picker.pick_passage(self._annotate if with_note else partial(self._keep, tab))

    def open_list(self) -> None:
        """Show the dialog with all bookmarks of the library."""
        if self._dialog is None:
            self._dialog = dialog = BookmarksDialog(self._window)
            dialog.list.chosen.connect(self._requests.bookmark_chosen)
            dialog.list.note_requested.connect(self._requests.note_requested)
            dialog.list.delete_requested.connect(self._requests.delete_requested)
            dialog.export_requested.connect(self._on_export_requested)
            dialog.destroyed.connect(self._on_dialog_gone)
            dialog.show_bookmarks(self._bookmarks)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    @Slot(Bookmark)
    def edit(self, bookmark: Bookmark) -> None:
        """Open the dialog to edit a note."""
        dialog = NoteDialog(bookmark.passage.quote, bookmark.note, self._window)
        dialog.written.connect(partial(self.note_changed.emit, bookmark))
        dialog.open()

    def _keep(self, tab: "DocumentTab", passage: BookmarkedPassage) -> None:
        self.added.emit(passage, "")
        if tab.side.is_shown():
            tab.side.show_page(SidePage.NOTES)

    def _annotate(self, passage: BookmarkedPassage) -> None:
        known = next((each for each in self._bookmarks if each.passage == passage), None)
        dialog = NoteDialog(passage.quote, known.note if known else "", self._window)
        dialog.written.connect(partial(self.added.emit, passage))
        dialog.open()

    @Slot(bool)
    def _on_bookmark_requested(self, with_note: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        self.bookmark(cast("DocumentTab", self.sender()), with_note=with_note)

    @Slot(tuple)
    def _on_export_requested(self, bookmarks: tuple[Bookmark, ...]) -> None:
        dialog = FileDialog(self._dialog or self._window, self.tr("Export bookmarks and notes"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("md")
        dialog.setNameFilter(self.tr("Markdown (*.md)"))
        dialog.selectFile(self.tr("Bookmarks and notes") + ".md")
        dialog.fileSelected.connect(lambda name: self.export_requested.emit(bookmarks, Path(name)))
        dialog.open()

    @Slot()
    def _on_dialog_gone(self) -> None:
        self._dialog = None


# Makes the next document tab while the user looks at a preview, so that showing a hit takes half as long.

_PAUSE = 120  # ms after a preview was shown; the hit itself is painted first


class SpareTab(QObject):
    """Holds at most one tab, made by `make`, that shows nothing yet."""

    def __init__(self, make: "Callable[[], DocumentTab]", parent: QObject) -> None:
        super().__init__(parent)
        self._make = make
        self._tab: DocumentTab | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self._on_timeout)

    def take(self, *, another: bool) -> "DocumentTab":
        """Return a new tab; with `another`, the next one is made soon."""
        tab, self._tab = self._tab, None
        if another:
            self._timer.start()
        return tab or self._make()

    def discard(self) -> None:
        """Forget the tab: it was made with settings that have changed."""
        tab, self._tab = self._tab, None
        if tab is not None:
            tab.deleteLater()

    @Slot()
    def _on_timeout(self) -> None:
        if self._tab is None:
            self._tab = self._make()
            self._tab.hide()


class ViewerPanel(QWidget):
    """Opens targets, one tab per document; call `shutdown` before the program ends."""

    closed = Signal()  # the last document was closed
    folders_closed = Signal(tuple)  # the paths (bytes) of folders removed from the library
    viewed = Signal(Target)  # a document was opened, and not only previewed
    opening = Signal()  # a document is about to be opened: show the viewer

    def __init__(
        self, retriever: Retriever, new_painter: "Callable[[], Painter]" = real_painter, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._service = RenderService(new_painter, self, lambda sha256, stop: self._retriever.file_copy(sha256, stop))
        self._citations: tuple[Citation, ...] = ()
        self._position = 0
        self._history = PlaceHistory()
        self.requests = DocumentRequests(self)
        self.bookmarking = Bookmarking(self.requests, self)
        self.text_zoom = 0  # points added to the size of all texts
        self._commands = self._new_commands()
        for command in self._commands:
            command.changed.connect(self._on_keys_changed)
        self._strip = TabStrip(self)
        self._freshness = Freshness(self.all_tabs, retriever, self)
        self._spare = SpareTab(self._new_tab, self)
        self._tabs = QStackedWidget(self)
        self._empty = PlainLabel(self.tr("Open a source of an answer to read it here."), "muted", self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._tabs.addWidget(self._empty)
        self.setAccessibleName(self.tr("Documents"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "surface")
        in_column(self._strip, (self._tabs, 1), on=self, spacing=0)
        self.requests.bookmark_chosen.connect(self.open_bookmark)
        self._strip.currentChanged.connect(self._on_current_changed)
        self._strip.close_requested.connect(self.close_tab)
        self._strip.keep_requested.connect(self.keep_tab)

    def set_citations(self, citations: tuple[Citation, ...]) -> None:
        """Set the citations of one answer that can be stepped through."""
        self._citations = citations
        self._position = 0
        self._show_position()

    @Slot(object, object)
    def open_citation(self, citation: Citation, answer: tuple[Citation, ...] = ()) -> None:
        """Show the lines of a citation; the other ones of its `answer` can be stepped through."""
        if answer:
            self.set_citations(answer)
        self._open(target_of_citation(citation))
        self._position = self._citations.index(citation) + 1 if citation in self._citations else 0
        self._show_position()

    @Slot(Target)
    def open_target(self, target: Target) -> None:
        """Show a target in the preview tab."""
        self._open(target, preview=True)

    @Slot(Target)
    def focus_target(self, target: Target) -> None:
        """Show a target in a permanent tab and focus it."""
        self._open(target)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep_tab(self) -> None:
        """Make the current tab permanent if it is the preview."""
        if (tab := self.current_tab()) is self._strip.preview and tab is not None:
            self._strip.set_preview(None)
            self._tell_viewed(tab)

    @Slot(Bookmark)
    def open_bookmark(self, bookmark: Bookmark) -> None:
        """Show a bookmarked passage, wherever its file is now."""
        self._open(target_of_bookmark(bookmark))

    def show_bookmarks(self, bookmarks: tuple[Bookmark, ...]) -> None:
        """Show the current bookmarks of the library."""
        self.bookmarking.show_bookmarks(bookmarks, self.all_tabs())

    def open_document(self, card: DocumentCard, first_line: int, last_line: int) -> None:
        """Show lines of an indexed document."""
        self._open(target_of_card(card, first_line, last_line))

    def open_find(self) -> None:
        """Open the find bar of the current document, with the selected words if they are on one line."""
        if (tab := self.current_tab()) is not None:
            selected = tab.body.view.selected().text
            tab.find_bar.open_search(selected if "\n" not in selected else "")

    def show_library(self, retriever: Retriever) -> None:
        """Switch to another library and close all documents."""
        while self._strip.count():
            self.close_tab(0)
        self._retriever = self._freshness.retriever = retriever
        self._history.clear()
        self.set_citations(())

    @Slot(tuple)
    def close_folders(self, folders: tuple[bytes, ...]) -> None:
        """Close the documents in folders removed from the library: they may not be read any more."""
        roots = [os.fsdecode(folder) for folder in folders]
        gone = [tab for tab in self.all_tabs() if is_inside(tab.path(), roots)]
        for tab in gone:
            self.close_tab(self._index_of(tab))
        self.folders_closed.emit(folders)

    @Slot(LibraryStatus)
    def update_folders(self, status: LibraryStatus) -> None:
        """Look up the open documents again whose folder or file has changed."""
        self._freshness.update(status)

    def current_tab(self) -> "DocumentTab | None":
        """Return the current tab, or None."""
        return next((tab for tab in self.all_tabs() if tab is self._tabs.currentWidget()), None)

    def tab_count(self) -> int:
        """Return the number of open documents."""
        return self._strip.count()

    def highlighted_text(self) -> str:
        """Return the cited lines of the current document."""
        tab = self.current_tab()
        return tab.highlighted_text() if tab else ""

    def shutdown(self) -> None:
        """Stop all background work and wait for it."""
        self._service.close()
        for worker in self.findChildren(LatestOnlyWorker):
            worker.close()

    def commands(self) -> tuple[CommandPart, ...]:
        """Return the commands on the current document, and the keys of a selected bookmark."""
        listed = (
            (self.tr("Edit the note"), shown_keys(Qt.Key.Key_F2)),
            (self.tr("Delete the bookmark"), shown_keys(Qt.Key.Key_Delete)),
        )
        closed = self.tr("No document is open")
        return (
            CommandPart(
                "document", self.tr("In a document"), self._commands, blocked=lambda: "" if self.tab_count() else closed
            ),
            CommandPart("bookmark", self.tr("On a selected bookmark"), fixed=listed),
        )

    def open_again(self, target: Target, line: int = 0) -> None:
        """Show a document that was open before, at `line` or else at the lines of its target."""
        self._open(target, line=line)

    @Slot(int)
    def close_tab(self, index: int) -> None:
        """Close a document and stop its jobs."""
        if not 0 <= index < self._strip.count():
            return
        tab = self.all_tabs()[index]
        tab.release_jobs(self)
        if tab is self._strip.preview:
            self._strip.set_preview(None)
        self._strip.removeTab(index)
        self._tabs.removeWidget(tab)
        tab.hide()
        tab.deleteLater()
        if not any(other.body.has_pages for other in self.all_tabs()):
            self._service.suspend()
        if not self._strip.count():
            self.closed.emit()

    def _open(self, target: Target, *, preview: bool = False, line: int = 0) -> None:
        self.opening.emit()
        self._push_history()
        self._show(ViewedPlace(target, line), preview=preview)
        if not preview:
            self.keep_tab()

    def _show(self, place: ViewedPlace, *, preview: bool = False) -> None:
        target = place.target
        if format_of(target.place.name if target.place else "") in PRINTED:
            self._service.prepare()
        tab = next((tab for tab in self.all_tabs() if tab.shows(target)), None)
        if tab is None:
            tab = self._spare.take(another=preview)
            self._tabs.addWidget(tab)
            index = self._strip.add(tab)
            if preview:
                index = self._replace_preview(tab)
        else:
            index = self._index_of(tab)
        tab.show_place(place)
        self._strip.setCurrentIndex(index)
        self._tabs.setCurrentWidget(tab)
        self._show_position()
        self._update_history()

    def _replace_preview(self, tab: "DocumentTab") -> int:
        """Make a new tab the preview in place of the one before; return its index."""
        before = self._strip.preview
        self._strip.set_preview(tab)
        if before is not None:
            self.close_tab(self._index_of(before))
        return self._index_of(tab)

    @Slot()
    def _push_history(self) -> None:
        """Push the current position on the history before a jump."""
        tab = self.current_tab()
        if tab is not None and (place := tab.place()) is not None:
            self._history.push(place)
            self._update_history()

    @Slot(int)
    def navigate(self, by: int) -> None:
        """Go back (-1) or forward (1) in the history, across documents."""
        tab = self.current_tab()
        here = tab.place() if tab is not None else None
        if here is None:
            return
        place = self._history.back(here) if by < 0 else self._history.forward(here)
        if place is not None:
            self._show(place)
        self._update_history()

    def _update_history(self) -> None:
        for tab in self.all_tabs():
            tab.tools.history.allow(back=self._history.can_go_back(), forward=self._history.can_go_forward())

    def _new_tab(self) -> "DocumentTab":
        from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab  # loaded ahead once the window is shown

        tab = DocumentTab(self._retriever, self._service, self.requests, self)
        tab.named.connect(self._on_named)
        tab.close_requested.connect(self._on_close_requested)
        tab.leaving.connect(self._push_history)
        self.bookmarking.connect_tab(tab)
        tab.tools.history.stepped.connect(self.navigate)
        tab.tools.citations.stepped.connect(self._on_stepped)
        tab.body.zoom_chosen.connect(self.set_text_zoom)
        tab.body.set_text_zoom(self.text_zoom)
        self._name_keys(tab)
        fit_density(tab)
        return tab

    def _name_keys(self, tab: "DocumentTab") -> None:
        name_keys(tab, self._commands)
        name_keys_of_entries(tab.actions_of, self._commands)

    @Slot()
    def _on_keys_changed(self) -> None:
        self._spare.discard()
        for tab in self.all_tabs():
            self._name_keys(tab)

    def all_tabs(self) -> "list[DocumentTab]":
        """Return the open documents from left to right."""
        return self._strip.tabs()

    def _index_of(self, tab: "DocumentTab") -> int:
        return self.all_tabs().index(tab)

    def _show_position(self) -> None:
        targets = [target_of_citation(citation) for citation in self._citations]
        for tab in self.all_tabs():
            if any(tab.shows(target) for target in targets):
                position = self._position if self._position and tab.shows(targets[self._position - 1]) else 0
                tab.tools.citations.show_place(position, len(targets))
            else:  # a document that this answer does not cite
                tab.tools.citations.show_place(0, 0)

    def _new_commands(self) -> tuple[QAction, ...]:
        """Return the commands; no widget has them, so that their keys work only where `event` lets them."""
        on = partial(partial, self._with_tab)
        rows: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("find", self.tr("Find"), "Ctrl+F", self.open_find),
            ("next_match", self.tr("Next match"), "F3", partial(self._step_match, 1)),
            ("previous_match", self.tr("Previous match"), "Shift+F3", partial(self._step_match, -1)),
            ("back", self.tr("Back to where you were"), "Alt+Left", partial(self.navigate, -1)),
            ("forward", self.tr("Forward again"), "Alt+Right", partial(self.navigate, 1)),
            ("next_citation", self.tr("Next citation of the answer"), "Alt+Down", partial(self._on_stepped, 1)),
            ("previous_citation", self.tr("Previous citation of the answer"), "Alt+Up", partial(self._on_stepped, -1)),
            (
                "copy_quote",
                self.tr("Copy quote with reference"),
                "Ctrl+Shift+C",
                on(lambda tab: tab.copy_quote()),
            ),
            ("side", self.tr("Outline, pages, matches"), "F9", on(lambda tab: tab.toggle_side())),
            ("bookmark", self.tr("Bookmark this passage"), "Ctrl+M", partial(self._bookmark, with_note=False)),
            ("note", self.tr("Add a note"), "Ctrl+Shift+M", partial(self._bookmark, with_note=True)),
            (
                "editor",
                self.tr("Open in my editor at this line"),
                "Ctrl+E",
                on(lambda tab: tab.open_in_editor()),
            ),
            ("larger", self.tr("Larger"), "Ctrl++", on(lambda tab: tab.body.zoom(1))),
            ("smaller", self.tr("Smaller"), "Ctrl+-", on(lambda tab: tab.body.zoom(-1))),
            ("usual_size", self.tr("Usual size"), "Ctrl+0", on(lambda tab: tab.body.zoom_to(0))),
            ("next_document", self.tr("Next document"), "Ctrl+Tab", partial(self._switch_tab, 1)),
            ("previous_document", self.tr("Previous document"), "Ctrl+Shift+Backtab", partial(self._switch_tab, -1)),
            ("close", self.tr("Close the document"), "Ctrl+W", self._close_current),
        )
        return tuple(new_command(self, *row) for row in rows)

    def _step_match(self, by: int) -> None:
        if (tab := self.current_tab()) is not None:
            if tab.find_bar.isHidden():
                self.open_find()
            else:
                tab.finding.step(by)

    def _with_tab(self, act: "Callable[[DocumentTab], object]") -> None:
        if (tab := self.current_tab()) is not None:
            act(tab)

    def _bookmark(self, *, with_note: bool) -> None:
        if (tab := self.current_tab()) is not None:
            self.keep_tab()
            self.bookmarking.bookmark(tab, with_note=with_note)

    def _switch_tab(self, by: int) -> None:
        if self._strip.count():
            self._strip.setCurrentIndex((self._strip.currentIndex() + by) % self._strip.count())

    def _close_current(self) -> None:
        self.close_tab(self._strip.currentIndex())

    def _action_of(self, event: QKeyEvent) -> QAction | None:
        pressed = event.keyCombination()
        modifiers = pressed.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = Qt.Key.Key_Plus if pressed.key() is Qt.Key.Key_Equal else pressed.key()
        keys = QKeySequence(QKeyCombination(modifiers, key))
        return next((action for action in self._commands if action.shortcut() == keys), None)

    @Slot(int)
    def _on_current_changed(self, index: int) -> None:
        self._tabs.setCurrentWidget(self._strip.tabData(index) or self._empty)  # no data yet while a tab is added

    def _sender(self) -> "DocumentTab | None":
        return next((tab for tab in self.all_tabs() if tab is self.sender()), None)

    @Slot()
    def _on_named(self) -> None:
        if (tab := self._sender()) is not None:
            self._strip.rename(tab)
            self._tell_viewed(tab)
            self._show_position()
            self.bookmarking.update_tab(tab)

    def _tell_viewed(self, tab: "DocumentTab") -> None:
        place, card = tab.place(), tab.found.card if tab.found else None
        if tab is not self._strip.preview and place is not None and card is not None and card.path is not None:
            self.viewed.emit(replace(place.target, path=str(card.path), sha256=card.sha256, title=card.title))

    @Slot()
    def _on_close_requested(self) -> None:
        if (tab := self._sender()) is not None:
            self.close_tab(self._index_of(tab))

    @Slot(int)
    def _on_stepped(self, by: int) -> None:
        position = self._position + by
        if 1 <= position <= len(self._citations):
            self.open_citation(self._citations[position - 1])

    @Slot(int)
    def set_text_zoom(self, points: int) -> None:
        """Enlarge all texts by this many points."""
        self.text_zoom = points
        self._spare.discard()
        for tab in self.all_tabs():
            tab.body.set_text_zoom(points)

    def event(self, event: QEvent) -> bool:
        """Handle the viewer's shortcuts before those of the window."""
        override = event.type() == QEvent.Type.ShortcutOverride and self.tab_count() > 0
        if override and isinstance(event, QKeyEvent) and self._action_of(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go back and forward with the mouse buttons for it."""
        if event.button() is Qt.MouseButton.BackButton:
            self.navigate(-1)
        elif event.button() is Qt.MouseButton.ForwardButton:
            self.navigate(1)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Run the action of a shortcut."""
        action = self._action_of(event) if self.tab_count() else None
        if action is not None:
            action.trigger()
        else:
            super().keyPressEvent(event)
