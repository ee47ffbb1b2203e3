"""Answers the requests of chat clients from one library."""

import base64
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace

from desktop_rag.agent.events import AgentEvent, Answered, Remark, RunFailed, RunStarted, RunUsage, Thought, ToolCalled
from desktop_rag.agent.events_json import claims_json
from desktop_rag.agent.run.usual_run import usual_run
from desktop_rag.agent.toolkits.registry import askable_toolkits
from desktop_rag.chat_server.chat_requests import (
    USUAL_MODEL,
    CompletionRequest,
    ReplyHead,
    RequestRefused,
    embedding_request,
    limited_answer,
    pieces,
    usage_json,
)
from desktop_rag.errors import DesktopRagError
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import chosen_encoder, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.hidden_characters import as_data, inert_markdown
from desktop_rag.text.json_types import Json, map_strings

# Answers in the format of OpenAI's Responses: whole, and as the events of a stream.

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
        text, citations, whole = limited_answer(answered, self.request.most_tokens)
        flat: list[Json] = [{"type": "url_citation", **each} for each in citations]
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


EVERYDAY = (USUAL_MODEL, "full", "quick", "auto", "literal")  # as the window names them first
AS_TEXTS = "check_embedding_ctx_length=False"  # the option of its embeddings
NO_USAGE = RunUsage(0, 0, 0, estimated=False)  # no model was asked
LEAST_TURN = 1_024  # tokens that a turn may write: they are also for thinking, calls and citations
RUNS = 4  # at a time; further requests wait


class AnsweringEndpoint:
    """Answers requests, from any thread; each may raise `RequestRefused`, `DesktopRagError` or `Stopped`.

    `require` raises `LibraryError` while there is no library. Only documents that fulfil `filters` are searched.
    """

    def __init__(
        self,
        retriever: SearcherClient,
        filters: tuple[Filter, ...] = (),
        profile: str | None = None,
        require: Callable[[], None] = lambda: None,
    ) -> None:
        self._retriever = retriever
        self._filters = filters
        self._profile = profile
        self._require = require
        self._runs = _Turns(RUNS)
        self._loading = threading.Lock()
        self._loaded: Encoder | None = None

    def models(self, *, every: bool = False) -> dict[str, Json]:
        """Return the usual model and the everyday toolkits; `every`: all toolkits, and the sentence encoder."""
        listed: list[Json] = [_model_json(name) for name in (_model_names() if every else EVERYDAY)]
        return {"object": "list", "data": listed}

    def model(self, name: str) -> dict[str, Json]:
        """Return one of the models; raises `RequestRefused`."""
        if name not in _model_names():
            message = f"There is no model “{shorten(one_line(name))}”. The models are: {', '.join(_model_names())}."
            raise RequestRefused(404, message, code="model_not_found", param="model")
        return _model_json(name)

    def complete(self, request: CompletionRequest, stop: Stop) -> dict[str, Json]:
        """Return the whole reply to a question."""
        head = self._head(request)
        return head.completion(self._answered(request, stop))

    def stream(self, request: CompletionRequest, stop: Stop) -> Generator[dict[str, Json]]:
        """Yield the parts of a reply: the steps of the run as reasoning, then the answer.

        An answer is sent when it is complete, as its statements are checked, and perhaps mended, at its end.
        """
        head = self._head(request)
        yield head.chunk({"role": "assistant", "content": ""})
        for event in self._told(request, stop):
            if isinstance(event, str):
                yield head.chunk({"reasoning_content": event})
                continue
            yield from head.answer_chunks(event)
            if request.with_usage:
                yield head.usage_chunk(event)

    def respond(self, request: CompletionRequest, stop: Stop) -> dict[str, Json]:
        """Return the whole response to a question."""
        return ResponseReply(request).whole(self._answered(request, stop))

    def stream_response(self, request: CompletionRequest, stop: Stop) -> Generator[dict[str, Json]]:
        """Yield the events of a response, as `stream`."""
        reply = ResponseReply(request)
        yield from reply.begin()
        for event in self._told(request, stop):
            yield from reply.step(event) if isinstance(event, str) else reply.end(event)

    def embeddings(self, body: dict[str, object], stop: Stop) -> dict[str, Json]:
        """Return the vectors of texts, by the sentence encoder of the library."""
        request, encoder = embedding_request(body, chosen_encoder().name), self._encoder()
        if request.dimensions not in (None, encoder.dimensions):
            message = f"The vectors of this encoder have {encoder.dimensions} dimensions."
            raise RequestRefused(400, message, param="dimensions")
        texts = tuple(map(encoder.text_of, request.texts))
        known = tuple(text for text in texts if text)
        if len(known) < len(texts):
            message = f"These are not tokens of {chosen_encoder().name}: send texts (in LangChain with {AS_TEXTS})."
            raise RequestRefused(400, message, param="input")
        vectors = encoder.encode(known, stop)
        data: list[Json] = []
        for number, vector in enumerate(vectors):
            shown: Json = (
                base64.b64encode(vector.astype("<f4").tobytes()).decode() if request.as_base64 else vector.tolist()
            )
            data.append({"object": "embedding", "index": number, "embedding": shown})
        tokens = sum(map(len, encoder.tokens(known)))
        usage: Json = {"prompt_tokens": tokens, "total_tokens": tokens}
        return {"object": "list", "data": data, "model": chosen_encoder().name, "usage": usage}

    def _head(self, request: CompletionRequest) -> ReplyHead:
        return ReplyHead(f"chatcmpl-{secrets.token_hex(12)}", int(time.time()), request.model, request.most_tokens)

    def _answered(self, request: CompletionRequest, stop: Stop) -> Answered:
        *_, last = self._told(request, stop)
        assert isinstance(last, Answered)
        return last

    def _told(self, request: CompletionRequest, stop: Stop) -> Generator[str | Answered]:
        """Yield the steps of a run as text, and at last its answer."""
        answered = None
        for event in self._events(request, stop):
            match event:
                case ToolCalled(summary=text):
                    yield inert_markdown(as_data(f"{text}\n"))
                case Thought(text=text) | Remark(text=text):
                    yield inert_markdown(as_data(text))
                case Answered():
                    answered = event
        yield _required(answered, stop)

    def _events(self, request: CompletionRequest, stop: Stop) -> Generator[AgentEvent]:
        """Yield the events of a run; a failed one raises its error."""
        self._require()
        with self._runs.turn(stop):
            run = usual_run(
                request.question,
                self._retriever.asker(),
                stop,
                conversation=request.conversation,
                profile=self._profile,
                toolkit_name=request.toolkit,
                filters=self._filters,
                withheld=privacy().withheld(),
                answer_tokens=max(2 * request.most_tokens, LEAST_TURN) if request.most_tokens else 0,
            )
            asks = True
            with closing(run):
                for event in run:
                    if isinstance(event, RunFailed):
                        raise RequestRefused(502, f"{event.title}: {event.message}")
                    if isinstance(event, RunStarted):
                        asks = event.uses_model
                    yield replace(event, usage=NO_USAGE) if isinstance(event, Answered) and not asks else event

    def _encoder(self) -> Encoder:
        with self._loading:
            if self._loaded is None:
                self._loaded = Encoder.load(chosen_encoder(), threads=2)
            return self._loaded


class _Turns:
    """Lets `most` threads work at a time, in the order in which they came."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, stop: Stop) -> Generator[None]:
        """Wait for a turn and hold it in the block; raises `Stopped`."""
        mine = threading.Event()
        with self._lock:
            self._waiting.append(mine)
            self._pass_on()
        try:
            with stop.interrupting(mine.set):
                mine.wait()
            stop.check()
            yield
        finally:
            with self._lock:
                if mine in self._waiting:
                    self._waiting.remove(mine)
                else:
                    self._free += 1
                    self._pass_on()

    def _pass_on(self) -> None:
        while self._free and self._waiting:
            self._free -= 1
            self._waiting.popleft().set()


def _model_names() -> tuple[str, ...]:
    return (USUAL_MODEL, *askable_toolkits(), chosen_encoder().name)


def _model_json(name: str) -> dict[str, Json]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "desktop-rag"}


def _required(answered: Answered | None, stop: Stop) -> Answered:
    stop.check()
    if answered is None:
        raise DesktopRagError("The run ended without an answer.")
    return answered
