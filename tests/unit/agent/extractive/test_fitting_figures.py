"""A number of things, a price and a date are answers only if they can be what a question asks for."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import CLOSEST, CLOSEST_PASSAGES
from tests.unit.agent.conftest import Asker, FakeRetriever, document

OFFER = document(
    "Brightfield Solar Ltd, 6 Quay Street, Truro",
    "",
    "- 14 modules of 430 W each, south-west roof",
    "- battery of 9.6 kWh",
    "",
    "| Position | Net price |",
    "|---|---|",
    "| Modules and mounting | £4,620 |",
    "| Inverter | £1,180 |",
    "| Battery | £3,950 |",
    "",
    "Of the price 25 % is due on ordering, 50 % on delivery. Modules: 25 years.",
    title="Solar offer",
)
CLUB = document(
    "For: Ravenscar Rowing Club, 12 July 2025, 60 guests",
    "",
    "The club has 148 members now, 17 of them juniors. Each boat needs five life jackets; members with a cold must "
    "stay off the water for 48 hours. Juniors with a boat come at 5 pm.",
    title="Rowing club",
)
RUNS = document(
    "Week\tRunner\tDistance km\tMinutes\tShoes\tNote",
    "1\tNadia\t12.0\t72\tAsics\teasy",
    "2\tTheo\t8.0\t46\tBrooks\tsore calf",
    "3\tNadia\t18.5\t111\tHoka\tsnow",
    "4\tNadia\t21.1\t122\tHoka\thalf marathon race",
    "4\tTheo\t21.1\t109\tHoka\thalf marathon race",
    title="Training log",
)
PRICES = document("Model\tEUR\tWeight", "Hoka\t149\t230", "Asics\t119\t250", title="Models")
KITA = document("Kinder mit Fieber müssen 24 Stunden fieberfrei sein, bevor sie wiederkommen.", title="Elternbrief")
VET = document(
    "Die Impfung von Mika ist bis März 2026 gültig. Mika wurde am 3. Mai 2024 kastriert.", title="Arztbericht"
)
LIBRARY = FakeRetriever(("offer.md", OFFER), ("runs.csv", RUNS), ("kita.md", KITA), ("vet.txt", VET), ("club.md", CLUB))


def answered(question: str, library: FakeRetriever = LIBRARY) -> str:
    return Asker(library, ExtractiveModel()).answer(question).text


@pytest.mark.parametrize("question", ["How many modules are there?", "How many modules does the solar offer include?"])
def test_a_position_of_an_offer_is_no_number_of_things(question: str) -> None:
    said = answered(question)
    assert "14 modules" in said
    assert "1 of 3 rows" not in said
    assert "Net price =" not in said


def test_rows_that_differ_by_one_cell_are_all_quoted() -> None:
    said = answered("List all runs in Hoka shoes")
    assert [each for each in ("snow", "122", "109") if each in said] == ["snow", "122", "109"]


@pytest.mark.parametrize(
    "question",
    [
        "What did the Hoka shoes cost?",  # no column is of money
        "How much did Nadia's shoes cost?",
        "Wie viele Kinder haben Fieber?",  # hours
        "Wann wurde Mika geimpft?",  # until when it is valid
        "Wann wurde die Impfung gemacht?",
        "How many members have a cold?",  # life jackets
        "How many juniors have a boat?",  # a time of day
    ],
)
def test_a_figure_of_another_kind_is_but_the_closest(question: str) -> None:
    assert answered(question).find(CLOSEST.rstrip(":")) >= 0 or CLOSEST_PASSAGES in answered(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much of the price is due on delivery?", "50 %"),
        ("Wie viele Stunden muss ein Kind fieberfrei sein?", "24 Stunden"),
        ("How many juniors does the rowing club have?", "17 of them juniors"),
        ("Wann wurde Mika kastriert?", "3. Mai 2024"),
        ("Bis wann ist die Impfung von Mika gültig?", "bis März 2026"),
    ],
)
def test_a_figure_of_the_right_kind_answers(question: str, told: str) -> None:
    said = answered(question)
    assert told in said
    assert CLOSEST not in said
    assert CLOSEST_PASSAGES not in said


def test_a_column_with_a_currency_is_of_money() -> None:
    said = answered("What does the Hoka cost?", FakeRetriever(("models.csv", PRICES)))
    assert "149" in said
    assert CLOSEST not in said
    assert CLOSEST_PASSAGES not in said
