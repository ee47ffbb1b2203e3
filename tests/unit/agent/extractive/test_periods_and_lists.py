"""Fees that hold for a time, lists with the sentence above them, senders of mails, and minutes found by their date."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.quantities.validity import Period, asked_period, holding_since, periods
from tests.unit.agent.conftest import Asker, FakeRetriever, document

STORAGE = document(  # the retriever of these tests has passages of four lines
    "# Rental of the storage unit",
    "The monthly fee is EUR 148.00 until 28 February 2024. From 1 March 2024 the monthly fee is EUR 156.50.",
    "",
    "",
    "The following may not be stored in the unit:",
    "- fuel and gas",
    "- food that perishes",
    "Batteries may be stored only without their devices.",
    title="Rental of the storage unit",
)
ORDER = document(
    "From: Helen Marsh <helen@marsh.example>",
    "To: Jonas Brandt <jonas@sails.example>",
    "Subject: Order of the mainsail",
    "Date: Sun, 11 Feb 2024 18:22:10 +0100",
    "",
    "please make the mainsail of Petrel in the heavier cloth. We accept your price of EUR 2,380.",
    title="Order of the mainsail",
)
KEEL = document(
    "Inspection of the keel, 3 October 2009", "Inspector: T. Halvorsen", "All bolts are sound.", title="Inspection"
)
JANUARY = document(
    "18 January 2024, clubhouse",
    "",
    "Present: Petra Voss. Absent: Marta Kowalska.",
    "1. **Fee.** Rolf moved to raise the membership fee. The motion was rejected by three votes to one.",
    title="Minutes",
)
MARCH = document("14 March 2024, clubhouse", "", "Present: Petra Voss. Absent: Ali Demir.", title="Minutes")
TESTS = document(
    "# Tensile tests, autumn",
    "",
    "Each spar was loaded until it broke.",
    "",
    "| adhesive | spars | mean strength (MPa) |",
    "|---|---|---|",
    "| resorcinol | 4 | 71.4 |",
    "| polyurethane | 4 | 55.0 |",
    title="Tensile tests",
)
INSURANCE = document(
    "The hull insurance of Petrel was refused.", "", "The liability insurance costs EUR 94.60 and covers EUR 5 million."
)
DEPOT = document(
    "The lease runs from 1 October 2022 to 30 September 2027.", "The depot is insured.", title="Lease of the depot"
)
COSTS = document("Staff costs were EUR 228,900.", "The contract of Tomás ends soon.", title="Report")
INVOICES = document(
    "invoice\tcustomer\tnet EUR", "2024-001\tHolm\t4800.00", "2024-002\tNordholz\t2150.00", "2024-003\tHolm\t3100.00"
)


@pytest.fixture
def asker() -> Asker:
    named = {
        "storage.md": STORAGE,
        "order.eml": ORDER,
        "keel.txt": KEEL,
        "january.md": JANUARY,
        "march.md": MARCH,
        "tests.md": TESTS,
        "insurance.eml": INSURANCE,
        "invoices.csv": INVOICES,
        "depot.md": DEPOT,
        "costs.md": COSTS,
    }
    return Asker(FakeRetriever(*named.items()), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the monthly fee of the storage unit in 2025?", "From 1 March 2024 the monthly fee is EUR 156.50."),
        ("What was the monthly fee of the storage unit in 2023?", "EUR 148.00 until 28 February 2024."),
        ("What was the monthly fee of the storage unit in May 2024?", "From 1 March 2024"),
        ("Who ordered the mainsail?", "From: Helen Marsh"),
        ("How much did the mainsail cost?", "We accept your price of EUR 2,380."),
        ("When does the lease of the depot end?", "from 1 October 2022 to 30 September 2027."),
        ("Who inspected the keel?", "Inspector: T. Halvorsen"),
        ("Who was absent on 14 March 2024?", "Absent: Ali Demir."),
        (
            "What was the mean strength of polyurethane?",
            "adhesive: polyurethane · spars: 4 · mean strength (MPa): 55.0",
        ),
    ],
)
def test_the_sentence_that_holds_or_names_who_stands_first(asker: Asker, question: str, first: str) -> None:
    quotation = next(line for line in asker.answer(question).text.split("\n") if line.startswith(">"))
    assert first in quotation


def test_a_list_is_quoted_with_the_sentence_above_it(asker: Asker) -> None:
    answered = asker.answer("What may not be stored in the unit?")
    assert answered.text.startswith(
        "> The following may not be stored in the unit:\n> - fuel and gas\n> - food that perishes [1](cite:1)"
    )
    assert (answered.citations[0].first_line, answered.citations[0].last_line) == (5, 7)
    assert answered.citations[0].verdict == "verbatim"


def test_a_heading_in_bold_type_is_no_answer(asker: Asker) -> None:
    answered = asker.answer("Was the membership fee raised in January 2024?")
    assert "The motion was rejected by three votes" in answered.text
    assert "**Fee" not in answered.text
    assert r"\*\*Fee" not in answered.text


def test_what_another_quotation_mentions_is_not_called_unmentioned(asker: Asker) -> None:
    text = asker.answer("What does the liability insurance of Petrel cost and what does it cover?").text
    assert "The liability insurance costs EUR 94.60" in text
    assert "mentions “liability”" not in text


def test_a_total_of_several_words_is_added_up(asker: Asker) -> None:
    assert asker.answer("What is the total net amount of the invoices to Holm?").text.startswith(
        "The total is 7,900.00."
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("until 28 February 2024", [Period(last=(2024, 2, 28))]),
        ("Ab dem 1. Juli 2025 steigt die Miete", [Period((2025, 7, 1))]),
        ("from 15 April 2024 to 31 October 2024", [Period((2024, 4, 15), (2024, 10, 31))]),
        ("since 2019", [Period((2019, 0, 0))]),
        ("In 2022 it was 200 and in 2023 210.", []),
    ],
)
def test_periods(text: str, found: list[Period]) -> None:
    assert list(periods(text)) == found


def test_the_time_asked_for() -> None:
    year = asked_period("What is the fee in 2025?")
    assert year == Period((2025, 0, 0), (2025, 12, 31))
    assert holding_since("From 1 March 2024 the fee is 156.50.", year) == (2024, 3, 1)
    assert holding_since("The fee is 148.00 until 28 February 2024.", year) is None
    assert asked_period("How did the fee change from 2023 to 2024?") is None


@pytest.mark.parametrize(
    ("question", "is_negated"),
    [
        ("Which bills are not paid?", True),
        ("How many bills are not yet paid?", True),
        ("Which bills are paid?", False),
    ],
)
def test_rows_without_an_entry(question: str, *, is_negated: bool) -> None:
    bills = document("bill\tnet\tpaid on", "B-1\t48\t2 May", "B-2\t21", "B-3\t30\t4 May", title="Bills")
    more = document("bill\tnet\tpaid on", "B-4\t48", title="Offers")  # one row is no table
    text = Asker(FakeRetriever(("bills.csv", bills), ("offers.csv", more)), ExtractiveModel()).answer(question).text
    assert ("1 of 3 rows have no entry in “paid on”:" in text) is is_negated
    assert ("bill: B-2 · net: 21" in text and "B-3" not in text) is is_negated


def test_who_speaks_in_a_conversation_counts_as_mentioned() -> None:
    chat = document(
        "Hailey: The early order has a discount of 15 per cent.",
        "Jonas: Thanks! Anything else?",
        "Hailey: No, that is all.",
        "Jonas: Fine.",
        title="Chat",
    )
    asker = Asker(FakeRetriever(("chat.txt", chat)), ExtractiveModel())
    assert "15 per cent" in asker.answer("How much discount will Hailey give to Jonas according to their chat?").text
    assert not asker.answer("Which phone number did Hailey give to Jonas?").found


FLATS = document(
    "flat\trooms\trent\tbalcony\ttenant",
    "A1\t2\t780\tyes\tRuiz",
    "A2\t3\t960\tno\tFeldmann",
    "B1\t2\t810\tyes",
    "C1\t1\t990\tno\tPetit",
    title="Flats",
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many flats have a balcony?", "2 of 4 rows, going by “balcony”:"),
        ("Which flats have no balcony?", "2 of 4 rows, going by “balcony”:"),
        ("How many flats have no tenant?", "1 of 4 rows have no entry in “tenant”:"),
        ("What is the total rent of all flats without a balcony?", "The total is 1,950."),
        ("What is the total rent of all flats that have a tenant?", "The total is 2,730."),
        ("What is the total rent of all flats?", "The total is 3,540."),
        ("Which flat has the most rooms?", "A2, going by 3, the greatest of 4:"),
        ("List all the flats.", "4 of 4 rows:"),
        ("Which flat is not the cheapest?", ""),
        ("Is A2 not cheaper than C1?", ""),
        ("Which flats are not rented for more than 900 euros?", ""),
    ],
)
def test_what_is_demanded_of_a_column_chooses_the_rows(question: str, said: str) -> None:
    text = Asker(FakeRetriever(("flats.csv", FLATS)), ExtractiveModel()).answer(question).text
    follows = [line for line in text.split("\n") if line and not line.startswith((">", "*", "None", "No", "The clos"))]
    assert [line.split(" [")[0] for line in follows] == ([said] if said else [])


def test_amounts_of_several_currencies_are_not_added_up() -> None:
    offers = document("bidder\tprice\tcurrency", "Ona\t1900\tEUR", "Bell\t1750\tGBP", "Cz\t8200\tPLN", title="Bids")
    text = Asker(FakeRetriever(("bids.csv", offers)), ExtractiveModel()).answer("What is the total of the prices?").text
    assert "The total" not in text


def test_one_of_two_documents_with_such_a_table_is_named() -> None:
    lists = [
        (f"{year}.csv", document("product\tprice", f"shelf\t{year - 1950}", "desk\t310", title=f"Price list {year}"))
        for year in (2023, 2024)
    ]
    text = (
        Asker(FakeRetriever(*lists), ExtractiveModel()).answer("What is the cheapest product of the list of 2023?").text
    )
    assert text.startswith("In “Price list 2023”: 73") or "least of" not in text


def test_the_operands_of_a_total_lead_to_their_cells() -> None:
    stock = document("model\tin stock", "Kestrel 3\t12", "Kestrel 5\t4", "Marlin\t3", title="Stock of bikes")
    answered = Asker(FakeRetriever(("bikes.csv", stock)), ExtractiveModel()).answer("How many are in stock in total?")
    total, _, _ = answered.text.partition("\n")
    assert total == "The total is 19. [1](cite:1) [2](cite:2) [3](cite:3)"
    assert [each.first_line for each in answered.citations[:3]] == [2, 3, 4]
