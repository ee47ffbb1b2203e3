"""What lines exclude, which of their clauses has which half, and who does something."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

RENT = "The rent of 1,150 includes heating, without electricity."
TRIP = "The price of £985 includes ski hire and the lift pass. It does not include insurance or meals."
KNEE = "Mr Vaughan operated on her right knee on Monday."
LEAVE = "Up to five days of leave may be carried over into the following year."
SHOES = "The notebook remains the property of the Company; the safety shoes become the Employee's."
CLASSES = "Year 3 goes to the Roman fort on 19 May, Year 5 to the science museum on 21 May."
DEMO = "Owen is ill until Wednesday. Farid takes over the demo on Tuesday."
MARRIED = "Bert married Anna in the town hall."


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        (RENT, "The rent of 1,150 includes electricity."),
        (TRIP, "The price of £985 includes insurance."),
        (KNEE, "Mr Vaughan operated on her left knee."),
        (LEAVE, "All leave may be carried over into the following year."),
        (SHOES, "The safety shoes remain the property of the Company, whereas the notebook becomes hers."),
        (CLASSES, "Year 3 goes to the science museum on 21 May."),
        (DEMO, "Owen takes over the demo on Tuesday."),
    ],
)
def test_what_the_lines_say_of_something_else_is_doubted(line: str, claim: str) -> None:
    assert check_claim(claim, [CitedLines({1: line})], "").faults


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        (TRIP, "The price includes the lift pass but excludes insurance."),
        (KNEE, "Her right knee was operated on by Mr Vaughan."),
        (LEAVE, "Five days of leave at most may be carried over."),
        ("Rooms are on page 2 of the plan, with their colours.", "All rooms are on the plan with their colours."),
        (SHOES, "The notebook stays the Company's, whereas the safety shoes become the Employee's."),
        (CLASSES, "Year 5 goes to the science museum on 21 May."),
        (DEMO, "Farid takes over the demo while Owen is ill."),
        (MARRIED, "Anna married Bert in the town hall."),
    ],
)
def test_the_same_in_other_words_is_not(line: str, claim: str) -> None:
    assert not check_claim(claim, [CitedLines({1: line})], "").faults


def test_a_part_is_not_added_to_its_whole() -> None:
    line = "There are 84 plots, 6 of them vacant."
    assert check_claim("The society has 90 plots, 6 of them vacant.", [CitedLines({1: line})], "").faults
    assert not check_claim("78 plots are let.", [CitedLines({1: line})], "").faults


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("We studied 84 nurses. Nine dropped out.", "75 of the 84 nurses did not drop out."),
        ("Headaches were reported by four nurses with and one without glasses.", "Five nurses reported headaches."),
        ("The fair raised £462. Half of it goes to the library.", "The library and the club get £231 each."),
        ("The walk takes 15 minutes.", "The walk takes a quarter of an hour."),
    ],
)
def test_everyday_sums_are_found(line: str, claim: str) -> None:
    assert not check_claim(claim, [CitedLines({1: line})], "").faults


FORBIDDEN = {
    28: "The following are forbidden without written consent:",
    29: "- paid work for another employer",
    30: "- copying calibration data to private devices",
}


def test_an_item_of_a_list_takes_the_line_above_the_list() -> None:
    cited = [CitedLines(FORBIDDEN)]
    assert check_claim("Paid work for another employer is allowed.", cited, "").faults
    assert check_claim("Copying calibration data to private devices is permitted.", cited, "").faults
    assert not check_claim("Paid work for another employer is forbidden without written consent.", cited, "").faults
    assert not check_claim("With consent, paid work for another employer is allowed.", cited, "").faults
