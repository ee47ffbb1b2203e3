"""What a whole run says of the statements of a model that searches, cites a line, and insists on what it said."""

import json

import pytest

from desktop_rag.agent.events import Answered
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document

MINUTES = (
    "Board meeting, 7 May 2024",
    "1. Aylin Demir was elected chair for two years; Jonas Weber had resigned on 2 April.",
)
PEOPLE = (
    "People",
    "- Ingrid Solberg manages the harbour for Nordwind Immobilien. Phone 0471 5550.",
    "",
    "- Aylin Demir joined in 2021.",
)
MAIL = ("Hallo Aylin,", "der 3D-Drucker kostet 2.390 Euro, er kommt in der 23. Woche. Die Garantie läuft zwei Jahre.")
FEE = ("Dear Maren,", "the parking fee is 85 euros a month for each car. You have places 17 and 18.")
LISTS = ("Board meeting", "Present: Maren Quist, Jonas Weber (chair). Absent: Paul Okafor.")
COSTS = ("Month | Storage | Total", "January | 1200 | 47050", "March | 1410 | 49760", "Total | 3954 | 144004")
PHONE = "What is the phone number of Paul Okafor?"
CARS = "How much is the parking fee for two cars?"


def answered(question: str, lines: tuple[str, ...], line: int, said: str) -> Answered:
    """Return the answer of a run whose model says a sentence over one line, again when it is asked to repair it."""
    text = Says(f"{said} [turn1search1 L{line}]")
    search = ("search", json.dumps({"queries": [lines[line - 1]]}))
    model = ScriptedModel([Says(calls=(search,)), text, text])
    return Asker(FakeRetriever(("file.txt", document(*lines))), model).answer(question)


@pytest.mark.parametrize(
    ("question", "lines", "line", "said", "wrong"),
    [
        ("Who chairs the board?", MINUTES, 2, "Jonas Weber was elected chair for two years.", "Jonas Weber"),
        (PHONE, PEOPLE, 2, "The phone number of Paul Okafor is 0471 5550.", "Paul Okafor"),
        ("Wie lange ist Garantie?", MAIL, 2, "Die Garantie läuft drei Jahre.", "drei Jahre"),
        ("Wann kommt er?", MAIL, 2, "Der 3D-Drucker kommt in der 32. Woche.", "32"),
        (CARS, FEE, 2, "85 euros for each car, so 190 euros a month for both.", "190 euros"),
        ("Who was present?", LISTS, 2, "Paul Okafor", "present"),
        ("Who took part?", LISTS, 2, "Paul Okafor was present.", "present"),
        ("Who was absent?", LISTS, 2, "Jonas Weber", "absent"),
        ("What did storage cost in all?", COSTS, 3, "The total storage costs were 1,410.", "1,410"),
    ],
)
def test_a_false_statement_is_not_supported(
    question: str, lines: tuple[str, ...], line: int, said: str, wrong: str
) -> None:
    (claim,) = answered(question, lines, line, said).claims
    assert claim.standing == "unsupported"
    assert wrong in [fault.text for fault in claim.faults]


@pytest.mark.parametrize(
    ("question", "lines", "line", "said", "standing"),
    [
        ("Who chairs the board?", MINUTES, 2, "Aylin Demir was elected chair for two years.", "supported"),
        ("Who resigned?", MINUTES, 2, "Jonas Weber had resigned on 2 April.", "supported"),
        ("What is Ingrid Solberg's phone number?", PEOPLE, 2, "Ingrid Solberg has the phone 0471 5550.", "supported"),
        ("Wann kommt er?", MAIL, 2, "Der 3D-Drucker kommt in der 23. Woche.", "supported"),
        ("Wie lange ist Garantie?", MAIL, 2, "Die Garantie läuft 2 Jahre.", "supported"),
        (CARS, FEE, 2, "85 euros for each car, so 170 euros a month for both.", "computed"),
        ("Who was present?", LISTS, 2, "Maren Quist", "supported"),
        ("Who was absent?", LISTS, 2, "Paul Okafor was absent.", "supported"),
        ("Who was present?", LISTS, 2, "Paul Okafor was not present.", "supported"),
        ("Was Paul Okafor present?", LISTS, 2, "No, Paul Okafor was absent.", "supported"),
        (
            "Where was Ada Lund born?",
            ("Her life", "Piet Vos met her in Oslo, where she was born."),
            2,
            "Ada Lund was born in Oslo.",
            "supported",
        ),
        ("Who was absent, who present?", LISTS, 2, "Paul Okafor", "supported"),
        ("What did storage cost in all?", COSTS, 4, "The total storage costs were 3,954.", "supported"),
    ],
)
def test_a_true_statement_is_supported(
    question: str, lines: tuple[str, ...], line: int, said: str, standing: str
) -> None:
    (claim,) = answered(question, lines, line, said).claims
    assert (claim.standing, claim.faults) == (standing, ())
