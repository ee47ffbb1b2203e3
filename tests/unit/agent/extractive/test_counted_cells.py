"""Different cells of a column are counted in the rows of a name, which the lead-in tells."""

import pytest

from desktop_rag.agent.extractive.quantities.counted_rows import counted_rows
from desktop_rag.agent.extractive.question_analysis import analyse
from tests.unit.agent.extractive.test_quantity_answer import opened

QUIZ = """date\tteam\tcaptain
2 May\tFiscal\tAnna
9 May\tFiscal\tBerta
9 May\tRascals\tCarla
16 May\tFiscal\tAnna
16 May\tRascals\tCarla"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many captains did Fiscal have?", "2 different cells of captain in 3 of 5 rows:"),
        ("How many captains did Rascals have?", "1 cell of captain in 2 of 5 rows:"),
    ],
)
def test_different_cells_are_counted_in_the_rows_of_a_name(question: str, said: str) -> None:
    answer = counted_rows(analyse(question), [opened("quiz.csv", QUIZ)])
    assert answer is not None
    assert answer.lead_in == said
