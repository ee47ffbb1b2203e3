"""One streaming request on a thread of its own, so that Stop is never waiting for the network.

Looking up a name, connecting, waiting for headers and reading all block in their own way. The reader of the chunks
therefore waits for a queue only; leaving the exchange shuts the socket down, which ends both the thread and the
server's work.
"""

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from desktop_rag.errors import ModelError, ModelUnreachable, StreamCut
from desktop_rag.llm.endpoint_errors import EndpointFailure, EndpointPlace, Retry, from_exception, from_status, not_chat
from desktop_rag.llm.json_value import JsonObject
from desktop_rag.llm.sse import EventParser
from desktop_rag.llm.transport import RequestTimeouts, http_client, openai_client
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

MAX_BODY_BYTES = 32 * 1024 * 1024  # of an answer that is not a stream
_JOIN_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class _Event:
    data: str


@dataclass(frozen=True, slots=True)
class _Ended:
    """The stream is over; `said_so` when the server sent its end mark."""

    said_so: bool


class _Alive:
    """Bytes arrived that carry no event: the server is still working."""


class _Woken:
    """Stop was pressed."""


class _Cancelled(Exception):
    """Nobody waits for this exchange any more."""


class Exchange:
    """A context manager around one POST of a chat completion."""

    def __init__(self, profile: Profile, key: str, url: str, body: JsonObject, patience: RequestTimeouts) -> None:
        self._profile = profile
        self._key = key
        self._body = body
        self._patience = patience
        self._place = EndpointPlace(url, profile.model, key)
        self._queue: queue.SimpleQueue[_Event | _Ended | _Alive | _Woken | EndpointFailure] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, name="chat-completion", daemon=True)
        self.ended_by_server = False

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
                socket.socket.shutdown(connection, socket.SHUT_RDWR)  # SSLSocket's own would disturb its reader
        self._thread.join(_JOIN_SECONDS)

    def chunks(self, stop: Stop) -> Iterator[object]:
        """Yield the decoded chunks; raises `EndpointFailure` or `Stopped`."""
        patience = self._patience.connect + self._patience.first_token
        with stop.interrupting(lambda: self._queue.put(_Woken())):
            while True:
                try:
                    item = self._queue.get(timeout=patience)
                except queue.Empty:
                    raise self._silent(patience) from None
                stop.check()
                match item:
                    case _Event(data):
                        patience = self._patience.idle
                        yield self._decoded(data)
                    case _Ended(said_so):
                        self.ended_by_server = said_so
                        return
                    case EndpointFailure():
                        raise item
                    case _Alive() | _Woken():
                        continue

    def _silent(self, seconds: float) -> EndpointFailure:
        text = f"{self._place.host} was silent for {seconds:.0f} seconds. Ask again, or look at the server."
        return EndpointFailure(ModelUnreachable(text))

    def _decoded(self, data: str) -> object:
        try:
            value: object = json.loads(data)
        except (ValueError, RecursionError) as error:
            text = f"{self._place.host} sent something that is not JSON in the middle of its answer. Ask again."
            raise EndpointFailure(StreamCut(text), Retry.SOON) from error
        return value

    def _run(self) -> None:
        try:
            self._request()
        except _Cancelled:
            return
        except Exception as error:  # noqa: BLE001  # the thread ends here; whoever waits must hear of it
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
                return from_status(response.status_code, headers, response.text, self._place)
            case openai.OpenAIError() | httpx2.HTTPError() | OSError():
                failure = from_exception(error, self._place)
            case _:
                text = f"{self._place.host} could not be asked ({type(error).__name__}: {error})."
                failure = EndpointFailure(ModelUnreachable(text))
        failure.__cause__ = error
        return failure

    def _request(self) -> None:
        url, key = self._place.url, self._key
        with http_client(self._profile, url, key, self._patience, self._traced) as client:
            completions = openai_client(client, url, key).chat.completions
            with completions.create(
                model=self._profile.model, messages=[], stream=True, extra_body=self._body
            ) as stream:
                self._read(stream.response.iter_bytes())  # its own parser stops at the first surprise

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
                self._queue.put(_Alive())
            if self._pass_on(events):
                return
        if not self._pass_on(list(parser.end())):
            self._queue.put(_Ended(said_so=False))

    def _pass_on(self, events: list[str]) -> bool:
        for data in events:
            if data.startswith("[DONE]"):
                self._queue.put(_Ended(said_so=True))
                return True
            self._queue.put(_Event(data))
        return False

    def _read_whole(self, start: bytes, blocks: Iterator[bytes]) -> None:
        """Pass on an answer that is one JSON text: a server that does not stream, or an error with status 200."""
        body = bytearray(start)
        for block in blocks:
            body += block
            if len(body) > MAX_BODY_BYTES:
                break
        text = body.decode("utf-8", "replace")
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            raise not_chat(text, self._place) from None
        self._queue.put(_Event(text))
        self._queue.put(_Ended(said_so=True))

    def _traced(self, event: str, details: Mapping[str, object]) -> None:
        """Take note of the socket; called by the HTTP client at each step, on the exchange's thread."""
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
