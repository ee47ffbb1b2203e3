"""Classifies what fails on the way to an endpoint: names, ports, TLS, proxies, broken connections and silence."""

import re
import socket
import ssl
from enum import IntEnum
from urllib.parse import urlsplit

from desktop_rag.errors import ModelUnreachable, StreamCut
from desktop_rag.llm.failures.endpoint_errors import TOO_LONG, ChatEndpoint, EndpointFailure, Retry, proxy_password
from desktop_rag.text.display import plural

_OUT_OF_DATE = re.compile(r"expired|not yet valid|validity period")
_OTHER_NAME = re.compile(r"mismatch|does not match|not valid for")
_READING = frozenset({"RemoteProtocolError", "ReadError", "WriteError"})
_OUTDATED = ("protocol version", "unsupported protocol", "legacy sigalg")  # signs of a TLS before 1.2
_CLOSED = re.compile("incomplete|complete message|closed|disconnected")


class Stage(IntEnum):
    """How far a request came."""

    CONNECTING = 0  # to the endpoint, or to the proxy
    TUNNELLING = 1  # the proxy was asked to connect to the endpoint
    SENT = 2
    RESPONDED = 3  # the head of an answer has come


def from_exception(error: BaseException, endpoint: ChatEndpoint, stage: Stage = Stage.RESPONDED) -> EndpointFailure:
    """Classify an exception of the HTTP client by its causes."""
    causes = list(_causes(error))
    names = {type(cause).__name__ for cause in causes}
    host = endpoint.host
    if endpoint.proxy and (failure := _proxy_failure(causes, names, endpoint, stage)):
        return failure
    for cause in causes:
        # While reading, an alert tells about a certificate; anything else is a connection that broke.
        if isinstance(cause, ssl.SSLError) and (not names & _READING or "ALERT" in str(cause).upper()):
            return EndpointFailure(_tls_error(cause, host, endpoint))
        if isinstance(cause, socket.gaierror):
            text = f"The name {host} cannot be found. Check the address and your network."
            return EndpointFailure(ModelUnreachable(text), Retry.BACKOFF)
        if isinstance(cause, ConnectionRefusedError):
            text = f"Nothing answers at {host}. Start the server, or check the address and port."
            return EndpointFailure(ModelUnreachable(text), Retry.BACKOFF)
    if names & {"ReadTimeout", "WriteTimeout"}:
        text = f"{host} did not respond in time. Ask again, or check the server."
        return EndpointFailure(ModelUnreachable(text, TOO_LONG))
    if names & {"ConnectTimeout"}:
        text = f"{host} did not accept a connection in time. Check the address and your network."
        return EndpointFailure(ModelUnreachable(text), Retry.BACKOFF)
    if "RemoteProtocolError" in names and not any(_CLOSED.search(str(cause)) for cause in causes):
        quoted_text = endpoint.excerpt(str(causes[-1]))
        text = f"{host} does not speak HTTP as expected ({quoted_text}). Check the address, and whether it is https."
        return EndpointFailure(ModelUnreachable(text, "The address does not speak HTTP"), Retry.BACKOFF)
    hung_up = any(
        isinstance(cause, ConnectionResetError | ConnectionAbortedError | BrokenPipeError) for cause in causes
    )
    if (hung_up or names & _READING) and stage < Stage.RESPONDED:
        return EndpointFailure(_no_answer(endpoint), Retry.BACKOFF)
    if hung_up or names & _READING:
        return EndpointFailure(
            StreamCut(f"{host} closed the connection before the answer was complete. Ask again."), Retry.BACKOFF
        )
    quoted_text = endpoint.excerpt(str(causes[-1]) or type(causes[-1]).__name__)
    text = f"{host} cannot be reached ({quoted_text}). Check the address and your network."
    return EndpointFailure(ModelUnreachable(text), Retry.BACKOFF)


def _no_answer(endpoint: ChatEndpoint) -> ModelUnreachable:
    """Return the error of a server that hung up: so does one that speaks TLS, if it gets a plain request."""
    title = "The model closed the connection"
    if urlsplit(endpoint.url).scheme == "https":
        return ModelUnreachable(
            f"{endpoint.host} closed the connection without an answer. Ask again, or check the server.", title
        )
    return ModelUnreachable(
        f"{endpoint.host} closed the connection without an answer. Ask again, or check the server, and whether its "
        "address begins with https://.",
        title,
    )


def _tls_error(cause: ssl.SSLError, host: str, endpoint: ChatEndpoint) -> ModelUnreachable:
    """Return the error of `host`, the endpoint or its proxy."""
    quoted_text = endpoint.excerpt(str(cause))
    told = quoted_text.lower()
    if isinstance(cause, ssl.SSLCertVerificationError):
        text = (
            f"The certificate of {host} is not trusted ({quoted_text}). "
            "If your network or server has its own authority, choose its CA file in the settings of the model."
        )
        if _OUT_OF_DATE.search(told):
            text = (
                f"The certificate of {host} is not trusted ({quoted_text}). "
                "It has to be renewed there, unless the date of this computer is wrong."
            )
        elif _OTHER_NAME.search(told):
            text = (
                f"The certificate of {host} is not trusted ({quoted_text}). "
                "It was made for another name: use that in the address."
            )
        return ModelUnreachable(text, "The certificate is not trusted")
    if "alert" in told and ("certificate" in told or "unknown ca" in told or "handshake failure" in told):
        return ModelUnreachable(
            f"{host} does not accept the client certificate of this model, or asks for one ({quoted_text}). "
            "Choose the certificate in the settings of the model.",
            "The model asks for another certificate",
        )
    if any(sign in told for sign in _OUTDATED):
        return ModelUnreachable(f"{host} offers only outdated versions of TLS ({quoted_text}). Update that server.")
    return ModelUnreachable(
        f"{host} does not speak TLS as expected ({quoted_text}). Check whether the address is http or https."
    )


def _proxy_failure(
    causes: list[BaseException], names: set[str], endpoint: ChatEndpoint, stage: Stage
) -> EndpointFailure | None:
    """Classify a failure of the proxy itself; None if the proxy did connect."""
    proxy = endpoint.proxy_host
    quoted_text = endpoint.excerpt(str(causes[-1]) or type(causes[-1]).__name__)
    advice = "Check the proxy of this model, or of the system."
    tls = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
    if "ProxyError" in names and quoted_text.startswith("407"):
        return EndpointFailure(proxy_password(endpoint, quoted_text))
    if tls and stage is Stage.CONNECTING:
        return EndpointFailure(_tls_error(tls, proxy, endpoint))
    if names & {"ConnectError", "ConnectTimeout"} and not tls:
        text = f"The proxy {proxy} cannot be reached ({quoted_text}). {advice}"
        return EndpointFailure(ModelUnreachable(text, "The proxy cannot be reached"), Retry.BACKOFF)
    if "ProxyError" in names or (stage is Stage.TUNNELLING and names & _READING and not tls):
        text = f"The proxy {proxy} did not connect to {endpoint.host} ({quoted_text}). {advice}"
        return EndpointFailure(ModelUnreachable(text, "The proxy refused the connection"))
    return None


def not_in_time(endpoint: ChatEndpoint, stage: Stage, seconds: float) -> ModelUnreachable:
    """Return the error of a request that got no sign of life for `seconds`."""
    host, waited = endpoint.host, plural(round(seconds), "second")
    if stage >= Stage.SENT:
        return ModelUnreachable(f"{host} did not respond for {waited}. Ask again, or check the server.", TOO_LONG)
    if endpoint.proxy:
        return ModelUnreachable(
            f"The proxy {endpoint.proxy_host} did not connect to {host} within {waited}. "
            "Check the proxy of this model, or of the system.",
            TOO_LONG,
        )
    return ModelUnreachable(f"{host} did not accept a connection within {waited}. Check the address and your network.")


def _causes(error: BaseException) -> list[BaseException]:
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
        chain.append(cause)
    return chain
