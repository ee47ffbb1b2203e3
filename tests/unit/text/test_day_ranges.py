import pytest

from desktop_rag.text.dates import Day, mentions


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from 14 to 21 February 2026", [Day(2026, 2, 14), Day(2026, 2, 21)]),
        ("14–21 February 2026", [Day(2026, 2, 14), Day(2026, 2, 21)]),
        ("vom 3. bis 7. Mai 2025", [Day(2025, 5, 3), Day(2025, 5, 7)]),
        ("May 3-7, 2025", [Day(0, 5, 3), Day(2025, 5, 7)]),
        ("May 30 to 7", [Day(0, 5, 30)]),
        ("40 to 7 May", [Day(0, 5, 7)]),
        ("at 10:30-7 May", [Day(0, 5, 7)]),
    ],
)
def test_both_ends_of_a_range_are_days(text: str, days: list[Day]) -> None:
    assert [day for found in mentions(text) for day in found.days] == days
