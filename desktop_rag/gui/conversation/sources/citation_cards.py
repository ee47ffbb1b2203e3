"""Shows the cards of citations: after a pause under the pointer, at once for a key, pinned until they are closed."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.events import Citation
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.conversation.sources.citation_card import CitationCard, CitedPassage, read_cited_passage
from desktop_rag.gui.theme.theme import pages_are_dark
from desktop_rag.gui.viewer.pages.render_service import (
    FileOpened,
    PageReady,
    Purpose,
    RenderRequest,
    RenderService,
    real_painter,
)
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.retrieval.api import Retriever

if TYPE_CHECKING:
    from desktop_rag.documents.render.painter_client import Painter

_REST_MS = 300  # the pointer rests on a citation
_AWAY_MS = 250  # the pointer moves from the citation to its card
_PAINTER_MS = 30_000  # the process that renders pages ends after this long without a card
_MOST_PINNED = 6


class CitationCards(QObject):
    """One card beside the citation that is looked at, and those that are pinned."""

    def __init__(
        self,
        retriever: Retriever,
        requests: ViewerRequests,
        window: QWidget,
        new_painter: "Callable[[], Painter]" = real_painter,
    ) -> None:
        super().__init__(window)
        self._retriever = retriever
        self._requests = requests
        self._window = window
        self._request: CardRequest | None = None  # waiting for its pause, or shown
        self._card: CitationCard | None = None
        self._reading: CitationCard | None = None  # the newest card, which gets what is read and rendered
        self._passage: CitedPassage | None = None  # of the newest request
        self._kept: list[CitationCard] = []
        self._worker: LatestOnlyWorker[CitedPassage] = LatestOnlyWorker("citation card", self._on_read, self)
        self._pages = RenderService(new_painter, self, lambda sha256, stop: self._retriever.file_copy(sha256, stop))
        self._pages.opened.connect(self._on_opened)
        self._pages.painted.connect(self._on_painted)
        self._rest, self._away, self._idle = QTimer(self), QTimer(self), QTimer(self)
        for timer, pause in ((self._rest, _REST_MS), (self._away, _AWAY_MS), (self._idle, _PAINTER_MS)):
            timer.setSingleShot(True)
            timer.setInterval(pause)
        self._rest.timeout.connect(self._show)
        self._away.timeout.connect(self.dismiss)
        self._idle.timeout.connect(self._pages.suspend)
        requests.card_requested.connect(self._on_requested)
        requests.card_left.connect(self._on_left)
        requests.card_dismissed.connect(self.dismiss)
        requests.citation_requested.connect(self._on_citation_opened)

    @property
    def card(self) -> CitationCard | None:
        """Return the card that is not pinned, while it is shown."""
        return self._card

    @property
    def kept(self) -> tuple[CitationCard, ...]:
        """Return the pinned cards, oldest first."""
        return tuple(self._kept)

    def show_library(self, retriever: Retriever) -> None:
        """Use another library's searcher; the cards of the one before are closed."""
        self.dismiss()
        for card in tuple(self._kept):
            card.dismiss()
        self._retriever = retriever

    def close(self) -> None:
        """Stop reading and rendering, and wait for both."""
        self.dismiss()
        self._worker.close()
        self._pages.close()

    @Slot(object)
    def _on_requested(self, request: CardRequest) -> None:
        self._away.stop()
        if self._card is not None and self._card.request.citation == request.citation:
            if request.by_key:
                self._card.keep()
            return
        self.dismiss()
        self._request, self._passage, self._reading = request, None, None
        self._worker.stop()
        self._worker.ask(partial(read_cited_passage, request.citation, self._retriever))
        if request.by_key:
            self._show()
        else:
            self._rest.start()

    @Slot()
    def _on_left(self) -> None:
        self._rest.stop()
        if self._card is None:
            self._request = None
        elif self._request is not None and not self._request.by_key:
            self._away.start()

    @Slot()
    def _show(self) -> None:
        if self._request is None:
            return
        self._card = self._reading = card = CitationCard(self._request, self._window)
        card.open_requested.connect(self._requests.citation_requested)
        card.pinned.connect(self._on_pinned)
        card.closed.connect(self._on_closed)
        card.entered.connect(self._away.stop)
        card.left.connect(self._on_left)
        self._idle.stop()
        if self._passage is not None:
            self._show_passage(card, self._passage)
        else:
            card.fit()
        card.show()
        card.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(card, QAccessible.Event.Alert))

    def _show_passage(self, card: CitationCard, passage: CitedPassage) -> None:
        card.show_passage(passage)
        if passage.part is not None:
            self._pages.open(passage.part.file)

    @Slot(object)
    def _on_read(self, passage: CitedPassage) -> None:
        self._passage = passage
        if self._reading is not None:
            self._show_passage(self._reading, passage)

    @Slot(object)
    def _on_opened(self, opened: FileOpened) -> None:
        part = self._passage.part if self._passage is not None else None
        if self._reading is None or part is None or opened.file != part.file or part.page > len(opened.sizes):
            return
        scale = self._reading.picture_scale(part, opened.sizes[part.page - 1][0])
        self._pages.request(part.file, Purpose.READING, [RenderRequest(part.page, scale, dark=pages_are_dark())])

    @Slot(object)
    def _on_painted(self, ready: PageReady) -> None:
        part = self._passage.part if self._passage is not None else None
        if self._reading is not None and part is not None and (part.file, part.page) == (ready.file, ready.number):
            self._reading.show_page(ready)

    @Slot()
    def dismiss(self) -> None:
        """Close the card that is not pinned."""
        for timer in (self._rest, self._away):
            timer.stop()
        self._request = None
        if self._card is not None:
            self._card.dismiss()

    @Slot()
    def _on_pinned(self) -> None:
        if self._card is None:
            return
        self._kept.append(self._card)
        self._card = self._request = None
        if len(self._kept) > _MOST_PINNED:
            self._kept[0].dismiss()

    @Slot()
    def _on_closed(self) -> None:
        card = self.sender()
        if not isinstance(card, CitationCard):
            return
        if card is self._reading:
            self._reading = None
        if card is self._card:
            self._card = self._request = None
        else:
            self._kept.remove(card)
        card.deleteLater()
        if not self._kept:
            self._idle.start()

    @Slot(object)
    def _on_citation_opened(self, citation: Citation) -> None:
        """Close the card of what is opened, also if it is pinned: it would cover the quotation."""
        self.dismiss()
        for card in [card for card in self._kept if card.request.citation == citation]:
            card.dismiss()
