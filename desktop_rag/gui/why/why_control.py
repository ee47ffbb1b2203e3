"""Asks the searcher of the open library why a file is found or not, and opens the best passage."""

import os
from collections.abc import Generator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.errors import QueryError
from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.viewer.target import target_of_snippet
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.why.why_dialog import WhyDialog
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.explain.explanation import Explanation
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.stop import Stop


class WhyControl(QObject):
    """One dialog at a time, about files of the open library."""

    retry_requested = Signal(object)  # the paths (bytes) of files to read again

    def __init__(self, retriever: Explorer, viewer: ViewerRequests, window: QWidget) -> None:
        super().__init__(window)
        self._retriever = retriever
        self._viewer = viewer
        self._window = window
        self._dialog: WhyDialog | None = None
        self._worker = LatestOnlyWorker("why", self._on_answered, self)
        self._worker.failed.connect(self._on_failed)

    def show_library(self, retriever: Explorer) -> None:
        """Use another library's searcher."""
        if self._dialog is not None:
            self._dialog.close()
        self._retriever = retriever

    def open(self, path: Path | None, request: SearchRequest) -> None:
        """Open the dialog for a file and a search; either may be empty."""
        if self._dialog is not None:
            self._dialog.close()
        self._dialog = dialog = WhyDialog(path, request, self._window)
        dialog.asked.connect(self._on_asked)
        dialog.open_requested.connect(self._on_open_requested)
        dialog.retry_requested.connect(lambda path: self.retry_requested.emit((path,)))
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @property
    def dialog(self) -> WhyDialog | None:
        """Return the dialog while it is open."""
        return self._dialog

    def close(self) -> None:
        """Stop the request and wait for its thread."""
        if self._dialog is not None:
            self._dialog.close()
        self._worker.close()

    @Slot(object, object)
    def _on_asked(self, path: Path, request: SearchRequest | None) -> None:
        self._worker.stop()
        self._worker.ask(partial(_explain, self._retriever, path, request))

    @Slot(object)
    def _on_answered(self, answer: Explanation | QueryError) -> None:
        if self._dialog is None:
            return
        if isinstance(answer, Explanation):
            self._dialog.show_explanation(answer)
        elif isinstance(answer, QueryError):
            self._dialog.show_error(str(answer))

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        if self._dialog is not None:
            self._dialog.show_error(str(error))

    @Slot(object)
    def _on_open_requested(self, explanation: Explanation) -> None:
        best = explanation.in_search.best if explanation.in_search else None
        if best is None or explanation.content is None:
            return
        path = Path(os.fsdecode(explanation.status.path))
        target = target_of_snippet(explanation.content, path.name, path, best.page, best.snippet)
        self._viewer.target_focus_requested.emit(target)

    @Slot()
    def _on_finished(self) -> None:
        self._worker.stop()
        self._dialog = None


def _explain(
    retriever: Explorer, path: Path, request: SearchRequest | None, stop: Stop
) -> Generator[Explanation | QueryError]:
    try:
        yield retriever.explain(path, request, stop)
    except QueryError as error:  # not logged: the query is still being typed
        yield error
