"""The tools of the default toolkit besides search and read: list, filter, compare, calculate."""

from datetime import date

import pytest

from desktop_rag.documents.document import Document
from desktop_rag.retrieval.api import Mode, Order
from desktop_rag.retrieval.query.file_conditions import filter_condition
from desktop_rag.retrieval.query.tree import All, FileFact, FileField, Filter
from tests.unit.agent.conftest import FakeRetriever, document
from tests.unit.agent.tools.desk import Desk


@pytest.fixture
def renewed(lease: Document) -> Document:
    lines = [lease.line(number).text for number in range(1, lease.line_count + 1)]
    lines[3] = "The monthly rent is 990 euros."
    return document(*lines, "A bicycle cellar is included.", title="Lease Mill Lane 2027")


@pytest.fixture
def desk(lease: Document, manual: Document, renewed: Document) -> Desk:
    return Desk(FakeRetriever(("lease.txt", lease), ("boiler.pdf", manual), ("lease-2027.txt", renewed)))


def shelf(desk: Desk) -> FakeRetriever:
    retriever = desk.context.retriever
    assert isinstance(retriever, FakeRetriever)
    return retriever


def test_documents_are_listed_with_references_that_every_tool_takes(desk: Desk) -> None:
    listed = desk.call("list_documents", query="boiler")
    assert listed.text.startswith("[turn1search1] boiler.pdf (in library, pdf, changed 2023-11-14, 2 pages, 5 lines)")
    assert listed.summary == "1 document"
    assert "safety valve" in desk.call("open", reference="turn1search1").text
    assert "4711" in desk.call("find", reference="turn1search1", patterns=["part"]).text
    desk.call("search", queries=["valve"], within=["turn1search1"])
    assert [int(content) for content in shelf(desk).searches[-1].scope.contents] == [2]
    assert desk.call("list_documents", query="boiler pdf").sources[0].reference == "turn1search1"


def test_reading_a_whole_document_as_a_passage_says_what_to_do(desk: Desk) -> None:
    desk.call("list_documents", query="boiler")
    read = desk.call("read_chunks", references=["turn1search1"])
    assert read.failed
    assert "A whole document is opened" in read.text


def test_conditions_and_pages_reach_the_library(desk: Desk) -> None:
    desk.call("list_documents", type=".PDF", date="2022-2024", order="newest", page=2)
    query = shelf(desk).listings[-1]
    assert query.filters == (Filter(FileField.EXT, "pdf"), Filter(FileField.DATE, "2022 TO 2024"))
    assert (query.order, query.skip, query.limit) == (Order.NEWEST, 40, 40)
    assert desk.call("list_documents", query="lease", page=9).text.startswith("Page 9 is empty: there are 2 documents")
    assert "must be a year" in desk.call("list_documents", date="someday").text


def test_a_model_cannot_widen_the_users_filters(desk: Desk) -> None:
    desk.context.filters = (Filter(FileField.EXT, "pdf"),)
    found = desk.call("search", queries=["valve"], type="txt", author="Ada")
    filters = shelf(desk).searches[-1].filters
    pdf, txt = Filter(FileField.EXT, "pdf"), Filter(FileField.EXT, "txt", narrows=True)
    assert filters == (pdf, txt, Filter(FileField.AUTHOR, "Ada"))
    both = All((FileFact(FileField.EXT, "pdf"), FileFact(FileField.EXT, "txt")))
    assert filter_condition((pdf, txt), date.today()) == both
    assert "The user has chosen the type; “txt” applies within it." in found.text


def test_a_search_counts_the_matching_documents(desk: Desk) -> None:
    found = desk.call("search", queries=["valve"], mode="keyword")
    assert "3 documents have words of “valve”; the best are shown." in found.text
    assert shelf(desk).searches[-1].mode is Mode.KEYWORD
    assert "documents hold" not in desk.call("search", queries=["rent"]).text


def test_missing_documents_are_reported(desk: Desk) -> None:
    listed = desk.call("list_documents", query="zebra")
    assert not listed.failed
    assert listed.text.startswith("No document is called “zebra”. Search for what stands in it")


def test_two_versions_are_compared_by_their_diff(desk: Desk) -> None:
    desk.call("list_documents", query="lease")
    found = desk.call("compare", references=["turn1search1", "turn1search2"])
    assert "1. before [turn1search1]\n4: The monthly rent is 950 euros." in found.text
    assert "1. after [turn1search2]\n4: The monthly rent is 990 euros." in found.text
    assert "2. after [turn1search2]\n10: A bicycle cellar is included." in found.text
    assert found.summary == "2 places differ, 2 shown"
    assert all(shown.lines for shown in found.evidence)


def test_aspects_come_from_read_lines_or_else_from_a_search(desk: Desk) -> None:
    desk.call("list_documents", query="lease")
    desk.call("open", reference="turn1search1")
    found = desk.call("compare", references=["turn1search1", "turn1search2"], aspects=["monthly rent"])
    assert "[turn1search1] lease.txt, as read before\n" in found.text
    assert "4: The monthly rent is 950 euros." in found.text
    assert [list(search.scope.contents) for search in shelf(desk).searches] == [[3]]
    assert "990" in found.text


@pytest.mark.parametrize("references", [["turn1search1"], ["turn1search1", "turn1search1"], [], ["turn9search9"], "x"])
def test_a_comparison_needs_two_documents(desk: Desk, references: object) -> None:
    desk.call("list_documents", query="lease")
    assert desk.call("compare", references=references).failed


def test_items_give_lines_subtotals_and_a_total(desk: Desk) -> None:
    items = [
        {"name": "Valve", "amount": 8.49, "quantity": 2, "group": "Parts"},
        {"name": "Pipe", "amount": "€ 1.250,10", "group": "Parts"},
        {"name": "Labour", "price": "45", "quantity": "1.5"},
    ]
    found = desk.call("calculate", items=items)
    assert found.text.split("\n") == [
        "[turn1search1] Cite this reference for the result.",
        "Valve: 2 × 8.49 = 16.98",
        "Pipe: 1,250.1",
        "Labour: 1.5 × 45 = 67.5",
        "Subtotal Parts: 1,267.08",
        "Subtotal without a group: 67.5",
        "Total: 1,334.58",
    ]
    assert found.summary == "Total 1,334.58"


def test_an_expression_is_shown_with_its_value(desk: Desk) -> None:
    found = desk.call("calculate", expression="0.1 + 0.2")
    assert found.text.split("\n") == ["[turn1search1] Cite this reference for the result.", "0.1 + 0.2 = 0.3"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"items": "all"},
        {"items": [1]},
        {"items": [{"name": "x", "amount": "lots"}]},
        {"items": [{}] * 201},
        {"expression": "rent * 2"},
        {"expression": "2 ** 5000"},
        {"items": [{"name": "x", "amount": "1e999", "quantity": "1e999"}] * 3},
    ],
)
def test_an_invalid_calculation_is_an_error(desk: Desk, arguments: dict[str, object]) -> None:
    found = desk.call("calculate", **arguments)
    assert found.failed or "E+" in found.text
