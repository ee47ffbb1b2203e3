"""The examination of an endpoint, against real servers on loopback that behave as different products do."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from desktop_rag.cli.doctor_command import doctor as doctor_command
from desktop_rag.cli.output import Output
from desktop_rag.llm import doctor, tokens
from desktop_rag.llm.chat import ChatRequest, ToolUse, UserMessage
from desktop_rag.llm.doctor import Finding, Rating, Server, examine
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import is_near
from desktop_rag.llm.trial_requests import ECHO
from desktop_rag.settings import Profile, Settings, save
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

OLLAMA = {"/api/version": '{"version": "0.12.0"}'}
LLAMA = {"/props": '{"default_generation_settings": {"n_ctx": 4096}}'}
READY = Turn(text=["rea", "dy"])
HARBOUR = Call("echo", '{"word": "harbour"}')


def reply(request: SeenRequest) -> Turn:
    """Answer as a capable model: call what is asked for, go on with results, read long prompts."""
    if request.messages[-1]["role"] == "tool":
        return Turn(text=["The tool said ", "harbour."])
    if "twice" in request.last_text:
        return Turn(calls=[Call("echo", '{"word": "one"}'), Call("echo", '{"word": "two"}')])
    if "Call the tool" in request.last_text:
        return Turn(calls=[HARBOUR])
    if request.last_text.startswith("The code word is "):
        return Turn(text=request.last_text.split()[4].strip("."), usage=(tokens.estimate(request.last_text), 5))
    return READY


def test_what_is_learned_serves_later_runs_and_refused_tools_are_tried_again(tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([reply] * 9, refuses={"temperature": "Unsupported parameter: temperature"}) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", context_window=8_192, temperature=0.3)
        memory.keep(profile, EndpointTraits(tools_refused_at=time.time()))
        found = {finding.about: finding.rating for finding in examine(profile, "", Stop(), memory)}
    assert found["Tools"] is Rating.GOOD
    learned = memory.recall(profile)
    assert learned.dropped_fields == ("temperature",)
    assert learned.calls_tools
    assert not learned.refuses_tools()


@pytest.mark.parametrize(
    ("written", "way"),
    [('{"tool": "echo", "arguments": {"word": "harbour"}}', ToolUse.PROMPTED), ("I call echo now.", ToolUse.NONE)],
)
def test_how_a_model_without_calls_can_search_is_kept(written: str, way: ToolUse, tmp_path: Path) -> None:
    def talking(request: SeenRequest) -> Turn:
        asked = "Call the tool" in request.last_text
        return Turn(text="No." if request.tool_names else written) if asked else reply(request)

    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([talking] * 20) as endpoint:
        profile = Profile("test", endpoint.base_url, "tiny", context_window=2_048)
        assert list(examine(profile, "", Stop(), memory))
        assert OpenAIChat(profile, "", memory=memory).tool_use() is way
        endpoint.script = [Turn(calls=[HARBOUR])]
        list(OpenAIChat(profile, "", memory=memory).chat(ChatRequest((UserMessage("Hello"),), (ECHO,)), Stop()))
        assert OpenAIChat(profile, "", memory=memory).tool_use() is None  # it calls tools after all


def findings(
    script: Callable[[SeenRequest], Turn] = reply,
    window: int = 8_192,
    pages: Mapping[str, str] | None = None,
    models: Sequence[str] = (),
    models_body: str = "",
) -> Mapping[str, Finding]:
    with ScriptedEndpoint([script] * 20, models=models, models_body=models_body, pages=pages or {}) as endpoint:
        profile = Profile("test", endpoint.base_url, "tiny", context_window=window)
        return {finding.about: finding for finding in examine(profile, "", Stop())}


def test_capable_server_has_nothing_to_change() -> None:
    found = findings(models_body=json.dumps({"data": [{"id": "tiny", "max_model_len": 32_768}]}))
    assert {finding.rating for finding in found.values()} == {Rating.GOOD}
    assert list(found) == [
        *("Connection", "Context window", "Streaming", "Token count", "Tools", "Parallel calls", "Long prompts")
    ]
    assert not any(finding.remedy for finding in found.values())


def test_silent_truncation_is_detected_with_the_command_that_ends_it() -> None:
    def cutting(request: SeenRequest) -> Turn:
        long = request.last_text.startswith("The code word is ")
        return Turn(text="There is no code word.", usage=(2_048, 5)) if long else reply(request)

    found = findings(cutting, pages=OLLAMA, models=("tiny",))
    assert "This is Ollama." in found["Connection"].sentence
    assert found["Long prompts"].rating is Rating.BAD
    assert "only 2,048 arrived" in found["Long prompts"].sentence
    assert found["Long prompts"].remedy == "Start the server with: OLLAMA_CONTEXT_LENGTH=16384 ollama serve"


def test_a_prompt_of_which_most_arrived_is_said_to_be_cut_off_too() -> None:
    def cutting(request: SeenRequest) -> Turn:
        long = request.last_text.startswith("The code word is ")
        return Turn(text="There is no code word.", usage=(4_096, 5)) if long else reply(request)

    found = findings(cutting, 16_384, OLLAMA)
    assert found["Long prompts"].rating is Rating.BAD
    assert "only 4,096 arrived" in found["Long prompts"].sentence
    assert "OLLAMA_CONTEXT_LENGTH" in found["Long prompts"].remedy


def test_overlooked_word_is_not_called_truncation() -> None:
    def forgetful(request: SeenRequest) -> Turn:
        long = request.last_text.startswith("The code word is ")
        return Turn(text="Which word?", usage=(5_100, 5)) if long else reply(request)

    found = findings(forgetful)
    assert found["Long prompts"].rating is Rating.LIMITED
    assert "overlooked" in found["Long prompts"].sentence


def test_model_that_never_calls_is_not_said_to_use_tools() -> None:
    def talking(request: SeenRequest) -> Turn:
        return Turn(text="I would call echo now.") if "Call the tool" in request.last_text else reply(request)

    found = findings(talking, 4_096, LLAMA)
    assert found["Tools"].rating is Rating.BAD
    assert "accepts tools but does not call them" in found["Tools"].sentence
    assert "--jinja" in found["Tools"].remedy
    assert "Parallel calls" not in found


def test_model_that_writes_calls_as_text_is_usable() -> None:
    def refusing(request: SeenRequest) -> Turn:
        if request.tool_names:
            return Turn(status=400, body='{"error": {"message": "tiny does not support tools"}}')
        if "Call the tool" in request.last_text:
            return Turn(text='{"tool": "echo", "arguments": {"word": "harbour"}}')
        return reply(request)

    found = findings(refusing)
    assert found["Tools"].rating is Rating.LIMITED
    assert "can write calls as text" in found["Tools"].sentence


def test_answer_in_one_piece_and_unreported_tokens_are_told() -> None:
    def buffered(request: SeenRequest) -> Turn:
        return Turn(text="one two three four", usage=None) if "Count" in request.last_text else reply(request)

    found = findings(buffered)
    assert found["Streaming"].rating is Rating.LIMITED
    assert found["Token count"].rating is Rating.LIMITED


def test_window_smaller_than_the_profile_says_is_bad() -> None:
    found = findings(pages=LLAMA, models=("tiny",))
    assert found["Context window"].rating is Rating.BAD
    assert "set them to 4,096" in found["Context window"].sentence
    assert found["Context window"].remedy.endswith("-c 16384")


def test_failing_check_does_not_end_the_examination() -> None:
    def failing(request: SeenRequest) -> Turn:
        if "Call the tool" in request.last_text and request.tool_names:
            return Turn(status=418, body="teapot")
        return reply(request)

    found = findings(failing)
    assert found["Tools"].rating is Rating.BAD
    assert found["Long prompts"].rating is Rating.GOOD


def test_unreachable_server_has_one_finding() -> None:
    [finding] = examine(Profile("test", "http://127.0.0.1:9", "tiny"), "", Stop())
    assert (finding.about, finding.rating) == ("Connection", Rating.BAD)
    assert "Nothing answers" in finding.sentence


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost:1234", True),
        ("http://192.168.1.20:8000/v1", True),
        ("http://workstation.local/v1", True),
        ("https://api.example.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("", False),
    ],
)
def test_only_near_servers_are_sent_long_prompts(address: str, near: bool) -> None:
    assert is_near(address) is near


def test_every_known_server_has_remedies() -> None:
    assert set(doctor._TOOLS_REMEDY) == set(doctor._WINDOW_REMEDY) == set(Server)


@pytest.mark.processes
def test_the_command_shows_no_password_of_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "settings.json"
    save(file, Settings((Profile("P", "http://user:PASSW0RD@127.0.0.1:9/v1", "m"),), "P"))
    monkeypatch.setattr("desktop_rag.cli.doctor_command.settings_file", lambda: file)
    doctor_command("P", Output(as_json=False), Stop())
    shown = capsys.readouterr()
    assert "Examining P: http://127.0.0.1:9/v1" in shown.err
    assert "PASSW0RD" not in shown.out + shown.err


def test_a_model_that_writes_no_text_is_no_proof_that_something_holds_it_back() -> None:
    def calls(request: SeenRequest) -> Turn:
        return Turn(calls=[HARBOUR]) if "ount" in request.last_text else reply(request)

    with ScriptedEndpoint([calls] * 9) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", context_window=8_192)
        found = {finding.about: finding.sentence for finding in examine(profile, "", Stop())}
    assert "holds it back" not in found["Streaming"]
    assert "wrote no text" in found["Streaming"]
