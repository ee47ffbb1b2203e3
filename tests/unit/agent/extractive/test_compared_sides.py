"""“Is the one longer than the other?”: what follows where both sides have one figure of a kind."""

import pytest

from desktop_rag.agent.extractive.quantities.quantity_answer import answer_quantity
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import Evidence, ToolMessage

DOCUMENTS = {
    "Marlin": "The Marlin is a sloop built in 1987. Her hull is 9.4 metres long. She weighs 4,200 kilograms.",
    "Petrel": "The Petrel is a ketch built in 1994. Her hull is 11.2 metres long. She weighs 7.5 tonnes.",
    "Gannet": "The Gannet is a cutter. Her hull is 31 feet long. She carries 300 kilograms of ballast.",
    "Tern": "The Tern is 8 metres long. The Tern was 9 metres long before. She was built in 1987.",
    "Lakes": "Lake Orrin covers 12.6 square kilometres and is 48 metres deep. Lake Tarn covers 9.1 square kilometres "
    "and is 65 metres deep. Lake Orrin lies 310 metres above the sea.",
    "Staff": "Miriam Falk was born on 3 May 1961. Jonas Berg was born on 12 September 1958. "
    "Miriam Falk joined the yard in 1950.",
    "Towns": "Averley has 41,300 inhabitants. Brixby has 38,950 inhabitants. Averley was founded in 1242.",
}


def said(question: str) -> str:
    results = [
        ToolMessage("builtin5.1.1", "read", "", (Evidence(f"turn1search{at}", title, 1, (text,), file=f"{title}.md"),))
        for at, (title, text) in enumerate(DOCUMENTS.items(), 1)
    ]
    answer = answer_quantity(analyse(question), results)
    return answer.lead_in(results) if answer else ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Petrel longer than the Marlin?", "Yes, going by 11.2 metres and 9.4 metres"),
        ("Is the Marlin longer than the Petrel?", "No, going by 9.4 metres and 11.2 metres"),
        ("Is the Petrel shorter than the Marlin?", "No, going by 11.2 metres and 9.4 metres"),
        ("Is Lake Orrin deeper than Lake Tarn?", "No, going by 48 metres and 65 metres"),
        ("Is Lake Orrin larger than Lake Tarn?", "Yes, going by 12.6 square kilometres and 9.1 square kilometres"),
        ("Is Averley larger than Brixby?", "Yes, going by 41,300 and 38,950"),
        ("Is the Marlin older than the Petrel?", "Yes, going by 1987 and 1994"),
        ("Was the Petrel built earlier than the Marlin?", "No, going by 1994 and 1987"),
        ("Was the Petrel built after the Marlin?", "Yes, going by 1994 and 1987"),
        ("Is Miriam Falk younger than Jonas Berg?", "Yes, going by 3 May 1961 and 12 September 1958"),
        ("Who was born first, Miriam Falk or Jonas Berg?", "Jonas Berg, going by 3 May 1961 and 12 September 1958"),
    ],
)
def test_a_comparison_names_both_figures_and_places(question: str, answer: str) -> None:
    text = said(question)
    assert text.startswith(f"{answer}, computed from [turn1search")
    assert text.count("[turn1search") == 2


def test_which_of_two_is_more_cites_both() -> None:
    text = said("Which lake is deeper, Lake Orrin or Lake Tarn?")
    assert text.startswith("Lake Tarn, going by 65 metres and 48 metres, computed from [")


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Is the Marlin heavier than the Petrel?", "the units differ (4,200 kilograms and 7.5 tonnes)"),
        ("Is the Gannet longer than the Marlin?", "the units differ (31 feet and 9.4 metres)"),
        ("Is the Tern older than the Marlin?", "these dates do not tell which is earlier (1987 and 1987)"),
    ],
)
def test_what_cannot_be_compared_says_why(question: str, why: str) -> None:
    assert said(question) == f"Not compared, as {why}:"


@pytest.mark.parametrize(
    "question",
    [
        "Is the Tern longer than the Marlin?",  # two lengths
        "Is the Gannet heavier than the Marlin?",  # ballast is no weight of the boat
        "Is the Marlin wider than the Petrel?",  # lengths only
        "Is the Marlin larger than the Petrel?",  # by length or by weight?
        "Is Averley older than Brixby?",  # one date
        "Did Miriam Falk retire earlier than Jonas Berg?",
        "Is the Petrel faster than the Marlin?",
    ],
)
def test_nothing_is_said_of_other_figures(question: str) -> None:
    assert said(question) == ""
