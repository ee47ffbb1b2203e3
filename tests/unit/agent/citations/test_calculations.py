from decimal import Decimal

import pytest

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.citations.calculations import (
    OperandLine,
    Sum,
    cited_sum,
    operand_lines,
    place_operands,
)
from desktop_rag.agent.events import Claim, ClaimFault, Operand, Source
from desktop_rag.agent.tools.arithmetic import evaluate, format_number
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
    lines_read = CitableLines()
    sources = []
    for content, found in ((SALES, sales), (COSTS, costs)):
        lines = [found.line(n).text for n in range(1, found.line_count + 1)]
        lines_read.record(content, 1, lines)
        path = f"/library/{content}.txt"
        sources.append(Source(f"turn1search{content}", content, f"{content}.txt", path, 1, len(lines), None, ""))
    references = References(2, sources)
    assert references.of_calculation([Sum(expression, format_number(evaluate(expression)))]) == "turn2search3"
    made = Citations(references, lines_read, FakeRetriever(("1.txt", sales), ("2.txt", costs)), Stop())
    stream = CitationStream(made.cite)
    shown = stream.feed(text) + stream.end()
    return shown, list(find_claims(shown, made.all(), made.check, Stop()))


def test_a_cited_calculation_links_the_lines_of_its_operands(sales: Document, costs: Document) -> None:
    shown, (claim,) = answered("The gross profit was $288.5 million [turn2search3].", "900.0 - 611.5", sales, costs)
    assert shown == "The gross profit was $288.5 million [1](cite:1) [2](cite:2)."
    assert claim.standing == "computed"
    assert claim.computed == "900.0 - 611.5 = 288.5"
    assert claim.operands == (Operand("900.0", 1), Operand("611.5", 2))


@pytest.mark.parametrize(
    ("text", "expression", "fault"),
    [
        ("The gross profit was $289.5 million [turn2search3].", "900.0 - 611.5", "$289.5 million"),
        ("The gross profit was $2,885 million [turn2search3].", "900.0 - 611.5", "$2,885 million"),
        ("The gross profit was $288.4 million [turn2search3].", "900.0 - 611.6", "611.6"),
    ],
)
def test_a_wrong_result_or_an_unread_operand_is_a_fault(
    text: str, expression: str, fault: str, sales: Document, costs: Document
) -> None:
    _, (claim,) = answered(text, expression, sales, costs)
    assert claim.standing == "unsupported"
    assert ClaimFault("figure", fault) in claim.faults


def test_a_calculation_without_any_read_operand_is_no_source(sales: Document, costs: Document) -> None:
    shown, (claim,) = answered("It was 77.7 [turn2search3].", "70.1 + 7.6", sales, costs)
    assert "cite:" not in shown
    assert claim.standing == "uncited"


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
    assert bare.standing == "computed"
    assert {operand.citation for operand in bare.operands} == {1, 2}


def test_a_bare_result_that_nothing_yields_stays_uncited(sales: Document, costs: Document) -> None:
    text = "The difference was 299.5. Net sales were 900.0 [turn1search1 L4], their cost 611.5 [turn1search2 L3]."
    _, claims = answered(text, "1 + 1", sales, costs)
    assert claims[0].standing == "uncited"


def test_constants_need_no_line_and_operands_stand_where_the_words_are() -> None:
    read = CitableLines()
    read.record(SALES, 1, ["Heating 950", "Rent 950", "Chairs 12"])
    found = operand_lines(Sum("950 * 12 / 100", "114"), "The rent of a year", read)
    assert found == (OperandLine("950", SALES, 2),)


def test_each_operand_of_a_column_has_a_row_of_its_own() -> None:
    read = CitableLines()
    read.record(
        SALES, 1, ["Crew\tBoats\tWon\tBy", "Otter\t2\t3\tBo", "Heron\t3\t4\tBo", "Stork\t1\t0\tAl", "Swan\t2\t9\tBo"]
    )
    found = operand_lines(Sum("2 + 3 + 1 + 2", "8"), "All boats", read)
    assert [(each.text, each.line) for each in found] == [("2", 2), ("3", 3), ("1", 4), ("2", 5)]
    found = operand_lines(Sum("4 + 9", "13"), "The crews of Bo", read)
    assert [each.line for each in found] == [3, 5]


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
    ("text", "standing"),
    [
        (f"The rise is 154 euros {OLD} {NEW}.", "computed"),
        (f"The rent rose by 154 euros, from 3,850 euros {OLD} to 4,004 euros a month {NEW}.", "computed"),
        (f"The rise is 164 euros {OLD} {NEW}.", "unsupported"),
        (f"The rise is 1,540 euros {OLD} {NEW}.", "unsupported"),
        (f"The rise is 15.4 euros {OLD} {NEW}.", "unsupported"),
        (f"The rise is 200 euros {OLD} {NEW}.", "unsupported"),
        (f"The rent rose by 145 euros, from 3,850 euros {OLD} to 4,004 euros a month {NEW}.", "unsupported"),
        (f"The rise is 154 euros {OLD}.", "unsupported"),
    ],
)
def test_operands_may_stand_in_the_quotations_of_a_sentence(text: str, standing: str) -> None:
    _, (claim, *_) = answered(text, "1 + 1", document(RENT), document(MINUTES))
    assert claim.standing == standing


GARDEN = document("In 2019 the garden counted 1,432 visitors.", "Entry was 4 euros.")
REPORT = document("In 2023 the garden counted 10,174 visitors.")
BEFORE, NOW = "[turn1search1 L1]", "[turn1search2 L1]"


@pytest.mark.parametrize(
    ("text", "expression", "standing"),
    [
        (f"It grew by 610.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "computed"),
        (f"It grew by 610 percent {BEFORE} {NOW}.", "(10174-1432)/1432", "computed"),
        ("The visitors grew by 610.5 %.", "(10174 - 1432) / 1432 * 100", "computed"),
        (f"The visitors were 7.1 times as many {NOW}.", "10174 / 1432", "computed"),
        ("This is 610.5 %.", "(10174 - 1432) / 1432 * 100", "uncited"),
        (f"The visitors grew by 601.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
        (f"The visitors grew by 6,105 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
        (f"The visitors grew by 610.5 euros {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
        (f"The visitors grew by 610.5 million {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
        (f"The visitors fell by 610.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
        (f"The visitors grew by 85.9 % {BEFORE} {NOW}.", "(10174 - 1432) / 10174 * 100", "unsupported"),
        (f"The visitors of Rome grew by 610.5 % {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
        (f"The visitors grew by 648.2 % {BEFORE} {NOW}.", "(10714 - 1432) / 1432 * 100", "unsupported"),
        (f"The entry brought 376,438 euros {NOW}.", "10174 * 37", "unsupported"),
        ("5,728 euros came in [turn1search1 L2] [turn1search2 L1].", "1432 * 4", "computed"),
        (f"In 2023 the garden counted 8,742 visitors {NOW}.", "10174 - 1432", "unsupported"),
        (f"It counted 8,742 more visitors than before {NOW}.", "10174 - 1432", "computed"),
        (f"The visitors grew by 610.5 percentage points {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", "unsupported"),
    ],
)
def test_a_calculation_that_is_not_cited_proves_its_result_only(text: str, expression: str, standing: str) -> None:
    _, (claim, *_) = answered(text, expression, GARDEN, REPORT)
    assert claim.standing == standing
    assert (standing == "computed") == (len({operand.citation for operand in claim.operands}) == 2 and not claim.faults)


def test_a_rounded_result_is_told_as_such() -> None:
    _, (claim,) = answered("The visitors grew by 610.5 %.", "(10174 - 1432) / 1432 * 100", GARDEN, REPORT)
    assert claim.computed == "(10174 - 1432) / 1432 * 100 ≈ 610.474860335"


def test_lines_numbered_for_an_unproved_result_are_dropped() -> None:
    shown, (claim,) = answered("The visitors of Rome grew by 610.5 %.", "(10174 - 1432) / 1432 * 100", GARDEN, REPORT)
    assert claim.standing == "uncited"
    assert "cite:" not in shown


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        (f"The visitors fell by 610.5 % {BEFORE} {NOW}.", "unsupported"),
        (f"The visitors grew by 610.5 % {BEFORE} {NOW}.", "computed"),
    ],
)
def test_a_growth_rate_has_the_direction_of_its_operands(text: str, standing: str) -> None:
    _, (claim, *_) = answered(text, "1 + 1", GARDEN, REPORT)
    assert claim.standing == standing


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("The members grew by 610.5 %", "unsupported"),
        ("The number of its members rose by 8,742", "unsupported"),
        ("The visitors grew by 610.5 %", "computed"),
        ("The guests grew by 610.5 %", "computed"),  # a synonym: no figure counts guests
        ("The garden grew by 610.5 %", "computed"),
        ("Beside members, visitors grew by 610.5 %", "computed"),
    ],
)
def test_a_result_is_of_what_its_operands_count(said: str, standing: str) -> None:
    garden = document("In 2019 the garden counted 1,432 visitors.", "The association has 215 members.")
    _, (claim, *_) = answered(f"{said} {BEFORE} {NOW}.", "(10174 - 1432) / 1432 * 100", garden, REPORT)
    assert claim.standing == standing


@pytest.mark.parametrize(
    ("operand", "lines"),
    [
        ("120", "Rainfall was 61 mm in April and 0.12 m in May."),
        ("0.8", "Parcel A weighs 800 g."),
        ("90", "The way back takes 1.5 hours."),
        ("0.75", "Debt: $2.5 million at the start, $750 thousand at the end."),
    ],
)
def test_an_operand_in_another_unit_leads_to_its_line(operand: str, lines: str) -> None:
    assert place_operands([operand], {1: "Nothing of 3.", 2: lines}) == (Operand(operand, 2),)
    assert not place_operands(["77"], {2: lines})
