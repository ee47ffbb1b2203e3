"""`desktop-rag ask`: the agent's steps as they happen, then the answer with its sources."""

from collections.abc import Iterator
from contextlib import closing

import msgspec

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    Citation,
    ContextMeasured,
    LimitReached,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.loop import answer
from desktop_rag.agent.models import chat_model
from desktop_rag.agent.toolkits import toolkit
from desktop_rag.agent.transcript import Conversation
from desktop_rag.cli.output import FOUND, NOTHING, Json, Output, printable
from desktop_rag.cli.search import open_engine
from desktop_rag.credentials import Credentials
from desktop_rag.errors import SettingsError
from desktop_rag.index.library import Library
from desktop_rag.llm.chat import ChatModel
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.hits import Scope
from desktop_rag.settings import Settings, load
from desktop_rag.stop import Stop

BUILT_IN = "built-in"


def ask(library: Library, question: str, profile: str | None, toolkit_name: str | None, output: Output) -> int:
    """Print every step and the cited answer; 1 when nothing was found or the run failed."""
    settings = load(settings_file())
    tools = toolkit(toolkit_name or settings.toolkit)
    model = _model(settings, profile)
    with closing(open_engine(library)) as engine:
        events = answer(question, Conversation(), tools, model, engine, settings.limits, Scope(), Stop())
        with closing(events):
            last = _print_json(events, output) if output.as_json else print_run(events, output)
    return FOUND if isinstance(last, Answered) and last.found else NOTHING


def _model(settings: Settings, name: str | None) -> ChatModel:
    if name is None:
        profile = settings.profile()
    elif name == BUILT_IN:
        profile = None
    else:
        profile = next((known for known in settings.profiles if known.name == name), None)
        if profile is None:
            names = ", ".join([BUILT_IN, *(known.name for known in settings.profiles)])
            raise SettingsError(f"There is no endpoint called “{name}”. Known are: {names}.")
    return chat_model(profile, Credentials().get(profile.name) if profile else "")


def _print_json(events: Iterator[AgentEvent], output: Output) -> AgentEvent | None:
    event = None
    for event in events:
        output.value(event_json(event))
    return event


def event_json(event: AgentEvent) -> dict[str, Json]:
    """Return the documented shape of an event; the last one of an answered run has type `answered`."""
    if isinstance(event, Answered):
        return {
            "type": "answered",
            "text": event.text,
            "found": event.found,
            "citations": [citation_json(citation) for citation in event.citations],
            "usage": msgspec.to_builtins(event.usage),
            "seconds": round(event.seconds, 3),
            "steps": event.steps,
        }
    fields: dict[str, Json] = msgspec.to_builtins(event)
    return {"type": _type_name(event), **fields}


def citation_json(citation: Citation) -> dict[str, Json]:
    """Return the documented shape of a citation."""
    return {
        "n": citation.number,
        "path": printable(citation.path),
        "page": citation.page,
        "lines": [citation.first_line, citation.last_line],
        "quote": citation.quote,
        "verdict": citation.verdict,
    }


def _type_name(event: AgentEvent) -> str:
    """Return `tool_returned` for `ToolReturned`."""
    name = type(event).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def print_run(events: Iterator[AgentEvent], output: Output) -> AgentEvent | None:
    """Print a run for a person as it happens; return its last event."""
    event = None
    for event in events:
        print_event(event, output)
    return event


def print_event(event: AgentEvent, output: Output) -> None:
    """Print what a person wants to know of one event."""
    match event:
        case ToolCalled(summary=summary):
            output.line(f"→ {summary}", "cyan")
        case ToolReturned():
            _print_return(event, output)
        case Thought(text=text):
            output.line(text.strip(), "dim italic")
        case LimitReached(message=message):
            output.line(message, "yellow")
        case Answered():
            _print_answer(event, output)
        case RunFailed(title=title, message=message, text=text):
            output.line(text)
            output.error(title, message)
        case RunStopped(text=text):
            output.line(text)
        case RunStarted() | StepStarted() | AnswerDelta() | AnswerRestarted() | ContextMeasured():
            return


def _print_return(event: ToolReturned, output: Output) -> None:
    output.line(
        f"  {event.summary}  ({event.seconds:.1f} s, {event.tokens:,} tokens)", "red" if event.failed else "dim"
    )
    for source in event.sources[:5]:
        page = f", page {source.page}" if source.page else ""
        output.line(f"    {printable(source.path)}{page}, lines {source.first_line}–{source.last_line}", "dim")


def _print_answer(event: Answered, output: Output) -> None:
    output.line("")
    output.line(plain_citations(event))
    if event.citations:
        output.line("")
        output.line("Sources", "bold")
    for citation in event.citations:
        page = f", page {citation.page}" if citation.page else ""
        lines = f"lines {citation.first_line}–{citation.last_line}"
        output.line(f"[{citation.number}] {printable(citation.path)}{page}, {lines}  ({citation.verdict})")
        output.line(f"    “{citation.quote}”", "dim")
    total = event.usage.prompt_tokens + event.usage.completion_tokens
    mark = "~" if event.usage.estimated else ""
    output.line("")
    output.line(f"{event.seconds:.1f} s, {event.steps} steps, {mark}{total:,} tokens", "dim")


def plain_citations(event: Answered) -> str:
    """Return the answer with `[1](cite:1)` shown as `[1]`."""
    text = event.text
    for citation in event.citations:
        text = text.replace(f"[{citation.number}](cite:{citation.number})", f"[{citation.number}]")
    return text
