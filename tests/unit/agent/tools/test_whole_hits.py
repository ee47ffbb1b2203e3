"""The best results of a search are shown whole, long ones around their match; nothing is shown twice."""

import pytest

from tests.unit.agent.conftest import FakeRetriever, document
from tests.unit.agent.tools.desk import Desk


def whole_desk(*lines: str) -> Desk:
    desk = Desk(FakeRetriever(("lease.txt", document(*lines))))
    desk.context.whole_hits = 2
    return desk


def test_a_short_passage_is_shown_whole_without_its_blank_lines() -> None:
    desk = whole_desk("Lease", "", "The rent is 950 euros.", "Pets are allowed.")
    result = desk.call("search", queries=["rent"])
    assert "(2023-11-14, lines 1–4, whole)\n1: Lease\n3: The rent is 950 euros.\n4: Pets are allowed." in result.text
    assert result.evidence[0].lines == ("Lease", "", "The rent is 950 euros.", "Pets are allowed.")
    assert result.chunks == (1,)


@pytest.mark.parametrize(("length", "shown"), [(1_500, "2–2 whole, of 1–4"), (700, "1–3 whole, of 1–4")])
def test_of_a_long_passage_complete_lines_around_the_match_are_shown(length: int, shown: str) -> None:
    long = "word " * (length // 5)
    desk = whole_desk(long, f"The rent is 950 euros. {long}", long, long)
    result = desk.call("search", queries=["rent"])
    assert f"(2023-11-14, lines {shown})" in result.text
    assert "…" not in result.text
    assert not result.chunks  # it may be read whole


def test_queries_are_named_where_one_did_not_find_a_passage() -> None:
    desk = whole_desk("The rent is 950 euros.", "", "", "", "The garage costs 50 euros.")
    result = desk.call("search", queries=["rent", "euros"])
    assert [line.endswith("from query 2)") for line in result.text.splitlines() if line[:1] == "["] == [False, True]
