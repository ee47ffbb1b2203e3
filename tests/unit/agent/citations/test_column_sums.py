import random

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.sums.computed_figures import recompute
from desktop_rag.agent.citations.support import CitedLines

OFFERS = """| Supplier | System | Price | Warranty |
|---|---|---|---|
| Nordvarme | air to water, 22 kW | 41,200 euros | 10 years |
| Brandt & Sons | air to water, 24 kW | 38,900 euros | 5 years |
| Seawell Energy | sea water, 20 kW | 57,400 euros | 8 years |"""
ANGEBOTE = """| Anbieter | Preis der Wärmepumpe | Lieferung und Einbau |
|---|---|---|
| Nordvarme | 41.200 Euro | im Mai |
| Brandt & Söhne | 38.900 Euro | im Juni |
| Seewell | 57.400 Euro | nach Absprache |"""
TRIPS = "\n".join(
    (
        "date\ttown\tkm\tcost",
        "2026-01-02\tLund\t40\t12.50",
        "2026-01-09\tLund\t45\t14.50",
        "2026-01-16\tYstad\t110\t31.00",
        "2026-01-23\tMalmö\t20\t7.25",
        "2026-01-30\tLund\t42\t13.40",
        "2026-02-06\tKalmar\t220\t62.10",
        "2026-02-13\tYstad\t108\t30.00",
    )
)
CSV = "month,visitors,loans\nJanuary,1204,3410\nFebruary,1187,3322\nMarch,1350,3701\nApril,1298,3655"


@pytest.mark.parametrize(
    ("claim", "table", "computed"),
    [
        ("The three offers add up to 137,500 euros.", OFFERS, "41,200 + 38,900 + 57,400"),
        ("On average, the offers cost about 45,800 euros.", OFFERS, "(41,200 + 38,900 + 57,400) ÷ 3"),
        ("The average warranty is 7.7 years.", OFFERS, "(10 + 5 + 8) ÷ 3"),
        ("The trips cost 170.75 in total.", TRIPS, "12.50 + 14.50 + 31.00 + 7.25 + 13.40 + 62.10 + 30.00"),
        ("The average trip was 83.6 km.", TRIPS, "÷ 7"),
        ("The trips to Lund cost 40.40 altogether.", TRIPS, "12.50 + 14.50 + 13.40"),
        ("From January to March there were 3,741 visitors in total.", CSV, "1204 + 1187 + 1350"),
        ("The average number of loans was 3,522 a month.", CSV, "(3410 + 3322 + 3701 + 3655) ÷ 4"),
        ("Insgesamt kosten die Angebote 137.500 Euro.", ANGEBOTE, "41.200 + 38.900"),
    ],
)
def test_a_column_is_added_up(claim: str, table: str, computed: str) -> None:
    header, *rows = table.split("\n")
    check = check_claim(claim, [CitedLines(dict(enumerate(rows, 2)), (header,))], "")
    assert check.faults == ()
    assert computed in check.computed


@pytest.mark.parametrize(
    ("figure", "claim", "table"),
    [
        ("147,500 euros", "The three offers add up to 147,500 euros.", OFFERS),
        ("137,500 km", "The three offers add up to 137,500 km.", OFFERS),
        ("170.75", "The trips to Lund cost 170.75 altogether.", TRIPS),
        ("83.9 km", "The average trip was 83.9 km.", TRIPS),
        ("5,039", "From January to March there were 5,039 visitors in total.", CSV),
        ("137,500 euros", "Nordvarme asks for 137,500 euros.", OFFERS),  # names no sum
        ("12", "The total is 12.", "a\tb\nc\td"),
    ],
)
def test_other_totals_are_not_accepted(figure: str, claim: str, table: str) -> None:
    assert recompute(figure, [table], claim) is None


def test_wrong_column_sums_are_rarely_accepted_by_chance() -> None:
    chance = random.Random(23)
    right: list[bool] = []
    wrong: list[bool] = []
    for _ in range(100):
        towns = ("Ayr", "Bonn", "Cork", "Dover", "Essen")
        rows = [(town, chance.randint(20, 4_000), chance.randint(20, 900)) for town in towns]
        table = "town\tvisitors\tloans\n" + "\n".join("\t".join(map(str, row)) for row in rows)
        claims = (
            ("There were {} visitors in total.", sum(row[1] for row in rows)),
            ("The total of loans was {}.", sum(row[2] for row in rows)),
            ("The average number of visitors was {}.", sum(row[1] for row in rows) / 5),
            ("The total from Bonn to Dover was {} visitors.", sum(row[1] for row in rows[1:4])),
        )
        for claim, value in claims:
            figure = f"{value:.1f}" if isinstance(value, float) else f"{value:,}"
            places = [place for place, sign in enumerate(figure) if sign.isdigit()]
            place = chance.choice(places)
            digit = chance.choice([digit for digit in "123456789" if digit != figure[place]])
            for accepted, said in ((right, figure), (wrong, figure[:place] + digit + figure[place + 1 :])):
                text = claim.format(said)
                missing = figures_not_in(text, [table])
                accepted.append(not missing or recompute(missing[0], [table], text) is not None)
    assert sum(wrong) / len(wrong) < 0.01
    assert sum(right) / len(right) > 0.95
