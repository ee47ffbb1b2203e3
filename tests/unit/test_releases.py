"""The address for updates is asked once, answers that are no release feed are refused, and nothing is followed."""

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from desktop_rag.errors import Stopped, UpdateError
from desktop_rag.releases import MAX_BYTES, UpdateTrouble, newest_release, parse_feed, usable_address
from desktop_rag.stop import Stop

FEED: dict[str, object] = {
    "format": 1,
    "version": "7.1.0",
    "date": "2027-03-01",
    "page": "https://example.org/desktop-rag",
    "notes": "Faster.",
    "files": [{"name": "desktop-rag_7.1.0_amd64.deb", "size": 105_600_000, "sha256": "ab" * 32}],
}

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def server(answer: Answer) -> Generator[tuple[str, list[str]]]:
    """Serve `answer` on loopback; the value is the address and the list of what was requested."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.path} {sorted(name.lower() for name in self.headers)}")
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.server_address[1]}/latest.json", asked
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def sends(body: bytes, status: int = 200, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def trouble_of(work: Callable[[], object]) -> str:
    with pytest.raises(UpdateError) as raised:
        work()
    return raised.value.trouble


def test_one_request_without_anything_about_the_user_gets_the_release() -> None:
    with server(sends(json.dumps(FEED).encode())) as (address, asked):
        release = newest_release(f" {address} ", Stop())
    assert (release.version, release.files[0].sha256) == ("7.1.0", "ab" * 32)
    assert asked == ["/latest.json ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']"]


def test_a_redirect_is_not_followed() -> None:
    with server(sends(json.dumps(FEED).encode())) as (target, followed):
        with server(sends(b"", 302, Location=target)) as (address, _):
            assert trouble_of(lambda: newest_release(address, Stop())) == UpdateTrouble.REDIRECT
        assert followed == []


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (sends(b"", 404), UpdateTrouble.STATUS),
        (sends(b"<html>Log in to the hotel</html>"), UpdateTrouble.FEED),
        (sends(b"\xff\xfe"), UpdateTrouble.FEED),
        (sends(b"[" * 60_000), UpdateTrouble.FEED),
        (sends(b" " * (MAX_BYTES + 1)), UpdateTrouble.SIZE),
        (lambda request: request.wfile.write(b"\x00\x01\r\n"), UpdateTrouble.CONNECTION),
    ],
)
def test_bad_answers_are_refused(answer: Answer, trouble: UpdateTrouble) -> None:
    with server(answer) as (address, asked):
        assert trouble_of(lambda: newest_release(address, Stop())) == trouble
    assert len(asked) == 1


def test_an_answer_without_end_is_cut_off() -> None:
    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        with suppress(OSError):  # the reader hangs up
            for _ in range(100_000):
                request.wfile.write(b" " * 4_096)

    with server(endless) as (address, _):
        assert trouble_of(lambda: newest_release(address, Stop())) == UpdateTrouble.SIZE


def test_a_silent_server_is_left_at_once_when_the_dialog_closes() -> None:
    silent, stop = threading.Event(), Stop()

    def say_nothing(_: BaseHTTPRequestHandler) -> None:
        silent.wait(20)

    with server(say_nothing) as (address, _):
        threading.Timer(0.2, stop.set).start()
        began = time.monotonic()
        with pytest.raises(Stopped):
            newest_release(address, stop)
        assert time.monotonic() - began < 5
        silent.set()


def test_nobody_listens() -> None:
    with server(sends(b"")) as (address, _):
        pass
    assert trouble_of(lambda: newest_release(address, Stop())) == UpdateTrouble.CONNECTION


@pytest.mark.parametrize(
    "address",
    [
        *("", "example.org", "http://example.org/f", "ftp://example.org", "https://", "https://me:key@example.org/f"),
        *("file:///etc/passwd", "https://[bad/", "javascript:alert(1)"),
    ],
)
def test_only_encrypted_addresses_without_a_password_are_asked(address: str) -> None:
    assert trouble_of(lambda: usable_address(address)) == UpdateTrouble.ADDRESS


@pytest.mark.parametrize(
    ("changed", "trouble"),
    [
        ({"format": 2, "version": {"new": True}}, UpdateTrouble.FORMAT),
        ({"format": 0}, UpdateTrouble.FEED),
        ({"version": "latest"}, UpdateTrouble.FEED),
        ({"version": "9" * 400}, UpdateTrouble.FEED),
        ({"date": "soon"}, UpdateTrouble.FEED),
        ({"page": "http://example.org"}, UpdateTrouble.FEED),
        ({"page": "file:///bin/sh"}, UpdateTrouble.FEED),
        ({"notes": "x" * 4_001}, UpdateTrouble.FEED),
        ({"files": [{"name": "../../x", "size": 1, "sha256": "ab" * 32}]}, UpdateTrouble.FEED),
        ({"files": [{"name": "x", "size": -1, "sha256": "ab" * 32}]}, UpdateTrouble.FEED),
        ({"files": [{"name": "x", "size": 1, "sha256": "short"}]}, UpdateTrouble.FEED),
    ],
)
def test_feeds_that_make_no_sense_are_refused(changed: dict[str, object], trouble: UpdateTrouble) -> None:
    assert trouble_of(lambda: parse_feed(json.dumps(FEED | changed).encode())) == trouble


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [("0.2.1", "0.2.0", True), ("0.10", "0.9.9", True), ("1.0", "1.0.0", False), ("0.1.9", "0.2.0", False)],
)
def test_versions_are_compared_by_their_numbers(version: str, than: str, *, newer: bool) -> None:
    assert parse_feed(json.dumps(FEED | {"version": version}).encode()).is_newer(than) == newer
