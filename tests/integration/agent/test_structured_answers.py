"""Answers from amounts, letterheads, titles and definitions of a small library, read and indexed for real."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import Answered, ToolCalled
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.cli.index_command import is_settled
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import encoder_folder, resources
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

TRIPS = "date;town;km;cost\n2026-01-02;Lund;40;12.50\n2026-01-09;Lund;40;12.50\n2026-01-16;Ystad;110;31.00\n"
INVOICE = (
    "INVOICE\n{firm} Ltd\n\nVarnish and brushes\nGoods: 1.00 EUR\n\nTotal: {total} EUR\n\nPayable within 14 days.\n"
)
MAIL = (
    "From: Anna Berg <anna@example.org>\nTo: Karl <k@example.org>\nSubject: Crane booking\n"
    "Date: Mon, 2 Mar 2026 10:00:00 +0100\nContent-Type: text/plain; charset=utf-8\n\n"
    "Dear Karl,\n\nthe crane is booked for Friday. Thanks, Karl!\n\nBest wishes\nAnna\n"
)
GLOSSARY = (
    "# Glossary\n\nFaering – an open boat with two pairs of oars.\n\n"
    "The NDVI (normalised difference vegetation index) uses two bands.\n\n"
    "A cleat is a fitting on which a rope is made fast. It is made of bronze. Thanks, Adam!\n"
)
INVOICES = (("Meyer", "1,190.00"), ("Meyer", "595.50"), ("Sorel", "238.00"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in (("Trips.csv", TRIPS), ("crane.eml", MAIL), ("Glossary.md", GLOSSARY)):
        (folder / name).write_text(text)
    for number, (firm, total) in enumerate(INVOICES, 1):
        (folder / f"Invoice {number}.txt").write_text(INVOICE.format(firm=firm, total=total))
    library, stop = Library(tmp_path_factory.mktemp("library")), Stop()
    with closing(LibraryClient(library)) as client:
        client.add([resources() / "sample", folder], stop)
        with closing(client.follow(stop)) as statuses:
            assert any(is_settled(status) for status in statuses)
    engine = SearchEngine(library.folder, encoder_folder())
    yield engine
    engine.close()


def ask(engine: SearchEngine, question: str) -> tuple[Answered, int]:
    """Return the answer, and the number of calculations."""
    kit = toolkit("full")
    events = list(answer(question, Conversation(), kit, ExtractiveModel(), engine, Limits(), Scope(), Stop()))
    answered = events[-1]
    assert isinstance(answered, Answered)
    return answered, sum(isinstance(event, ToolCalled) and event.name == "calculate" for event in events)


@pytest.mark.parametrize(
    ("question", "said", "quoted"),
    [
        ("What is the total of the three offers?", "The total is 137,500 euros.", 3),
        ("How much do the three offers cost in total?", "The total is 137,500 euros.", 3),
        ("What do the offers by Nordvarme and Brandt cost altogether?", "The total is 80,100 euros.", 2),
        ("What is the average price of the offers?", "The average is 45,833.33 euros.", 3),
        ("How much more is Seawell Energy than Nordvarme?", "The difference is 16,200 euros.", 2),
        ("What is the average moisture of larch?", "The average is 19.75.", 4),
        ("How much did the trips to Lund cost altogether?", "The total is 25.00.", 2),
        ("What is the total of the invoices?", "The total is 2,023.50 EUR.", 3),
        ("What is the total of the invoices from Meyer?", "The total is 1,785.50 EUR.", 2),
    ],
)
def test_a_calculation_is_cited_and_its_operands_are_quoted(
    engine: SearchEngine, question: str, said: str, quoted: int
) -> None:
    answered, calculations = ask(engine, question)
    assert answered.text.startswith(said), answered.text
    assert [claim.standing for claim in answered.claims] == ["computed", *["supported"] * quoted]
    assert answered.text.count("\n> ") == quoted
    assert calculations == 1
    assert len(answered.citations) == quoted  # those of the calculation are those of the quotations
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which offer is the cheapest?", "Brandt & Sons, going by 38,900 euros, the least of 3:"),
        ("Which offer has the longest warranty?", "Nordvarme, going by 10 years, the greatest of 3:"),
        (
            "Is Seawell Energy more expensive than Brandt & Sons?",
            "Yes, going by 57,400 euros and 38,900 euros, computed from [1](cite:1) and",
        ),
        (
            "Is Nordvarme cheaper than Brandt & Sons?",
            "No, going by 41,200 euros and 38,900 euros, computed from [1](cite:1) and",
        ),
        ("Which stack has the lowest moisture?", "C, going by 15.1, the least of 10:"),
    ],
)
def test_amounts_are_compared(engine: SearchEngine, question: str, said: str) -> None:
    answered, calculations = ask(engine, question)
    assert answered.text.startswith(said), answered.text
    assert {claim.standing for claim in answered.claims} == {"supported"}
    assert calculations == 0


@pytest.mark.parametrize("question", ["What is the total of the four offers?", "What is the total of all contracts?"])
def test_no_total_is_stated_for_other_things(engine: SearchEngine, question: str) -> None:
    answered, calculations = ask(engine, question)
    assert "The total is" not in answered.text
    assert calculations == 0


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("Who wrote the harbour letter?", ("HARBOUR AUTHORITY",)),
        ("Who signed the letter about the heating?", ("With kind regards Marta Lindqvist",)),
        ("Who sent the mail about the crane?", ("From: Anna Berg <anna@example.org>",)),
        ("List all board meetings", ("Board meeting, 12 March 2026", "Board meeting, 14 May 2026")),
        ("What is a cleat?", ("A cleat is a fitting on which a rope is made fast.",)),
        ("What is the definition of a faering?", ("Faering – an open boat with two pairs of oars.",)),
        (
            "What does NDVI stand for?",
            ("The NDVI (normalised difference vegetation index) uses two bands.",),
        ),
    ],
)
def test_senders_titles_and_definitions_are_all_that_is_quoted(
    engine: SearchEngine, question: str, quotes: tuple[str, ...]
) -> None:
    answered, _ = ask(engine, question)
    assert tuple(citation.quote for citation in answered.citations) == quotes
    assert [claim.standing for claim in answered.claims] == ["supported"] * len(quotes)


def test_a_word_without_a_definition_is_not_found(engine: SearchEngine) -> None:
    assert not ask(engine, "What does lapstrake mean?")[0].found


def test_no_quotation_repeats_a_part_of_another(engine: SearchEngine) -> None:
    answered, _ = ask(engine, "When does the lease end?")
    quotes = [citation.quote for citation in answered.citations]
    assert "It ends on 31 March 2031" in quotes[0]
    assert not [quote for quote in quotes for other in quotes if quote is not other and quote in other]
    assert len(answered.claims) == len(quotes)


def test_nothing_unrelated_follows_the_sentence_that_answers(engine: SearchEngine) -> None:
    answered, _ = ask(engine, "What is the price of Nordvarme?")
    assert [citation.quote for citation in answered.citations] == [
        "Nordvarme | air to water, 22 kW | 41,200 euros | 10 years"
    ]
