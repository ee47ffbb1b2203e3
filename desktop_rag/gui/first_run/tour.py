"""A tour of the window on the sample library: six steps that point at its parts."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.first_run.tour_card import TourCard
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.paths import resources

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
