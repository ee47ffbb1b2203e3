"""A month of any year on a server: a range for each year."""

from datetime import date

from desktop_rag.retrieval.query.date_ranges import midnight_ns
from desktop_rag.retrieval.query.tree import Dated, FileField
from desktop_rag.team.format.file_facts import any_of, condition


def test_a_month_without_a_year_is_a_range_in_each_year() -> None:
    years = range(1900, date.today().year + 2)
    bounds = [{"gte": midnight_ns(date(year, 3, 1)), "lt": midnight_ns(date(year, 4, 1))} for year in years]
    assert condition(Dated(None, None, FileField.SENT, 3)) == any_of([{"range": {"sent": each}} for each in bounds])
