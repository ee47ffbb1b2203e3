"""Decides what an empty conversation shows from the status of the library and the settings."""

import os
from functools import cache

from PySide6.QtCore import QObject, Slot

from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.welcome import Welcome
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.paths import resources


@cache
def sample_questions() -> tuple[str, ...]:
    """Return the questions that the sample library answers; the demo asks the first one."""
    return tuple((resources() / "sample_questions.txt").read_text(encoding="utf-8").splitlines())


def welcome_for(status: LibraryStatus, *, has_model: bool) -> Welcome:
    """Return what an empty conversation shows."""
    folders = status.folders
    sample = os.fsencode(resources() / "sample")
    return Welcome(
        has_documents=any(folder.searchable for folder in folders),
        has_model=has_model,
        examples=sample_questions() if [folder.path for folder in folders] == [sample] else (),
        is_reading=any(folder.scanning or folder.found > folder.left_out for folder in folders),
        is_missing=status.missing,
        is_opening=status is UNKNOWN,
        is_held=status.phase is IndexingPhase.PAUSED,
    )


class WelcomeControl(QObject):
    """Keeps the welcome of the conversation view up to date."""

    def __init__(
        self, view: ConversationView, status: ShownStatus, settings: SettingsControl, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._status = status
        self._settings = settings
        status.changed.connect(self._refresh)
        settings.changed.connect(self._refresh)
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        settings = self._settings.settings  # who chose the built-in model beside others needs no advice
        self._view.set_welcome(welcome_for(self._status.current, has_model=bool(settings.profiles)))
