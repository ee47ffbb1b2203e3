import json
import socket
import ssl
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from desktop_rag.llm.failures import (
    EXCERPT_CHARACTERS,
    ChatEndpoint,
    Retry,
    error_text,
    from_exception,
    from_status,
    from_stream,
    retry_after,
)

ENDPOINT = ChatEndpoint("https://user:pass@models.example:8443/v1", "large", "sk-secret")


NO_ROOM = "The model does not fit into the server's memory"


def classify(status: int, message: str, code: str = "") -> ModelError:
    return from_status(status, {}, json.dumps({"error": {"message": message, "code": code}}), ENDPOINT).error


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "a"}}, "a"),
        ({"error": "a"}, "a"),
        ([{"error": {"message": "a"}}], "a"),
        ({"detail": "a"}, "a"),
        ({"detail": [{"msg": "a"}, {"msg": "b"}]}, "a; b"),
        ({"detail": [{"loc": ["body", "tools", 0], "msg": "no"}]}, "body.tools.0: no"),
        ({"message": "a"}, "a"),
        (
            {"error": {"message": "Provider returned error", "metadata": {"raw": "too long"}}},
            "Provider returned error too long",
        ),
        ({"error": None}, ""),
        ([], ""),
        ("a", ""),
    ],
)
def test_the_message_is_found_in_every_shape(body: object, message: str) -> None:
    assert error_text(body)[0] == message


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Your input exceeds the context window of this model.",
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "Please reduce the length of the messages or completion.",
        "This endpoint's maximum context length is 163840 tokens. However, you requested about 200000 tokens.",
        "the request exceeds the available context size, try increasing it",
        "tokens to keep from the initial prompt is greater than the context length",
        "Prompt contains 140000 tokens, too large for model with 131072 maximum context length",
        "Invalid request: Your request exceeded model token limit: 262144",
        "invalid params, context window exceeds limit",
        "request_too_large: Request exceeds the maximum size",
        "Input is too long for requested model.",
        "model_context_window_exceeded",
        "Input length (9000) exceeds the maximum allowed input length of 8192 tokens.",
        "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        "prompt token count of 130000 exceeds the limit of 128000",
        "prompt too long; exceeded max context length by 900 tokens",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081",
        "Range of input length should be [1, 30720]",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "Requested tokens (5000) exceed context window of 4096",
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context "
        "length of only 4096 tokens",
        "prompt length (5000) exceeds maximum input length (4096)",
        "The prompt size exceeds the context window size and cannot be processed.",
        "Input length 10000 exceeds the maximum length 4096",
        "Prompt 超长",
        "Requested token count exceeds the model's maximum context length of 4096 tokens.",
        "token limit exceeded",
        "Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)",
        "Prompt exceeds max length",
        "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
        "The number of input and maximum output tokens (5000) exceeded this model context window limit (4096).",
        "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
        "The input token count is 40000 but model only supports up to 32768",
        "Prompt length 5000 is greater than max_seq_len 4096",
        "rpc error: code = Internal desc = context size exceeded",
        "total message token length exceed model limit",
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
        "Total tokens of image and text exceed max message tokens",
        "The request was too large: input tokens 9000 > limit 8192",
        "input is too large to process. increase the physical batch size",
        "tokens 超过上限",
        "Request exceeds the maximum size: 1048576 tokens",
        "The prompt is longer than the maximum number of tokens: 4096",
        "too many input tokens: 9000 > 8192",
        "Requested 9000 tokens but the context has 8192",
        "Token limit reached: context window is 4096",
        "Input prompt (9000 tokens) is too long and exceeds limit of 8192",
        "sequence length 9000 is larger than max_seq_len 8192",
        "input_tokens must be less than max_context_length 4096",
        "Conversation is too long, please start a new chat",
    ],
)
def test_every_known_text_for_too_long_is_an_overflow(message: str) -> None:
    assert type(classify(400, message)) is ContextOverflow


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (500, "tools param requires --jinja flag"),
        (500, "Unsupported param: tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (404, "No endpoints found that support tool use."),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
        (400, "Unrecognized request argument supplied: tools"),
        (400, "Function calling is not enabled for models/gemma-3-27b-it"),
        (400, "This model does not support function calling."),
        (400, "This model doesn't support tool use."),
        (400, "ollama does not support parameters: ['tools'], for model=gemma"),
        (400, "property 'tools' is unsupported"),
        (400, "Additional properties are not allowed ('tools' was unexpected)"),
        (400, "Tool calling not supported"),
        (422, "body.tools: Extra inputs are not permitted"),
        (500, "Cannot use tools with stream"),
        (500, "This model's chat template does not support tools"),
        (400, "该模型不支持工具调用"),
        (422, "tools: Extra inputs are not permitted"),
        (400, "[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs are not permitted'}]"),
        (400, "tool calls are disabled for this deployment"),
        (400, "No tool support for model"),
        (400, "This model is not capable of tool calling"),
        (400, "The chat template for this model does not include tool support"),
        (400, "Function calling is disabled"),
        (400, "Tools are currently unavailable for this deployment"),
        (501, "This endpoint does not implement tools"),
        (500, "Tool calls require a chat template with tool support"),
        (400, "Tool calling only works with instruct models"),
        (400, "unsupported_tools"),
        (400, "model_features_not_supported: tools"),
    ],
)
def test_every_known_text_for_no_tools_is_understood(status: int, message: str) -> None:
    assert type(classify(status, message)) is ToolsRefused


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens is too large: 32000. This model supports at most 16384 completion tokens.",
        "max_tokens cannot exceed 8192",
        "max_completion_tokens exceeds the maximum limit of 8192",
        "This model only supports up to 4096 completion tokens",
        "tool_choice 'required' is not supported with this model",
        "Invalid value for 'temperature'",
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        "Missing required parameter: 'tools[0].function.name'.",
        "Unexpected role 'user' after role 'tool'",
    ],
)
def test_other_refusals_are_neither_overflow_nor_about_tools(message: str) -> None:
    assert type(classify(400, message)) is ModelError


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (404, "The model `large` does not exist or you do not have access to it.", "model_not_found"),
        (404, "model 'large' not found", ""),
        (400, "large is not a valid model ID", ""),
        (400, "No models loaded. Please load a model.", ""),
        (404, "models/large is not found for API version v1main.", ""),
        (404, "The API deployment for this resource does not exist.", "DeploymentNotFound"),
        (404, "No endpoints found for large.", ""),
        (400, "The requested model 'large' is not supported.", ""),
        (410, "The model `large` has been deprecated", "model_deprecated"),
        (400, "The model `large` has been decommissioned and is no longer supported.", ""),
    ],
)
def test_every_known_text_for_an_unknown_model_is_understood(status: int, message: str, code: str) -> None:
    error = classify(status, message, code)
    assert type(error) is ModelMissing
    assert "“large”" in str(error)


def test_a_spent_quota_is_recognised_by_its_code() -> None:
    assert type(classify(429, "You exceeded your current quota", "insufficient_quota")) is ModelRefused
    assert type(classify(429, "INSUFFICIENT QUOTA, please wait")) is ModelBusy


@pytest.mark.parametrize(
    ("status", "message", "title"),
    [
        (500, "Internal error", "The model reports a failure"),
        (502, "Bad gateway", "The model reports a failure"),
        (500, "The server is overloaded, please retry", "The model is overloaded"),
        (503, "", "The model is overloaded"),
        (529, "overloaded_error", "The model is overloaded"),
        (504, "Gateway time-out", "The model took too long"),
        (429, "slow down", "The model limits your requests"),
        (401, "bad key", "The key was refused"),
        (402, "pay", "The account has no credit left"),
        (403, "not for you", "The key may not use this model"),
        (400, "temperature is too hot", "The model did not accept the request"),
        (404, "no such page", "No model at this address"),
        (307, "", "The model has another address"),
        (400, "API key not valid. Please pass a valid API key.", "The key was refused"),
        (400, "Your credit balance is too low to access the API.", "The account has no credit left"),
        (500, "model requires more system memory (5.6 GiB) than is available (3.2 GiB)", NO_ROOM),
        (500, "CUDA out of memory", NO_ROOM),
    ],
)
def test_an_answer_of_the_endpoint_is_never_headed_cannot_be_reached(status: int, message: str, title: str) -> None:
    assert classify(status, message).title == title


def test_a_loading_server_is_retried() -> None:
    failure = from_status(503, {}, '{"error": {"message": "Loading model", "code": 503}}', ENDPOINT)
    assert failure.retry is Retry.RATE_LIMITED
    assert failure.wait == 1.0


def test_a_message_names_host_and_status_but_neither_key_nor_password() -> None:
    error = classify(401, "Incorrect API key provided: sk-secret")
    assert "models.example:8443" in str(error)
    assert "401" in str(error)
    assert "sk-secret" not in str(error)
    assert "pass" not in str(error)


def test_a_long_body_is_cut() -> None:
    text = str(from_status(500, {}, "<html>" + "x" * 5000, ENDPOINT).error)
    assert "xx…" in text
    assert "x" * EXCERPT_CHARACTERS not in text


@given(st.integers(300, 599), st.text())
def test_any_answer_becomes_a_sentence(status: int, body: str) -> None:
    failure = from_status(status, {}, body, ENDPOINT)
    assert isinstance(failure.error, ModelError)
    assert str(failure.error).endswith((".", "!"))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
    ],
)
def test_retry_after_is_parsed(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("Rate limit reached for gpt-4o. Please try again in 20s. Visit …", 20.0),
        ("Rate limit reached. Please try again in 1m12.5s.", 72.5),
        ("Please try again in 850ms.", 0.85),
        ("Please try again in 2h3m4s.", 7_384.0),
        ("Try again in 6 seconds.", 6.0),
        ("Please retry in 33.4s.", 33.4),
        ("Please try again later.", 0.0),
        ("Please try again in a moment.", 0.0),
    ],
)
def test_the_time_to_wait_may_stand_in_the_text_only(told: str, seconds: float) -> None:
    error = classify(429, told)
    assert isinstance(error, ModelBusy)
    assert error.retry_after == seconds


def test_the_time_to_wait_may_stand_in_googles_details() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "33s"}
    body = [{"error": {"code": 429, "message": "Resource has been exhausted.", "details": [info]}}]
    failure = from_status(429, {}, json.dumps(body), ENDPOINT)
    assert failure.wait == 33.0
    assert from_status(429, {"retry-after": "7"}, json.dumps(body), ENDPOINT).wait == 7.0


def test_retry_after_may_be_a_date() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2065 07:28:00 GMT"}) > 1e6


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "cannot be found"),
        (ConnectionRefusedError(111, "Connection refused"), "Nothing answers"),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), "not trusted"),
        (ssl.SSLError(1, "wrong version number"), "http or https"),
        (OSError(113, "No route to host"), "No route to host"),
    ],
)
def test_the_reason_is_looked_for_in_the_causes(cause: Exception, words: str) -> None:
    error = RuntimeError("Connection error.")
    error.__cause__ = cause
    failure = from_exception(error, ENDPOINT)
    assert isinstance(failure.error, ModelUnreachable)
    assert words in str(failure.error)


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({"code": "429"}, ModelBusy),
        ({"code": 429, "type": "server_error"}, ModelBusy),
        ({"code": "401"}, ModelRefused),
        ({"code": "500"}, ServerFailed),
        ({"code": "rate_limit_exceeded", "type": "tokens"}, ModelBusy),
        ({"code": None, "type": "overloaded_error"}, ModelBusy),
        ({"type": "authentication_error"}, ModelRefused),
        ({"type": "api_error"}, ServerFailed),
        ({"code": "content_policy_violation"}, ModelError),
        ({"code": "9999999999"}, StreamCut),
        ({"code": "9" * 5_000}, StreamCut),
        ({"code": "\u00b2\u00b2\u00b2"}, StreamCut),
        ({"code": True}, StreamCut),
        ({"code": 200, "type": ["server_error"]}, StreamCut),
    ],
)
def test_an_error_in_a_stream_is_what_its_number_or_name_says(told: dict[str, object], error: type[ModelError]) -> None:
    """LiteLLM writes the status in digits, Anthropic and Groq name it."""
    failure = from_stream({"message": "It says no.", **told}, ENDPOINT)
    assert type(failure.error) is error
    assert (failure.retry is Retry.NO) == (error in {ModelRefused, ModelError})
    assert "It says no)" in str(failure.error)


@pytest.mark.parametrize("body", ["x" * 1_000_000, '{"error": "' + "x" * 1_000_000 + '"}', "<" * 1_000_000])
def test_of_a_huge_error_only_the_beginning_is_judged(body: str) -> None:
    """Patterns over 64 KB hold the interpreter for 40 ms, in which the window stands still."""
    began = time.thread_time()
    failure = from_status(500, {}, body, ENDPOINT)
    long = time.thread_time() - began
    assert len(failure.text) < 9_000
    began = time.thread_time()
    from_status(500, {}, body[:8_000], ENDPOINT)
    assert long < 5 * (time.thread_time() - began) + 0.02
