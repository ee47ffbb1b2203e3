"""Classifies what an endpoint refuses (HTTP status, stream) as our errors, with a retry strategy.

The patterns are how servers, clouds and gateways word their refusals.
"""

import contextlib
import email.utils
import json
import math
import re
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from urllib.parse import urlsplit

from desktop_rag.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
    ServerFailed,
    StreamCut,
    ToolsRefused,
)
from desktop_rag.llm.json_value import as_count, as_list, as_object, as_text, decode_json, well_formed
from desktop_rag.llm.redaction import redactor
from desktop_rag.text.display import plural, shorten
from desktop_rag.text.hidden_characters import visible

EXCERPT_CHARACTERS = 300
MAX_EXCERPTED = 4_000  # characters that are looked at for an excerpt
_JUDGED = 8_000  # characters of an error that are searched for what it means: more would stall the window for 40 ms
NO_CHAT = "No model at this address"
TOO_LONG = "The model took too long"
DEFAULT_BUSY_SECONDS = 5.0
_LONGEST_WAIT = 366 * 86_400.0

_OVERLOADED = frozenset({503, 529})  # 529 is Anthropic's "overloaded_error"
# Names of errors in the middle of a stream: OpenAI, Azure, Anthropic, Groq, LiteLLM.
_STATUS_OF = {
    **dict.fromkeys(("invalid_request_error", "invalid_prompt", "content_filter", "content_policy_violation"), 400),
    **dict.fromkeys(("invalid_api_key", "authentication_error"), 401),
    **dict.fromkeys(("rate_limit_exceeded", "rate_limit_error", "tokens", "requests"), 429),
    **dict.fromkeys(("server_error", "internal_server_error", "api_error"), 500),
    **dict.fromkeys(("server_overloaded", "overloaded_error"), 503),
}


# The request is too long: Anthropic, Bedrock, OpenAI, Google, xAI, Groq, OpenRouter, vLLM, SGLang, TGI, TensorRT-LLM,
# llama.cpp and its Python binding, LM Studio, GPT4All, Mistral, Cohere, Qwen, Kimi, MiniMax, Z.ai, Volcengine, Ollama.
OVERFLOW = re.compile(
    r"prompt is too long|exceeds the context window|context[_ ]length[_ ]exceeded|exceed_context_size|request_too_large"
    r"|context_window_exceeded|input token count.*exceeds the maximum|maximum prompt length is \d"
    r"|reduce the length of the (messages|prompt|input)|maximum context length|maximum model length"
    r"|exceeds? (the )?(available|model'?s?) (maximum )?(context|input)|greater than the context length"
    r"|longer than the (model'?s )?(maximum )?(context|model) ?(length)?|too large for model with \d+ maximum"
    r"|context window exceeds limit|exceeded model token limit|token limit exceeded|exceeds the limit of \d+"
    r"|exceeds? (the )?(maximum )?(allowed )?(context|input) ?(length|window|size)?"
    r"|input (is|was) too long|input length .{0,40}exceeds|too many tokens|prompt too long"
    r"|prompt (size|length) .{0,40}exceed"
    r"|range of input length should be|inputs.{0,4} tokens \+ .{0,4}max_new_tokens|loaded with context length of only"
    r"|n_keep .{0,12}>= n_ctx|prompt exceeds max length|inputs?`? must have less than \d+ tokens"
    r"|input is too large to process|context window limit|context size exceeded|token length exceed"
    r"|(input|prompt|total) tokens? .{0,40}exceed|input token count .{0,40}only supports|tokens? ?超过"
    r"|prompt length .{0,40}greater than max_(seq_len|model_len)|input tokens \d+ ?> ?limit"
    r"|requested tokens? .{0,40}exceed|context (is )?full|too many (input |prompt )tokens|token limit reached"
    r"|(prompt|conversation|message)s?\b.{0,40}\b(too long|longer than the maximum)"
    r"|requested \d+ tokens? but|sequence length .{0,30}(larger|longer|greater|exceed)"
    r"|exceeds? (the )?max(imum)?[ _](seq(uence)?|context|model)[ _]?len|less than max_(context|model|seq)_?len"
    r"|request exceeds the maximum size: \d+ tokens|提示词?(超长|过长)|输入.{0,6}(超长|过长)|prompt ?超长",
    re.IGNORECASE | re.DOTALL,
)
MISSING = re.compile(
    r"model_not_found|models?\b.{0,160}\b(not found|does ?n[o']t exist|not exist|unknown|not loaded)"
    r"|(unknown|invalid|no such|not a valid) model|no models? (is )?loaded"
    r"|model\b.{0,160}\b(deprecated|decommissioned|retired|no longer (supported|available))|DeploymentNotFound"
    r"|deployment .{0,40}does not exist|no endpoints found for \S|requested model .{0,160}not supported",
    re.IGNORECASE | re.DOTALL,
)
_TOOLS = r"[`'\"]?\b(?:tools?|functions?|(?:tool|function)[ _-]?(?:use|call(?:s|ing)?))\b[`'\"]?(?!.?choice)"
NO_TOOLS = re.compile(
    rf"(?:does ?n[o']t|do not|don't|cannot|can't|no) (?:currently )?(?:support|use|accept|allow|have|implement)"
    rf"\w* (?:\w+ )?{_TOOLS}"
    rf"|does ?n[o']t support param(?:eter)?s?:? \[?{_TOOLS}|(?:not support|unsupported|no support) (?:for )?{_TOOLS}"
    rf"|(?:un(?:supported|recogni[sz]ed|known|expected)|invalid|extra)\b[^.]{{0,50}}?"
    rf"(?:param|field|argument|propert|input)\w*\b[^.]{{0,20}}?{_TOOLS}"
    rf"|{_TOOLS}:? (?:param\w* |field )?(?:is|are|was|were)? ?(?:currently )?(?:not|un) ?(?:currently )?"
    rf"(?:supported|available|enabled|allowed|permitted|implemented|expected|recogni[sz]ed)|body\.tools\b"
    r"|\btools['\"]?\)?,? ?['\"]?:? ?(?:'msg'|msg)?['\"]?:? ?['\"]?Extra inputs"
    r"|(?:tool|function)[ _-]?call(?:s|ing)? (?:is|are) disabled|unsupported_tools|not_supported: tools"
    r"|(?:tool|function)[ _-]?call(?:s|ing)? (?:requires?|only works? with) .{0,20}(?:template|model)"
    r"|\bno tools? support"
    r"|tools? param(?:eter)? requires|cannot use tools with|enable-auto-tool-choice|tool-call-parser"
    r"|not capable of (tool|function)|(template|model)\b.{0,40}does not include tool"
    r"|no endpoints found that support tool|not a tool[- ]?(?:use|calling) model"
    r"|不支持.{0,4}(?:工具|函数|function|tool)",
    re.IGNORECASE,
)
KEY_REFUSED = re.compile(r"api[ _-]?key (is )?(not valid|invalid|expired)|invalid[ _](x-)?api[ _-]?key", re.IGNORECASE)
NO_CREDIT = re.compile(r"credit balance is too low|insufficient (balance|credits?|funds)|余额不足", re.IGNORECASE)
NO_MEMORY = re.compile(
    r"requires more (system |gpu )?memory|out of memory|(not enough|insufficient) (gpu |system |free |video )?memory"
    r"|failed to allocate|insufficient system resources",
    re.IGNORECASE,
)
# When to come back, where no header says so: Google's RetryInfo, OpenAI and Groq.
WAIT = re.compile(
    r"(?:retryDelay\W{1,5}|(?:try again|retry) (?:in|after) )"
    r"(?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,4})m(?!s))?(?:(?P<seconds>\d{1,6}(?:\.\d{1,9})?) ?s(?:econds?)?\b)?"
    r"(?:(?P<milliseconds>\d{1,9}(?:\.\d{1,9})?) ?ms\b)?",
    re.IGNORECASE,
)
OVERLOAD = re.compile(r"overloaded|at capacity|too many (concurrent )?requests|server busy", re.IGNORECASE)
WRONG_PATH = re.compile(r"unexpected endpoint|no route|route .*not found|cannot (post|get) /", re.IGNORECASE)
PLAIN_HTTP = re.compile(r"HTTP request (was sent )?to (an )?HTTPS", re.IGNORECASE)  # nginx, Go


class Retry(Enum):
    """The retry strategy for a failed request, as long as nothing was shown yet."""

    NO = auto()
    BACKOFF = auto()  # network or server failure: retry after a short backoff
    RATE_LIMITED = auto()  # HTTP 429 or a loading model: retry after the time the server asks for
    OTHER_ADDRESS = auto()  # not a chat endpoint: the address may lack its /v1


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Address, model and proxy for error messages; the key only to keep it out of them."""

    url: str
    model: str
    key: str = ""
    proxy: str = ""

    @property
    def host(self) -> str:
        """Return the host and port of the address."""
        return urlsplit(self.url).netloc.rpartition("@")[2] or self.url

    @property
    def proxy_host(self) -> str:
        """Return the host and port of the proxy."""
        return urlsplit(self.proxy).netloc.rpartition("@")[2]

    def excerpt(self, text: str) -> str:
        """Return the start of the server's text, on one line, without the key or passwords."""
        redact = redactor(self.key, self.url, self.proxy)
        return shorten(redact(visible(well_formed(text[:MAX_EXCERPTED]))), EXCERPT_CHARACTERS)


class EndpointFailure(Exception):
    """One failed request, inside this package only: our error, the retry strategy, and the body's text."""

    def __init__(self, error: ModelError, retry: Retry = Retry.NO, *, status: int = 0, text: str = "") -> None:
        super().__init__(str(error))
        self.error = error
        self.retry = retry
        self.status = status
        self.text = text

    @property
    def wait(self) -> float:
        """Return the seconds to wait before a retry; a default if a busy endpoint does not say."""
        return (self.error.retry_after or DEFAULT_BUSY_SECONDS) if isinstance(self.error, ModelBusy) else 0.0


def error_text(body: object) -> tuple[str, str]:
    """Return message and code of a decoded error body in any of the known shapes."""
    for item in as_list(body):
        return error_text(item)
    fields = as_object(body)
    error = fields.get("error")
    inner = as_object(error)
    raw = as_text(as_object(inner.get("metadata")).get("raw"))
    details = [_located(as_object(item)) for item in as_list(fields.get("detail"))]
    window = as_count(inner.get("n_ctx"))  # llama.cpp
    told = f"(context size {window})" if window else ""
    candidates = (
        as_text(error),
        " ".join(filter(None, (as_text(inner.get("message")), raw, told))),
        as_text(fields.get("detail")),
        "; ".join(filter(None, details)),
        as_text(fields.get("message")),
    )
    code = inner.get("code") or inner.get("type") or fields.get("code")
    return next(filter(None, candidates), "")[:_JUDGED], str(code or "")[:EXCERPT_CHARACTERS]


def _located(detail: Mapping[str, object]) -> str:
    """Return the message of one of FastAPI's details, and the field it is about."""
    place = ".".join(str(part) for part in as_list(detail.get("loc")))
    return ": ".join(filter(None, (place, as_text(detail.get("msg")))))


def from_status(status: int, headers: Mapping[str, str], body: str, endpoint: ChatEndpoint) -> EndpointFailure:
    """Classify an HTTP status other than 200; header names are in lower case."""
    try:
        message, code = error_text(decode_json(body))
    except ValueError:
        message, code = "", ""
    message = message or _without_tags(body[:_JUDGED])
    quoted_text = endpoint.excerpt(message).rstrip(".")  # it is quoted within a sentence
    quoted = f"{status}: {quoted_text}" if quoted_text else str(status)
    text = f"{message} {code}"
    error, retry = _classify(status, headers, text, code, quoted, endpoint, body[:_JUDGED])
    return EndpointFailure(error, retry, status=status, text=text)


def _classify(
    status: int, headers: Mapping[str, str], text: str, code: str, quoted: str, endpoint: ChatEndpoint, told: str
) -> tuple[ModelError, Retry]:
    host, model = endpoint.host, endpoint.model
    if 300 <= status < 400:
        target = endpoint.excerpt(headers.get("location", "")) or "another address"
        text = f"{host} redirects to {target} ({status}). Put the final address into the settings."
        return ModelUnreachable(text, "The model has another address"), Retry.NO
    if status == 511:
        return ModelUnreachable(
            f"The network before {host} asks you to sign in ({quoted}). Open any web page, sign in, and ask again.",
            "The network asks you to sign in",
        ), Retry.NO
    if status == 407:
        return proxy_password(endpoint, quoted), Retry.NO
    if refused := _account_status(status, text, code):
        return _refusal(refused, code, quoted, endpoint), Retry.NO
    if status == 400 and PLAIN_HTTP.search(text):
        sentence = (
            f"{host} speaks HTTPS at this port ({quoted}). Let the address begin with https:// instead of http://."
        )
        return ModelUnreachable(sentence, "The address must be https"), Retry.NO
    without_body = status == 400 and not text.strip() and "cerebras" in host  # its way to say so
    if status == 413 or without_body or (status in {400, 422, 500} and OVERFLOW.search(text)):
        return ContextOverflow(
            f"The request is longer than “{model}” at {host} can take ({quoted}). "
            "Lower its context limit in the settings, or load the model with a larger context."
        ), Retry.NO
    if status in {400, 404, 422, 500, 501} and NO_TOOLS.search(text):
        return ToolsRefused(
            f"“{model}” at {host} does not accept tools ({quoted}). "
            "Choose a model that supports tool calls, or start the server with tool calls enabled."
        ), Retry.NO
    if status == 429:  # rate limit
        seconds = retry_after(headers) or told_wait(told)
        wait = f"It asks to wait {_duration(seconds)}." if seconds else "Try again in a while."
        text = f"{host} limits the rate of requests ({quoted}). {wait}"
        return ModelBusy(text, seconds, "The model limits your requests"), Retry.RATE_LIMITED
    if status in {400, 404, 410, 422} and MISSING.search(text) and not WRONG_PATH.search(text):
        return ModelMissing(
            f"{host} does not know the model “{model}” ({quoted}). "
            "Choose another one in the settings, or load it on the server first."
        ), Retry.NO
    if status in {404, 405}:
        text = f"No model at {endpoint.url} ({quoted}). Check the address."
        return ModelUnreachable(text, NO_CHAT), Retry.OTHER_ADDRESS
    if status >= 500 or status == 408:
        return _server_error(status, headers, text, quoted, host)
    text = f"{host} did not accept the request ({quoted}). Check the model and the settings."
    return ModelError(text, "The model did not accept the request"), Retry.NO


def proxy_password(endpoint: ChatEndpoint, quoted: str) -> ModelUnreachable:
    """Return the error of a proxy that wants a user and a password, or others."""
    title = "The proxy refused the connection"
    if "@" in urlsplit(endpoint.proxy).netloc:
        return ModelUnreachable(
            f"The proxy before {endpoint.host} does not accept the user and password in its address ({quoted}). "
            "Correct them there.",
            title,
        )
    return ModelUnreachable(
        f"The proxy before {endpoint.host} asks for a user and a password ({quoted}). Add them to its address.", title
    )


def _account_status(status: int, text: str, code: str) -> int:
    """Return the status of a refusal of the key or the account, as most would send it; 0 if it is none."""
    if status in {400, 403, 429} and NO_CREDIT.search(text):
        return 402
    if status == 400 and KEY_REFUSED.search(text):  # Google
        return 401
    return status if status in {401, 402, 403, 498} or code == "insufficient_quota" else 0


def _server_error(
    status: int, headers: Mapping[str, str], text: str, quoted: str, host: str
) -> tuple[ModelError, Retry]:
    if NO_MEMORY.search(text):
        full = f"{host} has not enough memory for the model ({quoted}). Choose a smaller model or context there."
        return ServerFailed(full, "The model does not fit into the server's memory"), Retry.NO
    loading = status == 503 and "loading" in text.lower()
    if loading or "retry-after" in headers:
        seconds = retry_after(headers) or 1.0
        title = "The model is being loaded" if loading else ""
        return ModelBusy(
            f"{host} is not ready yet ({quoted}). Try again in a moment.", seconds, title
        ), Retry.RATE_LIMITED
    if status in _OVERLOADED or OVERLOAD.search(text):
        busy = f"{host} has too many requests at present ({quoted}). Try again in a moment, or choose another model."
        return ModelBusy(busy, title="The model is overloaded"), Retry.BACKOFF
    if status in {408, 504}:
        late = f"{host} did not finish in time ({quoted}). Try again, or check the server."
        return ServerFailed(late, TOO_LONG), Retry.BACKOFF
    return ServerFailed(f"{host} failed ({quoted}). Try again, or check the server."), Retry.BACKOFF


def _refusal(status: int, code: str, quoted: str, endpoint: ChatEndpoint) -> ModelRefused:
    host = endpoint.host
    if status in {402, 429} or code == "insufficient_quota":
        text = f"The account at {host} has no credit left ({quoted}). Add credit there, or choose another model."
        return ModelRefused(text, "The account has no credit left")
    if not endpoint.key:
        text = f"{host} asks for an API key, and this model has none ({quoted}). Add the key in the settings."
        return ModelRefused(text, "The model asks for a key")
    if status == 403:
        text = f"{host} does not allow this key to use “{endpoint.model}” ({quoted}). Check the key and the model."
        return ModelRefused(text, "The key may not use this model")
    return ModelRefused(f"{host} did not accept the API key ({quoted}). Check the key of this model in the settings.")


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds a server asks to wait (seconds, milliseconds or a date in its header); 0 if none."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        seconds = math.nan
        with contextlib.suppress(ValueError):
            seconds = float(value) * unit
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        if math.isfinite(seconds):
            return min(max(0.0, seconds), _LONGEST_WAIT)
    return 0.0


def told_wait(text: str) -> float:
    """Return the seconds to wait that the text of a refusal tells; 0 if none."""
    found = WAIT.search(text)
    told = {unit: float(value) for unit, value in found.groupdict().items() if value} if found else {}
    units = {"hours": 3600.0, "minutes": 60.0, "seconds": 1.0, "milliseconds": 0.001}
    return min(sum(value * units[unit] for unit, value in told.items()), _LONGEST_WAIT)


def _duration(seconds: float) -> str:
    """Return a time in rounded words, never off by more than a quarter."""
    for unit, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * unit or round(seconds) == unit:
            return plural(round(seconds / unit), name)
    return plural(max(1, round(seconds)), "second")


def _without_tags(page: str) -> str:
    return re.sub(r"<[^<>]*>", " ", page)


def from_stream(error: object, endpoint: ChatEndpoint) -> EndpointFailure:
    """Classify an error object inside a stream that began with status 200."""
    body = json.dumps({"error": error})
    message, _ = error_text({"error": error})
    if WRONG_PATH.search(message):
        return not_chat(message, endpoint)
    if status := _told_status(as_object(error)):
        return from_status(status, {}, body, endpoint)
    for status in (400, 500):
        failure = from_status(status, {}, body, endpoint)
        if isinstance(failure.error, ContextOverflow | ModelMissing | ToolsRefused | ModelRefused):
            return failure
    quoted_text = endpoint.excerpt(message or body).rstrip(".")
    return EndpointFailure(
        StreamCut(f"{endpoint.host} broke off with an error ({quoted_text}). Ask again."), Retry.BACKOFF, text=message
    )


def _told_status(error: Mapping[str, object]) -> int:
    """Return the HTTP status that an error names, as a number, in digits (LiteLLM) or by a name; 0 if none."""
    for told in (error.get("code"), error.get("type")):
        name = as_text(told)
        digits = int(name) if len(name) == 3 and name.isdecimal() else 0
        status = told if isinstance(told, int) else digits or _STATUS_OF.get(name, 0)
        if 400 <= status < 600:
            return status
    return 0


def not_chat(text: str, endpoint: ChatEndpoint) -> EndpointFailure:
    """Classify an answer with status 200 that is not a chat completion."""
    text = text[:_JUDGED]
    quoted_text = endpoint.excerpt(_without_tags(text)) or "nothing"
    message = f"{endpoint.url} answered, but not as a model does: {quoted_text} – check the address."
    return EndpointFailure(ModelUnreachable(message, NO_CHAT), Retry.OTHER_ADDRESS, status=200, text=text)


# Classifies what fails on the way to an endpoint: names, ports, TLS, proxies, broken connections and silence.

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
