"""`desktop-rag ask`: the agent's steps as they happen, then the answer with its sources."""

import os
from collections.abc import Iterator
from contextlib import closing

from desktop_rag.agent.events import AgentEvent, Answered, RunStopped
from desktop_rag.agent.loop import answer
from desktop_rag.agent.models import chat_model
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.transcript import Conversation
from desktop_rag.cli.events_json import event_json
from desktop_rag.cli.narrator import Narrator
from desktop_rag.cli.output import FOUND, INTERRUPTED, NOTHING, Output
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
KEY_VARIABLE = "DESKTOP_RAG_API_KEY"  # for machines without a keychain


def ask(
    library: Library, question: str, profile: str | None, toolkit_name: str | None, output: Output, stop: Stop
) -> int:
    """Print every step and the cited answer; 1 when nothing was found or the run failed."""
    settings = load(settings_file())
    tools = toolkit(toolkit_name or settings.toolkit)
    with closing(open_engine(library)) as engine:
        model = _model(settings, profile)
        limits, unsourced = settings.limits, settings.unsourced
        run = answer(question, Conversation(), tools, model, engine, limits, Scope(), stop, unsourced=unsourced)
        with closing(run) as events:
            last = _told(events, output)
    if isinstance(last, RunStopped):
        return INTERRUPTED
    return FOUND if isinstance(last, Answered) and last.found else NOTHING


def print_event(event: AgentEvent, output: Output) -> None:
    """Print what a person wants to know of one event that stands for itself."""
    Narrator(output, streaming=False).tell(event)


def _model(settings: Settings, name: str | None) -> ChatModel:
    if name == BUILT_IN:
        return chat_model(None, "")
    profile = settings.profile() if name is None else next((p for p in settings.profiles if p.name == name), None)
    if profile is None and name is not None:
        names = ", ".join([BUILT_IN, *(known.name for known in settings.profiles)])
        raise SettingsError(f"There is no endpoint called “{name}”. Known are: {names}.")
    if profile is None:
        return chat_model(None, "")
    return chat_model(profile, os.environ.get(KEY_VARIABLE) or Credentials().get(profile.name))


def _told(events: Iterator[AgentEvent], output: Output) -> AgentEvent | None:
    narrator = Narrator(output, streaming=output.console.is_terminal)
    last = None
    for last in events:
        if output.as_json:
            output.value(event_json(last))
        else:
            narrator.tell(last)
    return last
