import random
from collections.abc import Iterator

import pytest

from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.sums.computed_figures import recompute

SALES = """(in millions)
\t2023\t2022\t2021
Net sales\t900.0\t868.2\t851.4
Cost of sales\t611.5\t590.3\t580.0
Gross profit\t288.5\t277.9\t271.4"""

QUARTER = (
    "Net sales increased 18.2% to $3.2 billion compared to $2.7 billion in the fourth quarter of fiscal 2021. "
    "Comparable sales increased 15.6% compared to 21.4%. Gross profit increased 18.0% to $1.2 billion compared to "
    "$1.0 billion. Operating income was $449.8 million compared to $380.0 million."
)
RENT = "The monthly rent is 1,200 euros, payable on the 3rd working day. A deposit of 2,400 euros is due."
CHAIRS = "12 chairs at 89 euros each; 3 tables at 240 euros each"
LEASE = "The lease ends on 31 December 2024. The notice period is three months."


@pytest.mark.parametrize(
    ("figure", "claim", "source", "computed"),
    [
        ("31.8 million", "Net sales rose by 31.8 million.", SALES, "900.0 − 868.2"),
        ("3.7 %", "Net sales grew 3.7 % in 2023.", SALES, "(900.0 − 868.2) ÷ 868.2"),
        ("32.1 %", "The gross margin was 32.1 % of net sales in 2023.", SALES, "288.5 ÷ 900.0"),
        ("873.2", "Net sales were 873.2 on average.", SALES, "(900.0 + 868.2 + 851.4) ÷ 3"),
        ("2.8 %", "The CAGR of net sales from 2021 to 2023 was 2.8 %.", SALES, "(900.0 ÷ 851.4)^(1/2) − 1"),
        ("$2.6 billion", "Net sales were $2.6 billion in total.", SALES, "900.0 + 868.2 + 851.4"),
        ("1,100", "Rent 950 and heating 150 are 1,100 together.", "Rent: 950\nHeating: 150", "950 + 150"),
        ("2 percentage points", "It fell by 2 percentage points.", "It was 7 % in May and 5 % in June.", "7 − 5"),
        ("50 €", "Die Miete stieg um 50 €.", "Die Miete betrug 950 €, jetzt 1.000 €.", "1.000 − 950"),
        ("20 %", "L'augmentation du loyer est de 20 %.", "Loyer 2022 : 500 €. Loyer : 600 €.", "(600 − 500) ÷ 500"),
        ("30 %", "El 30 % del total son mujeres: 60 de 200.", "60 mujeres y 200 personas", "60 ÷ 200"),
        ("Two thirds", "Two thirds of the votes: 200 of 300.", "200 votes of 300 were cast", "200 ÷ 300"),
        ("$0.5 billion", "Net sales rose by $0.5 billion to $3.2 billion.", QUARTER, "3.2 − 2.7"),
        ("$0.2 billion", "Gross profit grew by $0.2 billion.", QUARTER, "1.2 − 1.0"),
        ("18.4 %", "Operating income rose by 18.4 %.", QUARTER, "(449.8 − 380.0) ÷ 380.0"),
        ("37.5 %", "The gross profit was 37.5 % of net sales.", QUARTER, "1.2 ÷ 3.2"),
        ("14,400 euros", "The yearly rent is 14,400 euros.", RENT, "1,200 × 12"),
        ("28,800 euros", "For the two years it is 28,800 euros.", RENT, "1,200 × 24"),
        ("950 euros", "Monthly it is 950 euros.", "The rent of 11,400 euros a year is due.", "11,400 ÷ 12"),
        ("11.400 Euro", "Im Jahr sind es 11.400 Euro.", "Die Miete beträgt 950 Euro im Monat.", "950 × 12"),
        ("£337.20", "Paying monthly costs £337.20.", "payable in twelve instalments of £28.10", "twelve × 28.10"),
        ("52", "The compost cost 52.", "The compost costs 6.50 a bag, I bought 8 bags", "8 × 6.50"),
        ("1,000 mg", "It is 1,000 mg a day.", "Naproxen 500 mg tablets, 500 mg twice a day for 10 days", "2 × 500"),
        ("1,068 euros", "The chairs cost 1,068 euros.", CHAIRS, "12 × 89"),
        ("1,788 euros", "All of it costs 1,788 euros.", CHAIRS, "12 × 89 + 3 × 240"),
        ("510 euros", "The labour cost 510 euros.", "6 hours at a rate of 85 euros per hour", "6 × 85"),
        ("€555", "The total is €555.", "6 hours at €85 per hour. Call-out: €45.", "6 × 85 + 45"),
        (
            "1,487.50 euros",
            "With VAT it is 1,487.50 euros.",
            "Net 1,250.00 euros, plus 19 % VAT.",
            "1,250.00 × (1 + 19 %)",
        ),
        ("237.50 euros", "The VAT is 237.50 euros.", "Net 1,250.00 euros, plus 19 % VAT.", "1,250.00 × 19 %"),
        ("30 %", "Women are 30 % of the members.", "Of 240 members 72 are women, 168 men, 31 new.", "72 ÷ 240"),
        ("$250,000", "Revenue per employee was $250,000.", "Revenue: $12.5 million. 50 employees.", "12.5 ÷ 50"),
        ("8.5 hours", "The shift lasts 8.5 hours.", "from 9:00 to 17:30", "17:30 − 9:00"),
        (
            "31 March 2024",
            "It was due on 31 March 2024.",
            "Of 1 March 2024, payable in 30 days.",
            "2024-03-01 + 30 days",
        ),
        ("30 September 2024", "Notice is due by 30 September 2024.", LEASE, "2024-12-31 − three months"),
        ("61 days", "The works lasted 61 days.", "from 1 March 2021\nuntil 1 May 2021", "2021-05-01 − 2021-03-01"),
        (
            "36 years",
            "Ada died aged 36 years.",
            "Ada Byron (10 December 1815 - 27 November 1852)",
            "1852-11-27 − 1815-12-10",
        ),
        ("12 Jahre", "Die Laufzeit beträgt 12 Jahre.", "vom 1.1.2001 bis 1.1.2013", "2013-01-01 − 2001-01-01"),
    ],
)
def test_a_computed_figure_is_recomputed(figure: str, claim: str, source: str, computed: str) -> None:
    assert figures_not_in(claim, [source])
    assert recompute(figure, [source], claim) == f"{computed} = {figure}"


@pytest.mark.parametrize(
    ("figure", "claim", "source"),
    [
        ("318", "Net sales rose by 318 million.", SALES),
        ("3.18", "Net sales rose by 3.18 million.", SALES),
        ("37 %", "Net sales grew 37 % in 2023.", SALES),
        ("31.8", "The office is in room 31.8 million.", SALES),
        ("62 days", "The works lasted 65 days.", "from 1 March 2021\nuntil 1 May 2021"),
        ("37 years", "Ada died aged 37 years.", "Ada Byron (10 December 1815 - 27 November 1852)"),
        ("5 €", "The difference is 5 €.", "It costs 15 $ or 10 $."),
        ("$0.6 billion", "Net sales rose by $0.6 billion to $3.2 billion.", QUARTER),
        ("$0.5 billion", "Gross profit grew by $0.5 billion.", QUARTER),
        ("28.4 %", "Operating income rose by 28.4 %.", QUARTER),
        ("28,800 euros", "The yearly rent is 28,800 euros.", RENT),
        ("1,440 euros", "The yearly rent is 1,440 euros.", RENT),
        ("1,086 euros", "The chairs cost 1,086 euros.", CHAIRS),
        ("237.50 euros", "The rent is 237.50 euros.", "Net 1,250.00 euros, plus 19 % VAT."),
        ("7.5 hours", "The shift lasts 7.5 hours.", "from 9:00 to 17:30"),
        ("31 October 2024", "Notice is due by 31 October 2024.", LEASE),
        ("13 April 2024", "It was due on 13 April 2024.", "Of 1 March 2024, payable in 30 days."),
        ("1 April 9999", "It is due on 1 April 9999.", "Of 1 May 9999, payable in 300000 days."),
        ("", "", ""),
        ("2021", "It rose in 2021.", "2020 and 1"),
    ],
)
def test_a_figure_that_no_sum_yields_is_not_accepted(figure: str, claim: str, source: str) -> None:
    assert recompute(figure, [source], claim) is None


def test_operands_may_stand_in_several_sources_or_in_the_text_around() -> None:
    sources = ["In May the rent was 950 euros.", "In June the rent was 1,000 euros."]
    assert (
        recompute("50 euros", sources, "So it rose by 50 euros.", "Rent: 950, then 1,000.") == "1,000 − 950 = 50 euros"
    )


_LABELS = (
    "Net sales",
    "Cost of sales",
    "Gross profit",
    "Marketing expenses",
    "Operating income",
    "Interest expense",
    "Income taxes",
    "Total assets",
    "Inventories",
    "Long-term debt",
    "Goodwill",
)


def _table(chance: random.Random) -> tuple[str, dict[str, list[int]]]:
    values = {label: [chance.randint(50, 99_999) for _ in range(3)] for label in chance.sample(_LABELS, 8)}
    rows = ("\t".join((label, *(f"{value:,}" for value in row))) for label, row in values.items())
    return "\n".join(("(in millions)", "\t2023\t2022\t2021", *rows)), values


def _computed(chance: random.Random, values: dict[str, list[int]]) -> Iterator[tuple[str, str]]:
    """Yield claims with a place for a computed figure, and the right figure."""
    one, other = chance.sample(list(values), 2)
    (new, old, _), (base, *_) = values[one], values[other]
    places = chance.choice((0, 1, 2))
    yield f"{one} rose from {old:,} to {new:,} million, a difference of {{}} million.", f"{abs(new - old):,}"
    yield f"{one} changed by ${{}} million in 2023.", f"{abs(new - old):,}"
    yield f"{one} changed by {{}} % in 2023 compared with 2022.", f"{abs(new - old) / old * 100:.{places}f}"
    yield f"In 2023 {one} represented {{}} % of {other}.", f"{new / base * 100:.{places}f}"
    yield f"{one} were {new:,} and {other} {base:,}, a ratio of {{}} %.", f"{new / base * 100:.{places}f}"
    yield f"The ratio of {one} to {other} was {{}} in 2023.", f"{new / base:.2f}"
    yield f"Together {one} and {other} were ${{}} million in 2023.", f"{new + base:,}"
    yield f"The average of {one} over the three years was {{}} million.", f"{sum(values[one]) / 3:,.1f}"


def _changed(chance: random.Random, figure: str) -> str:
    """Return ten times the figure, or the figure with another digit."""
    if chance.random() < 0.4:
        number = float(figure.replace(",", "")) * 10
        return f"{number:,.{len(figure.partition('.')[2])}f}"
    place = chance.choice([place for place, sign in enumerate(figure) if sign.isdigit()])
    digit = chance.choice([digit for digit in "123456789" if digit != figure[place]])
    return figure[:place] + digit + figure[place + 1 :]


def _is_accepted(claim: str, figure: str, table: str) -> bool:
    missing = [each for each in figures_not_in(claim, [table]) if figure in each]
    return not missing or recompute(missing[0], [table], claim) is not None


def test_wrong_figures_are_rarely_accepted_by_chance() -> None:
    chance = random.Random(7)
    right, wrong = [], []
    for _ in range(30):
        table, values = _table(chance)
        for claim, figure in _computed(chance, values):
            right.append(_is_accepted(claim.format(figure), figure, table))
            other = _changed(chance, figure)
            wrong.append(_is_accepted(claim.format(other), other, table))
    assert sum(wrong) / len(wrong) < 0.01
    assert sum(right) / len(right) > 0.85


def _prose(chance: random.Random) -> tuple[str, dict[str, tuple[int, int]]]:
    values = {label: (chance.randint(60, 9_999), chance.randint(60, 9_999)) for label in chance.sample(_LABELS, 5)}
    sentences = (
        f"{label} changed by {chance.uniform(1, 40):.1f}% to ${new:,} million compared to ${old:,} million in 2022."
        for label, (new, old) in values.items()
    )
    return " ".join(sentences), values


def _computed_from_prose(chance: random.Random, values: dict[str, tuple[int, int]]) -> Iterator[tuple[str, str]]:
    one, other = chance.sample(list(values), 2)
    (new, old), (base, _) = values[one], values[other]
    yield f"{one} changed by ${{}} million to ${new:,} million.", f"{abs(new - old):,}"
    yield f"The change of {one} was ${{}} million.", f"{abs(new - old):,}"
    yield f"{one} changed by {{}} %.", f"{abs(new - old) / old * 100:.1f}"
    yield f"{one} were {{}} % of {other}.", f"{new / base * 100:.1f}"


def test_wrong_figures_over_prose_are_rarely_accepted_by_chance() -> None:
    chance = random.Random(11)
    right, wrong = [], []
    for _ in range(60):
        prose, values = _prose(chance)
        for claim, figure in _computed_from_prose(chance, values):
            right.append(_is_accepted(claim.format(figure), figure, prose))
            other = _changed(chance, figure)
            wrong.append(_is_accepted(claim.format(other), other, prose))
    assert sum(wrong) / len(wrong) < 0.01
    assert sum(right) / len(right) > 0.85


def test_wrong_products_are_rarely_accepted_by_chance() -> None:
    chance = random.Random(13)
    right, wrong = [], []
    for _ in range(60):
        count, price, hours, rate = (chance.randint(3, 98) for _ in range(4))
        rent, deposit = chance.randint(300, 3_000), chance.randint(300, 9_000)
        lines = (
            f"{count} chairs at {price} euros each. {hours} hours at {rate} euros per hour. "
            f"The rent is {rent:,} euros a month, the deposit {deposit:,} euros, plus 19 % VAT."
        )
        for claim, figure in (
            ("The chairs cost {} euros.", count * price),
            ("The labour cost {} euros.", hours * rate),
            ("The yearly rent is {} euros.", rent * 12),
        ):
            right.append(_is_accepted(claim.format(f"{figure:,}"), f"{figure:,}", lines))
            other = _changed(chance, f"{figure:,}")
            wrong.append(_is_accepted(claim.format(other), other, lines))
    assert sum(wrong) / len(wrong) < 0.01
    assert sum(right) / len(right) > 0.95


@pytest.mark.parametrize(
    "above", ["(in millions)\t2023\t2022\t2021", "2022, and 2021, respectively.", "ACME_2023_10K.pdf"]
)
def test_headers_and_names_of_reports_above_a_table_change_no_sum(above: str) -> None:
    table = f"{above}\n{SALES}\nCost of services\t10,038\t10,298\t10,265"
    claim = "Gross profit rose by 3.8 % from 2022 to 2023."
    found = recompute("3.8 %", [table], claim, "What is gross profit in ACME 2023 10K?")
    assert found == "(288.5 − 277.9) ÷ 277.9 = 3.8 %"


def test_an_english_header_decides_how_amounts_are_grouped() -> None:
    header = "($ in millions)\t2023\t2022"
    table = f"AMCOR PLC\nRigid Packaging Segment\n{header}\n{header}\n\nNet sales\t$\t3,540\t$\t3,393"
    found = recompute("$147 million", [table], "Net sales rose by $147 million in 2023.")
    assert found == "3,540 − 3,393 = $147 million"


@pytest.mark.parametrize("claim", ["The deposit is 2,737.50 euros.", "Die Kaution beträgt 2.737,50 Euro."])
def test_a_duration_of_something_else_is_no_factor(claim: str) -> None:
    lines = "Die Kündigungsfrist beträgt drei Monate.\n§ 3 Miete\nDie Miete beträgt monatlich 912,50 Euro."
    figure = claim.split(" ")[3]
    assert recompute(figure, [lines], claim) is None


def test_a_duration_that_the_claim_speaks_of_is_a_factor() -> None:
    lines = "The course lasts three months. The fee is 912.50 euros a month."
    assert recompute("2,737.50", [lines], "The course costs 2,737.50 euros.") == "912.50 × 3 = 2,737.50 euros"
    together = "For three months the fee is 912.50 euros a month."
    assert (
        recompute("2,737.50", [together], "The course costs 2,737.50 euros.")
        == "three months × 912.50 = 2,737.50 euros"
    )


def test_a_total_takes_the_only_duration_of_the_lines() -> None:
    lines = "The lease runs for two years.\nThe rent is 1,200 euros a month."
    assert recompute("28,800", [lines], "All in all 28,800 euros are paid, a total.") == "1,200 × 24 = 28,800 euros"
