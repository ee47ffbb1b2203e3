from decimal import Decimal

import pytest

from desktop_rag.agent.citations.calculations import (
    OperandLine,
    Sum,
    cited_sum,
    operand_lines,
)
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.events import Claim, Operand, Source
from desktop_rag.agent.tools.calculate import evaluate, format_number
from desktop_rag.documents.document import Document
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import FakeRetriever, document

SALES, COSTS = ContentId(1), ContentId(2)


@pytest.fixture
def sales() -> Document:
    return document(
        "Acme report", "", "(in millions)", "Net sales\t900.0\t868.2", "The board met 12 times in the year."
    )


@pytest.fixture
def costs() -> Document:
    return document("Cost sheet", "", "Cost of sales\t611.5", "Rent of the office\t12")


def answered(text: str, expression: str, sales: Document, costs: Document) -> tuple[str, list[Claim]]:
    """Return the shown answer and its claims, after a calculation with the reference turn2search3."""
    made, shown = cited(text, expression, sales, costs)
    return shown, list(find_claims(shown, made.all(), made.check, Stop()))


def cited(
    text: str, expression: str, sales: Document, costs: Document, *further: tuple[str, str]
) -> tuple[Citations, str]:
    """Return the citations of an answer, and its text as shown, after calculations."""
    lines_read = CitableLines()
    sources = []
    for content, found in ((SALES, sales), (COSTS, costs)):
        lines = [found.line(n).text for n in range(1, found.line_count + 1)]
        lines_read.record(content, 1, lines)
        path = f"/library/{content}.txt"
        sources.append(Source(f"turn1search{content}", content, f"{content}.txt", path, 1, len(lines), None, ""))
    references = References(2, sources)
    assert references.of_calculation([Sum(expression, format_number(evaluate(expression)))]) == "turn2search3"
    for each in further:
        references.of_calculation([Sum(*each)])
    made = Citations(references, lines_read, FakeRetriever(("1.txt", sales), ("2.txt", costs)), Stop())
    stream = CitationStream(made.cite)
    return made, stream.feed(text) + stream.end()


def test_a_cited_calculation_links_the_lines_of_its_operands(sales: Document, costs: Document) -> None:
    shown, (claim,) = answered("The gross profit was $288.5 million [turn2search3].", "900.0 - 611.5", sales, costs)
    assert shown == "The gross profit was $288.5 million [1](cite:1) [2](cite:2)."
    assert claim.mark == "computed"
    assert claim.computed == "900.0 - 611.5 = 288.5"
    assert claim.operands == (Operand("900.0", 1), Operand("611.5", 2))


@pytest.mark.parametrize(
    ("text", "expression", "missing"),
    [
        ("The gross profit was $289.5 million [turn2search3].", "900.0 - 611.5", "$289.5 million"),
        ("The gross profit was $2,885 million [turn2search3].", "900.0 - 611.5", "$2,885 million"),
        ("The gross profit was $288.4 million [turn2search3].", "900.0 - 611.6", "$288.4 million"),
    ],
)
def test_a_wrong_result_or_an_unread_operand_is_missing(
    text: str, expression: str, missing: str, sales: Document, costs: Document
) -> None:
    _, (claim,) = answered(text, expression, sales, costs)
    assert claim.mark in ("missing", "computed")
    assert missing in claim.missing


def test_a_calculation_without_any_read_operand_is_no_source(sales: Document, costs: Document) -> None:
    shown, (claim,) = answered("It was 77.7 [turn2search3].", "70.1 + 7.6", sales, costs)
    assert "cite:" not in shown
    assert claim.mark == "uncited"


@pytest.mark.parametrize(
    "text",
    [
        "The gross margin was 32.1 %. Net sales were 900.0 [turn1search1 L4] and their cost 611.5 [turn1search2 L3].",
        "Net sales were 900.0 [turn1search1 L4].\n\nTheir cost was 611.5 [turn1search2 L3].\n\nThe margin was 32.1 %.",
    ],
)
def test_a_bare_result_is_proved_by_the_answer(text: str, sales: Document, costs: Document) -> None:
    _, claims = answered(text.replace("was 32.1 %", "of sales was 288.5 less cost"), "1 + 1", sales, costs)
    bare = next(claim for claim in claims if claim.computed)
    assert bare.mark == "computed"
    assert {operand.citation for operand in bare.operands} == {1, 2}


def test_a_bare_result_that_nothing_yields_stays_uncited(sales: Document, costs: Document) -> None:
    text = "The difference was 299.5. Net sales were 900.0 [turn1search1 L4], their cost 611.5 [turn1search2 L3]."
    _, claims = answered(text, "1 + 1", sales, costs)
    assert claims[0].mark == "uncited"


def test_constants_need_no_line_and_operands_stand_where_the_words_are() -> None:
    read = CitableLines()
    read.record(SALES, 1, ["Heating 950", "Rent 950", "Chairs 12"])
    found = operand_lines(Sum("950 * 12 / 100", "114"), "The rent of a year", read)
    assert found == (OperandLine("950", SALES, 2),)


def test_the_sum_with_the_result_that_the_claim_states_is_chosen() -> None:
    sums = (Sum("2 × 8.49", "16.98"), Sum("16.98 + 5", "21.98"))
    assert cited_sum(sums, "Two valves cost 16.98.") == sums[0]
    assert cited_sum(sums, "It costs 22 in all.") == sums[1]
    assert cited_sum(sums, "It costs 23 in all.") is None
    assert cited_sum((), "It costs 22.") is None
    assert Decimal(sums[1].result) == Decimal("21.98")


RENT = "The rent is 3,850 euros a month, payable in advance."
MINUTES = (
    "The index has risen by 5.3 per cent. The new rent from April is 4,004 euros a month. The budget was 4,050 euros."
)
OLD = '[turn1search1 L1 "The rent is 3,850 euros a month"]'
NEW = '[turn1search2 L1 "The new rent from April is 4,004 euros a month"]'


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (f"The rise is 154 euros {OLD} {NEW}.", "computed"),
        (f"The rent rose by 154 euros, from 3,850 euros {OLD} to 4,004 euros a month {NEW}.", "computed"),
        (f"The rise is 164 euros {OLD} {NEW}.", "missing"),
        (f"The rise is 1,540 euros {OLD} {NEW}.", "missing"),
        (f"The rise is 15.4 euros {OLD} {NEW}.", "missing"),
        (f"The rise is 200 euros {OLD} {NEW}.", "missing"),
        (f"The rent rose by 145 euros, from 3,850 euros {OLD} to 4,004 euros a month {NEW}.", "missing"),
        (f"The rise is 154 euros {OLD}.", "missing"),
    ],
)
def test_operands_may_stand_in_the_quotations_of_a_sentence(text: str, mark: str) -> None:
    _, (claim, *_) = answered(text, "1 + 1", document(RENT), document(MINUTES))
    assert claim.mark == mark


GARDEN = document("In 2019 the garden counted 1,432 visitors.", "Entry was 4 euros.")
REPORT = document("In 2023 the garden counted 10,174 visitors.")
BEFORE, NOW = "[turn1search1 L1]", "[turn1search2 L1]"


@pytest.mark.parametrize(
    ("text", "expression", "mark"),
    [
        (f"It grew by 610.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "computed"),
        (f"It grew by 610 percent {BEFORE} {NOW}.", "(10174-1432)/1432", "computed"),
        ("The visitors grew by 610.5 %.", "(10174 - 1432) / 1432 * 100", "computed"),
        (f"The visitors were 7.1 times as many {NOW}.", "10174 / 1432", "computed"),
        ("This is 610.5 %.", "(10174 - 1432) / 1432 * 100", "uncited"),
        (f"The visitors grew by 601.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "missing"),
        (f"The visitors grew by 6,105 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "missing"),
        (f"The visitors fell by 610.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "computed"),
        (f"The visitors grew by 85.9 % {BEFORE} {NOW}.", "(10174 - 1432) / 10174 * 100", "computed"),
        (f"The visitors of Rome grew by 610.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "missing"),
        (f"The visitors grew by 648.2 % {BEFORE} {NOW}.", "(10714 - 1432) / 1432 * 100", "missing"),
        (f"The entry brought 376,438 euros {NOW}.", "10174 * 37", "missing"),
        ("5,728 euros came in [turn1search1 L2] [turn1search2 L1].", "1432 * 4", "computed"),
        (f"In 2023 the garden counted 8,742 visitors {NOW}.", "10174 - 1432", "computed"),
        (f"It counted 8,742 more visitors than before {NOW}.", "10174 - 1432", "computed"),
    ],
)
def test_a_calculation_that_is_not_cited_proves_its_result_only(text: str, expression: str, mark: str) -> None:
    _, (claim, *_) = answered(text, expression, GARDEN, REPORT)
    assert claim.mark == mark


CHAINED = (("0.6 * 1432", "859.2"), ("859.2 + 10,174", "11,033.2"))


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("The trains brought 11,033.2 visitors.", "computed"),
        ("The trains brought 11,033.2 visitors [turn2search4].", "computed"),
        ("The trains brought 11,330.2 visitors [turn2search4].", "missing"),
    ],
)
def test_a_calculation_may_go_on_with_the_result_of_an_earlier_one(text: str, mark: str) -> None:
    made, shown = cited(text, CHAINED[0][0], GARDEN, REPORT, CHAINED[1])
    (claim,) = find_claims(shown, made.all(), made.check, Stop())
    assert claim.mark == mark
    if mark == "computed":
        assert claim.computed == "(0.6 * 1432) + 10,174 = 11,033.2"
        assert {operand.text for operand in claim.operands} == {"1432", "10,174"}


def test_a_rounded_result_is_told_as_such() -> None:
    _, (claim,) = answered("The visitors grew by 610.5 %.", "(10174 - 1432) / 1432 * 100", GARDEN, REPORT)
    assert claim.computed == "(10174 - 1432) / 1432 * 100 ≈ 610.474860335"


def test_lines_numbered_for_an_unproved_result_are_dropped() -> None:
    shown, (claim,) = answered("The visitors of Rome grew by 610.5 %.", "(10174 - 1432) / 1432 * 100", GARDEN, REPORT)
    assert claim.mark == "uncited"
    assert "cite:" not in shown


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("60 % of the 1,432 visitors, 859.2, came by train [turn2search3].", "0.6 * 1432"),
        ("Half of the 1,432 visitors, 716, came by train [turn2search3].", "1432 / 2"),
        ("In twelve months there were 17,184 visits [turn2search3].", "12 * 1432"),
        ("With 19 % more there would be 1,704.08 [turn2search3].", "1.19 * 1432"),
        ("1,432 − 4 − 4 = 1,424 [turn2search3].", "1432 - 4 - 4"),
    ],
)
def test_a_calculation_vouches_for_its_result_and_its_plain_operands(text: str, expression: str) -> None:
    _, (claim, *_) = answered(text, expression, GARDEN, REPORT)
    assert (claim.mark, claim.missing) == ("computed", ())
    assert "1432" in {operand.text for operand in claim.operands}


def test_a_line_that_a_calculation_cites_too_is_written_as_at_its_place() -> None:
    text = "The visits were 17,184 [turn2search3]. The garden counted 1,432 visitors in 2019 [turn1search1 L1]."
    made, shown = cited(text, "12 * 1432", document(GARDEN.line(1).text), REPORT)
    assert shown.count("[1](cite:1)") >= 1
    first, last = shown.index("[1]"), shown.rindex("[")
    number = int(shown[last + 1])
    assert made.as_written(1, shown[:first]) == "[turn2search3]"
    assert made.as_written(number, "The garden counted 1,432 visitors in 2019 ") == "[turn1search1 L1]"
