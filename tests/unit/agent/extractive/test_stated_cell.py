"""One cell of a table answers a question that names its row and its column."""

import pytest

from desktop_rag.agent.extractive.quantities.counted_rows import counted_rows
from desktop_rag.agent.extractive.quantities.stated_cell import stated_cell
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage

COSTS = (
    "Month\tStorage\tSalaries\tRent\tTotal",
    "January 2024\t1200\t41000\t4850\t47050",
    "February 2024\t1344\t41000\t4850\t47194",
    "March 2024\t1410\t43500\t4850\t49760",
    "Total\t3954\t125500\t14550\t144004",
)


def read(lines: tuple[str, ...], file: str = "costs-2024.csv") -> ToolMessage:
    return ToolMessage("1", "open", "", (Evidence("turn1search1", file, 1, lines, 0.0, "", file),))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What were the costs in March 2024?", "March 2024, Total = 49760:"),
        ("What were the costs of storage in March?", "March 2024, Storage = 1410:"),
        ("How much was the rent in January 2024?", "January 2024, Rent = 4850:"),
        ("What is the total cost of storage?", "Total, Storage = 3954:"),
    ],
)
def test_the_cell_of_the_named_row_and_column_answers(question: str, told: str) -> None:
    cell = stated_cell(analyse(question), [read(COSTS)])
    assert cell is not None
    assert cell.lead_in == told


@pytest.mark.parametrize(
    "question",
    [
        "What were the costs in April 2024?",  # no such row
        "What were the costs of 2024?",  # three rows
        "What were the costs of cleaning in March 2024?",  # a word that stands nowhere
        "How much were storage and salaries in March 2024?",  # two columns
        "Who paid the costs in March 2024?",
    ],
)
def test_no_cell_answers_if_several_could_be_meant_or_a_word_is_missing(question: str) -> None:
    assert stated_cell(analyse(question), [read(COSTS)]) is None


def test_two_tables_that_differ_answer_nothing() -> None:
    other = tuple(line.replace("49760", "50000") for line in COSTS)
    results = [read(COSTS), ToolMessage("2", "open", "", read(other, "costs-of-2024.csv").evidence)]
    assert stated_cell(analyse("What were the costs in March 2024?"), results) is None


def test_a_name_above_several_columns_names_no_cell() -> None:
    lines = (
        "\tPension\tOther Benefits",
        "Service cost\t$2\t$3\t$3\t$67",
        "Net periodic benefit (income)/cost\t($878)\t($525)\t$14\t$86",
        "Interest cost\t2,214\t2,037\t90\t81",
    )
    assert stated_cell(analyse("What is the net income of Boeing?"), [read(lines, "BOEING_2022_10K.pdf")]) is None


RATES = ("Item\tBasic\tPlus", "Storage\t20 GB\t50 GB", "Users\t3\t12", "Support\tmail\ttelephone")
KEYS = ("Schlüssel\tAnzahl\tErsatz", "Tor\t2\t45 €", "Hoftür\t1\t30 €", "Handsender\t2\t79 €")


@pytest.mark.parametrize(
    ("question", "lines", "told"),
    [
        ("How many users does Plus have?", RATES, "Users, Plus = 12:"),
        ("How many users are there in Basic?", RATES, "Users, Basic = 3:"),
        ("What support does Plus have?", RATES, None),
        ("Wie viele Schlüssel gibt es für das Tor?", KEYS, "Tor, Anzahl = 2:"),
    ],
)
def test_a_cell_of_a_row_that_is_named_is_no_number_of_rows(
    question: str, lines: tuple[str, ...], told: str | None
) -> None:
    table = ToolMessage("1", "open", "Viewing lines [1–4] of 4 lines", read(lines).evidence)
    assert counted_rows(analyse(question), [table]) is None
    cell = stated_cell(analyse(question), [table])
    assert (cell and cell.lead_in) == told


def test_rows_with_a_number_of_pieces_are_counted_if_no_row_is_named() -> None:
    table = ToolMessage("1", "open", "Viewing lines [1–4] of 4 lines", read(KEYS, "schluessel.csv").evidence)
    counted = counted_rows(analyse("Wie viele Schlüssel gibt es?"), [table])
    assert counted is not None
    assert counted.lead_in == "3 of 3 rows:"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How heavy is the K25?", "Weight, K25 = 27 kg:"),
        ("How loud is the K25?", "Noise, K25 = 47 dB:"),
        ("How much does the K10 weigh?", "Weight, K10 = 19 kg:"),
        ("How wide is the K25?", None),
        ("How heavy is the K30?", None),
    ],
)
def test_a_table_with_properties_as_rows_is_read_by_its_columns(question: str, told: str | None) -> None:
    lines = ("| | K10 | K25 |", "|---|---|---|", "| Tank | 3 l | 5 l |", "| Weight | 19 kg | 27 kg |")
    cell = stated_cell(analyse(question), [read((*lines, "| Noise | 42 dB | 47 dB |"), "manual.md")])
    assert (cell.lead_in if cell else None) == told
