"""Decides what an empty conversation shows from the status of the library, its start points and the settings."""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import cache, partial

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from desktop_rag.agent.answer_notes import catalogue_of
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.question import AskedOf, ExampleQuestion, ExampleTopic
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.catalogues import translation
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.welcome import Welcome
from desktop_rag.gui.files.file_wording import left_out_parts
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus, totals_text
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.viewer.open_documents import RecentDocument, RecentDocuments
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderState
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import DocumentQuery, Facet, Facets, Order, Retriever
from desktop_rag.stop import Stop

# What pages without content of their own begin with, read in the background: examples, folders, documents.

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


_NOTHING = StartPoints()


@cache
def sample_questions() -> tuple[str, ...]:
    """Return the questions that the sample library answers; the demo asks the first one."""
    return tuple((resources() / "sample_questions.txt").read_text(encoding="utf-8").splitlines())


def welcome_for(
    status: LibraryStatus,
    *,
    has_model: bool,
    points: StartPoints = _NOTHING,
    opened: tuple[RecentDocument, ...] = (),
) -> Welcome:
    """Return what an empty conversation shows."""
    folders = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
    problems, pictures = sum(f.failed + f.skipped for f in folders), sum(f.pictures for f in folders)
    return Welcome(
        has_documents=any(folder.searchable for folder in folders),
        has_model=has_model,
        examples=tuple(map(ExampleQuestion, sample_questions())) if _is_sample(status) else points.examples,
        counted=totals_text(status) if points.parts or points.newest else "",
        left_out=left_out_parts(problems, pictures) if points.parts or points.newest else (),
        parts=points.parts,
        documents=opened or points.newest,
        opened=bool(opened),
        is_reading=any(folder.scanning or folder.found > folder.left_out for folder in folders),
        is_missing=status.missing,
        is_opening=status is UNKNOWN,
        is_held=status.phase is IndexingPhase.PAUSED,
    )


def _is_sample(status: LibraryStatus) -> bool:
    sample = os.fsencode(resources() / "sample")
    return [folder.path for folder in status.folders if folder.state is not FolderState.REMOVED] == [sample]


class WelcomeControl(QObject):
    """Keeps the welcome of the conversation view up to date; it is read while it is looked at and all words are."""

    changed = Signal(StartPoints)

    def __init__(
        self,
        view: ConversationView,
        status: ShownStatus,
        settings: SettingsControl,
        recent: RecentDocuments,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._status = status
        self._settings = settings
        self._recent = recent
        self.points = _NOTHING
        self._library: tuple[Retriever, BuiltInModel] | None = None
        self._read: tuple[tuple[bytes, int], ...] = ()  # of what the start points are, or are being read
        self._reader = StartPointsReader(self)
        self._reader.found.connect(self._on_found)
        status.changed.connect(self._refresh)
        settings.changed.connect(self._refresh)
        recent.changed.connect(self._refresh)
        view.emptied.connect(self._on_emptied)
        self._refresh()

    def show_library(self, retriever: Retriever, built_in: BuiltInModel) -> None:
        """Begin with another library."""
        self._reader.stop()
        self._library = retriever, built_in
        self._read = ()
        self._on_found(_NOTHING)

    def close(self) -> None:
        """Stop reading and wait for it."""
        self._reader.close()

    @Slot(object)
    def _on_found(self, points: StartPoints) -> None:
        self.points = points
        self.changed.emit(points)
        self._refresh()

    @Slot(bool)
    def _on_emptied(self, empty: bool) -> None:  # noqa: FBT001 - a slot
        if empty:
            self._refresh()
        elif not self.points.examples:  # a question comes first; what was not tried yet is tried later
            self._reader.stop()
            self._read = ()

    @Slot()
    def _refresh(self) -> None:
        if self._view.turns:
            return  # nobody sees it
        settings, status = self._settings.settings, self._status.current
        shown = welcome_for(  # who chose the built-in model beside others needs no advice
            status, has_model=bool(settings.profiles), points=self.points, opened=self._recent.documents
        )
        self._view.set_welcome(shown)
        if self._library is None or not shown.has_documents or status.not_added:
            return
        folders = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
        waits = any(folder.scanning or folder.searchable + folder.left_out < folder.found for folder in folders)
        wanted = tuple((folder.path, folder.searchable) for folder in folders)
        if wanted == self._read or (waits and status.phase is not IndexingPhase.PAUSED):
            return
        same = [path for path, *_ in self._read] == [path for path, _ in wanted]
        known = tuple(map(ExampleQuestion, sample_questions())) if _is_sample(status) else self.points.examples
        self._read = wanted
        self._reader.read(*self._library, known if same or _is_sample(status) else ())
