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
        ("Wie lange ist Garantie?", MAIL, 2, "Die Garantie läuft drei Jahre.", "drei Jahre"),
        ("Wann kommt er?", MAIL, 2, "Der 3D-Drucker kommt in der 32. Woche.", "32"),
        (CARS, FEE, 2, "85 euros for each car, so 190 euros a month for both.", "190 euros"),
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


LEASE = document("The lease runs for five years.", "Ending it takes six months.", title="Lease of the harbour office")
TERMS = "The notice period is three months to the end of a quarter."
EMPLOYMENT = document("Between the parties.", TERMS, title="Employment contract")
REPORT = document("Results", "Revenue rose to 5.2 million euros.", title="Nordwind annual report")
MINUTES_OF_BOARD = document("Board meeting", "Aylin Demir was elected chair for two years.", title="Minutes")
LETTER = document("Dear tenants,", "we raise the rent to 900 euros.", title="Letter of Nordwind")
LIBRARY = (
    ("lease.md", LEASE),
    ("employment.md", EMPLOYMENT),
    ("report.pdf", REPORT),
    ("minutes.md", MINUTES_OF_BOARD),
    ("letter.txt", LETTER),
)


def cited(question: str, line: str, said: str) -> Answered:
    """Return the answer of a run that finds all of the library and says a sentence over the document with a line."""
    ranked = sorted((each for _, each in LIBRARY), key=lambda each: -each.text.lower().count("e"))
    number = next(number for number, each in enumerate(ranked, 1) if line in each.text)
    text = Says(f"{said} [turn1search{number} L2]")
    search = ("search", json.dumps({"queries": ["e"]}))
    model = ScriptedModel([Says(calls=(search,)), text, text])
    return Asker(FakeRetriever(*LIBRARY), model).answer(question)


@pytest.mark.parametrize(
    ("question", "line", "said", "wrong"),
    [
        ("How long is the notice period?", TERMS, "The notice period of the lease is three months.", "lease"),
        ("How long is the notice of the lease?", TERMS, "The lease's notice period is three months.", "lease"),
        ("What was the revenue of Acme?", "Revenue", "The revenue of Acme rose to 5.2 million euros.", "Acme"),
        ("What was the revenue of Blue Fjord?", "Revenue", "Blue Fjord's revenue was 5.2 million.", "Blue Fjord"),
        ("Wie hoch ist der Umsatz von Acme?", "Revenue", "Der Umsatz von Acme stieg auf 5,2 Millionen Euro.", "Acme"),
    ],
)
def test_what_another_document_is_about_is_not_supported(question: str, line: str, said: str, wrong: str) -> None:
    (claim,) = cited(question, line, said).claims
    assert (claim.standing, [fault.text for fault in claim.faults]) == ("unsupported", [wrong])


@pytest.mark.parametrize(
    ("question", "line", "said"),
    [
        ("How long is the notice?", TERMS, "The notice period of the employment contract is three months."),
        ("How long is my notice?", TERMS, "The notice period is three months."),
        ("How long does the lease run?", "six months", "Ending the lease takes six months."),
        ("What was the revenue of Nordwind?", "Revenue", "The revenue of Nordwind rose to 5.2 million euros."),
        ("Who chairs Nordwind?", "elected", "Aylin Demir was elected chair of Nordwind for two years."),
        ("What does Acme pay?", "rent", "Acme pays a rent of 900 euros."),
        ("Wie hoch ist der Jahresumsatz?", "Revenue", "Der Jahresumsatz stieg auf 5,2 Millionen Euro."),
    ],
)
def test_what_the_cited_document_is_about_is_supported(question: str, line: str, said: str) -> None:
    (claim,) = cited(question, line, said).claims
    assert (claim.standing, claim.faults) == ("supported", ())
