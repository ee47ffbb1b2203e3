"""The real citation check behind the benchmark."""

import argparse
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from benchmarks.lies import bench
from benchmarks.lies.cases import CitedPlace, Group, LieCase, Place, Statement
from benchmarks.lies.documents import SourceDocument, StoredDocument, store
from benchmarks.lies.verdicts import Bystanders, Outcome, judge
from desktop_rag.agent.events import Mark
from desktop_rag.errors import BenchError
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine

REPORT, CHOIR = "harbour.md", "choir.txt"
PIER = """# The harbour in 2023

The harbour was busy, as the master writes.

The pier was designed by Okafor & Lund. It has 96 lamps and cost 4.2 million euros.
"""
SINGERS = "Minutes of the choir\n\nThe singers rehearse on Tuesdays in Norway House, which the parish owns.\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


@pytest.fixture
def stored(library: Library) -> dict[str, StoredDocument]:
    documents = [
        SourceDocument(REPORT, PIER.encode(), "musique", "The harbour"),
        SourceDocument(CHOIR, SINGERS.encode(), "musique", "The choir"),
    ]
    return store(library, documents)


@pytest.fixture
def engine(library: Library, stored: dict[str, StoredDocument]) -> Iterator[SearchEngine]:
    assert stored
    with closing(SearchEngine(library.folder, encoder_folder())) as engine:
        yield engine


def case(*statements: Statement, group: Group = "names") -> LieCase:
    return LieCase("test", group, REPORT, "Who designed the pier?", statements, stop_first=True)


def test_marks_come_from_the_real_check(engine: SearchEngine, stored: dict[str, StoredDocument]) -> None:
    place = Place(REPORT, 5, 5)
    true = Statement("Okafor & Lund designed the pier.", (CitedPlace(place),), evidence=place, before="")
    false = Statement("It has 310 lamps.", (CitedPlace(place, "The pier was designed"),), "false", "310", place)
    uncited = Statement("Brannock Marine was founded by two brothers in Swansea.", (), "false", before="\n\n")
    outcomes = judge(case(true, false, uncited), stored, engine, Bystanders([]))
    assert [(outcome.marks, outcome.right) for outcome in outcomes] == [
        (("unchecked",), True),
        (("missing",), True),
        (("uncited",), True),
    ]


def test_a_citation_moved_to_the_right_file_is_noticed(engine: SearchEngine, stored: dict[str, StoredDocument]) -> None:
    cited = CitedPlace(Place(CHOIR, 3, 3), "The pier was designed by Okafor & Lund")
    statement = Statement(
        "The pier was designed by Okafor & Lund.", (cited,), "false", "", Place(REPORT, 5, 5), before=""
    )
    [outcome] = judge(case(statement, group="wrong place"), stored, engine, Bystanders([]))
    assert (outcome.misled, outcome.noticed) == (False, True)


def test_an_invented_quotation_is_red(engine: SearchEngine, stored: dict[str, StoredDocument]) -> None:
    cited = CitedPlace(Place(REPORT, 5, 5), "The singers of the pier left it at dawn")
    statement = Statement("The pier has 96 lamps.", (cited,), "false", before="")
    [outcome] = judge(case(statement, group="quotation"), stored, engine, Bystanders([]))
    assert (outcome.marks, outcome.is_red, outcome.noticed) == (("altered",), True, True)


def test_the_data_pack_must_be_named() -> None:
    with pytest.raises(BenchError, match="--data"):
        bench.run(arguments(), lambda _: None)


def arguments(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return parser.parse_args(given)


@pytest.mark.parametrize(
    ("expected", "mark", "right"),
    [
        ("false", "missing", True),
        ("false", "altered", True),
        ("false", "unchecked", False),
        ("honest", "unchecked", True),
        ("honest", "missing", True),
        ("honest", "altered", False),
        ("honest", "uncited", False),
    ],
)
def test_a_noticed_lie_and_an_honest_statement_that_is_not_red_are_right(
    expected: Literal["honest", "false"], mark: Mark, *, right: bool
) -> None:
    statement = Statement("The rent is 900 euros.", expected=expected)
    assert Outcome(case(statement), statement, (mark,), misled=False, shown="").right is right


def test_the_report_has_the_share_of_each_mark() -> None:
    honest, false = Statement("It is."), Statement("It is not.", expected="false")
    outcomes = [
        Outcome(case(honest, group="honest"), honest, ("quoted",), misled=False, shown=""),
        Outcome(case(honest, group="honest"), honest, ("altered",), misled=False, shown=""),
        Outcome(case(false), false, ("missing",), misled=False, shown=""),
    ]
    shares = {row.what: row.median for row in bench.rows(outcomes)}
    assert shares["honest: in red"] == 0.5
    assert shares["honest: quoted"] == 0.5
    assert shares["names: noticed"] == 1
