"""The benchmark of the keyword index runs from end to end on a small corpus."""

import argparse

import pytest

from benchmarks.keywords import index
from benchmarks.keywords.keyword_queries import plain_words
from benchmarks.keywords.plain_text import PlainCutting
from benchmarks.report import OURS


def said(text: str) -> None:
    assert text


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    index.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.mark.processes
@pytest.mark.slow
def test_every_engine_is_built_and_compared() -> None:
    report = index.run(options("--sizes", "200,240", "--slow", "200", "--rounds", "2"), said)
    rows = {(row.what, row.subject): row for row in report.rows}
    for analysis in ("plain", "full"):
        for subject in (OURS, "stock Whoosh"):
            assert len(rows[f"{analysis}, 200: time", subject].values) == 2
            assert rows[f"{analysis}, 200: size", subject].median > 0
        assert (f"{analysis}, 240: time", "stock Whoosh") not in rows
        assert rows[f"{analysis}, a passage at 240 against 200", OURS].median > 0
    assert ("plain, 240: time", "SQLite FTS5") in rows
    assert len(rows["one file changed among 240", OURS].values) == index.CHANGES
    assert any("stock Whoosh" in note for note in report.notes)


def test_only_the_named_engines_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_xapian_python", lambda: "")
    report = index.run(options("--passages", "200", "--engines", "Xapian,SQLite FTS5"), said)
    assert {row.subject for row in report.rows} == {"SQLite FTS5"}
    assert any("python3-xapian" in note for note in report.notes)


@pytest.mark.parametrize("text", ["The tenant's_x 3.14", "naïve—co-op “Straße” 東京 tower", "", "--"])
def test_all_engines_split_plain_words_alike(text: str) -> None:
    analyser = PlainCutting()
    words = [
        word
        for piece in analyser.spaced(text).split()
        for word in ((piece,) if set(piece) <= set(analyser.word_bytes) else analyser.analyse(piece).terms)
    ]
    assert [word.decode() for word in words] == plain_words(text)
