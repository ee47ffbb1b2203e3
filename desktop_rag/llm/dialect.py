"""The request fields that an endpoint accepts: starts with the usual ones and adapts to each rejection."""

import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from desktop_rag.errors import ContextOverflow, ToolsRefused
from desktop_rag.llm import tokens
from desktop_rag.llm.chat import ChatRequest, ToolMessage
from desktop_rag.llm.endpoint_traits import LLAMA_CPP, EndpointTraits, usual_traits
from desktop_rag.llm.failures import EndpointFailure
from desktop_rag.llm.json_value import JsonObject, as_count, as_list, as_object, as_text
from desktop_rag.llm.message_format import REASONING_FIELDS, rearranged, stub_tools, to_wire, tools_to_wire
from desktop_rag.llm.redaction import without_credentials
from desktop_rag.llm.responses import WANTED, learned, responses_body
from desktop_rag.llm.transport import is_loopback, names_responses
from desktop_rag.settings import Api, Profile

_REJECTED = re.compile(
    r"un(supported|recogni[sz]ed|known|expected)|not (supported|permitted|allowed|recogni[sz]ed)|extra|invalid"
    r"|does ?n[o']t support|only the default|instead|deprecated",
    re.IGNORECASE,
)
_OPTIONAL = (
    *("stream_options", "temperature", "top_p", "reasoning_effort", "response_format", "tool_choice"),
    *("chat_template_kwargs", "enable_thinking", "thinking", "return_progress", "top_logprobs", "logprobs"),
)
_SCHEMA_REJECTED = re.compile(r"json[_ ]?schema|grammar|guided|structured", re.IGNORECASE)
_REFUSED = frozenset({400, 403, 404, 405, 410, 422, 501})
_EFFORTS = ("none", "minimal", "low")  # an endpoint that rejects the first may accept the next
_VALUE_REJECTED = re.compile(r"value|one of|literal|enum|expected|choose from", re.IGNORECASE)
_LIMIT = re.compile(
    r"(?:at most|maximum(?: \w+){0,3}|less than or equal to|up to|<=|exceeds?|\d >)\D{0,12}([\d,]{2,9})", re.IGNORECASE
)
_WINDOW = re.compile(
    r"(?:maximum context length(?: is| of|:)?|context (?:length|window|size)(?: of only| of| is|:)?"
    r"|maximum prompt length is|maximum model length of|with|exceeds the limit of)\D{0,4}([\d,]{3,10})",
    re.IGNORECASE,
)
# vLLM and OpenRouter, of a request whose prompt and answer exceed the window together.
_PROMPT_PART = re.compile(
    r"(?:request has |\()([\d,]{1,10}) (?:input tokens|in the (?:messages|prompt)|of text input)", re.IGNORECASE
)
_LEAST_WINDOW = 512
_LEAST_ANSWER = 256  # tokens
CHOICES = 20  # words of which a server is to tell how probable each is
_SURELY = 1.1  # times its estimate a prompt hardly ever has
# What strict endpoints say about the history: Mistral, Jinja templates of llama.cpp and vLLM, LiteLLM and Bedrock in
# front of Anthropic, Gemini, DeepSeek, and servers that validate with pydantic.
_USER_AFTER_TOOL = re.compile(
    r"role '?\"?user'?\"? after role '?\"?tool|user\b.{0,40}\bafter\b.{0,30}\btool", re.IGNORECASE
)
_ALTERNATE = re.compile(r"\broles?\b.{0,40}\balternat|(must|should) alternate|after the optional system", re.IGNORECASE)
_NEEDS_TOOLS = re.compile(
    r"`?tools=?`? (param\w* )?(must|should|need|is required|are required|expected|to be)"
    r"|(must|should) (define|include|pass) `?tools|toolconfig field must|expects the `?tools=?`? param",
    re.IGNORECASE,
)
_NEEDS_NAME = re.compile(
    r"function_response\.name|\bname\b.{0,30}(cannot be empty|is required|required|missing)|missing.{0,30}\bname\b",
    re.IGNORECASE,
)
_NO_SYSTEM = re.compile(
    r"(system|developer) (role|messages?|instructions?|prompt)s? (is |are )?not (supported|enabled|allowed)"
    r"|does ?n[o']t support (the )?['\"]?(system|developer)|unsupported role:? .?system|invalid role:? .?system",
    re.IGNORECASE,
)
_NEEDS_CONTENT = re.compile(
    r"content\b.{0,60}(null|none|must be a string|valid string|is required|field required|non-?empty|invalid type)"
    r"|(null|none).{0,30}\bcontent|valid string.{0,40}\bcontent|missing field.{0,4}\bcontent",
    re.IGNORECASE,
)
_NEEDS_REASONING = re.compile(
    r"reasoning_content.{0,80}(must be|missing|required|passed back)|missing.{0,20}reasoning_content", re.IGNORECASE
)


class Dialect:
    """Writes request bodies; `learn` adapts the endpoint's traits after it rejected one."""

    def __init__(self, profile: Profile, traits: EndpointTraits | None = None) -> None:
        self._profile = profile
        self.traits = traits or usual_traits(profile)

    @property
    def speaks_responses(self) -> bool:
        """Return whether requests go to the Responses API."""
        profile = self._profile
        named = profile.api is Api.RESPONSES or names_responses(profile.base_url)
        return named or (profile.api is Api.AUTOMATIC and self.traits.wants_responses)

    @property
    def origin(self) -> str:
        """Return the key that identifies a provider's raw messages."""
        place = f"{self._profile.model} {without_credentials(self._profile.base_url)}"
        return f"{place} responses" if self.speaks_responses else place

    def body(self, request: ChatRequest) -> JsonObject:
        """Return the body of a streaming turn."""
        if self.speaks_responses:
            return responses_body(self._profile, self.traits, request, self.origin)
        return self._chat_body(request)

    def _chat_body(self, request: ChatRequest) -> JsonObject:
        profile, traits = self._profile, self.traits
        written = to_wire(
            request.messages,
            self.origin,
            echo_reasoning=traits.echo_reasoning,
            demand_reasoning=traits.demand_reasoning and _uses_tools(request),
        )
        messages = rearranged(written, traits)
        tools = tools_to_wire(request.tools)
        stubs = stub_tools(messages) if traits.tools_with_results and not tools else []
        length = min(request.max_tokens, traits.max_output or request.max_tokens, self._room(messages, tools or stubs))
        fields: JsonObject = {
            "model": profile.model,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            traits.length_field: length,
            "temperature": request.temperature if profile.temperature is None else profile.temperature,
            "top_p": profile.top_p,
            "reasoning_effort": traits.effort or None,
            **(_thinking_off(profile) if profile.reasoning_effort == "none" else {}),
            "tools": tools or stubs or None,
            "tool_choice": "none" if stubs else None,
            "response_format": _response_format(request.schema) if request.schema else None,
            "return_progress": True if traits.server == LLAMA_CPP else None,
            "logprobs": True if request.yes_no else None,
            "top_logprobs": CHOICES if request.yes_no else None,
        }
        dropped = traits.dropped_fields
        return {name: value for name, value in fields.items() if value is not None and name not in dropped}

    def _room(self, messages: Sequence[object], tools: Sequence[object]) -> int:
        """Return how many tokens an answer may have beside a prompt, if the endpoint told a window that is too small.

        vLLM refuses what may become longer than its window, though the prompt fits; without a limit of its own to tell.
        """
        window = self.traits.window(self._profile.context_window)
        if window >= self._profile.context_window:
            return sys.maxsize
        prompt = tokens.estimate(json.dumps([messages, tools], ensure_ascii=False))
        room = window - round(_SURELY * self.traits.calibrated(prompt))
        return room if room >= _LEAST_ANSWER else sys.maxsize

    def _fits_alone(self, text: str, sent: Mapping[str, object]) -> bool:
        """Return whether an overflow is due to the length of the answer, by the tokens that `text` says the prompt has.

        The next body asks for a shorter one.
        """
        told = int(found[1].replace(",", "")) if (found := _PROMPT_PART.search(text)) else 0
        room = self._room(as_list(sent.get("messages")), as_list(sent.get("tools")))
        fits = 0 < told <= self.traits.context_window - _LEAST_ANSWER
        return fits and room < as_count(sent.get(self.traits.length_field))

    def learn(self, failure: EndpointFailure, sent: Mapping[str, object]) -> bool:
        """Adapt the traits to what `failure` says about `sent`; return whether the next body will differ."""
        if isinstance(failure.error, ContextOverflow):
            known = self.traits.context_window
            self._note_window(failure.text)
            return self.traits.context_window != known and self._fits_alone(failure.text, sent)
        if self._turns_to_responses(failure):
            return True
        if isinstance(failure.error, ToolsRefused) and "tools" in sent:
            self.traits = replace(self.traits, tools_refused_at=time.time())
        if failure.status not in {400, 422, 500}:
            return False
        before = self.traits
        if self.speaks_responses:
            if not self._learn_length("max_output_tokens", failure.text, sent) and _REJECTED.search(failure.text):
                self._learn_responses(failure.text, sent)
            return self.traits != before
        if not self._learn_history(failure.text, sent) and failure.status != 500:
            self._learn_fields(failure.text, sent)
        return self.traits != before

    def _turns_to_responses(self, failure: EndpointFailure) -> bool:
        """Turn to the Responses API if `failure` asks for it; return whether it does."""
        known = self.speaks_responses or self._profile.api is not Api.AUTOMATIC
        if known or failure.status not in _REFUSED or not WANTED.search(failure.text):
            return False
        self.traits = replace(self.traits, wants_responses=True, tools_refused_at=0.0)
        return True

    def _learn_responses(self, text: str, sent: Mapping[str, object]) -> None:
        if "reasoning" not in sent or "effort" not in text or not self._raise_effort(text):
            self.traits = learned(self.traits, text, sent)

    def _learn_length(self, field: str, text: str, sent: Mapping[str, object]) -> bool:
        """Learn the longest answer if `text` names a limit for `field`."""
        limit = int(found[1].replace(",", "")) if (found := _LIMIT.search(text)) else 0
        told = field in text and 0 < limit < as_count(sent.get(field))
        if told:
            self.traits = replace(self.traits, max_output=limit)
        return told

    def _note_window(self, text: str) -> None:
        """Take the context window from the text of an overflow, if it names one."""
        sizes = [int(found.replace(",", "")) for found in _WINDOW.findall(text)]
        window = min((size for size in sizes if size >= _LEAST_WINDOW), default=0)
        if window and window < self._profile.context_window:
            self.traits = self.traits.with_window(window)

    def _learn_history(self, text: str, sent: Mapping[str, object]) -> bool:
        """Learn from a rejection of the messages; return whether it was one."""
        traits = self.traits
        roles = {as_text(as_object(message).get("role")) for message in as_list(sent.get("messages"))}
        if "assistant" in roles and _NEEDS_REASONING.search(text):
            self.traits = replace(traits, demand_reasoning=True, echo_reasoning=True)
        elif "tool" in roles and "tools" not in sent and _NEEDS_TOOLS.search(text):
            self.traits = replace(traits, tools_with_results=True)
        elif "tool" in roles and _USER_AFTER_TOOL.search(text):
            self.traits = replace(traits, user_after_tool=False)
        elif "tool" in roles and _NEEDS_NAME.search(text):
            self.traits = replace(traits, named_results=True)
        elif "system" in roles and _NO_SYSTEM.search(text):
            self.traits = replace(traits, system_role=False)
        elif _ALTERNATE.search(text):
            self.traits = replace(traits, alternates=True)
        elif "assistant" in roles and _NEEDS_CONTENT.search(text):
            self.traits = replace(traits, null_content=False)
        return self.traits != traits

    def _learn_fields(self, text: str, sent: Mapping[str, object]) -> None:
        """Learn from a rejection of a field of the request."""
        traits = self.traits
        if "response_format" in sent and _SCHEMA_REJECTED.search(text):
            self.traits = self.traits.without("response_format")
            return
        for name in _OPTIONAL:
            if name in sent and (name in text or name.replace("_", " ") in text.lower()):
                if name != "reasoning_effort" or not self._raise_effort(text):
                    self.traits = self.traits.without(name)
                return
        length = traits.length_field
        if self._learn_length(length, text, sent):
            return
        if not _REJECTED.search(text):
            return
        if length in text and length in sent:
            self.traits = self.traits.without(length)
            if self._other_length_field not in self.traits.dropped_fields:
                self.traits = replace(self.traits, length_field=self._other_length_field)
            return  # both rejected: the server's own limit applies
        if any(name in text for name in REASONING_FIELDS[:2]) and "reasoning_effort" not in text:
            self.traits = replace(traits, echo_reasoning=False, demand_reasoning=False)

    def _raise_effort(self, text: str) -> bool:
        """Raise the reasoning effort if the endpoint knows the field but rejects the value."""
        effort = self.traits.effort
        if effort not in _EFFORTS[:-1] or not _VALUE_REJECTED.search(text):
            return False
        self.traits = replace(self.traits, effort=_EFFORTS[_EFFORTS.index(effort) + 1])
        return True

    @property
    def _other_length_field(self) -> str:
        return "max_completion_tokens" if self.traits.length_field == "max_tokens" else "max_tokens"


def _uses_tools(request: ChatRequest) -> bool:
    return bool(request.tools) or any(isinstance(message, ToolMessage) for message in request.messages)


def _thinking_off(profile: Profile) -> JsonObject:
    """Return the fields besides `reasoning_effort` that turn thinking off."""
    host = (urlsplit(profile.base_url).hostname or "").lower()
    if is_loopback(profile.base_url):  # llama.cpp, vLLM, SGLang: the template decides
        return {"chat_template_kwargs": {"enable_thinking": False}}
    if host.endswith(("aliyuncs.com", "siliconflow.cn", "siliconflow.com")):
        return {"enable_thinking": False}
    if host.endswith(("z.ai", "bigmodel.cn", "deepseek.com", "volces.com")):
        return {"thinking": {"type": "disabled"}}
    return {}


def _response_format(schema: str) -> JsonObject:
    return {"type": "json_schema", "json_schema": {"name": "turn", "schema": as_object(json.loads(schema))}}
