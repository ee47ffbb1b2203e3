"""The events of a run as JSON, in the format documented in `docs/command-line.md`."""

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import msgspec

from desktop_rag.agent.citations.marks import count_claims, describe_claim
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    AnswerWritten,
    Citation,
    Claim,
    Coverage,
    Mark,
    RunFailed,
    RunStopped,
    Source,
    ToolReturned,
)
from desktop_rag.text.display import printable
from desktop_rag.text.json_types import Json

MARKS_VERSION = 2  # of the values of marks and their fields; 1 had standings and faults


def event_json(event: AgentEvent) -> dict[str, Json]:
    """Return an event in the documented JSON format; an answered run ends with type `answered`."""
    shape: dict[str, Json] = {"type": _type_name(event)}
    match event:
        case Answered():
            shape |= {
                "text": event.text,
                "found": event.found,
                "citations": [citation_json(citation) for citation in event.citations],
                "claims": claims_json(event.claims),
                "coverage": coverage_json(event.coverage) if event.coverage else None,
                "usage": msgspec.to_builtins(event.usage),
                "seconds": round(event.seconds, 3),
                "steps": event.steps,
            }
        case AnswerWritten(text, citations, claims):
            shape |= {"text": text, "citations": [citation_json(c) for c in citations], "claims": claims_json(claims)}
        case RunStopped(text, citations, seconds):
            shape |= {"text": text, "citations": [citation_json(c) for c in citations], "seconds": round(seconds, 3)}
        case RunFailed(title, message, text, citations):
            shape |= {"title": title, "message": message, "text": text}
            shape["citations"] = [citation_json(citation) for citation in citations]
        case ToolReturned():
            fields: dict[str, Json] = msgspec.to_builtins(event)
            shape |= {**fields, "seconds": round(event.seconds, 3)}
            shape["sources"] = [source_json(source) for source in event.sources]
        case _:
            fields = msgspec.to_builtins(event)
            shape |= fields
    return shape


def citation_json(citation: Citation) -> dict[str, Json]:
    """Return a citation in the documented JSON format."""
    return {
        "n": citation.number,
        "path": printable(citation.path),
        "page": citation.page,
        "section": printable(citation.section),
        "lines": [citation.first_line, citation.last_line],
        "quote": citation.quote,
        "verdict": citation.verdict,
        "named": printable(citation.named),
    }


def claims_json(claims: Sequence[Claim]) -> dict[str, Json]:
    """Return the claims of an answer in the documented JSON format: counts by mark, and what is known of each."""
    counts = Counter(claim.mark for claim in claims)
    each: Json = [
        {
            "from": claim.start,
            "to": claim.end,
            "mark": claim.mark,
            "citations": list(claim.citations),
            "altered": msgspec.to_builtins(claim.altered),
            "missing": list(claim.missing),
            "computed": claim.computed,
            "operands": [{"text": operand.text, "citation": operand.citation} for operand in claim.operands],
            "judgment": msgspec.to_builtins(claim.judgment),
            "nowhere": claim.nowhere,
            "says": describe_claim(claim),
        }
        for claim in claims
    ]
    marks: tuple[Mark, ...] = get_args(Mark)
    shape: dict[str, Json] = {
        "version": MARKS_VERSION,
        "total": len(claims),
        "says": count_claims(claims),
        "each": each,
    }
    return shape | {mark: counts[mark] for mark in marks}


def coverage_json(coverage: Coverage) -> dict[str, Json]:
    """Return the search report of a run that found nothing in the documented JSON format."""
    read: Json = [{"path": printable(r.path), "title": printable(r.title), "lines": r.lines} for r in coverage.read]
    unread: Json = [{"path": printable(each.path), "reason": each.reason} for each in coverage.unread]
    offline: Json = [printable(path) for path in coverage.offline]
    fields: dict[str, Json] = msgspec.to_builtins(coverage)
    return {**fields, "read": read, "unread": unread, "offline": offline}


def source_json(source: Source) -> dict[str, Json]:
    """Return a source returned by a tool in the documented JSON format."""
    return {
        "reference": source.reference,
        "path": printable(source.path),
        "title": printable(source.title),
        "page": source.page,
        "section": printable(source.section),
        "lines": [source.first_line, source.last_line],
        "preview": source.preview,
        "chunk": source.chunk,
        "gives_orders": source.gives_orders,
    }


def _type_name(event: AgentEvent) -> str:
    """Return `tool_returned` for `ToolReturned`."""
    name = type(event).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
