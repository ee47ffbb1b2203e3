"""A model of an endpoint behind the gate: refused hosts, never-send documents, masked secrets, the ledger.

What the model is sent has placeholders for secrets; what it writes has the values again, on this computer only.
"""

import json
import os
import re
import uuid
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlsplit

from desktop_rag.agent.gate.sent_ledger import SentLedger, SentPassage
from desktop_rag.errors import ModelError, SendingRefused
from desktop_rag.llm.chat import (
    STILL_RUNNING,
    AssistantMessage,
    ChatEvent,
    ChatModel,
    ChatRequest,
    Evidence,
    Message,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolMessage,
    TurnEnded,
    TurnProgress,
    UserMessage,
    WrappedModel,
)
from desktop_rag.llm.transport import address_candidates, is_loopback
from desktop_rag.settings import PrivacyOptions, Profile, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.secrets import LONGEST_ADDRESS, SecretMask, find_secrets

# Decides whether a request may go to a host: this computer always, others if the user allows it.

THIS_COMPUTER = "this computer"


def host_of(profile: Profile) -> str:
    """Return the host of an endpoint in the form in which it is resolved, with its port if the address names one.

    Non-ASCII letters are encoded: they may look like those of a known host. Raises `ModelUnreachable`.
    """
    if profile.model_file:
        return THIS_COMPUTER
    parts = urlsplit(address_candidates(profile.base_url)[0])
    host = _looked_up(parts.hostname or "")
    return f"{host}:{parts.port}" if parts.port else host


def _looked_up(host: str) -> str:
    if host.isascii():
        return host
    import httpx2  # encodes the host of a request; takes 0.1 s

    try:
        return httpx2.URL(f"https://{host}").raw_host.decode("ascii")
    except httpx2.InvalidURL:
        return host.encode("ascii", "backslashreplace").decode("ascii")


def is_local(profile: Profile) -> bool:
    """Return whether an endpoint is on this computer."""
    return bool(profile.model_file) or is_loopback(address_candidates(profile.base_url)[0])


def needs_confirmation(profile: Profile, privacy: PrivacyOptions) -> bool:
    """Return whether the user has to allow this host before anything is sent to it."""
    return (
        not (is_local(profile) or profile.local_only or privacy.offline)
        and host_of(profile) not in privacy.confirmed_hosts
    )


def check_host(profile: Profile, privacy: PrivacyOptions) -> None:
    """Raise `SendingRefused` if nothing may be sent to the endpoint."""
    if is_local(profile):
        return
    host = host_of(profile)
    if privacy.offline:
        raise SendingRefused(
            f"Nothing was sent to {host}: the program is set to work offline. Change that in the settings under "
            "Privacy, or choose the built-in model."
        )
    if profile.local_only:
        raise SendingRefused(
            f"Nothing was sent to {host}: “{profile.name}” is set to be on this computer only, and this address is not."
        )
    if host not in privacy.confirmed_hosts:
        raise SendingRefused(
            f"Nothing was sent to {host} yet: allow it in the window when it asks, or with `desktop-rag sent --allow "
            f"{host}`. It will receive your questions and the passages that are read to answer them."
        )


WITHHELD = "[Left out: these documents are never sent.]"
_LONGEST = 24  # characters of a placeholder
_UNFINISHED = re.compile(r"\{(?:\{(?:[a-z_0-9]{0,20}\}?)?)?\Z")
_AROUND = 3  # lines on each side of the end of a passage


def divided_secrets(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    """Yield each part of a secret that two or more passages make together, and its kind: neighbouring lines."""
    files: dict[str, list[Evidence]] = {}
    for message in messages:
        if isinstance(message, UserMessage | ToolMessage):
            for evidence in message.evidence:
                files.setdefault(evidence.path or evidence.file, []).append(evidence)
    for passages in files.values():
        if len(passages) > 1:
            yield from _of_file(passages)


def _of_file(passages: Sequence[Evidence]) -> Iterator[tuple[str, str]]:
    texts: dict[int, str] = {}
    owners: dict[int, set[int]] = {}
    for number, passage in enumerate(passages):
        for line, text in enumerate(passage.lines, passage.first_line):
            texts[line] = text
            owners.setdefault(line, set()).add(number)
    for line in sorted(texts):
        if line + 1 in texts and not owners[line] & owners[line + 1]:
            near = [each for each in range(line - _AROUND + 1, line + _AROUND + 1) if each in texts]
            yield from _across(line, [each for each in near if _is_joined(each, line, texts)], texts)


def _is_joined(one: int, other: int, texts: dict[int, str]) -> bool:
    return all(line in texts for line in range(min(one, other), max(one, other) + 1))


def _across(border: int, lines: Sequence[int], texts: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of the secrets that go on after the line `border`."""
    text = "\n".join(texts[line] for line in lines)
    end = sum(len(texts[line]) + 1 for line in lines if line <= border)
    for secret in find_secrets(text):
        if secret.start < end - 1 < secret.end:
            for part in text[secret.start : secret.end].split("\n"):
                yield part, secret.kind


class GuardedChat(WrappedModel):
    """Implements `ChatModel` over the model of a profile."""

    def __init__(
        self,
        model: ChatModel,
        profile: Profile,
        ledger: SentLedger | None = None,
        *,
        confirmed: tuple[str, ...] = (),
    ) -> None:
        super().__init__(model)
        self._confirmed = confirmed
        self._profile = profile
        self._ledger = ledger or SentLedger()
        self._run = uuid.uuid4().hex[:12]
        self._question = ""  # of the run, as it was sent
        self._sent: set[SentPassage] = set()
        self._mask = SecretMask()
        self._rules: tuple[tuple[str, ...], bool] = ((), True)

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn; raises `SendingRefused` and as the model, and `SettingsError` if the rules are not known."""
        rules = privacy()
        check_host(self._profile, replace(rules, confirmed_hosts=(*rules.confirmed_hosts, *self._confirmed)))
        self._use(rules)
        paths = tuple(os.fsdecode(path) for path in rules.withheld().paths)
        allowed = tuple(_without_withheld(message, paths) for message in request.messages)
        if rules.mask_secrets:
            for part, kind in divided_secrets(allowed):
                self._mask.expect(part, kind)
        if rules.mask_secrets or rules.never_words:
            for around in request.surroundings():
                self._mask.learn(around)
        masked = tuple(self._masked(message) for message in allowed)
        number, new = self._record(allowed, masked)
        try:
            yield from self._restored(self._model.chat(replace(request, messages=masked), stop))
        except ModelError as error:
            if error.unsent:
                self._ledger.withdraw(number)
                self._sent -= new
            raise

    def find_size(self, stop: Stop) -> Generator[TurnProgress]:
        """Have the model find out its size, if its host may be asked at all."""
        rules = privacy()
        check_host(self._profile, replace(rules, confirmed_hosts=(*rules.confirmed_hosts, *self._confirmed)))
        yield from super().find_size(stop)

    def _use(self, rules: PrivacyOptions) -> None:
        wanted = rules.never_words, rules.mask_secrets
        if wanted != self._rules or not self._mask.values:
            self._rules, self._mask = wanted, SecretMask(rules.never_words, secrets=rules.mask_secrets)

    def _record(self, allowed: Sequence[Message], masked: Sequence[Message]) -> tuple[int, Set[SentPassage]]:
        """Write the request to the ledger; return its number there and the passages that are new in this run."""
        new = dict.fromkeys(passage for passage in _passages(allowed) if passage not in self._sent)
        asked = (m for m in reversed(masked) if isinstance(m, UserMessage) and not m.aside)
        self._question = next((self._mask.mask(m.given.question) if m.given else m.text for m in asked), self._question)
        characters = sum(len(message.text) for message in masked)
        host, hidden = host_of(self._profile), len(self._mask.values)
        about = self._run, host, self._profile.model, self._question[:300]
        number = self._ledger.record(*about, characters, hidden, new)
        self._sent.update(new)
        return number, new.keys()

    def _masked(self, message: Message) -> Message:
        mask = self._mask.mask
        if isinstance(message, AssistantMessage):
            calls = tuple(replace(call, arguments=mask(call.arguments)) for call in message.tool_calls)
            return replace(message, text=mask(message.text), reasoning=mask(message.reasoning), tool_calls=calls)
        return replace(message, text=mask(message.text))

    def _restored(self, events: Generator[ChatEvent]) -> Generator[ChatEvent]:
        """Pass on events with the values of placeholders, which may come in pieces."""
        held, note, before = "", False, ""
        with closing(events):
            for event in events:
                if isinstance(event, TextDelta) and self._mask.values:
                    text, note = held + event.text, event.note
                    found = _UNFINISHED.search(text[-_LONGEST:])
                    cut = len(text) - len(found[0]) if found else len(text)
                    held, text = text[cut:], text[:cut]
                    if text:
                        yield TextDelta(self._mask.restore(text, before), note)
                    before = (before + text)[-LONGEST_ADDRESS:]
                    continue
                if held and event != STILL_RUNNING:
                    yield TextDelta(held, note)
                    held = ""
                yield self._restored_event(event)
        if held:
            yield TextDelta(held, note)

    def _restored_event(self, event: ChatEvent) -> ChatEvent:
        restore = self._mask.restore
        if isinstance(event, ReasoningDelta):
            return ReasoningDelta(restore(event.text))
        if isinstance(event, TurnEnded):
            message = event.message
            calls = tuple(self._restored_call(call) for call in message.tool_calls)
            text, reasoning = restore(message.text), restore(message.reasoning)
            return replace(event, message=replace(message, text=text, reasoning=reasoning, tool_calls=calls))
        return event

    def _restored_call(self, call: ToolCall) -> ToolCall:
        arguments = call.arguments
        for placeholder, value in self._mask.values.items():
            arguments = arguments.replace(placeholder, json.dumps(value, ensure_ascii=False)[1:-1])
        return replace(call, arguments=arguments)


def _without_withheld(message: Message, paths: Sequence[str]) -> Message:
    """Return a message without the passages of files that are never sent; the engine should have left them out."""
    if isinstance(message, UserMessage | ToolMessage) and any(_is_below(each.path, paths) for each in message.evidence):
        return replace(message, text=WITHHELD, evidence=())
    return message


def _is_below(path: str, paths: Sequence[str]) -> bool:
    return any(path == each or path.startswith(each.rstrip(os.sep) + os.sep) for each in paths)


def _passages(messages: Sequence[Message]) -> Iterator[SentPassage]:
    for message in messages:
        if isinstance(message, UserMessage | ToolMessage):
            yield from map(_passage, message.evidence)


def _passage(evidence: Evidence) -> SentPassage:
    last = evidence.first_line + max(len(evidence.lines), 1) - 1
    return SentPassage(evidence.path or evidence.file, evidence.title, evidence.first_line, last)
