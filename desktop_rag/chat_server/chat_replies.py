"""Answers in the format of OpenAI's chat completions: the text with its sources, and its citations as annotations."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.marks import REFUSED, count_claims, describe_claim
from desktop_rag.agent.citations.plain_answer import numbered, source_place, source_rows
from desktop_rag.agent.events import Answered, Citation
from desktop_rag.agent.events_json import claims_json
from desktop_rag.llm.tokens.token_estimates import estimate
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import one_line, printable
from desktop_rag.text.hidden_characters import as_data, inert_markdown
from desktop_rag.text.json_types import Json, map_strings

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
        text, annotations, whole = limited_answer(answered, self.most_tokens)
        message: dict[str, Json] = {"role": "assistant", "content": text, "refusal": None, "annotations": annotations}
        message["claims"] = map_strings(claims_json(answered.claims), as_data)
        choice: Json = {"index": 0, "message": message, "finish_reason": _finish(whole=whole), "logprobs": None}
        return {**self._shared("chat.completion"), "choices": [choice], "usage": usage_json(answered)}

    def answer_chunks(self, answered: Answered) -> Iterator[dict[str, Json]]:
        """Yield the parts of a stream with the answer."""
        text, annotations, whole = limited_answer(answered, self.most_tokens)
        for piece in pieces(text):
            yield self.chunk({"content": piece})
        yield self.chunk({"annotations": annotations}, _finish(whole=whole))

    def chunk(self, delta: dict[str, Json], finish: str | None = None) -> dict[str, Json]:
        """Return a part of a stream."""
        choice: Json = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {**self._shared("chat.completion.chunk"), "choices": [choice]}

    def usage_chunk(self, answered: Answered) -> dict[str, Json]:
        """Return the part of a stream that tells what it cost."""
        return {**self._shared("chat.completion.chunk"), "choices": [], "usage": usage_json(answered)}

    def _shared(self, kind: str) -> dict[str, Json]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def readable_answer(answered: Answered) -> tuple[str, list[Json]]:
    """Return the answer for any client, with what is not supported and its sources; and one annotation per citation.

    Nothing in it is hidden: a client may send it to a model again.
    """
    known = {citation.number: citation for citation in answered.citations}
    text = inert_markdown(as_data(answered.text))  # a client may load pictures
    parts, annotations, end, length = list[str](), list[Json](), 0, 0
    for link in LINK.finditer(text):
        before, number = text[end : link.start()], int(link[1])
        parts += [before, mark := f"[{number}]"]
        length += len(before)
        if number in known:
            annotations.append(_annotation(known[number], length, length + len(mark)))
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
    return "\n".join(["".join((*parts, text[end:])), *told]), annotations


def limited_answer(answered: Answered, most_tokens: int | None) -> tuple[str, list[Json], bool]:
    """Return the readable answer within a number of tokens, the annotations in it, and whether it is whole."""
    text, annotations = readable_answer(answered)
    if most_tokens is None or estimate(text) <= most_tokens:
        return text, annotations, True
    end = bisect_right(range(len(text)), most_tokens, key=lambda length: estimate(text[:length])) - 1
    return text[:end], [each for each in annotations if _end_of(each) <= end], False


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


def _end_of(annotation: Json) -> int:
    assert isinstance(annotation, dict)
    place = annotation["url_citation"]
    assert isinstance(place, dict)
    return int(str(place["end_index"]))


def _annotation(citation: Citation, start: int, end: int) -> dict[str, Json]:
    path = as_data(printable(citation.path))
    place: dict[str, Json] = {
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
    return {"type": "url_citation", "url_citation": place}


def _section(title: str, rows: Sequence[str]) -> list[str]:
    return ["", title, *rows] if rows else []
