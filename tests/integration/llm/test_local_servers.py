"""Servers on this computer are found at the ports that are asked, and nothing else is connected to."""

import json
import socket
from urllib.parse import urlsplit

import pytest

from desktop_rag.errors import Stopped
from desktop_rag.llm.local_servers import LocalServer, find_servers
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint


def port_of(endpoint: ScriptedEndpoint) -> int:
    port = urlsplit(endpoint.base_url).port
    assert port is not None
    return port


def unused_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def test_the_models_that_can_chat_are_listed() -> None:
    body = json.dumps({"object": "list", "data": [{"id": "qwen3:8b"}, {"id": "nomic-embed-text"}, {"id": "llama3.2"}]})
    with ScriptedEndpoint([], models_body=body) as endpoint:
        port = port_of(endpoint)
        found = list(find_servers(Stop(), ((port, "Ollama"), (unused_port(), "LM Studio"))))
        assert found == [LocalServer("Ollama", f"http://127.0.0.1:{port}/v1", ("qwen3:8b", "llama3.2"))]
        assert endpoint.requests == []  # no question was sent


def test_servers_that_share_a_port_are_told_apart() -> None:
    listing = json.dumps({"object": "list", "data": [{"id": "tiny"}]})
    with (
        ScriptedEndpoint([], models_body=listing, pages={"/system": '{"loaded_models": []}'}) as local_ai,
        ScriptedEndpoint([], models_body="{}", pages={"/api/v1/models": listing}) as lemonade,
    ):
        ports = ((port_of(local_ai), "llama.cpp"), (port_of(lemonade), "vLLM"))
        found = {server.name: server.address for server in find_servers(Stop(), ports)}
    assert found == {
        "LocalAI": f"http://127.0.0.1:{ports[0][0]}/v1",
        "Lemonade": f"http://127.0.0.1:{ports[1][0]}/api/v1",
    }


@pytest.mark.parametrize(
    "body",
    [
        '{"object": "list", "data": []}',
        "no JSON",
        '{"object": "list", "data": [{"id": "text-embedding-3"}]}',
        "[" * 9_000,
        '{"models": [{"name": "Volvo V60"}]}',  # another program has other models
        '[{"id": "sofa"}]',
        '{"object": "list", "data": ["table", {"id": 7}]}',
    ],
)
def test_a_program_that_lists_no_chat_model_is_no_server(body: str) -> None:
    with ScriptedEndpoint([], models_body=body) as endpoint:
        assert list(find_servers(Stop(), ((port_of(endpoint), "Something"),))) == []


def test_a_server_that_wants_a_key_is_shown() -> None:
    with ScriptedEndpoint([], key="secret-key") as endpoint:
        (found,) = find_servers(Stop(), ((port_of(endpoint), "vLLM"),))
        assert found == LocalServer("vLLM", f"http://127.0.0.1:{port_of(endpoint)}/v1", (), "key")


def test_an_ollama_without_models_is_shown() -> None:
    pages = {"/api/version": '{"version": "0.17.4"}'}
    with ScriptedEndpoint([], models_body='{"object": "list", "data": null}', pages=pages) as endpoint:
        (found,) = find_servers(Stop(), ((port_of(endpoint), "Ollama"),))
        assert found == LocalServer("Ollama", f"http://127.0.0.1:{port_of(endpoint)}/v1", (), "model")


def test_a_port_that_says_nothing_does_not_outlive_a_stop() -> None:
    stop = Stop()
    with (
        socket.socket() as silent,
        ScriptedEndpoint([], models_body='{"object": "list", "data": [{"id": "tiny"}]}') as endpoint,
    ):
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        ports = ((silent.getsockname()[1], "Silent"), (port_of(endpoint), "Ollama"))
        servers = find_servers(stop, ports)
        assert next(servers).name == "Ollama"
        stop.set()
        with pytest.raises(Stopped):
            next(servers)
