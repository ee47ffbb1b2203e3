"""Right and wrong sums over the rows of printed tables, cited with or without the lines of their header."""

import pytest

from desktop_rag.documents.document import Document
from tests.unit.agent.citations.test_citations import checked, citations
from tests.unit.agent.conftest import document

HEADER, ROW, EARNINGS = 3, 8, 13


@pytest.fixture
def tables() -> Document:
    return document(
        "Annual report",
        "Years ended June 30,",
        "($ in millions)\t2023\t2022\t2021",
        "",
        "Flexibles\t$\t436 $\t450 $\t447",
        "Other\t8\t9\t10",
        "",
        "Total depreciation\t$\t569 $\t579 $\t572",
        "",
        "Earnings from operations:",
        "Packaging\t$7,879\t$5,452\t$1,981",
        "Films\t4,108\t4,892\t4,546",
        "Earnings from operations\t11,987\t10,344\t6,527",
    )


def test_a_heading_that_a_claim_repeats_is_not_cited_instead_of_the_row(tables: Document) -> None:
    made = citations(("report.txt", tables))
    claim = f"Earnings from operations of 2021 to 2023 add up to $28,858 million. [turn1search1 L{EARNINGS}]"
    assert checked(made, claim) == [("computed", ())]
    [citation] = made.all()
    assert citation.first_line == EARNINGS
