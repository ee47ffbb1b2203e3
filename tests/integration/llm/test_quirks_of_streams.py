"""Known deviations of endpoints called OpenAI-compatible, replayed over real sockets: framing and reasoning.

The numbers are those of the list of deviations that the client is written for.
"""

import json
import time

import pytest

from desktop_rag.errors import (
    StreamCut,
)
from desktop_rag.llm.chat import (
    ChatEvent,
    ChatRequest,
    ToolMessage,
)
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, SeenRequest, Turn
from tests.integration.llm.faults.fault import ARGUMENTS, CALLED, DONE, STOP, WHOLE, delta, event, text
from tests.integration.llm.quirk_turns import (
    QUESTION,
    client,
    ended,
    history,
    refusing,
    streamed,
)
from tests.raw_endpoint import HOLD, RawEndpoint, stream


def test_15_chunks_without_choices_or_delta() -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}})
    turn = streamed(
        event({"choices": [], "prompt_filter_results": []}),
        event({"choices": [{"index": 0}]}),
        WHOLE[: -len(DONE)],
        usage,
        DONE,
    )
    assert (turn.message.text, turn.usage.prompt) == ("Rent is due monthly.", 7)


def test_16_comments_carriage_returns_and_a_missing_end_marker() -> None:
    lines = (b": OPENROUTER PROCESSING\n\n" + WHOLE.removesuffix(DONE)).replace(b"\n", b"\r\n")
    assert streamed(lines).message.text == "Rent is due monthly."


def test_16_a_missing_end_marker_on_an_open_connection() -> None:
    with RawEndpoint([stream(text("Monthly."), delta("stop"), HOLD)]) as endpoint:
        began = time.monotonic()
        assert ended(client(endpoint.base_url)).message.text == "Monthly."
        assert time.monotonic() - began < 10  # seconds; the idle timeout is twice that


def test_17_an_error_inside_the_stream_keeps_the_text_and_is_no_answer() -> None:
    shown: list[ChatEvent] = []

    def collect(chat: OpenAIChat) -> None:
        for piece in chat.chat(ChatRequest((QUESTION,)), Stop()):
            shown.append(piece)  # noqa: PERF402  # extend() would lose what came before an error

    broken = stream(text("Rent is"), event({"error": {"message": "upstream died"}}))
    with RawEndpoint([broken]) as endpoint, pytest.raises(StreamCut, match="upstream died"):
        collect(client(endpoint.base_url))
    assert len(shown) == 1


def test_18_usage_of_a_choice_the_last_one_and_a_refused_stream_option() -> None:
    moonshot = event({"choices": [{"delta": {}, "usage": {"prompt_tokens": 5, "completion_tokens": 1}}]})
    last = event(
        {
            "choices": [],
            "usage": {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}},
        }
    )
    usage = streamed(text("Monthly."), moonshot, delta("stop"), last, DONE).usage
    assert (usage.prompt, usage.completion, usage.cached, usage.estimated) == (9, 3, 4, False)
    assert streamed(text("Monthly."), STOP).usage.estimated
    with ScriptedEndpoint(
        [Turn(text="1"), Turn(text="2")], refuses={"stream_options": "Unknown parameter: stream_options"}
    ) as endpoint:
        chat = client(endpoint.base_url)
        ended(chat)
        ended(chat)
        assert len(endpoint.requests) == 3


def test_19_the_name_of_the_length() -> None:
    refuses = {"max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}
    with ScriptedEndpoint([Turn(text="1"), Turn(text="2")], refuses=refuses) as endpoint:
        chat = client(endpoint.base_url)
        ended(chat)
        ended(chat)
        assert ["max_completion_tokens" in request.body for request in endpoint.requests] == [False, True, True]


def test_19_a_limit_on_the_length_is_learned() -> None:
    def entry(request: SeenRequest) -> Turn:
        if int(str(request.body.get("max_tokens"))) > 1024:
            return Turn(
                status=400,
                body='{"error": "max_tokens is too large: 2048. This model supports at most 1024 completion tokens"}',
            )
        return Turn(text="Monthly.")

    with ScriptedEndpoint([entry] * 3) as endpoint:
        chat = client(endpoint.base_url)
        ended(chat)
        ended(chat)
        assert [request.body["max_tokens"] for request in endpoint.requests] == [2048, 1024, 1024]


# Reasoning


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_text"])
def test_20_reasoning_in_any_field_and_never_twice(field: str) -> None:
    turn = streamed(delta(**{field: "Hm.", "reasoning_text": "Hm."}), text("Monthly."), STOP)
    assert (turn.message.reasoning, turn.message.text) == ("Hm.", "Monthly.")


def test_20_reasoning_in_tags_also_without_the_first() -> None:
    assert streamed(text("<think>Hm.</thi", "nk>Monthly."), STOP).message.text == "Monthly."
    assert streamed(text("Hm.", "</think>", "Monthly."), STOP).message.text == "Monthly."


def test_21_reasoning_is_demanded() -> None:
    def lacks(request: SeenRequest) -> bool:
        return any(m["role"] == "assistant" and "reasoning_content" not in m for m in request.messages)

    words = "The reasoning_content in the thinking mode must be passed back to the API."
    with ScriptedEndpoint(refusing(lacks, words)) as endpoint:
        assert ended(client(endpoint.base_url), *history()).message.text == "Monthly."
        assert len(endpoint.requests) == 2


def test_22_signatures_and_details_come_back_unchanged() -> None:
    extra = {"google": {"thought_signature": "c2ln"}}
    piece = {"index": 0, "id": "a", "extra_content": extra, "function": {"name": "search", "arguments": ARGUMENTS}}
    details = [{"type": "reasoning.encrypted", "index": 0, "data": "e30="}]
    with RawEndpoint([stream(delta(tool_calls=[piece], reasoning_details=details), CALLED), stream(WHOLE)]) as endpoint:
        chat = client(endpoint.base_url)
        first = ended(chat).message
        ended(chat, QUESTION, first, ToolMessage(first.tool_calls[0].id, "search", "Monthly."))
        sent = json.loads(endpoint.requests[1].body)["messages"][1]
    assert sent["tool_calls"][0]["extra_content"] == extra
    assert sent["reasoning_details"] == details


def test_23_thinking_is_turned_off_in_the_server_s_own_way() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url, effort="none"))
        assert endpoint.requests[0].body["chat_template_kwargs"] == {"enable_thinking": False}
    refuses = {name: f"Unknown field: {name}" for name in ("chat_template_kwargs", "reasoning_effort")}
    with ScriptedEndpoint([Turn(text="Monthly.")], refuses=refuses) as endpoint:
        assert ended(client(endpoint.base_url, effort="none")).message.text == "Monthly."


def test_23_thinking_that_uses_up_the_output_is_told_apart() -> None:
    turn = streamed(delta(reasoning_content="Hm, hm, hm"), delta("length"), DONE)
    assert (turn.reason, turn.message.text) == ("length", "")
