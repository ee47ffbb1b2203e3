"""Reads the bodies of requests; whatever is wrong with them is a `RequestRefused` with a sentence."""

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.marks import REFUSED, count_claims, describe_claim
from desktop_rag.agent.citations.plain_answer import numbered, source_place, source_rows
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import Answered, Citation, RunStopped
from desktop_rag.agent.events_json import claims_json
from desktop_rag.agent.toolkits.registry import askable_toolkits
from desktop_rag.llm.tokens import estimate
from desktop_rag.paths import valid_text
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import one_line, printable, shorten
from desktop_rag.text.hidden_characters import as_data, inert_markdown
from desktop_rag.text.json_types import Json, map_strings

_TEXTS = ("text", "input_text", "output_text")  # types of the parts of a message that are read
_UNTYPED = (None, "message", "item_reference")  # items of an input that must be messages
USUAL_MODEL = "desktop-rag"  # the toolkit of the settings
MOST_MESSAGES = 1_000
MOST_INPUTS = 256  # texts whose vectors are asked for at once
MOST_CHARACTERS = 100_000  # of a text


class RequestRefused(Exception):
    """A request that is not answered: the HTTP status, and the error as OpenAI's API tells it."""

    def __init__(self, status: int, message: str, *, code: str | None = None, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A question with the turns before it; `toolkit` None: that of the settings."""

    model: str
    toolkit: str | None
    question: str
    conversation: Conversation
    stream: bool
    with_usage: bool = True  # in a chunk of its own at the end of a stream
    most_tokens: int | None = None  # of the answer


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """Texts or tokens whose vectors are asked for, as lists of numbers or as base64."""

    texts: tuple[str | tuple[int, ...], ...]
    as_base64: bool
    dimensions: int | None


def parsed_body(body: bytes) -> dict[str, object]:
    """Return a body, which must be a JSON object."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestRefused(400, "The body is not valid JSON.") from error
    if not isinstance(value, dict):
        raise RequestRefused(400, "The body must be a JSON object.")
    return value


def chat_request(body: dict[str, object]) -> CompletionRequest:
    """Return the request for a chat completion."""
    model, toolkit = _model(body)
    if body.get("n") not in (None, 1):
        raise RequestRefused(400, "Only one answer is given: leave out “n”.", param="n")
    _require_text(body.get("response_format"), "response_format")
    question, conversation = _turns(body.get("messages"), "messages")
    options = body.get("stream_options")
    return CompletionRequest(
        model,
        toolkit,
        question,
        conversation,
        _flag(body, "stream"),
        isinstance(options, dict) and options.get("include_usage") is True,
        _most_tokens(body, "max_completion_tokens", "max_tokens"),
    )


def responses_request(body: dict[str, object]) -> CompletionRequest:
    """Return the request for a response; no response is kept, so the input must be the whole conversation."""
    model, toolkit = _model(body)
    for name in ("previous_response_id", "conversation"):
        if body.get(name) is not None:
            raise RequestRefused(400, f"Nothing is kept: send all turns as “input”, and no “{name}”.", param=name)
    if body.get("background"):
        raise RequestRefused(400, "Answers are not made in the background: leave out “background”.", param="background")
    text = body.get("text")
    _require_text(text.get("format") if isinstance(text, dict) else None, "text.format")
    given = body.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    if isinstance(items, list):  # calls of tools, their results and thoughts of a model are no turns
        items = [item for item in items if not isinstance(item, dict) or "role" in item or item.get("type") in _UNTYPED]
    question, conversation = _turns(items, "input")
    most = _most_tokens(body, "max_output_tokens")
    return CompletionRequest(model, toolkit, question, conversation, _flag(body, "stream"), most_tokens=most)


def _require_text(wanted: object, name: str) -> None:
    if wanted is not None and not (isinstance(wanted, dict) and wanted.get("type") == "text"):
        raise RequestRefused(400, f"An answer is text: leave out “{name}”.", param=name)


def _model(body: dict[str, object]) -> tuple[str, str | None]:
    """Return the model that is asked and its toolkit; checks that no tool must be called."""
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise RequestRefused(400, "“model” is missing: name a toolkit, or desktop-rag.", param="model")
    if model != USUAL_MODEL and model not in askable_toolkits():
        names = ", ".join((USUAL_MODEL, *askable_toolkits()))
        message = f"There is no model “{shorten(model)}”. The models are: {names}."
        raise RequestRefused(404, message, code="model_not_found", param="model")
    if body.get("tool_choice") not in (None, "auto", "none"):
        raise RequestRefused(400, "No tools of a client are called: leave out “tool_choice”.", param="tool_choice")
    return model, None if model == USUAL_MODEL else model


def _most_tokens(body: dict[str, object], *names: str) -> int | None:
    """Return the smallest limit of the answer's tokens under these names."""
    limits = list[int]()
    for name in names:
        value = body.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise RequestRefused(400, f"“{name}” must be a whole number from 1.", param=name)
        limits.append(value)
    return min(limits, default=None)


def embedding_request(body: dict[str, object], encoder: str) -> EmbeddingRequest:
    """Return the request for vectors of the sentence encoder with this name; vectors of others cannot be compared."""
    if body.get("model") not in (encoder, USUAL_MODEL):
        message = f"Vectors are made by the model “{encoder}” only: name it as “model”."
        raise RequestRefused(404, message, code="model_not_found", param="model")
    given = body.get("input")
    one = isinstance(given, str) or (isinstance(given, list) and bool(given) and isinstance(given[0], int))
    texts = [given] if one else given
    if not isinstance(texts, list) or not texts or not all(map(_is_text, texts)):
        message = "“input” must be a text or a list of texts, none of them empty; or their tokens as numbers."
        raise RequestRefused(400, message, param="input")
    if len(texts) > MOST_INPUTS or any(len(text) > MOST_CHARACTERS for text in texts):
        message = f"At most {MOST_INPUTS} texts of {MOST_CHARACTERS:,} characters are encoded at once."
        raise RequestRefused(400, message, param="input")
    encoding = body.get("encoding_format", "float")
    if encoding not in ("float", "base64"):
        raise RequestRefused(400, "“encoding_format” must be float or base64.", param="encoding_format")
    dimensions = body.get("dimensions")
    if dimensions is not None and (not isinstance(dimensions, int) or isinstance(dimensions, bool)):
        raise RequestRefused(400, "“dimensions” must be a number.", param="dimensions")
    read = tuple(valid_text(text) if isinstance(text, str) else tuple(text) for text in texts)
    return EmbeddingRequest(read, encoding == "base64", dimensions)


def _is_text(given: object) -> bool:
    """Return whether a value is a text or its tokens, and not empty."""
    numbers = isinstance(given, list) and all(type(each) is int and 0 <= each < 2**31 for each in given)
    return bool(given) and (numbers or isinstance(given, str))


def _turns(messages: object, param: str) -> tuple[str, Conversation]:
    """Return the last message of the user and the turns before it; instructions of the client are not followed."""
    if not isinstance(messages, list) or not messages:
        raise RequestRefused(400, f"“{param}” must be a list with at least one message.", param=param)
    if len(messages) > MOST_MESSAGES:
        raise RequestRefused(400, f"At most {MOST_MESSAGES:,} messages are read.", param=param)
    asked, turns = "", list[Turn]()
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role not in ("system", "developer", "user", "assistant", "tool", "function"):
            raise RequestRefused(400, "A message needs a role: system, user or assistant.", param=f"{param}[{number}]")
        if role not in ("user", "assistant"):
            continue
        text = _content(message.get("content"), f"{param}[{number}].content")
        if role == "user":
            asked = f"{asked}\n\n{text}" if asked else text
        elif asked:
            turns.append(Turn(len(turns) + 1, asked, (RunStopped(text, (), 0.0),), 0, len(turns)))
            asked = ""
    if not asked.strip():
        raise RequestRefused(400, "The last message must be a question of the user.", param=param)
    return asked, Conversation(tuple(turns))


def _content(content: object, param: str) -> str:
    """Return the text of a message, which may come in parts."""
    if content is None or isinstance(content, str):
        text = content or ""
    elif isinstance(content, list) and all(isinstance(part, dict) and part.get("type") in _TEXTS for part in content):
        text = "\n".join(str(part.get("text", "")) for part in content)
    else:
        message = "Only text is read: the content must be a text, or parts of the type “text”."
        raise RequestRefused(400, message, param=param)
    if len(text) > MOST_CHARACTERS:
        message = f"A message has at most {MOST_CHARACTERS:,} characters."
        raise RequestRefused(400, message, param=param)
    return valid_text(text)


def _flag(body: dict[str, object], name: str) -> bool:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise RequestRefused(400, f"“{name}” must be true or false.", param=name)
    return bool(value)


# Answers in the format of OpenAI's chat completions: the text with its sources, and its citations as annotations.

PIECE = 400  # characters of an answer in one chunk of a stream


@dataclass(frozen=True, slots=True)
class ReplyHead:
    """What all parts of a reply share; `created` is in seconds since the epoch."""

    id: str
    created: int
    model: str
    most_tokens: int | None = None  # of the answer

    def completion(self, answered: Answered) -> dict[str, Json]:
        """Return a whole reply."""
        text, citations, whole = limited_answer(answered, self.most_tokens)
        message: dict[str, Json] = {"role": "assistant", "content": text, "refusal": None}
        message["annotations"] = _annotations(citations)
        message["claims"] = map_strings(claims_json(answered.claims), as_data)
        choice: Json = {"index": 0, "message": message, "finish_reason": _finish(whole=whole), "logprobs": None}
        return {**self._shared("chat.completion"), "choices": [choice], "usage": usage_json(answered)}

    def answer_chunks(self, answered: Answered) -> Iterator[dict[str, Json]]:
        """Yield the parts of a stream with the answer."""
        text, citations, whole = limited_answer(answered, self.most_tokens)
        for piece in pieces(text):
            yield self.chunk({"content": piece})
        yield self.chunk({"annotations": _annotations(citations)}, _finish(whole=whole))

    def chunk(self, delta: dict[str, Json], finish: str | None = None) -> dict[str, Json]:
        """Return a part of a stream."""
        choice: Json = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {**self._shared("chat.completion.chunk"), "choices": [choice]}

    def usage_chunk(self, answered: Answered) -> dict[str, Json]:
        """Return the part of a stream that tells what it cost."""
        return {**self._shared("chat.completion.chunk"), "choices": [], "usage": usage_json(answered)}

    def _shared(self, kind: str) -> dict[str, Json]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def readable_answer(answered: Answered) -> tuple[str, list[dict[str, Json]]]:
    """Return the answer for any client, with what is not supported and its sources; and where its citations are.

    Nothing in it is hidden: a client may send it to a model again.
    """
    known = {citation.number: citation for citation in answered.citations}
    text = inert_markdown(as_data(answered.text))  # a client may load pictures
    parts, citations, end, length = list[str](), list[dict[str, Json]](), 0, 0
    for link in LINK.finditer(text):
        before, number = text[end : link.start()], int(link[1])
        parts += [before, mark := f"[{number}]"]
        length += len(before)
        if number in known:
            citations.append(_url_citation(known[number], length, length + len(mark)))
        length += len(mark)
        end = link.end()
    doubts = [
        f"- {one_line(numbered(answered.text[claim.start : claim.end]))} — {describe_claim(claim)}"
        for claim in answered.claims
        if claim.mark in REFUSED
    ]
    sources = source_rows(answered.citations)
    rows = [*_section("Statements to look at:", doubts), *_section("Sources:", sources)]
    if summary := count_claims(answered.claims):
        rows += ["", summary]
    told = (inert_markdown(as_data(row)) for row in rows)
    return "\n".join(["".join((*parts, text[end:])), *told]), citations


def limited_answer(answered: Answered, most_tokens: int | None) -> tuple[str, list[dict[str, Json]], bool]:
    """Return the readable answer within a number of tokens, the citations in it, and whether it is whole."""
    text, citations = readable_answer(answered)
    if most_tokens is None or estimate(text) <= most_tokens:
        return text, citations, True
    end = bisect_right(range(len(text)), most_tokens, key=lambda length: estimate(text[:length])) - 1
    return text[:end], [each for each in citations if cast("int", each["end_index"]) <= end], False


def pieces(text: str) -> list[str]:
    """Return a text in the pieces in which it is streamed."""
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def usage_json(answered: Answered) -> dict[str, Json]:
    """Return the tokens of a whole run."""
    usage = answered.usage
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.tokens,
    }


def error_json(status: int, message: str, code: str | None = None, param: str | None = None) -> dict[str, Json]:
    """Return an error in OpenAI's format."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _finish(*, whole: bool) -> str:
    return "stop" if whole else "length"


def _annotations(citations: list[dict[str, Json]]) -> list[Json]:
    return [{"type": "url_citation", "url_citation": each} for each in citations]


def _url_citation(citation: Citation, start: int, end: int) -> dict[str, Json]:
    path = as_data(printable(citation.path))
    return {
        "url": link_to(citation.path, citation.first_line, citation.last_line, citation.sha256),
        "title": f"{path}, {source_place(citation)}",
        "start_index": start,
        "end_index": end,
        "number": citation.number,
        "path": path,
        "page": citation.page,
        "lines": [citation.first_line, citation.last_line],
        "quote": as_data(citation.quote),
        "verdict": citation.verdict,
    }


def _section(title: str, rows: Sequence[str]) -> list[str]:
    return ["", title, *rows] if rows else []
