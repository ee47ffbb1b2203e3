"""The composition root of the window: creates the parts, connects them, and shuts them down in order."""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from desktop_rag.agent.conversations.transcript import ChosenScope
from desktop_rag.agent.events import Answered, LimitAsked, RunFailed
from desktop_rag.credentials import Credentials
from desktop_rag.gui.command_palette import PaletteEntry
from desktop_rag.gui.command_parts import plain_text
from desktop_rag.gui.control.desktop_control import DesktopControl, ExternalPrograms
from desktop_rag.gui.control.insight_control import InsightControl
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.conversation.sources.citation_cards import CitationCards
from desktop_rag.gui.conversation.welcome_control import WelcomeControl
from desktop_rag.gui.desktop.update_control import UpdateControl
from desktop_rag.gui.files.files_control import FilesControl
from desktop_rag.gui.files.files_page import FILES, FilesPage
from desktop_rag.gui.first_run.tour import Introduction
from desktop_rag.gui.library.libraries_control import LibrariesControl
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.search.search_control import SearchControl
from desktop_rag.gui.search.search_events import RecentSearch
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.open_documents import OpenDocuments
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.why import WhyControl
from desktop_rag.gui.window.desktop_application import (
    DesktopApplication,
    IdleCollection,
    UserActivity,
    log_to_file,
    make_application,
    show_painted,
)
from desktop_rag.gui.window.main_window import MainWindow, Pages
from desktop_rag.gui.window.preload import Preloader
from desktop_rag.gui.window.sessions import Session, Sessions
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock
from desktop_rag.gui.work.report_control import ReportControl
from desktop_rag.gui.work.sections_page import ReportPage, SectionsPage
from desktop_rag.gui.work.standing_control import StandingControl, StandingPage
from desktop_rag.gui.work.table_control import TableControl
from desktop_rag.gui.work.table_page import TablePage
from desktop_rag.gui.work.work_control import ChosenDocuments
from desktop_rag.index.file_rows import ListedState
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderId
from desktop_rag.paths import data_home, settings_file
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Settings, usable_settings
from desktop_rag.text.desktop_links import is_link
from desktop_rag.text.display import shorten
from desktop_rag.work.table import TableId

logger = logging.getLogger(__name__)

# A busy thread gives way to the window after this long instead of Python's 5 ms: every call into Qt lets go of the
# interpreter and asks for it again. While the built-in model ranks sentences, a layout of a turn pays it 100 times.
TURN_SECONDS = 0.00005


class App(QObject):
    """One window, the open library, and everything that works for it."""

    def __init__(self, application: QApplication, library: Library, lock: WindowLock | None = None) -> None:
        super().__init__()
        self.look = Look(application, self, usable_settings().font_percent)
        self.status = ShownStatus(self)
        self.viewer_requests = ViewerRequests(self)
        self.pane = ConversationPane(self.viewer_requests, self.status)
        self.viewer = ViewerPanel(SearcherClient(library.folder))
        self.search_page = SearchPage()
        self.search = SearchControl(
            self.search_page, SearcherClient(library.folder), library.folder, self.viewer_requests, self.status, self
        )
        self.files_page = FilesPage()
        self.files = FilesControl(
            self.files_page, SearcherClient(library.folder), self.status, self.viewer_requests, self
        )
        self.table_page = TablePage()
        self.tables = TableControl(
            self.table_page, self.status, self.viewer_requests, lambda: self.settings.settings, self
        )
        self.report_page = ReportPage(self.viewer_requests)
        self.reports = ReportControl(self.report_page, self.status, lambda: self.settings.settings, self)
        self.standing_page = StandingPage(self.viewer_requests)
        self.standing = StandingControl(self.standing_page, self.status, lambda: self.settings.settings, self)
        work = (self.table_page, self.report_page, self.standing_page)
        self._centre = Pages(self.pane, self.search_page, self.files_page, *work)
        parts = (
            *self.search_page.commands(),
            self.files_page.commands(),
            self.table_page.commands(),
            *self.pane.commands(),
            *self.viewer.commands(),
        )
        self.window = MainWindow(self._centre, self.viewer, self.status, parts)
        self.why = WhyControl(SearcherClient(library.folder), self.viewer_requests, self.window)
        self.cards = CitationCards(SearcherClient(library.folder), self.viewer_requests, self.window)
        self._credentials = Credentials()
        self.documents_open = OpenDocuments(self.viewer, self)
        recent = self.documents_open.recent
        insight = InsightControl(lambda: self.sessions.current, self.search, recent, self.status, self.window)
        self.settings = SettingsControl(
            settings_file(), self._credentials, self.status, self.window, self.window.commands, insight
        )
        self._welcome = WelcomeControl(self.pane.view, self.status, self.settings, recent, self)
        self.introduction = Introduction(self.settings, self.status, self.window, self.pane)
        self._programs = ExternalPrograms(self.viewer.requests, self.settings, self.window)
        libraries = Libraries(data_home())
        self.sessions = Sessions(self._new_session, libraries, self)
        self.libraries = LibrariesControl(libraries, self.window.library, self.window, self)
        self.updates = UpdateControl(lambda: self.settings.settings, self.settings.use, self.window)
        self.desktop = DesktopControl(
            application, self.window, lambda: self.sessions.current, self.settings, recent, self
        )
        self._preloader = Preloader(self)
        self._activity = UserActivity(self)
        IdleCollection(self._activity)
        self._closed = False
        self._connect()
        self._use(self.settings.settings)
        self._first = (libraries.at(library.folder), lock)

    @property
    def library(self) -> LibraryControl:
        """Return the control of the open library."""
        return self.sessions.current.library

    @property
    def conversations(self) -> ConversationControl:
        """Return the conversations of the open library."""
        return self.sessions.current.conversations

    @property
    def retriever(self) -> SearcherClient:
        """Return the searcher client of the open library."""
        return self.sessions.current.retriever

    def start(self, *, background: bool = False) -> None:
        """Show the window, unless it is to wait in the tray or the task bar, and start working."""
        if not background:
            show_painted(self.window)
        elif self.desktop.tray.is_shown():
            self.window.winId()  # its handle is needed below
        else:
            self.window.showMinimized()
        self.window.windowHandle().installEventFilter(self._activity)
        self.pane.composer.setFocus()
        self.sessions.show(*self._first)
        self.settings.start()
        self.desktop.start()

    def _new_session(self, known: KnownLibrary) -> Session:
        session = Session(
            known,
            self.pane,
            self.viewer,
            self.window,
            self.status,
            lambda: self.settings.settings,
            self._credentials,
            self,
        )
        self._activity.noticed.connect(session.library.note_activity)
        session.finished_elsewhere.connect(self._on_finished_elsewhere)
        session.conversations.host_confirmed.connect(self.settings.confirm_host)
        session.conversations.notes_chosen.connect(self.settings.choose_notes)
        session.run_noticed.connect(self.desktop.notices.note_run)
        return session

    def close(self) -> None:
        """Stop all work and wait for it, dependents first; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._preloader.close()
        self._welcome.close()
        self.introduction.close()
        self.search.close()
        self.files.close()
        self.tables.close()
        self.reports.close()
        self.standing.close()
        self.why.close()
        self.cards.close()
        self.desktop.close()
        self.updates.close()
        self.documents_open.close()
        self.viewer.shutdown()
        self.libraries.close()
        self.sessions.close()
        self.settings.close()

    def _connect(self) -> None:
        window, composer, requests = self.window, self.pane.composer, self.pane.requests
        window.closing.connect(self.close)
        window.settings_requested.connect(self.settings.open_dialog)
        window.models_requested.connect(self.settings.open_models)
        window.theme_chosen.connect(self.settings.choose_theme)
        window.question_requested.connect(self._show_conversation)
        window.take_drops_on(composer)
        self._connect_search()
        window.find_requested.connect(self._on_find_requested)
        window.bookmarks_requested.connect(self.viewer.bookmarking.open_list)
        self._connect_viewer()
        self._connect_files()
        self._connect_work()
        self._connect_desktop()
        self.sessions.leaving.connect(window.leave_library)
        self.sessions.leaving.connect(self.documents_open.leave)
        self.sessions.leaving.connect(self._preloader.stop)
        self.sessions.shown.connect(self._on_shown)
        self.sessions.second_started.connect(self._on_second_start)
        self.libraries.chosen.connect(self._on_library_chosen)
        self.libraries.renamed.connect(self._on_library_renamed)
        for trouble in (self.sessions.trouble, self.libraries.trouble, self.settings.trouble):
            trouble.connect(window.show_trouble)
        for notified in (self.sessions.notified, self.libraries.notified):
            notified.connect(window.show_toast)
        self.settings.changed.connect(self._use)
        folders = self.settings.folders
        folders.add_requested.connect(window.choose_folder)
        folders.remove_requested.connect(window.library.remove_requested)
        folders.restore_requested.connect(window.library.restore_requested)
        folders.rules_requested.connect(window.library.edit_rules)
        requests.settings_requested.connect(self.settings.open_models)
        requests.folder_requested.connect(window.choose_folder)
        self._connect_start()
        composer.profile_chosen.connect(self.settings.choose_profile)
        composer.connect_requested.connect(self.settings.open_models)
        self.pane.meter.reserve_chosen.connect(self.settings.choose_reserve)
        composer.toolkit_chosen.connect(self.settings.choose_toolkit)

        for source in (self._documents, self._choices, self.settings.palette_entries):
            window.palette_control.add_source(source)

    def _connect_start(self) -> None:
        """Connect what pages without content of their own offer."""
        requests, page = self.pane.requests, self.search_page
        requests.filter_chosen.connect(self._on_filter_chosen)
        requests.files_requested.connect(self._on_states_requested)
        page.start.folder_requested.connect(self.window.choose_folder)
        self.status.changed.connect(page.start.show_status)
        for chosen in (requests.document_chosen, page.start.document_chosen):
            chosen.connect(lambda document: self.desktop.links.open(document.link))
        for changed in (self._welcome.changed, self.documents_open.recent.changed):
            changed.connect(self._show_documents)

    @Slot()
    def _show_documents(self) -> None:
        self.search_page.start.show_documents(self.documents_open.recent.documents, self._welcome.points.newest)

    @Slot(Filter)
    def _on_filter_chosen(self, chosen: Filter) -> None:
        self._show_search()
        self.search_page.set_search(RecentSearch("", filters=(chosen,)))

    def _documents(self) -> Iterator[PaletteEntry]:
        for document in self.documents_open.recent.documents:
            yield PaletteEntry("", document.name, self.tr("Document"), partial(self.desktop.links.open, document.link))

    def _choices(self) -> Iterator[PaletteEntry]:
        for kind, action in self.pane.composer.choices():
            yield PaletteEntry(f"{kind} {action.data()}", plain_text(action), kind, action.trigger)

    def _connect_viewer(self) -> None:
        requests = self.viewer_requests
        requests.citation_requested.connect(self.viewer.open_citation)
        requests.target_requested.connect(self.viewer.open_target)
        requests.target_focus_requested.connect(self.viewer.focus_target)
        for asked in (requests.folder_requested, self.search_page.results.folder_opened, self.files.folder_requested):
            asked.connect(self.viewer.requests.folder_requested)
        self.viewer.opening.connect(self.window.open_document_pane)
        self.viewer.closed.connect(self.window.close_document_pane)
        self.viewer.requests.copied.connect(self._on_copied)
        self.viewer.requests.summary_requested.connect(self._on_summary_requested)
        self.status.changed.connect(self.viewer.update_folders)

    def _connect_search(self) -> None:
        window, page, search = self.window, self.search_page, self.search
        window.search_requested.connect(self._show_search)
        window.conversations.new_requested.connect(self._show_conversation)
        window.conversations.conversation_chosen.connect(self._show_conversation)
        page.left.connect(self._show_conversation)
        page.ask_about.connect(self._on_ask_about)
        page.results.file_opened.connect(self.viewer.requests.external_requested)
        search.why_requested.connect(self.why.open)
        window.why_requested.connect(self._on_why_requested)
        window.library.why_requested.connect(self._on_why_requested)
        self.why.retry_requested.connect(window.library.retry_requested)

    def _connect_desktop(self) -> None:
        self.desktop.connect_parts(self.viewer, self.pane.composer, self.status, self.look)
        self.desktop.search_requested.connect(self._search_for)
        self.desktop.run_requested.connect(self._show_run)
        self.desktop.question_requested.connect(self._show_conversation)
        self.window.menus.updates.triggered.connect(self.updates.open)

    def _connect_files(self) -> None:
        window, files, library = self.window, self.files, self.window.library
        window.files_requested.connect(self._show_files)
        library.problems_requested.connect(self._on_problems_requested)
        library.folder_files_requested.connect(self._on_folder_files_requested)
        library.contents_asked.connect(self._on_contents_asked)
        library.file_requested.connect(files.open_file)
        library.opened_outside.connect(self.viewer.requests.external_requested)
        self.files_page.left.connect(self._show_conversation)
        files.retry_requested.connect(library.retry_requested)
        files.rules_changed.connect(library.rules_changed)
        files.why_requested.connect(self._on_why_requested)
        files.external_requested.connect(self.viewer.requests.external_requested)
        files.add_requested.connect(window.choose_folder)
        files.undoable.connect(window.offer_undo)
        files.notified.connect(window.show_toast)

    def _connect_work(self) -> None:
        window = self.window
        window.tables_requested.connect(self._show_tables)
        window.reports_requested.connect(partial(self._show_work, self.report_page, self.reports))
        window.standing_requested.connect(partial(self._show_work, self.standing_page, self.standing))
        self.standing.table_requested.connect(self._show_table)
        self.standing.noticed.connect(self._on_news)
        self.standing.noticed.connect(self.desktop.notices.note_news)
        self.search_page.table_about.connect(lambda hashes: self._show_tables(ChosenDocuments(hashes=hashes)))
        self.files.table_requested.connect(lambda paths: self._show_tables(ChosenDocuments(paths=paths)))
        self.search_page.report_about.connect(lambda hashes: self._new_report(ChosenDocuments(hashes=hashes)))
        self.files.report_requested.connect(lambda paths: self._new_report(ChosenDocuments(paths=paths)))
        for page in (self.table_page, self.report_page, self.standing_page):
            page.left.connect(self._show_conversation)
        for work in (self.tables, self.reports, self.standing):
            work.host_confirmed.connect(self.settings.confirm_host)
            work.trouble.connect(window.show_trouble)
            work.saved.connect(self._on_saved)

    @Slot(str, Path)
    def _on_saved(self, text: str, path: Path) -> None:
        show = partial(self.viewer.requests.folder_requested.emit, path)
        self.window.show_toast(text, self.tr("Show in folder"), show)

    def _show_work(self, page: SectionsPage, control: ReportControl | StandingControl) -> None:
        self._centre.setCurrentWidget(page)
        self.search.leave()
        control.load()
        page.kept.setFocus()

    def _new_report(self, given: ChosenDocuments) -> None:
        self._show_work(self.report_page, self.reports)
        self.reports.new_report(given)

    @Slot(object)
    def _show_table(self, table: TableId) -> None:
        self._show_tables()
        self.tables.load(table)

    @Slot(str, str)
    def _on_news(self, question: str, text: str) -> None:
        show = partial(self._show_work, self.standing_page, self.standing)
        self.window.show_toast(f"{question}: {text}", self.tr("Show"), show)

    def _show_tables(self, given: ChosenDocuments | None = None) -> None:
        """Show the page of tables; of given documents a new one is asked for."""
        self._centre.setCurrentWidget(self.table_page)
        self.search.leave()
        self.tables.load()
        self.table_page.view.setFocus()
        if given is not None:
            self.tables.new_table(given)

    @Slot()
    def _on_find_requested(self) -> None:
        """Find words in the open document; without one, in the library."""
        if self.viewer.isVisible():
            self.viewer.open_find()
        else:
            self.window.search_requested.emit()

    @Slot(object)
    def _use(self, settings: Settings) -> None:
        """Apply the settings everywhere."""
        self.look.use(settings.theme, settings.font_percent, settings.density, settings.desktop)
        self.desktop.use(settings.desktop)
        self.window.commands.use(settings.shortcuts)
        self.window.show_theme(settings.theme)
        self.search_page.results.results.withhold(settings.privacy.listed())
        profile = settings.profile()
        self.window.show_model(f"{profile.model} · {profile.name}" if profile else self.tr("Built-in (no model)"))
        self.pane.composer.set_profiles([known.name for known in settings.profiles], settings.active_profile)
        self.pane.composer.set_methods(settings.toolkit)
        if self.window.isVisible():
            self._preloader.start(self.retriever, self.conversations.built_in, settings)

    @Slot(object)
    def _on_shown(self, session: Session) -> None:
        urgent = session.urgent_retriever
        self.viewer.show_library(urgent)
        self.viewer.show_bookmarks(())
        self.search.show_library(urgent, session.known.folder)
        self.why.show_library(urgent)
        self.cards.show_library(urgent)
        self.files.show_library(urgent)
        for work in (self.tables, self.reports, self.standing):
            work.show_library(session.known.library, session.retriever, session.conversations.built_in)
        self.window.close_document_pane()
        self.documents_open.show_library(session.known.folder)
        self._welcome.show_library(session.retriever.asker(), session.conversations.built_in)
        self._show_name(session.known)
        self._preloader.start(session.retriever, session.conversations.built_in, self.settings.settings)

    def _show_name(self, known: KnownLibrary) -> None:
        self.window.show_library(known.name)
        self.libraries.show_current(known)

    @Slot(object)
    def _on_library_chosen(self, known: KnownLibrary) -> None:
        self.sessions.show(known)

    @Slot(object)
    def _on_library_renamed(self, known: KnownLibrary) -> None:
        self.sessions.current.known = known
        self._show_name(known)

    @Slot(object)
    def _on_second_start(self, request: InstanceRequest) -> None:
        os.environ.update(request.tokens)  # the window system reads them from there
        self.window.bring_to_front()
        self.take(request)

    def take(self, request: InstanceRequest) -> None:
        """Add the folders of a start of the program, and follow its link."""
        if request.folders:
            self.library.add(request.folders)
        if request.link:
            self.desktop.links.follow(request.link)

    def _on_why_requested(self, path: bytes = b"") -> None:
        known = Path(os.fsdecode(path)) if path else None
        searching = self._centre.currentWidget() is self.search_page
        request = self.search.asked()
        self.why.open(known, request if searching else replace(request, query="", filters=()))

    @Slot()
    def _show_search(self) -> None:
        self._centre.setCurrentWidget(self.search_page)
        self.search_page.take_focus()

    @Slot(str)
    def _search_for(self, query: str) -> None:
        self._show_search()
        self.search_page.set_search(RecentSearch(query))

    @Slot(int)
    def _show_files(self, tab: int) -> None:
        self._centre.setCurrentWidget(self.files_page)
        self.search.leave()
        self.files.show_tab(tab)

    @Slot(object)
    def _on_problems_requested(self, folder: FolderId) -> None:
        self._show_files(FILES)
        self.files.show_folder_problems(folder)

    @Slot(object)
    def _on_states_requested(self, states: tuple[ListedState, ...]) -> None:
        self._show_files(FILES)
        self.files.show_states(states)

    @Slot(object, object)
    def _on_folder_files_requested(self, folder: FolderId, inside: bytes) -> None:
        self._show_files(FILES)
        self.files.show_folder(folder, inside)

    @Slot(object, object)
    def _on_contents_asked(self, folder: FolderId, inside: bytes) -> None:
        self.files.load_contents(folder, inside, partial(self.window.library.show_contents, folder, inside))

    @Slot()
    def _show_conversation(self) -> None:
        self._centre.setCurrentWidget(self.pane)
        self.search.leave()
        self.pane.composer.setFocus()

    @Slot(object, str)
    def _on_ask_about(self, documents: tuple[str, ...], query: str) -> None:
        self._show_conversation()
        self.conversations.choose(ChosenScope(documents=documents, about=query))

    @Slot(str)
    def _on_summary_requested(self, sha256: str) -> None:
        """Ask about one document in a new conversation; without a model, offer to connect one."""
        if self.settings.settings.profile() is None:
            self.settings.open_models()
            return
        self._show_conversation()
        self.conversations.begin_new()
        self.conversations.choose(ChosenScope(documents=(sha256,)))
        question = self.tr("Summarise this document in five sentences. Then write three questions that it answers.")
        self.conversations.ask(question)

    @Slot(str)
    def _on_copied(self, text: str) -> None:
        self.window.show_toast(self.tr("Link copied") if is_link(text) else self.tr("Quote copied"))

    @Slot(object, object)
    def _on_finished_elsewhere(self, session: Session, run: RunInProgress) -> None:
        show = partial(self._show_run, session, run) if run.conversation is not None else None
        self.window.show_toast(self._ending(run), self.tr("Show"), show)

    @Slot(object, object)
    def _show_run(self, session: Session, run: RunInProgress) -> None:
        self.window.bring_to_front()
        if run.conversation is not None and self.sessions.show(session.known):
            self._show_conversation()
            self.conversations.open(run.conversation)

    def _ending(self, run: RunInProgress) -> str:
        """Return how a run out of sight ended, or that it asks, as a sentence."""
        match run.events[-1] if run.events else None:
            case Answered(found=True):
                text = self.tr("“{0}” has its answer")
            case Answered():
                text = self.tr("“{0}”: no answer found in your library")
            case RunFailed(title=title):
                return self.tr("“{0}” failed: {1}").format(shorten(run.question), title)
            case LimitAsked():
                text = self.tr("“{0}” has reached a limit and asks whether to go on")
            case _:
                text = self.tr("“{0}” was stopped")
        return text.format(shorten(run.question))


def run_window(
    folder: Path,
    folders: Sequence[Path],
    started: Callable[[App], None] = lambda _: None,
    link: str = "",
    *,
    background: bool = False,
) -> int:
    """Open the window on the library in `folder`, add `folders`, follow `link`, and return the exit code at its end.

    In the `background` the window is in the tray, or minimised where there is no icon.

    `started` is called with the running window before its event loop begins.
    """
    sys.setswitchinterval(TURN_SECONDS)
    log_to_file()
    application = make_application(sys.argv[:1])
    request = InstanceRequest(tuple(os.fsencode(path.absolute()) for path in folders), link=link)
    lock = WindowLock(Library(folder))
    if not lock.acquire():
        if background:  # the window is open already
            return 0
        from desktop_rag.gui.window.instance_server import leave_to_other_window

        if (code := leave_to_other_window(application, Library(folder), request, lock)) is not None:
            return code
    app = App(application, Library(folder), lock)
    app.start(background=background)
    QTimer.singleShot(0, app, lambda: app.take(request))
    if isinstance(application, DesktopApplication):
        application.opened.connect(app.take)
    started(app)
    code = application.exec()
    app.close()
    return code
