import pytest

from desktop_rag.errors import ContextOverflow, ModelError
from desktop_rag.llm.chat import AssistantMessage, ChatRequest, ToolSpec, UserMessage
from desktop_rag.llm.dialect import Dialect
from desktop_rag.llm.endpoint_traits import LLAMA_CPP, VLLM, EndpointTraits
from desktop_rag.llm.failures import EndpointFailure
from desktop_rag.llm.message_format import pack_raw
from desktop_rag.settings import Profile

LOCAL = Profile("Local", "http://localhost:1234/v1", "tiny")
REQUEST = ChatRequest((UserMessage("When?"),), max_tokens=500)


def refused(text: str, status: int = 400) -> EndpointFailure:
    return EndpointFailure(ModelError(text), status=status, text=text)


def test_only_what_the_profile_sets_is_sent() -> None:
    assert Dialect(LOCAL).body(REQUEST) == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "When?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 500,
    }


def test_the_profile_sets_sampling_and_effort() -> None:
    profile = Profile("Local", "http://localhost", "tiny", temperature=0.0, top_p=0.9, reasoning_effort="low")
    body = Dialect(profile).body(REQUEST)
    assert (body["temperature"], body["top_p"], body["reasoning_effort"]) == (0.0, 0.9, "low")


def test_openai_itself_gets_its_newer_name_for_the_limit() -> None:
    profile = Profile("OpenAI", "https://api.openai.com/v1", "large")
    assert Dialect(profile).body(REQUEST)["max_completion_tokens"] == 500


def test_the_limit_changes_its_name_and_is_dropped_if_neither_is_known() -> None:
    dialect = Dialect(LOCAL)
    assert dialect.learn(refused("max_tokens is not supported"), dialect.body(REQUEST))
    assert dialect.body(REQUEST)["max_completion_tokens"] == 500
    assert dialect.learn(refused("Unknown field max_completion_tokens"), dialect.body(REQUEST))
    assert not {"max_tokens", "max_completion_tokens"} & set(dialect.body(REQUEST))
    assert not dialect.learn(refused("max_tokens unsupported"), dialect.body(REQUEST))


@pytest.mark.parametrize("field", ["temperature", "top_p", "reasoning_effort", "stream_options"])
def test_a_refused_field_is_left_out_from_then_on(field: str) -> None:
    dialect = Dialect(Profile("x", "http://localhost", "m", temperature=1.0, top_p=1.0, reasoning_effort="low"))
    assert dialect.learn(refused(f"Unsupported parameter: '{field}'"), dialect.body(REQUEST))
    assert field not in dialect.body(REQUEST)
    assert not dialect.learn(refused(f"Unsupported parameter: '{field}'"), dialect.body(REQUEST))


def test_refused_reasoning_is_no_longer_echoed() -> None:
    dialect = Dialect(LOCAL)
    raw = {"role": "assistant", "content": "Monthly.", "reasoning_content": "Hm."}
    request = ChatRequest((AssistantMessage("Monthly.", raw=pack_raw(dialect.origin, raw)),))
    assert dialect.body(request)["messages"] == [raw]
    assert dialect.learn(refused("property 'reasoning_content' is unsupported"), dialect.body(request))
    assert dialect.body(request)["messages"] == [{"role": "assistant", "content": "Monthly."}]


def test_deepseek_gets_reasoning_with_every_message_of_a_tool_loop() -> None:
    dialect = Dialect(Profile("DeepSeek", "https://api.deepseek.com", "deepseek-chat"))
    tool = ToolSpec("search", "Searches.", '{"type": "object"}')
    said = {"role": "assistant", "content": "Monthly.", "reasoning_content": ""}
    assert dialect.body(ChatRequest((AssistantMessage("Monthly."),), (tool,)))["messages"] == [said]


@pytest.mark.parametrize(
    "failure",
    [
        refused("max_tokens is unsupported", status=500),
        refused("the request is odd"),
        EndpointFailure(
            ContextOverflow("max_tokens too large"), status=400, text="invalid max_tokens: maximum context length"
        ),
    ],
)
def test_other_failures_change_nothing(failure: EndpointFailure) -> None:
    dialect = Dialect(LOCAL)
    assert not dialect.learn(failure, dialect.body(REQUEST))


def test_an_effort_that_is_too_low_for_the_endpoint_becomes_the_next_one() -> None:
    dialect = Dialect(Profile("x", "http://localhost", "m", reasoning_effort="none"))
    answer = refused("Unsupported value: 'reasoning_effort' does not support this value. Expected one of: low, high")
    efforts = []
    while dialect.learn(answer, dialect.body(REQUEST)):
        efforts.append(dialect.body(REQUEST).get("reasoning_effort"))
    assert efforts == ["minimal", "low", None]


def test_only_llama_cpp_is_asked_how_far_it_has_read() -> None:
    dialect = Dialect(LOCAL, EndpointTraits(server=LLAMA_CPP))
    assert dialect.body(REQUEST)["return_progress"] is True
    assert "return_progress" not in Dialect(LOCAL, EndpointTraits(server=VLLM)).body(REQUEST)
    assert dialect.learn(refused("Unsupported param: return_progress"), dialect.body(REQUEST))  # a proxy before it
    assert "return_progress" not in dialect.body(REQUEST)
