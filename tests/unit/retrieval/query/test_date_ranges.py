import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.retrieval.query.date_ranges import NAMED, Period, midnight_ns, month_of, month_ranges, period, similar

SUNDAY = date(2024, 3, 31)


def days(first: str, end: str) -> Period:
    """Return a period from two dates in ISO form; an empty one leaves that side open."""
    return Period(date.fromisoformat(first) if first else None, date.fromisoformat(end) if end else None)


@pytest.mark.parametrize(
    ("text", "first", "end"),
    [
        ("today", "2024-03-31", "2024-04-01"),
        ("Yesterday", "2024-03-30", "2024-03-31"),
        ("this week", "2024-03-25", "2024-04-01"),
        ("last  week", "2024-03-18", "2024-03-25"),
        ("past week", "2024-03-24", "2024-04-01"),
        ("this month", "2024-03-01", "2024-04-01"),
        ("last month", "2024-02-01", "2024-03-01"),
        ("last 1 month", "2024-02-29", "2024-04-01"),
        ("last 3 days", "2024-03-28", "2024-04-01"),
        ("last 2 weeks", "2024-03-17", "2024-04-01"),
        ("last quarter", "2023-10-01", "2024-01-01"),
        ("this quarter", "2024-01-01", "2024-04-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("last 2 years", "2022-03-31", "2024-04-01"),
        ("2024", "2024-01-01", "2025-01-01"),
        ("2024-12", "2024-12-01", "2025-01-01"),
        ("2024-Q3", "2024-07-01", "2024-10-01"),
        ("20240229", "2024-02-29", "2024-03-01"),
        (">2023", "2024-01-01", ""),
        (">= last month", "2024-02-01", ""),
        ("<2024-02", "", "2024-02-01"),
        ("<=yesterday", "", "2024-03-31"),
        ("2023-01 TO last month", "2023-01-01", "2024-03-01"),
        ("* TO 2020", "", "2021-01-01"),
        ("March 2023", "2023-03-01", "2023-04-01"),
        ("15 march 2023", "2023-03-15", "2023-03-16"),
        (">= März 2023", "2023-03-01", ""),
        ("march 2023 TO may 2023", "2023-03-01", "2023-06-01"),
    ],
)
def test_date_expressions(text: str, first: str, end: str) -> None:
    assert period(text, SUNDAY) == days(first, end)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "last", "2023-13", "2023-00", "2023-02-30", "0000", "last 99999 years", ">", ">march", "march TO may"],
)
def test_an_invalid_date_is_none(text: str) -> None:
    assert period(text, SUNDAY) is None


def test_a_month_alone_is_that_of_any_year() -> None:
    assert period("Sept.", SUNDAY) == period("september", SUNDAY) == Period(None, None, 9)
    moments = [datetime(*day, 12, tzinfo=UTC).timestamp() for day in ((1961, 3, 15), (2024, 3, 15), (2024, 4, 15))]
    assert [month_of(int(moment) * 10**9) for moment in moments] == [3, 3, 4]
    assert (midnight_ns(date(2024, 3, 1)), midnight_ns(date(2024, 4, 1))) in month_ranges(3, 2024)


@given(st.dates(date(1, 1, 1), date(9998, 1, 1)), st.sampled_from(NAMED))
def test_every_named_period_is_at_most_a_year_around_today(today: date, name: str) -> None:
    found = period(name, today)
    if found is None:  # the calendar begins with year 1
        assert today < date(3, 1, 1)
        return
    assert found.first is not None
    assert found.end is not None
    assert found.first < found.end
    assert found.first <= today
    assert today - found.first <= timedelta(days=2 * 366)
    assert (found.end <= today) == ((name.startswith("last") and not name[5].isdigit()) or name == "yesterday")


@given(st.text(max_size=30))
def test_any_text_is_a_period_or_none(text: str) -> None:
    found = period(text, SUNDAY)
    assert found is None or isinstance(found, Period)


def test_a_misspelled_date_has_a_likely_one() -> None:
    assert similar("yesterdy") == "yesterday"
    assert similar("lst week") == "last week"
    assert similar("gestern") == "yesterday"
    assert similar("7.3.2023") == "2023-03-07"
    assert similar("07/03/2023") == "2023-03-07"
    assert similar("March 2023") == "2023-03"
    assert similar("March 2023 crane") == ""
    assert similar("7. März 2023") == "2023-03-07"
    assert similar("2024-13") == "2024"
    assert similar("rent") == ""


@pytest.fixture
def elsewhere() -> Iterator[None]:
    """Live in another time zone for one test."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "America/New_York"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="only POSIX can change its time zone")
@pytest.mark.usefixtures("elsewhere")
def test_days_begin_at_midnight_local_time() -> None:
    winter, summer = date(2024, 1, 15), date(2024, 7, 15)
    utc = [1_705_276_800, 1_721_001_600]
    assert midnight_ns(winter) == (utc[0] + 5 * 3600) * 1_000_000_000
    assert midnight_ns(summer) == (utc[1] + 4 * 3600) * 1_000_000_000
    spring_forward = period("2024-03-10", date(2024, 3, 10))
    assert spring_forward is not None
    assert spring_forward.since_ns is not None
    assert spring_forward.until_ns is not None
    assert spring_forward.until_ns - spring_forward.since_ns == 23 * 3600 * 1_000_000_000
