"""Honest statements that reviewers wrote and that were doubted, with lies of the same form."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines, context_above

GRADUAL = "The onset of symptoms is usually gradual, over several minutes, and rarely instantaneous."
CROWNED = "Henry had been crowned King in 1170, but was not given any formal powers by his father."
CHAT = {1: "Time: 20260113", 2: "LiHua: Any ideas for the menu?", 3: "Wolfgang: I love dumplings!",
        4: "LiHua: Soup?", 5: "Wolfgang: If you could make dumplings, that would be perfect."}  # fmt: skip
CENSUS = "Race data of the census, in which respondents chose several races, cannot be compared with those of 1990."


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The symptoms of a heart attack tend to begin gradually rather than suddenly.", GRADUAL),
        ("Although Henry was crowned in 1170, his father gave him no formal powers.", CROWNED),
        ("As respondents chose several races, its race data cannot be compared with those of 1990.", CENSUS),
        ("The motion was rejected by 7 votes to 2.", "The motion was rejected by 7 votes to 2 in May."),
    ],
)
def test_an_honest_statement_is_not_doubted(claim: str, line: str) -> None:
    assert not check_claim(claim, [CitedLines({1: line})], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Whales migrate towards warmer oceans in autumn.", GRADUAL),
        ("His father gave Henry, crowned King in 1170, formal powers.", CROWNED),
        ("The motion was rejected by 2 votes to 7.", "The motion was rejected by 7 votes to 2 in May."),
        ("Acme acquired Bolt in May.", "Bolt acquired Acme in May."),
    ],
)
def test_a_lie_of_the_same_form_is_doubted(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines({1: line})], "").faults


def test_whom_somebody_talks_to_in_a_chat_is_known() -> None:
    cited = {5: CHAT[5]}
    above = context_above(CHAT, cited)
    assert not check_claim("Wolfgang asked Li Hua to make dumplings.", [CitedLines(cited, above)], "").faults
    assert check_claim("Wolfgang asked Yuriko to make dumplings.", [CitedLines(cited, above)], "").faults
