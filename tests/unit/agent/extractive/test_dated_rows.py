"""The first or last row by dates, the greatest by a named dimension, and rows that lack something."""

import pytest

from desktop_rag.agent.extractive.quantities.compared_dates import DateComparison
from desktop_rag.agent.extractive.quantities.counted_rows import counted_rows
from desktop_rag.agent.extractive.quantities.dated_rows import dated_row, tables_to_order
from desktop_rag.agent.extractive.quantities.quantity_answer import answer_quantity
from desktop_rag.agent.extractive.quantities.row_conditions import demanded_rows
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage

REPAIRS = (
    "Date\tJob\tCraftsman\tHours\tAmount\n2024-01-15\tTap\tByrne\t1.5\t82.00\n"
    "2024-12-05\tBurst pipe\tByrne\t3.5\t203.00\n"
    "2024-07-11\tFence\tPetrenko\t9\t315.00"
)
PLANTS = (
    "Plant\tHeight cm\tStock\tFlowers in\nLavender\t40\t120\tJune\nJasmine\t300\t0\tJuly\nHellebore\t30\t35\tJanuary\n"
    "Snowdrop\t15\t0\tFebruary"
)
STATIONS = (
    "Station\tAltitude (m)\tSnow days\tOpened\nKirnberg\t1480\t27\t1936\nTalheim\t288\tn/a\t2004\n"
    "Gratkopf\t2105\t31\t1952"
)
STAFF = (
    "Name\tRole\tSalary\nPriya Nair\tAccountant\t41000\nChloe Martin\tEngineer\t52300\nDmitri Volkov\tEngineer\t47800"
)


def opened(file: str, text: str, total: int = 0) -> ToolMessage:
    lines = tuple(text.split("\n"))
    evidence = Evidence("turn1search1", file.partition(".")[0], 1, lines, file=file)
    message = f"Viewing lines [1–{len(lines)}] of {total or len(lines)} lines"
    return ToolMessage("builtin5.1.1", "open", message, (evidence,))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the last repair in 2024?", "Burst pipe, going by 2024-12-05, the latest of 3:"),
        ("Which repair was the first?", "Tap, going by 2024-01-15, the earliest of 3:"),
        ("What was the last repair by Petrenko?", ""),  # there is one
        ("What is the last price of the repairs?", ""),
    ],
)
def test_the_first_or_last_row_goes_by_its_date(question: str, said: str) -> None:
    row = dated_row(analyse(question), [opened("repairs.csv", REPAIRS)])
    assert (row.lead_in if row else "") == said


@pytest.mark.parametrize(
    ("file", "text", "question", "said"),
    [
        (
            "plants.csv",
            PLANTS,
            "Which plant flowers first in the year?",
            "Hellebore, going by January, the earliest of 4:",
        ),
        ("stations.csv", STATIONS, "Which station was opened last?", "Talheim, going by 2004, the latest of 3:"),
        ("stations.csv", STATIONS, "Which station is the oldest?", "Kirnberg, going by 1936, the earliest of 3:"),
        ("stations.csv", STATIONS, "Which ship is the oldest?", ""),
    ],
)
def test_years_and_months_are_dates_of_rows(file: str, text: str, question: str, said: str) -> None:
    row = dated_row(analyse(question), [opened(file, text)])
    assert (row.lead_in if row else "") == said


def test_a_table_is_read_on_before_its_last_row_is_told() -> None:
    question, part = analyse("What was the last repair?"), opened("repairs.csv", REPAIRS, total=90)
    assert dated_row(question, [part]) is None
    assert [row.line for row in tables_to_order(question, [part])] == [2]


@pytest.mark.parametrize(
    ("file", "text", "question", "said"),
    [
        ("repairs.csv", REPAIRS, "Which repair took longest?", "Fence, going by 9, the greatest of 3:"),
        ("plants.csv", PLANTS, "Which plant is the tallest?", "Jasmine, going by 300, the greatest of 4:"),
        ("stations.csv", STATIONS, "Which station is the highest?", "Gratkopf, going by 2105, the greatest of 3:"),
        (
            "stations.csv",
            STATIONS,
            "Which station had the most snow days?",
            "Gratkopf, going by 31, the greatest of 2 with",
        ),
        ("staff.csv", STAFF, "Who of the staff earns the most?", "Chloe Martin, going by 52300, the greatest of 3:"),
        ("plants.csv", PLANTS, "Which plant is the most popular?", ""),
    ],
)
def test_a_superlative_goes_by_the_column_of_its_dimension(file: str, text: str, question: str, said: str) -> None:
    answer = answer_quantity(analyse(question), [opened(file, text)])
    assert not isinstance(answer, DateComparison)
    assert (answer.lead_in([]) if answer else "").startswith(said)
    assert bool(answer) is bool(said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which plants are out of stock?", "2 of 4 rows, going by “Stock”:"),
        ("Which plants are sold out?", "2 of 4 rows, going by “Stock”:"),
        ("Which plants are in stock?", "2 of 4 rows, going by “Stock”:"),
        ("Which plants are out of fashion?", ""),
    ],
)
def test_rows_without_any_left_are_out_of_stock(question: str, said: str) -> None:
    found = demanded_rows(analyse(question), [opened("plants.csv", PLANTS)])
    assert (found[0].lead_in if found else "") == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many repairs were there in 2024?", "3 of 3 rows:"),  # the table is called so
        ("How many repairs did Byrne do?", "2 of 3 rows:"),
    ],
)
def test_the_rows_of_a_table_called_so_are_counted(question: str, said: str) -> None:
    counted = counted_rows(analyse(question), [opened("repairs 2024.csv", REPAIRS)])
    assert (counted.lead_in if counted else "") == said


@pytest.mark.parametrize("question", ["How many engineers are there?", "Which engineers work there?"])
def test_rows_with_a_cell_in_the_plural_are_counted(question: str) -> None:
    counted = counted_rows(analyse(question), [opened("staff.csv", STAFF)])
    assert counted is not None
    assert counted.lead_in == "2 of 3 rows:"


CLUB = (
    "Member\tJoined\tBoat\tFee\tPaid\nCrane\t2011-04-02\tSea Otter\t240\tyes\nHorvat\t2018-09-15\t\t80\tyes\n"
    "Ekholm\t2022-03-01\tTern\t240\tno\nOkonjo\t2024-05-11\t\t410\tno"
)


def test_the_name_of_a_table_and_another_form_of_a_verb_demand_nothing_of_a_column() -> None:
    club = [opened("Boat club members.csv", CLUB)]
    last = dated_row(analyse("Who joined the boat club last?"), club)
    assert last is not None
    assert last.lead_in == "Okonjo, going by 2024-05-11, the latest of 4:"
    highest = answer_quantity(analyse("Which member pays the highest fee?"), club)
    assert highest is not None
    assert highest.lead_in([]) == "Okonjo, going by 410, the greatest of 4:"
    of_boats = dated_row(analyse("Which member with a boat joined last?"), club)
    assert of_boats is not None
    assert of_boats.lead_in == "Ekholm, going by 2022-03-01, the latest of 2:"


def test_who_has_had_something_the_longest_has_it_since_the_earliest_year() -> None:
    plots = "Plot\tTenant\tSince\n1\tAgnes\t2011\n2\tRavi\t2019\n3\tLotte\t2008"
    found = dated_row(analyse("Who has had a plot the longest?"), [opened("plots.csv", plots)])
    assert found is not None
    assert found.lead_in.endswith("going by 2008, the earliest of 3:")
