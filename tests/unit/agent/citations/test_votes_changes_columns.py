"""Honest statements and lies about votes, sides of a change, bounds, labels before a colon and columns of tables."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.support import CitedLines

SALE = "Three voted for selling the trailer, one abstained (Paul Voss). The price is to be at least 4,200 euros."
SAW = "Four voted for buying the saw, one against (Timo Aden), nobody abstained."
KERF = "Changed: the default margin is 3.2 mm, was 3.0 mm."
ADVANCE = "Die monatliche Vorauszahlung erhöht sich von 240 auf 285 Euro."
ADDED = "- Added: export to SVG."
REMOVED = "- Removed: support for Solaris."
PRICES = (
    "Article\tDescription\tPrice 2024 EUR\tPrice 2025 EUR\tStock\n"
    "OAK-27\tOak board 27 mm\t61.50\t64.90\t38\nLAR-30\tLarch board 30 mm\t39.80\t43.70\t60"
)
STRENGTH = (
    "| Moisture | Glue A | Polyurethane |\n|---|---|---|\n| 8 % | 52.3 (4.1) | 49.8 (3.7) |\n"
    "| 12 % | 58.6 (3.9) | 55.1 (4.4) |"
)

HONEST = (
    (SALE, "Paul Voss abstained."),
    (SALE, "Three voted for the sale of the trailer and Paul Voss abstained."),
    (SALE, "The trailer will be sold for at least 4,200 euros."),
    (SAW, "Timo Aden voted against the saw."),
    (SAW, "Four voted for the saw."),
    (KERF, "The default margin was changed from 3.0 mm to 3.2 mm."),
    (KERF, "The default margin was raised to 3.2 mm."),
    (ADVANCE, "Die Vorauszahlung erhöht sich auf 285 Euro."),
    (ADDED, "Export to SVG was added."),
    (REMOVED, "Support for Solaris was removed."),
    (PRICES, "Oak board 27 mm cost 61.50 euros in 2024."),
    (PRICES, "Larch board cost 43.70 euros in 2025."),
    (PRICES, "The stock of oak board 27 mm is 38 boards."),
    (STRENGTH, "At 12 % polyurethane reached 55.1."),
    (STRENGTH, "At 12 % glue A reached 58.6."),
)
LIES = (
    (SALE, "Paul Voss voted for selling the trailer."),
    (SALE, "The four members voted unanimously for the sale of the trailer."),
    (SALE, "The trailer is to be sold for at most 4,200 euros."),
    (SAW, "Timo Aden voted for the saw."),
    (KERF, "The default margin was changed from 3.2 mm to 3.0 mm."),
    (KERF, "The default margin was reduced to 3.0 mm."),
    (ADVANCE, "Die Vorauszahlung erhöht sich auf 240 Euro."),
    (ADDED, "Export to SVG was removed."),
    (REMOVED, "Support for Solaris was added."),
    (PRICES, "Oak board 27 mm cost 64.90 euros in 2024."),
    (PRICES, "Larch board cost 43.70 euros in 2024."),
    (PRICES, "The stock of oak board 27 mm is 64.90."),
    (STRENGTH, "At 12 % polyurethane reached 58.6."),
)


def _check(lines: str, claim: str) -> ClaimCheck:
    return check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 1)))], "")


@pytest.mark.parametrize(("lines", "claim"), HONEST)
def test_an_honest_statement_is_supported(lines: str, claim: str) -> None:
    assert _check(lines, claim).faults == ()


@pytest.mark.parametrize(("lines", "claim"), LIES)
def test_a_lie_is_doubted(lines: str, claim: str) -> None:
    assert _check(lines, claim).faults


_LEAGUE = (
    "| Team | Played | Won | Drawn | Lost | Points |\n|---|---|---|---|---|---|\n"
    "| Alder | 10 | 7 | 1 | 2 | 31 |\n| Birch | 10 | 3 | 2 | 5 | 22 |"
)
_OFFERS = "|  | Finch | Robin |\n|---|---|---|\n| Warranty | 2 years | 3 years |\n| Delivery | 5 days | 9 days |"


@pytest.mark.parametrize(
    ("claim", "table", "faults"),
    [
        ("Alder has 7 points.", _LEAGUE, [("7", "31")]),
        ("Alder lost 7 matches.", _LEAGUE, [("7", "2")]),
        ("The points of Birch are 5.", _LEAGUE, [("5", "22")]),
        ("The warranty of Finch is 3 years.", _OFFERS, [("3 years", "2 years")]),
        ("The delivery of Finch takes 9 days.", _OFFERS, [("9 days", "5 days")]),
        ("Alder lost 2 matches.", _LEAGUE, []),
        ("Alder won 7 of its 10 matches.", _LEAGUE, []),
        ("Birch lost five matches.", _LEAGUE, []),
        ("The warranty of Robin is 3 years.", _OFFERS, []),
    ],
)
def test_a_small_count_of_another_column_of_the_row_is_a_fault(
    claim: str, table: str, faults: list[tuple[str, str]]
) -> None:
    found = check_claim(claim, [CitedLines(dict(enumerate(table.split("\n"), 3)))], "").faults
    assert [(each.text, each.found) for each in found] == faults
