import pytest

from desktop_rag.agent.citations.checks.claim_evidence import cited_evidence
from desktop_rag.agent.citations.checks.claim_subjects import joined_names
from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

TRIAL = "The trial was led by Prof. Samuel Okafor at the University of Leeds. The statistician was Lena Hirsch."
FAMILY = "Lena and Samuel Okafor sang a song. Tomas Weil and Priya Raman played. Members: Novak, Celia; Petts, Dorian."
PLANT = {
    1: "# Silvery thimblewort",
    3: "Silvery thimblewort is a perennial herb. Unlike common thimblewort, it tolerates salt.",
    13: "Common thimblewort grows up to 60 cm tall and flowers in April.",
}


def faults(claim: str, lines: dict[int, str], context: str = "") -> list[str]:
    checked = check_claim(claim, [CitedLines(lines, (context,))], "")
    return [f"{fault.kind} {fault.text}" for fault in checked.faults]


@pytest.mark.parametrize(
    ("claim", "text", "fault"),
    [
        ("Lena Okafor was the statistician.", TRIAL, "name Lena Okafor"),
        ("The trial was led by Samuel Hirsch.", TRIAL, "name Samuel Hirsch"),
        ("Priya Weil played.", FAMILY, "name Priya Weil"),
    ],
)
def test_a_name_put_together_from_two_is_noticed(claim: str, text: str, fault: str) -> None:
    assert faults(claim, {4: text}) == [fault]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Lena Hirsch was the statistician.", TRIAL),
        ("Prof. Okafor led the trial.", TRIAL),
        ("Celia Novak is a member.", FAMILY),
        ("Dorian Petts is a member.", FAMILY),
    ],
)
def test_a_name_of_the_lines_is_honest(claim: str, text: str) -> None:
    assert faults(claim, {4: text}) == []


def test_two_given_names_may_share_a_surname() -> None:
    compared = cited_evidence("Lena Okafor sang a song.", [CitedLines({1: FAMILY})], "")
    assert list(joined_names(*compared)) == []


@pytest.mark.parametrize(
    ("claim", "line", "fault"),
    [
        ("Silvery thimblewort flowers in April.", 13, ["name Silvery"]),
        ("Silvery thimblewort grows up to 60 cm tall.", 13, ["name Silvery"]),
        ("Common thimblewort tolerates salt.", 3, ["direction Common thimblewort"]),
        ("Common thimblewort flowers in April.", 13, []),
        ("Silvery thimblewort tolerates salt.", 3, []),
        ("Common thimblewort does not tolerate salt, unlike silvery thimblewort.", 3, []),
    ],
)
def test_one_kind_is_not_the_other(claim: str, line: int, fault: list[str]) -> None:
    assert faults(claim, {line: PLANT[line]}, PLANT[1]) == fault
