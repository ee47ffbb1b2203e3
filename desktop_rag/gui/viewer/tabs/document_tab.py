"""One open document: header, tools, banner, find bar, side panel and view."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage
from desktop_rag.documents.file_types import Format
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui import formatting
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.catalogues import exact_sentence
from desktop_rag.gui.command_parts import shown_keys
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.viewer.document_loading import open_target, read_lines, read_text
from desktop_rag.gui.viewer.document_view import DocumentRequests, Match
from desktop_rag.gui.viewer.pages.page_view import Fit
from desktop_rag.gui.viewer.pages.render_service import PrintedFile, RenderService
from desktop_rag.gui.viewer.side.side_panel import SidePage
from desktop_rag.gui.viewer.tabs.banner import Banner
from desktop_rag.gui.viewer.tabs.document_body import DocumentBody, TargetPicker
from desktop_rag.gui.viewer.tabs.document_side import DocumentSide
from desktop_rag.gui.viewer.tabs.find_bar import DocumentFinder, FindBar
from desktop_rag.gui.viewer.tabs.tool_row import TabHeader, ToolRow
from desktop_rag.gui.viewer.viewer_events import (
    PRINTED,
    DocumentFound,
    LinesLoaded,
    PassageCompared,
    QuoteFound,
    Staleness,
    Target,
    TextRead,
    ViewedPlace,
    ViewerEvent,
    ViewMode,
)
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.retrieval.api import DocumentCard, Retriever

# The menu actions of a document.

# Their line numbers are those of the file, so an editor can go to them.
_EDITED = frozenset((Format.TEXT, Format.MARKDOWN, Format.LATEX, Format.CODE, Format.DATA, Format.TABLE, Format.LOG))


class DocumentActions(QObject):
    """The actions as attributes, to be connected by the tab; their shortcuts are handled by the panel."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self.copy = self._action(self.tr("Copy"), "Ctrl+C")
        self.quote = self._action(self.tr("Copy quote with reference"), name="copy_quote")
        self.markdown = self._action(self.tr("Copy quote as Markdown"))
        self.link = self._action(self.tr("Copy link to this place"))
        self.bookmark = self._action(self.tr("Bookmark this passage"), name="bookmark")
        self.note = self._action(self.tr("Add a note…"), name="note")
        self.select_all = self._action(self.tr("Select all"), "Ctrl+A")
        self.find = self._action(self.tr("Find in this document…"), name="find")
        self.external = self._action(self.tr("Open in default application"))
        self.editor = self._action(self.tr("Open in my editor at this line"), name="editor")
        self.folder = self._action(self.tr("Show in folder"))

    def show_file(self, *, on_disk: bool, kind: str) -> None:
        """Enable the actions that the file allows: only one on disk can be opened elsewhere."""
        for action in (self.external, self.folder):
            action.setEnabled(on_disk)
        self.editor.setEnabled(on_disk and kind in _EDITED)

    def fill_file_menu(self, menu: QMenu) -> None:
        """Fill the menu of the header with the actions on the whole document."""
        self._fill(
            menu, (self.external, self.editor, self.folder, None, self.quote, self.markdown, self.link, None, self.note)
        )

    def fill_elsewhere(self, menu: QMenu) -> None:
        """Add the actions that show the file in other programs to the menu of its tab."""
        self._fill(menu, (self.external, self.editor, self.folder))

    def text_menu(self) -> QMenu:
        """Return the context menu of the text."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        quoting = (self.copy, self.quote, self.markdown, self.link, None, self.bookmark, self.note, None)
        self._fill(menu, (*quoting, self.select_all, self.find, None, self.external, self.editor, self.folder))
        return menu

    def _action(self, text: str, keys: str = "", name: str = "") -> QAction:
        action = QAction(f"{text}\t{shown_keys(QKeySequence(keys))}" if keys else text, self)
        action.setObjectName(name)  # of the command whose keys the panel adds
        return action

    def _fill(self, menu: QMenu, actions: tuple[QAction | None, ...]) -> None:
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)


class DocumentTab(QWidget):
    """Resolves a target in the background and shows its document at the cited lines."""

    named = Signal()  # the name of the document is known or has changed
    close_requested = Signal()  # close this tab
    bookmark_requested = Signal(bool)  # bookmark the selected, cited or visible passage; True: with a note
    leaving = Signal()  # about to jump to another position in this document

    def __init__(
        self,
        retriever: Retriever,
        service: RenderService,
        requests: DocumentRequests,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._requests = requests
        self._target: Target | None = None
        self._found: DocumentFound | None = None
        self._line = 0  # to scroll to once the document is resolved
        self.header = TabHeader(self)
        self.tools = ToolRow(self)
        self.find_bar = FindBar(self)
        self.banner = Banner(self)
        self.actions_of = DocumentActions(self)
        self.body = DocumentBody(service, self)
        self.side = DocumentSide(self.body, service, retriever, requests, self)
        self._reader = LatestOnlyWorker("reading", self._on_event, self)
        self.picker = TargetPicker(self.body, retriever, self)
        self._text_reader = LatestOnlyWorker("words", self._on_text_read, self)
        self._before_search: tuple[bool, SidePage] | None = None  # whether the side panel was shown, and its page
        self.finding = DocumentFinder(self.find_bar, retriever, self.body.first_visible_line, self)
        self._arrange()
        self._connect_reading()
        self._connect_tools()

    @property
    def name(self) -> str:
        """Return the file name, or the title of a mail or where there is no file."""
        card = self._found.card if self._found else None
        title = card.title if card else self._target.title if self._target else ""
        return formatting.document_name(self.path(), title)

    def path(self) -> str:
        """Return the path of the file now, or else when it was cited."""
        card = self._found.card if self._found else None
        return str(card.path) if card and card.path else (self._target.path if self._target else "")

    @property
    def found(self) -> DocumentFound | None:
        """Return the resolved document; None until it is known."""
        return self._found

    def shows(self, target: Target) -> bool:
        """Return whether `target` is in the document of this tab."""
        mine, card = self._target, self._found.card if self._found else None
        if target.sha256:
            known = {mine.sha256 if mine else "", card.sha256 if card else ""}
            return target.sha256 in known
        return target.content in {mine.content if mine else None, card.content if card else None}

    def place(self) -> ViewedPlace | None:
        """Return the current target and position, for the history."""
        if self._target is None:
            return None
        in_sight = self._found is None or self.body.shows_line(self.picker.cited_lines()[0])
        return ViewedPlace(self._target, 0 if in_sight else self.body.first_visible_line())

    def show_place(self, place: ViewedPlace) -> None:
        """Return to a position from the history, without another lookup if its target is already shown."""
        if place.line and place.target == self._target and self._found is not None:
            self.body.return_to(place.line)
        else:
            self.show_target(place.target)
            self._line = place.line

    def show_target(self, target: Target) -> None:
        """Show `target`; the file is looked up again, because it may have changed in the meantime."""
        self._line = 0
        self._target = target
        self.picker.begin(target, self._found)
        self.header.show_target(target)
        self.named.emit()
        self._reader.ask(partial(open_target, target, self._retriever))

    def look_up_again(self) -> None:
        """Resolve the target again, at the same position: its folder was removed, restored or connected."""
        if (place := self.place()) is not None:
            self.show_target(place.target)
            self._line = place.line

    def is_busy(self) -> bool:
        """Return whether a read job is running."""
        return self._reader.is_busy()

    def highlighted_text(self) -> str:
        """Return the text of the highlighted lines that are loaded, or else of the stored passage."""
        if self._found is not None and self._found.first_line:
            return self.body.written.highlighted_text()
        return "" if self.banner.passage.isHidden() else self.banner.passage.highlighted_text()

    @Slot()
    def copy_quote(self) -> None:
        """Copy the selected or else the cited words with their source."""
        self.picker.copy(markdown=False)

    @Slot()
    def copy_markdown(self) -> None:
        """Copy the selected or else the cited words with their source as Markdown."""
        self.picker.copy(markdown=True)

    def holds(self, passage: BookmarkedPassage) -> bool:
        """Return whether a bookmark belongs to this document or to an earlier version at the same path."""
        card = self._found.card if self._found else None
        return card is not None and (card.sha256 == passage.sha256 or str(card.path) == passage.path)

    def show_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """List the bookmarks of this document, and mark those made in its current text."""
        card = self._found.card if self._found else None
        passages = [each.passage for each in bookmarks if card is not None and each.passage.sha256 == card.sha256]
        self.body.show_bookmarked(tuple((passage.first_line, passage.last_line) for passage in passages))
        self.side.show_bookmarks(bookmarks)

    def release_jobs(self, owner: QWidget) -> None:
        """Stop the background jobs; their workers move to `owner`, which outlives this tab."""
        for worker in self.findChildren(LatestOnlyWorker):
            worker.setParent(owner)
            worker.leave()

    def _arrange(self) -> None:
        line = QFrame(self)
        set_role(line, "line")
        set_role(self, "surface")
        in_column(*(self.header, self.tools, line, self.find_bar), self.banner, (self.side, 1), on=self, spacing=0)

    def _connect_reading(self) -> None:
        self._reader.failed.connect(self._on_failed)
        self._reader.finished.connect(self._on_finished)
        self.body.lines_requested.connect(self._on_lines_requested)
        self.body.mode_changed.connect(self._on_mode_changed)
        self.body.pages_refused.connect(self._on_pages_refused)
        self.body.percent_changed.connect(self.tools.zoom.show_percent)
        self.body.pages.page_changed.connect(self.tools.page.show_page)
        self.body.menu_requested.connect(self._on_menu_requested)
        self.body.pages.copy_requested.connect(self.copy_quote)
        self.banner.retry_requested.connect(self._on_retry_requested)
        self._connect_finding()

    def _connect_finding(self) -> None:
        self.finding.found.connect(self._on_matches_found)
        self.finding.chosen.connect(self._on_match_chosen)
        self.find_bar.left.connect(self.body.focus_document)
        self.find_bar.list_toggled.connect(self._on_list_toggled)
        self.find_bar.closed.connect(self._on_find_closed)
        self.side.hit_chosen.connect(self._on_hit_chosen)
        self.side.line_chosen.connect(self.go_to_line)
        self.side.page_chosen.connect(self.go_to_page)
        self.side.toggled.connect(self._on_side_toggled)

    def _connect_tools(self) -> None:
        self.picker.copied.connect(self._requests.copied)
        self.body.pages.text_requested.connect(self._on_text_requested)
        self.header.quote_requested.connect(self.copy_quote)
        self.header.bookmark_requested.connect(self._on_bookmark_requested)
        self.header.close_requested.connect(self.close_requested)
        self.tools.page.entered.connect(self.go_to_page)
        self.tools.zoom.stepped.connect(self.body.zoom)
        self.tools.zoom.percent_chosen.connect(self.body.zoom_to)
        self.tools.zoom.fit_chosen.connect(self._on_fit_chosen)
        self.tools.wrap_toggled.connect(self._on_wrap_toggled)
        self.tools.find_requested.connect(self.find_bar.open_search)
        self.tools.views.chosen.connect(self._on_view_chosen)
        self.tools.side_toggled.connect(self._on_side_requested)
        self._connect_actions()

    def _connect_actions(self) -> None:
        actions = self.actions_of
        actions.fill_file_menu(self.header.menu)
        for action, act in (
            (actions.copy, lambda: self.body.view.copy()),
            (actions.quote, self.copy_quote),
            (actions.markdown, self.copy_markdown),
            (actions.link, self.picker.copy_link),
            (actions.bookmark, self._on_bookmark_requested),
            (actions.note, self._on_note_requested),
            (actions.select_all, self.body.select_all),
            (actions.find, self._on_find_requested),
            (actions.external, self._on_external_requested),
            (actions.editor, self.open_in_editor),
            (actions.folder, self._on_folder_requested),
        ):
            action.triggered.connect(act)
        self.body.link_followed.connect(lambda target: self._requests.link_followed.emit(target, self.path()))

    def _show_found(self, found: DocumentFound) -> None:
        card, before = found.card, self._found
        same_document = (
            before is not None
            and card is not None
            and before.card is not None
            and (before.card.content == card.content)
        )
        self._found = found
        self.picker.begin(found.target, found)
        first, last = self.picker.cited_lines()
        section = found.layout.structure.section_of(first)
        place = formatting.place(self.picker.page_of(first), first, last, section) if first else ""
        has_file = card is not None and card.path is not None and not card.away
        on_disk = has_file and found.staleness is not Staleness.OFFLINE
        about = formatting.about(card) if card else ""
        if card is not None and card.away:
            place = " · ".join(filter(None, (place, exact_sentence(ON_SERVER))))
        self.header.show_document(card.title if card else found.target.title, self.path(), place, about)
        self.actions_of.show_file(on_disk=on_disk, kind=card.format if card else "")
        self.banner.show_staleness(found)
        self.body.begin(found, _printed_file(card, found), same_document=same_document)
        if self._line:
            self.body.view.reveal(self._line)
        self.side.begin(found)
        self.tools.show_wrap(wrap=self.body.text.wraps())
        self.finding.begin(card.content if card else None)
        self.named.emit()

    @Slot(object)
    def _on_event(self, event: ViewerEvent) -> None:
        match event:
            case DocumentFound():
                self._show_found(event)
            case LinesLoaded():
                self.body.written.add_lines(event)
            case QuoteFound():
                self.body.show_quote(event)
            case PassageCompared():
                self.banner.passage.show_changes(event)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else DesktopRagError.title
        self.banner.clear()
        self.banner.show_error(title, str(error))
        if self._found is None and self._target is not None:
            self.banner.show_passage(self._target)

    @Slot()
    def _on_finished(self) -> None:
        self.body.written.read_finished()

    @Slot(int, int)
    def _on_text_requested(self, first: int, last: int) -> None:
        if self._found is not None and self._found.card is not None:
            self._text_reader.ask(partial(read_text, self._found.card.content, first, last, self._retriever))

    @Slot(TextRead)
    def _on_text_read(self, event: TextRead) -> None:
        self.body.pages.take_words(event.first, event.text.split("\n"))

    @Slot(int, int)
    def _on_lines_requested(self, first: int, count: int) -> None:
        if self._found is not None and self._found.card is not None:
            self._reader.ask(partial(read_lines, self._found.card.content, first, count, self._retriever))

    @Slot()
    def _on_retry_requested(self) -> None:
        if self._target is not None:
            self.show_target(self._target)

    @Slot()
    def _on_mode_changed(self) -> None:
        card = self._found.card if self._found else None
        self.tools.show_modes(self.body.modes, self.body.mode, card.format if card else "")

    @Slot(str)
    def _on_pages_refused(self, reason: str) -> None:
        self.banner.append_note(self.tr("The printed pages cannot be shown, so this is the text"), f"{reason}.")

    @Slot(int)
    def go_to_line(self, line: int) -> None:
        """Jump to a line."""
        self.leaving.emit()
        self.body.go_to_line(line)

    @Slot(int)
    def go_to_page(self, page: int) -> None:
        """Jump to a page."""
        self.leaving.emit()
        self.body.go_to_page(page)

    def toggle_side(self) -> None:
        """Show or hide the side panel."""
        self.side.set_shown(shown=not self.side.is_shown())

    @Slot()
    def _on_matches_found(self) -> None:
        finding = self.finding
        self.body.show_matches(self.find_bar.pattern(), finding.matches, finding.current)
        self.side.show_hits(finding.places, finding.current)
        if len(finding.places) > 1 and self.find_bar.lists():
            self._before_search = self._before_search or (self.side.is_shown(), self.side.panel.page())
            self.side.show_page(SidePage.FOUND)

    @Slot(tuple)
    def _on_match_chosen(self, match: Match) -> None:
        finding = self.finding
        self.body.show_matches(self.find_bar.pattern(), finding.matches, finding.current)
        self.side.show_hits(finding.places, finding.current)
        self.body.go_to_match(match)

    @Slot(int)
    def _on_hit_chosen(self, number: int) -> None:
        self.leaving.emit()
        self.finding.choose(number)

    @Slot(bool)
    def _on_list_toggled(self, listed: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        if listed:
            self.side.show_page(SidePage.FOUND)
        else:
            self.side.set_shown(shown=False)

    @Slot()
    def _on_find_closed(self) -> None:
        if self._before_search and self.side.panel.page() is SidePage.FOUND:
            shown, page = self._before_search
            self.side.panel.choose(page)
            self.side.set_shown(shown=shown and self.side.is_shown())
        self._before_search = None

    @Slot(bool)
    def _on_side_requested(self, shown: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        self.side.set_shown(shown=shown)

    @Slot(bool)
    def _on_side_toggled(self, shown: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        self.tools.show_side(shown=shown)
        if not shown and not self.find_bar.isHidden():
            self.find_bar.show_listed(listed=False)

    @Slot(bool)
    def _on_fit_chosen(self, page: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        self.body.pages.set_fit(Fit.PAGE if page else Fit.WIDTH)

    @Slot(bool)
    def _on_wrap_toggled(self, wrap: bool) -> None:  # noqa: FBT001 - a signal passes it by position
        self.body.text.set_wrap(wrap=wrap)

    @Slot(ViewMode)
    def _on_view_chosen(self, mode: ViewMode) -> None:
        self.body.choose(mode)

    @Slot()
    def _on_external_requested(self) -> None:
        if path := self._path():
            self._requests.external_requested.emit(path)

    @Slot()
    def _on_folder_requested(self) -> None:
        if path := self._path():
            self._requests.folder_requested.emit(path)

    def _path(self) -> Path | None:
        return self._found.card.path if self._found and self._found.card else None

    @Slot()
    def open_in_editor(self) -> None:
        """Open the file in the user's editor at the selected, else the cited, else the first visible line."""
        if (path := self._path()) and self.actions_of.editor.isEnabled():
            selected, cited = self.body.view.selected(), self.picker.cited_lines()[0]
            shown = cited if self.body.shows_line(cited) else self.body.first_visible_line()
            line = selected.first_line if selected.text else shown
            self._requests.editor_requested.emit(path, line)

    @Slot()
    def _on_bookmark_requested(self) -> None:
        self.bookmark_requested.emit(False)  # noqa: FBT003 - a signal passes it by position

    @Slot()
    def _on_note_requested(self) -> None:
        self.bookmark_requested.emit(True)  # noqa: FBT003 - a signal passes it by position

    @Slot()
    def _on_find_requested(self) -> None:
        self.find_bar.open_search()

    @Slot(object)
    def _on_menu_requested(self, event: QContextMenuEvent) -> None:
        self.actions_of.copy.setEnabled(self.body.has_something_to_copy())
        self.actions_of.text_menu().popup(event.globalPos())


def _printed_file(card: DocumentCard | None, found: DocumentFound) -> PrintedFile | None:
    """Return the file whose pages can be rendered, or None."""
    if card is None or card.path is None or card.format not in PRINTED or not found.layout.pages:
        return None
    if found.staleness not in (Staleness.SAME, Staleness.CHANGED):
        return None
    return PrintedFile(card.path, card.sha256, card.modified_ns)
