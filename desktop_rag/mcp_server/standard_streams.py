"""What stands between standard input and the server: no request stays without an answer.

A line that is no message is answered with an error: without it the client would wait for ever.
"""

import json
from contextlib import suppress

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

NOT_JSON = "This is no JSON that can be read. Send one message (a line); values may be nested 200 levels deep."
NO_REQUEST = (
    "This is no request of JSON-RPC 2.0: it needs “jsonrpc”, “id” (a text or a whole number), “method”, and an object "
    "as “params”."
)
_LAST_SECONDS = 2.0  # for the answers to a client that writes no more: it may wait for this process to end


class Requests:
    """The requests of a client on standard input that wait for their answers."""

    def __init__(self) -> None:
        self._waiting: set[types.RequestId] = set()
        self._all_answered = anyio.Event()
        self._ended = False

    async def pass_readable(
        self,
        incoming: ReadStream[SessionMessage | Exception],
        readable: MemoryObjectSendStream[SessionMessage | Exception],
        outgoing: WriteStream[SessionMessage],
    ) -> None:
        """Pass on the messages of a client until it ends; answer the others with an error.

        The server drops what it works on when the client has ended, so the end is told when all is answered, or a
        little later.
        """
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the server has ended
            async with incoming, readable:
                async for item in incoming:
                    if isinstance(item, SessionMessage):
                        if isinstance(item.message, types.JSONRPCRequest):
                            self._waiting.add(item.message.id)
                        elif _has_no_id(item.message):
                            await outgoing.send(SessionMessage(_error(types.INVALID_REQUEST, NO_REQUEST, None)))
                            continue
                        await readable.send(item)
                    elif (error := refusal(item)) is not None:
                        await outgoing.send(SessionMessage(error))
                self._ended = True
                if self._waiting:
                    with anyio.move_on_after(_LAST_SECONDS):
                        await self._all_answered.wait()

    async def pass_answers(
        self, answers: MemoryObjectReceiveStream[SessionMessage], outgoing: WriteStream[SessionMessage]
    ) -> None:
        """Pass on what the server writes, until it ends."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody reads any more
            async with answers, outgoing:
                async for item in answers:
                    await outgoing.send(item)
                    if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
                        self._waiting.discard(item.message.id)
                        if self._ended and not self._waiting:
                            self._all_answered.set()


def refusal(error: Exception) -> types.JSONRPCError | None:
    """Return the error that answers a line, with the id of its request if it has one; None for an empty line."""
    problems = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    line = next((problem["input"] for problem in problems if problem["type"] == "json_invalid"), None)
    if isinstance(line, str) and not line.strip():
        return None
    values = [problem["input"] for problem in problems]
    with suppress(ValueError, RecursionError):  # what is nested too deeply for the protocol may be JSON
        values += [json.loads(line)] if isinstance(line, str) else []
    ids = [value.get("id") for value in values if isinstance(value, dict) and "jsonrpc" in value]
    known = next((each for each in ids if isinstance(each, (str, int)) and not isinstance(each, bool)), None)
    code, message = (types.INVALID_REQUEST, NO_REQUEST) if line is None else (types.PARSE_ERROR, NOT_JSON)
    return _error(code, message, known)


def _has_no_id(message: types.JSONRPCMessage) -> bool:
    """Return whether a message is a request whose id cannot be used: the SDK takes it for a notification."""
    return isinstance(message, types.JSONRPCNotification) and not message.method.startswith("notifications/")


def _error(code: int, message: str, known: types.RequestId | None) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=known, error=types.ErrorData(code=code, message=message))
