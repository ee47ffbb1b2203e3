"""Known deviations of endpoints called OpenAI-compatible, replayed over real sockets: context, errors, connection.

The numbers are those of the list of deviations that the client is written for.
"""

import json
import re
import threading
import time
from pathlib import Path

import pytest

from desktop_rag.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelUnreachable,
    PromptTruncated,
    Stopped,
)
from desktop_rag.llm.chat import (
    ChatRequest,
    RetryDelayed,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.listed_models import list_models
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.probe import probe
from desktop_rag.llm.transport import RequestTimeouts, address_candidates
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Json, ScriptedEndpoint, Turn
from tests.integration.llm.faults.fault import STOP, WHOLE, delta
from tests.integration.llm.quirk_turns import (
    HURRIED,
    QUESTION,
    client,
    ended,
    streamed,
)
from tests.raw_endpoint import RawEndpoint, stream


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


def test_25_a_prompt_that_exceeds_a_window_learned_before_is_found_out_too() -> None:
    question = UserMessage("The rent is due on the third day of each month. " * 380)
    loaded = json.dumps({"models": [{"name": "m", "model": "m", "context_length": 4096}]})
    turn = Turn(text="Monthly.", usage=(4_096, 5))
    with ScriptedEndpoint([turn] * 2, pages={"/api/ps": loaded}) as endpoint:
        chat = client(endpoint.base_url)
        for _ in range(2):
            with pytest.raises(PromptTruncated, match=r"read 4,096 of about 4,"):
                ended(chat, question)


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
    """Only the message is shown, not the JSON around it."""
    refusal = Turn(status=418, body=json.dumps(body))
    words = r"\(418: (Provider returned error )?out of paper\)"
    with ScriptedEndpoint([refusal]) as endpoint, pytest.raises(ModelError, match=words):
        ended(client(endpoint.base_url))


def test_33_leaving_a_turn_closes_the_connection() -> None:
    with ScriptedEndpoint([Turn(text=["Rent ", "is"], hold_text=threading.Event())]) as endpoint:
        events = client(endpoint.base_url).chat(ChatRequest((QUESTION,)), Stop())
        next(events)
        events.close()
        assert endpoint.disconnected.wait(60)


# Beyond the list


def test_a_plain_request_to_a_tls_port_is_explained() -> None:
    page = Turn(status=400, body="<html>The plain HTTP request was sent to HTTPS port</html>")
    with ScriptedEndpoint([page]) as endpoint, pytest.raises(ModelUnreachable, match="https://"):
        ended(client(endpoint.base_url))


def test_a_refusal_is_shown() -> None:
    assert streamed(delta(refusal="I cannot "), delta(refusal="help."), STOP).message.text == "I cannot help."


def test_every_number_of_the_list_is_replayed() -> None:
    files = Path(__file__).parent.glob("test_quirks_of_*.py")
    found = {int(number) for file in files for number in re.findall(r"^def test_(\d+)_", file.read_text("utf-8"), re.M)}
    assert found == set(range(1, 34))
