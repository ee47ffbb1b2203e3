"""Rows of tables are quoted with their columns, and those of another period not first."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import CLOSEST, CLOSEST_PASSAGES
from tests.unit.agent.conftest import Asker, FakeRetriever, document

RESULTS = document(
    "Results of the fourth quarter",
    "Net sales of $3.2 billion compared to $2.7 billion in the year-ago quarter.",
    "",
    "Comparable sales increased 15.6 per cent in the year.",
    "",
    "Net sales increased 18.3 per cent to $10.2 billion compared to $8.6 billion in fiscal 2021.",
    "",
    "($ million)\tJune 30, 2022\tJune 30, 2023",
    "Total assets\t17,426\t17,003",
    title="Tidewater announces results of fiscal 2022",
)
FLAT = document(
    "Mietvertrag über die Wohnung Lindenweg 4", "", "Die Miete beträgt 1.150 Euro. Die Kaution beträgt drei Mieten."
)
OFFERS = document("supplier\tprice\twarranty", "Nordvarme\t41200\t10", "Seawell\t57400\t8")


@pytest.fixture
def figures() -> Asker:
    return Asker(FakeRetriever(("results.pdf", RESULTS), ("offers.csv", OFFERS), ("flat.txt", FLAT)), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What were Tidewater's net sales in fiscal 2022?", "to $10.2 billion"),
        ("What were Tidewater's net sales in FY2022?", "to $10.2 billion"),
        ("What were Tidewater's net sales in the fourth quarter of fiscal 2022?", "of $3.2 billion"),
        ("Was kostet die Miete der Wohnung Lindenweg 4?", "Die Miete beträgt 1.150 Euro."),
    ],
)
def test_a_figure_of_another_period_is_not_quoted_first(figures: Asker, question: str, quoted: str) -> None:
    assert quoted in figures.answer(question).citations[0].quote


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What were the total assets of Tidewater?", "Total assets · June 30, 2022: 17,426 · June 30, 2023: 17,003"),
        ("What is the warranty of Seawell?", "supplier: Seawell · price: 57400 · warranty: 8"),
    ],
)
def test_a_table_row_is_quoted_with_its_header(figures: Asker, question: str, said: str) -> None:
    answered = figures.answer(question)
    assert said in answered.text
    assert all(claim.standing == "supported" for claim in answered.claims)


SALES = document(
    "| Region | 2021 | 2022 |",
    "|---|---|---|",
    "| North | 1,432 | 1,610 |",
    "| South | 2,210 | 2,015 |",
    title="Sales of Nordlicht",
)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What were the sales of the region North in 2022?", ""),
        ("Wie viel Umsatz hatte die Region North 2022?", f"Nothing that was read mentions “Umsatz”.\n\n{CLOSEST}\n\n"),
    ],
)
def test_the_header_of_a_table_is_part_of_its_rows_and_no_answer(question: str, missing: str) -> None:
    answered = Asker(FakeRetriever(("sales.md", SALES)), ExtractiveModel()).answer(question)
    assert answered.text.startswith(f"{missing}> Region: North · 2021: 1,432 · 2022: 1,610 ")
    assert all("Region" not in each.quote for each in answered.citations)


def test_numbers_and_words_that_only_ask_are_not_told_as_missing(figures: Asker) -> None:
    for question in ("What is the difference between Nordvarme and Seawell?", "Are total assets above 4,000?"):
        text = figures.answer(question).text.partition("mentions")[2]
        assert "“difference”" not in text
        assert "“000”" not in text


def test_a_row_far_below_the_header_of_a_long_table_is_quoted_with_its_columns() -> None:
    rows = (f"{number}\tST03\t2024-12-{number % 28 + 1:02}\t6.04\tLund\tcalm" for number in range(100))
    header = "id\tstation\tdate\ttemperature\toperator\tremark"
    table = document(header, *rows, "100\tST03\t2024-12-12\t7.31\tBrandt\tsensor fault Zanzibar")
    library = FakeRetriever(("measurements.csv", table))
    answered = Asker(library, ExtractiveModel()).answer("Which operator noted the sensor fault Zanzibar?")
    assert "> id: 100 · station: ST03 · date: 2024-12-12 · temperature: 7.31 · operator: Brandt · " in answered.text
    assert "“operator”" not in answered.text
    assert [(each.first_line, each.last_line) for each in answered.citations] == [(102, 102)]


def test_a_row_of_words_is_quoted_with_its_columns() -> None:
    table = document("Boat\tKeeper\tBerth", "Kestrel\tBrandt\tnorth quay", "Heron\tLund\tsouth quay")
    answered = Asker(FakeRetriever(("boats.csv", table)), ExtractiveModel()).answer("Who is the keeper of Kestrel?")
    assert answered.text.startswith("> Boat: Kestrel · Keeper: Brandt · Berth: north quay")


def test_a_row_with_the_names_of_its_columns_is_word_for_word() -> None:
    invoices = document(
        "Invoice\tNet\tCurrency\tPaid", "R-102\t900.00\tEUR\tno", "R-103\t450.00\tGBP\tno", "R-104\t90.00\tGBP\tyes"
    )
    asker = Asker(FakeRetriever(("invoices.csv", invoices)), ExtractiveModel())
    answered = asker.answer("Was invoice R-103 paid?")
    assert "Invoice: R-103 · Net: 450.00 · Currency: GBP · Paid: no" in answered.text
    assert {(claim.standing, claim.quoted, claim.faults) for claim in answered.claims} == {("supported", True, ())}


def test_a_name_with_a_digit_in_the_header_is_mentioned() -> None:
    leaflet = document("| | K10 | K25 |", "|---|---|---|", "| Weight | 19 kg | 27 kg |", "| Length | 3 m | 4 m |")
    answered = Asker(FakeRetriever(("Kayaks.md", leaflet)), ExtractiveModel()).answer("What is the weight of the K25?")
    assert answered.text.startswith("> Weight · K10: 19 kg · K25: 27 kg ")


@pytest.mark.parametrize("question", ["How wide is the K25?", "How much does the K25 cost?"])
def test_a_row_that_only_has_the_column_of_a_thing_is_the_closest_passage(question: str) -> None:
    manual = document("| | K10 | K25 |", "|---|---|---|", "| Tank | 3 l | 5 l |", "| Weight | 19 kg | 27 kg |")
    text = Asker(FakeRetriever(("manual.md", manual)), ExtractiveModel()).answer(question).text
    assert CLOSEST in text or CLOSEST_PASSAGES in text or "[not found]" in text


def test_no_row_is_left_out_that_has_as_many_words_of_the_question() -> None:
    rows = [f"2024-0{month}-03\tHall hire\t{270 + month}.00" for month in (2, 5, 8, 9)]
    accounts = document("Date\tAccount\tMoney out", *rows, "2024-10-03\tClock\t88.50", title="Accounts")
    text = Asker(FakeRetriever(("accounts.csv", accounts)), ExtractiveModel()).answer("Money out for hall hire?").text
    assert text.count("Account: Hall hire") == len(rows)
    assert "Clock" not in text
