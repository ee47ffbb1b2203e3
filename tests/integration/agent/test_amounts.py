"""Amounts in prose, plain CSV and PDF tables, compared or added up by the built-in model; read and indexed for real."""

from collections.abc import Iterator
from contextlib import closing

import pymupdf
import pytest

from desktop_rag.cli.index_command import is_settled
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.agent.test_structured_answers import ask

REPAIRS = (
    "# Repairs of the boat house\n\nThe plumber charged 450 euros for the new pipes in March.\n\n"
    "The electrician charged 620 euros for the lamps, and came twice.\n\n"
    "The rent of the boat house is 850 euros a month. The deposit of the boat house is 1,700 euros.\n\n"
    "The old mast is 9 metres long and the new mast is 11 metres long.\n\n"
    "The plank is 6 feet long. The ladder is 4 metres long.\n"
)
EXPENSES = (
    "date,purpose,amount\n2026-02-02,Travel,120.50\n2026-03-09,Travel,80.00\n"
    "2026-03-16,Paper,31.25\n2026-04-01,Travel,44.00\n"
)
RESULTS = (
    "branch,year,revenue,result\nKiel,2023,4120,185\nKiel,2024,3980,(72)\n"
    "Bremen,2023,1560,(113)\nBremen,2024,1715,(24)\n"
)
HOURS = (
    "name,role,since,hours_per_week\nRosa Behn,Gilder,2013,24\n"
    "Imke Tjarks,Apprentice,2025,38\nTarek Said,Sales,2019,32\n"
)
ROWS = (
    ("Number", "Date", "Amount"),
    ("A-17", "2026-02-11", "310.00"),
    ("A-18", "2026-03-02", "95.50"),
    ("A-19", "2026-03-28", "240.00"),
)


def write_pdf(path: str) -> None:
    """Write a page with a table of hall bookings."""
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 72), "Bookings of the hall")
        for line, row in enumerate(ROWS):
            for column, cell in enumerate(row):
                page.insert_text((78 + 120 * column, 120 + 20 * line), cell)
        pdf.save(path)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "Repairs.md").write_text(REPAIRS)
    (folder / "Expenses.csv").write_text(EXPENSES)
    (folder / "Results.csv").write_text(RESULTS)
    (folder / "Staff.csv").write_text(HOURS)
    write_pdf(str(folder / "Hall bookings.pdf"))
    library, stop = Library(tmp_path_factory.mktemp("library")), Stop()
    with closing(LibraryClient(library)) as client:
        client.add([folder], stop)
        with closing(client.follow(stop)) as statuses:
            assert any(is_settled(status) for status in statuses)
    engine = SearchEngine(library.folder, encoder_folder())
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the total of the results of all branches in 2024?", "The total is -96."),
        ("What is the total revenue of all branches in 2023?", "The total is 5,680."),
        ("Who works more hours a week, Rosa Behn or Imke Tjarks?", "Imke Tjarks, going by 38, the greatest of 2:"),
    ],
)
def test_rows_of_a_year_and_columns_that_a_verb_asks_for(engine: SearchEngine, question: str, said: str) -> None:
    answered, _ = ask(engine, question)
    assert answered.text.startswith(said), answered.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Who charged more, the plumber or the electrician?",
            "The electrician, going by 620 euros and 450 euros, computed from",
        ),
        ("Is the deposit higher than the rent?", "Yes, going by 1,700 euros and 850 euros, computed from [1](cite:1)"),
        (
            "Is the plumber more expensive than the electrician?",
            "No, going by 450 euros and 620 euros, computed from [1](cite:1) and [2](cite:2):",
        ),
        (
            "Which is longer, the old mast or the new mast?",
            "The new mast, going by 11 metres and 9 metres, computed from [1](cite:1)",
        ),
    ],
)
def test_amounts_in_sentences_are_compared(engine: SearchEngine, question: str, said: str) -> None:
    answered, calculations = ask(engine, question)
    assert answered.text.startswith(said), answered.text
    assert {claim.standing for claim in answered.claims} == {"supported"}
    assert calculations == 0


def test_other_units_are_not_compared_and_the_note_says_so(engine: SearchEngine) -> None:
    answered, _ = ask(engine, "Is the plank longer than the ladder?")
    assert answered.text.startswith("Not compared, as the units differ (6 feet and 4 metres):"), answered.text
    assert "nothing was calculated or compared" in answered.text
    assert {claim.standing for claim in answered.claims} == {"supported"}


def test_each_reference_of_a_comparison_marks_its_figure(engine: SearchEngine) -> None:
    answered, _ = ask(engine, "Is the deposit higher than the rent?")
    assert [citation.quote for citation in answered.citations[:2]] == ["1,700 euros", "850 euros"]


@pytest.mark.parametrize(
    ("question", "said", "quoted"),
    [
        ("How much more is the deposit than the rent?", "The difference is 850 euros.", 2),
        ("How much did the plumber and the electrician charge altogether?", "The total is 1,070 euros.", 2),
        ("What is the total of the expenses for travel?", "The total is 244.50.", 3),
        ("What is the total of the expenses in March?", "The total is 111.25.", 2),
        ("What is the total of the bookings of the hall in March 2026?", "The total is 335.50.", 2),
        ("What is the average amount of the bookings of the hall?", "The average is 215.17.", 3),
    ],
)
def test_amounts_are_added_up_with_their_sources(engine: SearchEngine, question: str, said: str, quoted: int) -> None:
    answered, calculations = ask(engine, question)
    assert answered.text.startswith(said), answered.text
    assert [claim.standing for claim in answered.claims] == ["computed", *["supported"] * quoted]
    assert calculations == 1
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}


@pytest.mark.parametrize(
    "question",
    [
        "Who charged more, the plumber or the painter?",  # no amount of a painter
        "Is the rent higher than the new mast?",  # euros and metres
        "What is the total of the expenses in August?",
    ],
)
def test_nothing_is_computed_without_both_operands(engine: SearchEngine, question: str) -> None:
    answered, calculations = ask(engine, question)
    assert "going by" not in answered.text
    assert "The total is" not in answered.text
    assert calculations == 0
