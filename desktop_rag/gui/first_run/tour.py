"""A tour of the window on the sample library: six steps that point at its parts."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.paths import resources

if TYPE_CHECKING:
    from desktop_rag.gui.first_run.first_run_control import FirstRunControl

# The card of the tour: placed beside a part of the window, which is outlined, so that it covers nothing shown.

_WIDTH = 340
_GAP = 14
_RING = 3


class TourCard(QFrame):
    """Shows one step; Return shows the next, Escape leaves the tour, and what is typed goes into the question."""

    advanced = Signal()
    went_back = Signal()
    left = Signal()
    typed = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._ring = _Ring(window)
        self._window = window
        self._target: QWidget | None = None
        set_role(self, "card")
        self._count = PlainLabel("", "caption", self)
        self._title = PlainLabel("", "heading", self)
        self._text = PlainLabel("", "", self)
        self._leave = QPushButton(self.tr("Leave the tour"), self)
        self._back = QPushButton(self.tr("Back"), self)
        self._next = QPushButton(self)
        set_role(self._leave, "link")
        set_role(self._next, "primary")
        self._buttons = buttons = in_row(self._leave, STRETCH, self._back, self._next)
        in_column(
            *(self._count, self._title, self._text), buttons, on=self, margins=(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        )
        self._leave.clicked.connect(self.left)
        self._back.clicked.connect(self.went_back)
        self._next.clicked.connect(self.advanced)
        window.installEventFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a button would take the first space of a question as a click
        self.hide()

    def show_step(self, title: str, text: str, count: str, act: str, *, first: bool, last: bool = False) -> None:
        """Show a step; `follow` gives it a place."""
        self._title.setText(title)
        self._text.setText(text)
        self._count.setText(count)
        self._target = None
        self._next.setText(act)
        self._back.setVisible(not first)
        self._leave.setVisible(not last)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.show()
        self.raise_()
        self.setFocus()

    def follow(self, target: QWidget | None, *, ready: bool) -> None:
        """Move beside `target`, which may have moved or just appeared; Next is enabled if the step is `ready`."""
        if target is not None and target is not self._target:
            _reveal(target)
        self._target = target
        self._next.setEnabled(ready)
        self.place()

    def place(self) -> None:
        """Move the card beside its target, inside the window."""
        layout, window = self.layout(), self._window
        if layout is not None:
            self._buttons.invalidate()  # a new text invalidates the outer layout alone
            width = max(_WIDTH, self._buttons.sizeHint().width() + 4 * GRID + 2)  # some languages have long words
            self.setFixedSize(width, layout.totalHeightForWidth(width))
        target = self._target
        seen = target.visibleRegion().boundingRect() if target is not None else QRect()
        room = window.rect().adjusted(GRID, GRID, -GRID, -GRID)
        if target is None or seen.isEmpty():
            self._ring.hide()
            self.move(room.center() - self.rect().center())
            return
        spot = QRect(target.mapTo(window, seen.topLeft()), seen.size())
        self._ring.surround(spot)
        self.move(_beside(spot, self.size().width(), self.size().height(), room))

    def end(self) -> None:
        """Hide the card and the outline."""
        self._target = None
        self._ring.hide()
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on with Return, leave with Escape, pass on what is typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._next.click()
        elif event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return False


class _Ring(QWidget):
    """An outline that lets every click through."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def surround(self, spot: QRect) -> None:
        """Outline a part of the window."""
        away = 2 * _RING  # the line, and a gap
        self.setGeometry(spot.adjusted(-away, -away, away, away).intersected(self._window.rect()))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_colors().accent), _RING))
        inside = self.rect().adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(inside, 6, 6)
        painter.end()


def _reveal(target: QWidget) -> None:
    """Scroll to a part of the window that is out of sight."""
    above = target.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(target)
        above = above.parentWidget()


def _beside(spot: QRect, width: int, height: int, room: QRect) -> QPoint:
    """Return where a card stands free of `spot`: right, left, below, above; else over its lower right corner."""
    top = min(max(spot.top(), room.top()), room.bottom() - height)
    left = min(max(spot.left(), room.left()), room.right() - width)
    if spot.right() + _GAP + width <= room.right():
        return QPoint(spot.right() + _GAP, top)
    if spot.left() - _GAP - width >= room.left():
        return QPoint(spot.left() - _GAP - width, top)
    if spot.bottom() + _GAP + height <= room.bottom():
        return QPoint(left, spot.bottom() + _GAP)
    if spot.top() - _GAP - height >= room.top():
        return QPoint(left, spot.top() - _GAP - height)
    return QPoint(room.right() - width - _GAP, min(spot.bottom(), room.bottom()) - height - _GAP)


_SETTLE = 150  # milliseconds between two looks for the place of the step


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class TourPlaces:
    """The parts of the window that the tour points at, and what it does there; a part may not be there yet."""

    library: QWidget
    search: QWidget
    composer: QWidget
    files: QWidget
    answer: Callable[[], QWidget | None]
    timeline: Callable[[], QWidget | None]
    write_question: Callable[[str], None] = lambda _: None
    withdraw_question: Callable[[str], None] = lambda _: None  # unless it was changed
    ask: Callable[[str], None] = lambda _: None
    begin: Callable[[], None] = _nothing  # show an empty conversation


@dataclass(frozen=True, slots=True)
class _Step:
    title: str
    text: str
    target: Callable[[], QWidget | None]
    act: str = ""  # the text of the button that goes on
    before: Callable[[], None] = _nothing
    after: Callable[[], None] = _nothing
    ready: Callable[[], bool] = lambda: True  # whether one can go on


class Tour(QObject):
    """Shows the steps one after the other; it can be left at any time, and started again from the Help menu."""

    sample_requested = Signal()  # add the sample library
    ended = Signal()

    def __init__(self, places: TourPlaces, status: ShownStatus, question: str, window: QWidget) -> None:
        super().__init__(window)
        self._places = places
        self._status = status
        self._question = question
        self._window = window
        self._card: TourCard | None = None
        self._at = -1
        self._asked = False
        self._waits = False  # to know whether the library has the sample
        status.changed.connect(self._on_status)
        self.added_sample = False  # by the last start
        self._follow = QTimer(self, interval=_SETTLE)
        self._follow.timeout.connect(self._on_follow)
        self._steps: tuple[_Step, ...] = ()

    def is_running(self) -> bool:
        """Return whether a step is shown."""
        return self._at >= 0

    @Slot()
    def start(self) -> None:
        """Show the first step; the sample is added only after a question."""
        self.added_sample = False
        if self._card is None:
            self._card = TourCard(self._window)
            self._card.advanced.connect(self._on_advanced)
            self._card.went_back.connect(self._on_went_back)
            self._card.left.connect(self.leave)
            self._card.typed.connect(self._on_typed)
        self._asked = False
        self._steps = self._make_steps()
        self._places.begin()
        self._show(0)
        self._follow.start()
        self._waits = True
        self._on_status(self._status.current)

    @Slot()
    def start_with_sample(self) -> None:
        """Show the first step and add the sample, to which the user has agreed."""
        self.start()
        self._waits = False
        if not samples(self._status.current):
            self._add_sample()

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        """Ask before the sample is added, once the folders are known."""
        if not self._waits or status is UNKNOWN:
            return
        self._waits = False
        if not samples(status):
            self._steps = (self._question_step(), *self._make_steps())
            self._show(0)

    @Slot()
    def leave(self) -> None:
        """End the tour."""
        if self._card is not None:
            self._card.end()
        self._follow.stop()
        self._waits = False
        self._at = -1
        if not self._asked:
            self._places.withdraw_question(self._question)
        self._places.composer.setFocus()
        self.ended.emit()

    def _add_sample(self) -> None:
        if not self.added_sample:
            self.added_sample = True
            self.sample_requested.emit()

    def _question_step(self) -> _Step:
        return _Step(
            self.tr("Sample documents"),
            self.tr(
                "The tour asks about a few sample documents, which are added to your library. If it has folders of "
                "your own, they leave it at the end of the tour."
            ),
            lambda: self._places.library,
            self.tr("Add them and begin"),
            after=self._add_sample,
        )

    def _make_steps(self) -> tuple[_Step, ...]:
        places = self._places
        return (
            _Step(
                self.tr("Your folders"),
                self.tr(
                    "Drop a folder or a file anywhere on the window and it appears here. Words can be found first, "
                    "meaning follows. A right click pauses, explains, or sets rules."
                ),
                lambda: places.library,
            ),
            _Step(
                self.tr("Search"),
                self.tr(
                    "Searches every word of every file while you type. Quotation marks, NOT and fields such as "
                    "from: work too; the page explains them."
                ),
                lambda: places.search,
            ),
            _Step(
                self.tr("Ask"),
                self.tr("Ask in your own words. A question about the sample documents is already written here."),
                lambda: places.composer,
                self.tr("Ask it"),
                before=self._write,
                after=self._ask,
                ready=self._can_ask,
            ),
            _Step(
                self.tr("Every claim has its source"),
                self.tr(
                    "The answer grows here. Click a number such as [1]: the document opens at the very words. "
                    "Statements without a source are marked."
                ),
                places.answer,
            ),
            _Step(
                self.tr("How it was found"),
                self.tr("A click on this line shows each search and each page that was read, also while it runs."),
                places.timeline,
            ),
            _Step(
                self.tr("All files, and their problems"),
                self.tr(
                    "Lists every file, what could not be read, and why. Beside your own folders, the sample of this "
                    "tour is removed at its end; else select “sample” above and press Del."
                ),
                lambda: places.files,
                self.tr("Done"),
            ),
        )

    def _show(self, at: int) -> None:
        if not 0 <= at < len(self._steps) or self._card is None:
            self.leave()
            return
        self._at = at
        step = self._steps[at]
        step.before()
        count = self.tr("Tour, {0} of {1}").format(at + 1, len(self._steps))
        act = step.act or self.tr("Next")
        self._card.show_step(step.title, step.text, count, act, first=at == 0, last=at == len(self._steps) - 1)
        self._on_follow()

    def _write(self) -> None:
        if not self._asked:
            self._places.write_question(self._question)

    def _ask(self) -> None:
        if not self._asked:
            self._asked = True
            self._places.ask(self._question)

    def _can_ask(self) -> bool:
        return any(folder.searchable and not folder.scanning for folder in samples(self._status.current))

    @Slot()
    def _on_follow(self) -> None:
        """Keep the card beside a part that moves or appears while the answer grows."""
        if self._card is not None and 0 <= self._at < len(self._steps):
            step = self._steps[self._at]
            self._card.follow(step.target(), ready=step.ready())

    @Slot()
    def _on_advanced(self) -> None:
        self._steps[self._at].after()
        self._show(self._at + 1)

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        """End the tour for a question of the user's own."""
        self.leave()
        self._places.write_question(text)

    @Slot()
    def _on_went_back(self) -> None:
        self._show(max(0, self._at - 1))


def samples(status: LibraryStatus) -> list[FolderStatus]:
    """Return the sample library among the folders, if it is there."""
    sample = os.fsencode(resources() / "sample")
    return [folder for folder in status.folders if folder.path == sample]


# Joins the first start and the tour with the window: both act through what a user would press there.


class Introduction(QObject):
    """The first start and the tour of one window."""

    def __init__(
        self, settings: SettingsControl, status: ShownStatus, window: MainWindow, pane: ConversationPane
    ) -> None:
        super().__init__(window)
        self._settings = settings
        self._status = status
        self._window = window
        self._pane = pane
        library = window.library
        places = TourPlaces(
            library=library,
            search=library.search_button,
            composer=pane.composer,
            files=library.files_button,
            answer=self._answer,
            timeline=self._timeline,
            write_question=pane.composer.set_question,
            withdraw_question=pane.composer.withdraw_question,
            ask=self._ask,
            begin=self._begin,
        )
        self.first_run: FirstRunControl | None = None
        self.tour = Tour(places, status, sample_questions()[0], window)
        self.tour.sample_requested.connect(library.sample_requested)
        self.tour.ended.connect(self._on_tour_ended)
        window.menus.tour.triggered.connect(self.tour.start)

    def offer(self) -> None:
        """Show the first start to a new user; existing users never see it, and do not wait for its code."""
        if not self._settings.is_new or self._settings.settings.introduced:
            return
        from desktop_rag.gui.first_run.first_run_control import FirstRunControl

        self.first_run = FirstRunControl(self._settings, self._status, self._window)
        self.first_run.folders_chosen.connect(self._window.library.folders_dropped)
        self.first_run.sample_chosen.connect(self._window.library.sample_requested)
        self.first_run.tour_chosen.connect(self.tour.start_with_sample)
        self.first_run.offer()

    def close(self) -> None:
        """Stop all work and wait for it."""
        if self.first_run is not None:
            self.first_run.close()

    @Slot()
    def _begin(self) -> None:
        """Show an empty conversation and the sidebar."""
        self._window.menus.show_sidebar.setChecked(True)
        self._window.conversations.new_requested.emit()

    @Slot(str)
    def _ask(self, question: str) -> None:
        self._pane.composer.set_question("")
        self._pane.composer.question_asked.emit(question)

    @Slot()
    def _on_tour_ended(self) -> None:
        """Remove the sample library that the tour has added to the user's folders, which can be undone."""
        added = samples(self._status.current) if self.tour.added_sample else []
        if added and len(self._status.current.folders) > len(added):
            self._window.library.remove_requested.emit(added[0].folder)

    def _turn(self) -> TurnView | None:
        turns = self._pane.view.turns
        return turns[-1] if turns else None

    def _answer(self) -> QWidget | None:
        turn = self._turn()
        return turn.answer if turn is not None else None

    def _timeline(self) -> QWidget | None:
        turn = self._turn()
        return turn.timeline.header if turn is not None else None
