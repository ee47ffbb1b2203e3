"""Figures that follow from the lines by the arithmetic of a reader."""

import time

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.sums.asked_figures import read_asked
from desktop_rag.agent.citations.sums.derivations import derive
from desktop_rag.agent.citations.sums.quantities import read_passage
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.text.figures import read_figures

LEASE = (
    "| Item | Amount | Due |\n|---|---|---|\n| Rent | £980 | monthly |\n| Heating | £70 | monthly |\n"
    "| Garage | £150 | quarterly |\n| Deposit | £1,960 | once |"
)
CLASSES = (
    "| Course | Sessions | Length | Price |\n|---|---|---|---|\n"
    "| Drawing | 5 | 3 hours | €180 |\n| Etching | 4 | 90 minutes | €132 |\nMembers get 10 % off."
)
HOURS = "date,person,hours,rate_eur\n2026-05-04,Ayla,6.5,40\n2026-05-04,Bram,8,44\n2026-05-06,Ayla,3,40"
FLAT = "The flat has 60 m2, of which the living room 24 m2, the two bedrooms 13 m2 and 10 m2 and the kitchen 13 m2."
SUPPLIES = "Gravel costs €18 for 12 kg. Cutting: €4.50 a board. In 2024 the yard sold 1,300 boards and 700 beams."
TRIP = "The flight leaves London at 10:20 and lands in Oslo at 13:35 local time (one hour ahead)."
SCAN = "The scan is on 3 May at 13:40 and takes 35 minutes; nothing may be eaten for four hours before it."
BILL = "Der Rechnungsbetrag ist 840,50 €. Die Anzahlung von 200 € ist noch abzuziehen."
MONEY = "The hotel costs NOK 1,350 a night. 1 pound is about 13.5 kroner."


def _doubted(claim: str, lines: str) -> bool:
    return bool(check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "").faults)


@pytest.mark.parametrize(
    ("claim", "other", "lines"),
    [
        ("The garage works out at £50 a month.", "The garage works out at £75 a month.", LEASE),
        ("Deposit and rent together are £2,940.", "Deposit and rent together are £2,840.", LEASE),
        (
            "With heating and garage, the home costs £1,100 a month.",
            "With heating and garage, the home costs £1,200 a month.",
            LEASE,
        ),
        ("Drawing works out at €12 an hour.", "Drawing works out at €14 an hour.", CLASSES),
        ("Members pay €118.80 for etching.", "Members pay €128.80 for etching.", CLASSES),
        ("Ayla can bill €380 for her hours.", "Ayla can bill €360 for her hours.", HOURS),
        ("Bram's rate is €4 above Ayla's.", "Bram's rate is €6 above Ayla's.", HOURS),
        ("The two bedrooms have 23 m2 between them.", "The two bedrooms have 25 m2 between them.", FLAT),
        ("The living room takes up 40 % of the flat.", "The living room takes up 30 % of the flat.", FLAT),
        ("Gravel is €1.50 a kilo.", "Gravel is €2.50 a kilo.", SUPPLIES),
        ("The flight takes 2 hours 15 minutes.", "The flight takes 3 hours 15 minutes.", TRIP),
        ("The scan should be over by 14:15.", "The scan should be over by 14:30.", SCAN),
        ("Noch zu zahlen sind 640,50 €.", "Noch zu zahlen sind 660,50 €.", BILL),
        ("A night costs 100 pounds.", "A night costs 120 pounds.", MONEY),
    ],
)
def test_a_figure_that_follows_is_supported_and_another_one_is_not(claim: str, other: str, lines: str) -> None:
    assert not _doubted(claim, lines)
    assert _doubted(other, lines)


def test_the_sum_is_shown_with_its_operands() -> None:
    lines = CitedLines(dict(enumerate(LEASE.split("\n"), 1)))
    assert check_claim("The garage works out at £50 a month.", [lines], "").computed == "150 ÷ 3 = £50"


def test_quantities_know_what_they_are_of_and_what_they_are_a_rate_of() -> None:
    passage = read_passage(f"{LEASE}\n{SUPPLIES}")
    assert [row.quantities[1].per for row in passage.tables[0].rows if row.quantities[1]] == [
        "month", "month", "quarter", ""
    ]  # fmt: skip
    [(_, gravel), (_, cutting), (_, sold)] = passage.sentences
    assert [each.text for each in gravel] == ["18", "12"]
    assert [each.per for each in cutting] == ["board"]
    assert ["board" in each.label for each in sold] == [True, False]


def test_prose_with_commas_is_no_table() -> None:
    assert not read_passage(
        "Netto 1.589,60 €, Steuer 302,02 €, zusammen 1.891,62 €.\nZahlbar in 7 Tagen, 2 % Skonto."
    ).tables
    assert len(read_passage(HOURS).tables[0].rows) == 3


def test_words_ask_for_operations_and_rates() -> None:
    claim = "A session costs €36 more."
    asked = read_asked(read_figures(claim).figures[0], claim, frozenset())
    assert "session" in asked.per
    assert not asked.cues & {"total"}


def test_many_figures_take_no_long_time() -> None:
    rows = [f"| n{row} | " + " | ".join(str(row * 7 + column * 13) for column in range(9)) + " |" for row in range(290)]
    table = "\n".join(("| name | " + " | ".join(f"c{column}" for column in range(9)) + " |", *rows))
    line = "They cost " + ", ".join(f"€{number * 17} for item {number}" for number in range(500)) + " in all."
    claim = "Each of the items costs €123,457.89 more in total than the others."
    started = time.process_time()
    for text in (table, line, "\n".join(f"- {number} g of thing {number}" for number in range(500))):
        assert derive(read_figures(claim).figures[0], claim, [text], {"total", "change", "share", "mean"}) is None
    assert time.process_time() - started < 10  # seconds
