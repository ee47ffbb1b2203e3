"""The examination of an endpoint asks a real question of the sample library, and the program believes what it shows."""

import json
import threading
from pathlib import Path

import pytest

from desktop_rag.agent.run.endpoint_trial import examine_with_sample, trial_question
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.doctor import Rating
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn
from tests.integration.llm.test_doctor import reply

pytestmark = [pytest.mark.processes, pytest.mark.slow]

QUESTION = trial_question()
SEARCH = Turn(calls=[Call("search", json.dumps({"queries": [QUESTION]}))])
RIGHT = "The board chose the offer by Nordvarme. "


def capable(request: SeenRequest) -> Turn:
    """Search, then answer with the first reference; say what passages say."""
    if "search" in request.tool_names:
        found = request.messages[-1]["role"] == "tool"
        return Turn(f"{RIGHT}[turn1search1]") if found else SEARCH
    return Turn(f"{RIGHT}[1]") if QUESTION in request.last_text else reply(request)


def chatty(request: SeenRequest) -> Turn:
    """Say right what passages say, but search nothing."""
    if "search" in request.tool_names or "{" in request.last_text:
        return Turn("I cannot look into your files.")
    return capable(request)


@pytest.mark.parametrize(
    ("script", "parameters", "well"), [(capable, 8e9, True), (chatty, 8e9, False), (capable, 1.8e9, False)]
)
def test_what_a_model_does_with_the_sample_decides_how_it_is_used(
    script: object, parameters: float, well: bool, tmp_path: Path
) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    body = json.dumps({"data": [{"id": "scripted", "meta": {"n_params": int(parameters), "n_ctx": 32_768}}]})
    with ScriptedEndpoint([script] * 40, models_body=body) as endpoint:  # type: ignore[list-item]
        profile = Profile("test", endpoint.base_url, "scripted")
        found = {each.about: each for each in examine_with_sample(profile, "", Stop(), memory)}
    assert found["Method"].rating is Rating.GOOD
    assert ("the program searches" in found["Method"].sentence) is not well
    assert "Speed" in found
    learned = memory.recall(profile)
    assert learned.searches_well is well
    assert (learned.tool_use() is ToolUse.NONE) is not well


def test_a_server_that_does_not_answer_is_left_after_the_time(tmp_path: Path) -> None:
    body = json.dumps({"data": [{"id": "scripted", "meta": {"n_params": 1_800_000_000, "n_ctx": 32_768}}]})
    with ScriptedEndpoint([reply, *[Turn("late", hold=threading.Event())] * 9], models_body=body) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        memory = EndpointMemory(tmp_path / "endpoints.json")
        found = list(examine_with_sample(profile, "", Stop(), memory, seconds=20))
    assert found[-1].about == "Time"
    assert not any("wrote no answer" in each.sentence for each in found)  # it had no time to
