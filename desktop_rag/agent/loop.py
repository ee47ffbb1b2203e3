"""Answers one question: asks the model, carries out its tool calls, and always ends in an answer or a reason.

The loop follows AgenticRAG (algorithm 1): bounded steps, context management, and a forced last answer.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.budget import Budget
from desktop_rag.agent.calls import NOT_RUN, STOPPED, Calls
from desktop_rag.agent.citing.citations import Citations
from desktop_rag.agent.citing.references import References
from desktop_rag.agent.context import Context
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
)
from desktop_rag.agent.history import earlier_messages, earlier_sources, recall_cited_lines
from desktop_rag.agent.lookup import PASSAGES, Lookup, calls_tools
from desktop_rag.agent.prompts import (
    ANSWER_NOW,
    NO_SOURCE,
    NOTHING_FITS,
    NOTHING_SAID,
    QUOTED,
    UNNAMED,
    indexing_notice,
    instructions,
    load_prompt,
    nothing_to_search,
    silence,
)
from desktop_rag.agent.speech import Speech
from desktop_rag.agent.toolkits import Toolkit
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.agent.transcript import Conversation
from desktop_rag.errors import ContextOverflow, DesktopRagError, ModelError, Stopped, ToolsRefused
from desktop_rag.llm.chat import (
    ChatModel,
    ChatRequest,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.retrieval.hits import LibraryFacts, Retriever, Scope
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

HISTORY_SHARE = 0.25  # of the context, for earlier turns
SAME_AGAIN = 3  # repeated calls in a row that end the search
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
) -> Generator[AgentEvent]:
    """Yield everything that happens until `Answered`, `RunStopped` or `RunFailed`; raises none of our errors."""
    run = _Run(_Task(question, conversation, toolkit, model, retriever, limits, scope, stop))
    yield RunStarted(question, toolkit.name, model.name, run.turn)
    try:
        yield from run.work()
    except Stopped:
        yield from run.calls.abandon("Stopped")
        yield RunStopped(run.speech.text, run.speech.citations, run.budget.seconds())
    except DesktopRagError as error:
        yield from run.calls.abandon(error.title)
        yield RunFailed(error.title, str(error), run.speech.text, run.speech.citations)


@dataclass(frozen=True, slots=True)
class _Task:
    """What a run is given."""

    question: str
    conversation: Conversation
    toolkit: Toolkit
    model: ChatModel
    retriever: Retriever
    limits: Limits
    scope: Scope
    stop: Stop


class _Run:
    """One question's run: what it has read, said and spent."""

    def __init__(self, task: _Task) -> None:
        self._task = task
        self.turn = len(task.conversation.turns) + 1
        self.budget = Budget(task.limits, max(min(task.limits.steps or task.toolkit.steps, task.toolkit.steps), 1))
        references = References(self.turn, earlier_sources(task.conversation))
        self._tools = ToolContext(task.retriever, task.scope, references, task.model.count_tokens)
        recall_cited_lines(task.conversation, self._tools.reading)
        self.calls = Calls(task.toolkit, self._tools)
        self._lookup: Lookup | None = None  # for a model that calls no tools
        self.speech = Speech(lambda: Citations(references, self._tools.reading, task.retriever, task.stop))

    def work(self) -> Generator[AgentEvent]:
        """Step until the model answers or a limit forces it to."""
        facts = self._task.retriever.facts(self._task.scope, self._task.stop)
        self._context = self._start(facts)
        if not facts.contents:
            yield from self.speech.say(nothing_to_search(facts, self._task.scope))
            yield self._answered(found=False)
            return
        yield self._measured()
        ended = yield from self._work_out()
        if ended is None:
            self._context.add(UserMessage(ANSWER_NOW))
            ended = yield from self._ask(())
        yield from self._finish(ended, facts)

    def _start(self, facts: LibraryFacts) -> Context:
        task = self._task
        specs = task.toolkit.specs()
        window = min(task.limits.context_tokens or task.model.context_window, task.model.context_window)
        history = earlier_messages(task.conversation, int(window * HISTORY_SHARE), task.model.count_tokens)
        text = instructions(task.toolkit.prompt, facts, self.budget.steps)
        context = Context(task.model, window, text, specs, history)
        context.add(UserMessage(task.question))
        context.begin_run()
        return context

    def _work_out(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Return the model's answer from what it found, or from what was looked up for it if it calls no tools."""
        ended: TurnEnded | None = None
        habit = calls_tools(self._task.conversation, self._task.model.name)
        if habit is not False:
            try:
                ended = yield from self._search()
            except ToolsRefused as refused:
                yield Thought(self.budget.step, str(refused))
            else:
                looked = self.budget.calls or self.speech.citations or not self._task.toolkit.tools
                if ended is None or looked or habit:
                    return ended
        return (yield from self._look_up()) or ended

    def _look_up(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Look up what the question needs, in place of the model, and let it answer from that; None if in vain."""
        task, context = self._task, self._context
        lookup = Lookup(task.question, context.history, task.toolkit.specs())
        while not self._over() and (calls := lookup.next_calls(task.stop)):
            if self._lookup is None:
                yield from self._set_aside()
                yield from self._begin_step()
                self._lookup = lookup
            for call in calls:
                lookup.take((yield from self._call_tool(call, task.toolkit.result_tokens)))
        if not self._lookup:
            return None
        for budget in (min(PASSAGES, context.free()), PASSAGES // 3):
            text = lookup.passages(budget, task.model.count_tokens)
            context.restart(load_prompt("passages"), UserMessage(text))
            try:
                return (yield from self._ask(()))
            except ContextOverflow as error:
                overflow = error
        raise overflow

    def _search(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Let the model work with its tools; return its answer, or None when a limit ends the search."""
        specs = self._task.toolkit.specs()
        asked_again = False
        while True:
            self._make_room()
            limit = self._limit()
            if limit:
                yield limit
                return None
            yield from self._begin_step()
            ended = yield from self._ask(specs)
            if ended.message.tool_calls:
                yield from self._set_aside()
                yield from self._call_tools(ended.message.tool_calls)
            elif self.speech.text or asked_again or ended.reason != "stop":
                return ended
            else:
                asked_again = True
                self._context.add(UserMessage(NOTHING_SAID))

    def _begin_step(self) -> Generator[AgentEvent]:
        self.budget.step += 1
        yield StepStarted(self.budget.step, self.budget.steps)

    def _limit(self) -> LimitReached | None:
        if self.calls.repeats >= SAME_AGAIN:
            return LimitReached("repetition", "The model keeps repeating the same calls.")
        if self._context.is_full():
            return LimitReached("context", f"The model's context of {self._context.limit:,} tokens is full.")
        return self.budget.reached()

    def _ask(self, specs: Sequence[ToolSpec]) -> Generator[AgentEvent, None, TurnEnded]:
        """Stream one turn of the model; one that does not fit its window is tried once more with less."""
        self.speech.restart()
        try:
            ended = yield from self._hear(specs)
        except ContextOverflow:
            self.calls.forget(self._context.make_room(keep=1, hard=True))
            self.speech.restart()
            ended = yield from self._hear(specs)
        self._context.add(ended.message)
        self._context.calibrate(ended.usage, ended.message)
        self.budget.spend(ended.usage)
        yield self._measured()
        return ended

    def _hear(self, specs: Sequence[ToolSpec]) -> Generator[AgentEvent, None, TurnEnded]:
        task = self._task
        request = ChatRequest(tuple(self._context.messages), specs, self._context.answer_tokens)
        return (yield from self.speech.hear(task.model.chat(request, task.stop), self.budget.step, task.stop))

    def _set_aside(self) -> Generator[AgentEvent]:
        """Turn what looked like an answer into a thought: it was the preamble of more work."""
        if self.speech.text:
            yield AnswerRestarted(self.budget.step)
        if self.speech.raw.strip():
            yield Thought(self.budget.step, self.speech.raw.strip())
        self.speech.restart()

    def _call_tools(self, calls: Sequence[ToolCall]) -> Generator[AgentEvent]:
        """Carry out calls in order; every one gets an answer, also those a limit or Stop leaves out."""
        waiting = list(calls)
        try:
            while waiting and not self._over():
                self._make_room()
                room = int(self._context.free() * self._task.toolkit.result_share)
                result = yield from self._call_tool(waiting[0], min(self._task.toolkit.result_tokens, room))
                self._context.add(result)
                del waiting[0]
                yield self._measured()
        except Stopped:
            self._refuse(waiting, STOPPED)
            raise
        self._refuse(waiting, NOT_RUN)

    def _over(self) -> bool:
        seconds = self._task.limits.seconds
        return not self.budget.calls_left() or bool(seconds and self.budget.seconds() >= seconds)

    def _refuse(self, calls: Sequence[ToolCall], text: str) -> None:
        for call in calls:
            self._context.add(ToolMessage(call.id, call.name, text))

    def _call_tool(self, call: ToolCall, budget: int) -> Generator[AgentEvent, None, ToolMessage]:
        self.budget.calls += 1
        return (yield from self.calls.carry_out(call, self.budget.step, budget, self._task.stop))

    def _make_room(self) -> None:
        if self._context.is_full():
            self.calls.forget(self._context.make_room())

    def _finish(self, ended: TurnEnded, facts: LibraryFacts) -> Generator[AgentEvent]:
        if not self.speech.text.strip():
            raise ModelError(silence(ended.reason))
        if ended.reason == "length":
            yield LimitReached("output", "The model's output reached its limit; the answer may lack its end.")
        found = not self.speech.says_not_found
        if found:
            found = yield from self._prove()
        elif notice := indexing_notice(facts):
            yield from self.speech.add(notice)
        yield self._answered(found=found)

    def _prove(self) -> Generator[AgentEvent, None, bool]:
        """Say of an answer without proof that it has none, and what the documents do say; False if nothing."""
        if any(citation.verdict in PROVED for citation in self.speech.citations):
            return True
        if self._lookup is None:
            proofs = "" if self.speech.citations else self.speech.proofs()
            if proofs or not self.speech.citations:
                yield from self.speech.add(UNNAMED if proofs else NO_SOURCE, proofs)
            return True
        quotations = self._lookup.quotations(self._task.stop)
        yield from self.speech.add(f"{NO_SOURCE} {QUOTED if quotations else NOTHING_FITS}\n\n{quotations}".rstrip())
        return bool(quotations)

    def _answered(self, *, found: bool) -> Answered:
        budget, context = self.budget, self._context.measure()
        text, citations = self.speech.text, self.speech.citations
        return Answered(text, citations, context, budget.usage, budget.seconds(), budget.step, found=found)

    def _measured(self) -> ContextMeasured:
        return ContextMeasured(self._context.measure(), self.budget.usage)
