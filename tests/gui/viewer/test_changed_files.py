"""Citations of an answer whose files are changed, moved or deleted afterwards, on a real library."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Answered, Citation
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.gui.conversation.sources.source_status import check_sources, note_of
from desktop_rag.gui.viewer.document_loading import open_target
from desktop_rag.gui.viewer.viewer_events import (
    DocumentFound,
    LinesLoaded,
    PassageCompared,
    Staleness,
    ViewerEvent,
    WordChange,
    target_of_citation,
)
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.api import DocumentCard
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import LEASE, SmallLibrary


@dataclass
class Answering:
    """A library, and a citation of an answer from it."""

    library: SmallLibrary
    folder: FolderId
    engine: SearchEngine
    answered: Answered

    @property
    def citation(self) -> Citation:
        return self.answered.citations[0]

    @property
    def path(self) -> Path:
        return Path(self.citation.path)

    def forget_file(self) -> None:
        """Record that the cited file is gone."""
        self.library.catalog.files.remove(
            self.library.catalog.files.of_folder(self.folder)[os.fsencode(self.path.name)].id
        )

    def note(self) -> str:
        """Return the note on the cited file in a reopened conversation."""
        turn = Turn(1, "When does the tenant pay the rent?", (self.answered,), 0)
        (checked,) = check_sources([turn], self.engine, Stop())
        return note_of(self.citation, checked.notes)

    def opened(self) -> tuple[DocumentFound, list[ViewerEvent]]:
        found, *rest = open_target(target_of_citation(self.citation), self.engine, Stop())
        assert isinstance(found, DocumentFound)
        return found, rest


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[Answering]:
    library = SmallLibrary(tmp_path)
    folder = library.add({"lease.md": LEASE, "other.md": "Cats sleep all day."})
    with closing(SearchEngine(library.layout.folder)) as engine:
        question, model = "When does the tenant pay the rent?", ExtractiveModel()
        *_, last = answer(Question(question), Run(toolkit("full"), model, engine))
        assert isinstance(last, Answered)
        assert last.citations[0].quote.startswith("The tenant pays the rent on the first day of each month.")
        yield Answering(library, folder, engine, last)
    library.close()


def test_a_file_of_a_team_is_told_to_be_on_its_server(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    lookup = answering.engine.lookup

    def on_server(sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        card = lookup(sha256, path, stop)
        return replace(card, away=True) if card is not None else None

    assert answering.note() == ""
    monkeypatch.setattr(answering.engine, "lookup", on_server)
    assert answering.note() == "on the team's server"


def test_a_changed_file_yields_a_word_diff(answering: Answering) -> None:
    text = "# Foreword\n\nNew.\n\n" + LEASE.replace(
        "the first day of each month", "the third working day of each month"
    )
    answering.path.write_text(text, encoding="utf-8")
    answering.library.put(answering.folder, "lease.md", answering.path)
    found, rest = answering.opened()
    assert (found.staleness, found.first_line) == (Staleness.CHANGED, 0)
    (compared,) = (event for event in rest if isinstance(event, PassageCompared))
    words = [(piece.change, piece.text.strip()) for piece in compared.pieces if piece.change is not WordChange.SAME]
    assert answering.note() == "changed since this answer"
    assert words == [(WordChange.GONE, "first"), (WordChange.NEW, "third working")]


def test_a_moved_file_is_found_by_its_hash(answering: Answering) -> None:
    assert answering.note() == ""
    moved = answering.path.with_name("contract.md")
    answering.path.rename(moved)
    answering.forget_file()
    answering.library.put(answering.folder, "contract.md", moved)
    found, rest = answering.opened()
    assert found.staleness is Staleness.SAME
    assert found.card is not None
    assert found.card.path == moved
    assert answering.note() == f"moved to {moved}"
    assert (found.first_line, found.last_line) == (answering.citation.first_line, answering.citation.last_line)
    assert not any(isinstance(event, PassageCompared) for event in rest)


def test_a_deleted_file_leaves_the_stored_passage(answering: Answering) -> None:
    answering.path.unlink()
    answering.forget_file()
    found, rest = answering.opened()
    assert found.staleness is Staleness.GONE
    answering.library.catalog.contents.discard_orphans(time.time_ns() + 10**12)  # long after it was last seen
    found, rest = answering.opened()
    assert found.staleness is Staleness.LOST
    assert answering.note() == "no longer in your library"
    (harness,) = (event for event in rest if isinstance(event, LinesLoaded))
    assert "\n".join(harness.lines) == answering.citation.passage
    assert answering.citation.quote in " ".join(harness.lines)
