"""Finds model servers on this computer, at the ports they usually listen on; connects only when it is called."""

import socket
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from desktop_rag.llm.json_value import as_list, as_object, as_text
from desktop_rag.llm.listed_models import fetch_json, wants_key
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

CONNECT_SECONDS = 0.5
USUAL_PORTS = (
    (11434, "Ollama"),
    (1234, "LM Studio"),
    (8080, "llama.cpp"),  # or LocalAI
    (8000, "vLLM"),  # or Lemonade
    (1337, "Jan"),
    (5001, "KoboldCpp"),
    (4891, "GPT4All"),
)
_LEMONADE_PATH = "/api/v1"
_NO_CHAT = ("embed", "rerank", "whisper")


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, and the models it lists that can chat, as far as their names tell."""

    name: str
    address: str
    models: tuple[str, ...]
    lacks: Literal["", "model", "key"] = ""  # why it lists no models


def find_servers(stop: Stop, ports: Sequence[tuple[int, str]] = USUAL_PORTS) -> Generator[LocalServer]:
    """Yield the servers on these ports of this computer as they answer; raises `Stopped`."""
    with ThreadPoolExecutor(max(1, len(ports)), thread_name_prefix="ports") as pool:
        asked = [pool.submit(_server_at, port, name, stop) for port, name in ports]
        for answered in as_completed(asked):
            stop.check()
            server = answered.result()
            if server is not None:
                yield server


def _chatting(page: object) -> tuple[str, ...]:
    """Return the models of a list in the shape that all these servers have; another page is of another program."""
    fields = as_object(page)
    if fields.get("object") != "list":
        return ()
    names = (as_text(as_object(item).get("id")) for item in as_list(fields.get("data")))
    return tuple(name for name in names if name and not any(word in name.lower() for word in _NO_CHAT))


def _server_at(port: int, name: str, stop: Stop) -> LocalServer | None:
    address = f"http://127.0.0.1:{port}/v1"
    root = address.removesuffix("/v1")
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), CONNECT_SECONDS).close()
        for place in (address, f"{root}{_LEMONADE_PATH}"):
            profile = Profile(name, place, "")
            models = _chatting(fetch_json(profile, "", f"{place}/models", stop))
            if models and place != address:
                return LocalServer("Lemonade", place, models)
            if models:
                is_local_ai = "loaded_models" in as_object(fetch_json(profile, "", f"{root}/system", stop))
                return LocalServer("LocalAI" if is_local_ai else name, place, models)
        if "version" in as_object(fetch_json(profile, "", f"{root}/api/version", stop)):
            return LocalServer("Ollama", address, (), "model")
        if wants_key(profile, f"{address}/models", stop):
            return LocalServer(name, address, (), "key")
    return None
