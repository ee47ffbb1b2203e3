"""Answers one question: asks the model, carries out its tool calls, and always ends in an answer or a reason.

The loop follows AgenticRAG (algorithm 1): bounded steps, context management, and a forced last answer.
"""

import json
from collections.abc import Generator, Mapping
from dataclasses import replace

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    Remark,
    RunFailed,
    RunStarted,
    RunStopped,
    Thought,
)
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import (
    FROM_MEMORY,
    NO_SOURCE,
    NOTHING_FITS,
    NOTHING_SAID,
    PLAN_FIRST,
    QUOTED,
    UNNAMED,
    indexing_notice,
    load_prompt,
    nothing_to_search,
    silence,
)
from desktop_rag.agent.run.budget import RunBudget
from desktop_rag.agent.run.citation_repair import is_better, mending, proves_something, withhold
from desktop_rag.agent.run.feedback import Feedback
from desktop_rag.agent.run.step import StepRunner
from desktop_rag.agent.run.tool_dispatch import OPENING_ID
from desktop_rag.agent.run.toolless_fallback import PASSAGES, ToollessFallback, calls_tools
from desktop_rag.agent.toolkits.toolkit import Task, Toolkit
from desktop_rag.agent.tools.tool import ToolContext, plural
from desktop_rag.errors import ContextOverflow, DesktopRagError, ModelError, Stopped, ToolsRefused
from desktop_rag.llm.chat import ChatModel, ToolCall, ToolMessage, TurnEnded, UserMessage
from desktop_rag.retrieval.api import Filter, LibraryFacts, Retriever, Scope
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop

PROVED = ("verbatim", "paraphrase")


def answer(
    question: str,
    conversation: Conversation,
    toolkit: Toolkit,
    model: ChatModel,
    retriever: Retriever,
    limits: Limits,
    scope: Scope,
    stop: Stop,
    *,
    fast: ChatModel | None = None,
    steering: Feedback | None = None,
    unsourced: Unsourced = Unsourced.MARK,
    filters: tuple[Filter, ...] = (),
    unwanted: tuple[Filter, ...] = (),
) -> Generator[AgentEvent]:
    """Yield everything that happens until `Answered`, `RunStopped` or `RunFailed`; raises none of our errors.

    `fast` is a cheaper model for what needs no good one; through `steering` a person speaks to the run. `filters` hold
    for every search; `unwanted` ones must not be read into the question.
    """
    task = Task(question, conversation, toolkit, model, retriever, limits, scope, stop, fast, filters)
    task = replace(task, steering=steering, unsourced=unsourced, unwanted=unwanted)
    yield RunStarted(question, toolkit.name, model.name, len(conversation.turns) + 1)
    try:
        if toolkit.router:
            task = yield from toolkit.router.route(task)
        facts = task.retriever.facts(task.scope, stop)
    except Stopped:
        yield RunStopped("", (), 0.0)
        return
    except DesktopRagError as error:
        yield RunFailed(error.title, str(error), "", ())
        return
    yield from _Run(task, facts).events()


class _Run:
    """One question's run: what happens in which order. Openings see it as `Work`."""

    def __init__(self, task: Task, facts: LibraryFacts) -> None:
        self._task = task
        self._facts = facts
        self._turns = StepRunner(task, facts)
        self._lookup: ToollessFallback | None = None  # for a model that calls no tools
        self._placed = 0  # calls an opening made

    def events(self) -> Generator[AgentEvent]:
        """Work until the end, whatever it is."""
        try:
            yield from self._work()
        except Stopped:
            yield from self._turns.calls.abandon("Stopped")
            yield RunStopped(self._turns.speech.text, self._turns.speech.citations, self._turns.budget.seconds())
        except DesktopRagError as error:
            yield from self._turns.calls.abandon(error.title)
            yield RunFailed(error.title, str(error), self._turns.speech.text, self._turns.speech.citations)

    @property
    def task(self) -> Task:
        """What the run was given."""
        return self._task

    @property
    def facts(self) -> LibraryFacts:
        """How much there is to search."""
        return self._facts

    @property
    def budget(self) -> RunBudget:
        """The limits that bind and what is used of them."""
        return self._turns.budget

    @property
    def tools(self) -> ToolContext:
        """What the tools work with."""
        return self._turns.tools

    def plan(self, instruction: str) -> Generator[AgentEvent, None, str]:
        """Let the model write a plan, without tools; it is shown and stays in its context."""
        self._turns.context.add(UserMessage(instruction, aside=True))
        yield from self._turns.begin_step()
        ended = yield from self._turns.ask(())
        self._turns.refuse(ended.message.tool_calls, PLAN_FIRST)  # an endpoint takes no call without an answer
        text = self._turns.speech.raw.strip()
        if self._turns.speech.text:
            yield AnswerRestarted(self._turns.budget.step)
        self._turns.speech.restart()
        if text:
            yield Remark(self._turns.budget.step, "plan", text)
        return text

    def call(self, tool: str, arguments: Mapping[str, object]) -> Generator[AgentEvent, None, ToolMessage]:
        """Carry out a call in the model's place; the model does not see it unless it is given to it."""
        self._placed += 1
        call = ToolCall(f"{OPENING_ID}{self._placed}", tool, json.dumps(arguments, ensure_ascii=False))
        return (yield from self._turns.call_tool(call, self._turns.room()))

    def give(self, message: UserMessage) -> None:
        """Put `message` in the place of the question."""
        self._turns.context.replace_question(message)

    def _work(self) -> Generator[AgentEvent]:
        """Step until the model answers or a limit forces it to."""
        task = self._task
        if not self._facts.contents and task.toolkit.needs_library:
            yield from self._turns.speech.say(nothing_to_search(self._facts, task.scope))
            yield self._answered(found=False)
            return
        yield self._turns.measured()
        opening = task.toolkit.opening
        free = not opening or (yield from opening.open(self))
        ended = (yield from self._work_out()) if free else None
        if ended is None:
            if free:
                self._turns.context.add(UserMessage(task.toolkit.ending, aside=True))
            ended = yield from self._turns.ask(())
        yield from self._finish(ended)

    def _work_out(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Return the model's answer from what it found, or from what was looked up for it if it calls no tools."""
        ended: TurnEnded | None = None
        habit = calls_tools(self._task.conversation, self._task.model.name)
        if habit is not False:
            try:
                ended = yield from self._search()
            except ToolsRefused as refused:
                yield Thought(self._turns.budget.step, str(refused))
            else:
                looked = self._turns.budget.calls or self._turns.speech.citations or not self._task.toolkit.tools
                if ended is None or looked or habit:
                    return ended
        return (yield from self._look_up()) or ended

    def _look_up(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Look up what the question needs, in place of the model, and let it answer from that; None if in vain."""
        task, context = self._task, self._turns.context
        lookup = ToollessFallback(task.question, context.history, task.toolkit.specs())
        while not self._turns.budget.over() and (calls := lookup.next_calls(task.stop)):
            if self._lookup is None:
                yield from self._turns.set_aside()
                yield from self._turns.begin_step()
                self._lookup = lookup
            for call in calls:
                lookup.take((yield from self._turns.call_tool(call, task.toolkit.result_tokens)))
        if not self._lookup:
            return None
        for budget in (min(PASSAGES, context.free()), PASSAGES // 3):
            text = lookup.passages(budget, task.model.count_tokens)
            context.restart(load_prompt("passages"), UserMessage(text))
            try:
                return (yield from self._turns.ask(()))
            except ContextOverflow as error:
                overflow = error
        raise overflow

    def _search(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Let the model work with its tools; return its answer, or None when a limit ends the search."""
        specs = self._task.toolkit.specs()
        asked_again = False
        while True:
            yield from self._turns.heed()
            yield from self._turns.make_room()
            limit = self._turns.limit()
            if limit:
                yield limit
                return None
            yield from self._turns.begin_step()
            ended = yield from self._turns.ask(specs)
            if ended.message.tool_calls:
                yield from self._turns.set_aside()
                yield from self._turns.call_tools(ended.message.tool_calls)
            elif self._turns.speech.text or asked_again or ended.reason != "stop":
                return ended
            else:
                asked_again = True
                self._turns.context.add(UserMessage(NOTHING_SAID, aside=True))

    def _finish(self, ended: TurnEnded) -> Generator[AgentEvent]:
        if not self._turns.speech.text.strip():
            raise ModelError(silence(ended.reason))
        if ended.reason == "length":
            yield LimitReached("output", "The model's output reached its limit; the answer may lack its end.")
        yield from self._mend()
        found = not self._turns.speech.says_not_found
        if found:
            found = yield from self._prove()
        elif notice := indexing_notice(self._facts):
            yield from self._turns.speech.add(notice)
        yield self._answered(found=found)

    def _mend(self) -> Generator[AgentEvent]:
        """Let the model correct citations that prove nothing, once; its answer stays unless the new one is better."""
        first = self._turns.speech
        failures = first.failures
        built_in = self._lookup is not None or isinstance(self._task.model, ExtractiveModel)
        if not failures or built_in or self._turns.limit() or self._turns.budget.over():
            return
        yield Remark(self._turns.budget.step, "check", f"{plural(len(failures), 'citation')} could not be verified.")
        self._turns.context.add(UserMessage(mending(failures), aside=True))
        self._turns.speech = self._turns.new_speech()
        try:
            yield from self._turns.begin_step()
            yield from (event for event in self._turns.ask(()) if isinstance(event, ContextMeasured))
            if is_better(self._turns.speech, first):
                first = self._turns.speech
                yield AnswerRestarted(self._turns.budget.step)
                yield AnswerDelta(first.text)
        except ModelError as error:
            yield Thought(self._turns.budget.step, str(error))
        finally:
            self._turns.speech = first

    def _prove(self) -> Generator[AgentEvent, None, bool]:
        """Say of an answer without proof that it has none, and what the documents do say; False if nothing."""
        if any(citation.verdict in PROVED for citation in self._turns.speech.citations):
            return True
        if not self._task.toolkit.needs_library:
            yield from self._turns.speech.add(FROM_MEMORY)
            return True
        if self._lookup is None:
            proofs = "" if self._turns.speech.citations else self._turns.speech.proofs()
            if proofs or not self._turns.speech.citations:
                yield from self._turns.speech.add(UNNAMED if proofs else NO_SOURCE, proofs)
            return True
        quotations = self._lookup.quotations(self._task.stop)
        yield from self._turns.speech.add(
            f"{NO_SOURCE} {QUOTED if quotations else NOTHING_FITS}\n\n{quotations}".rstrip()
        )
        return bool(quotations)

    def _answered(self, *, found: bool) -> Answered:
        budget, context = self._turns.budget, self._turns.context.measure()
        text, citations = self._turns.speech.text, self._turns.speech.citations
        claims = self._turns.speech.claims if found else ()  # what comes closest is no claim
        usage, seconds = budget.usage, budget.seconds()
        answered = Answered(text, citations, context, usage, seconds, budget.step, found=found, claims=claims)
        if self._task.unsourced is Unsourced.FORBID:
            answered = withhold(answered)
        if proves_something(answered) or not self._task.toolkit.needs_library:
            return answered
        return replace(answered, coverage=self._turns.survey.report(self._facts, answered, self._task.stop))
