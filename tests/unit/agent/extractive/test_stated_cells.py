"""Cells of a document without a model: what stands behind a label, in a table, in the one sentence; else nothing."""

import pytest

from desktop_rag.agent.extractive.built_in_model import AskedCell
from desktop_rag.agent.extractive.stated_cells import common_labels, stated_cells
from desktop_rag.llm.chat import Evidence
from desktop_rag.stop import Stop


def cell(text: str, name: str, kind: str = "text", options: tuple[str, ...] = ()) -> tuple[str, int]:
    document = Evidence("turn1search1", "A document", 1, tuple(text.split("\n")))
    [found] = stated_cells([AskedCell(name, kind, options)], [document], Stop())
    return found.value, found.first_line


@pytest.mark.parametrize(
    ("text", "name", "kind", "value"),
    [
        ("# Lease\n\nLandlord: Anna Meier", "Landlord", "text", "Anna Meier"),
        ("**Landlord:** Anna Meier", "landlord", "text", "Anna Meier"),
        ("| Term | Value |\n|---|---|\n| Landlord | Anna Meier |", "Landlord", "text", "Anna Meier"),
        ("Name\tRent\tStart\nMill\t900 euros\t1 May 2020", "Rent", "amount", "900 euros"),
        ("The rent is 900 euros a month. It is due early.", "Rent", "amount", "900 euros"),
        ("Monthly rent: 900 euros", "Rent per month", "amount", "900 euros"),
        ("Start date: 1 May 2020", "Start date", "date", "1 May 2020"),
        # nothing, rather than something similar
        ("Landlord's agent: Ben Cole", "Landlord", "text", ""),
        ("Anna Meier, 5 Quay Road (“Landlord”)", "Landlord", "text", "Anna Meier, 5 Quay Road (“Landlord”)"),
        ("The rent is 900 euros. From May on the rent is 950 euros.", "Rent", "amount", ""),
        ("The submission date of the first version was 3 March 2014.", "Submission date", "date", ""),
        ("What is the rent?", "Rent", "text", ""),
        ("Landlord: -", "Landlord", "text", ""),
        ("Pets are welcome.", "Pets", "yes/no", ""),
    ],
)
def test_a_cell_is_stated_or_empty(text: str, name: str, kind: str, value: str) -> None:
    assert cell(text, name, kind)[0] == value


def test_one_of_the_given_values_is_taken_if_only_one_stands_there() -> None:
    laws = ("England", "Germany")
    assert cell("Governing law: the law of England", "Governing law", "one of", laws)[0] == "England"
    assert cell("Governing law: England or Germany", "Governing law", "one of", laws)[0] == ""


def test_the_line_of_the_value_is_told() -> None:
    assert cell("# Lease\n\nRent:\n900 euros", "Rent", "amount") == ("900 euros", 4)


def test_labels_and_headings_that_documents_share_are_counted() -> None:
    texts = ("# Lease\nLandlord: A\nRent: 5 euros", "# Lease\nLandlord: B", "Landlord: C\n\n## 3. Rent\n\nIt is low.")
    documents = [[Evidence("turn1search1", "", 1, tuple(text.split("\n")))] for text in texts]
    first, *others = common_labels(documents, Stop())
    assert first == ("Landlord", 3)
    assert {("Lease", 2), ("Rent", 2)} <= set(others)
