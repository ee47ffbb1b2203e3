"""What pages without content of their own begin with, read in the background: examples, folders, documents."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from desktop_rag.agent.answer_notes import catalogue_of
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.question import AskedOf, ExampleQuestion, ExampleTopic
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.catalogues import translation
from desktop_rag.gui.viewer.recent_documents import RecentDocument
from desktop_rag.retrieval.api import DocumentQuery, Facet, Facets, Order, Retriever
from desktop_rag.stop import Stop

_NEWEST = 4


@dataclass(frozen=True, slots=True)
class StartPoints:
    """Questions that the library answers, the parts it is made of, and its newest documents."""

    examples: tuple[ExampleQuestion, ...] = ()
    parts: tuple[Facet, ...] = ()
    newest: tuple[RecentDocument, ...] = ()


class ExampleWording:
    """Words examples in the language of their document if the program has it, else in that of the window.

    All wordings are looked up when it is made, on the GUI thread.
    """

    def __init__(self) -> None:
        self._texts = {"": self._worded(_tr), "en": self._worded(str)}
        for language in filter(None, map(catalogue_of, ("de", "zh"))):
            self._texts[language.partition("_")[0]] = self._worded(partial(translation, language, type(self).__name__))

    @staticmethod
    def _worded(tr: Callable[[str], str]) -> dict[AskedOf, str]:
        return {
            AskedOf.SECTION: tr("What is said about “{topic}”?"),
            AskedOf.CELL: tr("What is the {column} of {topic} in “{document}”?"),
        }

    def __call__(self, topic: ExampleTopic) -> str:
        """Return a topic as a question."""
        if topic.asked is AskedOf.SENTENCE:
            return f"{topic.text} …?"
        texts = self._texts.get(topic.language) or self._texts[""]
        return texts[topic.asked].format(topic=topic.text, column=topic.column, document=topic.document)


class StartPointsReader(QObject):
    """Reads the start points of one library at a time; the first ones come before the examples were tried."""

    found = Signal(StartPoints)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._points = StartPoints()
        self._worker: StreamWorker[StartPoints] = StreamWorker("start points", self._on_found, self)

    def read(self, retriever: Retriever, built_in: BuiltInModel, known: tuple[ExampleQuestion, ...] = ()) -> None:
        """Read them; `known` examples are not tried again."""
        wording = ExampleWording()
        self._worker.start(lambda stop: _read(retriever, built_in, wording, known, stop))

    def stop(self) -> None:
        """Stop reading: the user asks, or another library opens."""
        self._worker.stop()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()

    @Slot(object)
    def _on_found(self, points: StartPoints) -> None:
        self.found.emit(points)


def _read(
    retriever: Retriever,
    built_in: BuiltInModel,
    wording: ExampleWording,
    known: tuple[ExampleQuestion, ...],
    stop: Stop,
) -> Generator[StartPoints]:
    from desktop_rag.agent.run.example_questions import example_questions  # no first window needs it

    newest = retriever.documents(DocumentQuery(order=Order.NEWEST, limit=_NEWEST, with_facets=True), stop)
    documents = (RecentDocument(str(card.path), card.title, card.sha256) for card in newest.cards if card.path)
    points = StartPoints(known, parts_of(newest.facets), tuple(documents))
    yield points
    if known:
        return
    if examples := tuple(example_questions(retriever, built_in, wording, stop)):
        yield replace(points, examples=examples)


def parts_of(facets: Facets) -> tuple[Facet, ...]:
    """Return the folders to tell apart: the roots, or the subfolders of the only one; else the types."""
    for level in (0, 1):
        folders = tuple(facet for facet in facets.folders if facet.level == level)
        if len(folders) > 1:
            return folders
    return facets.types if len(facets.types) > 1 else ()


def _tr(text: str) -> str:
    return QCoreApplication.translate("ExampleWording", text)
