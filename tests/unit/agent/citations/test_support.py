import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.citations.table_headings import year_headers

FLAT = CitedLines({3: "The flat in Mill Lane 7 is let to Ada Byron.", 4: "The monthly rent is 950 euros."})


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Byron pays 950 euros.",
        "The tenant of Mill Lane 7 is Ada Byron",
        "The rents are monthly.",
        "Die Wohnung wurde an Ada Byron vermietet, sie zahlt 950 Euro.",
        "Ada’s flat costs 950.",
    ],
)
def test_lines_with_figures_and_names_support_a_claim(claim: str) -> None:
    assert not check_claim(claim, [FLAT], "").faults


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Byron pays 850 euros.",
        "The flat in Mill Lane 9 is let to Ada Byron.",
        "The flat is let to Charles Babbage.",
        "Washing machines may be used until ten.",
    ],
)
def test_lines_without_figures_or_names_do_not_support_a_claim(claim: str) -> None:
    assert check_claim(claim, [FLAT], "").faults


def test_context_above_lines_counts() -> None:
    row = {12: "Purchases of equipment (1,577)"}
    claim = "In 2018 Acme spent 1,577 million on equipment."
    assert check_claim(claim, [CitedLines(row)], "").faults
    above = ("Acme annual report", "(in millions) 2018")
    assert not check_claim(claim, [CitedLines(row, above)], "").faults


def test_an_empty_source_supports_nothing() -> None:
    assert check_claim("The rent is due.", [CitedLines({})], "").faults


def test_a_row_has_the_years_above_it_unless_another_table_begins_between() -> None:
    lines = {1: "2023 2022", 2: "Net sales 14,694 14,544", 3: "June 30, 2022", 4: "Net sales 3,909"}
    assert year_headers(lines) == {2: "2023 2022", 3: "2023 2022"}
