"""A second start hands its request to the window that shows the library; one that does not answer may be ended."""

import logging
import sys
from collections.abc import Callable
from enum import Enum

import psutil
from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.gui.theme.theme import Look, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.window.instance_server import Handover, hand_over
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock
from desktop_rag.index.library import Library
from desktop_rag.settings import usable_settings

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 4.0  # before the user is told; the dialog goes away when the window answers after all
_LOOK_MILLISECONDS = 500


class WindowState(Enum):
    """What has become of the other window."""

    SILENT = "it does not answer"
    ANSWERED = "it has taken the request"
    CLOSED = "it has released the library"


class HungWindowDialog(ActionDialog):
    """Stays until the user leaves it or the other window answers or ends; `state` is then what `look` said last.

    `holder` is the process of the other window, None if it is not known: then it cannot be ended from here.
    """

    def __init__(
        self, look: Callable[[], WindowState], holder: psutil.Process | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(self.tr("Desktop RAG does not answer"), self.tr("End it and start anew"), parent)
        self.state = WindowState.SILENT
        self._look, self._holder = look, holder
        self.arrange(
            self.words(self.tr("The library is open in another window, which does not answer. It may be busy.")),
            self.words(
                self.tr(
                    "Wait a moment: this start goes on when it answers. Or end it: questions in progress stop, "
                    "everything that was stored stays."
                ),
                "muted",
            ),
        )
        self.act.clicked.disconnect(self.accept)
        self.act.clicked.connect(self._on_act_clicked)
        self.act.setVisible(holder is not None)
        set_role(self.act, "danger")
        timer = QTimer(self)
        timer.timeout.connect(self._on_look)
        timer.start(_LOOK_MILLISECONDS)

    @Slot()
    def _on_look(self) -> None:
        self.state = self._look()
        if self.state is not WindowState.SILENT:
            self.accept()

    @Slot()
    def _on_act_clicked(self) -> None:
        self.act.setEnabled(False)
        if self._holder is not None and self._holder.is_running():  # never another process with its number
            self._holder.kill()


def leave_to_other_window(
    application: QApplication, library: Library, request: InstanceRequest, lock: WindowLock
) -> int | None:
    """Hand the folders and the link to the window that already shows the library; return the exit code.

    Return None once that window is closed: this process then holds the `lock` and shows the library itself.
    """
    handover = Handover(library, request)
    if hand_over(handover, PATIENCE_SECONDS, lock.acquire):
        return 0
    if lock.acquire():
        return None
    logger.warning("the other window does not answer")

    def look() -> WindowState:
        if handover.answered():
            return WindowState.ANSWERED
        return WindowState.CLOSED if lock.acquire() else WindowState.SILENT

    settings, holder = usable_settings(), lock.holder()
    dialog = HungWindowDialog(look, psutil.Process(holder) if holder else None)
    Look(application, dialog).use(settings.theme, settings.font_percent, settings.density, settings.desktop)
    dialog.exec()  # and it is deleted, with its look
    match dialog.state:
        case WindowState.ANSWERED:
            return 0
        case WindowState.CLOSED:
            return None
    sys.stderr.write(f"The library in {library.folder} is open in another window, which does not answer.\n")
    return 1
