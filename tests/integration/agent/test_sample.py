"""The sample library, read and indexed for real, answers a new user's questions."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.events import Answered, Citation
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import UNSURE
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.cli.index_command import is_settled
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import encoder_folder, resources
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

LEASE, TIMBER, LOG, AUDIT = "Lease agreement.md", "Timber notes.md", "Moisture log.csv", "Energy audit 2025.pdf"
MARCH, MAY = "2026-03-12 Board meeting.md", "2026-05-14 Board meeting.md"
LANDLORD, AUTHORITY = "2026-04-28 Letter from the landlord.txt", "2025-10-02 Harbour authority.txt"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library, stop = Library(tmp_path_factory.mktemp("sample")), Stop()
    with closing(LibraryClient(library)) as client:
        client.add([resources() / "sample"], stop)
        with closing(client.follow(stop)) as statuses:
            assert any(is_settled(status) for status in statuses)
    engine = SearchEngine(library.folder, encoder_folder())
    yield engine
    engine.close()


def ask(sample: SearchEngine, question: str) -> Answered:
    kit = toolkit("full")
    last = list(answer(Question(question), Run(kit, ExtractiveModel(), sample)))[-1]
    assert isinstance(last, Answered)
    return last


def stands(citation: Citation, file: str, words: str) -> bool:
    """Return whether a citation quotes `words` word for word from `file`, at the lines it names."""
    lines = citation.passage.split("\n")[citation.first_line - citation.passage_first_line :]
    cited = " ".join(" ".join(lines[: citation.last_line - citation.first_line + 1]).split())
    proved = citation.verdict == "verbatim" and words in cited
    return proved and Path(citation.path).name == file and words in " ".join(citation.quote.split())


@pytest.mark.processes
@pytest.mark.parametrize(
    ("question", "file", "words"),
    [
        ("How much heat is lost through the roof?", AUDIT, "The roof loses 15,600 kilowatt hours a year"),
        ("What is the loss through the windows?", AUDIT, "Windows 5,500 12 %"),
        ("At what moisture should larch be planked?", TIMBER, "between 14 and 17 per cent"),
        ("What moisture did the larch have in March 2026?", LOG, "2026-03-02 A larch 22 16.9"),
        ("What does the harbour crane cost?", MAY, "Harbour crane lifts cost 450 euros"),
        ("What does the new brake lining cost?", MARCH, "The part costs 640 euros"),
        ("How long is the warranty of the chosen heat pump?", MAY, "because of the ten-year warranty"),
        ("Who may store sails in the loft?", LANDLORD, "I still store my father's sails there"),
        ("Who prepared the energy audit?", AUDIT, "Prepared by Hedda Sorensen"),
        ("When was the boathouse built?", AUDIT, "The boathouse was built in 1911"),
        ("How many people took part in the lapstrake course?", MARCH, "eleven participants"),
        ("When will the inner basin be dredged?", AUTHORITY, "from 12 January to 6 February 2026"),
        ("How deep may boats draw during dredging?", AUTHORITY, "boats drawing more than 0.9 metres must not"),
        ("Why should oak not be fastened with plain steel?", TIMBER, "The tannin eats it within three seasons"),
        ("How long should oak be steamed?", TIMBER, "Steam it for an hour per inch"),
        ("What did Seawell Energy offer?", MAY, "sea water, 20 kW | 57,400 euros"),
        ("Who was excused from the meeting in May?", MAY, "Excused: Dev Patel"),
        (
            "By when must the application for the subsidy be made?",
            AUDIT,
            "The deadline for this year's round is 30 June",
        ),
        ("Are overnight stays permitted?", LEASE, "Overnight stays are not permitted"),
    ],
)
def test_the_first_quotation_answers(sample: SearchEngine, question: str, file: str, words: str) -> None:
    answered = ask(sample, question)
    assert answered.found
    assert stands(answered.citations[0], file, words), answered.text


def test_figures_of_several_documents_are_not_sure(sample: SearchEngine) -> None:
    answered = ask(sample, "How large is the boathouse in square metres?")
    assert answered.text.startswith(UNSURE)
    assert any(stands(citation, LEASE, "412 square metres in all") for citation in answered.citations)


@pytest.mark.parametrize(
    ("question", "proofs"),
    [
        (
            "When does the lease end, and how long is the notice period?",
            ((LEASE, "It ends on 31 March 2031 without further notice"), (LEASE, "a notice period of six months")),
        ),
        (
            "Which heat pump did the board choose, and why?",
            ((MAY, "the board chose the offer by Nordvarme, because of the ten-year warranty"),),
        ),
        (
            "How high is the deposit? When is it returned?",
            ((LEASE, "The deposit is three months' rent"), (LEASE, "within sixty days of the end of the lease")),
        ),
        (
            "What are the doors made of, and who repairs the windows?",
            ((AUDIT, "40 millimetre pine boards"), (LEASE, "the windows and the heating in repair")),
        ),
        ("When and where is the next meeting?", ((MARCH, "14 May 2026, 18:30, in the gallery"),)),
    ],
)
def test_several_questions_are_answered_in_their_order(
    sample: SearchEngine, question: str, proofs: tuple[tuple[str, str], ...]
) -> None:
    answered = ask(sample, question)
    places = [
        next((n for n, citation in enumerate(answered.citations) if stands(citation, *proof)), -1) for proof in proofs
    ]
    assert places[0] == 0, answered.text
    assert places == sorted(places), answered.text


@pytest.mark.parametrize(
    "question",
    ["Who composed the Brandenburg concertos?", "What is the telephone number of the harbour authority?"],
)
def test_a_question_the_sample_does_not_answer_has_no_certain_answer(sample: SearchEngine, question: str) -> None:
    answered = ask(sample, question)
    assert not answered.found or answered.text.startswith(UNSURE)


def test_a_document_is_summarised_in_its_own_sentences(sample: SearchEngine) -> None:
    answered = ask(sample, "Summarise the lease agreement")
    assert answered.found
    assert {Path(citation.path).name for citation in answered.citations} == {LEASE}
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}
    assert len(answered.citations) >= 3
    assert "lines (100%) of 1 document" in answered.text


def test_changes_between_two_documents_are_quoted_from_both(sample: SearchEngine) -> None:
    answered = ask(sample, "What are the differences between the March 12 and the May 14 board meeting?")
    assert {Path(citation.path).name for citation in answered.citations} == {MARCH, MAY}
    assert {citation.verdict for citation in answered.citations} <= {"verbatim", "paraphrase"}
