from benchmarks.libraries.window import PERCENTILES, Beats, rows


def beats(situation: str, longest: float) -> Beats:
    return Beats(situation, (*[(4.0, 1.0, 0.0)] * 99, (longest, 2.0, 0.0)))


def test_the_goal_allows_the_gap_of_the_idle_window_plus_a_margin() -> None:
    found = list(rows([beats("idle", 90.0), beats("typing", 110.0), beats("scrolling", 110.5)]))
    goals = [row.goal for row in found if row.goal is not None]
    assert goals == [110.0, 110.0]
    assert [row.what for row in found if row.goal is not None and row.median > row.goal] == ["scrolling, p99.9"]


def test_a_quiet_machine_still_allows_fifty_milliseconds() -> None:
    found = list(rows([beats("idle", 5.0), beats("typing", 50.0)]))
    assert [row.goal for row in found if row.goal is not None] == [50.0]


def test_every_situation_has_all_percentiles() -> None:
    found = list(rows([beats("idle", 5.0)]))
    assert [row.what.split(", ")[1] for row in found] == ["p50", "p99", "p99.9", "longest"]
    assert len(found) == len(PERCENTILES)


def test_waiting_for_a_core_is_a_separate_row_if_the_system_reports_it() -> None:
    (row,) = (row for row in rows([Beats("idle", ((4.0, 1.0, 0.0), (90.0, 10.0, 70.0)))]) if "core" in row.what)
    assert row.values == (20.0,)
