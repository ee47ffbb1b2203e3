"""The second look by a small model: how probable its “yes” is, where its server tells that, and nothing elsewhere."""

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.agent.events import Answered
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.cited_text import check_cited_text
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.text_judge import judge_of
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.paths import endpoints_file
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, SeenRequest, Turn
from tests.integration.agent.gated_runs import library_of

FILES = {"rent.md": "# Lease\n\nThe landlord keeps the roof in repair. The tenant keeps the floors and the doors.\n"}
QUESTION = "Who has to repair the roof?"
SAID = "The roof is kept in repair by the landlord. [1]"
Likely = Callable[[SeenRequest], float]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchEngine]:
    with library_of(FILES, tmp_path, monkeypatch) as library:
        engine = SearchEngine(library.layout.folder)
        yield engine
        engine.close()


def told(yes: float) -> Turn:
    """Answer with the words that the first one may be, as llama.cpp and OpenAI tell them."""
    words = [("Yes", yes * 0.9), (" yes", yes * 0.1), ("No", 1 - yes), ("The", 0.01)]
    top = [{"token": word, "logprob": math.log(max(share, 1e-9))} for word, share in words]
    choice = {"index": 0, "delta": {"content": "Yes"}, "logprobs": {"content": [{"token": "Yes", "top_logprobs": top}]}}
    return Turn(chunks=[f"data: {json.dumps({'choices': [choice]})}\n\n", "data: [DONE]\n\n"])


def plain(request: SeenRequest) -> float:
    """Tell the plain statements apart, but for one."""
    statement = request.last_text.split("Statement: ")[1]
    false = ("The ferry leaves", "Jonas teaches", "Members pay", "The valve is opened", "All windows")
    return 0.1 if statement.startswith(false) else 0.9


def ask(
    engine: SearchEngine, memory: EndpointMemory, likely: Likely | None, refuses: dict[str, str] | None = None
) -> tuple[Answered, ScriptedEndpoint]:
    def script(request: SeenRequest) -> Turn:
        if not request.is_look:
            return Turn(SAID)
        return told(likely(request)) if likely else Turn("Yes")

    with ScriptedEndpoint([script] * 20, scripted_looks=True, refuses=refuses) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "scripted", 4_096), "", memory=memory)
        *_, last = answer(Question(QUESTION), Run(toolkit("short"), model, engine, second_look=True))
    assert isinstance(last, Answered)
    return last, endpoint


def first_mark(answered: Answered) -> str:
    assert answered.text.startswith("The roof is kept in repair by the landlord. [1](cite:1)")
    return answered.claims[0].mark


@pytest.mark.parametrize(("yes", "mark"), [(0.9, "unchecked"), (0.2, "silent")])
def test_only_a_no_is_told(yes: float, mark: str, engine: SearchEngine, tmp_path: Path) -> None:
    def likely(request: SeenRequest) -> float:
        return yes if "roof" in request.last_text else plain(request)

    answered, endpoint = ask(engine, EndpointMemory(tmp_path / "endpoints.json"), likely)
    assert first_mark(answered) == mark
    look = endpoint.requests[-1]
    assert (look.body["max_tokens"], look.body["logprobs"], look.body["top_logprobs"]) == (1, True, 20)
    assert look.last_text.endswith("Statement: The roof is kept in repair by the landlord.\nAnswer:")
    assert "The landlord keeps the roof in repair." in look.last_text


def test_what_a_yes_of_the_model_is_worth_is_found_out_once(engine: SearchEngine, tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    answered, endpoint = ask(engine, memory, lambda request: 0.9)
    assert first_mark(answered) == "unchecked"
    assert len(endpoint.requests) == 4  # the answer, and plain statements until two were missed
    [traits] = memory._read().values()
    assert traits.judges is False


@pytest.mark.parametrize(
    "refuses", [None, {"top_logprobs": "top_logprobs is not supported"}], ids=["not told", "refused"]
)
def test_without_probabilities_nothing_is_compared(
    refuses: dict[str, str] | None, engine: SearchEngine, tmp_path: Path
) -> None:
    answered, _ = ask(engine, EndpointMemory(tmp_path / "endpoints.json"), None, refuses)
    assert first_mark(answered) == "unchecked"


@pytest.mark.parametrize(("judges", "marks"), [(True, ["silent"]), (None, ["unchecked"])])
def test_a_text_from_elsewhere_is_compared_if_its_yes_is_known_to_count(
    judges: bool | None, marks: list[str], engine: SearchEngine
) -> None:
    text = "The roof is kept in repair by the tenant [rent.md, line 3]."
    with ScriptedEndpoint([told(0.1)], scripted_looks=True) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        known = EndpointTraits(parameters=1_500_000_000, judges=judges)
        EndpointMemory(endpoints_file()).keep(profile, known)
        judge = judge_of(Settings(profiles=(profile,), active_profile="test"))
        checked = check_cited_text(text, engine, Stop(), judge=judge)
        assert len(endpoint.requests) == (1 if judges else 0)
    assert [claim.mark for claim in checked.claims] == marks
