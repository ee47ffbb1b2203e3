"""A run with the user's settings: their endpoint and its key, their toolkit, limits and spending."""

import os
from collections.abc import Generator
from contextlib import closing

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.model_choice import KEY_VARIABLE, chat_model, chosen_profile, fast_model
from desktop_rag.agent.run.spending import Spending, count_spending, purse_of
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.credentials import Credentials
from desktop_rag.errors import LibraryRefused
from desktop_rag.paths import settings_file, spending_file
from desktop_rag.retrieval.api import Filter, Retriever
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.settings import load
from desktop_rag.stop import Stop

NOTHING_IN_SCOPE = "No document of the library fulfils these conditions."


def usual_run(
    question: str,
    retriever: Retriever,
    stop: Stop,
    *,
    conversation: Conversation | None = None,
    profile: str | None = None,
    toolkit_name: str | None = None,
    filters: tuple[Filter, ...] = (),
) -> Generator[AgentEvent]:
    """Yield the events of a run like `answer`; without a `profile` or a toolkit it uses those of the settings.

    Raises `SettingsError` for unknown names, and `LibraryRefused` if no document fulfils `filters`.
    """
    settings = load(settings_file())
    tools = toolkit(toolkit_name or settings.toolkit)
    chosen = chosen_profile(settings, profile)
    key = os.environ.get(KEY_VARIABLE) or Credentials().get(chosen.name) if chosen else ""
    scope = scope_within(retriever, filters, stop)
    if filters and not scope.contents:
        raise LibraryRefused(NOTHING_IN_SCOPE)
    spending = Spending(spending_file())
    run = answer(
        question,
        conversation or Conversation(),
        tools,
        chat_model(chosen, key),
        retriever,
        settings.limits,
        scope,
        stop,
        fast=fast_model(chosen, key),
        unsourced=settings.unsourced,
        filters=filters,
        purse=purse_of(chosen, spending, settings.money),
    )
    with closing(run):
        yield from count_spending(run, chosen, spending)
