"""The menu of the background work of a library: pause it for a while, and choose when it runs."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QDateTime, QTime, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import new_command
from desktop_rag.index.indexer_api import LibraryStatus, Schedule, WorkTime

_HOUR = 3_600
_MORNING = QTime(6, 0)


class WorkMenu(QMenu):
    """Reports what the user chose; `show_status` checks the schedule in use."""

    pause_requested = Signal()  # until it is resumed
    schedule_chosen = Signal(Schedule)

    def __init__(self, parent: QWidget, now: Callable[[], QDateTime] = QDateTime.currentDateTime) -> None:
        super().__init__(parent)
        self._now = now
        self._schedule = Schedule()
        self.setTitle(self.tr("Background work"))
        self._add("pause", self.tr("Pause reading"), "Ctrl+J, P", self.pause_requested.emit)
        self._add("pauseHour", self.tr("Pause for an hour"), "Ctrl+J, H", self._pause_for_an_hour)
        self._add("pauseDay", self.tr("Pause until tomorrow morning"), "Ctrl+J, M", self._pause_until_tomorrow)
        self.addSeparator()
        group = QActionGroup(self)
        self._times: dict[WorkTime, QAction] = {}
        for when, text, keys in (
            (WorkTime.ALWAYS, self.tr("Work at any time"), "Ctrl+J, A"),
            (WorkTime.IDLE, self.tr("Work only while the computer is idle"), "Ctrl+J, I"),
            (WorkTime.MAINS, self.tr("Work only on mains power"), "Ctrl+J, W"),
        ):
            action = self._add(f"work{when.value.capitalize()}", text, keys, partial(self._choose, when))
            action.setCheckable(True)
            group.addAction(action)
            self._times[when] = action
        self._times[WorkTime.ALWAYS].setChecked(True)

    def commands(self) -> tuple[QAction, ...]:
        """Return the commands."""
        return tuple(action for action in self.actions() if not action.isSeparator())

    def show_status(self, status: LibraryStatus) -> None:
        """Check the schedule of the open library."""
        self._schedule = status.schedule
        self._times[status.schedule.when].setChecked(True)
        for action in self.commands():  # nothing is read here for a library to which nothing can be added
            action.setEnabled(not status.not_added)
            action.setWhatsThis(sentence(status.not_added))

    def _add(self, name: str, text: str, keys: str, act: Callable[..., None]) -> QAction:
        action = new_command(self, name, text, keys, act)
        self.addAction(action)
        return action

    def _choose(self, when: WorkTime) -> None:
        self.schedule_chosen.emit(replace(self._schedule, when=when))

    def _pause_for_an_hour(self) -> None:
        self._pause_until(self._now().addSecs(_HOUR))

    def _pause_until_tomorrow(self) -> None:
        self._pause_until(QDateTime(self._now().date().addDays(1), _MORNING))

    def _pause_until(self, moment: QDateTime) -> None:
        self.schedule_chosen.emit(replace(self._schedule, paused_until=float(moment.toSecsSinceEpoch())))
