"""Asks before the first question is sent to a host."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.settings import Settings
from desktop_rag.text.display import one_line


class HostDialog(ActionDialog):
    """Names the host and what it receives; Escape and Cancel send nothing."""

    def __init__(self, host: str, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        shown = one_line(host)
        self.setWindowTitle(self.tr("Send questions to {0}?").format(shown))
        self.act.setText(self.tr("Send"))
        set_role(self.act, "primary")
        self._cancel.setFocus()
        what = self.tr(
            "{0} is another computer. It receives your questions and the passages that are read to answer them."
        )
        rules = self.tr("What is never sent, and what was sent, is in the settings under Privacy. You are asked once.")
        self.arrange(self.words(what.format(shown)), self.words(rules, "muted"))


@dataclass(frozen=True, slots=True)
class _Asked:
    host: str
    allowed: Callable[[], None]
    refused: Callable[[], None]


class HostConfirmation(QObject):
    """Holds a question back until its host is allowed."""

    confirmed = Signal(str)  # the host that the user allows

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._asked: _Asked | None = None

    def asks(self, settings: Settings, allowed: Callable[[], None], refused: Callable[[], None]) -> bool:
        """Ask about the host of the chosen profile and call one of the functions; return False if it is not new."""
        profile = settings.profile()
        if profile is None:
            return False
        from desktop_rag.agent.gate.guarded_chat import host_of, needs_confirmation
        from desktop_rag.errors import ModelUnreachable

        try:
            host = host_of(profile) if needs_confirmation(profile, settings.privacy) else ""
        except ModelUnreachable:  # the run says so
            return False
        if not host:
            return False

        self._asked = _Asked(host, allowed, refused)
        dialog = HostDialog(host, self._window)
        dialog.accepted.connect(self._on_accepted)
        dialog.rejected.connect(self._on_rejected)
        dialog.open()
        return True

    @Slot()
    def _on_accepted(self) -> None:
        asked, self._asked = self._asked, None
        if asked is not None:
            self.confirmed.emit(asked.host)
            asked.allowed()

    @Slot()
    def _on_rejected(self) -> None:
        asked, self._asked = self._asked, None
        if asked is not None:
            asked.refused()
