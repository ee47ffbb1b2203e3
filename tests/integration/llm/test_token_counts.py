"""What an endpoint counts corrects the estimates of later requests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from desktop_rag.llm import tokens
from desktop_rag.llm.chat import ChatRequest, TokenUsage, ToolSpec, TurnEnded, UserMessage
from desktop_rag.llm.dialect import Dialect
from desktop_rag.llm.endpoint_traits import LLAMA_CPP, VLLM
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.tokens import count_prompt
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn


def usage_of(chat: OpenAIChat, question: UserMessage) -> TokenUsage:
    *_, last = chat.chat(ChatRequest((question,)), Stop())
    assert isinstance(last, TurnEnded)
    return last.usage


def test_estimates_follow_the_counts_of_the_endpoint() -> None:
    long = UserMessage("The rent is due on the first day of each month. " * 60)
    estimated = tokens.of_request((long,))
    counted = Turn(text=["Yes."], usage=(round(estimated * 1.4), 2))
    with ScriptedEndpoint([counted, Turn(text=["Yes."], usage=None)]) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "")
        before = chat.count_tokens(long.text)
        usage_of(chat, long)
        assert chat.count_tokens(long.text) == pytest.approx(before * 1.4, rel=0.02)
        usage = usage_of(chat, long)
    assert usage.estimated
    assert usage.prompt == pytest.approx(estimated * 1.4, rel=0.02)


class _Tokenizer(BaseHTTPRequestHandler):
    """The page `/tokenize` as vLLM documents it; every other page is missing."""

    asked: ClassVar[list[dict[str, object]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = self.path == "/tokenize"
        self.asked.append(body)
        page = json.dumps({"count": 1_234, "max_model_len": 8_192, "tokens": []} if found else {}).encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_vllm_counts_messages_and_tools() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Tokenizer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        profile = Profile("test", f"http://127.0.0.1:{server.server_port}/v1", "m")
        request = ChatRequest((UserMessage("When is the rent due?"),), (ToolSpec("search", "Finds.", "{}"),))
        body = Dialect(profile).body(request)
        counts = [count_prompt(profile, "", profile.base_url, kind, body, Stop()) for kind in (VLLM, LLAMA_CPP, "")]
        server.shutdown()
    assert counts == [1_234, 0, 0]  # a page that is missing counts nothing
    asked = _Tokenizer.asked[0]
    assert asked == {
        "model": "m",
        "messages": body["messages"],
        "tools": body["tools"],
        "add_generation_prompt": True,
    }


def test_a_server_that_does_not_count_is_asked_all_the_same() -> None:
    """What it is may change behind its address."""
    long = UserMessage("The rent is due on the first day of each month. " * 60)
    with ScriptedEndpoint([Turn(text=["Yes."])]) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "")
        chat.note_server(LLAMA_CPP)
        assert not usage_of(chat, long).estimated
