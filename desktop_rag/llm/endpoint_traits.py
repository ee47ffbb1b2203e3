"""What an endpoint was found to accept and to tell: kept per profile and model, shown in the settings, resettable."""

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.redaction import without_credentials
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.settings import Profile

BELIEVED_SECONDS = 86_400.0  # for refused tools and a small window: the server may be started anew with others
LEAST_COUNTED = 400  # estimated tokens of a prompt whose count tells about the tokenizer
_RATIOS = (0.5, 2.0)  # of a count to its estimate; others are no count of the whole prompt
_NEWEST_SHARE = 0.3
_NOTABLE = 0.02
_KEPT = 200  # endpoints
SMALL = 3_500_000_000  # parameters: those of “3B” models are below it, of “4B” models above
logger = logging.getLogger(__name__)

LLAMA_CPP, VLLM = "llama.cpp", "vLLM"  # of `EndpointTraits.server`


@dataclass(frozen=True, slots=True)
class EndpointTraits:
    """The deviations of one model at one address; the defaults are what most endpoints do."""

    calls_tools: bool | None = None  # whether it made a call; None before the first
    parallel_calls: bool = False  # made several calls in one turn
    tools_refused_at: float = 0.0  # seconds since the epoch; 0: never
    other_use: ToolUse | None = None  # how it can be made to search, though it calls no tools
    other_use_at: float = 0.0  # seconds since the epoch, when that was found out
    parameters: int = 0  # of the model, as a near server told; 0: unknown
    size_asked_at: float = 0.0  # seconds since the epoch; 0: never
    searches_well: bool | None = None  # whether the examination recommends that it searches; None: not examined
    judges: bool | None = None  # whether its yes and no to a statement can be used; None: not tried
    dropped_fields: tuple[str, ...] = ()  # of the request
    length_field: str = "max_tokens"
    max_output: int = 0  # tokens; 0: no limit is known
    effort: str = ""  # the reasoning effort accepted instead of the profile's
    echo_reasoning: bool = True
    demand_reasoning: bool = False  # each message needs its thinking, be it empty
    reasoning_field: str = ""  # in which thinking came
    opens_thinking: bool = False  # the prompt template opens the thinking block, only its end is sent
    system_role: bool = True
    user_after_tool: bool = True  # a user's message may follow a tool's result
    alternates: bool = False  # user and assistant must take turns
    tools_with_results: bool = False  # `tools` must be there while results of tools are
    named_results: bool = False  # results carry the tool's name
    null_content: bool = True  # a message with calls may have no content
    reports_usage: bool | None = None
    context_window: int = 0  # tokens, as the server said or showed; 0: unknown
    window_told_at: float = 0.0  # seconds since the epoch
    window_asked_at: float = 0.0  # seconds since the epoch, when the server's own pages did not tell it; 0: never
    wants_responses: bool = False  # asked for the Responses API
    whole_prompt: int = 0  # estimated tokens of the longest prompt whose beginning it proved to have read
    recall_failed_at: float = 0.0  # seconds since the epoch, when it could not prove that; 0: never
    token_ratio: float = 0.0  # tokens as it counts them, by our estimate; 0: unknown
    stop_reasons: tuple[str, ...] = ()  # finish reasons seen
    server: str = ""  # LLAMA_CPP or VLLM, which count tokens on request; empty: another one, or unknown

    def refuses_tools(self) -> bool:
        """Return whether tools were refused not long ago."""
        return _is_recent(self.tools_refused_at)

    def tool_use(self) -> ToolUse | None:
        """Return how the model can be made to search, if it is known not to call tools, or too small to search."""
        if self.searches_well is False or (self.searches_well is None and self.is_small()):
            return ToolUse.NONE
        return None if self.calls_tools or not _is_recent(self.other_use_at) else self.other_use

    def is_small(self) -> bool:
        """Return whether the model is known to have less parameters than what is sold as “4B”."""
        return 0 < self.parameters < SMALL

    def knows_size(self) -> bool:
        """Return whether the size is known, or was asked for in vain not long ago."""
        return bool(self.parameters) or _is_recent(self.size_asked_at)

    def with_tool_use(self, way: ToolUse) -> "EndpointTraits":
        """Return these traits after the model turned out to search in this way; one that called tools keeps to it."""
        if self.calls_tools or way is ToolUse.NATIVE:
            return self
        return replace(self, other_use=way, other_use_at=time.time())

    def window(self, most: int) -> int:
        """Return the context window: `most`, or the smaller one that the endpoint told or showed not long ago."""
        return min(most, self.context_window) if self.context_window and _is_recent(self.window_told_at) else most

    def calibrated(self, estimate: int) -> int:
        """Return an estimate of tokens, corrected by what the endpoint counted before."""
        return max(1, round(estimate * self.token_ratio)) if self.token_ratio and estimate else estimate

    def may_cut_unseen(self) -> bool:
        """Return whether it may cut prompts off unseen: it counts none on request, and its window is not known."""
        return not (self.server or _is_recent(self.window_told_at) or _is_recent(self.recall_failed_at))

    def knows_window(self) -> bool:
        """Return whether the window was told not long ago, or asked for in vain."""
        return _is_recent(self.window_told_at) or _is_recent(self.window_asked_at)

    def with_count(self, counted: int, estimated: int) -> "EndpointTraits":
        """Return these traits after the endpoint counted an estimated prompt; short and odd ones say nothing."""
        is_cut = counted == self.context_window
        if estimated < LEAST_COUNTED or is_cut or not _RATIOS[0] <= counted / estimated <= _RATIOS[1]:
            return self
        ratio, before = counted / estimated, self.token_ratio
        ratio = before + _NEWEST_SHARE * (ratio - before) if before else ratio
        return replace(self, token_ratio=round(ratio, 3)) if abs(ratio - before) > _NOTABLE else self

    def without(self, field: str) -> "EndpointTraits":
        """Return these traits after a field of the request was refused."""
        return replace(self, dropped_fields=(*self.dropped_fields, field))

    def with_window(self, tokens: int) -> "EndpointTraits":
        """Return these traits with the context window that the endpoint just told or showed."""
        return replace(self, context_window=tokens, window_told_at=time.time())


def _is_recent(moment: float) -> bool:
    return 0 <= time.time() - moment < BELIEVED_SECONDS


def usual_traits(profile: Profile) -> EndpointTraits:
    """Return the traits that an address and a model imply before the first request."""
    origin = f"{profile.model} {profile.base_url}".lower()
    return EndpointTraits(
        length_field="max_completion_tokens" if "api.openai.com" in origin else "max_tokens",
        effort=profile.reasoning_effort,
        demand_reasoning="deepseek" in origin,
        user_after_tool="mistral.ai" not in origin,
    )


class EndpointMemory:
    """Keeps traits in one small file for all libraries; every method is thread-safe and reads or writes the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def recall(self, profile: Profile) -> EndpointTraits:
        """Return what was learned about the profile's endpoint and model, else what is usual."""
        with self._lock:
            return self._read().get(_key(profile)) or usual_traits(profile)

    def keep(self, profile: Profile, traits: EndpointTraits) -> None:
        """Store `traits`; a file that cannot be written is only logged."""
        with self._lock:
            known = self._read()
            known.pop(_key(profile), None)
            self._write({**known, _key(profile): traits})

    def forget(self, profile: Profile) -> None:
        """Drop what was learned about the profile's endpoint with any model."""
        with self._lock:
            known = self._read()
            place = _place(profile)
            self._write({key: traits for key, traits in known.items() if not key.startswith(place)})

    def _read(self) -> dict[str, EndpointTraits]:
        try:
            entries = decode_json(self._path.read_bytes(), dict[str, msgspec.Raw])
        except FileNotFoundError:
            return {}
        except (msgspec.DecodeError, OSError, RecursionError) as error:
            logger.warning("What was learned about endpoints cannot be read: %s", error)
            return {}
        known = {}
        for key, entry in entries.items():  # one that another version wrote must not take the others with it
            try:
                known[key] = decode_json(bytes(entry), EndpointTraits)
            except (msgspec.DecodeError, RecursionError) as error:
                logger.warning("What was learned about an endpoint cannot be read: %s", error)
        return known

    def _write(self, known: Mapping[str, EndpointTraits]) -> None:
        newest = dict(list(known.items())[-_KEPT:])
        try:
            private_folder(self._path.parent)
            write_durably(self._path, msgspec.json.format(msgspec.json.encode(newest), indent=2))
        except OSError as error:
            logger.warning("What was learned about endpoints cannot be written: %s", error)


def _place(profile: Profile) -> str:
    return f"{profile.name}\n{without_credentials(profile.base_url)}\n"


def _key(profile: Profile) -> str:
    effort = f" {profile.reasoning_effort}" if profile.reasoning_effort else ""
    return f"{_place(profile)}{profile.model}{effort}"
