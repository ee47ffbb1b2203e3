import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.quantities.compared_dates import DateComparison
from desktop_rag.agent.extractive.quantities.counted_rows import counted_rows, tables_to_count
from desktop_rag.agent.extractive.quantities.labelled_amounts import QuantityAnswer
from desktop_rag.agent.extractive.quantities.quantity_answer import answer_quantity, open_tables, totals_to_read
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage
from tests.unit.agent.conftest import Asker, FakeRetriever, document

OFFERS = """# Heat pump

Aoife presented three offers.

| Supplier | System | Price | Warranty |
|---|---|---|---|
| Nordvarme | air to water, 22 kW | 41,200 euros | 10 years |
| Brandt & Sons | air to water, 24 kW | 38,900 euros | 5 years |
| Seawell Energy | sea water, 20 kW | 57,400 euros | 8 years |

The board chose one of them."""
LOG = "date\tstack\tspecies\tmoisture_percent\n" + "\n".join(
    ("2025-09-01\tA\tlarch\t24.5", "2026-03-02\tA\tlarch\t16.5", "2025-09-01\tB\toak\t38.5", "2026-03-02\tB\toak\t38.5")
)


def opened(file: str, text: str, first: int = 1, total: int = 0) -> ToolMessage:
    """Return the result of opening a document at line `first`."""
    lines = tuple(text.split("\n"))
    last = first + len(lines) - 1
    evidence = Evidence(f"turn1search{abs(hash(file)) % 1000}", file.partition(".")[0], first, lines, file=file)
    text = f"Viewing lines [{first}–{last}] of {total or last} lines"
    return ToolMessage("builtin5.1.1", "open", text, (evidence,))


def asked(question: str, *results: ToolMessage) -> QuantityAnswer | None:
    answer = answer_quantity(analyse(question), results)
    assert not isinstance(answer, DateComparison)
    return answer


def invoice(number: int, firm: str, total: str) -> ToolMessage:
    text = f"INVOICE\n{firm} Ltd\n\nVarnish\nNet total: 10.00 EUR\nVAT 19 %\n\n{total}\n\nThank you."
    return opened(f"Invoice {number}.txt", text.replace("Net total", "Goods"))


@pytest.mark.parametrize(
    "question",
    [
        "What is the total of the four offers?",  # there are three
        "What is the total of the offers for the boat?",  # no offer is for a boat
        "Which offer is the largest?",  # by price, warranty or power
        "How much more is Seawell Energy than Siemens?",
        "What is the total of the warranty and price of the offers?",
        "What is the total revenue?",
        "What is the total?",
        "What does Nordvarme mean?",
    ],
)
def test_there_are_no_operands_if_the_question_is_ambiguous(question: str) -> None:
    assert asked(question, opened("Board meeting.md", OFFERS), opened("Timber log.csv", LOG)) is None


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("What is the sum of the sales of all regions?", ["1200", "3400", "2100"]),
        ("How many members do all regions have together?", ["5", "9", "2"]),
        ("How much do all regions and stores have together?", None),  # no store is in the table
        ("How much is the sales of all regions in Spain together?", None),
        ("What is the sum of the costs of all regions?", None),
    ],
)
def test_a_column_of_money_may_be_named_otherwise(question: str, cells: list[str] | None) -> None:
    table = "Region,Sales,Members\nNorth,1200,5\nSouth,3400,9\nEast,2100,2"
    answer = asked(question, opened("Figures.csv", table.replace(",", "\t")))
    assert [one.cell for one in answer.operands] == cells if answer else cells is None


def test_there_are_no_operands_if_two_tables_have_different_ones() -> None:
    other = opened("Committee.md", OFFERS.replace("41,200", "40,000"))
    assert asked("What is the total of the three offers?", opened("Board meeting.md", OFFERS), other) is None
    copy = opened("Copy.md", OFFERS)
    assert asked("What is the total of the three offers?", opened("Board meeting.md", OFFERS), copy)


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        ("52,600 euros", 3),
        ("**52,600 euros**", 3),
        ("52,600 dollars", 0),  # another unit
        ("52,600 to 60,000 euros", 0),
        ("1.2 million euros", 0),
        ("on request", 0),
        ("", 2),  # the lead-in says how many have an amount
    ],
)
def test_every_row_has_one_amount_in_the_same_unit(cell: str, count: int) -> None:
    answer = asked("What is the total of the offers?", opened("Board.md", OFFERS.replace("41,200 euros", cell)))
    assert len(answer.operands if answer else ()) == count


def test_a_row_that_is_itself_a_total_is_no_operand() -> None:
    row = "| Seawell Energy | sea water, 20 kW | 57,400 euros | 8 years |"
    text = OFFERS.replace(row, f"{row}\n| Total | | 137,500 euros | |")
    answer = asked("What is the total of the three offers?", opened("Board meeting.md", text))
    assert answer
    assert [one.label for one in answer.operands] == ["Nordvarme", "Brandt & Sons", "Seawell Energy"]


def test_prices_of_single_pieces_are_not_added() -> None:
    table = "| Part | Quantity | Price |\n|---|---|---|\n| Valve | 3 | 8 euros |\n| Pipe | 2 | 5 euros |\n\nEnd."
    assert asked("What is the total of all parts?", opened("Parts.md", f"# Parts\n\n{table}")) is None
    totals = table.replace("Price", "Total price")
    assert asked("What is the total of all parts?", opened("Parts.md", f"# Parts\n\n{totals}"))


def test_equal_rows_are_both_operands() -> None:
    table = "| Trip | Cost |\n|---|---|\n| Lund | 12.50 euros |\n| Lund | 12.50 euros |\n| Ystad | 31 euros |\n\nEnd."
    answer = asked("What did the trips to Lund cost altogether?", opened("Trips.md", f"# Trips\n\n{table}"))
    assert answer
    assert answer.calculation == {"items": [{"name": "Lund", "amount": 12.5}] * 2}


def test_the_rest_of_a_table_is_read_before_its_rows_are_operands() -> None:
    rows = [f"| Trip {number} | {number} euros |" for number in range(1, 31)]
    text = "\n".join(("# Trips", "", "| Trip | Cost |", "|---|---|", *rows))
    question = analyse("What is the total cost of the trips?")
    part = opened("Trips.md", "\n".join(text.split("\n")[:20]), total=34)
    assert answer_quantity(question, [part]) is None
    assert [row.line for row in open_tables(question, [part])] == [5]
    whole = opened("Trips.md", text)
    assert open_tables(question, [part, whole]) == []
    answer = answer_quantity(question, [part, whole])
    assert isinstance(answer, QuantityAnswer)
    assert len(answer.operands) == 30


def test_two_equal_amounts_have_no_least_and_no_greatest() -> None:
    results = [opened("Timber log.csv", LOG)]
    question = "Which stack has the highest moisture?"
    answer = asked(question, *results)
    assert answer
    assert answer.lead_in(results) == ""


def test_a_total_is_not_stated_without_its_calculation() -> None:
    results = [opened("Board meeting.md", OFFERS)]
    answer = asked("What is the total of the three offers?", *results)
    assert answer
    assert answer.lead_in(results) == ""
    done = ToolMessage("", "calculate", "[turn1search9] Cite this reference for the result.\nTotal: 137,500")
    assert answer.lead_in([*results, done]) == "The total is 137,500 euros. [turn1search9]"


@pytest.mark.parametrize(
    ("cells", "result", "written"),
    [
        (("1.234,50 €", "2.000,00 €"), "3,234.5", "3.234,50 €"),
        (("€1,234.50", "€2,000"), "3,234.5", "€3,234.50"),
        (("12 kg", "13 kg"), "25", "25 kg"),
    ],
)
def test_results_are_written_like_the_amounts(cells: tuple[str, str], result: str, written: str) -> None:
    text = f"# Loads\n\n| Load | Amount |\n|---|---|\n| A1 | {cells[0]} |\n| B1 | {cells[1]} |\n\nEnd."
    results = [
        opened("Loads.md", text),
        ToolMessage("", "calculate", f"[turn1search9] Cite this reference for the result.\nTotal: {result}"),
    ]
    answer = asked("What is the total amount of all loads?", *results)
    assert answer
    assert answer.lead_in(results) == f"The total is {written}. [turn1search9]"


def test_the_totals_of_documents_of_one_kind_are_operands() -> None:
    results = [
        invoice(1, "Meyer", "Total: 1,190.00 EUR"),
        invoice(2, "Meyer", "Total: 595.50 EUR"),
        invoice(3, "Sorel", "Subtotal: 200.00 EUR\nTotal: 238.00 EUR"),
    ]
    every, meyer = (asked(f"What is the total of the invoices{rest}?", *results) for rest in ("", " from Meyer"))
    assert every
    assert [one.cell for one in every.operands] == ["1,190.00 EUR", "595.50 EUR", "238.00 EUR"]
    assert meyer
    assert len(meyer.operands) == 2


def test_the_one_price_of_an_offer_in_a_sentence_is_an_operand() -> None:
    prices = (("Acme", "48,500 euros"), ("Kranbau", "52,900 euros"), ("Nordwind", "41,200 euros"))
    offers = [opened(f"Offer {name}.md", f"We repair the crane for {price}, in six weeks.") for name, price in prices]
    total, cheapest = (
        asked(question, *offers)
        for question in ("What is the total of the three offers?", "Which offer is the cheapest?")
    )
    assert total
    assert [one.cell for one in total.operands] == [price for _, price in prices]
    assert cheapest
    assert cheapest.lead_in(()) == "Offer Nordwind.md, going by 41,200 euros, the least of 3:"
    unclear = opened("Offer Zeta.md", "We repair it for 40,000 euros, or for 39,000 euros in winter.")
    assert asked("What is the total of the offers?", *offers, unclear) is None


@pytest.mark.parametrize("last", ["Total: see above", "Total: 238.00 USD", "Total: 2 EUR\nTotal: 3 EUR"])
def test_a_document_without_a_clear_total_prevents_the_sum(last: str) -> None:
    results = [invoice(1, "Meyer", "Total: 1,190.00 EUR"), invoice(2, "Meyer", "Total: 595.50 EUR")]
    assert asked("What is the total of the invoices?", *results, invoice(3, "Sorel", last)) is None


def test_listed_documents_are_opened_before_their_totals_are_operands() -> None:
    names = [f"Invoice {number}" for number in (1, 2, 3)]
    cards = tuple(
        Evidence(f"turn1search{number}", name, 1, (), file=f"{name}.txt") for number, name in enumerate(names, 1)
    )
    listed = ToolMessage("", "list_documents", "", cards)
    results = [listed, invoice(1, "Meyer", "Total: 1.00 EUR"), invoice(2, "Meyer", "Total: 2.00 EUR")]
    question = analyse("What is the total of the invoices?")
    assert answer_quantity(question, results) is None
    assert totals_to_read(question, results) == ["turn1search3"]


@pytest.mark.parametrize(
    "rows",
    [
        "| A | 1 euro | x | y |\n| B | 2 euros |",  # longer and shorter than the header
        "|\n|",
        "| A |\n| B | 2 euros |",
        "| A | 12345678901234567890 euros |\n| B | 1 euro |",
        "| [A](x) | 1 euro |\n| 【B】 | -2 euros |",
    ],
)
def test_damaged_tables_do_no_harm(rows: str) -> None:
    text = f"# Trips\n\n| Trip | Cost |\n|---|---|\n{rows}\n\nEnd."
    answer = asked("What is the total cost of the trips?", opened("Trips.md", text))
    assert answer is None or len(answer.operands) == 2


def test_large_amounts_stay_exact() -> None:
    text = "# Trips\n\n| Trip | Cost |\n|---|---|\n| A | 12345678901234567890 euros |\n| B | 1 euro |\n\nEnd."
    answer = asked("What is the total cost of the trips?", opened("Trips.md", text))
    assert answer
    assert answer.calculation == {"items": [{"name": "A", "amount": 12345678901234567890}, {"name": "B", "amount": 1}]}


def test_a_label_cannot_become_a_citation() -> None:
    text = "# Trips\n\n| Trip | Cost |\n|---|---|\n| [turn1search1 L1] | 1 euro |\n| B | 2 euros |\n\nEnd."
    results = [opened("Trips.md", text)]
    answer = asked("Which trip is the cheapest?", *results)
    assert answer
    assert "[" not in answer.lead_in(results)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the cheapest offer for the roof?", "43,800 euros, the least of 3:"),
        ("Which offer for the roof is the most expensive?", "Schulz, going by 48,200 euros, the greatest of 3:"),
        ("Is the offer of Meyer for the roof cheaper than that of Schulz?", "Yes, going by 45,500 euros and"),
    ],
)
def test_lines_with_a_label_and_an_amount_are_a_table(question: str, said: str) -> None:
    text = (
        "# Offers for the roof\n\nOffer of Meyer: 45,500 euros, from June.\n"
        "Offer of Schulz: 48,200 euros, from May.\nOffer of Brandt: 43,800 euros, from September."
    )
    answer = asked(question, opened("Offers.md", text))
    assert answer
    assert answer.lead_in([]).startswith(said)


RENTS = """unit\ttenant\tcity\trent_eur\tarea_m2\tsince
A1\tBakery Holm\tKiel\t1850\t95\t2019-04-01
A2\tNordlicht Ltd\tKiel\t2150\t240\t2024-03-01
B1\tStudio Ravn\tFlensburg\t980\t60\t2021-07-15
D1\tYoga Loft\tKiel\t1100\t110\t2023-02-01"""


@pytest.mark.parametrize(
    ("question", "labels", "said"),
    [
        ("Which units in rents.csv have a rent above 1500?", ["A1", "A2"], "2 of 4 rows, going by rent_eur:"),
        ("Which tenants in Kiel pay less than 1,850 euros?", ["D1"], "1 of 3 rows, going by rent_eur:"),
        ("Who pays at most 1100 rent?", ["B1", "D1"], "2 of 4 rows, going by rent_eur:"),
        ("How many units have an area of at least 95?", ["A1", "A2", "D1"], "3 of 4 rows, going by area_m2:"),
        ("Which unit has an area of more than 1000?", ["A2"], "0 of 4 rows, going by area_m2; the nearest:"),
        ("Which tenant pays the highest rent?", ["A2", "A1", "D1", "B1"], "Nordlicht Ltd, going by 2150, the greatest"),
        ("Who pays less, Studio Ravn or Yoga Loft?", ["B1", "D1"], "Studio Ravn, going by 980, the least of 2:"),
    ],
)
def test_rows_are_chosen_by_an_amount_of_their_table(question: str, labels: list[str], said: str) -> None:
    answer = asked(question, opened("rents.csv", RENTS))
    assert answer is not None
    assert [one.candidate.text.split("\t")[0] for one in answer.quoted] == labels
    assert answer.lead_in([]).startswith(said)


def test_the_unit_of_a_row_is_no_number_of_pieces() -> None:
    answer = asked("What is the sum of the rents in Kiel?", opened("rents.csv", RENTS))
    assert answer is not None
    assert answer.calculation["items"] == [
        {"name": "A1", "amount": 1850},
        {"name": "A2", "amount": 2150},
        {"name": "D1", "amount": 1100},
    ]


@pytest.mark.parametrize(
    ("question", "labels", "said"),
    [
        ("How many tenants are in Kiel?", ["A1", "A2", "D1"], "3 of 4 rows:"),
        ("Which tenants are in Kiel?", ["A1", "A2", "D1"], "3 of 4 rows:"),
        ("How many tenants are there in rents.csv?", ["A1", "A2", "B1", "D1"], "4 of 4 rows:"),
        ("How many cities are in rents.csv?", ["A1", "B1"], "2 different cells of city in 4 rows:"),
    ],
)
def test_rows_are_counted(question: str, labels: list[str], said: str) -> None:
    answer = counted_rows(analyse(question), [opened("rents.csv", RENTS)])
    assert answer is not None
    assert [one.text.split("\t")[0] for one in answer.quoted] == labels
    assert answer.lead_in == said


@pytest.mark.parametrize(
    "question",
    [
        "How many rent_eur does A1 pay?",  # an amount
        "How many landlords are in Kiel?",
        "How many tenants are in Kiel in winter?",
        "Which tenants are in rents.csv?",  # all are: nothing chooses
    ],
)
def test_rows_are_not_counted_if_the_question_asks_more(question: str) -> None:
    assert counted_rows(analyse(question), [opened("rents.csv", RENTS)]) is None


def test_a_table_that_was_not_read_to_its_end_is_read_on_before_its_rows_are_counted() -> None:
    question, part = analyse("How many tenants are in Kiel?"), opened("rents.csv", RENTS, total=300)
    assert counted_rows(question, [part]) is None
    assert [row.line for row in tables_to_count(question, [part])] == [2]


MEASURED = [
    f"2025-07-{1 + n // 48:02}\tS{1 + n % 7}\t{15 + n * 37 % 101 / 10}\t{40 + n * 29 % 97 / 10}" for n in range(900)
]
MEASURED[700] = "2025-07-15\tS2\t30.67\t29.9"


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "What was the highest temperature measured and by which sensor?",
            "S2, going by 30.67, the greatest of all rows:",
        ),
        ("What was the highest temperature measured?", "30.67, the greatest of all rows:"),
        ("Which sensor measured the lowest humidity?", "S2, going by 29.9, the least of all rows:"),
        ("Welcher Sensor hatte die höchste Temperatur?", "S2, going by 30.67, the greatest of all rows:"),
    ],
)
def test_the_extreme_of_a_long_table_is_sought_in_all_its_rows(question: str, begins: str) -> None:
    table = document("time\tsensor\ttemperature_c\thumidity_pct", *MEASURED, title="Measurements")
    answered = Asker(FakeRetriever(("measurements.csv", table)), ExtractiveModel()).answer(question)
    assert answered.text.replace("\\", "").startswith(begins)
    assert answered.text.split("\n\n")[1].startswith(
        "> time: 2025-07-15 · sensor: S2 · temperature_c: 30.67 · humidity_pct: 29.9 "
    )
    assert answered.citations[0].first_line == 702
    assert {claim.standing for claim in answered.claims} == {"supported"}


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("How many orders are open?", "20 of all rows:"),
        ("Which orders have an amount above 35?", "4 of all rows, going by amount_eur:"),
    ],
)
def test_a_count_of_many_rows_is_no_statement_without_a_source(question: str, begins: str) -> None:
    rows = [f"A-{100 + n}\t{'paid' if n % 2 else 'open'}\t{n}.50" for n in range(39)]
    table = document("order\tstatus\tamount_eur", *rows, title="Orders")
    answered = Asker(FakeRetriever(("orders.csv", table)), ExtractiveModel()).answer(question)
    assert answered.text.startswith(begins)
    assert {claim.standing for claim in answered.claims} == {"supported"}
    assert len(answered.claims) == int(begins.split()[0])


@pytest.mark.parametrize(
    ("question", "told"),
    [("What is the total of Money in?", "2,340.00"), ("What is the total of money out?", "625.50")],
)
def test_the_column_whose_whole_name_is_asked_for_is_added_up(question: str, told: str) -> None:
    rows = ("Date\tItem\tMoney in\tMoney out", "2024-01-15\tFees\t1700.00\t", "2024-02-03\tHall\t\t270.00")
    more = ("2024-04-20\tEntries\t640.00\t", "2024-05-11\tHall\t\t270.00", "2024-06-01\tClock\t\t85.50")
    accounts = document(*rows, *more, title="Accounts")
    text = Asker(FakeRetriever(("accounts.csv", accounts)), ExtractiveModel()).answer(question).text
    assert f" is {told}." in text


def test_who_paid_the_most_is_told_by_the_totals_of_the_persons() -> None:
    payments = (
        "Paid by\tFor\tAmount\nInes\tRing\t1130.00\nCallum\tBand\t900.00\nInes\tCake\t360.00\nCallum\tSuit\t885.00"
    )
    answer = asked("Who paid the most?", opened("payments.csv", payments))
    assert answer is not None
    assert answer.persons == 2
    assert [one.source.text.split("\t")[:2] for one in answer.operands] == [["Callum", "Band"], ["Callum", "Suit"]]
    assert answer.calculation == {"items": [{"name": "Callum", "amount": 900}, {"name": "Callum", "amount": 885}]}
    assert answer.lead_in([ToolMessage("1", "calculate", "turn3calc1: 1785", ())]) == ""
    said = answer.lead_in([ToolMessage("1", "calculate", "turn3search1 total = 1,785", ())])
    assert said == "Callum, going by a total of 1,785.00, the greatest of 2. [turn3search1]"
    largest = asked("Who made the largest payment?", opened("payments.csv", payments))
    assert largest is not None
    assert largest.lead_in([]).startswith("Ines, going by 1130.00, the greatest of 4")


def test_persons_with_the_same_total_are_not_told_apart() -> None:
    payments = "Paid by\tFor\tAmount\nInes\tRings\t500.00\nCallum\tBand\t700.00\nInes\tCake\t200.00"
    assert asked("Who paid the most?", opened("payments.csv", payments)) is None


def test_numbers_of_rows_are_no_amounts() -> None:
    plots = "Plot\tTenant\tSince\n1\tAgnes\t2011\n2\tRavi\t2019\n3\tLotte\t2008"
    assert asked("Who has the largest plot?", opened("plots.csv", plots)) is None
    jobs = "Job\tWork\tPrice (£)\n101\tFrets\t240\n102\tStrings\t18\n103\tBridge\t35"
    assert asked("Which job took the longest?", opened("jobs.csv", jobs)) is None  # neither job 103 nor £240
    dearest = asked("Which job was the most expensive?", opened("jobs.csv", jobs))
    assert dearest is not None
    assert dearest.lead_in([]).startswith("101, going by 240")


def test_weights_of_a_person_are_not_added_up() -> None:
    weights = "Date\tPerson\tWeight kg\n2025-01-01\tInes\t60\n2025-02-01\tInes\t61\n2025-02-01\tCallum\t80"
    assert asked("Who weighs the most?", opened("weights.csv", weights)) is None
