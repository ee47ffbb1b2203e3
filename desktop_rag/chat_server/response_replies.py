"""Answers in the format of OpenAI's Responses: whole, and as the events of a stream."""

import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_rag.agent.events import Answered
from desktop_rag.agent.events_json import claims_json
from desktop_rag.chat_server.chat_replies import limited_answer, pieces, usage_json
from desktop_rag.chat_server.chat_requests import CompletionRequest
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.json_types import Json, map_strings

Event = dict[str, Json]


@dataclass(slots=True)
class ResponseReply:
    """The response to a request: its steps are the summary of a reasoning item, its answer is a message."""

    request: CompletionRequest
    _id: str = field(default_factory=lambda: f"resp_{secrets.token_hex(12)}")
    _created: int = field(default_factory=lambda: int(time.time()))
    _steps: str = ""
    _output: list[Json] = field(default_factory=list)
    _count: int = 0

    def whole(self, answered: Answered) -> Event:
        """Return the response without its steps."""
        message, whole = self._message(answered)
        return self._response(message, answered, whole=whole)

    def begin(self) -> Iterator[Event]:
        """Yield the first events of a stream."""
        yield self._event("response.created", response=self._response())
        yield self._event("response.in_progress", response=self._response())

    def step(self, text: str) -> Iterator[Event]:
        """Yield the events of a step."""
        if not self._steps:
            yield self._event("response.output_item.added", output_index=0, item=self._reasoning("in_progress"))
            yield self._of_steps("response.reasoning_summary_part.added", part=_summary(""))
        self._steps += text
        yield self._of_steps("response.reasoning_summary_text.delta", delta=text)

    def end(self, answered: Answered) -> Iterator[Event]:
        """Yield the events of the answer, and the last one with the whole response."""
        if self._steps:
            yield self._of_steps("response.reasoning_summary_text.done", text=self._steps)
            yield self._of_steps("response.reasoning_summary_part.done", part=_summary(self._steps))
            self._output.append(self._reasoning("completed"))
            yield self._event("response.output_item.done", output_index=0, item=self._output[0])
        message, whole = self._message(answered)
        [part] = message["content"] if isinstance(message["content"], list) else []
        assert isinstance(part, dict)
        index = len(self._output)
        place: Event = {"item_id": message["id"], "output_index": index, "content_index": 0}
        begun: Event = {**message, "status": "in_progress", "content": []}
        yield self._event("response.output_item.added", output_index=index, item=begun)
        empty: Event = {**part, "text": "", "annotations": []}
        yield self._event("response.content_part.added", **place, part=empty)
        for piece in pieces(str(part["text"])):
            yield self._event("response.output_text.delta", **place, delta=piece, logprobs=[])
        annotations = part["annotations"]
        for number, annotation in enumerate(annotations if isinstance(annotations, list) else []):
            told: Event = {"annotation_index": number, "annotation": annotation}
            yield self._event("response.output_text.annotation.added", **place, **told)
        yield self._event("response.output_text.done", **place, text=part["text"], logprobs=[])
        yield self._event("response.content_part.done", **place, part=part)
        yield self._event("response.output_item.done", output_index=index, item=message)
        response = self._response(message, answered, whole=whole)
        yield self._event("response.completed" if whole else "response.incomplete", response=response)

    def _message(self, answered: Answered) -> tuple[Event, bool]:
        text, annotations, whole = limited_answer(answered, self.request.most_tokens)
        flat: list[Json] = []
        for each in annotations:
            assert isinstance(each, dict)
            place = each["url_citation"]
            assert isinstance(place, dict)
            flat.append({"type": "url_citation", **place})
        part: Event = {"type": "output_text", "text": text, "annotations": flat, "logprobs": []}
        message: Event = {
            "type": "message",
            "id": self._named("msg"),
            "status": "completed" if whole else "incomplete",
            "role": "assistant",
            "content": [part],
            "claims": map_strings(claims_json(answered.claims), as_data),
        }
        return message, whole

    def _reasoning(self, status: str) -> Event:
        summary: list[Json] = [_summary(self._steps)] if self._steps else []
        return {"type": "reasoning", "id": self._named("rs"), "status": status, "summary": summary}

    def _response(self, message: Event | None = None, answered: Answered | None = None, *, whole: bool = True) -> Event:
        done = "completed" if whole else "incomplete"
        return {
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "status": "in_progress" if message is None else done,
            "error": None,
            "incomplete_details": None if whole else {"reason": "max_output_tokens"},
            "instructions": None,
            "max_output_tokens": self.request.most_tokens,
            "metadata": {},
            "model": self.request.model,
            "output": [*self._output, *([] if message is None else [message])],
            "parallel_tool_calls": False,
            "previous_response_id": None,
            "store": False,
            "text": {"format": {"type": "text"}},
            "tool_choice": "none",
            "tools": [],
            "usage": None if answered is None else _usage(answered),
        }

    def _named(self, kind: str) -> str:
        return self._id.replace("resp", kind, 1)

    def _of_steps(self, kind: str, **more: Json) -> Event:
        return self._event(kind, item_id=self._named("rs"), output_index=0, summary_index=0, **more)

    def _event(self, kind: str, **more: Json) -> Event:
        self._count += 1
        return {"type": kind, "sequence_number": self._count - 1, **more}


def _summary(text: str) -> Json:
    return {"type": "summary_text", "text": text}


def _usage(answered: Answered) -> Event:
    told, usage = usage_json(answered), answered.usage
    return {
        "input_tokens": told["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
        "output_tokens": told["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": told["total_tokens"],
    }
