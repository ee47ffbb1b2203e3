from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.citations.numbers import figures_not_in


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It began on 3 March 2021.", "2021-03-03"),
        ("It began on 3 March 2021.", "03/03/2021"),
        ("It began on March 3rd, 2021.", "am 3. März 2021"),
        ("Es begann am 3. März 2021.", "le 3 mars 2021"),
        ("It began on 3 March 2021.", "2021年3月3日"),
        ("It began on 3 March 2021.", "Minutes of 2021: on 3 March the chair opened the meeting"),
        ("It began in March 2021.", "3.3.2021"),
        ("It began in 2021.", "3.3.2021"),
        ("On 6 January 2026 he wrote.", "20260106_11:30"),
        ("It opens at 2:30 pm.", "14:30"),
        ("Geöffnet ab 14:30 Uhr", "from 2.30 p.m."),
        ("It costs 1,200 euros.", "1.200 €"),
        ("It costs 1200.", "1 200.00"),
        ("They have 1.2k users.", "1,200 users"),
        ("Capital expenditure was $1,577 million.", "Purchases of equipment (1,577) (1,373)"),
        ("Revenue was $1.577 billion.", "1,577 million dollars"),
        ("It lost $5m.", "5 million dollars"),
        ("It fell by 12.5%.", "12,5 Prozent"),
        ("It fell by 5 per cent.", "5"),
        ("About 1,200 came.", "1,234 came"),
        ("Roughly 3.5 million people", "3,512,000"),
        ("The service is due after 12 months.", "every twelve months"),
        ("On the 3rd working day", "on the third working day"),
        ("25 Leute kamen.", "fünfundzwanzig Leute"),
        ("Between 1 and 2 bar", "between one and two bar"),
        ("From 2019–2021", "2019-2021"),
        ("Order B12.", "vitamin B12"),
        ("In Q3 2021", "the third quarter of 2021"),
        ("FY2022 was good.", "the fiscal year 2022"),
        ("3. The rent is 950 euros.", "The rent is 950 euros."),
        ("It is 5 km away.", "5km"),
        ("Nothing counts here.", ""),
        ("The deposit is two months of rent.", "The deposit is two months' rent."),
        ("Die Frist beträgt drei Monate.", "a period of 3 months"),
        ("After twelve months it ends.", "every 12 months"),
        ("The two parties met one month later.", "The landlord and the tenant met in May"),
    ],
)
def test_a_figure_is_found_in_any_spelling(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source", "figures"),
    [
        ("The rent is 850 euros.", "The rent is 950 euros.", ("850 euros",)),
        ("The rent is 95 euros.", "The rent is 950 euros.", ("95 euros",)),
        ("The rent is 950 euros, the fee 15.", "The rent is 15 euros, the fee 90.", ("950 euros",)),
        ("It fell by 5 %.", "It fell by 5 €.", ("5 %",)),
        ("It has 5 million.", "5 thousand", ("5 million",)),
        ("1,200 came.", "1,234 came", ("1,200",)),
        ("About 1,200 came.", "1,434 came", ("1,200",)),
        ("It began on 4 March 2021.", "03/03/2021", ("4 March 2021",)),
        ("It began on 3 March 2021.", "on 3 March 2020", ("3 March 2021",)),
        ("It began on 3 March 2021.", "in March 2021", ("3 March 2021",)),
        ("It began in 2020.", "3 March 2021", ("2020",)),
        ("It opens at 14:30.", "15:30", ("14:30",)),
        ("Order B12.", "Order 12.", ("B12",)),
        ("The deposit is four months of rent.", "The deposit is two months' rent.", ("four months",)),
        ("Die Frist beträgt vier Wochen.", "in sechs Wochen", ("vier Wochen",)),
        ("- (2) The rent is 850.", "The rent is 950, see 2.", ("850",)),
    ],
)
def test_a_missing_figure_is_reported_as_written(claim: str, source: str, figures: tuple[str, ...]) -> None:
    assert figures_not_in(claim, [source]) == figures


def test_several_sources_may_contain_the_figures_together() -> None:
    claim = "The rent is 950 euros, and being late costs 15."
    assert figures_not_in(claim, ["The rent is 950 euros."]) == ("15",)
    assert figures_not_in(claim, ["The rent is 950 euros.", "A late payment costs 15 euros."]) == ()


@given(st.text(max_size=200))
def test_a_text_contains_its_own_figures(text: str) -> None:
    assert figures_not_in(text, [text]) == ()


@given(st.text(alphabet="0123456789.,:-/ %€$kmQ年月日Mar ", max_size=60))
def test_a_text_of_figures_contains_them(text: str) -> None:
    assert figures_not_in(text, [text]) == ()


@given(st.integers(10, 10**9), st.integers(10, 10**9))
def test_different_numbers_are_not_equal(one: int, other: int) -> None:
    held = figures_not_in(f"The sum of {one:,} was paid.", [f"The sum of {other:,} was paid."]) == ()
    assert held == (one == other)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_date_is_the_same_in_every_spelling(day: date) -> None:
    spellings = (f"{day:%Y-%m-%d}", f"{day.day} {day:%B} {day:%Y}", f"{day:%B} {day.day}, {day:%Y}", f"{day:%d.%m.%Y}")
    for spelling in spellings:
        assert figures_not_in(f"It was on {spelling}.", [f"Date: {spellings[0]} (noted)"]) == ()
