"""The footer of the library panel: current activity, time left, and trouble."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QDateTime, QPoint, QTime, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import new_command
from desktop_rag.gui.formatting import counted, tool_tip
from desktop_rag.gui.library_status import ShownStatus, is_paused, waiting_for
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, scaled, set_role
from desktop_rag.gui.widgets.layouts import LEFT, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label, PlainLabel
from desktop_rag.index.indexer_api import Hold, IndexingPhase, LibraryStatus, Schedule, WorkTime
from desktop_rag.text.display import one_line, shown_name, shown_path

# The menu of the background work of a library: pause it for a while, and choose when it runs.

_MENU_HOUR = 3_600
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
        self._pause_until(self._now().addSecs(_MENU_HOUR))

    def _pause_until_tomorrow(self) -> None:
        self._pause_until(QDateTime(self._now().date().addDays(1), _MORNING))

    def _pause_until(self, moment: QDateTime) -> None:
        self.schedule_chosen.emit(replace(self._schedule, paused_until=float(moment.toSecsSinceEpoch())))


# The remaining time of a long job in round words that do not jump.

_SMOOTHING_SECONDS = 30.0  # time constant of the moving average of the estimates
_KEEP_FACTOR = 1.5  # the shown words stay while the estimate is within this factor of them
_MINUTE, _HOUR = 60.0, 3600.0
_MINUTES, _HOURS = (1, 2, 3, 5, 10, 15, 20, 30, 45), (1, 2, 3, 5, 8, 12, 24)
_ROUND = (15.0, 30.0, *(n * _MINUTE for n in _MINUTES), *(n * _HOUR for n in _HOURS))
_LONGEST = 18 * _HOUR


class TimeLeft:
    """Smooths the estimates of one job, which vary with every file, and rounds them generously."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end: float | None = None  # the smoothed moment at which the job ends
        self._updated = 0.0
        self._shown = 0.0

    def reset(self) -> None:
        """Forget the job: it has ended or is paused."""
        self._end = None

    def words(self, seconds: float) -> str:
        """Return the words for the newest estimate, like "about half an hour"."""
        now = self._clock()
        if self._end is None:
            self._end, self._shown = now + seconds, 0.0
        else:
            weight = 1 - math.exp(-(now - self._updated) / _SMOOTHING_SECONDS)
            self._end += weight * (now + seconds - self._end)
        self._updated = now
        left = max(0.0, self._end - now)
        if not self._shown or not self._shown / _KEEP_FACTOR <= left <= self._shown * _KEEP_FACTOR:
            self._shown = min(_ROUND, key=lambda known: abs(math.log(known / max(1.0, left))))
        return _named(self._shown)


def _named(seconds: float) -> str:
    known = {
        15.0: _tr("a few seconds"),
        30.0: _tr("about half a minute"),
        _MINUTE: _tr("about a minute"),
        15 * _MINUTE: _tr("about a quarter of an hour"),
        30 * _MINUTE: _tr("about half an hour"),
        _HOUR: _tr("about an hour"),
    }
    if seconds in known:
        return known[seconds]
    if seconds > _LONGEST:
        return _tr("about a day or more")
    if seconds > _HOUR:
        return _tr("about {0} hours").format(round(seconds / _HOUR))
    return _tr("about {0} minutes").format(round(seconds / _MINUTE))


def _tr(text: str) -> str:
    return QCoreApplication.translate("TimeLeft", text)


_LOW = 560  # pixels


class LibraryFooter(QWidget):
    """Two lines and a pause button; a third line appears only when something is wrong."""

    resume_requested = Signal()  # resume all indexing
    engine_asked = Signal()  # explain how to install OCR

    def __init__(self, status: ShownStatus, work: WorkMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._paused = self._is_idle = False
        self._doing = ElidedLabel(self)
        self._pace = PlainLabel("", "caption", self).fit_height()
        self._time_left = TimeLeft()
        set_role(self._doing, "caption")
        self._pause = icons.IconButton("pause", self.tr("Pause or schedule reading"), self)
        self._scans = PlainLabel("", "caption", self).fit_height()
        self._engine = QPushButton(self.tr("How to fix it…"), self)
        self._unread_pages = 0  # that are pictures of text
        self._unread = QWidget(self)
        self._unread.hide()
        self._alarm = QFrame(self)
        set_role(self._alarm, "alarm")
        self._trouble = Label(parent=self._alarm)
        self._trouble.setWordWrap(True)
        self._alarm.hide()
        self._arrange()
        self._pause.clicked.connect(self._on_pause_clicked)
        self._engine.clicked.connect(self.engine_asked)
        status.changed.connect(self._on_status)

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        self._paused = is_paused(status)
        if self._paused or status.phase is IndexingPhase.IDLE:
            self._time_left.reset()
        doing = self._doing_of(status)
        self._doing.show_text(doing)
        self._is_idle = status.phase is IndexingPhase.IDLE and not self._paused
        pace = self._pace_of(status)
        self._pace.setText(pace)
        self._pace.setVisible(bool(pace))
        self.setToolTip(tool_tip(shown_path(status.current_file)))
        self._scans.setText(self._scans_of(status))
        self._unread_pages = status.unread_pages
        self._unread.setVisible(bool(self._scans_of(status)))
        self._pause.setVisible(self._paused or status.phase is not IndexingPhase.IDLE)
        self._pause.set_icon_name("play" if self._paused else "pause")
        held = status.hold in (Hold.IDLE, Hold.MAINS)
        resume = self.tr("Work now all the same") if held else self.tr("Resume reading")
        self._pause.set_label(resume if self._paused else self.tr("Pause or schedule reading"))
        trouble = one_line(sentence(status.trouble))
        self._trouble.setText(trouble)
        self._trouble.setAccessibleName(trouble)
        self._alarm.setVisible(bool(status.trouble))
        self._give_way()
        self._keep_height()

    def _keep_height(self) -> None:
        """Keep the height of all sentences at this width, of half the window at most."""
        layout = self.layout()
        if layout is not None:
            wanted = min(layout.heightForWidth(self.width()), self.window().height() // 2)
            self.setMinimumHeight(max(0, wanted))

    def _is_low(self) -> bool:
        """Return whether the window is so low that the folders need the room; the status line says the same."""
        return self.window().height() < scaled(_LOW)

    def _give_way(self) -> None:
        low = self._is_low()
        self._scans.setHidden(low)
        without_text = self.tr("{0} without text…").format(self._pages(self._unread_pages))
        has_room = self._engine.fontMetrics().horizontalAdvance(without_text) + 8 * GRID <= self.width()
        self._engine.setText(without_text if low and has_room else self.tr("How to fix it…"))
        self._engine.setToolTip("" if not low else tool_tip(without_text))
        self._doing.setVisible(bool(self._doing.accessibleName()) and not (self._is_idle and self._is_low()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._keep_height()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Give way to the folders in a low window: the height of the window is in the place of this row."""
        super().moveEvent(event)
        self._give_way()
        self._keep_height()

    def status_text(self) -> str:
        """Return the text of both lines on one line."""
        parts = (self._trouble.text(), self._doing.accessibleName(), self._pace.text(), self._scans.text())
        return " · ".join(part for part in parts if part)

    def _doing_of(self, status: LibraryStatus) -> str:
        if status.forgetting:
            return self.tr("Overwriting forgotten text")
        match IndexingPhase.PAUSED if self._paused else status.phase:
            case IndexingPhase.IDLE:
                known = status.folders and not status.not_added  # of a team's library its writer alone knows
                return self.tr("Up to date") if known and not status.trouble else ""
            case IndexingPhase.SCANNING:
                return self.tr("Looking for changes")
            case IndexingPhase.READING:
                return self.tr("Reading {0}").format(shown_name(status.current_file)).rstrip()
            case IndexingPhase.LINKING:
                return self.tr("Finding what belongs together")
            case IndexingPhase.ENCODING:
                return self._left_of(status) or self.tr("Words can be found, meaning follows")
            case IndexingPhase.RECOGNISING:
                return self.tr("Reading text in pictures")
            case IndexingPhase.PAUSED:
                return waiting_for(status) or self.tr("Reading is paused")

    def _scans_of(self, status: LibraryStatus) -> str:
        """Return a note if pages need OCR and no OCR engine is installed."""
        if not status.unread_pages or status.engine:
            return ""
        return self.tr("{0} without text – scans or pictures").format(self._pages(status.unread_pages))

    def _pages(self, count: int) -> str:
        return counted(self.tr("%Ln page(s)", "", count), count)

    def _pace_of(self, status: LibraryStatus) -> str:
        if self._paused and status.hold is not Hold.NONE:
            return self._left_of(status)
        if self._paused or status.phase is IndexingPhase.IDLE:
            return ""
        if status.phase is IndexingPhase.RECOGNISING and status.unread_pages:
            return self.tr("{0} left").format(self._pages(status.unread_pages))
        parts: list[str] = []
        if status.phase is IndexingPhase.LINKING and status.links_left:
            passages = counted(self.tr("%Ln passage(s)", "", status.links_left), status.links_left)
            parts.append(self.tr("{0} left").format(passages))
        if status.phase is IndexingPhase.ENCODING and status.sentences_total:
            percent = min(99, status.sentences_ready * 100 // status.sentences_total)
            parts.append(self.tr("Meaning {0} %").format(percent))
        if status.eta_seconds is not None:
            parts.append(self._time_left.words(status.eta_seconds))
        return ", ".join(parts)

    def _left_of(self, status: LibraryStatus) -> str:
        """Return what cannot be found yet while the work waits."""
        if status.waiting_files:
            text = self.tr("The words of %Ln file(s) cannot be found yet", "", status.waiting_files)
            return counted(text, status.waiting_files)
        return self.tr("Words can be found, meaning follows") if status.sentences_ready < status.sentences_total else ""

    def _arrange(self) -> None:
        row = in_row((in_column(self._doing, self._pace, spacing=2), 1), self._pause)
        in_column(self._trouble, on=self._alarm, spacing=None, margins=GRID)
        # one below the other: the sentence has the whole width
        in_column(self._scans, (self._engine, LEFT), on=self._unread, spacing=GRID // 2, margins=(0, 0, GRID, 0))
        in_column(self._alarm, row, self._unread, on=self, margins=(2 * GRID, GRID, GRID, GRID))

    def _on_pause_clicked(self) -> None:
        if self._paused:
            self.resume_requested.emit()
        else:
            self._work.popup(self._pause.mapToGlobal(QPoint(0, -self._work.sizeHint().height())))
