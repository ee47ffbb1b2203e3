"""What goes wrong on the way to an endpoint: names, ports, IPv6, TLS, client certificates and proxies."""

import contextlib
import gc
import importlib
import select
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from desktop_rag.errors import ModelError, ModelUnreachable, StreamCut
from desktop_rag.llm.chat import ChatRequest, TurnEnded, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import DIRECT, Profile
from desktop_rag.stop import Stop
from tests.integration.llm.faults.fault import EVENT_STREAM, GOOD, STOP, text
from tests.raw_endpoint import HOLD, RESET, UNREAD, Flood, Pause, RawEndpoint, Step, body, stream

pytest.importorskip("cryptography", reason="comes with keyring on Linux only")

from tests.integration.llm.certificates import write_certificate

# Python's `ssl` does not close the socket of every failed handshake.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

HURRIED = RequestTimeouts(connect=1.0, first_token=0.5, idle=1.0, retry_delays=(0.0,))
ANSWER = "Rent is due monthly."
FAR = "http://models.example/v1"  # never resolved: a proxy takes it
FAR_TLS = FAR.replace("http:", "https:")
SECRET = "proxy-pass-77ab"
_NO_TUNNEL = r"The proxy 127\.0\.0\.1:\d+ did not connect to models\.example"
_HUNG_UP = "closed the connection without an answer"
_NO_TLS = "does not speak TLS as expected"


@pytest.fixture(autouse=True, scope="module")
def loaded_client() -> None:
    """Load the HTTP client, which takes longer than the timeouts of these tests."""
    importlib.import_module("openai").OpenAI  # noqa: B018  # it loads its parts when they are named


@pytest.fixture(autouse=True)
def no_system_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(autouse=True)
def collected_sockets() -> Iterator[None]:
    """Collect the sockets of failed handshakes before another test begins."""
    yield
    for thread in threading.enumerate():
        if thread.name == "chat-completion":
            thread.join(60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def answer(address: str, timeouts: RequestTimeouts = HURRIED, **fields: str) -> str:
    profile = Profile("test", address, "m", ca_file=fields.get("ca", ""), proxy=fields.get("proxy", ""))
    if certificate := fields.get("client", ""):
        profile = Profile("test", address, "m", ca_file=fields.get("ca", ""), client_certificate=certificate)
    *_, last = OpenAIChat(profile, "sk-key-1234", timeouts).chat(ChatRequest((UserMessage("When?"),)), Stop())
    assert isinstance(last, TurnEnded)
    return last.message.text


def check_failure(
    words: str,
    address: str,
    error: type[ModelError] = ModelUnreachable,
    timeouts: RequestTimeouts = HURRIED,
    **fields: str,
) -> ModelError:
    with pytest.raises(error, match=words) as caught:
        answer(address, timeouts, **fields)
    shown = f"{caught.value.title} {caught.value}"
    assert SECRET not in shown
    assert "sk-key-1234" not in shown
    assert shown.endswith(".")
    return caught.value


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def server_context(certificate: Path, *, demands: Path | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    if demands:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(demands)
    return context


# Names, ports and IPv6


def test_a_closed_port() -> None:
    check_failure("Nothing answers at", f"http://127.0.0.1:{free_port()}/v1")


def test_a_name_that_nobody_has() -> None:
    check_failure("cannot be found|cannot be reached", "http://models.invalid/v1")


@pytest.mark.parametrize(
    "address",
    ["http://[::1/v1", "http://:80/v1", "ftp://host/v1", "http://host:99999/v1", "https://", "http://host:0/v1"],
)
def test_what_is_no_address(address: str) -> None:
    check_failure("is not an address", address)


@pytest.fixture
def ipv6() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this computer has no IPv6 loopback")


@pytest.mark.usefixtures("ipv6")
def test_ipv6() -> None:
    with RawEndpoint([GOOD], family=socket.AF_INET6) as endpoint:
        assert answer(endpoint.base_url) == ANSWER
        address = endpoint.base_url
    check_failure("Nothing answers at", address)


def test_localhost_is_found_on_either_address() -> None:
    found = {info[0] for info in socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)}
    for family in found & {socket.AF_INET, socket.AF_INET6}:
        with RawEndpoint([GOOD], family=family) as endpoint:
            assert answer(f"http://localhost:{endpoint.port}/v1") == ANSWER


# TLS


def test_an_unknown_authority_and_the_profile_s_own(certificate: Path) -> None:
    with RawEndpoint([GOOD], tls=server_context(certificate)) as endpoint:
        assert "not trusted" in str(check_failure("CA file", endpoint.base_url))
        assert answer(endpoint.base_url, ca=str(certificate)) == ANSWER


def test_a_certificate_for_another_host(tmp_path: Path) -> None:
    other = write_certificate(tmp_path / "other.pem", host="127.0.0.2")
    with RawEndpoint([GOOD], tls=server_context(other)) as endpoint:
        words = "certificate of 127.0.0.1.* is not trusted.*made for another name"
        assert "own authority" not in str(check_failure(words, endpoint.base_url, ca=str(other)))


def test_a_certificate_that_has_ended(tmp_path: Path) -> None:
    old = write_certificate(tmp_path / "old.pem", days=-1)
    with RawEndpoint([GOOD], tls=server_context(old)) as endpoint:
        failure = check_failure("not trusted.*expired.*has to be renewed there", endpoint.base_url, ca=str(old))
        assert "own authority" not in str(failure)


def test_a_server_of_outdated_tls_is_not_taken_for_plain_http(certificate: Path) -> None:
    context = server_context(certificate)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with RawEndpoint([GOOD], tls=context) as endpoint:
        check_failure("offers only outdated versions of TLS", endpoint.base_url, ca=str(certificate))


def test_https_to_a_port_that_speaks_http() -> None:
    with RawEndpoint([(UNREAD, *body("400 Bad Request", b"no"))]) as endpoint:
        check_failure("http or https", endpoint.base_url.replace("http:", "https:"))


def test_http_to_a_port_that_speaks_https(certificate: Path) -> None:
    with RawEndpoint([GOOD], tls=server_context(certificate)) as endpoint:
        failure = check_failure(
            "whether its address begins with https://", endpoint.base_url.replace("https:", "http:")
        )
    assert failure.title == "The model closed the connection"


@pytest.mark.parametrize(
    "steps", [(UNREAD,), (UNREAD, RESET), (UNREAD, HOLD), (UNREAD, b"\x16\x03\x03\x00\x02ok")], ids=str
)
def test_a_handshake_that_breaks_off(steps: Sequence[Step]) -> None:
    with RawEndpoint([steps]) as endpoint:
        words = "does not speak TLS as expected|closed the connection without an answer"
        check_failure(words, endpoint.base_url.replace("http:", "https:"))


@pytest.mark.parametrize("end", [(), (Pause(0.2), RESET)], ids=["closed", "reset"])
def test_a_stream_over_tls_that_breaks_off(certificate: Path, end: Sequence[Step]) -> None:
    with RawEndpoint([stream(text("Rent is "), *end)], tls=server_context(certificate)) as endpoint:
        words = "ended the answer in the middle|closed the connection before the answer was complete"
        check_failure(words, endpoint.base_url, StreamCut, ca=str(certificate))


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_client_certificate_that_is_asked_for(certificate: Path, tmp_path: Path, version: ssl.TLSVersion) -> None:
    mine = write_certificate(tmp_path / "mine.pem")
    stranger = write_certificate(tmp_path / "stranger.pem")
    context = server_context(certificate, demands=mine)
    context.maximum_version = version
    with RawEndpoint([GOOD], tls=context) as endpoint:
        assert answer(endpoint.base_url, ca=str(certificate), client=str(mine)) == ANSWER
        for client in ("", str(stranger)):
            check_failure("client certificate of this model", endpoint.base_url, ca=str(certificate), client=client)


@pytest.mark.parametrize("kind", ["missing", "empty", "locked", "folder"])
def test_a_client_certificate_that_cannot_be_used(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.pem"
    if kind == "empty":
        path.touch()
    elif kind == "locked":
        write_certificate(path, password=b"secret")
    elif kind == "folder":
        path.mkdir()
    check_failure("client certificate .* cannot be used", "https://127.0.0.1:9/v1", client=str(path))


@pytest.mark.parametrize("kind", ["missing", "empty", "folder"])
def test_a_ca_file_that_cannot_be_used(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "ca.pem"
    if kind == "empty":
        path.touch()
    elif kind == "folder":
        path.mkdir()
    check_failure("CA file .* cannot be used", "https://127.0.0.1:9/v1", ca=str(path))


# Proxies


def test_a_proxy_passes_plain_requests_on() -> None:
    with RawEndpoint([GOOD]) as proxy:
        address = proxy.root_url.replace("://", f"://anna:{SECRET}@")
        assert answer(FAR, proxy=address) == ANSWER
        (request,) = proxy.requests
    assert request.start_line == "POST http://models.example/v1/chat/completions HTTP/1.1"
    assert b"proxy-authorization: basic" in request.headers.lower()


def test_a_proxy_without_its_scheme() -> None:
    with RawEndpoint([GOOD]) as proxy:
        assert answer(FAR, proxy=f"127.0.0.1:{proxy.port}") == ANSWER


@pytest.mark.parametrize("address", [FAR, FAR_TLS])
def test_a_dead_proxy_is_named(address: str) -> None:
    port = free_port()
    failure = check_failure(f"proxy 127.0.0.1:{port}", address, proxy=f"http://anna:{SECRET}@127.0.0.1:{port}")
    assert failure.title == "The proxy cannot be reached"


@pytest.mark.parametrize(
    "status", ["302 Found", "403 Forbidden", "429 Too Many", "502 Bad Gateway", "503 Busy", "511 Sign in"]
)
def test_a_proxy_that_refuses_a_tunnel(status: str) -> None:
    with RawEndpoint([body(status, b"no")]) as proxy:
        failure = check_failure(f"proxy 127.0.0.1:{proxy.port}.*{status[:3]}", FAR_TLS, proxy=proxy.root_url)
        assert failure.title == "The proxy refused the connection"
        assert proxy.requests[0].start_line.startswith("CONNECT models.example:443")


@pytest.mark.parametrize("address", [FAR, FAR_TLS])
def test_a_proxy_that_asks_for_a_password_or_another_one(address: str) -> None:
    with RawEndpoint([body("407 Proxy Authentication Required", b"")]) as proxy:
        check_failure("asks for a user and a password", address, proxy=proxy.root_url)
        credentials = proxy.root_url.replace("://", f"://anna:{SECRET}@")
        check_failure("does not accept the user and password in its address", address, proxy=credentials)


def test_a_proxy_over_tls_is_trusted_as_the_profile_says(certificate: Path) -> None:
    with RawEndpoint([GOOD], tls=server_context(certificate)) as proxy:
        words = rf"certificate of 127\.0\.0\.1:{proxy.port} is not trusted"
        for address in (FAR, FAR_TLS):
            check_failure(words, address, proxy=proxy.root_url)
        assert answer(FAR, proxy=proxy.root_url, ca=str(certificate)) == ANSWER


def test_the_certificate_of_an_endpoint_behind_a_proxy_is_its_own(certificate: Path) -> None:
    """The proxy lets the bytes through: whose certificate it is shows in the sentence."""
    with RawEndpoint([GOOD], tls=server_context(certificate)) as endpoint, Tunnel(endpoint.port) as proxy:
        words = r"certificate of models\.example is not trusted.*made for another name"
        check_failure(words, FAR_TLS, proxy=f"http://127.0.0.1:{proxy.port}", ca=str(certificate))
        assert proxy.asked.startswith(b"CONNECT models.example:443 ")


class Tunnel:
    """A proxy that connects whatever is asked for to one port of this computer."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._pass_on)
        self.port = self._listener.getsockname()[1]
        self.asked = b""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(60)
        self._listener.close()

    def _pass_on(self) -> None:
        near, _ = self._listener.accept()
        with near, socket.create_connection(("127.0.0.1", self._target)) as far:
            self.asked = near.recv(65_536)
            near.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            other = {near: far, far: near}
            with contextlib.suppress(ConnectionResetError):
                while True:
                    for end in select.select(list(other), [], [], 5)[0]:
                        block = end.recv(65_536)
                        if not block:
                            return
                        other[end].sendall(block)


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        (_NO_TUNNEL, ()),
        (_NO_TUNNEL, (RESET,)),
        (f"{_NO_TUNNEL} within 3 seconds", (HOLD,)),
        (_NO_TUNNEL, (b"nonsense\r\n\r\n",)),
        (_NO_TUNNEL, (b"HTTP/1.1 200 OK\r\n", Flood(b"X-A: " + b"b" * 1000 + b"\r\n"))),
        (_NO_TLS, (b"HTTP/1.1 200 OK\r\n\r\n",)),
        (_NO_TLS, (b"HTTP/1.1 200 OK\r\n\r\n", b"nonsense")),
        (f"{_NO_TLS}|{_HUNG_UP}|cannot be reached", (b"HTTP/1.1 200 OK\r\n\r\n", RESET)),
    ],
    ids=["closed", "reset", "silent", "nonsense", "flood", "closed tunnel", "nonsense in the tunnel", "reset tunnel"],
)
def test_a_tunnel_that_breaks(words: str, steps: Sequence[Step]) -> None:
    """A silent proxy has the time of a connection, not that of the first token: a minute more here."""
    patient = replace(HURRIED, first_token=60.0)
    with RawEndpoint([steps]) as proxy:
        check_failure(words, FAR_TLS, timeouts=patient, proxy=proxy.root_url)


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "gopher://127.0.0.1:9", "http://[::1", "http://"])
def test_a_proxy_that_cannot_be_used(proxy: str) -> None:
    check_failure("proxy", FAR, proxy=proxy)


def test_the_system_s_proxy_unless_the_profile_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawEndpoint([GOOD]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.root_url)
        assert answer(FAR) == ANSWER
        check_failure("cannot be found|cannot be reached", "http://models.invalid/v1", proxy=DIRECT)
        monkeypatch.setenv("NO_PROXY", "models.invalid")
        check_failure("cannot be found|cannot be reached", "http://models.invalid/v1")
        assert len(proxy.requests) == 1


def test_a_keep_alive_answer_without_a_length_over_tls(certificate: Path) -> None:
    steps = (EVENT_STREAM.replace(b"Connection: close\r\n", b""), text(ANSWER), STOP, HOLD)
    with RawEndpoint([steps], tls=server_context(certificate)) as endpoint:
        assert answer(endpoint.base_url, ca=str(certificate)) == ANSWER
