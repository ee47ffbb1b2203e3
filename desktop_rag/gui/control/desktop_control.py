"""Connects the window with the desktop around it."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.catalogues import ENGLISH, is_stale, window_language
from desktop_rag.gui.commands.palette_documents import PaletteDocuments
from desktop_rag.gui.control.link_control import LinkControl
from desktop_rag.gui.control.notice_control import NoticeControl
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.desktop.global_hotkey import GlobalHotkey
from desktop_rag.gui.desktop.login_start import set_start_at_login, starts_at_login
from desktop_rag.gui.desktop.system_motion import SystemMotion
from desktop_rag.gui.desktop.tray_icon import TrayIcon
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.recent_documents import RecentDocuments
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.window.main_menus import RecentMenu
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.gui.window.sessions import Session
from desktop_rag.paths import resources
from desktop_rag.settings import DesktopOptions, Settings

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
        composer.attachment_opened.connect(self.links.open_attached)
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
