from benchmarks.libraries.search_modes import MODES, MORE, rows
from desktop_rag.retrieval.api import Mode


def test_what_a_mode_takes_more_is_compared_question_by_question() -> None:
    spent = {mode: [10.0, 50.0] for mode in MODES} | {Mode.BEST: [40.0, 60.0], Mode.HYBRID: [10.0, 50.0]}
    found = {row.what: row for row in rows(spent, "CPU")}
    assert found["linked+rerank more than hybrid, CPU, p95"].values == (30.0,)
    assert found["linked+rerank, CPU, p95"].values == (60.0,)


def test_the_goal_is_on_the_95th_percentile_of_the_difference() -> None:
    with_goal = [row.what for row in rows({mode: [1.0] for mode in MODES}, "CPU") if row.goal == MORE]
    assert with_goal == [f"{mode.value} more than hybrid, CPU, p95" for mode in MODES[1:]]
