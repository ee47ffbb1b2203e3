"""The events of a run as JSON, in the shapes that `docs/command-line.md` promises."""

import msgspec

from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    RunFailed,
    RunStopped,
    Source,
    ToolReturned,
)
from desktop_rag.cli.output import Json, printable


def event_json(event: AgentEvent) -> dict[str, Json]:
    """Return the documented shape of an event; the last one of an answered run has type `answered`."""
    shape: dict[str, Json] = {"type": _type_name(event)}
    match event:
        case Answered():
            shape |= {
                "text": event.text,
                "found": event.found,
                "citations": [citation_json(citation) for citation in event.citations],
                "usage": msgspec.to_builtins(event.usage),
                "seconds": round(event.seconds, 3),
                "steps": event.steps,
            }
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
    """Return the documented shape of a citation."""
    return {
        "n": citation.number,
        "path": printable(citation.path),
        "page": citation.page,
        "section": printable(citation.section),
        "lines": [citation.first_line, citation.last_line],
        "quote": citation.quote,
        "verdict": citation.verdict,
    }


def source_json(source: Source) -> dict[str, Json]:
    """Return the documented shape of something a tool brought back."""
    return {
        "reference": source.reference,
        "path": printable(source.path),
        "title": printable(source.title),
        "page": source.page,
        "section": printable(source.section),
        "lines": [source.first_line, source.last_line],
        "preview": source.preview,
        "chunk": source.chunk,
    }


def _type_name(event: AgentEvent) -> str:
    """Return `tool_returned` for `ToolReturned`."""
    name = type(event).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
