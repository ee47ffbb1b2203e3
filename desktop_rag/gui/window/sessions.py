"""Which library the window shows, and the other libraries in which a run is still in progress."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktop_rag.errors import DesktopRagError, LibraryError, LibraryMissing
from desktop_rag.gui.formatting import library_name
from desktop_rag.gui.window.session import Session
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock
from desktop_rag.index.libraries import KnownLibrary, Libraries

if TYPE_CHECKING:
    from desktop_rag.gui.window.instance_server import InstanceServer

logger = logging.getLogger(__name__)

HANDOVER_SECONDS = 1.0  # for a window that already shows another library
_LATER = Qt.ConnectionType.QueuedConnection


@dataclass(frozen=True, slots=True)
class _Open:
    """A library that is open in this process; no other window may show it."""

    session: Session
    lock: WindowLock
    server: "InstanceServer"


class Sessions(QObject):
    """Switches between libraries; a library with a run in progress stays open until the run ends."""

    leaving = Signal()  # the open library is about to be left
    shown = Signal(object)  # the Session that is now shown
    trouble = Signal(str, str)  # a title and a sentence
    notified = Signal(str)  # a sentence for a toast
    second_started = Signal(object)  # the InstanceRequest of a second start for the shown library

    def __init__(
        self, make: Callable[[KnownLibrary], Session], libraries: Libraries, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make = make
        self._libraries = libraries
        self._open: dict[Path, _Open] = {}
        self._current: Session | None = None

    @property
    def current(self) -> Session:
        """Return the shown session; `show` must have been called."""
        assert self._current is not None
        return self._current

    def show(self, known: KnownLibrary, lock: WindowLock | None = None) -> bool:
        """Show a library (with its `lock` if already held); return False if another window shows it."""
        if self._current is not None and self._current.known.folder == known.folder:
            return True
        lock = lock or WindowLock(known.library)
        if known.folder not in self._open and not (lock.acquire() or self._is_closed(known, lock)):
            return False
        known = self._used(known)
        self._leave()
        opened = self._open.get(known.folder) or self._opened(known, lock)
        self._current = opened.session
        opened.session.start()
        self.shown.emit(opened.session)
        return True

    def busy(self) -> tuple[Session, ...]:
        """Return the hidden sessions with a run in progress."""
        return tuple(opened.session for opened in self._open.values() if opened.session is not self._current)

    def close(self) -> None:
        """Stop all work in all libraries and wait for it."""
        for opened in tuple(self._open.values()):
            self._close(opened)

    def _opened(self, known: KnownLibrary, lock: WindowLock) -> _Open:
        from desktop_rag.gui.window.instance_server import (
            InstanceServer,  # imports Qt's network module, which the first paint does not need
        )

        opened = _Open(self._make(known), lock, InstanceServer(known.library, self))
        opened.server.second_started.connect(self._on_second_start)
        opened.server.open()
        opened.session.runs_finished.connect(self._on_runs_finished, _LATER)
        self._open[known.folder] = opened
        return opened

    def _used(self, known: KnownLibrary) -> KnownLibrary:
        """Create a library if allowed and remember it as the last used; a missing one is shown too."""
        try:
            return self._libraries.use(known)
        except LibraryMissing:
            logger.warning("a library is missing")
        except (LibraryError, OSError) as error:
            sentence = str(error) if isinstance(error, DesktopRagError) else _unwritable(known, error)
            self.trouble.emit(LibraryError.title, sentence)
        return known

    def _leave(self) -> None:
        before, self._current = self._current, None
        if before is None:
            return
        self.leaving.emit()
        before.leave()
        if before.conversations.is_busy():
            self.notified.emit(self.tr("“{0}” is still being answered").format(before.conversations.running_question()))
        else:
            self._close(self._open[before.known.folder])

    def _close(self, opened: _Open) -> None:
        del self._open[opened.session.known.folder]
        opened.server.close()
        opened.session.close()
        opened.lock.release()
        for part in (opened.server, opened.session):
            part.deleteLater()

    def _is_closed(self, known: KnownLibrary, lock: WindowLock) -> bool:
        """Raise the window that shows a library; return whether it was closed meanwhile, so that we hold its `lock`."""
        from desktop_rag.gui.window.instance_server import Handover, hand_over

        name = library_name(known.name)
        if hand_over(Handover(known.library), HANDOVER_SECONDS, lock.acquire):
            self.notified.emit(self.tr("“{0}” is open in another window").format(name))
            return False
        if lock.acquire():
            return True
        sentence = self.tr("“{0}” is open in another window, which does not answer.").format(name)
        self.trouble.emit(LibraryError.title, sentence)
        return False

    @Slot(object)
    def _on_runs_finished(self, session: Session) -> None:
        opened = self._open.get(session.known.folder)
        if session is not self._current and opened is not None and not session.conversations.is_busy():
            self._close(opened)

    @Slot(object)
    def _on_second_start(self, request: InstanceRequest) -> None:
        server = self.sender()
        opened = next((opened for opened in self._open.values() if opened.server is server), None)
        if opened is not None and self.show(opened.session.known):
            self.second_started.emit(request)


def _unwritable(known: KnownLibrary, error: OSError) -> str:
    return (
        f"The library in {known.folder} cannot be written ({error.strerror or error}). What is in it can be searched."
    )
