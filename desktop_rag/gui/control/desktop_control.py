"""Connects the window with the desktop around it."""

import os
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_rag.agent.events import Answered, LimitAsked, RunFailed
from desktop_rag.errors import DesktopRagError, LinkError, SettingsError
from desktop_rag.gui import formatting
from desktop_rag.gui.background import CommandQueue, LatestOnlyWorker
from desktop_rag.gui.catalogues import ENGLISH, is_stale, sentence, window_language
from desktop_rag.gui.command_palette import PaletteDocuments
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.desktop.global_hotkey import GlobalHotkey
from desktop_rag.gui.desktop.login_start import set_start_at_login, starts_at_login
from desktop_rag.gui.desktop.notifications import Notifications
from desktop_rag.gui.desktop.system_motion import SystemMotion
from desktop_rag.gui.desktop.tray_icon import TrayIcon
from desktop_rag.gui.formatting import counted, file_name, whole_seconds
from desktop_rag.gui.library.library_model import readable_count
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.os_services import open_by_system, open_in_editor, show_in_folder
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.clean.rendered_view import line_of_link
from desktop_rag.gui.viewer.document_view import DocumentRequests
from desktop_rag.gui.viewer.open_documents import RecentDocuments
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import Target, target_of_card
from desktop_rag.gui.window.main_menus import RecentMenu
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.gui.window.sessions import Session
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Retriever
from desktop_rag.settings import DesktopOptions, Settings
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import AskLink, OpenLink, SearchLink, parse_link
from desktop_rag.text.display import one_line, shorten

# Follows `desktop-rag://` links that other programs hand over.

_MOST_NAMESAKES = 50


@dataclass(frozen=True, slots=True)
class LinkResolved:
    """A link, and its document in the open library, None if it has none."""

    link: OpenLink
    card: DocumentCard | None
    name: str = ""  # as the link was written, if it names no path
    attached: bool = False


class LinkControl(QObject):
    """Opens, searches, or writes a question down; a link never asks, and opens nothing outside of the library."""

    document_requested = Signal(Target)  # show these lines
    search_requested = Signal(str)  # search for this
    question_asked = Signal(str)  # write this question into the field of the new conversation, which is shown
    notified = Signal(str)  # why a link is not followed, as a sentence

    def __init__(self, session: Callable[[], Session], parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._worker: LatestOnlyWorker[LinkResolved] = LatestOnlyWorker("link", self._on_resolved, self)
        self._worker.failed.connect(self._on_failed)

    def follow(self, text: str) -> None:
        """Do what a link asks for, or say why not."""
        try:
            link = parse_link(text)
        except LinkError as error:
            self.notified.emit(sentence(error))
            return
        session = self._session()
        match link:
            case OpenLink():
                self.open(link)
            case SearchLink(query):
                self.search_requested.emit(query)
            case AskLink(question):
                # After the stored drafts have been loaded, which would else meet the question in the field.
                session.conversations.repository.run(lambda *_: None, lambda _: self._begin(session, question))

    def open(self, link: OpenLink) -> None:
        """Show lines of a document of the library, or say that it is not there."""
        retriever = self._session().retriever
        self._worker.ask(lambda stop: _resolve(link, retriever, stop))

    @Slot(str, str)
    def open_linked(self, target: str, source: str) -> None:
        """Show the document of the library that a link in the file at `source` names, or say that it is not there."""
        retriever = self._session().retriever
        self._worker.ask(lambda stop: _resolve_name(target, Path(source), retriever, stop))

    @Slot(bytes)
    def open_attached(self, path: bytes) -> None:
        """Show a file that a conversation has attached."""
        retriever, link = self._session().retriever, OpenLink(os.fsdecode(path))
        self._worker.ask(lambda stop: _resolve(link, retriever, stop, attached=True))

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()

    def _begin(self, session: Session, question: str) -> None:
        if session is self._session():
            session.conversations.begin_new()  # the text in the field stays with its conversation
            self.question_asked.emit(question)

    @Slot(object)
    def _on_resolved(self, found: LinkResolved) -> None:
        link, card = found.link, found.card
        if card is None:
            name = one_line(found.name or file_name(link.path, link.path))
            attached = self.tr("“{0}” has no text to show")
            missing = self.tr("“{0}” is not in this library, so the link was not opened")
            self.notified.emit((attached if found.attached else missing).format(name))
            return
        target = target_of_card(card, link.first_line, link.last_line)
        if link.quote and link.first_line:
            target = replace(target, quote=link.quote, passage=link.quote, passage_first_line=link.first_line)
        if link.sha256 and link.sha256 != card.sha256:  # the viewer says that the text has changed since
            target = replace(target, sha256=link.sha256, path=link.path)
        self.document_requested.emit(target)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        self.notified.emit(sentence(error if isinstance(error, DesktopRagError) else DesktopRagError.title))


def _resolve(link: OpenLink, retriever: Retriever, stop: Stop, *, attached: bool = False) -> Generator[LinkResolved]:
    yield LinkResolved(link, retriever.lookup(link.sha256, Path(link.path), stop), attached=attached)


def _resolve_name(target: str, source: Path, retriever: Retriever, stop: Stop) -> Generator[LinkResolved]:
    name, _, heading = target.partition("#")
    name = unquote(name).strip()
    card = _linked_document(name, source, retriever, stop)
    line = 0
    if card is not None and heading:
        line = line_of_link(f"#{heading}", retriever.layout(card.content, stop).structure, card.lines)
    path = str(card.path) if card is not None and card.path else name
    yield LinkResolved(OpenLink(path, line, line), card, name)


def _linked_document(name: str, source: Path, retriever: Retriever, stop: Stop) -> DocumentCard | None:
    """Return the document at a relative path, or else the nearest one of this name, with or without its ending."""
    if not name:
        return None
    for ending in ("", ".md"):
        path = Path(os.path.normpath(source.parent / f"{name}{ending}"))
        if (card := retriever.lookup("", path, stop)) is not None:
            return card
    wanted = Path(name.casefold())
    listed = retriever.documents(DocumentQuery(wanted.stem, limit=_MOST_NAMESAKES), stop).cards
    cards = [
        (len(os.path.commonpath((card.path.parent, source.parent))), card)
        for card in listed
        if card.path is not None and wanted.name in (card.path.name.casefold(), card.path.stem.casefold())
    ]
    return max(cards, key=itemgetter(0))[1] if cards else None


# Notices on the desktop, while another program is used, of long runs and of a new library.

LONG_SECONDS = 15.0  # what took less is not worth a notice


def _is_active() -> bool:
    return QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive


class NoticeControl(QObject):
    """Decides what is worth a notice; a notice contains no text of a document."""

    run_requested = Signal(object, RunInProgress)  # show this run of this session
    window_requested = Signal()  # show the window

    def __init__(
        self,
        options: Callable[[], DesktopOptions],
        parent: QObject | None = None,
        is_active: Callable[[], bool] = _is_active,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self._options = options
        self._is_active = is_active
        self._now = now
        self._notifications = Notifications(self)
        self._new_since: dict[FolderId, float] = {}  # folders whose first files are being read
        self._known: set[FolderId] = set()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._notifications.close()

    @Slot(object, RunInProgress)
    def note_run(self, session: object, run: RunInProgress) -> None:
        """Tell of a run that has ended, or that asks about a limit."""
        seconds = self._now() - run.started_ns / 1e9 if run.started_ns else 0.0
        title = self._ending(run)
        if title and seconds >= LONG_SECONDS:
            last = run.events[-1]
            text = sentence(last.title) if isinstance(last, RunFailed) else self._after(seconds)
            if self._options().notify_question:
                text = shorten(run.question)
            self._tell(title, text, lambda: self.run_requested.emit(session, run))

    @Slot(str, str)
    def note_news(self, question: str, text: str) -> None:
        """Tell that a standing question has news."""
        shown = question if self._options().notify_question else ""
        self._tell(text, shown, self.window_requested.emit)

    @Slot(LibraryStatus)
    def note_status(self, status: LibraryStatus) -> None:
        """Tell when every word of a new folder can be searched."""
        if status is UNKNOWN:
            self._new_since.clear()
            self._known.clear()
            return
        folders = {folder.folder: folder for folder in status.folders if folder.state is not FolderState.REMOVED}
        for number, folder in folders.items():
            if number not in self._known and not folder.searchable:
                self._new_since[number] = self._now()
        self._known = set(folders)
        since = min(self._new_since.values(), default=0.0)
        done = [number for number in self._new_since if number in folders and _all_words(folders[number])]
        for number in (*done, *(self._new_since.keys() - folders.keys())):
            del self._new_since[number]
        if done and not self._new_since and self._now() - since >= LONG_SECONDS:
            files, found = (sum(getattr(each, name) for each in folders.values()) for name in ("searchable", "found"))
            some = self.tr("{0} of {1} files; the library lists the others").format(
                *map(formatting.number, (files, found))
            )
            text = some if files < found else counted(self.tr("%Ln file(s)", "", files), files)
            self._tell(self.tr("The words of your documents can be searched"), text, self.window_requested.emit)

    @Slot(Qt.ApplicationState)
    def note_state(self, state: Qt.ApplicationState) -> None:
        """Withdraw what is still shown when the user comes back."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._notifications.withdraw()

    def _ending(self, run: RunInProgress) -> str:
        """Return how a run ended as a title; empty if that is no news."""
        match run.events[-1] if run.events else None:
            case Answered(found=True):
                return self.tr("Your answer is ready")
            case Answered():
                return self.tr("No answer was found in your library")
            case RunFailed():
                return self.tr("A question could not be answered")
            case LimitAsked():
                return self.tr("A question has reached a limit and asks whether to go on")
        return ""

    def _after(self, seconds: float) -> str:
        return self.tr("After {0}").format(whole_seconds(seconds))

    def _tell(self, title: str, text: str, act: Callable[[], None]) -> None:
        if self._options().notify and not self._is_active():
            self._notifications.show(title, text, act)


def _all_words(folder: FolderStatus) -> bool:
    return 0 < folder.searchable >= readable_count(folder) and not folder.scanning


_LATER_MS = 3_000  # after the start, which has more urgent work


class LoginControl(QObject):
    """Writes or removes the entry when the setting changes; one that was removed elsewhere switches the setting off."""

    trouble = Signal(str, str)  # a title and a sentence

    def __init__(self, settings: SettingsControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._on = settings.settings.desktop.start_at_login
        self._commands = CommandQueue("start at login", self)
        self._commands.failed.connect(self._on_failed)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._later.timeout.connect(self.compare)
        settings.changed.connect(self._on_changed)

    @Slot()
    def start(self) -> None:
        """Compare later: the program may have moved, or the entry been removed by a tool of the desktop."""
        if self._on:
            self._later.start()

    @Slot()
    def compare(self) -> None:
        """Write the entry again if it is there, else switch the setting off."""

        def look() -> bool:
            there = starts_at_login()
            if there:
                set_start_at_login(on=True)
            return there

        self._commands.run(lambda _: look(), self._on_compared)

    def close(self) -> None:
        """Finish and wait for the thread."""
        self._later.stop()
        self._commands.close()

    def _on_compared(self, there: bool) -> None:  # noqa: FBT001 - the result of a command
        if not there and self._on:
            self._on = False
            settings = self._settings.settings
            self._settings.use(replace(settings, desktop=replace(settings.desktop, start_at_login=False)))

    @Slot(Settings)
    def _on_changed(self, settings: Settings) -> None:
        on = settings.desktop.start_at_login
        if on != self._on:
            self._on = on
            self._commands.run(lambda _: set_start_at_login(on=on))

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        self.trouble.emit(error.title, str(error))


class DesktopControl(QObject):
    """Links, recent documents, notices, tray, start at login, hotkey, and the system's wish for no animations."""

    search_requested = Signal(str)  # search for this
    run_requested = Signal(object, RunInProgress)  # show this run of this Session
    question_requested = Signal()  # show the question field

    def __init__(
        self,
        application: QApplication,
        window: MainWindow,
        session: Callable[[], Session],
        settings: SettingsControl,
        recent: RecentDocuments,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._language: Callable[[], str] = lambda: settings.settings.language
        self.links = LinkControl(session, parent)
        self.notices = NoticeControl(lambda: settings.settings.desktop, self)
        self.tray = TrayIcon(window)
        self.login = LoginControl(settings, self)
        self.hotkey = GlobalHotkey(self)
        self._motion = SystemMotion(self)
        self._recent = RecentMenu(
            window.menus.recent, recent, lambda: session().retriever, lambda document: self.links.open(document.link)
        )
        self._documents = PaletteDocuments(
            lambda: session().urgent_retriever,
            lambda: {document.path for document in recent.documents},
            self.links.open,
            self,
        )
        window.palette_control.opened.connect(self._documents.serve)
        window.hides_on_close = self.tray.is_shown
        self._connect(application, settings)

    def connect_parts(self, viewer: ViewerPanel, composer: Composer, status: ShownStatus, look: Look) -> None:
        """Connect the parts of the window that take part."""
        self.links.document_requested.connect(viewer.open_again)
        viewer.requests.link_followed.connect(self.links.open_linked)
        self.links.question_asked.connect(composer.set_question)
        composer.scope_row.attachment_opened.connect(self.links.open_attached)
        status.changed.connect(self.notices.note_status)
        status.changed.connect(self.tray.note_status)
        self._motion.found.connect(look.follow_motion)

    def use(self, options: DesktopOptions) -> None:
        """Apply the settings."""
        self.tray.use(shown=options.tray)
        self.hotkey.use(options.hotkey)

    def start(self) -> None:
        """Begin what can wait until the window is shown."""
        self._motion.start()
        self.login.start()
        self.note_translations()

    def note_translations(self) -> None:
        """Say that the compiled translations of a checkout are older than its texts."""
        language = window_language(self._language())
        if language != ENGLISH and is_stale(resources() / "translations", language):
            text = self.tr("Some texts are not translated: the translations are older than the program. {0}")
            self._window.show_toast(text.format("python3 packaging/dev.py setup"))

    def close(self) -> None:
        """Stop all work and wait for it."""
        self.tray.use(shown=False)
        for part in (self._recent, self._documents, self.links, self.notices, self._motion, self.login, self.hotkey):
            part.close()

    def _connect(self, application: QApplication, settings: SettingsControl) -> None:
        window, links, notices, tray = self._window, self.links, self.notices, self.tray
        links.search_requested.connect(self.search_requested)
        links.question_asked.connect(self.question_requested)
        links.notified.connect(window.show_toast)
        notices.run_requested.connect(self.run_requested)
        notices.window_requested.connect(window.bring_to_front)
        application.applicationStateChanged.connect(notices.note_state)
        tray.open_requested.connect(window.bring_to_front)
        tray.question_requested.connect(self._on_question_requested)
        tray.pause_requested.connect(window.library.pause_requested)
        tray.resume_requested.connect(window.library.resume_requested)
        tray.quit_requested.connect(window.quit)
        self.login.trouble.connect(window.show_trouble)
        self.hotkey.pressed.connect(self._on_hotkey_pressed)
        self.hotkey.refused.connect(self._on_hotkey_refused)

    @Slot()
    def _on_hotkey_pressed(self) -> None:
        self._window.bring_to_front()
        self.question_requested.emit()

    @Slot(str)
    def _on_hotkey_refused(self, keys: str) -> None:
        text = self.tr("{0} cannot be used everywhere: another program may have it. Settings → Desktop changes it.")
        self._window.show_toast(text.format(keys))

    def _on_question_requested(self) -> None:
        self._window.bring_to_front()
        self._window.conversations.new_requested.emit()
        self.question_requested.emit()


# Opens files of the viewer in other programs on request, and says so if that fails.


class ExternalPrograms(QObject):
    """Serves the requests of open documents that other programs carry out."""

    def __init__(self, requests: DocumentRequests, settings: SettingsControl, window: MainWindow) -> None:
        super().__init__(window)
        self._settings = settings
        self._window = window
        requests.external_requested.connect(self._on_external_requested)
        for folder_requested in (requests.folder_requested, settings.folder_requested):
            folder_requested.connect(self._on_folder_requested)
        requests.editor_requested.connect(self._on_editor_requested)

    @Slot(Path)
    def _on_external_requested(self, path: Path) -> None:
        if not path.exists():
            self._window.show_toast(self.tr("“{0}” is not on this computer").format(one_line(path.name)))
        elif not open_by_system(path):
            self._window.show_toast(self.tr("No program on this computer opens {0}").format(one_line(path.name)))

    @Slot(Path)
    def _on_folder_requested(self, path: Path) -> None:
        if not show_in_folder(path):
            self._window.show_toast(self.tr("{0} cannot be shown in its folder").format(one_line(path.name)))

    @Slot(Path, int)
    def _on_editor_requested(self, path: Path, line: int) -> None:
        try:
            open_in_editor(self._settings.settings.editor, path, line)
        except SettingsError as error:
            self._window.show_toast(sentence(error), self.tr("Settings…"), self._settings.open_dialog)
