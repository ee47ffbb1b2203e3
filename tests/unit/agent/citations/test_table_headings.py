"""What stands above the rows of a table."""

from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.support import CitedLines, context_above
from desktop_rag.agent.citations.table_headings import table_header, table_heading, year_line

PRINTED = dict(
    enumerate(
        (
            "This press release contains statements about the future, as the laws of the country define them.",
            "Ulta Beauty, Inc.",
            "Consolidated Statements of Income",
            "(In thousands, except per share data)",
            "",
            "13 Weeks Ended",
            "January 28,\tJanuary 29,",
            "2023\t2022",
            "",
            "Net sales\t$ 3,226,773\t$ 2,729,388",
            "Cost of sales\t2,014,270\t1,702,059",
            "",
            "Interest (income) expense, net\t(4,378)\t467",
        ),
        1,
    )
)


def test_the_heading_of_a_printed_table_has_title_scale_and_periods() -> None:
    heading = table_heading(PRINTED, 13)
    assert heading[0] == "Ulta Beauty, Inc."
    assert heading[2] == "(In thousands, except per share data)"
    assert heading[-1] == "2023\t2022"


def test_its_scale_is_that_of_the_rows() -> None:
    source = [CitedLines({10: PRINTED[10]}, context_above(PRINTED, {10: PRINTED[10]}))]
    assert find_facts("Net sales were $3,226.8 million for the 13 weeks.", source).missing == ()
    assert find_facts("Net sales were $3.4 million.", source).missing == ("$3.4 million",)


def test_a_sentence_with_a_date_is_no_header_of_years() -> None:
    lines = {1: "This Lease is made on 12 February 2021 between Harbour Ltd and Pinewood LLC.", 2: "The term is short."}
    assert year_line(lines, 2) == ""


def test_the_first_row_of_a_table_without_names_is_no_header() -> None:
    rows = {1: "Flexibles\t11,151\t1,517", 2: "Rigid\t3,393\t289"}
    assert table_header(rows, 2) == ""
    assert table_header({1: "Segment\tSales\tEBIT", 2: rows[2]}, 2) == "Segment\tSales\tEBIT"
