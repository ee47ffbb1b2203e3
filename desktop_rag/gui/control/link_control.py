"""Follows `desktop-rag://` links that other programs hand over."""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.errors import DesktopRagError, LinkError
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import file_name
from desktop_rag.gui.viewer.clean.rendered_view import line_of_link
from desktop_rag.gui.viewer.target import Target, target_of_card
from desktop_rag.gui.window.sessions import Session
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import AskLink, OpenLink, SearchLink, parse_link
from desktop_rag.text.display import one_line

_MOST_NAMESAKES = 50


@dataclass(frozen=True, slots=True)
class LinkResolved:
    """A link, and its document in the open library, None if it has none."""

    link: OpenLink
    card: DocumentCard | None
    name: str = ""  # as the link was written, if it names no path
    attached: bool = False


class LinkControl(QObject):
    """Opens, searches, or writes a question down; a link never asks, and opens nothing outside of the library."""

    document_requested = Signal(Target)  # show these lines
    search_requested = Signal(str)  # search for this
    question_asked = Signal(str)  # write this question into the field of the new conversation, which is shown
    notified = Signal(str)  # why a link is not followed, as a sentence

    def __init__(self, session: Callable[[], Session], parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._worker: LatestOnlyWorker[LinkResolved] = LatestOnlyWorker("link", self._on_resolved, self)
        self._worker.failed.connect(self._on_failed)

    def follow(self, text: str) -> None:
        """Do what a link asks for, or say why not."""
        try:
            link = parse_link(text)
        except LinkError as error:
            self.notified.emit(sentence(error))
            return
        session = self._session()
        match link:
            case OpenLink():
                self.open(link)
            case SearchLink(query):
                self.search_requested.emit(query)
            case AskLink(question):
                # After the stored drafts have been loaded, which would else meet the question in the field.
                session.conversations.repository.run(lambda *_: None, lambda _: self._begin(session, question))

    def open(self, link: OpenLink) -> None:
        """Show lines of a document of the library, or say that it is not there."""
        retriever = self._session().retriever
        self._worker.ask(lambda stop: _resolve(link, retriever, stop))

    @Slot(str, str)
    def open_linked(self, target: str, source: str) -> None:
        """Show the document of the library that a link in the file at `source` names, or say that it is not there."""
        retriever = self._session().retriever
        self._worker.ask(lambda stop: _resolve_name(target, Path(source), retriever, stop))

    @Slot(bytes)
    def open_attached(self, path: bytes) -> None:
        """Show a file that a conversation has attached."""
        retriever, link = self._session().retriever, OpenLink(os.fsdecode(path))
        self._worker.ask(lambda stop: _resolve(link, retriever, stop, attached=True))

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()

    def _begin(self, session: Session, question: str) -> None:
        if session is self._session():
            session.conversations.begin_new()  # the text in the field stays with its conversation
            self.question_asked.emit(question)

    @Slot(object)
    def _on_resolved(self, found: LinkResolved) -> None:
        link, card = found.link, found.card
        if card is None:
            name = one_line(found.name or file_name(link.path, link.path))
            attached = self.tr("“{0}” has no text to show")
            missing = self.tr("“{0}” is not in this library, so the link was not opened")
            self.notified.emit((attached if found.attached else missing).format(name))
            return
        target = target_of_card(card, link.first_line, link.last_line)
        if link.quote and link.first_line:
            target = replace(target, quote=link.quote, passage=link.quote, passage_first_line=link.first_line)
        if link.sha256 and link.sha256 != card.sha256:  # the viewer says that the text has changed since
            target = replace(target, sha256=link.sha256, path=link.path)
        self.document_requested.emit(target)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        self.notified.emit(sentence(error if isinstance(error, DesktopRagError) else DesktopRagError.title))


def _resolve(link: OpenLink, retriever: Retriever, stop: Stop, *, attached: bool = False) -> Generator[LinkResolved]:
    yield LinkResolved(link, retriever.lookup(link.sha256, Path(link.path), stop), attached=attached)


def _resolve_name(target: str, source: Path, retriever: Retriever, stop: Stop) -> Generator[LinkResolved]:
    name, _, heading = target.partition("#")
    name = unquote(name).strip()
    card = _linked_document(name, source, retriever, stop)
    line = 0
    if card is not None and heading:
        line = line_of_link(f"#{heading}", retriever.layout(card.content, stop).structure, card.lines)
    path = str(card.path) if card is not None and card.path else name
    yield LinkResolved(OpenLink(path, line, line), card, name)


def _linked_document(name: str, source: Path, retriever: Retriever, stop: Stop) -> DocumentCard | None:
    """Return the document at a relative path, or else the nearest one of this name, with or without its ending."""
    if not name:
        return None
    for ending in ("", ".md"):
        path = Path(os.path.normpath(source.parent / f"{name}{ending}"))
        if (card := retriever.lookup("", path, stop)) is not None:
            return card
    wanted = Path(name.casefold())
    listed = retriever.documents(DocumentQuery(wanted.stem, limit=_MOST_NAMESAKES), stop).cards
    cards = [
        (len(os.path.commonpath((card.path.parent, source.parent))), card)
        for card in listed
        if card.path is not None and wanted.name in (card.path.name.casefold(), card.path.stem.casefold())
    ]
    return max(cards, key=itemgetter(0))[1] if cards else None
