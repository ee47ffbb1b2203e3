from pathlib import Path

import pytest

from desktop_rag.agent.events import Answered, Coverage, Phrasing, ReadDocument, Unread
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import NOT_FOUND_CHOSEN, NOT_FOUND_OPENING
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.documents.document import Document
from desktop_rag.index.records import ContentId, UnreadFile, UnsearchableFiles
from desktop_rag.retrieval.api import LibraryFacts, Scope
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel

GAPS = UnsearchableFiles(
    waiting=4,
    failed=1,
    scans=2,
    scan_pages=30,
    offline=(Path("/media/stick"),),
    examples=(UnreadFile(Path("/library/broken.pdf"), "It is damaged."),),
)


class FullLibrary(FakeRetriever):
    """A library with files that cannot be searched."""

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        known = super().facts(scope, stop)
        return LibraryFacts(known.files, known.contents, known.chunks, 0.5, GAPS)


def coverage_of(answered: Answered) -> Coverage:
    assert answered.coverage is not None
    return answered.coverage


def test_a_not_found_answer_has_a_search_report(library: FakeRetriever) -> None:
    calls = (
        ("search", '{"queries": ["unicorn rent", "\\"rent unicorn\\" dragon"], "mode": "keyword"}'),
        ("search", '{"queries": ["rent"]}'),
        ("read_chunks", '{"references": ["turn1search1"]}'),
    )
    model = ScriptedModel([Says(calls=calls), Says("[not found] No unicorns.")])
    coverage = coverage_of(Asker(library, model).answer("Unicorns?"))
    assert [phrasing.query for phrasing in coverage.phrasings] == ["unicorn rent", '"rent unicorn" dragon', "rent"]
    assert [phrasing.mode for phrasing in coverage.phrasings] == ["keyword", "keyword", "hybrid"]
    assert coverage.phrasings[2].found > 0
    assert coverage.unmatched == ("unicorn", "dragon", "rent unicorn")
    assert coverage.read == (ReadDocument("/library/lease.txt", "Lease Mill Lane", 8),)
    assert (coverage.documents, coverage.by_meaning, coverage.scoped) == (2, 1.0, False)


def test_words_that_only_ask_are_not_reported_as_missing(library: FakeRetriever) -> None:
    query = '{"queries": ["Wie lange gilt das fuer die Einhorn und ueber die Miete"]}'
    model = ScriptedModel([Says(calls=(("search", query),)), Says("[not found] Nichts.")])
    assert coverage_of(Asker(library, model).answer("Wie lange?")).unmatched == ("gilt", "Einhorn", "Miete")


def test_the_report_has_unsearchable_files(lease: Document, manual: Document) -> None:
    full = FullLibrary(("lease.txt", lease), ("boiler.pdf", manual))
    model = ScriptedModel([Says(calls=(("search", '{"queries": ["unicorn"]}'),)), Says("[not found] Nothing.")])
    coverage = coverage_of(Asker(full, model).answer("Unicorns?"))
    assert coverage == Coverage(
        phrasings=(Phrasing("unicorn", "hybrid", 0),),
        unmatched=("unicorn",),
        documents=2,
        read=(),
        by_meaning=0.5,
        waiting=4,
        failed=1,
        scans=2,
        scan_pages=30,
        offline=("/media/stick",),
        unread=(Unread("/library/broken.pdf", "It is damaged."),),
    )


def test_an_unverified_answer_has_a_report_too(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(("search", '{"queries": ["valve"]}'),)), Says("Paris is in France.")])
    answered = Asker(library, model).answer("Where is Paris?")
    assert answered.found
    assert coverage_of(answered).phrasings == (Phrasing("valve", "hybrid", 2),)


def test_a_verified_answer_needs_no_report(library: FakeRetriever) -> None:
    calls = (("search", '{"queries": ["rent payable"]}'),)
    model = ScriptedModel([Says(calls=calls), Says("The rent is 950 euros [turn1search1 L4].")])
    assert Asker(library, model).answer("What is the rent?").coverage is None


@pytest.mark.parametrize("kit", ["full", "quick"])
def test_not_found_in_a_chosen_part_does_not_speak_of_the_library(library: FakeRetriever, kit: str) -> None:
    chosen = Scope(contents=(ContentId(2),))
    answered = Asker(library, ExtractiveModel(), toolkit(kit), scope=chosen).answer("Who is the president of France?")
    assert answered.text.startswith(NOT_FOUND_CHOSEN)
    assert not answered.found
    whole = Asker(library, ExtractiveModel(), toolkit(kit)).answer("Who is the president of France?")
    assert whole.text.startswith(NOT_FOUND_OPENING)


def test_a_model_is_told_that_only_a_part_is_searched(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=(("search", '{"queries": ["rent"]}'),)), Says("[not found]")])
    answered = Asker(library, model, scope=Scope(contents=(ContentId(2),))).answer("Unicorns?")
    assert "The user chose a part of the library: only that is searched." in model.requests[0].messages[0].text
    assert answered.text.startswith(f"{NOT_FOUND_CHOSEN} Searched for “rent”.")
