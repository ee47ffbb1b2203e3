"""The HTTP client of a profile: headers, trusted certificates, timeouts, and no redirects."""

import gc
import importlib
import ipaddress
import logging
import queue
import ssl
import sys
import threading
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl, urlsplit

from desktop_rag.errors import ModelUnreachable, SendingRefused
from desktop_rag.llm.redaction import basic_credentials, usable_key
from desktop_rag.settings import DIRECT, Profile, privacy
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    import httpx2
    import openai

AZURE_VERSION = "2024-10-21"  # of the API, if the address names none
RESPONSES_PATH = "/responses"
OFFLINE = "The program is set to work offline: it connects to nothing but this computer. See Settings, Privacy."
PROXY_FAILED = "The proxy cannot be used"

T = TypeVar("T")
Trace = Callable[[str, Mapping[str, object]], None]

# No other header is sent: no telemetry of the client library, nothing from its environment variables.
_SENT_HEADERS = frozenset({"host", "content-type", "content-length", "accept", "accept-encoding", "connection"})
_TALKATIVE = ("openai", "httpx2", "httpcore2")  # at DEBUG they log whole requests, with questions and documents


@dataclass(frozen=True, slots=True)
class RequestTimeouts:
    """Timeouts in seconds, and the backoff delays of retries before the first visible token."""

    connect: float = 10.0
    first_token: float = 300.0  # a local server may load the model and read a long prompt first
    idle: float = 120.0
    without_event: float = 900.0  # while the server sends nothing but comments
    retry_delays: tuple[float, ...] = (0.3, 1.0)
    busy: float = 120.0  # total wait for an endpoint that reports a rate limit


def is_loopback(url: str) -> bool:
    """Return whether `url` names this computer; other names than “localhost” are asked of the network."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_near(address: str) -> bool:
    """Return whether an address is on this computer or in a private network, where requests cost nothing."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # no address at all
        return False
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".lan", ".home.arpa"))


def is_closed_offline(url: str) -> bool:
    """Return whether the user works offline and `url` is not on this computer; raises `SettingsError`."""
    return not is_loopback(url) and privacy().offline


def address_candidates(base_url: str) -> tuple[str, ...]:
    """Return the addresses to try for a typed one: with and without `/v1`, the likelier first."""
    url = base_url.strip()
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ModelUnreachable(f"“{base_url}” is not an address. It should look like http://localhost:1234/v1.")
    path = parts.path.rstrip("/")
    for end in ("/chat/completions", RESPONSES_PATH, "/models"):
        path = path.removesuffix(end).rstrip("/")
    plain = parts._replace(path=path).geturl()
    if is_azure_classic(plain):
        return (plain,)
    if path.endswith("/v1"):
        return plain, parts._replace(path=path.removesuffix("/v1")).geturl()
    versioned = page_address(plain, "/v1")
    return (plain, versioned) if path else (versioned, plain)


def page_address(address: str, page: str, *, beside_v1: bool = False) -> str:
    """Return the address of a page below `address`, or beside its `/v1`; a query stays at the end."""
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    return parts._replace(path=(path.removesuffix("/v1") if beside_v1 else path) + page).geturl()


def names_responses(base_url: str) -> bool:
    """Return whether a typed address is that of the Responses API."""
    return base_url.partition("?")[0].rstrip("/ ").endswith(RESPONSES_PATH)


def is_azure_classic(url: str) -> bool:
    """Return whether `url` is Azure's classic form: a version in the query, mostly a deployment in the path."""
    parts = urlsplit(url)
    return "/openai/deployments/" in parts.path or (parts.path.endswith("/openai") and "api-version=" in parts.query)


def proxy_for(profile: Profile, url: str) -> str:
    """Return the proxy that leads to `url`: the profile's, else the system's; never one for this computer."""
    if profile.proxy == DIRECT or is_loopback(url):
        return ""
    proxy = profile.proxy.strip()
    if not proxy:
        parts = urlsplit(url)
        known = urllib.request.getproxies()
        found = known.get(parts.scheme) or known.get("all") or ""
        proxy = "" if found and urllib.request.proxy_bypass(parts.hostname or "") else found
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def trust(profile: Profile) -> ssl.SSLContext:
    """Return a TLS context with the authorities of the system and the profile, and the profile's own certificate."""
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if profile.ca_file:
        try:
            context.load_verify_locations(cafile=profile.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise ModelUnreachable(
                f"The CA file {profile.ca_file} cannot be used ({error}). "
                "Choose a PEM file in the settings of the model."
            ) from error
    if profile.client_certificate:
        try:
            # Without a function for the password, an encrypted key would ask a terminal.
            context.load_cert_chain(profile.client_certificate, password=lambda: "")
        except (OSError, ssl.SSLError) as error:
            raise ModelUnreachable(
                f"The client certificate {profile.client_certificate} cannot be used ({error}). Choose a PEM file that "
                "holds the certificate and its key without a password."
            ) from error
    return context


def load_client() -> None:
    """Import the client without garbage collection: a collection over its classes would stall the window for 33 ms.

    The imports themselves give other threads their turn after 13 ms at the latest.
    """
    if "openai" in sys.modules:
        return
    collects = gc.isenabled()
    gc.disable()
    try:
        importlib.import_module("openai")
    finally:
        if collects:
            gc.enable()


def http_client(
    profile: Profile, url: str, key: str, timeouts: RequestTimeouts, trace: Trace | None = None
) -> "httpx2.Client":
    """Return a client that follows no redirects, uses no proxy for this computer and sends only our headers.

    Raises `ModelError` if the profile's key, certificates or proxy cannot be used.
    """
    load_client()
    import httpx2

    from desktop_rag.llm.response_body import bound_body

    if is_closed_offline(url):
        raise SendingRefused(OFFLINE)

    usable = usable_key(key)
    credentials = {"Authorization": f"Bearer {usable}" if usable else basic_credentials(url)}
    if usable and is_azure_classic(url):
        credentials = {"api-key": usable}
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)

    def own_headers(request: httpx2.Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = "desktop-rag"
        request.headers["Accept-Encoding"] = "identity"
        request.headers.update({name: value for name, value in credentials.items() if value})
        if trace is not None:
            request.extensions = {**request.extensions, "trace": trace}

    silence = timeouts.connect + max(timeouts.first_token, timeouts.idle) + 1.0  # the consumer times out before
    proxy = proxy_for(profile, url)
    is_encrypted = proxy.startswith("https:")
    context = trust(profile) if is_encrypted or url.startswith("https:") else None  # loading the authorities takes time
    try:
        return httpx2.Client(
            verify=context or False,
            trust_env=False,  # `proxy_for` reads what it needs
            proxy=httpx2.Proxy(proxy, ssl_context=context if is_encrypted else None) if proxy else None,
            follow_redirects=False,
            timeout=httpx2.Timeout(silence, connect=timeouts.connect, write=60.0),
            event_hooks={"request": [own_headers], "response": [bound_body]},
        )
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        raise ModelUnreachable(
            f"The proxy cannot be used ({error}). Check the proxy of this model, or of the system.",
            PROXY_FAILED,
        ) from error


def openai_client(client: "httpx2.Client", url: str, key: str) -> "openai.OpenAI":
    """Return the API client over `client`, without retries of its own."""
    import openai

    parts = urlsplit(url)
    query: dict[str, object] = dict(parse_qsl(parts.query))
    if is_azure_classic(url):
        query.setdefault("api-version", AZURE_VERSION)
    base = parts._replace(query="", fragment="").geturl()
    return openai.OpenAI(
        api_key=key.strip() or "none", base_url=base, default_query=query, http_client=client, max_retries=0
    )


def interruptible(work: Callable[[], T | None], stop: Stop) -> T | None:
    """Return the result of `work`, None if it fails, or raise `Stopped` at once and leave its thread to time out."""
    results: queue.SimpleQueue[T | None] = queue.SimpleQueue()

    def run() -> None:
        result: T | None = None
        try:
            result = work()
        finally:
            results.put(result)

    thread = threading.Thread(target=run, name="request", daemon=True)
    with stop.interrupting(lambda: results.put(None)):
        thread.start()
        result = results.get()
    stop.check()
    return result
