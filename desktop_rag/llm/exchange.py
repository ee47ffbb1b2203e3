"""One streaming request on a thread of its own, so that Stop never waits for the network.

Name resolution, connecting, waiting for headers and reading all block differently. The consumer therefore waits only on
a queue; leaving the exchange shuts the socket down, which ends the thread and the server's work.
"""

import contextlib
import math
import queue
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

from desktop_rag.errors import ModelError, StreamCut
from desktop_rag.llm.failures import (
    MAX_EXCERPTED,
    ChatEndpoint,
    EndpointFailure,
    Retry,
    Stage,
    from_exception,
    from_status,
    not_chat,
    not_in_time,
)
from desktop_rag.llm.json_value import JsonObject, decode_turn
from desktop_rag.llm.redaction import checked_body, redactor
from desktop_rag.llm.transport import RequestTimeouts, http_client, openai_client, proxy_for
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

MAX_EVENT_BYTES = 1024 * 1024  # far above any chunk of a chat turn
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # a CR at the very end may be half of a CRLF
_TEXT_LINE = re.compile(rb"^(?!:|event:|id:|retry:|data)[^\s]", re.MULTILINE)  # belongs to no event
_BOM = b"\xef\xbb\xbf"


class EventParser:
    """Incremental parser; comments, ids, retries and event names are dropped."""

    def __init__(self) -> None:
        self._line: list[bytes] = []  # the beginning of a line, in the blocks as they came
        self._data: list[bytes] = []
        self._line_size = self._data_size = 0

    def feed(self, block: bytes) -> Iterator[str]:
        """Yield the data of every event that `block` completes; raises `StreamCut` for one of excessive size."""
        unclear = bool(self._line) and self._line[-1].endswith(b"\r")
        self._line.append(block)
        if unclear or b"\n" in block or b"\r" in block:
            *lines, rest = _LINE_END.split(b"".join(self._line))
            self._line = [rest] if rest else []
            self._line_size = 0
            for line in lines:
                yield from self._take(line)
            block = rest
        self._line_size += len(block)
        self._check_size()

    def end(self) -> Iterator[str]:
        """Yield the last event if its blank line is missing."""
        yield from self._take(b"".join(self._line).rstrip(b"\r"))
        yield from self._take(b"")
        self._line = []

    def _check_size(self) -> None:
        if self._line_size + self._data_size > MAX_EVENT_BYTES:
            raise StreamCut("The model sent a line or an event without end. The answer ends here.")

    def _take(self, line: bytes) -> Iterator[str]:
        line = line.removeprefix(_BOM)  # some send one before each event
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
            self._data_size += len(line)
            self._check_size()
        elif not line and self._data:
            data = b"\n".join(self._data).decode("utf-8", "replace")
            self._data.clear()
            self._data_size = 0
            if data.strip():
                yield data


MAX_BODY_BYTES = 2 * 1024 * 1024  # of an answer that is not a stream
END_OF_STREAM = object()  # the last item of `chunks` if the server ended the stream properly
NOTHING_NEW = object()  # an item of `chunks` at least once a second while no chunk comes
_CUT = object()  # in the queue, instead of `END_OF_STREAM`: the stream ended without its end marker
_TICK = 1.0  # seconds
_JOIN_SECONDS = 0.1
_QUEUED = 16  # events read ahead of the consumer: a flood must not fill the memory
_PUT_SECONDS = 0.1  # between checks whether the exchange was left
_STEPS_TO_CONNECT = 3  # TCP, the proxy's tunnel and TLS: each has the time of a connection
_END_SECONDS = 2.0  # for usage and end marker after the finish reason: some servers keep the connection open


class _Cancelled(Exception):
    """The exchange was left."""


class Exchange:
    """A context manager around one POST of a chat completion, or of a response if the body has `input` items."""

    def __init__(self, profile: Profile, key: str, url: str, body: JsonObject, timeouts: RequestTimeouts) -> None:
        self._profile = profile
        self._key = key
        self._body = body
        self._timeouts = timeouts
        self._endpoint = ChatEndpoint(url, profile.model, key, proxy_for(profile, url))
        self._redact = redactor(key, url)
        self._queue: queue.Queue[object] = queue.Queue(_QUEUED)  # data of events, signs, a failure
        self._finished_at: float | None = None
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._cancelled = False
        self._stage = Stage.CONNECTING
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

    def finish(self) -> None:
        """Note that the answer is complete: wait only briefly for what may follow it."""
        self._finished_at = self._finished_at or time.monotonic()

    def chunks(self, stop: Stop) -> Iterator[object]:
        """Yield the decoded chunks, then `END_OF_STREAM` if the server sent its end marker.

        `NOTHING_NEW` comes while there are none. Raises `EndpointFailure` or `Stopped`.
        """
        limits = self._timeouts
        silence = limits.connect + limits.first_token
        begun = heard = last_event = time.monotonic()
        with stop.interrupting(self._wake):
            while True:
                connecting = self._stage < Stage.SENT
                deadline = min(
                    *(heard + silence, last_event + limits.without_event),
                    begun + _STEPS_TO_CONNECT * limits.connect if connecting else math.inf,
                    math.inf if self._finished_at is None else self._finished_at + _END_SECONDS,
                )
                try:
                    item = self._queue.get(timeout=max(min(deadline - time.monotonic(), _TICK), 0.0))
                except queue.Empty:
                    stop.check()
                    if time.monotonic() < deadline:
                        yield NOTHING_NEW
                        continue
                    if self._finished_at is not None:
                        return
                    if connecting and self._stage >= Stage.SENT:
                        continue
                    waited = time.monotonic() - last_event
                    late = not_in_time(self._endpoint, self._stage, waited)
                    late.unsent = connecting
                    raise EndpointFailure(late) from None
                stop.check()
                heard = time.monotonic()
                match item:
                    case str():
                        last_event, silence = heard, limits.idle
                        yield self._decoded(item)
                    case EndpointFailure():
                        raise item
                    case _ if item is _CUT:
                        return
                    case _:
                        yield item
                        if item is END_OF_STREAM:
                            return

    def _wake(self) -> None:
        """Let the consumer look about: bytes without an event arrived, or Stop was pressed."""
        with contextlib.suppress(queue.Full):  # then it has enough to do
            self._queue.put_nowait(NOTHING_NEW)

    def _put(self, item: object) -> None:
        """Queue `item` as soon as there is room; raises `_Cancelled` if the exchange is left meanwhile."""
        while True:
            if self._cancelled:
                raise _Cancelled
            with contextlib.suppress(queue.Full):
                self._queue.put(item, timeout=_PUT_SECONDS)
                return

    def _decoded(self, data: str) -> object:
        try:
            return decode_turn(self._redact.secrets_only(data))
        except ValueError as error:
            text = f"{self._endpoint.host} sent invalid JSON within its answer. Ask again."
            raise EndpointFailure(StreamCut(text), Retry.BACKOFF) from error

    def _run(self) -> None:
        with contextlib.suppress(_Cancelled):
            try:
                self._request()
            except _Cancelled:
                return
            except Exception as error:  # noqa: BLE001  # the thread ends here: the consumer must get the error
                self._put(self._failure(error))

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
                failure = from_exception(error, self._endpoint, self._stage)
                failure.error.unsent = self._stage < Stage.SENT
            case _:
                text = f"The request to {self._endpoint.host} failed ({type(error).__name__}: {error})."
                failure = EndpointFailure(ModelError(text))
        failure.__cause__ = error
        return failure

    def _request(self) -> None:
        """Post the body and read what comes.

        The client makes the request and raises for its status. The body is ours: typed parameters know no fields of
        other servers. So is the parser: the client's stops at the first irregularity, and servers have many.
        """
        import openai

        url, key, body = self._endpoint.url, self._key, checked_body(self._body)
        page = "/responses" if "input" in body else "/chat/completions"
        with http_client(self._profile, url, key, self._timeouts, self._trace) as client:
            api = openai_client(client, url, key)
            with api.post(page, cast_to=object, body=body, stream=True, stream_cls=openai.Stream[object]) as stream:
                self._stage = Stage.RESPONDED
                self._read(stream.response.iter_bytes())

    def _read(self, blocks: Iterator[bytes]) -> None:
        parser = EventParser()
        begun = heard = False
        other = b""  # the beginning of what is no stream of events
        for block in blocks:
            if not begun and (start := block.removeprefix(_BOM).lstrip()):
                begun = True
                if start[:1] in {b"{", b"[", b"<"}:
                    self._read_whole(start, blocks)
                    return
            events = False
            for data in parser.feed(block):
                events = True
                if self._enqueue(data):
                    return
            heard = heard or events
            if not events:
                other += block[: MAX_EXCERPTED - len(other)]
                self._wake()
        for data in parser.end():
            heard = True
            if _is_whole(data) and self._enqueue(data):  # else the connection broke off inside an event
                return
        if not heard and _TEXT_LINE.search(other):
            raise not_chat(other.decode("utf-8", "replace"), self._endpoint)
        self._put(_CUT)

    def _enqueue(self, data: str) -> bool:
        """Queue an event; return whether it is the end marker."""
        if data.lstrip().startswith("[DONE]"):
            self._put(END_OF_STREAM)
            return True
        self._put(data)
        return False

    def _read_whole(self, start: bytes, blocks: Iterator[bytes]) -> None:
        """Queue an answer that is one JSON text: from a server that does not stream, or an error with status 200."""
        body = bytearray(start)
        for block in blocks:
            body += block
            if len(body) > MAX_BODY_BYTES:
                raise not_chat(body[:MAX_EXCERPTED].decode("utf-8", "replace"), self._endpoint)
        text = body.decode("utf-8", "replace")
        try:
            decode_turn(text)
        except ValueError:
            raise not_chat(text, self._endpoint) from None
        self._put(text)
        self._put(END_OF_STREAM)

    def _trace(self, event: str, details: Mapping[str, object]) -> None:
        """Record the stage and the socket; called by the HTTP client at each step, on the exchange's thread."""
        import httpcore2

        request, stream = details.get("request"), details.get("return_value")
        if event.endswith(".send_request_headers.started") and isinstance(request, httpcore2.Request):
            self._stage = Stage.TUNNELLING if request.method == b"CONNECT" else Stage.SENT
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


def _is_whole(data: str) -> bool:
    """Return whether the last event of a stream, whose blank line is missing, is complete."""
    if data.lstrip().startswith("[DONE]"):
        return True
    try:
        decode_turn(data)
    except ValueError:
        return False
    return True
