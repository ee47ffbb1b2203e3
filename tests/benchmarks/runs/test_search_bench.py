"""The search benchmarks run end to end on a small corpus, and their engines agree."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.corpus import build
from benchmarks.keywords import exact, search
from benchmarks.keywords.keyword_engines import engines
from benchmarks.keywords.keyword_queries import Kind, drawn
from benchmarks.keywords.load import under_load
from benchmarks.keywords.search_latency import TYPING_GOAL, latencies, library_of
from benchmarks.report import OURS
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import wait_for_end
from desktop_rag.index.library import Library
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import Mode

pytestmark = pytest.mark.processes


def said(text: str) -> None:
    assert text


def options(add: Callable[[argparse.ArgumentParser], None], *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add(parser)
    return parser.parse_args(arguments)


def test_every_kind_is_measured_for_every_engine(tmp_path: Path) -> None:
    asked = options(
        search.add_arguments, "--sizes", "40,80", "--queries", "2", "--rounds", "1", "--keep", str(tmp_path)
    )
    report = search.run(asked, said)
    for kind in Kind:
        subjects = {row.subject for row in report.rows if row.what == f"{kind}, 80"}
        assert {OURS, "stock Whoosh"} <= subjects
        assert ("SQLite FTS5" in subjects) == (kind is not Kind.FUZZY)
    again = options(search.add_arguments, "--passages", "80", "--queries", "2", "--rounds", "1", "--engines", "ours")
    again.keep = tmp_path
    assert {row.subject for row in search.run(again, said_no_building).rows} == {OURS}


def said_no_building(text: str) -> None:
    assert "Building" not in text  # existing indexes are reused


def test_engines_find_the_same_passages(tmp_path: Path) -> None:
    passages = build(resources() / "sample", 60).passages
    found, _ = engines(tmp_path)
    for engine in found.values():
        engine.build(passages)
        engine.open()
    for query in drawn(passages, 4):
        answers = {name: set(engine.best(query, 60)) for name, engine in found.items() if answers_to(name, query.kind)}
        assert len(set(map(frozenset, answers.values()))) == 1, (query, answers)
    for engine in found.values():
        engine.close()


def answers_to(name: str, kind: Kind) -> bool:
    # tantivy counts from 0, per segment
    return name != "tantivy" and not (name == "SQLite FTS5" and kind is Kind.FUZZY)


def test_literal_search_is_measured() -> None:
    report = exact.run(options(exact.add_arguments, "--passages", "60", "--queries", "2"), said)
    kinds = {"word", "part of a word", "consecutive words", "several", "most frequent"}
    assert {row.what for row in report.rows} >= kinds


def test_concurrent_clients_share_one_searcher(tmp_path: Path) -> None:
    rows = under_load(tmp_path / "none", ["rent", "rent AND (", '"two months"'], (1, 3), said)
    assert {row.what for row in rows} >= {"queries per second, 1 at once", "queries per second, 3 at once"}
    assert all(len(row.values) == 3 for row in rows if row.what.startswith("one query"))
    assert all(row.median > 0 for row in rows if row.what.startswith("CPU of the searchers"))


def test_concurrency_needs_a_library() -> None:
    with pytest.raises(BenchError, match="belong together"):
        search.run(options(search.add_arguments, "--concurrency", "1,16"), said)


@pytest.mark.slow
def test_latency_is_measured_in_every_mode(tmp_path: Path) -> None:
    passages = build(resources() / "sample", 30)
    library = library_of(tmp_path, passages, said)
    try:
        rows = latencies(library, passages.passages, 2, said)
    finally:
        wait_for_end(Library(library))
    asked = {row.what.split(",")[0] for row in rows}
    assert asked >= set(Mode)
    assert all(len(row.values) == 2 for row in rows if row.what == "hybrid, clock")
    assert {row.goal for row in rows if row.what.endswith("letter typed, 95th percentile")} == {TYPING_GOAL}
