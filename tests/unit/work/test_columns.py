"""The written forms of columns, and what a table refuses."""

import pytest

from desktop_rag.errors import LibraryRefused
from desktop_rag.work.columns import Column, Kind, checked_columns, read_column, read_columns


@pytest.mark.parametrize(
    ("written", "column"),
    [
        ("Landlord", Column("Landlord")),
        ("Who pays: the tenant?", Column("Who pays: the tenant?")),
        ("Rent: foo: text", Column("Rent: foo")),
        ("Rent per month: amount", Column("Rent per month", Kind.AMOUNT)),
        ("Start: Date", Column("Start", Kind.DATE)),
        ("Pets: yes/no", Column("Pets", Kind.YES_NO)),
        ("Law: one of German, English; French", Column("Law", Kind.ONE_OF, ("German", "English", "French"))),
    ],
)
def test_a_column_is_read(written: str, column: Column) -> None:
    assert read_column(written) == column


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (["Law: one of German"], "needs 2 to 30 values"),
        (["Law: one of German, german"], "Two of the values"),
        (["Rent", "Rent: amount"], "Two columns ask “Rent”, as text and as amount"),
        (["Rent:foo"], "“foo” is no kind of answers. They are: text, date, amount, yes/no"),
        ([], "at least one column"),
        (["x" * 301], "at most 300 characters"),
        ([f"Column {number}" for number in range(21)], "These are 21 columns; a table has at most 20"),
        ([" "], "has no question"),
    ],
)
def test_columns_that_cannot_be_filled_are_refused(written: list[str], sentence: str) -> None:
    with pytest.raises(LibraryRefused, match=sentence):
        read_columns(written)


def test_the_same_question_twice_is_refused_in_any_case() -> None:
    with pytest.raises(LibraryRefused, match="Remove one of them"):
        checked_columns((Column("Rent per  month?"), Column("rent per month", Kind.AMOUNT)))
