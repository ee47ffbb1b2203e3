"""Examples are made of what the documents say, and each was answered from the very lines it is made of."""

from collections.abc import Iterator

import pytest

from desktop_rag.agent.events import Answered
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.question import AskedOf, ExampleTopic, Question
from desktop_rag.agent.run.example_questions import MOST, example_questions
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

FILES = {
    "Contracts/Lease.md": "# Lease\n\n## Deposit\nThe tenant pays a deposit of 5,550 euros before moving in.\n\n"
    "## Poetry\nWindows look to the south.\n",
    "Roof/Costs.md": "# Solar roof\n\n| Item | Cost (EUR) |\n|---|---:|\n| Modules | 9,600 |\n| Inverter | 2,300 |\n",
    "Notes/Boiler.txt": "The boiler was serviced in spring.\n\nThe pressure of the boiler is kept at 1.5 bar.\n",
    "Notes/Empty words.txt": "Nothing of interest here.\n",
}


def worded(topic: ExampleTopic) -> str:
    match topic.asked:
        case AskedOf.SECTION:
            return f"What is said about “{topic.text}”?"
        case AskedOf.CELL:
            return f"What is the {topic.column} of {topic.text} in “{topic.document}”?"
        case AskedOf.SENTENCE:
            return f"{topic.text} …?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library = SmallLibrary(tmp_path_factory.mktemp("examples"))
    library.add(FILES)
    library.encode()
    engine = SearchEngine(library.layout.folder, encoder_folder())
    yield engine
    engine.close()
    library.close()


def test_a_heading_and_a_sentence_become_questions_that_are_answered(engine: SearchEngine) -> None:
    model = ExtractiveModel()
    examples = tuple(example_questions(engine, model, worded, Stop()))
    assert {example.text for example in examples} == {
        "What is said about “Deposit”?",
        "The pressure of the boiler is kept at …?",
    }
    assert len(examples) <= MOST
    for example in examples:
        *_, last = answer(Question(example.text), Run(toolkit("full"), model, engine))
        assert isinstance(last, Answered)
        assert last.found
        assert last.citations
    assert {example.document for example in examples} == {"Lease", "Boiler.txt"}
