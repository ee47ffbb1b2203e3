"""A common word in the place of another one, in a claim that is nearly word for word a sentence of its source."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.support import CitedLines

DEPOSIT = "The landlord pays the deposit into an account at the bank of the tenant each year."
PLAN = "The board approved the plan for the large boathouse beside the harbour in spring."
PLAN_DE = "Der Vorstand hat den Plan für das neue Bootshaus im Hafen genehmigt."


def _check(claim: str, line: str, question: str = "") -> ClaimCheck:
    return check_claim(claim, [CitedLines({3: line}, ("# Notes",))], question)


@pytest.mark.parametrize(
    ("claim", "line", "text", "found"),
    [
        ("The insurer pays the deposit into an account at the bank each year.", DEPOSIT, "insurer", "landlord"),
        ("The board abandoned the plan for the large boathouse in spring.", PLAN, "abandoned", "approved"),
        ("The court approved the plan for the large boathouse beside the harbour.", PLAN, "court", "board"),
    ],
)
def test_a_word_that_stands_in_no_cited_line_is_doubted(claim: str, line: str, text: str, found: str) -> None:
    [fault] = _check(claim, line).faults
    assert (fault.kind, fault.text, fault.found) == ("wording", text, found)


@pytest.mark.parametrize(
    ("claim", "line", "question"),
    [
        ("The board approved the plan for the big boathouse beside the harbour.", PLAN, ""),  # synonyms
        ("The board adopted the plan for the large boathouse beside the harbour.", PLAN, ""),
        ("The board approved the scheme for the large boathouse beside the harbour.", PLAN, ""),
        ("The board approves the plan for the large boathouse beside the harbour.", PLAN, ""),
        ("The court approved the plan for the large boathouse.", PLAN, "What did the court decide?"),
        ("In spring the new boathouse got the consent of the board.", PLAN, ""),  # in its own words
        ("The court approved the plan.", PLAN, ""),  # short
        ("Der Vorstand hat den Plan für das neue Bootshaus im Hafen gebilligt.", PLAN_DE, ""),  # another language
    ],
)
def test_what_may_be_a_paraphrase_is_not(claim: str, line: str, question: str) -> None:
    assert _check(claim, line, question).faults == ()
