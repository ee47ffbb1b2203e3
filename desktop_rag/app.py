"""The composition root of the window: creates the parts, connects them, and shuts them down in order."""

import logging
import logging.handlers
import os
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget

from desktop_rag import __version__
from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.agent.conversations.transcript import ConversationId
from desktop_rag.agent.events import Citation, Source
from desktop_rag.credentials import Credentials
from desktop_rag.errors import SettingsError
from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.welcome import Welcome
from desktop_rag.gui.library.libraries_control import LibrariesControl
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library.library_model import problem_count
from desktop_rag.gui.os_services import open_by_system, open_in_editor, show_in_folder
from desktop_rag.gui.search.search_control import SearchControl
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.why.why_control import WhyControl
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.gui.window.preload import preload_agent
from desktop_rag.gui.window.session import Session
from desktop_rag.gui.window.sessions import Sessions
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock
from desktop_rag.gui.window.user_activity import UserActivity
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId
from desktop_rag.paths import data_home, log_folder, private_folder, resources, settings_file
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Settings, Theme
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shown_name

logger = logging.getLogger(__name__)

# A busy thread gives way to the window after this long instead of Python's 5 ms: every call into Qt lets go of the
# interpreter and has to ask for it again, so that one gesture pays it many times over.
TURN_SECONDS = 0.0005


class App(QObject):
    """One window, the open library, and everything that works for it."""

    def __init__(self, application: QApplication, library: Library, lock: WindowLock | None = None) -> None:
        super().__init__()
        self.look = Look(application, self)
        self.viewer_requests = ViewerRequests(self)
        self.pane = ConversationPane(self.viewer_requests)
        self.viewer = ViewerPanel(SearcherClient(library.folder))
        self.search_page = SearchPage()
        self.search = SearchControl(self.search_page, SearcherClient(library.folder), library.folder, self)
        self._centre = QStackedWidget()
        for page in (self.pane, self.search_page):
            self._centre.addWidget(page)
        shortcuts = (*self.search_page.shortcuts(), *self.pane.composer.shortcuts(), *self.viewer.shortcuts())
        self.window = MainWindow(self._centre, self.viewer, shortcuts)
        self.why = WhyControl(SearcherClient(library.folder), self.window)
        self._credentials = Credentials()
        self.settings = SettingsControl(settings_file(), self._credentials, self.window)
        libraries = Libraries(data_home())
        self.sessions = Sessions(self._new_session, libraries, self)
        self.libraries = LibrariesControl(libraries, self.window.library, self.window, self)
        self.status: LibraryStatus | None = None
        self._preloader = StreamWorker("preload", self._on_preloaded, self)
        self._activity = UserActivity(self)
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

    def start(self) -> None:
        """Show the window and start working."""
        self.window.show()
        self.window.windowHandle().installEventFilter(self._activity)
        self.pane.composer.setFocus()
        self.sessions.show(*self._first)
        self.settings.start()

    def _new_session(self, known: KnownLibrary) -> Session:
        session = Session(known, self.pane, self.window, lambda: self.settings.settings, self._credentials, self)
        session.status_changed.connect(self._on_status)
        session.trouble.connect(self._on_trouble)
        session.notified.connect(self.window.show_toast)
        session.folders_erased.connect(self.viewer.close_folders)
        self._activity.noticed.connect(session.library.note_activity)
        session.finished_elsewhere.connect(self._on_finished_elsewhere)
        session.bookmarks.changed.connect(partial(self._on_bookmarks_changed, session))
        session.bookmarks.removed.connect(partial(self._on_bookmark_removed, session))
        return session

    def close(self) -> None:
        """Stop all work and wait for it, dependents first; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._preloader.close()
        self.search.close()
        self.why.close()
        self.viewer.shutdown()
        self.libraries.close()
        self.sessions.close()
        self.settings.close()

    def _connect(self) -> None:
        window, composer, requests = self.window, self.pane.composer, self.pane.requests
        window.closing.connect(self.close)
        window.settings_requested.connect(self._on_settings_requested)
        window.theme_chosen.connect(self._on_theme_chosen)
        window.question_requested.connect(self._show_conversation)
        self._connect_search()
        window.find_requested.connect(self.viewer.open_find)
        self._connect_bookmarks()
        self._connect_viewer()
        window.folder_relocated.connect(self._on_folder_relocated)
        self.sessions.leaving.connect(window.leave_library)
        self.sessions.leaving.connect(self._preloader.stop)
        self.sessions.shown.connect(self._on_shown)
        self.sessions.trouble.connect(self._on_trouble)
        self.sessions.notified.connect(window.show_toast)
        self.sessions.second_started.connect(self._on_second_start)
        self.libraries.chosen.connect(self._on_library_chosen)
        self.libraries.renamed.connect(self._on_library_renamed)
        self.libraries.trouble.connect(self._on_trouble)
        self.libraries.notified.connect(window.show_toast)
        self.settings.trouble.connect(self._on_trouble)
        self.settings.changed.connect(self._use)
        self.settings.rules_requested.connect(window.library.edit_rules)
        requests.settings_requested.connect(self._on_settings_requested)
        requests.folder_requested.connect(window.choose_folder)
        composer.profile_chosen.connect(self._on_profile_chosen)
        composer.toolkit_chosen.connect(self._on_toolkit_chosen)

    def _connect_viewer(self) -> None:
        requests = self.viewer_requests
        requests.citation_requested.connect(self._show_citation)
        requests.source_requested.connect(self._show_source)
        requests.source_focus_requested.connect(self._focus_source)
        self.search.source_looked_at.connect(requests.source_requested)
        self.search.source_opened.connect(requests.source_focus_requested)
        self.why.source_opened.connect(requests.source_focus_requested)
        self.viewer.closed.connect(self.window.close_document_pane)
        self.viewer.requests.copied.connect(self._on_copied)
        self.viewer.requests.external_requested.connect(self._on_external_requested)
        self.viewer.requests.editor_requested.connect(self._on_editor_requested)
        self.viewer.requests.folder_requested.connect(self._on_folder_requested)

    def _connect_search(self) -> None:
        window, page, search = self.window, self.search_page, self.search
        window.search_requested.connect(self._show_search)
        window.conversations.new_requested.connect(self._show_conversation)
        window.conversations.conversation_chosen.connect(self._show_conversation)
        page.left.connect(self._show_conversation)
        page.ask_about.connect(self._on_ask_about)
        search.why_requested.connect(self.why.open)
        window.why_requested.connect(self._on_why_requested)
        window.library.why_requested.connect(self._on_why_requested)
        self.why.retry_requested.connect(window.library.retry_requested)

    def _connect_bookmarks(self) -> None:
        marks = self.viewer.bookmarking
        self.window.bookmarks_requested.connect(marks.open_list)
        self.viewer.opening.connect(self.window.open_document_pane)
        marks.added.connect(lambda passage, note: self.sessions.current.bookmarks.add(passage, note))
        marks.note_changed.connect(lambda mark, note: self.sessions.current.bookmarks.write_note(mark, note))
        self.viewer.requests.delete_requested.connect(lambda mark: self.sessions.current.bookmarks.delete(mark))
        marks.export_requested.connect(lambda kept, path: self.sessions.current.bookmarks.export(kept, path))

    def _preload(self, stop: Stop) -> Generator[object]:
        """Start the searcher and import the agent, so that the first question does not wait for them."""
        yield self.retriever.facts(Scope(), stop)
        preload_agent(endpoint=self.settings.settings.profile() is not None)
        from desktop_rag.agent.toolkits.registry import offered

        yield tuple((kit.name, kit.summary) for kit in offered(more=self.settings.settings.toolkit))

    @Slot(object)
    def _on_preloaded(self, what: object) -> None:
        if isinstance(what, tuple):
            self.pane.composer.set_toolkits(what, self.settings.settings.toolkit)

    @Slot(object)
    def _use(self, settings: Settings) -> None:
        """Apply the settings everywhere."""
        self.look.use(settings.theme)
        self.window.show_theme(settings.theme)
        profile = settings.profile()
        self.window.show_model(f"{profile.model} · {profile.name}" if profile else self.tr("Built-in model"))
        self.pane.composer.set_profiles([known.name for known in settings.profiles], settings.active_profile)
        self._welcome()
        if self.window.isVisible():
            self._preloader.start(self._preload)

    @Slot(object)
    def _on_shown(self, session: Session) -> None:
        self.status = None
        self.viewer.show_library(session.retriever)
        self.viewer.show_bookmarks(())
        self.search.show_library(session.retriever, session.known.folder)
        self.why.show_library(session.retriever)
        self.window.close_document_pane()
        self._show_name(session.known)
        self._welcome()
        self._preloader.start(self._preload)

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
        if request.folders:
            self.library.add(request.folders)

    @Slot(object, object)
    def _on_folder_relocated(self, old: bytes, new: bytes) -> None:
        self.library.relocate(old, new)

    @Slot(object)
    def _on_status(self, status: LibraryStatus) -> None:
        self.status = status
        self.window.show_status(status)
        self.window.library.offer_sample(offered=not status.folders)
        names = [(folder.folder, shown_name(folder.path)) for folder in status.folders]
        self.pane.composer.set_folders(names)
        self._welcome()

    def _welcome(self) -> None:
        folders = self.status.folders if self.status else ()
        sample = os.fsencode(resources() / "sample")
        examples = sample_questions() if any(folder.path == sample for folder in folders) else ()
        has_model = self.settings.settings.profile() is not None
        has_documents = any(folder.searchable for folder in folders)
        is_reading = any(folder.scanning or folder.found > problem_count(folder) for folder in folders)
        is_missing = self.status is not None and self.status.missing
        self.pane.view.set_welcome(Welcome(has_documents, has_model, examples, is_reading, is_missing))

    @Slot()
    def _on_settings_requested(self) -> None:
        self.settings.open_dialog(self.status.folders if self.status else ())

    @Slot(object)
    def _on_theme_chosen(self, theme: Theme) -> None:
        self.settings.use(replace(self.settings.settings, theme=theme))

    @Slot(str)
    def _on_toolkit_chosen(self, name: str) -> None:
        self.settings.use(replace(self.settings.settings, toolkit=name))

    @Slot(str)
    def _on_profile_chosen(self, name: str) -> None:
        self.settings.use(replace(self.settings.settings, active_profile=name))

    @Slot(object)
    def _show_citation(self, citation: Citation) -> None:
        self.window.open_document_pane()
        self.viewer.set_citations(self.conversations.citations_of_answer(citation))
        self.viewer.open_citation(citation)

    @Slot(object)
    def _show_source(self, source: Source) -> None:
        self.window.open_document_pane()
        self.viewer.open_source(source)

    @Slot(object)
    def _focus_source(self, source: Source) -> None:
        self._show_source(source)
        self.viewer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_why_requested(self, path: bytes = b"") -> None:
        known = Path(os.fsdecode(path)) if path else None
        searching = self._centre.currentWidget() is self.search_page
        request = self.search.asked()
        self.why.open(known, request if searching else replace(request, query="", filters=()))

    @Slot()
    def _show_search(self) -> None:
        self._centre.setCurrentWidget(self.search_page)
        self.search_page.take_focus()

    @Slot()
    def _show_conversation(self) -> None:
        self._centre.setCurrentWidget(self.pane)
        self.search.leave()
        self.pane.composer.setFocus()

    @Slot(object, str)
    def _on_ask_about(self, contents: tuple[ContentId, ...], query: str) -> None:
        self._show_conversation()
        self.pane.composer.set_documents(contents, query)

    @Slot(str)
    def _on_copied(self, _: str) -> None:
        self.window.show_toast(self.tr("Quote copied"))

    @Slot(object)
    def _on_external_requested(self, path: Path) -> None:
        if not open_by_system(path):
            self.window.show_toast(self.tr("No program on this computer opens {0}").format(one_line(path.name)))

    @Slot(object)
    def _on_folder_requested(self, path: Path) -> None:
        if not show_in_folder(path):
            self.window.show_toast(self.tr("{0} cannot be shown in its folder").format(one_line(path.name)))

    @Slot(object, int)
    def _on_editor_requested(self, path: Path, line: int) -> None:
        try:
            open_in_editor(self.settings.settings.editor, path, line)
        except SettingsError as error:
            self.window.show_toast(str(error), self.tr("Settings…"), self._on_settings_requested)

    def _on_bookmarks_changed(self, session: Session, bookmarks: tuple[Bookmark, ...]) -> None:
        if session is self.sessions.current:
            self.viewer.show_bookmarks(bookmarks)

    def _on_bookmark_removed(self, session: Session, bookmark: Bookmark) -> None:
        self.window.offer_undo(self.tr("Bookmark deleted"), partial(session.bookmarks.restore, bookmark))

    @Slot(object, str, object)
    def _on_finished_elsewhere(self, session: Session, question: str, conversation: ConversationId | None) -> None:
        known = session.known

        def open_there() -> None:
            if conversation is not None and self.sessions.show(known):
                self.conversations.open(conversation)

        show = open_there if conversation is not None else None
        self.window.show_toast(self.tr("“{0}” has its answer").format(question), self.tr("Show"), show)

    @Slot(str, str)
    def _on_trouble(self, title: str, message: str) -> None:
        self.window.show_toast(f"{title}: {message}")


@cache
def sample_questions() -> tuple[str, ...]:
    """Return the questions that the sample library answers; the demo asks the first one."""
    return tuple((resources() / "sample_questions.txt").read_text(encoding="utf-8").splitlines())


def run_window(folder: Path, folders: Sequence[Path], started: Callable[[App], None] = lambda _: None) -> int:
    """Open the window on the library in `folder`, add `folders`, and return the exit code when it is closed.

    `started` is called with the running window before its event loop begins.
    """
    sys.setswitchinterval(TURN_SECONDS)
    _log_to_file()
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda failure: _log_uncaught(
        failure.exc_type, failure.exc_value or failure.exc_type(), failure.exc_traceback
    )
    application = make_application(sys.argv[:1])
    paths = tuple(os.fsencode(path.absolute()) for path in folders)
    lock = WindowLock(Library(folder))
    if not lock.acquire():
        return _leave_it_to_the_other(Library(folder), paths)
    app = App(application, Library(folder), lock)
    app.start()
    if folders:
        QTimer.singleShot(0, app, lambda: app.library.add(paths))
    started(app)
    code = application.exec()
    app.close()
    return code


def _leave_it_to_the_other(library: Library, folders: tuple[bytes, ...]) -> int:
    """Hand the folders to the window that already shows the library; return the exit code."""
    from desktop_rag.gui.window.instance_server import hand_over

    if hand_over(library, folders):
        return 0
    logger.error("the other window does not answer")
    sys.stderr.write(f"The library in {library.folder} is open in another window, which does not answer.\n")
    return 1


def make_application(arguments: Sequence[str]) -> QApplication:
    """Return the QApplication, named for the desktop and the settings."""
    application = QApplication(list(arguments))
    application.setApplicationName("desktop-rag")
    application.setApplicationDisplayName("Desktop RAG")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("desktop-rag")
    return application


def _log_to_file() -> None:
    """Log to a file of bounded size; questions and texts are never logged."""
    handler: logging.Handler = logging.StreamHandler()  # if no file can be written
    with suppress(OSError):
        file = private_folder(log_folder()) / "window.log"
        handler = logging.handlers.RotatingFileHandler(file, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logger.critical("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
