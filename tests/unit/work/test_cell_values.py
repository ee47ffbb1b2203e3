"""What values mean by their kind, how they are sorted, and what columns add up to."""

import pytest

from desktop_rag.work.columns import Column, Kind, is_of_kind, normal_form, sort_key, summary

RENT = Column("Rent", Kind.AMOUNT)
START = Column("Start", Kind.DATE)
PETS = Column("Pets", Kind.YES_NO)
LAW = Column("Law", Kind.ONE_OF, ("German", "English"))
NAME = Column("Name")


@pytest.mark.parametrize(
    ("column", "value", "normal"),
    [
        (RENT, "1,200 euros a month", "1200|EUR"),
        (RENT, "EUR 1.200,50", "1200.50|EUR"),
        (RENT, "$2.5 million", "2500000.0|USD"),
        (RENT, "two years", "24|months"),
        (RENT, "17", "17|"),
        (RENT, "unknown", ""),
        (START, "on 3 March 2021", "2021-03-03"),
        (START, "2021-03-03", "2021-03-03"),
        (START, "März 2021", "2021-03"),
        (START, "2021", "2021"),
        (START, "3 March", ""),
        (PETS, "Yes.", "yes"),
        (PETS, "nein", "no"),
        (PETS, "perhaps", ""),
        (LAW, "english", "English"),
        (LAW, "Swiss", ""),
        (NAME, "Anna  Meier", "anna meier"),
    ],
)
def test_a_value_has_a_normal_form_of_its_kind(column: Column, value: str, normal: str) -> None:
    assert normal_form(column, value) == normal
    assert is_of_kind(column, value) == bool(normal)


@pytest.mark.parametrize(
    ("column", "values", "ordered"),
    [
        (RENT, ["1,000 euros", "", "200 euros", "90 euros"], ["90 euros", "200 euros", "1,000 euros", ""]),
        (START, ["1 May 2021", "12 April 2019", ""], ["12 April 2019", "1 May 2021", ""]),
        (NAME, ["beta", "", "Alpha"], ["Alpha", "beta", ""]),
    ],
)
def test_values_are_sorted_by_their_kind_and_empty_ones_come_last(
    column: Column, values: list[str], ordered: list[str]
) -> None:
    assert sorted(values, key=lambda value: sort_key(column, value, normal_form(column, value))) == ordered


@pytest.mark.parametrize(
    ("column", "values", "told"),
    [
        (RENT, ["1,200 euros", "300 EUR", "50 dollars", ""], "Σ 1,500 EUR, 50 USD"),
        (START, ["1 May 2021", "12 April 2019"], "2019-04-12 – 2021-05-01"),
        (PETS, ["yes", "yes", "no", ""], "yes 2, no 1"),
        (NAME, ["Anna", "anna", "Ben"], ""),
    ],
)
def test_a_column_is_summed_up_by_its_kind(column: Column, values: list[str], told: str) -> None:
    assert summary(column, [normal_form(column, value) for value in values]) == told
