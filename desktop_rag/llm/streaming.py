"""Assembles the chunks of a chat-completions stream, tolerating each provider's deviations from the format.

Odd rules are for real servers: Ollama (index missing or always 0, whole calls), LM Studio and vLLM (empty names and
ids), Azure (chunks without choices or delta), OpenRouter (errors inside the stream).
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from desktop_rag.errors import StreamCut
from desktop_rag.llm.chat import (
    AssistantMessage,
    ReasoningDelta,
    StreamedEvent,
    TextDelta,
    TokenUsage,
    ToolCall,
    TurnProgress,
)
from desktop_rag.llm.content import ContentSplitter
from desktop_rag.llm.endpoint_traits import LLAMA_CPP, EndpointTraits
from desktop_rag.llm.failures import ChatEndpoint, EndpointFailure, from_stream, not_chat
from desktop_rag.llm.json_value import (
    JsonObject,
    as_count,
    as_list,
    as_object,
    as_piece,
    as_text,
    decode_json,
    well_formed,
)
from desktop_rag.llm.message_format import REASONING_FIELDS, new_call_id, pack_raw, wire_call
from desktop_rag.llm.redaction import HIDDEN, redactor
from desktop_rag.llm.written_calls import (
    Offered,
    called_name,
    repaired_arguments,
    shown_calls,
    without_tool_text,
    written_calls,
)
from desktop_rag.text.hidden_characters import visible

# Leaves out what a server sends again: the whole text in its last chunk, or all of it so far in every chunk.

_LEAST_WHOLE = 20  # characters of a whole text that comes once more
_REPETITIONS = 2  # in a last chunk and in a message: a model that repeats itself goes on
_LEAST_FIRST = 8  # characters of a first piece, if there are but two
_BEFORE_ANSWER = ("</think>", "</thinking>", "<|message|>", "<channel|>", "assistantfinal")


class RestatedText:
    """The text of one field, as its pieces come."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._size = 0
        self._held = ""  # the second piece, if the first begins it: the third tells whether all do
        self._repeated = 0
        self._ended = False  # the turn was said to be over: what comes is new, or all of it again
        self._again = ""
        self._grows = False  # every piece is the whole text so far

    def feed(self, piece: str) -> str:
        """Return what is new in `piece`."""
        if not piece:
            return ""
        if self._ended:
            self._again += piece
            if self._whole().startswith(self._again.lstrip()):
                return ""
            piece, self._again, self._ended = self._again, "", False
        if self._grows:
            return self._beyond(piece)
        if self._held:
            held, self._held = self._held, ""
            self._grows = len(piece) > len(held) and piece.startswith(held)
            if self._grows:
                return self._beyond(piece)
            return self._added(held) + self.feed(piece)
        if len(self._text) == 1 and len(piece) > self._size and piece.startswith(self._text[0]):
            self._held = piece
            return ""
        if self._repeated < _REPETITIONS and self._is_whole(piece):
            self._repeated += 1
            return ""
        return self._added(piece)

    def finish(self) -> None:
        """Note that the turn is said to be over; some servers say so with every piece."""
        self._ended = self._ended or bool(self._size)

    def end(self) -> str:
        """Return what was held back."""
        again = self._again.strip()
        if again and (len(again) >= _LEAST_WHOLE or again == self._whole().strip()):
            return ""
        if again:
            return self._added(self._again)
        held, self._held = self._held, ""
        return self._beyond(held) if self._size >= _LEAST_FIRST else self._added(held)

    def _added(self, piece: str) -> str:
        if piece:
            self._text.append(piece)
            self._size += len(piece)
        return piece

    def _beyond(self, piece: str) -> str:
        """Return what a piece has behind the text so far; one that does not begin with it is a part again."""
        text = self._whole()
        return self._added(piece[self._size :] if piece.startswith(text) else "" if text.startswith(piece) else piece)

    def _is_whole(self, piece: str) -> bool:
        """Return whether a piece is the whole text so far, or the answer behind its thinking."""
        said = piece.strip()
        if not _LEAST_WHOLE <= len(said) <= self._size:
            return False
        text = self._whole().rstrip()
        before = text.removesuffix(said).rstrip()
        return text.endswith(said) and (not before or before.endswith(_BEFORE_ANSWER))

    def _whole(self) -> str:
        self._text = ["".join(self._text)] if len(self._text) > 2 else self._text
        return "".join(self._text)


MAX_CALLS = 64  # of one turn; further ones are ignored
MAX_ARGUMENTS = 100_000  # characters of one call; what follows is ignored, so that the call fails
MAX_TURN_CHARACTERS = 2_000_000  # of text and thinking
_MUCH_OF_A_SECRET = 8  # characters at the end of a stream
_LONGEST_NAME = 200
_LONGEST_REASON = 40
_LIKELY = 0.3  # that the first word is yes or no, where one of them is asked for
_FASTEST = 1e6  # tokens per second; what is beyond is no measurement


class _PartialCall:
    """A tool call under assembly."""

    def __init__(self) -> None:
        self.provider_id = ""
        self.name = ""
        self.extra: object = None
        self._pieces: list[str] = []
        self._size = 0

    def add(self, arguments: str) -> None:
        """Add the next part of the arguments."""
        if arguments and self._size <= MAX_ARGUMENTS:
            self._pieces.append(arguments)
            self._size += len(arguments)

    def is_restated_by(self, arguments: str) -> bool:
        """Return whether these are the arguments so far once more, whole or with more after them."""
        if not 0 < self._size <= len(arguments) or not arguments.startswith(self.arguments):
            return False
        return len(arguments) > self._size or self.is_complete()

    def restart(self) -> None:
        """Forget the arguments so far."""
        self._pieces, self._size = [], 0

    @property
    def arguments(self) -> str:
        """Return the arguments so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def has_arguments(self) -> bool:
        """Return whether any part of the arguments came."""
        return bool(self._pieces)

    def is_complete(self) -> bool:
        """Return whether the arguments are complete JSON."""
        try:
            decode_json(self.arguments)
        except ValueError:
            return False
        return True

    def final_arguments(self) -> str:
        """Return the arguments as JSON text; empty becomes an object, double encoding is undone."""
        text = well_formed(self.arguments[: MAX_ARGUMENTS + 1]).strip("\ufeff \t\r\n")
        try:
            value = decode_json(text or "{}")
        except ValueError:
            return repaired_arguments(text)
        if value is None:
            return "{}"
        return value if isinstance(value, str) and value.lstrip().startswith("{") else text or "{}"


class ToolCallAssembler:
    """Merges the deltas of tool calls; `offered` are the names that exist."""

    def __init__(self, offered: Collection[str]) -> None:
        self._offered = offered
        self._slots: list[_PartialCall] = []
        self._by_index: dict[int, _PartialCall] = {}

    def feed(self, deltas: object) -> int:
        """Take the `tool_calls` of one delta; return how many characters of arguments came."""
        size = 0
        entries = [as_object(entry) for entry in as_list(deltas)]
        for position, entry in enumerate(entries):
            function = as_object(entry.get("function"))
            provider_id, name = as_text(entry.get("id")), as_text(function.get("name"))
            index = entry.get("index")
            slot = self._slot(index if isinstance(index, int) else None, provider_id, name, position, len(entries))
            if slot is None:
                continue
            slot.provider_id = slot.provider_id or provider_id
            if name and name != slot.name:
                slot.name = (slot.name + name)[:_LONGEST_NAME]
            slot.extra = entry.get("extra_content") or slot.extra
            arguments = function.get("arguments")
            if isinstance(arguments, str):
                size += len(arguments)
                if name == slot.name and provider_id == slot.provider_id != "" and slot.is_restated_by(arguments):
                    slot.restart()
                slot.add(arguments)
            elif arguments is not None and not slot.has_arguments():
                slot.add(json.dumps(arguments, ensure_ascii=False))
        return size

    def _slot(self, index: int | None, provider_id: str, name: str, position: int, count: int) -> _PartialCall | None:
        """Return the call that a delta belongs to; None beyond `MAX_CALLS`."""
        if index is not None:
            current = self._by_index.get(index)
        elif provider_id:
            current = next((slot for slot in self._slots if slot.provider_id == provider_id), None)
        elif count > 1 and not name and position < len(self._slots):
            current = self._slots[position]
        else:
            current = self._slots[-1] if self._slots else None
        if current is None or self._begins_another(current, provider_id, name):
            if len(self._slots) >= MAX_CALLS:
                return None
            current = _PartialCall()
            self._slots.append(current)
        if index is not None:
            self._by_index[index] = current
        return current

    def _begins_another(self, current: _PartialCall, provider_id: str, name: str) -> bool:
        """Return whether a delta for the slot `current` belongs to a new call: only those carry a name."""
        if not name or not current.name:
            return False
        if provider_id and current.provider_id:
            return provider_id != current.provider_id
        if current.has_arguments():
            return current.is_complete()
        return name != current.name and current.name in self._offered  # otherwise the name is streamed in parts

    def calls(self) -> list[tuple[str, str, object]]:
        """Return name, arguments as JSON text and the provider's extra content of every call that has a name."""
        return [(slot.name, slot.final_arguments(), slot.extra) for slot in self._slots if slot.name]


class TurnReader:
    """Reads decoded chunks in order; afterwards it has the whole message."""

    def __init__(self, endpoint: ChatEndpoint, offered: Offered, *, thinking: bool = False) -> None:
        self._endpoint = endpoint
        self._offered = offered
        self._content = ContentSplitter(thinking=thinking, tools=offered)
        self._calls = ToolCallAssembler(offered)
        self._reasoning: list[str] = []
        self._reasoning_field = ""
        self._size = 0  # characters of text and thinking
        self._restated: dict[str, RestatedText] = {}
        self._halves: dict[str, str] = {}  # the beginning of a split surrogate pair or secret, by field
        self._redact = redactor(endpoint.key, endpoint.url, endpoint.proxy)
        self._reasoning_details: list[JsonObject] = []
        self._finish = ""
        self._choice: object = None  # the index of the first choice
        self._timings: Mapping[str, object] = {}  # of llama.cpp
        self._is_read = False  # it told how much of the prompt it had read, and wrote nothing yet
        self.usage: TokenUsage | None = None
        self.yes: float | None = None  # probability of “yes” against “no” as the first word, if the server tells it
        self.answered = False  # at least one chunk looked like a chat completion

    @property
    def finished(self) -> bool:
        """Return whether the provider sent a finish reason."""
        return bool(self._finish)

    def observed(self, traits: EndpointTraits) -> EndpointTraits:
        """Return `traits` with what this turn shows about the endpoint."""
        made = len(self._calls.calls())
        reasons = traits.stop_reasons
        return replace(
            traits,
            calls_tools=True if made else traits.calls_tools,
            other_use=None if made else traits.other_use,
            tools_refused_at=0.0 if made else traits.tools_refused_at,
            parallel_calls=traits.parallel_calls or made > 1,
            opens_thinking=traits.opens_thinking or self._content.closed_unopened,
            reasoning_field=self._reasoning_field or ("content" if self._content.reasoning else traits.reasoning_field),
            reports_usage=self.usage is not None,
            server=LLAMA_CPP if self._timings else traits.server,
            stop_reasons=reasons if not self._finish or self._finish in reasons else (*reasons, self._finish)[-8:],
        )

    def feed(self, chunk: object) -> Iterator[StreamedEvent]:
        """Yield the deltas of a chunk; raises `EndpointFailure` for an error object or anything but a completion."""
        fields = as_object(chunk)
        if fields.get("error"):
            raise from_stream(fields["error"], self._endpoint)
        if "choices" not in fields and "usage" not in fields:
            if self.answered:
                return
            raise not_chat(json.dumps(chunk), self._endpoint)
        self.answered = True
        progress = as_object(fields.get("prompt_progress"))
        if progress:
            self._is_read = True
            done, total = as_count(progress.get("processed")), as_count(progress.get("total"))
            yield TurnProgress("reading", done, total, _seconds_left(progress, total - done))
        self._timings = as_object(fields.get("timings")) or self._timings
        self._count(fields.get("usage"))
        for choice in filter(self._is_ours, map(as_object, as_list(fields.get("choices"))[:1])):
            self._count(choice.get("usage"))
            whole = {} if self._size else choice.get("message")  # some send it once more at the end
            delta = as_object(choice.get("delta")) or as_object(whole)
            if self._is_read and not progress and any(delta[name] for name in delta if name != "role"):
                self._is_read = False
                yield TurnProgress("writing", 0, 0)
            if self.yes is None:
                self.yes = _probability_of_yes(choice.get("logprobs"))
            yield from self._take(delta)
            if reason := as_text(choice.get("finish_reason"))[:_LONGEST_REASON]:
                self._finish = reason
                for each in self._restated.values():
                    each.finish()
            if self._finish == "error":
                raise from_stream(choice.get("error") or "the provider ended with an error", self._endpoint)

    def _is_ours(self, choice: Mapping[str, object]) -> bool:
        """Return whether a choice has the index of the first one: one answer was asked for."""
        index = choice.get("index")
        self._choice = index if self._choice is None else self._choice
        return index is None or index == self._choice

    def _take(self, delta: Mapping[str, object]) -> Iterator[TextDelta | ReasoningDelta]:
        for name in REASONING_FIELDS:
            piece = self._joined(name, as_piece(delta.get(name)))
            if piece and self._reasoning_field in {"", name}:  # some servers send two fields at once: use only one
                self._reasoning_field = name
                self._reasoning.append(piece)
                yield ReasoningDelta(piece)
        for detail in as_list(delta.get("reasoning_details")):
            self._grow(sum(len(as_piece(value)) for value in as_object(detail).values()))
            _join_detail(self._reasoning_details, detail)
        content = delta.get("content")
        for piece in (
            [content] if isinstance(content, str) else [as_piece(as_object(p).get("text")) for p in as_list(content)]
        ):
            yield from self._content.feed(self._joined("content", piece))
        yield from self._content.feed(self._joined("refusal", as_piece(delta.get("refusal"))))  # OpenAI's safety text
        self._grow(self._calls.feed(delta.get("tool_calls")))
        if old_form := as_object(delta.get("function_call")):
            self._grow(self._calls.feed([{"index": 0, "function": old_form}]))

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > MAX_TURN_CHARACTERS:
            raise EndpointFailure(StreamCut(f"{self._endpoint.host} does not end its answer. The text so far is kept."))

    def _joined(self, name: str, piece: str) -> str:
        """Return `piece` as text that can be encoded and has no secret; half of either waits for the rest."""
        piece = self._restated.setdefault(name, RestatedText()).feed(piece)
        return self._cleaned(name, piece)

    def _cleaned(self, name: str, piece: str) -> str:
        self._grow(len(piece))
        piece, half = self._halves.pop(name, "") + piece, ""
        if "\ud800" <= piece[-1:] <= "\udbff":
            piece, half = piece[:-1], piece[-1]
        piece = self._redact.secrets_only(visible(well_formed(piece)))
        if held := self._redact.unfinished(piece):
            piece, half = piece[:-held], piece[-held:] + half
        if half:
            self._halves[name] = half
        return piece

    def _count(self, usage: object) -> None:
        counts = as_object(usage)
        if not counts.get("prompt_tokens") and not counts.get("completion_tokens"):
            return
        self.usage = TokenUsage(
            prompt=as_count(counts.get("prompt_tokens")),
            completion=as_count(counts.get("completion_tokens")),
            cached=as_count(as_object(counts.get("prompt_tokens_details")).get("cached_tokens")),
            reasoning=as_count(as_object(counts.get("completion_tokens_details")).get("reasoning_tokens")),
            per_second=_rate(self._timings.get("predicted_per_second")),
        )

    def end(self) -> Iterator[TextDelta | ReasoningDelta]:
        """Flush the buffered text; call it once, also after a broken stream."""
        for name, restated in self._restated.items():
            rest = self._cleaned(name, restated.end())
            held = self._halves.pop(name, "")
            rest += HIDDEN if len(held) >= _MUCH_OF_A_SECRET else held.encode(errors="ignore").decode()
            if name in REASONING_FIELDS and rest:
                self._reasoning.append(rest)
                yield ReasoningDelta(rest)
            elif rest:
                yield from self._content.feed(rest)
        yield from self._content.end()
        withheld = self._content.withheld and not self._written()
        if withheld and (released := without_tool_text(self._content.release())):
            yield TextDelta(released)

    def _written(self) -> list[tuple[str, str]]:
        return written_calls(self._content.withheld, self._offered)

    def message(self, origin: str) -> AssistantMessage:
        """Return the whole message, with our own tool call ids and the provider's form of it in `raw`.

        A text with a call in an unusual form was shown as it came; it is no answer.
        """
        found = self._calls.calls() or [(name, arguments, None) for name, arguments in self._written()]
        loose = [] if found else shown_calls(self._content.text, self._offered)
        found, text = found or [(*call, None) for call in loose], "" if loose else without_tool_text(self._content.text)
        hide = self._redact.secrets_only  # the parts of a call were looked at one by one
        calls = [
            (ToolCall(new_call_id(), called_name(hide(visible(name)), self._offered), hide(visible(arguments))), extra)
            for name, arguments, extra in found
        ]
        raw: JsonObject = {"role": "assistant", "content": text or None}
        if calls:
            # Gemini rejects the next turn without its thought signature, which is extra.
            raw["tool_calls"] = [
                wire_call(call) | ({} if extra is None else {"extra_content": extra}) for call, extra in calls
            ]
        if self._reasoning_field:
            raw[self._reasoning_field] = "".join(self._reasoning)
        if self._reasoning_details:
            raw["reasoning_details"] = self._reasoning_details
        return AssistantMessage(
            text=text,
            tool_calls=tuple(call for call, _ in calls),
            reasoning="".join(self._reasoning) + self._content.reasoning,
            raw=hide(pack_raw(origin, raw)),
        )

    def reason(self, message: AssistantMessage) -> Literal["stop", "tools", "length", "filter"]:
        """Return why the turn ended; tool calls count more than the provider's finish reason."""
        if message.tool_calls:
            return "tools"
        if self._finish in {"length", "max_tokens", "model_length"}:
            return "length"
        return "filter" if self._finish == "content_filter" else "stop"


def _probability_of_yes(logprobs: object) -> float | None:
    """Return the probability of “yes” against “no” as the first word; None if neither is likely, or nothing is told."""
    first = as_object(next(iter(as_list(as_object(logprobs).get("content"))), None))
    told = {"yes": 0.0, "no": 0.0}
    for each in map(as_object, as_list(first.get("top_logprobs"))):
        word, value = as_text(each.get("token")).strip().lower(), each.get("logprob")
        if word in told and isinstance(value, int | float) and value <= 0:
            told[word] += math.exp(value)
    both = told["yes"] + told["no"]
    return told["yes"] / both if both >= _LIKELY else None


def _seconds_left(progress: Mapping[str, object], tokens: int) -> float:
    """Return how long llama.cpp will read `tokens` more, as fast as it read those that it did not know; 0: unknown."""
    read, spent = as_count(progress.get("processed")) - as_count(progress.get("cache")), progress.get("time_ms")
    if not isinstance(spent, int | float) or read <= 0 or not 0 < spent < 1e9:
        return 0.0
    return max(tokens, 0) * spent / read / 1000


def _rate(value: object) -> float:
    """Return tokens per second; 0 for anything but a number that a model can reach."""
    if not isinstance(value, int | float) or not 0 < value < _FASTEST:
        return 0.0
    return round(float(value), 2)


def _join_detail(details: list[JsonObject], detail: object) -> None:
    """Add a part of OpenRouter's `reasoning_details`; parts with equal type and index are joined."""
    piece = dict(as_object(detail))
    last = details[-1] if details else {}
    if not last or any(last.get(name) != piece.get(name) for name in ("type", "index")):
        details.append(piece)
        return
    for name, value in piece.items():
        grows = name in {"text", "summary"} and isinstance(value, str)
        last[name] = as_text(last.get(name)) + as_text(value) if grows else value or last.get(name)
