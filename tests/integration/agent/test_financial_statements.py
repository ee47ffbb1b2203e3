"""The built-in model opens the statements of long reports, read and indexed for real."""

import json
from collections.abc import Iterator

import pytest

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import ToolCalled
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

PROSE = "\n".join(
    f"In segment {number} the quick response of the Acme teams improved the ratio of orders within {number} days, "
    f"and a financial analyst of the company would say that the margin of error declined by {number} points.\n"
    for number in range(1, 220)
)
BALANCE = """Consolidated Balance Sheets
($ in millions)
As of June 30,\t2023\t2022
Cash and cash equivalents\t689\t775
Trade receivables\t1,875\t1,935
Prepaid expenses\t531\t512
Total current assets\t5,308\t5,853
Total current liabilities\t4,476\t5,103
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library = SmallLibrary(tmp_path_factory.mktemp("library"))
    annual, quarterly = f"{PROSE}\n{BALANCE}\n{PROSE}", f"{PROSE}\n{BALANCE.replace('2023', '2022')}"
    library.add({"ACME_2023_10K.txt": annual, "ACME_2023Q2_10Q.txt": quarterly, "OTHER_2023_10K.txt": annual})
    engine = SearchEngine(library.layout.folder, encoder_folder())
    yield engine
    engine.close()
    library.close()


@pytest.mark.parametrize(
    "question",
    [
        "Has the quick ratio of Acme improved between FY2022 and FY2023?",
        "Has Acme a good quick ratio as of FY2023? If it is no useful metric for a company like this, then state that.",
    ],
)
def test_a_ratio_opens_the_statement_that_has_its_figures(engine: SearchEngine, question: str) -> None:
    kit = toolkit("full")
    events = answer(question, Conversation(), kit, ExtractiveModel(), engine, Limits(), Scope(), Stop())
    opened = [event for event in events if isinstance(event, ToolCalled) and event.name == "open"]
    lines = f"{PROSE}\n{BALANCE}".count("\n")
    first = int(json.loads(opened[0].arguments)["line"])
    assert "ACME_2023_10K" in opened[0].summary
    assert first <= lines < first + 200
