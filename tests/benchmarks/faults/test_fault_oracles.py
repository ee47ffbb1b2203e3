"""Every kind of fault that a campaign looks for is found when it is there, and none is found in a healthy library."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import apsw
import pytest

from benchmarks.faults.damage import Store
from benchmarks.faults.inspection import damage_before_repair
from benchmarks.faults.notes_library import LibraryFaults, NotesLibrary
from benchmarks.faults.sessions import blamed_files
from desktop_rag.retrieval.api import SearchRequest, SearchResult
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotesLibrary]:
    with NotesLibrary(tmp_path_factory.mktemp("oracles"), seed=2) as notes:
        for name in ("one.md", "two.md", "three.md"):
            notes.put(name)
        with notes.client() as client:
            notes.settle(client)
        notes.stop_indexer()
        yield notes


def _verify(notes: NotesLibrary) -> LibraryFaults:
    return notes.verify(meaning=False)


@pytest.mark.processes
def test_a_healthy_library_has_no_faults(notes: NotesLibrary) -> None:
    assert notes.verify().all == []
    assert damage_before_repair(notes.library) == ""
    assert blamed_files(notes.library) == ""


def _expect_another_note(notes: NotesLibrary) -> list[str]:
    notes.texts["four.md"], notes.words["four.md"] = "text", "zizizik"
    return _verify(notes).lost


def _expect_another_text(notes: NotesLibrary) -> list[str]:
    notes.texts["one.md"] += "more"
    return _verify(notes).wrong


def _expect_another_name(notes: NotesLibrary) -> list[str]:
    notes.words["one.md"], notes.words["two.md"] = notes.words["two.md"], notes.words["one.md"]
    return _verify(notes).wrong


def _expect_a_note_to_be_gone(notes: NotesLibrary) -> list[str]:
    notes.former.append(notes.words["three.md"])
    return _verify(notes).phantom


def test_a_library_that_is_not_as_expected_is_found_out(notes: NotesLibrary) -> None:
    words, texts, former = dict(notes.words), dict(notes.texts), list(notes.former)
    for expect in (_expect_another_note, _expect_another_text, _expect_another_name, _expect_a_note_to_be_gone):
        assert expect(notes), expect
        notes.words, notes.texts, notes.former = dict(words), dict(texts), list(former)


def test_a_hit_that_comes_twice_is_found_out(notes: NotesLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    search = SearchEngine.search

    def twice(engine: SearchEngine, request: SearchRequest, stop: Stop) -> SearchResult:
        found = search(engine, request, stop)
        return replace(found, hits=found.hits * 2)

    monkeypatch.setattr(SearchEngine, "search", twice)
    assert len(_verify(notes).duplicated) == 3


def test_a_file_held_responsible_for_a_crash_is_found_out(notes: NotesLibrary) -> None:
    with contextlib.closing(apsw.Connection(str(notes.library.catalog))) as database:
        database.execute(
            "INSERT INTO strike (sha256, reader, count, reason, step, why) VALUES (x'00', '', 1, '', 0, '')"
        )
    try:
        assert "1 are held responsible" in blamed_files(notes.library)
    finally:
        with contextlib.closing(apsw.Connection(str(notes.library.catalog))) as database:
            database.execute("DELETE FROM strike")


def test_a_violated_invariant_is_found_out(notes: NotesLibrary) -> None:
    unread = notes.documents / "unread.md"
    unread.write_text("No indexer was running.", encoding="utf-8")
    try:
        assert any(fault.startswith("I1 ") for fault in _verify(notes).broken)
    finally:
        unread.unlink()


@pytest.mark.parametrize("store", [Store.KEYWORDS, Store.VECTORS])
def test_a_copy_that_needs_repair_is_found_out(notes: NotesLibrary, store: Store) -> None:
    notes.forget_engine()
    file = max(store.files(notes.library), key=lambda path: path.stat().st_size)
    healthy = file.read_bytes()
    file.write_bytes(bytes(len(healthy)))
    try:
        assert damage_before_repair(notes.library).startswith("before any repair: ")
    finally:
        file.write_bytes(healthy)
