"""Every menu, tooltip, list and dialog is readable in both themes, whole, and on the screen; measured in pictures."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QMenu,
    QStackedWidget,
    QTabWidget,
    QTextBrowser,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

import desktop_rag.gui
from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage, BookmarkId
from desktop_rag.agent.conversations.transcript import ChosenScope, ConversationId, ConversationSummary, Turn
from desktop_rag.documents.document import Span
from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.errors import ProblemKind
from desktop_rag.gui.command_palette import CommandPalette
from desktop_rag.gui.conversation.composer.composer import ChoiceButton
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversations_panel import TagsDialog
from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparableRun, ComparisonDialog
from desktop_rag.gui.conversation.timeline.fork_dialog import ForkDialog
from desktop_rag.gui.desktop.update_dialog import UpdateDialog
from desktop_rag.gui.files.files_page import FilesPage
from desktop_rag.gui.library.library_dialogs import ForgetDialog, NameDialog, ScansDialog
from desktop_rag.gui.library.library_panel import FolderTree
from desktop_rag.gui.library.team_control import TeamLibraryDialog
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.search.query_row import SearchNameDialog
from desktop_rag.gui.search.search_events import HitsFound, RecentSearch, SavedSearch, SavedSearches
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.settings.settings_exchange import ImportDialog, ImportedSettings
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.bookmark_dialogs import BookmarksDialog, NoteDialog
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.why import WhyDialog
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog, QuestionDialog
from desktop_rag.gui.window.help_dialogs import AboutDialog, GuideDialog, ShortcutsDialog
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.gui.work.report_control import ReportDialog, WriteDialog
from desktop_rag.gui.work.standing_control import StandingDialog
from desktop_rag.gui.work.table_control import BudgetDialog, TableDialog, WordsDialog
from desktop_rag.index.file_rows import FileQuery, FolderContents
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.records import ChunkId, ContentId, FolderId, FolderState
from desktop_rag.retrieval.api import Hit, MatchReason, Mode, SearchRequest, SearchResult, Snippet
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Settings, Theme
from desktop_rag.stop import Stop
from desktop_rag.work.filling import Estimate
from desktop_rag.work.report import ReportSection
from desktop_rag.work.table import TableHead, TableId
from tests.gui.conversation.conftest import QUESTION, answer_deltas, answered, working_events
from tests.gui.files.browser import MemoryBrowser, pictures, problem_rows, row
from tests.gui.library_dialogs import library_dialogs, settings_dialog
from tests.gui.library_values import folder, library
from tests.gui.picture_checks import PictureCheck
from tests.gui.pseudo_language import PseudoLanguage
from tests.gui.viewer.conftest import cite, of_other_bytes
from tests.gui.viewer.memory_retriever import MemoryRetriever
from tests.slow_cases import slow_but

TURN = Turn(1, QUESTION, (*working_events(), *answer_deltas(), answered()), 0)
LEASE = "# Lease agreement\n\n" + "\n\n".join(f"## {n}. Section\n\nText of section {n}." for n in range(1, 40))


class Desk:
    """A whole window with everything in it that a user may see, without an indexer or a searcher."""

    def __init__(self, look: Look, folder_of_files: Path) -> None:
        self.look = look
        self.status = ShownStatus()
        self.pane = ConversationPane(ViewerRequests(), self.status)
        self.retriever = MemoryRetriever()
        self.viewer = ViewerPanel(self.retriever, Painter)
        self.search = SearchPage()
        self.files = FilesPage()
        self.centre = QStackedWidget()
        for page in (self.pane, self.search, self.files):
            self.centre.addWidget(page)
        parts = (*self.search.commands(), self.files.commands(), *self.pane.commands(), *self.viewer.commands())
        self.window = MainWindow(self.centre, self.viewer, self.status, parts)
        self.lease = self.retriever.add_text(folder_of_files / "lease.md", LEASE)

    def fill(self) -> None:
        """Show folders, conversations, a run, a document and hits."""
        folders = (
            replace(folder(1, failed=2, skipped=3, found=22, note="Changes are noticed within a minute."), pictures=7),
            folder(2, b"/media/anna/" + b"a long name of a folder " * 4, ready=3, scanning=True),
            folder(3, b"/mnt/share", state=FolderState.PAUSED),
        )
        encoding = replace(
            library(*folders, phase=IndexingPhase.ENCODING),
            sentences_ready=12_000,
            sentences_total=36_026,
            eta_seconds=1_800.0,
            unread_pages=194,
        )
        self.status.update(replace(encoding, trouble="The disk is full. Free some space, then indexing goes on."))
        library_panel = self.window.library
        library_panel.select(FolderId(1))
        QTest.keyClick(library_panel.findChildren(FolderTree)[0], Qt.Key.Key_Right)
        scan = replace(pictures(9), path=b"/home/anna/Contracts/a long name of a scanned letter.pdf")
        inside = FolderContents(
            ((b"Bills", 1_203), (b"a long name of a folder " * 2, 3)), (scan, *problem_rows()[:2]), 7
        )
        library_panel.show_contents(FolderId(1), b"", inside)
        self.window.conversations.show_conversations(
            [ConversationSummary(ConversationId(n), f"{QUESTION} ({n})", n * 10**18, 2) for n in (1, 2)]
        )
        self.pane.composer.set_profiles(["Ollama at home"], "Ollama at home")
        self.pane.composer.set_methods("full")
        self.pane.view.begin_turn(QUESTION, variant=(2, 3))
        for event in TURN.events:
            self.pane.view.append(event)
        self.pane.meter.hide()

    def open_document(self, qtbot: QtBot, *, changed: bool) -> None:
        """Open the document, perhaps changed since it was cited."""
        citation = cite(self.lease, "Text of section 3.")
        self.window.open_document_pane()
        self.viewer.open_citation(of_other_bytes(citation) if changed else citation)
        tab = self.viewer.current_tab()
        assert tab is not None
        qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy())

    def show_hits(self) -> None:
        """Search for something."""
        self.centre.setCurrentWidget(self.search)
        self.search.set_search(RecentSearch("rent", Mode.HYBRID))
        request = SearchRequest("rent", Mode.HYBRID)
        hits = tuple(_hit(number) for number in range(1, 6))
        self.search.show_found(HitsFound(request, SearchResult("rent", Mode.HYBRID, 3.0, hits, 0.4)))
        saved = SavedSearch("Rent", RecentSearch("rent", Mode.HYBRID))
        self.search.show_kept(SavedSearches(recent=(RecentSearch("lease", Mode.KEYWORD),), saved=(saved,)))

    def show_files(self) -> None:
        """List files of every state, with their problems and statistics."""
        self.centre.setCurrentWidget(self.files)
        browser = MemoryBrowser(
            [pictures(7), *problem_rows(), replace(row(8), size=1018), *(row(n) for n in range(10, 40))]
        )
        self.files.list.set_query(FileQuery(problem=ProblemKind.LIMIT, folder=FolderId(7)), b"/home/anna/Contracts")
        self.files.list.model.show(browser.list_files(FileQuery(), 0, 100, Stop()))
        self.files.list.show_rows()
        self.files.show_overview(browser.overview(None, Stop()))
        self.files.list.table.selectRow(1)


def _hit(number: int) -> Hit:
    text = "The landlord shall announce any increase of the rent in writing."
    at = text.index("rent")
    span = Span(number, number, 0, len(text))
    path = Path(f"/home/ada/Flat/{'letters and other papers ' * 3}/{number}.md")
    snippet, why = Snippet(text, ((at, at + 4),), span), MatchReason()
    chunk, content = ChunkId(number), ContentId(number)
    return Hit(number, chunk, content, "", path, (), "markdown", "Lease", 0, 0, None, "", span, 1.0, snippet, why)


@pytest.fixture(
    params=slow_but([(Theme.DARK, False)], [(Theme.LIGHT, False), (Theme.DARK, False), (Theme.LIGHT, True)]),
    ids=["light", "dark", "pseudo"],
)
def desk(request: pytest.FixtureRequest, qapp: object, letters: None, qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    """Return the window in a theme; also in a language of longer texts that is written from right to left."""
    assert isinstance(qapp, QApplication)
    look, (theme, foreign), language = Look(qapp), request.param, PseudoLanguage()
    look.use(theme)
    if foreign:
        qapp.installTranslator(language)
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    desk = Desk(look, tmp_path)
    qtbot.addWidget(desk.window)
    desk.window.show()
    desk.fill()
    for _ in range(8):  # an answer settles in steps
        QApplication.processEvents()
    yield desk
    QToolTip.hideText()
    for popup in _popups():
        popup.close()
    desk.window.close()
    desk.viewer.shutdown()
    qapp.removeTranslator(language)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    look.use(Theme.LIGHT)
    look.deleteLater()


@pytest.fixture
def check(tmp_path: Path) -> PictureCheck:
    return PictureCheck(tmp_path / "pictures")


def _popups() -> list[QWidget]:
    kinds = (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
    return [top for top in QApplication.topLevelWidgets() if top.isVisible() and top.windowType() in kinds]


def _visible(top: QWidget) -> Iterator[QWidget]:
    for widget in [top, *top.findChildren(QWidget)]:  # some of them last only as long as a tooltip
        if shiboken6.isValid(widget) and widget.isVisibleTo(top) and not widget.visibleRegion().isEmpty():
            yield widget


def _name(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()[:30]}".strip()


def _check_menu(check: PictureCheck, menu: QMenu, name: str) -> None:
    check.check(menu, name)
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu) and action.isEnabled():
            below.popup(menu.mapToGlobal(menu.actionGeometry(action).topRight()))
            _check_menu(check, below, f"{name}, {action.text()}")
            below.close()
    menu.close()


def check_context_menus(check: PictureCheck, top: QWidget) -> None:
    """Right-click in the middle of every visible widget."""
    for widget in _visible(top):
        if any(isinstance(each, QAbstractSpinBox) for each in (widget, widget.parent())):  # Qt waits for its end
            continue
        at = widget.visibleRegion().boundingRect().center()
        if isinstance(parent := widget.parent(), QAbstractItemView) and widget is parent.viewport():
            at = parent.visualRect(parent.model().index(0, 0)).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
        QApplication.sendEvent(widget, event)
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            _check_menu(check, menu, f"menu of {_name(widget)} in {_name(widget.parentWidget() or widget)}")


def check_tool_tips(check: PictureCheck, top: QWidget) -> None:
    """Rest the pointer on every visible widget, row and link."""
    for widget in _visible(top):
        for at in _resting_places(widget):
            QToolTip.hideText()
            QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
            for tip in _popups():
                if tip.windowType() is Qt.WindowType.ToolTip:
                    check.check(tip, f"tooltip of {_name(widget)} in {_name(widget.parentWidget() or widget)} {at.y()}")
    QToolTip.hideText()


def _resting_places(widget: QWidget) -> list[QPoint]:
    view = widget.parent()
    if isinstance(view, QAbstractItemView) and widget is view.viewport() and view.model() is not None:
        rows = range(min(4, view.model().rowCount()))
        return [view.visualRect(view.model().index(row, 0)).center() for row in rows]
    if isinstance(view, QTextBrowser) and widget is view.viewport():
        seen = widget.visibleRegion().boundingRect()
        places = (QPoint(x, y) for y in range(seen.top(), seen.bottom(), 6) for x in range(0, seen.right(), 4))
        links = {view.anchorAt(at): at for at in places if view.anchorAt(at)}
        return list(links.values())
    return [widget.rect().center()] if widget.toolTip() else []


def check_lists(check: PictureCheck, top: QWidget) -> None:
    """Open the list of every combo box, and the menu of every button that has one."""
    for box in top.findChildren(QComboBox):
        if box.isVisibleTo(top) and box.count():
            box.showPopup()
            opened = box.view().window()
            check.check(opened, f"list of {_name(box)}")
            first = box.view().visualRect(box.model().index(0, 0))
            if not box.view().viewport().rect().contains(first):
                check.troubles.append(f"list of {_name(box)}: its first entry is hidden")
            if opened.geometry().intersects(box.rect().translated(box.mapToGlobal(QPoint(0, -2)))):
                check.troubles.append(f"list of {_name(box)}: it covers its box")
            box.hidePopup()
    for button in top.findChildren(QAbstractButton):
        menu = button.menu() if hasattr(button, "menu") and callable(button.menu) else None
        if isinstance(menu, QMenu) and button.isVisibleTo(top) and not button.visibleRegion().isEmpty():
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
            _check_menu(check, menu, f"menu of button {_name(button)}")
    for choice in top.findChildren(ChoiceButton):
        if choice.isVisibleTo(top):
            choice.click()
            assert choice.menu is not None
            _check_menu(check, choice.menu, f"menu of {_name(choice)}")


def _check_everything(check: PictureCheck, top: QWidget, name: str) -> None:
    check.check(top, name)
    check_lists(check, top)
    check_tool_tips(check, top)
    check_context_menus(check, top)


def _passage() -> BookmarkedPassage:
    return BookmarkedPassage("0" * 64, "/home/ada/Flat/lease.md", "Lease agreement", None, 3, 4, "Text of section 3.")


def dialogs_of(desk: Desk) -> dict[type[QDialog], Callable[[], QDialog]]:
    """Return a maker for every dialog of the window."""
    window = desk.window

    def bookmarks() -> QDialog:
        dialog = BookmarksDialog(window)
        dialog.show_bookmarks((Bookmark(BookmarkId(1), _passage(), "Ask about this", 10**18),))
        return dialog

    return {
        AboutDialog: lambda: AboutDialog(window),
        GuideDialog: lambda: GuideDialog(window),
        ShortcutsDialog: lambda: ShortcutsDialog(window.commands.listing(), window),
        CommandPalette: lambda: CommandPalette(window.palette_control.entries(), window),
        NameDialog: lambda: NameDialog("New library", "Create", parent=window, place=True),
        QuestionDialog: lambda: QuestionDialog("Delete it?", "It is erased. " * 20, "Delete", window),
        ForgetDialog: lambda: ForgetDialog("Contracts", "12 documents", "3 stored answers use it.", window),
        ScansDialog: lambda: ScansDialog(window),
        TeamLibraryDialog: lambda: TeamLibraryDialog(window),
        SearchNameDialog: lambda: SearchNameDialog("rent", window),
        **library_dialogs(window),
        BookmarksDialog: bookmarks,
        NoteDialog: lambda: NoteDialog("Text of section 3. " * 9, "", window),
        SettingsDialog: lambda: settings_dialog(window, window.commands),
        UpdateDialog: lambda: UpdateDialog("https://example.org/releases.json", window),
        WhyDialog: lambda: WhyDialog(Path("/home/anna/Contracts/lease.pdf"), SearchRequest("rent"), window),
        ComparisonDialog: lambda: ComparisonDialog(TURN, [ComparableRun(TURN)], window),
        ImportDialog: lambda: ImportDialog(
            Settings(), ImportedSettings(Settings(theme=Theme.DARK), ("Office",)), window
        ),
        TagsDialog: lambda: TagsDialog("When is the rent due, and to whom? " * 3, ("taxes", "2024"), ("home",), window),
        ForkDialog: lambda: ForkDialog(TURN, window),
        ReportDialog: lambda: ReportDialog(
            (b"/home/anna/Contracts",), (ReportSection("Notice", "How long is the notice period?"),), window
        ),
        WriteDialog: lambda: WriteDialog(8, "gpt-5-mini · OpenAI", priced=True, parent=window),
        StandingDialog: lambda: StandingDialog(
            (b"/home/anna/Contracts",), (TableHead(TableId(1), "Leases", 12, 36, 30, 0),), window
        ),
        TableDialog: lambda: TableDialog((b"/home/anna/Contracts",), parent=window),
        WordsDialog: lambda: WordsDialog("Correct “Rent”", "Found: 900 euros", "950 euros", "Correct", window),
        BudgetDialog: lambda: BudgetDialog(Estimate(120, 160, 412_000, 0.35), "gpt-5-mini · OpenAI", window),
    }


def test_the_conversation_and_its_popups(desk: Desk, check: PictureCheck) -> None:
    pdfs = Filter(FileField.EXT, ".pdf")
    desk.pane.composer.scope_row.show_scope(
        ChosenScope(("Flat",), ("ab",), filters=(pdfs,), names=("lease agreement.pdf",))
    )
    _check_everything(check, desk.window, "conversation")
    assert any("AnswerView" in name and name.startswith("menu") for name in check.seen)
    assert any("QuestionField" in name and name.startswith("menu") for name in check.seen)
    check.report()


def check_menu_bar(desk: Desk, check: PictureCheck) -> None:
    """Open every menu of the menu bar."""
    for action in desk.window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        menu.popup(desk.window.menuBar().mapToGlobal(desk.window.menuBar().actionGeometry(action).bottomLeft()))
        _check_menu(check, menu, f"menu {action.text()}")


def test_the_menu_bar(desk: Desk, check: PictureCheck) -> None:
    check_menu_bar(desk, check)
    assert len(check.seen) >= 5
    check.report()


def test_the_search_page_and_its_popups(desk: Desk, check: PictureCheck) -> None:
    desk.show_hits()
    _check_everything(check, desk.search, "search")
    desk.search.row.open_kept()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    titles = [action.text() for action in menu.actions() if not action.isEnabled() and action.text()]
    assert len(titles) == 2, "saved and recent searches"
    _check_menu(check, menu, "recent searches")
    check.report()


def test_the_page_of_all_files_and_its_popups(desk: Desk, check: PictureCheck) -> None:
    desk.show_files()
    for tab in range(desk.files.tabs.count()):
        desk.files.show_tab(tab)
        QApplication.processEvents()
        _check_everything(check, desk.files, f"files {desk.files.tabs.tabText(tab)}")
    desk.files.show_tab(0)
    desk.files.list.show_words("No file matches", "Try fewer words or another filter.", "Clear filters")
    check.check(desk.files, "no files")
    check.report()


@pytest.mark.parametrize("changed", [False, True], ids=["current", "changed"])
def test_the_viewer_and_its_popups(desk: Desk, check: PictureCheck, qtbot: QtBot, *, changed: bool) -> None:
    desk.open_document(qtbot, changed=changed)
    _check_everything(check, desk.viewer, "viewer")
    check.check(desk.window, "window with three columns")
    check.report()


def test_every_dialog(desk: Desk, check: PictureCheck) -> None:
    for module in pkgutil.walk_packages(desktop_rag.gui.__path__, "desktop_rag.gui."):
        importlib.import_module(module.name)
    dialogs = dialogs_of(desk)
    assert {kind for kind in _kinds(BoundedDialog) if not _kinds(kind)} == set(dialogs)
    for kind, make in dialogs.items():
        dialog = make()
        dialog.show()
        tabs = dialog.findChild(QTabWidget)
        for page in range(tabs.count() if isinstance(tabs, QTabWidget) else 1):
            if isinstance(tabs, QTabWidget):
                tabs.setCurrentIndex(page)
            _check_everything(check, dialog, f"{kind.__name__} {page or ''}")
        dialog.close()
    check.report()


def _kinds(kind: type[QDialog]) -> set[type[QDialog]]:
    return {below for each in kind.__subclasses__() for below in (each, *_kinds(each))}


def test_the_window_on_a_small_sharp_screen(desk: Desk, check: PictureCheck, qtbot: QtBot) -> None:
    small = next(each for each in QApplication.screens() if each.name() == "small and sharp")
    desk.window.hide()
    desk.window.setScreen(small)
    desk.window.move(small.availableGeometry().topLeft())
    desk.window.show()
    desk.open_document(qtbot, changed=True)
    for _ in range(4):
        QApplication.processEvents()
    assert small.availableGeometry().contains(desk.window.frameGeometry())
    check.check(desk.window, "small window")
    check.report()


def test_every_dialog_fits_a_small_sharp_screen(desk: Desk) -> None:
    def small() -> QScreen:  # asked for each dialog: with a deleted one, its reference to the screen ends
        return next(each for each in QApplication.screens() if each.name() == "small and sharp")

    desk.window.setScreen(small())
    desk.window.move(small().availableGeometry().topLeft())
    for kind, make in dialogs_of(desk).items():
        dialog = make()
        dialog.setScreen(small())
        dialog.show()
        QApplication.processEvents()
        room = small().availableGeometry()
        # Qt's offscreen plugin tells the screen of the size before the first fit: a wider one counts for its neighbour
        assert dialog.isHidden() or dialog.screen().name() == "small and sharp", (kind, dialog.minimumSizeHint())
        assert room.contains(dialog.frameGeometry()), (kind, room, dialog.frameGeometry())
        dialog.close()
