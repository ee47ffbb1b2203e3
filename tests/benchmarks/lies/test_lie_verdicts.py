"""Handwritten cases, and the real citation check behind the benchmark."""

import argparse
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from benchmarks.lies import bench
from benchmarks.lies.cases import GROUPS, CitedPlace, LieCase, Place, Statement
from benchmarks.lies.documents import StoredDocument, store
from benchmarks.lies.handwritten import handwritten
from benchmarks.lies.verdicts import Bystanders, Outcome, judge
from desktop_rag.errors import BenchError
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.text.normalize import fold_quote

MOVED = (
    "swapped ",
    "wrong sum",
    "calculated, of another count",
)  # kinds that begin so may say true words of the document of something else in it
REPORT = "harbour-report-2023.md"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


@pytest.fixture
def stored(library: Library) -> dict[str, StoredDocument]:
    return store(library, handwritten().documents)


@pytest.fixture
def engine(library: Library, stored: dict[str, StoredDocument]) -> Iterator[SearchEngine]:
    assert stored
    with closing(SearchEngine(library.folder, encoder_folder())) as engine:
        yield engine


def case(*statements: Statement) -> LieCase:
    return LieCase("test", "names", REPORT, "Who designed the pier?", statements, stop_first=True)


def test_there_are_cases_of_every_group_in_five_languages() -> None:
    written = handwritten()
    assert len(written.cases) >= 105
    assert {each.group for each in written.cases} == set(GROUPS)
    assert {each.source for each in written.cases} == {document.name for document in written.documents}


def test_a_false_word_does_not_stand_in_its_document(stored: dict[str, StoredDocument]) -> None:
    for each in handwritten().cases:
        for statement in each.statements:
            if statement.altered and each.group in ("figures", "names", "uncited"):
                assert statement.altered in statement.text
                if not each.kind.startswith(MOVED):
                    assert statement.altered not in stored[each.source].document.text, statement.text


def test_quotations_are_true_unless_the_lie_is_in_them(stored: dict[str, StoredDocument]) -> None:
    for each in handwritten().cases:
        for statement in each.statements:
            for citation in (c for c in statement.citations if c.quote):
                at = statement.evidence or citation.place
                text = fold_quote("\n".join(stored[at.file].lines(at.first, at.last)))
                lies = statement.altered and statement.altered in citation.quote
                assert (fold_quote(citation.quote) in text) != bool(lies), citation.quote


def test_evidence_is_a_line_with_words(stored: dict[str, StoredDocument]) -> None:
    for each in handwritten().cases:
        for statement in (s for s in each.statements if s.evidence):
            assert statement.evidence is not None
            place = statement.evidence
            assert any(line.strip() for line in stored[place.file].lines(place.first, place.last)), statement.text


def test_an_unknown_field_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('[[document]]\nname = "a.txt"\ntext = "A"\nlines = 3\n')
    with pytest.raises(msgspec.ValidationError, match="lines"):
        handwritten(tmp_path)


def test_verdicts_come_from_the_real_check(engine: SearchEngine, stored: dict[str, StoredDocument]) -> None:
    place = Place(REPORT, 6, 6)
    true = Statement("The pier was designed by Okafor & Lund.", (CitedPlace(place),), evidence=place, before="")
    false = Statement("It has 310 lamps.", (CitedPlace(place, "The pier was"),), "false", "310", place)
    uncited = Statement("Brannock Marine was founded by two brothers in Swansea.", (), "false", before="\n\n")
    outcomes = judge(case(true, false, uncited), stored, engine, Bystanders([]))
    assert [(outcome.rejected, outcome.right) for outcome in outcomes] == [(False, True), (True, True), (True, True)]


def test_a_citation_moved_to_the_right_file_is_noticed(engine: SearchEngine, stored: dict[str, StoredDocument]) -> None:
    cited = CitedPlace(Place("choir-minutes.txt", 3, 3), "The pier was designed by Okafor & Lund")
    right = Place(REPORT, 6, 6)
    statement = Statement("The pier was designed by Okafor & Lund.", (cited,), "false", "", right, before="")
    misplaced = LieCase("test", "wrong place", REPORT, "Who designed the pier?", (statement,))
    [outcome] = judge(misplaced, stored, engine, Bystanders([]))
    assert outcome.rejected


def test_the_benchmark_reports_every_group(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []
    report = bench.run(arguments("--half", "development", "--show", "0"), shown.append)
    whats = [row.what for row in report.rows]
    assert [what for what in whats if not what.startswith(" ")] == [
        "honest: doubted",
        *(f"{group}: noticed" for group in GROUPS[1:]),
    ]
    assert all(0 <= row.median <= 1 for row in report.rows)
    assert not any("“" in line for line in shown)
    assert not capsys.readouterr().out


def test_a_kind_without_cases_is_refused() -> None:
    with pytest.raises(BenchError, match="No case"):
        bench.run(arguments("--kind", "nonsense"), lambda _: None)


def arguments(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return parser.parse_args(given)


@pytest.mark.parametrize(
    ("expected", "rejected", "right"),
    [("false", True, True), ("false", False, False), ("honest", False, True), ("honest", True, False)],
)
def test_a_noticed_lie_and_an_undoubted_truth_are_right(
    expected: Literal["honest", "false"], *, rejected: bool, right: bool
) -> None:
    statement = Statement("The rent is 900 euros.", expected=expected)
    assert Outcome(case(statement), statement, rejected, "").right is right
