"""A reason names a figure of the lines only if it stands in the place of the claim's: of one kind, of one thing."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.exchanged_figures import figure_instead
from desktop_rag.agent.citations.marks import describe_faults
from desktop_rag.agent.citations.support import CitedLines

LIBRARY = (
    "From July to September 18,240 people visited, after 16,000 in the same quarter last year. "
    "Loans fell from 41,200 to 39,140."
)
GROUPS = (
    "On 1 September we welcome nine new children. 64 children attend three groups: "
    "the hares (22 children), the foxes (23 children) and the badgers (19 children)."
)
SOLAR = "The system is expected to yield 5,400 kWh a year."


@pytest.mark.parametrize(
    ("figure", "claim", "line", "found"),
    [
        ("2,060", "The library lent 2,060 fewer items than a year before.", LIBRARY, ""),  # visitors are no items
        ("55", "Last year there were 55 children.", GROUPS, ""),  # of five counts of children none is meant
        ("2,000", "Loans fell by 2,000.", LIBRARY, ""),  # a difference, the lines have none
        ("20", "The badgers are 20 children.", GROUPS, "19"),
        ("900 kWh", "The yield per kilowatt is about 900 kWh a year.", SOLAR, ""),  # a rate, the lines have none
        ("4,500 kWh", "The system yields 4,500 kWh a year.", SOLAR, "5,400 kWh"),
        ("60.2 kW", "The modules have a combined power of 60.2 kW.", "- 14 modules of 430 W each", ""),
        ("£1,500", "Modules cost more than £1,500.", "Modules cost £4,620.", ""),  # no threshold
        ("950 euros", "The rent is 950 euros.", "The rent of 4 rooms is 850 euros.", "850 euros"),
        ("12 May", "The hearing is on 12 May.", "The hearing is on 21 May at noon.", "21 May"),
    ],
)
def test_a_figure_of_the_lines_must_stand_in_the_place_of_the_claims(
    figure: str, claim: str, line: str, found: str
) -> None:
    assert figure_instead(figure, claim, line) == found


def test_a_denial_in_another_language_is_quoted_and_no_figure_is_said_to_be_not() -> None:
    line = "Eine Erstattung der Anfahrt von Herrn Wolters (39 Euro) ist leider nicht möglich."
    claim = "They refund the 39 euros for the technician's visit."
    [reason] = describe_faults(check_claim(claim, [CitedLines({1: line})], "").faults)
    assert reason.startswith("the lines say “Eine Erstattung der Anfahrt")
    assert reason.endswith("not “They refund the 39 euros for the technician's visit”")


SEEN = "The car is sold as seen, without any warranty."
RENT = "The rent of 1,150 euros includes heating, without electricity."


@pytest.mark.parametrize(("claim", "line"), [("The car is sold as seen.", SEEN), ("The rent includes heating.", RENT)])
def test_a_part_that_begins_with_without_may_be_left_out(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines({1: line})], "").faults == ()


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The car is sold as seen, with a warranty.", SEEN),
        ("The car is sold with a warranty.", SEEN),
        ("The rent includes electricity.", RENT),
    ],
)
def test_what_it_denies_may_not_be_said(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines({1: line})], "").faults
