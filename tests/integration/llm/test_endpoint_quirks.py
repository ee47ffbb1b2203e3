"""The known deviations of endpoints that call themselves OpenAI-compatible, each replayed over a real socket.

The numbers are those of the list of deviations that the client is written for.
"""

import json
import threading
import time
from collections.abc import Callable, Sequence

import pytest

from desktop_rag.agent.tools.arguments import integer, parse_arguments
from desktop_rag.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelUnreachable,
    PromptTruncated,
    Stopped,
    StreamCut,
    ToolsRefused,
)
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    Message,
    RetryDelayed,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.message_format import new_call_id
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.probe import list_models, probe
from desktop_rag.llm.transport import RequestTimeouts, address_candidates
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, CallStyle, Json, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn
from tests.integration.llm.faults.fault import ARGUMENTS, CALLED, DONE, STOP, WHOLE, call, delta, event, text
from tests.raw_endpoint import HOLD, RawEndpoint, stream

SEARCH = ToolSpec("search", "Searches.", '{"type": "object", "properties": {"query": {"type": "string"}}}')
OPEN = ToolSpec("open", "Opens.", '{"type": "object", "properties": {"name": {"type": "string"}}}')
HURRIED = RequestTimeouts(connect=5.0, first_token=20.0, idle=20.0, retry_delays=(0.0,), busy=0.05)
QUESTION = UserMessage("When is the rent due?")
RENT = ("search", {"query": "rent"})


def client(url: str, effort: str = "") -> OpenAIChat:
    return OpenAIChat(Profile("test", url, "m", reasoning_effort=effort), "", HURRIED)


def ended(chat: OpenAIChat, *messages: Message, tools: Sequence[ToolSpec] = (SEARCH, OPEN)) -> TurnEnded:
    *_, last = chat.chat(ChatRequest(messages or (QUESTION,), tools), Stop())
    assert isinstance(last, TurnEnded)
    return last


def calls(turn: TurnEnded) -> list[tuple[str, object]]:
    return [(call.name, json.loads(call.arguments)) for call in turn.message.tool_calls]


def streamed(*steps: bytes) -> TurnEnded:
    with RawEndpoint([stream(*steps)]) as endpoint:
        return ended(client(endpoint.base_url))


def history(*, aside: bool = False) -> tuple[Message, ...]:
    """Return a history with a call, its result, and with `aside` a message of the user after it."""
    made = AssistantMessage("", (call_made := _call(),))
    result = ToolMessage(call_made.id, "search", "Monthly.")
    return (SystemMessage("Be brief."), QUESTION, made, result, *([UserMessage("Answer now.")] if aside else []))


def _call() -> ToolCall:
    return ToolCall(new_call_id(), "search", ARGUMENTS)


def refusing(test: Callable[[SeenRequest], bool], words: str) -> list[ScriptEntry]:
    """Return the entries of a script: a 400 with `words` while `test` holds, else an answer."""

    def entry(request: SeenRequest) -> Turn:
        if test(request):
            return Turn(status=400, body=json.dumps({"error": {"message": words}}))
        return Turn(text="Monthly.")

    return [entry] * 4


def roles(request: SeenRequest) -> list[Json]:
    return [message.get("role") for message in request.messages]


# Streaming and tool calls


def test_1_calls_without_an_index() -> None:
    turn = streamed(
        call('{"query"', index=None), call(': "rent"}', None, None, None), call("{}", "open", None, "b"), CALLED
    )
    assert calls(turn) == [RENT, ("open", {})]


def test_2_calls_that_all_have_index_zero() -> None:
    assert calls(streamed(call(ARGUMENTS), call("{}", "open", 0, "b"), CALLED)) == [RENT, ("open", {})]


def test_3_empty_names_and_ids_in_later_pieces() -> None:
    assert calls(streamed(call('{"query": '), call('"rent"}', "", 0, ""), CALLED)) == [RENT]


def test_4_a_whole_call_in_one_chunk_and_arguments_as_an_object() -> None:
    assert calls(streamed(call({"query": "rent"}), CALLED)) == [RENT]


def test_5_no_arguments_wrong_types_and_broken_arguments() -> None:
    assert calls(streamed(call(""), CALLED)) == [("search", {})]
    assert integer(parse_arguments('{"limit": "3"}', ["limit"]), ["limit"], 1, 1, 10) == 3
    broken = streamed(call('{"query": "re'), CALLED).message
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url), QUESTION, broken, ToolMessage(broken.tool_calls[0].id, "search", "Not JSON."))
        assert '"arguments": "{}"' in json.dumps(endpoint.requests[0].messages[1])


@pytest.mark.parametrize("reason", ["stop", "end", "function_call", "tool_calls", "eos"])
def test_6_any_finish_reason_with_calls(reason: str) -> None:
    assert streamed(call(ARGUMENTS), delta(reason), DONE).reason == "tools"


@pytest.mark.parametrize(
    "leaked",
    [
        f'<tool_call>{{"name": "search", "arguments": {ARGUMENTS}}}</tool_call>',
        f'[TOOL_CALLS][{{"name": "search", "arguments": {ARGUMENTS}}}]',
        f"search[ARGS]{ARGUMENTS}",
        "<function=search><parameter=query>rent</parameter></function>",
        f"<｜tool▁call▁begin｜>search<｜tool▁sep｜>{ARGUMENTS}<｜tool▁call▁end｜>",
        '<function_calls><invoke name="search"><parameter name="query">rent</parameter></invoke></function_calls>',
    ],
)
def test_7_calls_written_into_the_text(leaked: str) -> None:
    turn = streamed(*(delta(content=leaked[at : at + 5]) for at in range(0, len(leaked), 5)), STOP)
    assert calls(turn) == [RENT]
    assert not turn.message.text


def test_8_refused_tools_are_remembered_and_not_offered_again() -> None:
    refusal = Turn(status=400, body='{"error": {"message": "m does not support tools"}}')
    with ScriptedEndpoint([refusal, Turn(text="Monthly.")]) as endpoint:
        chat = client(endpoint.base_url)
        for _ in range(2):
            with pytest.raises(ToolsRefused, match="tools"):
                ended(chat)
        assert ended(chat, tools=()).message.text == "Monthly."
        assert len(endpoint.requests) == 2


def test_9_no_tool_choice_is_demanded() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url))
        assert "tool_choice" not in endpoint.requests[0].body


def test_10_schemas_are_not_strict() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url))
        assert "strict" not in json.dumps(endpoint.requests[0].body)


def test_11_call_ids_are_nine_letters_and_digits() -> None:
    turn = streamed(call(ARGUMENTS, call_id="toolu_01-not-ours-and-much-longer-than-forty-characters"), CALLED)
    (made,) = turn.message.tool_calls
    assert len(made.id) == 9
    assert made.id.isalnum()


@pytest.mark.parametrize(
    ("name", "words", "check"),
    [
        ("tool then user", "Unexpected role 'user' after role 'tool'", "order"),
        ("tools missing", "Requests which include `tool_use` blocks must define tools", "tools"),
        ("tools expected", "Anthropic expects the `tools=` param to be passed in", "tools"),
        ("name missing", "function_response.name: Name cannot be empty.", "name"),
        ("null content", "messages.2.content: Input should be a valid string", "content"),
    ],
)
def test_12_strict_histories_are_learned(name: str, words: str, check: str) -> None:
    refused = {
        "order": lambda r: "tool, user" in ", ".join(map(str, roles(r))),
        "tools": lambda r: not r.tool_names,
        "name": lambda r: any(m["role"] == "tool" and not m.get("name") for m in r.messages),
        "content": lambda r: any(m.get("content") is None for m in r.messages),
    }[check]
    with ScriptedEndpoint(refusing(refused, words)) as endpoint:
        chat = client(endpoint.base_url)
        for _ in range(2):
            assert ended(chat, *history(aside=True), tools=()).message.text == "Monthly.", name
        assert len(endpoint.requests) == 3  # refused once, then never
        assert "Answer now." in json.dumps(endpoint.requests[-1].messages)


def test_12_an_empty_message_of_the_model_is_not_sent() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url), QUESTION, AssistantMessage(""), UserMessage("And?"))
        assert roles(endpoint.requests[0]) == ["user", "user"]


@pytest.mark.parametrize(
    ("words", "check"),
    [
        ("System role not supported", "system"),
        ("Developer instruction is not enabled for models/gemma-3", "system"),
        ("Conversation roles must alternate user/assistant/user/assistant/...", "alternate"),
    ],
)
def test_13_one_system_message_or_none_and_roles_in_turn(words: str, check: str) -> None:
    refused = {
        "system": lambda r: "system" in roles(r),
        "alternate": lambda r: any(a == b for a, b in zip(roles(r), roles(r)[1:], strict=False)),
    }[check]
    messages = (SystemMessage("Be brief."), SystemMessage("Cite."), UserMessage("Hello."), QUESTION)
    with ScriptedEndpoint(refusing(refused, words)) as endpoint:
        assert ended(client(endpoint.base_url), *messages).message.text == "Monthly."
        assert roles(endpoint.requests[0]) == ["system", "user", "user"]
        sent = json.dumps(endpoint.requests[-1].messages)
        assert all(part in sent for part in ("Be brief.", "Cite.", "Hello.", "When is"))


def test_14_parallel_calls_are_not_asked_for_and_all_come() -> None:
    made = [Call("search", ARGUMENTS), Call("open"), Call("search", ARGUMENTS)]
    with ScriptedEndpoint([Turn(calls=made, style=CallStyle.ALL_AT_ONCE)]) as endpoint:
        assert [name for name, _ in calls(ended(client(endpoint.base_url)))] == ["search", "open", "search"]
        assert "parallel_tool_calls" not in endpoint.requests[0].body


# Framing of the stream


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


# Context


def test_24_an_overflow_is_not_repeated_and_its_window_is_learned() -> None:
    words = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."
    with ScriptedEndpoint([Turn(status=400, body=json.dumps({"error": {"message": words}}))] * 2) as endpoint:
        chat = client(endpoint.base_url)
        with pytest.raises(ContextOverflow, match="4096"):
            ended(chat)
        assert len(endpoint.requests) == 1
        assert chat.context_window == 4096


def test_25_a_silently_shortened_prompt_is_found_out() -> None:
    question = UserMessage("The rent is due on the third day of each month. " * 600)
    loaded = json.dumps({"models": [{"name": "m", "model": "m", "context_length": 4096}]})
    turn = Turn(text="I see no question.", usage=(4_090, 5))
    with ScriptedEndpoint([turn], pages={"/api/ps": loaded}) as endpoint:
        chat = client(endpoint.base_url)
        with pytest.raises(PromptTruncated, match=r"read 4,090 of about .* OLLAMA_CONTEXT_LENGTH"):
            ended(chat, question)
        assert chat.context_window == 4096


def test_25_a_prompt_that_was_read_whole_is_not_suspected() -> None:
    question = UserMessage("The rent is due on the third day of each month. " * 600)
    with ScriptedEndpoint([Turn(text="Monthly.", usage=(5_900, 5))]) as endpoint:
        assert ended(client(endpoint.base_url), question).message.text == "Monthly."


@pytest.mark.parametrize(
    "listing",
    [
        {"data": [{"id": "m", "meta": {"n_ctx": 8192}}], "models": [{"name": "other"}]},
        {"data": [{"id": "m", "max_model_len": 8192}]},
        {"data": [{"id": "m", "context_length": 8192}]},
        {"data": [{"id": "m", "loaded_context_length": 8192, "max_context_length": 131072}]},
        {"models": [{"name": "m", "context_length": 8192}]},
    ],
)
def test_26_the_window_is_read_where_the_server_tells_it(listing: Json) -> None:
    with ScriptedEndpoint(models_body=json.dumps(listing)) as endpoint:
        (found,) = list_models(Profile("test", endpoint.base_url, "m"), "", (endpoint.base_url,), Stop())
    assert (found.id, found.context_window) == ("m", 8192)


# Errors and connection


def test_27_a_rate_limit_waits_visibly_and_stop_ends_the_wait() -> None:
    busy = Turn(status=429, body='{"error": {"message": "INSUFFICIENT QUOTA"}}', headers={"Retry-After": "60"})
    timeouts = RequestTimeouts(busy=120.0)
    stop = Stop()
    with ScriptedEndpoint([busy]) as endpoint:
        events = OpenAIChat(Profile("test", endpoint.base_url, "m"), "", timeouts).chat(ChatRequest((QUESTION,)), stop)
        waiting = next(events)
        assert isinstance(waiting, RetryDelayed)
        assert (waiting.seconds, waiting.asked) == (60.0, True)
        threading.Timer(0.05, stop.set).start()
        began = time.monotonic()
        with pytest.raises(Stopped):
            next(events)
        assert time.monotonic() - began < 1.0


def test_27_the_user_ends_the_wait() -> None:
    busy = Turn(status=429, body="{}", headers={"Retry-After": "60"})
    request = ChatRequest((QUESTION,))
    with ScriptedEndpoint([busy, Turn(text="Monthly.")]) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.base_url, "m"), "", RequestTimeouts(busy=120.0))
        events = chat.chat(request, Stop())
        next(events)
        request.nudge.give()
        began = time.monotonic()
        *_, last = events
        assert time.monotonic() - began < 10
    assert isinstance(last, TurnEnded)
    assert last.message.text == "Monthly."


def test_27_a_spent_quota_is_final_and_too_long_a_wait_is_told() -> None:
    spent = Turn(status=429, body='{"error": {"message": "no", "code": "insufficient_quota"}}')
    with ScriptedEndpoint([spent]) as endpoint, pytest.raises(ModelRefused, match="credit"):
        ended(client(endpoint.base_url))
    late = Turn(status=429, body="{}", headers={"Retry-After": "7200"})
    with ScriptedEndpoint([late]) as endpoint, pytest.raises(ModelBusy, match="asks to wait 2 hours"):
        ended(client(endpoint.base_url))


@pytest.mark.parametrize("typed", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/models"])
def test_28_the_address_with_and_without_its_version(typed: str) -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")], wrong_path_answers_200=True) as endpoint:
        assert ended(client(endpoint.root_url + typed)).message.text == "Monthly."


def test_29_no_list_of_models_is_needed() -> None:
    with ScriptedEndpoint([Turn(text="ready")], models_body="[]") as endpoint:
        result = probe(Profile("test", endpoint.base_url, "typed-by-hand"), "", Stop())
    assert result.ok
    assert not result.models


def test_30_no_proxy_leads_to_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        assert ended(client(endpoint.base_url.replace("127.0.0.1", "localhost"))).message.text == "Monthly."


def test_31_without_a_key_no_header_and_azure_s_own_one() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url))
        assert "authorization" not in endpoint.requests[0].headers
    with RawEndpoint([stream(WHOLE)]) as raw:
        address = f"{raw.root_url}/openai/deployments/large?api-version=2024-06-01"
        assert address_candidates(address) == (address,)
        ended(OpenAIChat(Profile("Azure", address, "large"), "azure-key-1", HURRIED))
        (request,) = raw.requests
    assert request.start_line == "POST /openai/deployments/large/chat/completions?api-version=2024-06-01 HTTP/1.1"
    assert b"api-key: azure-key-1" in request.headers
    assert b"authorization" not in request.headers.lower()


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "out of paper"}},
        {"error": "out of paper"},
        [{"error": {"message": "out of paper"}}],
        {"detail": "out of paper"},
        {"detail": [{"msg": "out of paper"}]},
        {"message": "out of paper"},
        {"error": {"message": "Provider returned error", "metadata": {"raw": "out of paper"}}},
    ],
)
def test_32_errors_in_every_shape(body: Json) -> None:
    refusal = Turn(status=418, body=json.dumps(body))
    with ScriptedEndpoint([refusal]) as endpoint, pytest.raises(ModelError, match="out of paper"):
        ended(client(endpoint.base_url))


def test_33_leaving_a_turn_closes_the_connection() -> None:
    with ScriptedEndpoint([Turn(text=["Rent ", "is"], hold_text=threading.Event())]) as endpoint:
        events = client(endpoint.base_url).chat(ChatRequest((QUESTION,)), Stop())
        next(events)
        events.close()
        assert endpoint.disconnected.wait(5)


# Beyond the list


def test_a_plain_request_to_a_tls_port_is_explained() -> None:
    page = Turn(status=400, body="<html>The plain HTTP request was sent to HTTPS port</html>")
    with ScriptedEndpoint([page]) as endpoint, pytest.raises(ModelUnreachable, match="https://"):
        ended(client(endpoint.base_url))


def test_a_refusal_is_shown() -> None:
    assert streamed(delta(refusal="I cannot "), delta(refusal="help."), STOP).message.text == "I cannot help."
