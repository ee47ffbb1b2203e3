"""The same window driven by a script: adds the sample, asks its first question, prints the answer, takes a picture.

Its last question is answered from a PDF, whose cited page must then be painted. Other folders of the library, which may
be large or gone, are neither waited for nor asked.
"""

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from desktop_rag.agent.conversations.transcript import ChosenScope
from desktop_rag.agent.events import AgentEvent, Answered
from desktop_rag.app import App, run_window
from desktop_rag.cli.narrator import Narrator
from desktop_rag.cli.output import Output
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.paths import resources
from desktop_rag.text.display import distinct_names

LIMIT_MILLISECONDS = 180_000
SETTLE_MILLISECONDS = 2_500  # time for the viewer to show the cited lines before the screenshot
PAINTED_MILLISECONDS = 100  # between two looks at the cited page
WIDTH, HEIGHT = 1440, 900


def run_demo(library: Path) -> int:
    """Run the demo on the sample library; return 0 if there was a cited answer."""
    return run_window(library, (), lambda app: Demo(app, (sample_questions()[0], sample_questions()[-1])).start())


class Demo(QObject):
    """Drives the window through the demo and exits with 0 if there was a cited answer."""

    def __init__(self, app: App, questions: tuple[str, str]) -> None:
        super().__init__(app)
        self._app = app
        self._waiting = list(questions)
        self._output = Output(as_json=False)
        self._narrator = Narrator(self._output, streaming=False)
        self._asked = False
        self._sample = os.fsencode((resources() / "sample").resolve())
        app.status.changed.connect(self._on_status)
        app.conversations.event_yielded.connect(self._on_event)
        app.conversations.answered.connect(self._on_answered)
        app.library.trouble.connect(self._on_trouble)

    def start(self) -> None:
        """Add the sample library; the status and answer signals drive the rest."""
        self._app.window.resize(WIDTH, HEIGHT)
        self._output.line("Indexing the sample library …")
        self._app.library.add_sample()
        QTimer.singleShot(LIMIT_MILLISECONDS, self, self._on_late)

    @Slot(object)
    def _on_status(self, status: LibraryStatus) -> None:
        folder = next((each for each in status.folders if relative_to(each.path, self._sample) is not None), None)
        if self._asked or folder is None or folder.scanning:
            return
        if not (folder.ready + folder.left_out == folder.found > 0 or status.trouble):
            return
        self._asked = True
        self._output.line(f"{folder.ready} files ready, {status.sentences_ready} sentences understood")
        if status.trouble:
            self._output.line(status.trouble)
        names = distinct_names([each.path for each in status.folders])
        self._app.conversations.choose(ChosenScope(folders=(names[status.folders.index(folder)],)))
        self._ask()

    def _ask(self) -> None:
        question = self._waiting.pop(0)
        self._output.line(f"\nQuestion: {question}")
        self._app.conversations.ask(question)

    @Slot(str, str)
    def _on_trouble(self, title: str, sentence: str) -> None:
        self._output.error(title, sentence)

    @Slot(object)
    def _on_event(self, event: AgentEvent) -> None:
        self._narrator.print(event)

    @Slot(object)
    def _on_answered(self, last: AgentEvent) -> None:
        if not isinstance(last, Answered) or not last.citations:
            self._end(1)
            return
        self._app.viewer_requests.citation_requested.emit(last.citations[0], last.citations)
        if self._waiting:
            QTimer.singleShot(SETTLE_MILLISECONDS, self, self._on_settled)
        else:
            self._wait_for_page()

    def _wait_for_page(self) -> None:
        tab = self._app.viewer.current_tab()
        pages = tab.body.pages if tab is not None else None
        if pages is None or not pages.page_count or not pages.is_painted(pages.page):
            QTimer.singleShot(PAINTED_MILLISECONDS, self, self._wait_for_page)
            return
        self._output.line(f"\nPainted page {pages.page} of {pages.page_count}")
        self._end(0)

    @Slot()
    def _on_settled(self) -> None:
        picture = Path(tempfile.mkdtemp(prefix="desktop-rag-")) / "window.png"
        if not self._app.window.grab().save(str(picture)):
            self._output.error("No picture", f"{picture} could not be written.")
            self._end(1)
            return
        self._output.line(f"\nA picture of the window: {picture}")
        self._ask()

    @Slot()
    def _on_late(self) -> None:
        self._output.error("Too slow", f"No answer, or no painted page, after {LIMIT_MILLISECONDS // 1000} seconds.")
        self._end(1)

    def _end(self, code: int) -> None:
        sys.stdout.flush()
        self._app.window.close()
        QApplication.exit(code)
