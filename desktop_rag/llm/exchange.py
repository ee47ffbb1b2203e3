"""One streaming request on a thread of its own, so that Stop never waits for the network.

Name resolution, connecting, waiting for headers and reading all block differently. The consumer therefore waits only on
a queue; leaving the exchange shuts the socket down, which ends the thread and the server's work.
"""

import contextlib
import json
import queue
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from desktop_rag.errors import ModelError, ModelUnreachable, StreamCut
from desktop_rag.llm.endpoint_errors import (
    TOO_LONG,
    ChatEndpoint,
    EndpointFailure,
    Retry,
    from_exception,
    from_status,
    not_chat,
)
from desktop_rag.llm.json_value import JsonObject
from desktop_rag.llm.transport import RequestTimeouts, http_client, openai_client
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

MAX_EVENT_BYTES = 16 * 1024 * 1024  # far above any chat turn; an endless line must not fill the memory

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # a CR at the very end may be half of a CRLF


class EventParser:
    """Incremental parser; comments, ids, retries and event names are dropped."""

    def __init__(self) -> None:
        self._buffer = b""
        self._data: list[bytes] = []

    def feed(self, block: bytes) -> Iterator[str]:
        """Yield the data of every event that `block` completes."""
        lines = _LINE_END.split(self._buffer + block)
        self._buffer = lines.pop()
        if len(self._buffer) > MAX_EVENT_BYTES:
            raise StreamCut("The endpoint sent an endless line. The answer ends here.")
        for line in lines:
            yield from self._take(line)

    def end(self) -> Iterator[str]:
        """Yield the last event if its blank line is missing."""
        yield from self._take(self._buffer.rstrip(b"\r"))
        yield from self._take(b"")
        self._buffer = b""

    def _take(self, line: bytes) -> Iterator[str]:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif not line and self._data:
            data = b"\n".join(self._data).decode("utf-8", "replace")
            self._data.clear()
            if data.strip():
                yield data


MAX_BODY_BYTES = 32 * 1024 * 1024  # of an answer that is not a stream
END_OF_STREAM = object()  # the last item of `chunks` if the server ended the stream properly
_JOIN_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class _Event:
    data: str


@dataclass(frozen=True, slots=True)
class _Ended:
    """The stream is over; `by_server` if the server sent its end marker."""

    by_server: bool


class _KeepAlive:
    """Bytes without an event arrived: the server is still working."""


class _Interrupted:
    """Stop was pressed."""


class _Cancelled(Exception):
    """The exchange was left."""


class Exchange:
    """A context manager around one POST of a chat completion."""

    def __init__(self, profile: Profile, key: str, url: str, body: JsonObject, timeouts: RequestTimeouts) -> None:
        self._profile = profile
        self._key = key
        self._body = body
        self._timeouts = timeouts
        self._endpoint = ChatEndpoint(url, profile.model, key)
        self._queue: queue.SimpleQueue[_Event | _Ended | _KeepAlive | _Interrupted | EndpointFailure] = (
            queue.SimpleQueue()
        )
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, name="chat-completion", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._cancelled = True
            connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):  # it may be closed already
                socket.socket.shutdown(
                    connection, socket.SHUT_RDWR
                )  # SSLSocket.shutdown would disturb the reading thread
        self._thread.join(_JOIN_SECONDS)

    def chunks(self, stop: Stop) -> Iterator[object]:
        """Yield the decoded chunks, then `END_OF_STREAM` if the server sent its end marker.

        Raises `EndpointFailure` or `Stopped`.
        """
        timeout = self._timeouts.connect + self._timeouts.first_token
        with stop.interrupting(lambda: self._queue.put(_Interrupted())):
            while True:
                try:
                    item = self._queue.get(timeout=timeout)
                except queue.Empty:
                    raise self._timed_out(timeout) from None
                stop.check()
                match item:
                    case _Event(data):
                        timeout = self._timeouts.idle
                        yield self._decoded(data)
                    case _Ended(by_server):
                        if by_server:
                            yield END_OF_STREAM
                        return
                    case EndpointFailure():
                        raise item
                    case _KeepAlive() | _Interrupted():
                        continue

    def _timed_out(self, seconds: float) -> EndpointFailure:
        text = f"{self._endpoint.host} did not respond for {seconds:.0f} seconds. Ask again, or check the server."
        return EndpointFailure(ModelUnreachable(text, TOO_LONG))

    def _decoded(self, data: str) -> object:
        try:
            value: object = json.loads(data)
        except (ValueError, RecursionError) as error:
            text = f"{self._endpoint.host} sent invalid JSON within its answer. Ask again."
            raise EndpointFailure(StreamCut(text), Retry.BACKOFF) from error
        return value

    def _run(self) -> None:
        try:
            self._request()
        except _Cancelled:
            return
        except Exception as error:  # noqa: BLE001  # the thread ends here: the consumer must get the error
            self._queue.put(self._failure(error))

    def _failure(self, error: Exception) -> EndpointFailure:
        import httpx2
        import openai

        match error:
            case EndpointFailure():
                return error
            case ModelError():
                failure = EndpointFailure(error)
            case openai.APIStatusError(response=response):
                headers = {name.lower(): value for name, value in response.headers.items()}
                return from_status(response.status_code, headers, response.text, self._endpoint)
            case openai.OpenAIError() | httpx2.HTTPError() | OSError():
                failure = from_exception(error, self._endpoint)
            case _:
                text = f"The request to {self._endpoint.host} failed ({type(error).__name__}: {error})."
                failure = EndpointFailure(ModelError(text))
        failure.__cause__ = error
        return failure

    def _request(self) -> None:
        url, key = self._endpoint.url, self._key
        with http_client(self._profile, url, key, self._timeouts, self._trace_socket) as client:
            completions = openai_client(client, url, key).chat.completions
            with completions.create(
                model=self._profile.model, messages=[], stream=True, extra_body=self._body
            ) as stream:
                self._read(stream.response.iter_bytes())  # the client's own parser stops at the first irregularity

    def _read(self, blocks: Iterator[bytes]) -> None:
        parser = EventParser()
        start = b""
        for block in blocks:
            if not start.strip():
                start += block
                if start.lstrip()[:1] in {b"{", b"[", b"<"}:
                    self._read_whole(start, blocks)
                    return
            events = list(parser.feed(block))
            if not events:
                self._queue.put(_KeepAlive())
            if self._enqueue(events):
                return
        if not self._enqueue(list(parser.end())):
            self._queue.put(_Ended(by_server=False))

    def _enqueue(self, events: list[str]) -> bool:
        for data in events:
            if data.startswith("[DONE]"):
                self._queue.put(_Ended(by_server=True))
                return True
            self._queue.put(_Event(data))
        return False

    def _read_whole(self, start: bytes, blocks: Iterator[bytes]) -> None:
        """Queue an answer that is one JSON text: from a server that does not stream, or an error with status 200."""
        body = bytearray(start)
        for block in blocks:
            body += block
            if len(body) > MAX_BODY_BYTES:
                break
        text = body.decode("utf-8", "replace")
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            raise not_chat(text, self._endpoint) from None
        self._queue.put(_Event(text))
        self._queue.put(_Ended(by_server=True))

    def _trace_socket(self, event: str, details: Mapping[str, object]) -> None:
        """Record the socket; called by the HTTP client at each step, on the exchange's thread."""
        import httpcore2

        stream = details.get("return_value")
        if not event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            return
        if not isinstance(stream, httpcore2.NetworkStream):
            return
        connection: socket.socket = stream.get_extra_info("socket")
        with self._lock:
            self._socket = connection
            cancelled = self._cancelled
        if cancelled:
            connection.close()
            raise _Cancelled
