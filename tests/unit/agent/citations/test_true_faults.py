"""What a verdict says of the lines is true: what they have is not missing, and no word excludes itself."""

import pytest

from desktop_rag.agent.citations.marks import describe_faults
from desktop_rag.agent.citations.true_faults import true_faults
from desktop_rag.agent.events import ClaimFault

HARBOUR = "The ferry was built in Hamburg in 1894 and the tug was built in Rotterdam in 1902."
CITY = "The Greeks named the city. The name is the root of its present-day name (14). Doors open at 9pm, 12,000 come."


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (ClaimFault("name", "Greeks", "present-day"), "the lines have “Greeks” in another connection"),
        (ClaimFault("name", "Romans", "present-day"), "no cited line mentions Romans"),
        (ClaimFault("direction", "more", "more"), "the lines do not say “more”"),
        (ClaimFault("figure", "15", "14)"), "the lines say “14”, not “15”"),
        (ClaimFault("figure", "8 a.m.", "9 p.m."), "the lines say “9 p.m.”, not “8 a.m.”"),
        (ClaimFault("figure", "21 March", "9pm,"), "no cited line has the figure 21 March"),
        (ClaimFault("figure", "14"), "the lines have “14” in another connection"),
        (ClaimFault("figure", "12"), "no cited line has the figure 12"),
        (ClaimFault("wording", ""), "the cited lines do not say this"),
    ],
)
def test_a_fault_is_true_as_a_sentence(fault: ClaimFault, says: str) -> None:
    assert describe_faults(true_faults([fault], CITY, "")) == (says,)


def test_of_two_names_that_claim_and_lines_have_none_is_said_to_stand_for_the_other() -> None:
    line, claim = "Ms Raman proposed it. Mr Vasquez was against it.", "Mr Vasquez proposed it and Ms Raman opposed it."
    [fault] = true_faults([ClaimFault("name", "Vasquez", "Raman")], line, claim)
    assert describe_faults([fault]) == ("the lines have “Vasquez” in another connection",)
