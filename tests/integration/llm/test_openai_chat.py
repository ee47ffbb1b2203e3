"""The client against a real server on loopback: formats, retries, rate limits."""

import json
import logging
import socket
from collections.abc import Iterable

import pytest

from desktop_rag.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
    ServerFailed,
    StreamCut,
    ToolsRefused,
)
from desktop_rag.llm.chat import (
    STILL_RUNNING,
    ChatEvent,
    ChatRequest,
    Message,
    ReasoningDelta,
    RetryDelayed,
    TextDelta,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, CallStyle, ScriptedEndpoint, Turn

SEARCH = ToolSpec("search", "Searches.", '{"type": "object", "properties": {"query": {"type": "string"}}}')
HURRIED = RequestTimeouts(connect=5.0, first_token=20.0, idle=20.0, retry_delays=(0.0, 0.0), busy=0.05)


def model(endpoint: ScriptedEndpoint, key: str = "", timeouts: RequestTimeouts = HURRIED) -> OpenAIChat:
    return OpenAIChat(Profile("test", endpoint.base_url, "scripted"), key, timeouts)


def request(*messages: Message, tools: Iterable[ToolSpec] = (SEARCH,)) -> ChatRequest:
    return ChatRequest(messages or (UserMessage("When is the rent due?"),), tuple(tools))


def ended(events: Iterable[ChatEvent]) -> TurnEnded:
    *_, last = events
    assert isinstance(last, TurnEnded)
    return last


def ask(endpoint: ScriptedEndpoint, key: str = "") -> TurnEnded:
    return ended(model(endpoint, key).chat(request(), Stop()))


def test_text_and_reasoning_arrive_as_deltas_and_whole() -> None:
    with ScriptedEndpoint([Turn(reasoning=["Let me ", "think."], text=["Rent is ", "due monthly."])]) as endpoint:
        events = [each for each in model(endpoint).chat(request(), Stop()) if each != STILL_RUNNING]
    assert events[:4] == [
        ReasoningDelta("Let me "),
        ReasoningDelta("think."),
        TextDelta("Rent is "),
        TextDelta("due monthly."),
    ]
    last = ended(events)
    assert (last.message.text, last.message.reasoning) == ("Rent is due monthly.", "Let me think.")
    assert (last.usage.prompt, last.usage.completion, last.usage.estimated) == (100, 10, False)
    assert last.reason == "stop"


@pytest.mark.parametrize("style", CallStyle)
def test_two_tool_calls_stay_apart_in_every_style(style: CallStyle) -> None:
    calls = [Call("search", '{"query": "rent"}'), Call("search", '{"query": "notice period"}')]
    with ScriptedEndpoint([Turn(text="I will search.", calls=calls, style=style)]) as endpoint:
        last = ask(endpoint)
    assert [(call.name, json.loads(call.arguments)) for call in last.message.tool_calls] == [
        ("search", {"query": "rent"}),
        ("search", {"query": "notice period"}),
    ]
    assert last.reason == "tools"
    assert all(len(call.id) == 9 and call.id.isalnum() for call in last.message.tool_calls)


@pytest.mark.parametrize("reason", ["stop", "end", "function_call", None])
def test_calls_count_with_any_finish_reason(reason: str | None) -> None:
    with ScriptedEndpoint([Turn(calls=[Call("search", "")], finish_reason=reason)]) as endpoint:
        last = ask(endpoint)
    assert last.reason == "tools"
    assert last.message.tool_calls[0].arguments == "{}"


def test_the_next_request_repeats_the_message_with_its_reasoning() -> None:
    script = [Turn(reasoning="Search first.", calls=[Call("search", '{"query": "rent"}')]), Turn(text="Monthly.")]
    with ScriptedEndpoint(script) as endpoint:
        chat = model(endpoint)
        first = ended(chat.chat(request(), Stop())).message
        answer = ToolMessage(first.tool_calls[0].id, "search", "Rent is due monthly.")
        ended(chat.chat(request(UserMessage("When?"), first, answer), Stop()))
    _, assistant, tool = endpoint.requests[1].messages
    assert assistant["reasoning_content"] == "Search first."
    assert tool == {"role": "tool", "tool_call_id": first.tool_calls[0].id, "content": "Rent is due monthly."}
    assert endpoint.requests[0].tool_names == ["search"]


def test_missing_usage_is_estimated_and_marked() -> None:
    with ScriptedEndpoint([Turn(text="Rent is due monthly.", usage=None)]) as endpoint:
        usage = ask(endpoint).usage
    assert usage.estimated
    assert usage.prompt > 10
    assert usage.completion > 3


def test_a_refused_usage_option_is_dropped_and_remembered() -> None:
    refuses = {"stream_options": "Unrecognized request argument supplied: stream_options"}
    with ScriptedEndpoint([Turn(text="One."), Turn(text="Two.")], refuses=refuses) as endpoint:
        chat = model(endpoint)
        assert ended(chat.chat(request(), Stop())).message.text == "One."
        assert ended(chat.chat(request(), Stop())).message.text == "Two."
    assert ["stream_options" in seen.body for seen in endpoint.requests] == [True, False, False]


def test_refused_parameters_are_replaced_or_left_out() -> None:
    refuses = {
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "temperature": "Unsupported value: 'temperature' does not support 0.2 with this model.",
    }
    with ScriptedEndpoint([Turn(text="Fine.")], refuses=refuses) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", temperature=0.2)
        assert ended(OpenAIChat(profile, "", HURRIED).chat(request(), Stop())).message.text == "Fine."
    assert endpoint.requests[-1].body["max_completion_tokens"] == 2048
    assert "temperature" not in endpoint.requests[-1].body


def test_refused_tools_are_named_as_the_reason() -> None:
    body = '{"error": {"message": "registry.example/gemma does not support tools"}}'
    with ScriptedEndpoint([Turn(status=400, body=body)]) as endpoint, pytest.raises(ToolsRefused, match="accept tools"):
        ask(endpoint)


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
@pytest.mark.parametrize("answers_200", [False, True])
def test_the_address_works_with_and_without_its_version(suffix: str, answers_200: bool) -> None:
    with ScriptedEndpoint([Turn(text="Here.")], wrong_path_answers_200=answers_200) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.root_url + suffix, "scripted"), "", HURRIED)
        assert ended(chat.chat(request(), Stop())).message.text == "Here."
        assert chat.address == endpoint.base_url


def test_an_address_that_is_no_chat_endpoint_is_reported() -> None:
    with ScriptedEndpoint(wrong_path_answers_200=True) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.root_url + "/wrong", "scripted"), "", HURRIED)
        with pytest.raises(ModelUnreachable, match=r"/wrong answered.*Unexpected endpoint.*Also tried.*/wrong/v1"):
            list(chat.chat(request(), Stop()))


def test_a_web_page_is_no_answer() -> None:
    page = "<!doctype html><title>Router</title><p>Please log in"
    with (
        ScriptedEndpoint([Turn(body=page), Turn(body=page)]) as endpoint,
        pytest.raises(ModelUnreachable, match="Router"),
    ):
        ask(endpoint)


def test_a_server_that_does_not_stream_is_understood() -> None:
    call = {"id": "x", "type": "function", "function": {"name": "search", "arguments": '{"query": "rent"}'}}
    message = {"role": "assistant", "content": "Looking.", "tool_calls": [call]}
    body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})
    with ScriptedEndpoint([Turn(body=body)]) as endpoint:
        last = ask(endpoint)
    assert last.message.text == "Looking."
    assert last.message.tool_calls[0].arguments == '{"query": "rent"}'


def test_the_key_is_sent_as_bearer_and_an_empty_one_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-from-the-environment")
    with ScriptedEndpoint([Turn(text="1"), Turn(text="2")]) as endpoint:
        ask(endpoint, "sk-mine")
        ask(endpoint)
    with_key, without = (seen.headers for seen in endpoint.requests)
    assert with_key["authorization"] == "Bearer sk-mine"
    assert set(with_key) - set(without) == {"authorization"}
    assert not [name for name in without if name.startswith(("x-", "openai-"))]


@pytest.mark.parametrize(
    ("status", "body", "error", "words"),
    [
        (401, '{"error": {"message": "bad key"}}', ModelRefused, "401: bad key"),
        (403, '{"detail": "no access"}', ModelRefused, "no access"),
        (402, "{}", ModelRefused, "credit"),
        (429, '{"error": {"message": "pay", "code": "insufficient_quota"}}', ModelRefused, "credit"),
        (
            404,
            '{"error": {"message": "model \\"scripted\\" not found, try pulling it first"}}',
            ModelMissing,
            "pulling",
        ),
        (400, '[{"error": {"message": "Model does not exist", "code": 400}}]', ModelMissing, "Model does not exist"),
        (400, '{"error": "This model\'s maximum context length is 4096 tokens."}', ContextOverflow, "4096"),
        (413, "", ContextOverflow, "413"),
        (422, '{"detail": [{"msg": "odd field"}]}', ModelError, "odd field"),
    ],
)
def test_an_error_status_becomes_a_sentence(status: int, body: str, error: type[ModelError], words: str) -> None:
    with ScriptedEndpoint([Turn(status=status, body=body)]) as endpoint, pytest.raises(error, match=words) as caught:
        ask(endpoint, "sk-key")
    assert type(caught.value) is error
    assert "127.0.0.1" in str(caught.value)
    assert len(endpoint.requests) == 1


def test_a_key_in_the_error_body_is_not_repeated() -> None:
    with (
        ScriptedEndpoint([Turn(status=401, body='{"message": "sk-secret is wrong"}')]) as endpoint,
        pytest.raises(ModelRefused) as caught,
    ):
        ask(endpoint, "sk-secret")
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 305, 307, 308, 399])
def test_no_redirect_is_followed(status: int) -> None:
    with ScriptedEndpoint([Turn(text="stolen")]) as thief:
        headers = {"Location": thief.base_url + "/chat/completions"}
        with (
            ScriptedEndpoint([Turn(status=status, body="", headers=headers)]) as endpoint,
            pytest.raises(
                ModelUnreachable, match=rf"redirects to .*\({status}\)\. Put the final address into the settings\."
            ),
        ):
            ask(endpoint, "sk-secret")
    assert thief.all_requests == []


def test_a_server_error_is_retried_with_backoff() -> None:
    with ScriptedEndpoint([Turn(status=502, body="Bad Gateway"), Turn(cut=True), Turn(text="Back.")]) as endpoint:
        assert ask(endpoint).message.text == "Back."


def test_retries_end() -> None:
    with (
        ScriptedEndpoint([Turn(status=500, body="no")] * 3) as endpoint,
        pytest.raises(ServerFailed, match="500: no") as caught,
    ):
        ask(endpoint)
    assert len(endpoint.requests) == 3
    assert caught.value.title == "The model reports a failure"


def test_a_rate_limit_is_retried_after_the_requested_time() -> None:
    busy = Turn(
        status=429, body='{"error": {"message": "INSUFFICIENT QUOTA for now"}}', headers={"Retry-After": "0.01"}
    )
    with ScriptedEndpoint([busy, Turn(text="Now.")]) as endpoint:
        delayed, *_, last = model(endpoint).chat(request(), Stop())
        assert isinstance(delayed, RetryDelayed)
        assert (delayed.seconds, delayed.reason, delayed.asked) == (0.01, "The model limits your requests", True)
        assert isinstance(last, TurnEnded)
        assert last.message.text == "Now."


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(121, "2 minutes"), (3_600, "1 hour"), (5_400, "90 minutes"), (7_200, "2 hours"), (86_400, "1 day")],
)
def test_too_long_a_rate_limit_is_reported(seconds: int, told: str) -> None:
    busy = Turn(status=429, body="{}", headers={"Retry-After": str(seconds)})
    with ScriptedEndpoint([busy]) as endpoint, pytest.raises(ModelBusy, match=f"asks to wait {told}\\.") as caught:
        ask(endpoint)
    assert caught.value.retry_after == seconds


def test_a_cut_connection_keeps_what_came_and_is_not_retried() -> None:
    seen: list[ChatEvent] = []
    with (
        ScriptedEndpoint([Turn(text=["Rent is ", "due <thi"], cut=True), Turn(text="Again.")]) as endpoint,
        pytest.raises(StreamCut, match="closed the connection"),
    ):
        collect(model(endpoint), seen)
    assert seen == [TextDelta("Rent is "), TextDelta("due <thi")]
    assert len(endpoint.requests) == 1


def collect(chat: OpenAIChat, into: list[ChatEvent]) -> None:
    for event in chat.chat(request(), Stop()):
        into.append(event)  # noqa: PERF402  # extend() would lose what came before an error


def test_an_end_without_a_reason_is_a_cut_answer() -> None:
    with (
        ScriptedEndpoint([Turn(text="Rent is", finish_reason="", done=False)]) as endpoint,
        pytest.raises(StreamCut, match="in the middle"),
    ):
        ask(endpoint)


@pytest.mark.parametrize(("reason", "done"), [("", True), ("stop", False)])
def test_either_end_mark_is_enough(reason: str, done: bool) -> None:
    with ScriptedEndpoint([Turn(text="Monthly.", finish_reason=reason, done=done)]) as endpoint:
        assert ask(endpoint).message.text == "Monthly."


def test_an_error_inside_the_stream_is_not_an_answer() -> None:
    seen: list[ChatEvent] = []
    with (
        ScriptedEndpoint([Turn(text="Rent", error="upstream overloaded")]) as endpoint,
        pytest.raises(StreamCut, match="upstream overloaded"),
    ):
        collect(model(endpoint), seen)
    assert seen == [TextDelta("Rent")]


def test_an_error_at_once_with_status_200_is_classified() -> None:
    message = "the request exceeds the available context size, try increasing it"
    with ScriptedEndpoint([Turn(error=message)]) as endpoint, pytest.raises(ContextOverflow, match="available context"):
        ask(endpoint)


def test_comments_keepalives_and_chunks_without_choices_are_skipped() -> None:
    lines = [
        ": OPENROUTER PROCESSING\r\n\r\n",
        'data: {"choices": [], "prompt_filter_results": []}\r\n\r\n',
        'data: {"choices": [{"index": 0, "delta": {"content": "Monthly\u2028."}}]}\r\n\r\n',
        'data: {"choices": [{"index": 0}]}\n\n',
        'data: {"choices": [{"finish_reason": "stop", "usage": {"prompt_tokens": 7, "completion_tokens": 2}}]}\n\n',
        'data: {"choices": [], "usage": null}',
    ]
    with ScriptedEndpoint([Turn(chunks=lines)]) as endpoint:
        last = ask(endpoint)
    assert last.message.text == "Monthly\u2028."
    assert (last.usage.prompt, last.usage.completion) == (7, 2)


def test_a_refused_connection_is_explained() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        chat = OpenAIChat(Profile("test", f"http://127.0.0.1:{port}", "scripted"), "", HURRIED)
        with pytest.raises(ModelUnreachable, match=f"Nothing answers at 127.0.0.1:{port}"):
            list(chat.chat(request(), Stop()))


def test_an_unusable_address_says_what_one_looks_like() -> None:
    with pytest.raises(ModelUnreachable, match="should look like"):
        list(OpenAIChat(Profile("test", "ftp://example", "scripted"), "", HURRIED).chat(request(), Stop()))


def test_a_proxy_is_never_used_on_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with ScriptedEndpoint([Turn(text="Direct.")]) as endpoint:
        assert ask(endpoint).message.text == "Direct."


def test_a_proxy_is_used_for_other_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedEndpoint() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.root_url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        chat = OpenAIChat(Profile("test", "http://models.example/v1", "scripted"), "", HURRIED)
        with pytest.raises(ModelUnreachable):
            list(chat.chat(request(), Stop()))
        assert proxy.all_requests[0].path == "http://models.example/v1/chat/completions"


def test_nothing_private_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedEndpoint([Turn(text="The answer is forty-two.")]) as endpoint:
        ended(model(endpoint, "sk-secret").chat(request(UserMessage("What is in my diary?")), Stop()))
    for private in ("sk-secret", "diary", "forty-two"):
        assert private not in caplog.text


def test_a_bad_ca_file_is_named() -> None:
    chat = OpenAIChat(Profile("test", "https://127.0.0.1:1", "scripted", ca_file="/no/such.pem"), "", HURRIED)
    with pytest.raises(ModelUnreachable, match=r"/no/such\.pem"):
        list(chat.chat(request(), Stop()))
