"""`desktop-rag ask`: the agent's steps as they happen, then the answer with its sources."""

import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent, Answered, Routed, RunStopped
from desktop_rag.agent.events_json import event_json
from desktop_rag.agent.run.costs import stage_costs
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.model_choice import KEY_VARIABLE, chat_model, chosen_profile, fast_model
from desktop_rag.agent.run.spending import Spending, count_spending, purse_of
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.cli.narrator import Narrator
from desktop_rag.cli.output import FOUND, INTERRUPTED, NOTHING, Output
from desktop_rag.cli.scope_options import scope_text
from desktop_rag.cli.search_command import open_engine
from desktop_rag.credentials import Credentials
from desktop_rag.index.library import Library
from desktop_rag.llm.chat import ChatModel
from desktop_rag.llm.local_model.local_server import running
from desktop_rag.paths import settings_file, spending_file
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.settings import Profile, Settings, load
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable


def ask(
    library: Library,
    question: str,
    profile: str | None,
    toolkit_name: str | None,
    filters: tuple[Filter, ...],
    output: Output,
    stop: Stop,
    model_file: Path | None = None,
) -> int:
    """Print every step and the cited answer; return 1 if nothing was found or the run failed.

    With `filters` only the documents that fulfil them are searched; if there are none, the model is not asked.
    A `model_file` in the GGUF format is loaded and runs on this computer while the question is answered.
    """
    settings = load(settings_file())
    tools = toolkit(toolkit_name or settings.toolkit)
    with closing(open_engine(library)) as engine, ExitStack() as resources:
        scope = scope_within(engine, filters, stop)
        if filters and not scope.contents:
            output.error("Nothing to search", f"No document fulfils {one_line(printable(scope_text(filters)))}.")
            return NOTHING
        chosen, model, fast = resources.enter_context(_models(settings, profile, model_file, output, stop))
        limits, unsourced, spending = settings.limits, settings.unsourced, Spending(spending_file())
        run = answer(
            question,
            Conversation(),
            tools,
            model,
            engine,
            limits,
            scope,
            stop,
            fast=fast,
            unsourced=unsourced,
            filters=filters,
            purse=purse_of(chosen, spending, settings.money),
        )
        with closing(run):
            events = count_spending(run, chosen, spending)
            narrator = Narrator(output, streaming=output.console.is_terminal, scope=scope_text(filters))
            last = _print_events(events, narrator, output, chosen)
    if isinstance(last, RunStopped):
        return INTERRUPTED
    return FOUND if isinstance(last, Answered) and last.found else NOTHING


@contextmanager
def _models(
    settings: Settings, profile: str | None, model_file: Path | None, output: Output, stop: Stop
) -> Generator[tuple[Profile | None, ChatModel, ChatModel | None]]:
    """Yield the endpoint with its model and its fast one; a model file is served while the block runs."""
    if model_file is not None:
        output.note(f"Loading {printable(model_file.name)}…")
        with running(model_file, stop) as local:
            # Its address is another each time.
            yield local.profile, chat_model(local.profile, local.key, remembered=False), None
        return
    chosen = chosen_profile(settings, profile)
    key = os.environ.get(KEY_VARIABLE) or Credentials().get(chosen.name) if chosen else ""
    yield chosen, chat_model(chosen, key), fast_model(chosen, key)


def _print_events(
    events: Iterator[AgentEvent], narrator: Narrator, output: Output, profile: Profile | None
) -> AgentEvent | None:
    last, billed = None, list[AgentEvent]()
    for last in events:
        if isinstance(last, Routed | Answered):
            billed.append(last)
        costs = stage_costs(billed, profile) if isinstance(last, Answered) else ()
        if output.as_json:
            output.value(event_json(last) | ({"costs": msgspec.to_builtins(costs)} if costs else {}))
        else:
            narrator.print(last)
            narrator.print_costs(costs)
    return last
