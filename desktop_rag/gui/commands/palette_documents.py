"""Finds documents of the library by name for the open palette; the searcher looks them up."""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Slot

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.commands.command_palette import CommandPalette, PaletteEntry
from desktop_rag.gui.formatting import document_name
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import OpenLink
from desktop_rag.text.display import one_line, shown_name

_MOST = 12
_MOST_OF_STEM = 200  # documents of a name, of which those with the typed ending are shown


@dataclass(frozen=True, slots=True)
class FoundDocuments:
    """The documents whose names have the typed words."""

    text: str
    cards: tuple[DocumentCard, ...]


class PaletteDocuments(QObject):
    """Looks up what is typed; `known` are the paths that the palette offers anyway, `show` opens a document."""

    def __init__(
        self,
        retriever: Callable[[], Retriever],
        known: Callable[[], set[str]],
        show: Callable[[OpenLink], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._known = known
        self._show = show
        self._palette: CommandPalette | None = None
        self._worker = LatestOnlyWorker[FoundDocuments]("palette", self._on_found, self)
        self._worker.failed.connect(self._on_failed)

    @Slot(QObject)
    def serve(self, palette: CommandPalette) -> None:
        """Add documents to a palette while it is open."""
        self._palette = palette
        palette.looks_further = True
        palette.edited.connect(self._on_edited)
        palette.finished.connect(self._on_closed)

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._palette = None
        self._worker.close()

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        self._worker.stop()
        if text.strip():
            self._worker.ask(partial(_find, text, self._retriever()))

    @Slot(object)
    def _on_found(self, found: FoundDocuments) -> None:
        if self._palette is not None:
            known = self._known()
            cards = (card for card in found.cards if card.path is not None and str(card.path) not in known)
            self._palette.show_found(found.text, [self._entry(card) for card in cards])

    @Slot(Exception)
    def _on_failed(self, _: Exception) -> None:
        if self._palette is not None:
            self._palette.show_found(self._palette.text(), ())

    @Slot()
    def _on_closed(self) -> None:
        self._palette = None
        self._worker.stop()

    def _entry(self, card: DocumentCard) -> PaletteEntry:
        path = str(card.path)
        folder = shown_name(os.fsencode(card.path.parent)) if card.path else ""
        part = " · ".join(filter(None, (self.tr("Document"), folder)))
        show = partial(self._show, OpenLink(path, 0, 0, card.sha256))
        return PaletteEntry("", one_line(document_name(path, card.title)), part, show)


def _find(text: str, retriever: Retriever, stop: Stop) -> Generator[FoundDocuments]:
    listed = retriever.documents(DocumentQuery(text, limit=_MOST), stop)
    cards = () if listed.unmatched else listed.cards
    stem, _, ending = text.strip().rpartition(".")  # which is no word of a name
    if listed.unmatched and stem and ending.isalnum():
        listed = retriever.documents(DocumentQuery(stem, limit=_MOST_OF_STEM), stop)
        begin = f".{ending}".casefold()
        fit = (card for card in listed.cards if card.path and card.path.suffix.casefold().startswith(begin))
        cards = () if listed.unmatched else tuple(fit)[:_MOST]
    yield FoundDocuments(text, cards)
