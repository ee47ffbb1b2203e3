import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import MORE_ROWS
from tests.unit.agent.conftest import Asker, FakeRetriever, document
from tests.unit.agent.extractive.test_columns_with_gaps import SPENT

ROWS = ("Train", "Saw", "First aid", "Drill")


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What did Vera buy for tools?", ["Saw"]),
        ("What did Otto spend on tools?", ["Drill"]),
        ("What did Otto spend on travel?", []),  # he did not travel
        ("Which things of Vera were not tools?", ["Train"]),
    ],
)
def test_rows_with_other_cells_than_the_question_names_are_not_quoted(question: str, quoted: list[str]) -> None:
    retriever = FakeRetriever(("expenses.csv", document(*SPENT.split("\n"), title="Expenses")))
    text = Asker(retriever, ExtractiveModel()).answer(question).text
    assert [name for name in ROWS if f"Description: {name}" in text] == quoted


def test_the_label_of_a_total_is_no_cell_that_a_question_names() -> None:
    lines = ("Invoice\tCustomer\tNet", "R-1\tHallam Ltd\t1200", "R-2\tOberon SA\t900", "Total\t\t2100")
    library = FakeRetriever(("invoices.csv", document(*lines, title="Invoices")))
    text = Asker(library, ExtractiveModel()).answer("How much did Hallam Ltd pay in total net?").text
    assert "Invoice: R-1" in text


@pytest.mark.parametrize(("count", "more"), [(12, False), (13, True)])
def test_that_more_rows_have_the_same_words_is_said(count: int, more: bool) -> None:
    rows = [f"{number}\tRepair of the pump\tHall {number}" for number in range(1, count + 1)]
    jobs = document("Job\tWork\tPlace", *rows, title="Jobs")
    text = Asker(FakeRetriever(("jobs.csv", jobs)), ExtractiveModel()).answer("Where was the pump repaired?").text
    assert (MORE_ROWS in text) is more
    assert text.count("Repair of the pump") == (3 if more else count)


def test_rows_that_have_what_the_question_denies_are_not_quoted() -> None:
    spent = document(
        "Person\tThing\tAmount\tReceipt", "Marek\tLunch\t42.00\tyes", "Marek\tTaxi\t31.50\tno", "Lena\tSaw\t58.90\tyes"
    )
    library = FakeRetriever(("spent.csv", spent))
    text = Asker(library, ExtractiveModel()).answer("How much did Marek spend without a receipt?").text
    assert "Thing: Taxi" in text
    assert "Lunch" not in text
    assert "Saw" not in text
