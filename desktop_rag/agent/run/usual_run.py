"""A run with the user's settings: their endpoint and its key, their toolkit, limits and spending."""

import os
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace

from desktop_rag.agent.budget import Spending, count_spending, purse_of
from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, AnswerWritten, RunFailed, Source, ToolReturned
from desktop_rag.agent.feedback import Feedback
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.model_choice import KEY_VARIABLE, chat_model, chosen_profile, fast_model
from desktop_rag.agent.toolkits.toolkit import Run, Toolkit
from desktop_rag.credentials import Credentials
from desktop_rag.errors import LibraryRefused, SendingRefused
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatModel
from desktop_rag.paths import settings_file, spending_file
from desktop_rag.retrieval.api import Retriever
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.settings import NOTHING_WITHHELD, Profile, Settings, Withheld, load, privacy
from desktop_rag.stop import Stop

NOTHING_IN_SCOPE = "No document of the library fulfils these conditions."
MARKED_MEANWHILE = "A document that was read for this answer was marked as never sent meanwhile. Ask again."


@dataclass(frozen=True, slots=True)
class RunModels:
    """An endpoint of the user (None: the built-in model), its model, and its fast one if it has one."""

    profile: Profile | None
    model: ChatModel
    fast: ChatModel | None = None


def models_of(settings: Settings, profile: str | None) -> RunModels:
    """Return the models of the named endpoint, or of the chosen one; raises `SettingsError` for unknown names."""
    chosen = chosen_profile(settings, profile)
    key = os.environ.get(KEY_VARIABLE) or Credentials().get(chosen.name) if chosen else ""
    return RunModels(chosen, chat_model(chosen, key), fast_model(chosen, key))


def paid_run(
    question: Question,
    tools: Toolkit,
    models: RunModels,
    retriever: Retriever,
    settings: Settings,
    stop: Stop,
    feedback: Feedback | None = None,
    answer_tokens: int = 0,
) -> Generator[AgentEvent]:
    """Yield the events of a run like `answer`, within the user's limits; its spending is counted."""
    spending = Spending(spending_file())
    run = Run(
        tools,
        models.model,
        retriever,
        stop,
        settings.limits,
        fast=models.fast,
        feedback=feedback,
        unsourced=settings.unsourced,
        second_look=settings.second_look,
        purse=purse_of(models.profile, spending, settings.money),
        answer_tokens=answer_tokens,
    )
    from desktop_rag.agent.run.loop import answer  # the first window needs it only when something is asked

    with closing(answer(question, run)) as events:
        yield from count_spending(events, models.profile, spending)


def usual_run(
    question: str,
    retriever: Retriever,
    stop: Stop,
    *,
    conversation: Conversation | None = None,
    profile: str | None = None,
    toolkit_name: str | None = None,
    filters: tuple[Filter, ...] = (),
    withheld: Withheld | None = None,
    answer_tokens: int = 0,
) -> Generator[AgentEvent]:
    """Yield the events of a run like `answer`; without a `profile` or a toolkit it uses those of the settings.

    What is `withheld` is not read by any model: the answer is for another program. None: it is for the user. A turn
    writes at most `answer_tokens`, if any are given.
    Raises `SettingsError` for unknown names, and `LibraryRefused` if no document fulfils `filters`.
    """
    settings = load(settings_file())
    from desktop_rag.agent.toolkits.registry import toolkit  # as above

    tools = toolkit(toolkit_name or settings.toolkit)
    models = models_of(settings, profile)
    scope = scope_within(retriever, filters, stop)
    if filters and not scope.contents:
        raise LibraryRefused(NOTHING_IN_SCOPE)
    scope = replace(scope, withheld=withheld or NOTHING_WITHHELD)
    asked = Question(question, conversation or Conversation(), scope, filters)
    run = paid_run(asked, tools, models, retriever, settings, stop, answer_tokens=answer_tokens)
    with closing(run):
        yield from run if withheld is None else _for_another_program(run, retriever, stop)


def _for_another_program(run: Generator[AgentEvent], retriever: Retriever, stop: Stop) -> Generator[AgentEvent]:
    """Pass on the events of a run up to an answer from what is never sent by then: rules and tags may change."""
    read: dict[ContentId, Source] = {}
    known: Withheld | None = None
    for event in run:
        if isinstance(event, ToolReturned):
            read |= {source.content: source for source in event.sources}
            known = None
        if isinstance(event, AnswerDelta | AnswerWritten | Answered) and (
            (now := privacy().withheld()) != known or not isinstance(event, AnswerDelta)
        ):
            if withheld_among(retriever, read.values(), now, stop):
                yield RunFailed(SendingRefused.title, MARKED_MEANWHILE, "", ())
                return
            known = now
        yield event
