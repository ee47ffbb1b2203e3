import pytest

from desktop_rag.agent.extractive.quantities.prose_amounts import compared_amounts
from desktop_rag.agent.extractive.quantities.quantity_answer import answer_quantity
from desktop_rag.agent.extractive.quantities.quantity_question import quantity_question
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import Evidence, ToolMessage

TEXT = (
    "The plumber charged 450 euros for the new pipes in March.",
    "The electrician charged 620 euros for the lamps, and came twice.",
    "The painter charged 300 euros for the hall.",
    "The painter charged 350 euros for the kitchen.",
    "The deposit is 1,700 euros and the rent is 850 euros.",
    "The carpenter and the mason charged 900 euros.",
    "The gardener charged 80 euros, later 90 euros.",
    "The old mast is 9 metres long.",
)


def amounts(question: str, *texts: str) -> list[str]:
    """Return the amounts that are compared."""
    asked = quantity_question(analyse(question))
    assert asked is not None
    read = [
        CandidateSentence(text, "turn1search1", "Repairs", line, line) for line, text in enumerate(texts or TEXT, 1)
    ]
    answer = compared_amounts(asked, read)
    return [one.cell for one in answer.operands] if answer else []


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("Who charged more, the plumber or the electrician?", ["450 euros", "620 euros"]),
        ("Is the plumber more expensive than the electrician?", ["450 euros", "620 euros"]),
        ("What is the difference between the deposit and the rent?", ["1,700 euros", "850 euros"]),
        ("How much more is the rent than the deposit?", ["850 euros", "1,700 euros"]),
        ("Does the electrician charge less than the plumber?", ["620 euros", "450 euros"]),
    ],
)
def test_each_side_has_its_amount(question: str, cells: list[str]) -> None:
    assert amounts(question) == cells


@pytest.mark.parametrize(
    "question",
    [
        "Who charged more, the plumber or the painter?",  # two amounts
        "Who charged more, the plumber or the roofer?",  # none
        "Who charged more, the carpenter or the mason?",  # one for both
        "Who charged more, the plumber or the gardener?",  # two in one sentence
        "Is the rent higher than the old mast?",  # euros and metres
        "Who charged more for the roof, the plumber or the electrician?",
        "Is the plumber more expensive than the plumber?",
        "What is the average of the rent and the deposit?",
    ],
)
def test_nothing_is_compared_without_one_amount_a_side(question: str) -> None:
    assert amounts(question) == []


def test_the_same_amount_stated_twice_is_one() -> None:
    again = ("The rent is 850 euros.", "The rent stays at 850 euros.", "The deposit is 1,700 euros.")
    assert amounts("Is the deposit higher than the rent?", *again) == ["1,700 euros", "850 euros"]


def test_that_of_the_lease_is_what_the_other_side_names() -> None:
    lease = Evidence("turn1search1", "Lease of the flat", 1, ("# Lease of the flat", "", "The deposit is 2,850 euros."))
    boat = Evidence("turn1search2", "Boat hire", 1, ("# Boat hire", "", "The deposit is 300 euros."))
    question = analyse("Is the deposit of the lease higher than that of the boat hire?")
    answer = answer_quantity(question, [ToolMessage("builtin3.1.0", "read_chunks", "", (lease, boat))])
    assert answer
    assert answer.lead_in([]) == (
        "Yes, going by 2,850 euros and 300 euros, computed from "
        '[turn1search1 L3 "2,850 euros"] and [turn1search2 L3 "300 euros"]:'
    )
