"""Carries requests over HTTP on loopback: checks key, origin and size, and stops the runs of clients that have gone."""

import json
import logging
import re
import selectors
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from urllib.parse import parse_qs, unquote, urlsplit

from desktop_rag.chat_server.chat_endpoint import AnsweringEndpoint
from desktop_rag.chat_server.chat_requests import (
    RequestRefused,
    chat_request,
    error_json,
    parsed_body,
    responses_request,
)
from desktop_rag.errors import DesktopRagError, ProcessError, SettingsError, Stopped
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.processes.loopback import HOST, LoopbackKey, is_own_page, is_this_computer
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.open_catalog import ReadableLibrary
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.text.json_types import Json

# Connections that have not sent the head of a request yet: they hold no thread, and keep nobody out.

MOST_WAITING = 256  # connections; then the one that waits longest is closed
HEAD_SECONDS = 10.0  # to send the head of the first request
MOST_HEAD = 65_536  # bytes; what reads a longer one refuses it
LOOK_SECONDS, _REST_SECONDS = 0.5, 0.05  # between two looks for clients that are late or have gone; for a head's rest
_END = re.compile(rb"\r?\n\r?\n")

Ready = Callable[[socket.socket, object, bytes], None]


class WaitingConnections:
    """Takes connections, and passes each on when its head has come, which can still be read from it."""

    def __init__(self, listening: socket.socket, ready: Ready) -> None:
        self._listening = listening
        listening.settimeout(0)
        self._ready = ready
        self._waiting: dict[socket.socket, tuple[object, float]] = {}  # with its address and since when, oldest first
        self._begun = set[socket.socket]()  # those of which a part can be read: a selector would not wait for the rest
        self._selector = selectors.DefaultSelector()
        self._selector.register(listening, selectors.EVENT_READ)

    def look(self) -> None:
        """Wait a moment for connections and what they send; close those that are late."""
        readable = [key.fileobj for key, _ in self._selector.select(_REST_SECONDS if self._begun else LOOK_SECONDS)]
        for connection in (*self._begun, *readable):
            if connection is not self._listening:
                assert isinstance(connection, socket.socket)
                self._peek(connection)
        if self._listening in readable:
            with suppress(OSError):  # it has gone again
                connection, address = self._listening.accept()
                if len(self._waiting) == MOST_WAITING:
                    self._drop(next(iter(self._waiting)))
                self._waiting[connection] = address, time.monotonic()
                self._selector.register(connection, selectors.EVENT_READ)
        late = time.monotonic() - HEAD_SECONDS
        for connection in [each for each, (_, since) in self._waiting.items() if since < late]:
            self._drop(connection)

    def close(self) -> None:
        """Close the connections that still wait."""
        for connection in tuple(self._waiting):
            self._drop(connection)
        self._selector.close()

    def _peek(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(0)
            head = connection.recv(MOST_HEAD, socket.MSG_PEEK)
        except OSError:  # it has gone
            head = b""
        if not head:
            self._drop(connection)
        elif _END.search(head) or len(head) == MOST_HEAD:
            address, _ = self._forget(connection)
            self._ready(connection, address, head)
        elif connection not in self._begun:
            self._begun.add(connection)
            self._selector.unregister(connection)

    def _forget(self, connection: socket.socket) -> tuple[object, float]:
        if connection in self._begun:
            self._begun.remove(connection)
        else:
            self._selector.unregister(connection)
        return self._waiting.pop(connection)

    def _drop(self, connection: socket.socket) -> None:
        self._forget(connection)
        connection.close()


logger = logging.getLogger(__name__)

MOST_BODY = 4_000_000  # bytes
MOST_CONNECTIONS = 256  # of clients with the key
MOST_STRANGERS = 32  # connections that are told that they need it; further ones are closed
IDLE_SECONDS = 30.0  # for a client to send a request, and to take a part of the reply
MOST_REST, REST_SECONDS = 4 * MOST_BODY, 2.0  # of a refused request that are still taken
END_SECONDS = 2.0  # for the last replies when the server ends

_ROUTES = {
    "/v1/models": "GET",
    "/v1/chat/completions": "POST",
    "/v1/responses": "POST",
    "/v1/embeddings": "POST",
}
_MODEL = "/v1/models/"  # followed by the name of one


def serve(
    library: Library,
    filters: tuple[Filter, ...],
    profile: str | None,
    port: int,
    key: str,
    ready: Callable[[str], None],
    stop: Stop,
) -> None:
    """Serve clients with this key until stopped; `ready` is called with the address. Raises `OSError`."""
    with (
        closing(SearcherClient(library.folder)) as retriever,
        closing(SearchHost(library, retriever)),
        closing(LibraryClient(library, must_exist=True)) as up,
    ):
        endpoint = AnsweringEndpoint(retriever, filters, profile, ReadableLibrary(library).require)
        server = LoopbackServer(endpoint, key, port)
        waiting = WaitingConnections(server.socket, server.begin)
        try:
            with suppress(DesktopRagError, ProcessError):  # what is indexed already can be searched without it
                up.rescan(None, stop)  # while it is connected, the indexer keeps the library up to date
            ready(f"http://{HOST}:{server.server_address[1]}/v1")
            while not stop.is_set():
                waiting.look()
                server.stop_lost_runs()
        finally:
            server.end_runs()
            waiting.close()
            server.server_close()


class LoopbackServer(ThreadingHTTPServer):
    """One thread for each connection that has sent a request; those with the key have turns of their own."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, endpoint: AnsweringEndpoint, key: str, port: int) -> None:
        self.endpoint = endpoint
        self.key = LoopbackKey(key)
        self._clients = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._strangers = threading.BoundedSemaphore(MOST_STRANGERS)
        self._turns: dict[object, threading.BoundedSemaphore] = {}
        self._watched: dict[socket.socket, Stop] = {}
        self._changing = threading.Condition()
        self.is_ending = False
        super().__init__((HOST, port), _Handler)

    def server_bind(self) -> None:
        """Bind without asking a name server for our own name."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = HOST, self.server_address[1]

    def begin(self, connection: socket.socket, address: object, head: bytes) -> None:
        """Answer in a thread, or close the connection if there are too many."""
        turns = self._clients if self._has_key(head) else self._strangers
        if not turns.acquire(blocking=False):
            connection.close()
            return
        self._turns[connection] = turns
        self.process_request(connection, address)

    def _has_key(self, head: bytes) -> bool:
        fields = (line.partition(b":") for line in head.split(b"\n"))
        return any(name.lower() == b"authorization" and self.key.fits(value.strip()) for name, _, value in fields)

    def process_request_thread(self, request: object, client_address: object) -> None:
        """Answer the requests of one connection."""
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type]
        finally:
            self._turns.pop(request).release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Log that a connection failed; clients may leave at any moment."""
        logger.debug("a connection failed")

    @contextmanager
    def watching(self, client: socket.socket) -> Generator[Stop]:
        """Yield a stop that is set if the client leaves while the block runs."""
        stop = Stop()
        with self._changing:
            self._watched[client] = stop
        try:
            yield stop
        finally:
            with self._changing:
                del self._watched[client]
                self._changing.notify_all()

    def stop_lost_runs(self) -> None:
        """Stop the runs whose clients have closed their connection."""
        with self._changing:
            stops = [self._watched[client] for client in _gone(tuple(self._watched))]
        for stop in stops:
            stop.set()

    def end_runs(self) -> None:
        """Stop all runs, and wait a moment until their clients have the message."""
        self.is_ending = True
        with self._changing:
            stops = tuple(self._watched.values())
        for stop in stops:
            stop.set()
        with self._changing:
            self._changing.wait_for(lambda: not self._watched, END_SECONDS)


def _gone(clients: tuple[socket.socket, ...]) -> list[socket.socket]:
    if not clients:
        return []
    gone = list[socket.socket]()
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client, selectors.EVENT_READ)
        for key, _ in selector.select(0):
            client = next(each for each in clients if each is key.fileobj)
            try:
                closed = client.recv(1, socket.MSG_PEEK) == b""
            except OSError:
                closed = True
            if closed:
                gone.append(client)
    return gone


class _Handler(BaseHTTPRequestHandler):
    """The requests of one connection."""

    protocol_version = "HTTP/1.1"
    server_version = "desktop-rag"
    sys_version = ""
    timeout = IDLE_SECONDS
    server: BaseServer

    def do_GET(self) -> None:
        """Answer a GET request."""
        self._answer()

    def do_POST(self) -> None:
        """Answer a POST request."""
        self._answer()

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = do_POST  # noqa: N815 — refused in our own format

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 — its name there
        """Log nothing: questions are private."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Tell what is wrong with the request line or its headers."""
        self.close_connection = True
        self._send(code, error_json(code, message or "This is no valid request."))

    @property
    def _loopback(self) -> LoopbackServer:
        assert isinstance(self.server, LoopbackServer)
        return self.server

    @property
    def _path(self) -> str:
        return self.path.partition("?")[0].rstrip("/")

    def _answer(self) -> None:
        self._begun = False
        with self._loopback.watching(self.connection) as stop:
            self._answer_watched(stop)

    def _answer_watched(self, stop: Stop) -> None:
        try:
            if self._is_preflight():
                self._unread = self._has_body()
                self._send(204, None)
                return
            self._check()
            body = parsed_body(self._body()) if self.command == "POST" else {}
            self._reply(self._path, body, stop)
        except RequestRefused as refused:
            self._fail(refused.status, str(refused), refused.code, refused.param)
        except Stopped:
            self.close_connection = True
            if self._loopback.is_ending:
                self._fail(503, "Desktop RAG was ended. Start `desktop-rag serve` again.")
        except SettingsError as error:
            self._fail(400, f"{error.title}: {error}")
        except DesktopRagError as error:
            self._fail(503, f"{error.title}: {error}")
        except OSError:  # the client has gone, or does not take the reply
            self.close_connection = True
        except Exception:
            logger.exception("a request failed")
            self._fail(500, "Something went wrong in Desktop RAG.")

    def _is_preflight(self) -> bool:
        """Return whether a browser asks, without the key, whether a page of this computer may send requests."""
        asks = self.command == "OPTIONS" and self.headers.get("Access-Control-Request-Method")
        return bool(asks and self._own_page() and is_this_computer(self.headers.get_all("Host", [])))

    def _own_page(self) -> str:
        """Return the origin of a page that may read replies, "" for a program without one."""
        headers = getattr(self, "headers", None)  # none of a request that cannot be read
        origins = headers.get_all("Origin", []) if headers else []
        return origins[0] if origins and is_own_page(origins) else ""

    def _check(self) -> None:
        """Refuse a request that is not for us, has no key, or no known address; its body is then not read."""
        self._unread = True
        if not is_this_computer(self.headers.get_all("Host", [])):
            raise RequestRefused(421, "This server answers only to 127.0.0.1.")
        if not is_own_page(self.headers.get_all("Origin", [])):
            raise RequestRefused(403, "Pages of other sites may not use this server.")
        if not self._loopback.key.fits(self.headers.get("Authorization", "").encode("utf-8", "replace")):
            message = "Send the key that `desktop-rag serve` printed: Authorization: Bearer KEY"
            raise RequestRefused(401, message, code="invalid_api_key")
        method = _ROUTES.get("/v1/models" if self._path.startswith(_MODEL) else self._path)
        if method is None:
            raise RequestRefused(404, f"There is nothing here. There are: {', '.join(_ROUTES)}.")
        if method != self.command:
            raise RequestRefused(405, f"This address takes {method}.")

    def _has_body(self) -> bool:
        return bool(self.headers.get("Content-Length") or self.headers.get("Transfer-Encoding"))

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Transfer-Encoding") or not length:
            raise RequestRefused(411, "Send the body with a Content-Length.")
        if not (length.isascii() and length.isdecimal()):
            raise RequestRefused(400, "The Content-Length is not a number.")
        if len(length) > 12 or int(length) > MOST_BODY:
            raise RequestRefused(413, f"The body may have {MOST_BODY:,} bytes.")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise ConnectionError
        self._unread = False
        return body

    def _reply(self, path: str, body: dict[str, object], stop: Stop) -> None:
        endpoint = self._loopback.endpoint
        if self.command == "GET":
            self._unread = self._has_body()
            name = unquote(path.removeprefix(_MODEL)) if path.startswith(_MODEL) else ""
            every = parse_qs(urlsplit(self.path).query).get("all", ["0"])[-1] not in ("0", "false")
            self._send(200, endpoint.model(name) if name else endpoint.models(every=every))
        elif path == "/v1/embeddings":
            self._send(200, endpoint.embeddings(body, stop))
        elif path == "/v1/responses":
            if (request := responses_request(body)).stream:
                with closing(endpoint.stream_response(request, stop)) as parts:
                    self._stream(parts)
            else:
                self._send(200, endpoint.respond(request, stop))
        elif (request := chat_request(body)).stream:
            with closing(endpoint.stream(request, stop)) as parts:
                self._stream(parts)
        else:
            self._send(200, endpoint.complete(request, stop))

    def _stream(self, parts: Generator[dict[str, Json]]) -> None:
        first = next(parts)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self._send_shared_headers()
        self.send_header("Connection", "close")  # the reply ends with the connection: no chunks are needed
        self.end_headers()
        self.close_connection = self._begun = True
        self._event(first)
        for part in parts:
            self._event(part)
        if "object" in first:  # the events of responses have a last one of their own
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, part: dict[str, Json]) -> None:
        kind = part.get("type")
        name = f"event: {kind}\n".encode() if kind else b""
        self.wfile.write(name + b"data: " + _encoded(part) + b"\n\n")

    def _send_shared_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        if page := self._own_page():
            self.send_header("Access-Control-Allow-Origin", page)
            self.send_header("Vary", "Origin")

    def _send(self, status: int, value: dict[str, Json] | None) -> None:
        data = b"" if value is None else _encoded(value)
        if self._unread:
            self.close_connection = True  # the rest of the request must not be read as the next one
        self.send_response(status)
        self._send_shared_headers()
        if value is not None:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        else:
            self.send_header("Access-Control-Allow-Methods", "GET, POST")
            self.send_header("Access-Control-Allow-Headers", "Authorization, Content-Type, *")
            self.send_header("Access-Control-Allow-Private-Network", "true")
            self.send_header("Access-Control-Max-Age", "600")
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
        if self._unread:
            self._drop_rest()

    def _drop_rest(self) -> None:
        """Take the rest of a refused request, within limits: a client that still sends would not read the reply."""
        self.connection.settimeout(REST_SECONDS)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            taken = 0
            while taken < MOST_REST and (part := self.rfile.read1(65_536)):
                taken += len(part)

    def _fail(self, status: int, message: str, code: str | None = None, param: str | None = None) -> None:
        """Tell an error; in a stream that has begun, as its last event."""
        error = error_json(status, message, code, param)
        with suppress(OSError):
            if self._begun:
                self._event({"type": "error", "message": message, "code": code, "param": param, **error})
            else:
                self._send(status, error)

    _begun = False  # a stream has begun
    _unread = True  # the body has not been read


def _encoded(value: dict[str, Json]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
