"""Sums of two figures or a column of the cited lines: every equation told is true as it is written."""

import re
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from desktop_rag.agent.citations.claim_facts import ClaimFacts, find_facts
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import Operand
from desktop_rag.text.figures import read_figures

TABLE = ("North\t1,610\t1,875", "South\t2,015\t2,480", "West\t980\t1,020")


def facts(claim: str, *lines: str) -> ClaimFacts:
    return find_facts(claim, [CitedLines(dict(enumerate(lines, 1)))], (1,))


@pytest.mark.parametrize(
    ("claim", "lines", "computed"),
    [
        ("Together they are 3,720 euros.", ("Rent 1,240 euros, deposit 2,480 euros.",),
         "1,240 euros + 2,480 euros = 3,720 euros"),
        ("Das sind 1.430 €.", ("Miete 1.250,00 € und 180,00 € Nebenkosten.",), "1.250,00 € + 180,00 € = 1.430 €"),
        ("In all it costs 8,400 euros.", ("350 euros a month for 24 months.",), "24 months × 350 euros = 8,400 euros"),
        ("A month costs 350 euros.", ("8,400 euros for 24 months.",), "8,400 euros ÷ 24 months = 350 euros"),
        ("It grew by 16.5 %.", TABLE[:1], "(1,875 − 1,610) ÷ 1,610 ≈ 16.5 %"),
        ("60 % of them are 24,720.", ("41,200 people, 60 % of them women.",), "60 % × 41,200 people = 24,720"),
        ("They sold 5,375 in all.", TABLE, "1,875 + 2,480 + 1,020 = 5,375"),
        ("On average they sold 1,535.", TABLE, "(1,610 + 2,015 + 980) ÷ 3 = 1,535"),
        ("Over the years they sold $5.1 million.", ("Sales (in millions)\t2.6\t1.4\t1.1",), "2.6 + 1.4 + 1.1 = 5.1"),
        ("It cost 66 euros in all.", ("Milk: 12 euros", "Bread: 24 euros", "Tea: 30 euros"),
         "12 euros + 24 euros + 30 euros = 66 euros"),
        ("It is 23 m³/h less.", ("The flow is 52 m³/h instead of 75 m³/h.",), "75 − 52 = 23"),
        ("Das sind 62 % des Grenzwerts.", ("Nitrat: 31 mg/l (Grenzwert 50 mg/l)",), "31 mg/l ÷ 50 mg/l = 62 %"),
        ("She stayed for 3 years.", ("From 1 May 2018 to 1 May 2021.",), "1 May 2021 − 1 May 2018 = 3 years"),
        ("It took 35 days.", ("From 1 May to 5 June 2021.",), "5 June 2021 − 1 May = 35 days"),
    ],
)  # fmt: skip
def test_a_figure_that_follows_is_told_with_its_sum(claim: str, lines: tuple[str, ...], computed: str) -> None:
    found = facts(claim, *lines)
    assert (found.computed, found.missing) == (computed, ())
    assert found.operands
    assert all(operand.text in "\n".join(lines) for operand in found.operands)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("It costs 3,721 euros.", ("Rent 1,240 euros, deposit 2,480 euros.",)),
        ("It takes 3,720 days.", ("Rent 1,240 euros, deposit 2,480 euros.",)),
        ("The square of it is 160,000 euros.", ("400 euros and 400 euros.",)),
        ("It grew by 265 %.", TABLE[:1]),
        ("The sum of all is 36.", ("1 2 3 4 5 6 7 8 9 10 11 12 13 14",)),
        ("North then and South later make 4,090.", ("North\t1,610\t1,875", "South\t2,015\t2,480")),
        ("Half of them came.", ("There were 56 members and three chairs.",)),
        ("Es war Mitte des 18. Jahrhunderts.", ("Der eine Dienst hat 1, der andere 19,2.",)),
        ("They are three.", ("There were 56 members and 53 guests.",)),
    ],
)
def test_no_sum_is_told_without_its_digits_units_and_few_numbers(claim: str, lines: tuple[str, ...]) -> None:
    assert facts(claim, *lines).computed == ""


def test_operands_of_several_citations_lead_to_each() -> None:
    sources = [CitedLines({3: "Rent 1,240 euros."}), CitedLines({9: "Deposit 2,480 euros."})]
    found = find_facts("Together 3,720 euros.", sources, (4, 7))
    assert set(found.operands) == {Operand("1,240 euros", 4), Operand("2,480 euros", 7)}


def _value(written: str) -> Decimal:
    [figure] = read_figures(written).figures
    scale = figure.scales[0] if figure.scales else 1
    return figure.values[0] * scale * (Decimal("0.01") if "%" in figure.kinds else 1)


def _result(side: str) -> Decimal:
    """Compute one side of an equation from the figures as it writes them."""
    names = {"×": "*", "÷": "/", "−": "-", "+": "+"}
    pieces = re.split(r"( [×÷−+] |[()])", side)
    terms = [
        f"Decimal('{_value(each)}')" if any(map(str.isdigit, each)) else names.get(each.strip(), each)
        for each in pieces
    ]
    return Decimal(eval(" ".join(terms), {"Decimal": Decimal}))


_AMOUNTS = st.decimals(min_value=1, max_value=99_999, places=1).map(lambda amount: f"{amount:,}")
_UNITS = st.sampled_from(["", " euros", " %", " months", " kg"])


@given(st.lists(st.tuples(_AMOUNTS, _UNITS), min_size=1, max_size=4), _AMOUNTS, _UNITS, st.data())
def test_an_equation_told_is_true_and_has_digits_on_both_sides(
    numbers: list[tuple[str, str]], amount: str, unit: str, data: st.DataObject
) -> None:
    one, other = (data.draw(st.sampled_from(numbers)) for _ in range(2))
    a, b = (Decimal(each[0].replace(",", "")) for each in (one, other))
    results = [a + b, a - b, a * b, round(a / b, 1), round((a - b) / b * 100, 1), Decimal(amount.replace(",", ""))]
    result = data.draw(st.sampled_from([each for each in results if each > 0] or [a]))
    assume(result < 10**9)
    lines = [f"Line: {number}{kind} here." for number, kind in numbers]
    told = facts(f"The result of it is {result:,f}{unit} in all.", *lines).computed
    for equation in filter(None, told.split("; ")):
        sides = re.split(" ([=≈]) ", equation)
        assert len(sides) == 3
        assert all(any(map(str.isdigit, side)) for side in (sides[0], sides[2]))
        value, shown = _result(sides[0]), _value(sides[2])
        exponent = int(shown.as_tuple().exponent)
        assert value == shown if sides[1] == "=" else abs(value - shown) * 2 <= Decimal(1).scaleb(exponent)
