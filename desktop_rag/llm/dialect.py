"""The request fields that an endpoint accepts: starts with the usual ones and adapts to each rejection."""

import json
import re
from collections.abc import Mapping

from desktop_rag.errors import ContextOverflow
from desktop_rag.llm.chat import ChatRequest
from desktop_rag.llm.endpoint_errors import EndpointFailure
from desktop_rag.llm.json_value import JsonObject, as_object
from desktop_rag.llm.message_format import REASONING_FIELDS, to_wire, tools_to_wire
from desktop_rag.llm.redaction import without_credentials
from desktop_rag.settings import Profile

_REJECTED = re.compile(
    r"un(supported|recogni[sz]ed|known|expected)|not (supported|permitted|allowed|recogni[sz]ed)|extra|invalid"
    r"|does ?n[o']t support|only the default|instead|deprecated",
    re.IGNORECASE,
)
_OPTIONAL = ("stream_options", "temperature", "top_p", "reasoning_effort", "response_format")
_SCHEMA_REJECTED = re.compile(r"json[_ ]?schema|grammar|guided|structured", re.IGNORECASE)
_EFFORTS = ("none", "minimal", "low")  # an endpoint that rejects the first may accept the next
_VALUE_REJECTED = re.compile(r"value|one of|literal|enum|expected|choose from", re.IGNORECASE)


class Dialect:
    """Writes request bodies; `learn` adapts them after a status 400 that names a field."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._dropped_fields: set[str] = set()
        self._effort = profile.reasoning_effort
        self._length_field = "max_completion_tokens" if "api.openai.com" in profile.base_url else "max_tokens"
        self._echo_reasoning = True
        self.opens_thinking = False  # the prompt template opens the thinking block, only its end is sent

    @property
    def origin(self) -> str:
        """Return the key that identifies a provider's raw messages."""
        return f"{self._profile.model} {without_credentials(self._profile.base_url)}"

    def body(self, request: ChatRequest) -> JsonObject:
        """Return the body of a streaming chat completion."""
        profile = self._profile
        is_deepseek = "deepseek" in self.origin.lower()
        messages = to_wire(
            request.messages,
            self.origin,
            echo_reasoning=self._echo_reasoning,
            demand_reasoning=is_deepseek and bool(request.tools),
        )
        fields: JsonObject = {
            "model": profile.model,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            self._length_field: request.max_tokens,
            "temperature": profile.temperature,
            "top_p": profile.top_p,
            "reasoning_effort": self._effort or None,
            "tools": tools_to_wire(request.tools) or None,
            "response_format": _response_format(request.schema) if request.schema else None,
        }
        return {name: value for name, value in fields.items() if value is not None and name not in self._dropped_fields}

    def learn(self, failure: EndpointFailure, sent: Mapping[str, object]) -> bool:
        """Adapt the next body to what `failure` says about `sent`; return whether anything changed."""
        text = failure.text
        if failure.status not in {400, 422} or isinstance(failure.error, ContextOverflow):
            return False
        if "response_format" in sent and _SCHEMA_REJECTED.search(text):
            self._dropped_fields.add("response_format")
            return True
        for name in _OPTIONAL:
            if name in text and name in sent:
                if name != "reasoning_effort" or not self._raise_effort(text):
                    self._dropped_fields.add(name)
                return True
        if not _REJECTED.search(text):
            return False
        if self._length_field in text and self._length_field in sent:
            self._dropped_fields.add(self._length_field)
            if self._other_length_field not in self._dropped_fields:
                self._length_field = self._other_length_field
            return True  # both rejected: the server's own limit applies
        if (
            any(name in text for name in REASONING_FIELDS[:2])
            and self._echo_reasoning
            and "reasoning_effort" not in text
        ):
            self._echo_reasoning = False
            return True
        return False

    def _raise_effort(self, text: str) -> bool:
        """Raise the reasoning effort if the endpoint knows the field but rejects the value."""
        if self._effort not in _EFFORTS[:-1] or not _VALUE_REJECTED.search(text):
            return False
        self._effort = _EFFORTS[_EFFORTS.index(self._effort) + 1]
        return True

    @property
    def _other_length_field(self) -> str:
        return "max_completion_tokens" if self._length_field == "max_tokens" else "max_tokens"


def _response_format(schema: str) -> JsonObject:
    return {"type": "json_schema", "json_schema": {"name": "turn", "schema": as_object(json.loads(schema))}}
