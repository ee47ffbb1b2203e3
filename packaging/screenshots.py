"""Takes the screenshots in `docs/screenshots` from the real window: `.venv/bin/python packaging/screenshots.py`.

Off-screen, with a temporary home folder: the built-in model answers questions about the sample library.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, QTimer, Slot
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget

from desktop_rag.agent.conversations.transcript import ConversationId
from desktop_rag.agent.events import Answered
from desktop_rag.app import App, run_window
from desktop_rag.gui.conversation.conversation_view import FollowUpRow
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.gui.first_run.first_run_control import FirstRunDialog
from desktop_rag.index.folders.folder_survey import survey
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.paths import resources
from desktop_rag.settings import Theme
from desktop_rag.stop import Stop

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
LOOK_MS = 100
SETTLE_MS = 4_000  # for pages to be rendered and notifications to disappear
DEPOSIT = "How high is the deposit?"  # its answer fits a small window
QUESTIONS = (DEPOSIT, *sample_questions())


@dataclass(frozen=True, slots=True)
class Shot:
    """One screenshot: its question, whether the steps are expanded, and the window's size and theme."""

    theme: Theme
    width: int
    height: int
    question: str
    unfolded: bool


def shots() -> tuple[Shot, ...]:
    """Return the screenshots to take."""
    lease, _, roof = sample_questions()
    return (
        Shot(Theme.LIGHT, 1280, 800, roof, unfolded=False),
        Shot(Theme.DARK, 1280, 800, DEPOSIT, unfolded=False),
        Shot(Theme.LIGHT, 1920, 1080, roof, unfolded=True),
        Shot(Theme.DARK, 1920, 1080, lease, unfolded=False),
    )


class Photographer(QObject):
    """Drives the window as a user would and saves screenshots."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._app = app
        self._answers: dict[str, Answered] = {}
        app.conversations.answered.connect(self._on_answered)
        self._steps = self._work()

    def start(self) -> None:
        """Start; the rest runs on the event loop."""
        QTimer.singleShot(LOOK_MS, self, self._next)

    @Slot()
    def _next(self) -> None:
        """Run the script until it has to wait."""
        pause = next(self._steps, None)
        if pause is None:
            self._app.window.close()
        else:
            QTimer.singleShot(pause, self, self._next)

    def _work(self) -> Generator[int]:
        yield from _until(self._is_ready)
        for question in QUESTIONS:
            self._app.conversations.begin_new()
            self._app.conversations.ask(question)
            yield from _until(partial(self._answers.__contains__, question))
        for shot in shots():
            yield from self._take(shot)
        yield from self._take_pages()

    def _take(self, shot: Shot) -> Generator[int]:
        window, view = self._app.window, self._app.pane.view
        window.theme_chosen.emit(shot.theme)
        window.resize(shot.width, shot.height)
        self._app.conversations.open(ConversationId(QUESTIONS.index(shot.question) + 1))
        yield from _until(lambda: bool(view.turns) and view.turns[-1].question == shot.question)
        citations = self._answers[shot.question].citations
        self._app.viewer_requests.citation_requested.emit(citations[0], citations)
        view.turns[-1].timeline.set_expanded(expanded=shot.unfolded)
        while self._app.viewer.tab_count() > 1:
            self._app.viewer.close_tab(0)
        yield from _until(self._has_opened)
        yield SETTLE_MS
        for suggestions in view.findChildren(FollowUpRow):
            suggestions.close_button.click()  # half of them would be in the picture
        for column in view.findChildren(QScrollArea):
            column.verticalScrollBar().setValue(0)
        yield LOOK_MS
        _save(window, f"{shot.theme.value}-{shot.width}x{shot.height}")

    def _take_pages(self) -> Generator[int]:
        """Take the pages of the user guide."""
        window = self._app.window
        window.theme_chosen.emit(Theme.LIGHT)
        window.resize(1280, 800)
        self._app.viewer.close_tab(0)
        window.menus.search.trigger()
        QTest.keyClicks(self._app.search_page.row.field, 'heat pump NOT "sea water"')
        yield SETTLE_MS
        _save(window, "search")
        window.menus.files.trigger()
        yield SETTLE_MS
        _save(window, "files")
        documents = os.fsencode(Path.home() / "Documents")
        first = FirstRunDialog((documents,), window)
        for counted in survey(documents, Stop()):
            first.folders.show_survey(documents, counted)
        first.show()
        yield SETTLE_MS
        _save(first, "first-start")
        first.close()

    def _has_opened(self) -> bool:
        tab = self._app.viewer.current_tab()
        return tab is not None and tab.found is not None and not tab.is_busy()

    def _is_ready(self) -> bool:
        status = self._app.status.current
        idle = status.phase is IndexingPhase.IDLE
        return idle and bool(status.folders) and all(f.ready == f.found > 0 for f in status.folders)

    @Slot(object)
    def _on_answered(self, last: object) -> None:
        if isinstance(last, Answered):
            self._answers[self._app.pane.view.turns[-1].question] = last


def _save(widget: QWidget, name: str) -> None:
    file = OUTPUT / f"{name}.png"
    picture = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    if not picture.save(str(file), quality=0):
        raise OSError(f"{file} cannot be written")
    print(f"{file.relative_to(OUTPUT.parent.parent)}: {file.stat().st_size // 1024} kB", flush=True)


def _until(condition: Callable[[], bool]) -> Generator[int]:
    while not condition():
        yield LOOK_MS


def main() -> int:
    """Take all screenshots and return 0."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "DESKTOP_RAG_HOME": f"{home}/.local/share/desktop-rag"}
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        folder = Path(shutil.copytree(resources() / "sample", Path(home) / "Documents" / "Boat workshop"))
        return run_window(Path(home) / "library", (folder,), lambda app: Photographer(app).start())


if __name__ == "__main__":
    sys.exit(main())
