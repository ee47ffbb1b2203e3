"""The row of a table that has all codes, dates and names of a question answers it, alone."""

import pytest

from desktop_rag.agent.extractive.quantities.identified_row import identified_rows, row_query
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage

MEASURED = (
    "station\tdate\ttemperature",
    "ST38\t2024-11-14\t3.1",
    "ST37\t2024-11-15\t4.0",
    "ST38\t2024-11-15\t25.4",
    "ST381\t2024-11-15\t9.9",
    "ST38\t2024-11-16\t2.2",
)
GAUGES = (
    "Pegel\tDatum\tWasserstand in cm\tAbfluss",
    "Torgau\t03.03.2024\t117\t658,8",
    "Magdeburg\t03.03.2024\t598\t523,5",
    "Magdeburg\t04.03.2024\t590\t511,0",
)
READINGS = ("| Flat B1 | 2023-06 | 290 | Ines Holm |", "| Flat D4 | 2023-06 | 343 | Rita Okoye |")
ORDERS = ("PO-4821\tNordwerk\t2024-07-24\t12\tHull", "PO-4822\tKelvin Parts\t2024-07-24\t765\tCork")
SHIFTS = (
    "employee\tday\thours\tsite",
    "Lena Abara\t2024-10-09\t8\tYard 9",
    "Lena Smith\t2024-10-10\t6\tYard 9",
    "Tom Hadley\t2024-10-09\t5.5\tPier 4",
)


def read(lines: tuple[str, ...], first: int = 1) -> ToolMessage:
    return ToolMessage("1", "open", "", (Evidence("turn1search1", "table", first, lines, 0.0, "", "table.csv"),))


@pytest.mark.parametrize(
    ("question", "table", "row"),
    [
        ("What was the temperature at station ST38 on 2024-11-15?", read(MEASURED), MEASURED[3]),
        ("How warm was it at station ST38 on 15 November 2024?", read(MEASURED), MEASURED[3]),
        ("Wie hoch war der Abfluss in Magdeburg am 3. März 2024?", read(GAUGES), GAUGES[2]),
        ("How many kWh did Flat D4 use in June 2023?", read(READINGS, 862), READINGS[1]),
        ("To which warehouse did order PO-4822 go?", read(ORDERS, 824), ORDERS[1]),
        ("How many hours did Lena Abara work on October 9, 2024?", read(SHIFTS), SHIFTS[1]),
        ("how many hours did lena abara work on 2024-10-09?", read(SHIFTS), SHIFTS[1]),
    ],
)
def test_the_row_with_all_codes_dates_and_names_answers(question: str, table: ToolMessage, row: str) -> None:
    (found,) = identified_rows(analyse(question), [table])
    assert found.text.strip("| ") == row.strip("| ")


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("What was the temperature at station ST39 on 2024-11-15?", MEASURED),  # no such row
        ("Why did station ST38 report no wind on 2024-11-15?", MEASURED),  # a row gives no reason
        ("Who won the election on 2024-11-15?", MEASURED),  # of the question only the date
        ("How many hours did Lena Brandt work on 2024-10-09?", SHIFTS),  # half a name
        ("What does the employee Tom Hadley do?", SHIFTS),  # neither a code nor a date
    ],
)
def test_a_row_that_lacks_one_of_them_does_not_answer(question: str, table: tuple[str, ...]) -> None:
    assert identified_rows(analyse(question), [read(table)]) == ()


def test_a_sentence_that_says_more_of_the_question_goes_before_a_row() -> None:
    question = "What did the inspector of order PO-4822 complain about on 2024-07-24?"
    prose = "On 24 July 2024 the inspector of order PO-4822 complained about rust on the bolts."
    assert identified_rows(analyse(question), [read(ORDERS, 824)])
    assert not identified_rows(analyse(question), [read(ORDERS, 824), read((prose,), 3)])


def test_dates_are_searched_in_the_spellings_of_tables() -> None:
    query = row_query(analyse("How warm was it at station ST37 on 12 May 2024?"))
    assert query.startswith('("st37") AND ("12 May 2024" OR "2024-05-12" OR "12.05.2024"')
    assert row_query(analyse("What happened in Kiel in June 2023?")).endswith('AND ("Kiel")')
    assert row_query(analyse("What happened on 12 May 2024?")) == ""  # any passage with the date
    assert row_query(analyse("Who is the captain?")) == ""
