"""Answers made to cost time: processor time of the window's thread in the longest turn of its event loop.

Each kind of answer is streamed, ended with marked statements, and opened as a stored one, off-screen. As in the window,
the garbage collector skips the modules: a full collection of those would take longer than any turn.
"""

import argparse
import gc
import os
import time
from collections.abc import Callable, Iterator

from benchmarks.libraries.hostile_answers import HOSTILE
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.machine import this_machine

GOAL = 50.0  # ms of processor time
_PIECE = 400  # characters that arrive at once
_BEAT_MS = 4
_SETTLED = 20  # beats without work after which a phase has ended
_NS = 10**18  # when the answer was asked for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--size", type=int, default=16_000, help="characters of an answer (16000)")
    parser.add_argument("--kind", action="append", choices=sorted(HOSTILE), help="only this kind of answer")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Measure each kind."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rows: list[Measurement] = []
    for kind in options.kind or HOSTILE:
        text = HOSTILE[kind](options.size)
        for phase, longest in _phases(text):
            rows.append(Measurement(f"{kind}: {phase}", OURS, "ms", (longest,), goal=GOAL))
        say(f"{kind}: " + ", ".join(f"{row.median:.0f}" for row in rows[-3:]))
    return Report("Answers made to cost time", tuple(rows), (f"{options.size:,} characters each.",), this_machine())


def _phases(text: str) -> Iterator[tuple[str, float]]:
    """Yield what was done with an answer, and the longest turn in milliseconds of processor time."""
    from PySide6.QtWidgets import QApplication

    from desktop_rag.agent.conversations.transcript import Turn
    from desktop_rag.agent.events import AnswerDelta, Answered, Claim, ContextUse, RunUsage
    from desktop_rag.gui.conversation.answer.answer_view import AnswerView
    from desktop_rag.gui.conversation.conversation_pane import ConversationPane
    from desktop_rag.gui.library_status import ShownStatus
    from desktop_rag.gui.theme.theme import Look
    from desktop_rag.gui.viewer_requests import ViewerRequests
    from desktop_rag.settings import Theme

    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    Look(application).use(Theme.LIGHT)
    starts = range(0, len(text), max(100, len(text) // 40))
    claims = tuple(Claim(at, at + 40, "missing" if n % 5 == 0 else "unchecked") for n, at in enumerate(starts))
    context, usage = ContextUse(0, 0, 0, 0, 8_192, estimated=True), RunUsage(0, 0, 1, estimated=True)
    last = Answered(text, (), context, usage, 1.0, 1, found=True, claims=claims)
    gc.collect()
    gc.freeze()

    def shown() -> ConversationPane:
        pane = ConversationPane(ViewerRequests(), ShownStatus())
        pane.resize(800, 700)
        pane.show()
        application.processEvents()
        return pane

    def feed(texts: Iterator[str], append: Callable[[AnswerDelta], None]) -> bool:
        for text in texts:
            append(AnswerDelta(text))
            return True
        return False

    def is_rendering(pane: ConversationPane) -> bool:
        return any(view.is_rendering for view in pane.findChildren(AnswerView))

    pane = shown()
    pane.view.begin_turn("What is it?")
    pieces = iter([text[at : at + _PIECE] for at in range(0, len(text), _PIECE)])
    yield "streamed", _longest(lambda: feed(pieces, pane.view.append))
    yield "its end", _once(lambda: pane.view.append(last), lambda: is_rendering(pane))
    pane.close()
    again = shown()
    turn = Turn(1, "What is it?", (AnswerDelta(text), last), _NS)
    yield "opened", _once(lambda: again.view.show_turns([turn]), lambda: is_rendering(again))
    again.close()


def _once(act: Callable[[], None], is_busy: Callable[[], bool]) -> float:
    """Return the longest turn until what `act` began is done."""
    acts = iter([act])

    def step() -> bool:
        for each in acts:
            each()
            return True
        return is_busy()

    return _longest(step)


def _longest(step: Callable[[], bool]) -> float:
    """Return the longest turn while `step` is called at each beat, until it had nothing to do for a while."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, timer = QEventLoop(), QTimer()
    last, longest, idle = time.thread_time(), 0.0, 0

    def beat() -> None:
        nonlocal last, longest, idle
        now = time.thread_time()
        longest, last = max(longest, now - last), now
        idle = 0 if step() else idle + 1
        if idle > _SETTLED:
            loop.quit()

    timer.timeout.connect(beat)
    timer.start(_BEAT_MS)
    loop.exec()
    timer.stop()
    return longest * 1e3
