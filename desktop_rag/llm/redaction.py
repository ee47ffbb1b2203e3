"""Removes keys and passwords, in every spelling, from texts that are shown, logged or stored; masks what is sent."""

import base64
import html
import json
import re
from collections.abc import Iterator
from functools import partial
from typing import cast
from urllib.parse import quote, quote_plus, unquote, urlsplit

from desktop_rag.errors import ModelRefused
from desktop_rag.llm.json_value import JsonObject
from desktop_rag.settings import privacy
from desktop_rag.text.json_types import Json, map_strings
from desktop_rag.text.secrets import SecretMask

HIDDEN = "•••"
_LEAST = 4  # characters of a secret; a shorter one would blank out half the text
_USER_INFO = re.compile(r"(?<=//)[^\s/?#\"'<>]+@")  # a name alone may be a token
_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(/))")
_LEAST_ENCODED = 8  # characters of a secret inside base64
_CREDENTIAL = re.compile(
    r"((?:\b(?:bearer|basic)\s+|\b(?:api[-_]?key|access[-_]token|client[-_]secret|password)[\"']?\s*[=:]\s*[\"']?))"
    r"(?!•)[^\s\"'&,;<>]{8,}",
    re.IGNORECASE,
)
# What documentation of local servers says to enter where a client wants some key: words of ordinary answers.
_NO_SECRETS = frozenset({
    *("ollama", "lm-studio", "lmstudio", "lm_studio", "llama", "llama.cpp", "llamacpp", "vllm", "localai", "local"),
    *("none", "null", "empty", "no-key", "nokey", "not-needed", "not-required", "sk-no-key-required", "dummy", "test"),
    *("anything", "key", "api-key", "apikey", "token", "secret", "xxxx", "sk-xxx", "placeholder", "unused", "default"),
})  # fmt: skip
_URL_SAFE = str.maketrans("+/", "-_")
_NOT_IN_A_KEY = re.compile(r"[^\x21-\x7e]")  # an HTTP header takes visible ASCII


class Redactor:
    """Replaces `secrets` and whatever follows the usual names of credentials by `HIDDEN`."""

    def __init__(self, *secrets: str) -> None:
        spellings = {spelling for secret in secrets for spelling in _spellings(secret)}
        self._known = sorted((s for s in spellings if len(s) >= _LEAST), key=len, reverse=True)
        self._first = {secret[0] for secret in self._known}
        self._in_any_case = re.compile("|".join(map(re.escape, self._known)) or r"(?!)", re.IGNORECASE)

    def secrets_only(self, text: str) -> str:
        """Return `text` without the known secrets; fast enough for every event of a stream."""
        for spelling in self._known:
            text = text.replace(spelling, HIDDEN)
        return text

    def unfinished(self, text: str) -> int:
        """Return how many characters at the end of `text` may begin a known secret."""
        longest = len(self._known[0]) - 1 if self._known else 0
        for start in range(max(0, len(text) - longest), len(text)):
            if text[start] in self._first and any(secret.startswith(text[start:]) for secret in self._known):
                return len(text) - start
        return 0

    def __call__(self, text: str) -> str:
        """Return `text` without anything that is or looks like a secret."""
        for plain in (unquote(text), _unescaped(text), html.unescape(text), unquote(html.unescape(_unescaped(text)))):
            if plain != text and self._in_any_case.search(plain):
                text = plain
        text = _USER_INFO.sub(f"{HIDDEN}@", self._in_any_case.sub(HIDDEN, text))
        return _CREDENTIAL.sub(rf"\1{HIDDEN}", text)


def redactor(key: str, *addresses: str) -> Redactor:
    """Return the redactor of a key and of the passwords in `addresses`; placeholders for “no key” are not hidden."""
    key = "" if key.strip().lower() in _NO_SECRETS else key
    return Redactor(key, *(password for address in addresses for password in _passwords(address)))


def usable_key(key: str) -> str:
    """Return `key` without white space around it; raises `ModelRefused` if no header can carry it."""
    stripped = key.strip()
    if found := _NOT_IN_A_KEY.search(stripped):
        kind = "a line break" if found[0] in "\r\n" else "a space" if found[0].isspace() else "an unusual character"
        raise ModelRefused(
            f"The API key of this model contains {kind} and was not sent. Enter the key again in the settings.",
            "The key cannot be used",
        )
    return stripped


def without_credentials(address: str) -> str:
    """Return `address` without user and password."""
    return re.sub(r"(?<=://)[^/?#]*@", "", address)


def basic_credentials(address: str) -> str:
    """Return user and password of `address` as the value of an `Authorization` header; empty without them."""
    info = urlsplit(address).netloc.rpartition("@")[0]
    return f"Basic {base64.b64encode(unquote(info).encode()).decode()}" if info else ""


def _passwords(address: str) -> Iterator[str]:
    try:
        info = urlsplit(address).netloc.rpartition("@")[0]
    except ValueError:
        return
    name, _, password = info.partition(":")
    secret = password or ("" if name.lower() in _NO_SECRETS else name)  # a name alone may be a token
    if secret:
        yield secret
        yield unquote(secret)
        yield unquote(info)


def _spellings(secret: str) -> Iterator[str]:
    """Yield how servers, exceptions and loggers may write `secret`."""
    lines = (secret.strip(), *secret.split()) if secret.split() else ()
    for text in (secret, *lines):
        yield text
        yield repr(text)[1:-1]
        yield repr(text.encode("utf-8", "replace"))[2:-1]
        yield json.dumps(text)[1:-1]
        yield html.escape(text)
        yield quote(text, safe="")
        yield quote(text)
        yield quote_plus(text)
        encoded = text.encode("utf-8", "replace")
        for code in (base64.b64encode(encoded), base64.urlsafe_b64encode(encoded)):
            yield code.decode().rstrip("=")
        yield from _inside_base64(encoded)
        yield encoded.hex()


def _inside_base64(secret: bytes) -> Iterator[str]:
    """Yield what base64 makes of `secret` behind anything, such as `Bearer `, but for characters at either end."""
    for before, mixed in ((0, 0), (1, 2), (2, 3)):
        code = base64.b64encode(bytes(before) + secret).decode().rstrip("=")
        whole = code[mixed : (before + len(secret)) * 8 // 6]
        if len(whole) >= _LEAST_ENCODED:
            yield whole
            yield whole.translate(_URL_SAFE)


def _unescaped(text: str) -> str:
    """Return a text with the escapes of JSON and Python replaced by their characters."""
    return _ESCAPE.sub(lambda found: found[3] or chr(int(found[1] or found[2], 16)), text)


def checked_body(body: JsonObject) -> JsonObject:
    """Return the body with every string masked by the user's rules."""
    rules = privacy()
    mask = SecretMask((*rules.never_words, *rules.never_send), secrets=rules.mask_secrets)
    sent = cast("dict[str, Json]", body)
    return {name: map_strings(value, partial(_masked, mask=mask)) for name, value in sent.items()}


def _masked(text: str, mask: SecretMask) -> str:
    masked = mask.mask(text)
    if masked == text or not text.startswith("{"):
        return masked
    try:  # the arguments of a call must stay JSON
        return json.dumps(map_strings(json.loads(text), partial(_masked, mask=mask)), ensure_ascii=False)
    except ValueError:
        return masked
