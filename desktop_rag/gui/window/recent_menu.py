"""The menu of the documents opened last."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.viewer.recent_documents import RecentDocument, RecentDocuments
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.retrieval.api import Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten_middle

_LONGEST = 60  # characters of a name


class RecentMenu(QObject):
    """Fills the menu when it opens; documents that are gone become grey as soon as the library has said so."""

    def __init__(
        self,
        menu: QMenu,
        recent: RecentDocuments,
        retriever: Callable[[], Retriever],
        show: Callable[[RecentDocument], None],
    ) -> None:
        super().__init__(menu)
        self._menu = menu
        self._recent = recent
        self._retriever = retriever
        self._show = show
        self._entries: dict[RecentDocument, QAction] = {}
        self._worker: LatestOnlyWorker[RecentDocument] = LatestOnlyWorker("recent documents", self._on_missing, self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill)
        recent.changed.connect(self._on_changed)
        self._on_changed()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()

    @Slot()
    def _on_changed(self) -> None:
        self._menu.setEnabled(bool(self._recent.documents))

    @Slot()
    def _fill(self) -> None:
        self._menu.clear()
        documents = self._recent.documents
        self._entries = {document: self._menu.addAction(_text(document)) for document in documents}
        for document, action in self._entries.items():
            action.setToolTip(tool_tip(document.path))
            action.triggered.connect(partial(self._show, document))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Clear the list")).triggered.connect(self._recent.clear)
        retriever = self._retriever()
        self._worker.ask(lambda stop: _missing(documents, retriever, stop))

    @Slot(object)
    def _on_missing(self, document: RecentDocument) -> None:
        if (action := self._entries.get(document)) is not None:
            action.setEnabled(False)
            action.setText(self.tr("{0} (no longer there)").format(_text(document)))


def _text(document: RecentDocument) -> str:
    return button_text(shorten_middle(document.name, _LONGEST))


def _missing(documents: tuple[RecentDocument, ...], retriever: Retriever, stop: Stop) -> Generator[RecentDocument]:
    """Yield the documents that are no longer in the library or on the disk; one on a missing disk is not among them."""
    for document in documents:
        card = retriever.lookup(document.sha256, Path(document.path), stop)
        if card is None or card.path is None:
            yield document
