"""Questions about the library as a whole are told from questions about what its documents say."""

import pytest

from desktop_rag.agent.events import Answered, ToolCalled
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.library_questions import LibraryQuestion, library_question
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document
from tests.unit.agent.run.test_loop import of

MAILS = ("eml", "msg", "emlx", "mbox")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("How many documents are in my library?", LibraryQuestion((), listed=False)),
        ("how many files do I have", LibraryQuestion((), listed=False)),
        ("How many PDF files are there in the library?", LibraryQuestion(("pdf",), listed=False, noun="PDF document")),
        ("How many Word documents do I have?", LibraryQuestion(("docx",), listed=False, noun="DOCX document")),
        ("Wie viele Dokumente habe ich?", LibraryQuestion((), listed=False)),
        ("Wie viele PDF-Dateien sind in der Bibliothek?", LibraryQuestion(("pdf",), listed=False, noun="PDF document")),
        ("我的文库里有多少个文档？", LibraryQuestion((), listed=False)),
        ("Which documents are in my library?", LibraryQuestion((), listed=True)),
        ("List all documents", LibraryQuestion((), listed=True)),
        ("Welche Dokumente habe ich?", LibraryQuestion((), listed=True)),
        ("Which mails do I have?", LibraryQuestion(MAILS, listed=True, noun="mail")),
        ("how many e-mails are there", LibraryQuestion(MAILS, listed=False, noun="mail")),
        ("Welche PDFs habe ich?", LibraryQuestion(("pdf",), listed=True, noun="PDF document")),
        ("Which mails mention the rent?", None),
        ("Which mails do I have to answer?", None),
        ("How many old pictures do I have?", None),
        ("How many documents mention the rent?", None),
        ("How many documents did the court receive?", None),
        ("Which documents do I have about 2024?", None),
        ("How many euros is the rent?", None),
        ("Which documents must the tenant sign?", None),
        ("How many employees are there in the library?", None),
        ("", None),
    ],
)
def test_questions_about_the_library_are_recognised(text: str, asked: LibraryQuestion | None) -> None:
    assert library_question(text) == asked


@pytest.fixture
def library() -> FakeRetriever:
    return FakeRetriever(
        ("lease_2024.txt", document("The rent is 950 euros.", title="Lease")),
        ("minutes.txt", document("The chair opened the meeting.", title="Minutes")),
    )


def test_built_in_model_counts_and_lists(library: FakeRetriever) -> None:
    events = Asker(library, ExtractiveModel()).ask("How many documents are in my library?")
    assert of(events, ToolCalled) == []
    counted = events[-1]
    assert isinstance(counted, Answered)
    assert counted.text == "In your library: 2 documents."
    assert (counted.found, counted.claims, counted.coverage) == (True, (), None)
    listed = Asker(library, ExtractiveModel()).answer("Which documents do I have?")
    assert listed.text.splitlines()[0] == "In your library: 2 documents."
    assert set(listed.text.splitlines()[2:]) == {
        "- lease_2024.txt",
        "- minutes.txt",
    }


def test_language_model_is_asked_itself(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("Two.")])
    Asker(library, model).ask("How many documents are in my library?")
    assert model.requests
