"""The instrumented window: plays one situation after another and prints its heartbeat as JSON.

A 4 ms timer ticks on the window's event loop; a longer time between two ticks means that something blocked the loop.
`bench window` starts this (`python -m`) and reads one line per situation.
"""

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget

from benchmarks.libraries.conversation_situations import ASKED, LONG, Script, exporting, reading_up, switching
from benchmarks.libraries.endpoint import TABLE_QUESTION
from desktop_rag.agent.events import AgentEvent, Answered, Citation
from desktop_rag.app import App, run_window
from desktop_rag.gui.command_palette import CommandPalette
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.gui.files.files_table import FilesTable
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer_requests import CardRequest
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import ContentId
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.api import DocumentCard
from desktop_rag.settings import Theme, load
from desktop_rag.stop import Stop

BEAT_MILLISECONDS = 4
LONGEST_SECONDS = 180.0  # timeout of a situation's condition
SETTLE_SECONDS = 1.0  # for work that a situation leaves behind, which belongs to it
_MOST_DOCUMENTS = 12
KEY_SECONDS, MOVE_SECONDS, THEME_SECONDS = 0.03, 0.04, 0.8
SEARCH_KEY_SECONDS, LOOK_SECONDS = 0.13, 0.25
QUERIES = ("rent of the boat house", "who pays", '"boat house" OR wat*', "ext:md rent", "(rent AND bo")
WORDS = "what is the rent of the boat house and who pays it until the end of the year "


class _Clock:
    """Reads the usage of the window's thread so far, in milliseconds: (time, CPU time, waiting for a free core)."""

    def __init__(self) -> None:
        # Linux reports how long a runnable thread waited because of other programs.
        statistics = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._statistics = statistics.open("rb", buffering=0) if statistics.exists() else None

    def now(self) -> tuple[float, float, float]:
        """Return the three times."""
        return time.perf_counter() * 1e3, time.thread_time() * 1e3, self._waited()

    def _waited(self) -> float:
        if self._statistics is None:
            return 0.0
        self._statistics.seek(0)
        return int(self._statistics.read().split()[1]) / 1e6


@dataclass(slots=True)
class Situation:
    """The beats of one situation: (milliseconds between two, CPU of the window's thread, waiting for a core) each."""

    situation: str
    beats: list[tuple[float, float, float]] = field(default_factory=list)

    def report(self) -> dict[str, object]:
        """Return the JSON output."""
        return {"situation": self.situation, "beats": [[round(value, 2) for value in beat] for beat in self.beats]}


class WindowProbe(QObject):
    """Plays a script on the running window, one step per beat."""

    def __init__(self, app: App, library: Path, big: Path | None, seconds: float) -> None:
        super().__init__(app)
        self._app = app
        self._library = library
        self._big = big
        self._seconds = seconds
        self._status: LibraryStatus | None = None
        self._answers = 0
        self._citations: tuple[Citation, ...] = ()  # of the last answer that has any
        self._now: Situation | None = None
        self._script = self._play()
        app.status.changed.connect(self._on_status)
        app.conversations.answered.connect(self._on_answered)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)
        self._clock = _Clock()
        self._last = self._clock.now()

    def start(self) -> None:
        """Start the heartbeat."""
        self._timer.start(BEAT_MILLISECONDS)

    @Slot(object)
    def _on_status(self, status: LibraryStatus) -> None:
        self._status = status

    @Slot(object)
    def _on_answered(self, answered: AgentEvent) -> None:
        self._answers += 1
        if isinstance(answered, Answered) and answered.citations:
            self._citations = answered.citations

    @Slot()
    def _on_beat(self) -> None:
        now, last = self._clock.now(), self._last
        if self._now is not None:
            self._now.beats.append((now[0] - last[0], now[1] - last[1], now[2] - last[2]))
        self._last = now  # from the start of this beat: the script's work is part of the next gap
        if next(self._script, self) is self:
            self._timer.stop()
            self._app.window.close()
            QApplication.exit(0)

    @contextmanager
    def _situation(self, name: str) -> Generator[None]:
        """Record the beats inside the block, and print them."""
        self._now = Situation(name)
        try:
            yield
        finally:
            say(self._now.report())
            self._now = None

    # The script: each `yield` waits for the next beat

    def _play(self) -> Script:
        self._app.window.resize(1440, 900)
        self._app.library.add_sample()
        yield from self._until_ready()
        yield from self._rest(2 * SETTLE_SECONDS)
        with self._situation("idle"):
            yield from self._rest(self._seconds)
        with self._situation("first Settings"):
            self._app.window.settings_requested.emit()
            yield from self._rest(2 * SETTLE_SECONDS)
            self._close_dialogs()
            yield from self._rest(SETTLE_SECONDS)
        with self._situation("first question, built-in"):
            yield from self._question(sample_questions()[0])
        yield from self._endpoint()
        with self._situation("theme switch"):
            for theme in (Theme.DARK, Theme.LIGHT, Theme.DARK, Theme.LIGHT):
                self._app.window.theme_chosen.emit(theme)
                yield from self._rest(THEME_SECONDS)
        with self._situation("typing"):
            yield from self._typing()
        with self._situation("scrolling"):
            yield from self._scrolling()
        with self._situation("searching as you type"):
            yield from self._searching()
        with self._situation("previewing hits"):
            yield from self._looking()
        self._app.window.question_requested.emit()
        documents = _documents(self._library)
        yield  # reading them is not part of a situation
        with self._situation("opening documents"):
            yield from self._opening(documents)
        with self._situation("scrolling documents"):
            yield from self._leafing()
        with self._situation("citation card"):
            yield from self._cards()
        with self._situation("switch of conversation"):
            yield from switching(self._app, self._rest, ASKED)
        with self._situation("a conversation of 10,000 messages"):
            for opened in (yield from switching(self._app, self._rest, LONG)):
                say({"opened": opened})
            yield from reading_up(self._app, self._rest)
        self._app.conversations.open(ASKED)
        yield from self._rest(SETTLE_SECONDS)
        with self._situation("export dialog"):
            yield from exporting(self._app, self._rest)
        with self._situation("command palette"):
            yield from self._commanding()
        with self._situation("list of files"):
            yield from self._listing()
        self._app.window.question_requested.emit()
        yield from self._while_indexing()

    def _endpoint(self) -> Script:
        """Ask the first endpoint of the settings twice: the first request loads the client code."""
        profiles = load(settings_file()).profiles
        if not profiles:
            return
        self._app.pane.composer.profile_chosen.emit(profiles[0].name)
        yield from self._rest(SETTLE_SECONDS)
        with self._situation("first answer from an endpoint"):
            yield from self._question("What do my documents say?")
        with self._situation("a streaming answer"):
            yield from self._question("And what else?")
        self._app.conversations.begin_new()
        with self._situation("a streaming table"):
            yield from self._question(TABLE_QUESTION)
        self._app.conversations.open(ASKED)
        yield from self._rest(SETTLE_SECONDS)
        self._app.pane.composer.profile_chosen.emit("")

    def _while_indexing(self) -> Script:
        if self._big is None:
            return
        with self._situation("a folder dropped and indexed"):
            self._app.window.library.folders_dropped.emit((os.fsencode(self._big),))
            yield from self._rest(self._seconds)
        with self._situation("typing while indexing"):
            yield from self._typing()
        with self._situation("searching while indexing"):
            yield from self._searching()
        self._app.window.question_requested.emit()
        with self._situation("resizing while indexing"):
            yield from self._resizing()
        with self._situation("a question while indexing"):
            yield from self._question(sample_questions()[-1])
        say({"busy": self._status is not None and self._status.phase is not IndexingPhase.IDLE})

    def _until_ready(self) -> Script:
        yield from self._until(self._ready)

    def _ready(self) -> bool:
        status = self._status
        if status is None or status.phase is not IndexingPhase.IDLE or not status.folders:
            return False
        return all(not f.scanning and f.ready + f.left_out == f.found > 0 for f in status.folders)

    def _question(self, question: str) -> Script:
        before = self._answers
        self._app.pane.composer.question_asked.emit(question)
        yield from self._until(lambda: self._answers > before)
        yield from self._rest(SETTLE_SECONDS)

    def _typing(self) -> Script:
        entry = self._app.pane.composer.findChild(QuestionField)
        assert entry is not None
        until = time.monotonic() + self._seconds
        while time.monotonic() < until:
            yield from self._write(entry, WORDS, KEY_SECONDS)
            entry.clear()

    def _searching(self) -> Script:
        """Type queries slowly enough for hits and counts to arrive between the letters."""
        self._app.window.search_requested.emit()
        field = self._app.search_page.row.field
        until = time.monotonic() + self._seconds
        while time.monotonic() < until:
            for query in QUERIES:
                field.clear()
                yield from self._write(field, query, SEARCH_KEY_SECONDS)
                yield from self._rest(THEME_SECONDS)

    def _looking(self) -> Script:
        """Step through the hits of the last query; each is previewed in its document."""
        results = self._app.search_page.results
        results.take_focus()
        until, by = time.monotonic() + self._seconds, 1
        while time.monotonic() < until:
            before = results.currentIndex()
            results.step(by)
            by = by if results.currentIndex() != before else -by
            yield from self._rest(LOOK_SECONDS)

    def _write(self, entry: QWidget, text: str, pause: float) -> Script:
        for letter in text:
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                event = QKeyEvent(kind, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, letter)
                QApplication.postEvent(entry, event)
            yield from self._rest(pause)

    def _scrolling(self) -> Script:
        area = self._app.pane.view.findChild(QScrollArea)
        assert area is not None
        bar = area.verticalScrollBar()
        until = time.monotonic() + self._seconds
        place, step = bar.maximum(), -40
        while time.monotonic() < until:
            place += step
            if not 0 < place < bar.maximum():
                step = -step
            bar.setValue(place)
            yield

    def _opening(self, documents: Sequence[DocumentCard]) -> Script:
        for card in documents:
            self._app.window.open_document_pane()
            self._app.viewer.open_document(card, card.lines // 2 + 1, card.lines // 2 + 1)
            tab = self._app.viewer.current_tab()
            assert tab is not None
            yield from self._until(partial(_is_read, tab))
            yield from self._rest(THEME_SECONDS)

    def _leafing(self) -> Script:
        until = time.monotonic() + self._seconds
        tabs = self._app.viewer.findChildren(DocumentTab)
        while time.monotonic() < until:
            for tab in tabs:
                seen = tab.body.first_visible_line()
                tab.body.view.reveal(seen + 3 if tab.body.shows_line(seen) else 1)
                yield from self._rest(KEY_SECONDS)

    def _cards(self) -> Script:
        """Show the card of each citation of the last answer."""
        for citation in self._citations:
            window = self._app.window
            place = QRect(window.mapToGlobal(window.rect().center()), QSize(20, 20))
            self._app.viewer_requests.card_requested.emit(CardRequest(citation, "", "", place, by_key=True))
            yield from self._rest(THEME_SECONDS)
            self._app.viewer_requests.card_dismissed.emit()

    def _commanding(self) -> Script:
        self._app.window.palette_control.open()
        yield from self._rest(LOOK_SECONDS)
        palette = self._app.window.findChild(CommandPalette)
        assert palette is not None
        yield from self._write(palette.findChildren(QLineEdit)[0], "new conversation", SEARCH_KEY_SECONDS)
        palette.close()

    def _listing(self) -> Script:
        """Show all files, and scroll down page by page."""
        self._app.window.menus.files.trigger()
        yield from self._rest(SETTLE_SECONDS)
        table = self._app.window.findChild(FilesTable)
        assert table is not None
        bar, until = table.verticalScrollBar(), time.monotonic() + self._seconds
        while time.monotonic() < until:
            bar.setValue((bar.value() + bar.pageStep()) % max(1, bar.maximum()))
            yield from self._rest(KEY_SECONDS)

    def _resizing(self) -> Script:
        until = time.monotonic() + self._seconds
        width, step = 1440, -20
        while time.monotonic() < until:
            width += step
            if not 920 < width < 1500:
                step = -step
            self._app.window.resize(width, 900)
            yield from self._rest(MOVE_SECONDS)
        self._app.window.resize(1440, 900)

    def _rest(self, seconds: float) -> Script:
        until = time.monotonic() + min(seconds, self._seconds)
        while time.monotonic() < until:
            yield

    def _until(self, condition: Callable[[], bool]) -> Script:
        limit = time.monotonic() + LONGEST_SECONDS
        while not condition():
            if time.monotonic() > limit:
                say({"late": True})
                return
            yield

    def _close_dialogs(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if widget is not self._app.window and widget.isVisible():
                widget.close()


class _FirstPaint(QObject):
    """Reports the window's first paint, with the processor time until then in seconds, and may quit."""

    def __init__(self, app: App, *, ends: bool) -> None:
        super().__init__(app)
        self._app = app
        self._ends = ends
        self._app.window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  # Qt's name
        """Detect the window's first paint."""
        if event.type() is QEvent.Type.Paint:
            self._app.window.removeEventFilter(self)
            QTimer.singleShot(0, self, self._on_painted)
        return super().eventFilter(watched, event)

    @Slot()
    def _on_painted(self) -> None:
        say({"cpu": time.process_time()})
        if self._ends:
            self._app.window.close()
            QApplication.exit(0)


def main(arguments: list[str]) -> int:
    """Open the window on a library, play the script, and return the window's exit code."""
    parser = argparse.ArgumentParser(prog="window_probe")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--big", type=Path, help="a folder to index during the situations")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--then", choices=["play", "wait", "end"], default="play", help="after the first paint")
    options = parser.parse_args(arguments)
    sys.argv = sys.argv[:1]

    def started(app: App) -> None:
        _FirstPaint(app, ends=options.then == "end")
        if options.then == "play":
            WindowProbe(app, options.library, options.big, options.seconds).start()

    return run_window(options.library, (), started)


def _is_read(tab: DocumentTab) -> bool:
    return tab.found is not None and not tab.is_busy()


def _documents(library: Path) -> tuple[DocumentCard, ...]:
    """Return the first documents of the library; it runs on the event loop, since nothing is measured meanwhile."""
    from desktop_rag.retrieval.service.search_engine import SearchEngine  # which the window never loads

    with closing(SearchEngine(library)) as engine:
        found = (engine.describe(ContentId(number), Stop()) for number in range(1, _MOST_DOCUMENTS + 1))
        return tuple(card for card in found if card is not None and card.path is not None)


def say(value: Mapping[str, object]) -> None:
    """Print a line for the benchmark that started this."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
