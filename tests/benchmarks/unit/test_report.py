from hypothesis import given
from hypothesis import strategies as st

from benchmarks.report import OURS, Measurement, Report, figure
from desktop_rag.evaluation.machine import Machine, this_machine

MACHINE = Machine("A processor", ("avx2",), 2, 8.0, "Linux", "3.11")


def report(*rows: Measurement) -> Report:
    return Report("Search", rows, ("10 passages.",), MACHINE)


def test_a_ratio_above_one_means_ours_is_better_in_both_directions() -> None:
    slow = Measurement("a", "peer", "ms", (20.0,))
    weak = Measurement("b", "peer", "passages/s", (50.0,), better="more")
    found = report(
        Measurement("a", OURS, "ms", (10.0,)), slow, Measurement("b", OURS, "passages/s", (100.0,), better="more"), weak
    )
    assert found.ratio(slow) == 2.0
    assert found.ratio(weak) == 2.0


def test_only_rows_of_the_same_task_are_compared() -> None:
    other = Measurement("another task", "peer", "ms", (1.0,))
    found = report(Measurement("a task", OURS, "ms", (1.0,)), other)
    assert found.ratio(other) is None
    assert found.ratio(found.rows[0]) is None


def test_a_goal_bounds_our_median_and_the_ratio_of_a_peer() -> None:
    ours = Measurement("a", OURS, "ms", (10.0, 11.0, 30.0), goal=11.0)
    peer = Measurement("a", "peer", "ms", (100.0,), goal=10.0)
    assert report(ours, peer).missed == (peer,)
    assert report(ours, Measurement("a", "peer", "ms", (110.0,), goal=10.0)).missed == ()


def test_the_goal_of_a_peer_without_ours_is_missed() -> None:
    assert report(Measurement("a", "peer", "ms", (1.0,), goal=0.5)).missed != ()


def test_few_values_spread_from_minimum_to_maximum_and_many_by_quartiles() -> None:
    assert Measurement("a", OURS, "ms", (3.0, 1.0, 2.0)).spread == (1.0, 3.0)
    assert Measurement("a", OURS, "ms", tuple(map(float, range(101)))).spread == (25.0, 75.0)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=300), st.floats(0, 100))
def test_a_percentile_is_the_nearest_rank(values: list[float], percent: float) -> None:
    bound = Measurement("a", OURS, "ms", tuple(values)).at(percent)
    assert bound in values
    assert sum(value <= bound for value in values) >= percent / 100 * len(values) - 1e-6


def test_percentiles_of_a_hundred_values() -> None:
    row = Measurement("a", OURS, "ms", tuple(map(float, range(1, 101))))
    assert [row.at(percent) for percent in (0, 50, 95, 99, 99.9, 100)] == [1, 50, 95, 99, 100, 100]


def test_a_table_shows_a_task_once_and_every_subject() -> None:
    text = report(Measurement("index", OURS, "s", (0.8, 0.9)), Measurement("index", "Whoosh", "s", (15.4,))).text()
    assert text.count("index") == 1
    assert "Whoosh" in text
    assert "18.1×" in text
    assert "A processor (avx2), 2 cores" in text


def test_markdown_has_as_many_cells_in_every_row() -> None:
    lines = report(Measurement("a|b", OURS, "s", (1.0,), goal=2.0)).markdown().splitlines()
    table = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1
    assert "✓ ≤ 2.00 s" in table[-1]


def test_json_has_the_content_of_the_table() -> None:
    (row,) = report(Measurement("a", OURS, "ms", (1.0, 3.0, 2.0), goal=1.0)).json_rows()
    assert (row["median"], row["min"], row["max"], row["n"], row["reached"]) == (2.0, 1.0, 3.0, 3, False)


def test_numbers_have_three_significant_figures() -> None:
    assert [figure(value) for value in (0, 0.0123, 1.234, 12.34, 1234.5)] == ["0", "0.012", "1.23", "12.3", "1,234"]


def test_the_machine_is_described() -> None:
    machine = this_machine()
    assert machine.cores >= 1
    assert machine.memory_gb > 0
    assert machine.python in machine.describe()
