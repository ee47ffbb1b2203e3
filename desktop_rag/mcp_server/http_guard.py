"""The HTTP middleware of the server: rejects requests without the key or without a message, and says why."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

import anyio
import mcp_types as types
import pydantic_core

from desktop_rag.mcp_server.standard_streams import NO_REQUEST, NOT_JSON
from desktop_rag.processes.loopback import LoopbackKey, is_own_page, is_this_computer

MOST_BODY = 1_000_000  # bytes of a request
MOST_REST, REST_SECONDS = 16 * MOST_BODY, 2.0  # of a refused request that are still taken

Scope = MutableMapping[str, Any]
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
App = Callable[[Scope, _Receive, _Send], Awaitable[None]]


def with_key(app: App, key: str) -> App:
    """Return an ASGI application for requests with this key (`Authorization: Bearer KEY`) from this computer only."""
    expected = LoopbackKey(key)

    async def guarded(scope: Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] == "websocket":
            return  # nothing here uses them; a server that gets no answer refuses the connection
        if scope["type"] == "http":
            given = _headers(scope, b"authorization")
            status, error = 0, ""
            if not is_this_computer(_headers(scope, b"host")):
                status, error = 421, "This server answers only to 127.0.0.1."
            elif not is_own_page(_headers(scope, b"origin")):
                status, error = 403, "Pages of other sites may not use this server."
            elif len(given) != 1 or not expected.fits(given[0].encode("latin-1")):
                status, error = 401, "Send the key that the server printed: Authorization: Bearer KEY"
            if status:
                headers = [(b"www-authenticate", b"Bearer")] if status == 401 else []
                await _answer(send, status, {"error": error}, headers)
                return
        await app(scope, receive, send)

    return guarded


def with_messages(app: App) -> App:
    """Return an ASGI application that passes on only bodies that are one message of the protocol."""

    async def checked(scope: Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await app(scope, receive, send)
            return
        body = b""
        while True:
            part = await receive()
            if part["type"] != "http.request":
                return  # the client has gone
            body += part.get("body", b"")
            if len(body) > MOST_BODY:
                await _take_rest(receive, part)
                await _refuse(send, 413, types.INVALID_REQUEST, f"A request may have {MOST_BODY:,} bytes.", None)
                return
            if not part.get("more_body"):
                break
        kind = "".join(_headers(scope, b"content-type")).partition(";")[0].strip().lower()
        if kind != "application/json":
            message = "Send the message as JSON: Content-Type: application/json"
            await _refuse(send, 415, types.INVALID_REQUEST, message, None)
            return
        try:
            message = pydantic_core.from_json(body)
        except ValueError:
            await _refuse(send, 400, types.PARSE_ERROR, NOT_JSON, None)
            return
        if not _is_message(message):
            known = message.get("id") if isinstance(message, dict) else None
            await _refuse(send, 400, types.INVALID_REQUEST, NO_REQUEST, known if is_id(known) else None)
            return
        whole: list[_Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replayed() -> _Message:
            return whole.pop() if whole else await receive()

        await app(scope, replayed, send)

    return checked


def is_id(value: object) -> bool:
    """Return whether a value may be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    if "method" not in value:  # the answer to a request of ours
        return is_id(value.get("id")) and ("result" in value or "error" in value)
    has_params = isinstance(value.get("params", {}), dict | None)
    is_named = isinstance(value["method"], str) and (is_id(value["id"]) if "id" in value else True)
    return has_params and is_named


async def _take_rest(receive: _Receive, part: _Message) -> None:
    """Take the rest of a refused request, within limits: a client that still sends would not read the answer."""
    taken = 0
    with anyio.move_on_after(REST_SECONDS):
        while part["type"] == "http.request" and part.get("more_body") and taken < MOST_REST:
            part = await receive()
            taken += len(part.get("body", b""))


async def _refuse(send: _Send, status: int, code: int, message: str, known: object) -> None:
    await _answer(send, status, {"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": message}})


async def _answer(
    send: _Send, status: int, value: dict[str, object], headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    with suppress(OSError):
        plain = (b"content-type", b"application/json")
        await send({"type": "http.response.start", "status": status, "headers": [plain, *(headers or [])]})
        await send({"type": "http.response.body", "body": json.dumps(value).encode()})


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
