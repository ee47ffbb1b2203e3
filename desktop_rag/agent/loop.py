"""Answers one question: asks the model, carries out its tool calls, and always ends in an answer or a reason.

The loop follows AgenticRAG (algorithm 1): bounded steps, context management, and a forced last answer.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from desktop_rag.agent.budget import Budget
from desktop_rag.agent.calls import NOT_RUN, ONE_A_STEP, OPENING_ID, STOPPED, Calls
from desktop_rag.agent.citing.citations import Citations
from desktop_rag.agent.citing.references import References
from desktop_rag.agent.context import Context
from desktop_rag.agent.coverage import Survey
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
    StepStarted,
    Thought,
)
from desktop_rag.agent.extractive.model import ExtractiveModel
from desktop_rag.agent.heeding import heed
from desktop_rag.agent.history import earlier_messages, earlier_sources, recall_cited_lines
from desktop_rag.agent.lookup import PASSAGES, Lookup, calls_tools
from desktop_rag.agent.prompts import (
    FROM_MEMORY,
    NO_SOURCE,
    NOTHING_FITS,
    NOTHING_SAID,
    PLAN_FIRST,
    QUOTED,
    SUMMARIZE_NOW,
    SUMMARIZE_SOON,
    UNNAMED,
    indexing_notice,
    instructions,
    left_over,
    load_prompt,
    nothing_to_search,
    silence,
)
from desktop_rag.agent.proving import is_better, mending, proves_something, withhold
from desktop_rag.agent.speech import Speech
from desktop_rag.agent.steering import Steering
from desktop_rag.agent.toolkits.toolkit import Task, Toolkit
from desktop_rag.agent.tools.tool import ToolContext, plural
from desktop_rag.agent.transcript import Conversation
from desktop_rag.errors import ContextOverflow, DesktopRagError, ModelError, Stopped, ToolsRefused
from desktop_rag.llm.chat import ChatModel, ChatRequest, ToolCall, ToolMessage, ToolSpec, TurnEnded, UserMessage
from desktop_rag.retrieval.hits import Filter, LibraryFacts, Retriever, Scope
from desktop_rag.settings import Limits, Unsourced
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
    *,
    fast: ChatModel | None = None,
    steering: Steering | None = None,
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
    except Stopped:
        yield RunStopped("", (), 0.0)
        return
    except DesktopRagError as error:
        yield RunFailed(error.title, str(error), "", ())
        return
    yield from _Run(task).events()


class _Run:
    """One question's run: what it has read, said and spent. Openings see it as `Work`."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.budget = Budget(task.toolkit.bind(task.limits))
        first = task.toolkit.counts_from
        references = References(len(task.conversation.turns) + 1, earlier_sources(task.conversation), first)
        self._tools = ToolContext(task.retriever, task.scope, references, task.model.count_tokens, task.filters)
        self._survey = Survey(self._tools)
        self._tools.counts_from = first
        recall_cited_lines(task.conversation, self._tools.reading)
        self.calls = Calls(task.toolkit, self._tools)
        self._lookup: Lookup | None = None  # for a model that calls no tools
        self._warned = False  # that the context fills up
        self._placed = 0  # calls an opening made
        citations = partial(Citations, references, self._tools.reading, task.retriever, task.stop)
        self._new_speech = partial(Speech, citations, first)
        self.speech = self._new_speech()

    def events(self) -> Generator[AgentEvent]:
        """Work until the end, whatever it is."""
        try:
            yield from self._work()
        except Stopped:
            yield from self.calls.abandon("Stopped")
            yield RunStopped(self.speech.text, self.speech.citations, self.budget.seconds())
        except DesktopRagError as error:
            yield from self.calls.abandon(error.title)
            yield RunFailed(error.title, str(error), self.speech.text, self.speech.citations)

    @property
    def task(self) -> Task:
        """What the run was given."""
        return self._task

    @property
    def facts(self) -> LibraryFacts:
        """How much there is to search."""
        return self._facts

    @property
    def tools(self) -> ToolContext:
        """What the tools work with."""
        return self._tools

    def plan(self, instruction: str) -> Generator[AgentEvent, None, str]:
        """Let the model write a plan, without tools; it is shown and stays in its context."""
        self._context.add(UserMessage(instruction, aside=True))
        yield from self._begin_step()
        ended = yield from self._ask(())
        self._refuse(ended.message.tool_calls, PLAN_FIRST)  # an endpoint takes no call without an answer
        text = self.speech.raw.strip()
        if self.speech.text:
            yield AnswerRestarted(self.budget.step)
        self.speech.restart()
        if text:
            yield Remark(self.budget.step, "plan", text)
        return text

    def call(self, tool: str, arguments: Mapping[str, object]) -> Generator[AgentEvent, None, ToolMessage]:
        """Carry out a call in the model's place; the model does not see it unless it is given to it."""
        self._placed += 1
        call = ToolCall(f"{OPENING_ID}{self._placed}", tool, json.dumps(arguments, ensure_ascii=False))
        return (yield from self._call_tool(call, self._room()))

    def give(self, message: UserMessage) -> None:
        """Put `message` in the place of the question."""
        self._context.replace_question(message)

    def _work(self) -> Generator[AgentEvent]:
        """Step until the model answers or a limit forces it to."""
        task = self._task
        self._facts = task.retriever.facts(task.scope, task.stop)
        self._context = self._start()
        if not self._facts.contents and task.toolkit.needs_library:
            yield from self.speech.say(nothing_to_search(self._facts, task.scope))
            yield self._answered(found=False)
            return
        yield self._measured()
        opening = task.toolkit.opening
        free = not opening or (yield from opening.open(self))
        ended = (yield from self._work_out()) if free else None
        if ended is None:
            if free:
                self._context.add(UserMessage(task.toolkit.ending, aside=True))
            ended = yield from self._ask(())
        yield from self._finish(ended)

    def _start(self) -> Context:
        task = self._task
        specs = task.toolkit.specs()
        window = min(self.budget.limits.context_tokens or task.model.context_window, task.model.context_window)
        kit, share = task.toolkit, int(window * HISTORY_SHARE)
        history = earlier_messages(task.conversation, share, task.model.count_tokens, kit.counts_from)
        text = (
            instructions(kit.prompt, self._facts, self.budget.steps, self.budget.calls_left()) if specs else kit.prompt
        )
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
        while not self.budget.over() and (calls := lookup.next_calls(task.stop)):
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
            yield from self._heed()
            yield from self._make_room()
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
                self._context.add(UserMessage(NOTHING_SAID, aside=True))

    def _begin_step(self) -> Generator[AgentEvent]:
        self.budget.step += 1
        yield StepStarted(self.budget.step, self.budget.steps)

    def _limit(self) -> LimitReached | None:
        if self.calls.repeats >= SAME_AGAIN:
            return LimitReached("repetition", "The model keeps repeating the same calls.")
        full = self._context.share() >= 1 if self._task.toolkit.summarizer else self._context.is_full()
        if full:
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
        most = self._task.toolkit.calls_a_step or len(calls)
        waiting, later = list(calls[:most]), calls[most:]
        try:
            while waiting and not self.budget.over():
                if not self._task.toolkit.summarizer:
                    self._drop_old_results()
                result = yield from self._call_tool(waiting[0], self._room())
                self._context.add(result)
                del waiting[0]
                self._keep_only_what_was_named()
                yield self._measured()
        except Stopped:
            self._refuse(waiting, STOPPED)
            self._refuse(later, STOPPED)
            raise
        self._refuse(waiting, NOT_RUN)
        self._refuse(later, ONE_A_STEP.format(count=most))
        budget = self.budget
        if note := left_over(max(budget.steps - budget.step, 0), budget.calls_left()):
            self._context.append_to_result(note)

    def _room(self) -> int:
        """Return how many tokens the next result may take."""
        kit = self._task.toolkit
        return min(kit.result_tokens, int(self._context.free() * kit.result_share))

    def _refuse(self, calls: Sequence[ToolCall], text: str) -> None:
        for call in calls:
            self._context.add(ToolMessage(call.id, call.name, text))

    def _call_tool(self, call: ToolCall, budget: int) -> Generator[AgentEvent, None, ToolMessage]:
        self.budget.calls += 1
        message = yield from self.calls.carry_out(call, self.budget.step, budget, self._task.stop)
        self._survey.note(call.name, message.evidence)
        return message

    def _keep_only_what_was_named(self) -> None:
        """Let a tool that summed things up make room in the context."""
        if self.calls.last and self.calls.last.kept is not None:
            self.calls.forget(self._context.keep_only(self.calls.last.kept))
            self._warned = False

    def _heed(self) -> Generator[AgentEvent]:
        """Do what the person told the run meanwhile."""
        if self._task.steering:
            emptied = yield from heed(self._task.steering, self.budget, self._context, self._tools, self._task.stop)
            self.calls.forget(emptied)

    def _make_room(self) -> Generator[AgentEvent]:
        """Let the model sum up when its context fills, where the toolkit has it so; else drop old results."""
        if not self._context.is_full():
            return
        if tool := self._task.toolkit.summarizer:
            share = self._context.share()
            if share < 1:
                if not self._warned:
                    self._warned = True
                    self._context.add(UserMessage(SUMMARIZE_SOON.format(share=share, tool=tool), aside=True))
                return
            if not self.budget.reached():
                yield from self._summarize(tool)
        self._drop_old_results()

    def _summarize(self, tool: str) -> Generator[AgentEvent]:
        """Offer the model nothing but the tool that sums up."""
        self._context.add(UserMessage(SUMMARIZE_NOW.format(tool=tool), aside=True))
        yield from self._begin_step()
        ended = yield from self._ask([spec for spec in self._task.toolkit.specs() if spec.name == tool])
        yield from self._set_aside()
        if ended.message.tool_calls:
            yield from self._call_tools(ended.message.tool_calls)

    def _drop_old_results(self) -> None:
        if self._context.is_full():
            self.calls.forget(self._context.make_room())

    def _finish(self, ended: TurnEnded) -> Generator[AgentEvent]:
        if not self.speech.text.strip():
            raise ModelError(silence(ended.reason))
        if ended.reason == "length":
            yield LimitReached("output", "The model's output reached its limit; the answer may lack its end.")
        yield from self._mend()
        found = not self.speech.says_not_found
        if found:
            found = yield from self._prove()
        elif notice := indexing_notice(self._facts):
            yield from self.speech.add(notice)
        yield self._answered(found=found)

    def _mend(self) -> Generator[AgentEvent]:
        """Let the model correct citations that prove nothing, once; its answer stays unless the new one is better."""
        first = self.speech
        failures = first.failures
        built_in = self._lookup is not None or isinstance(self._task.model, ExtractiveModel)
        if not failures or built_in or self._limit() or self.budget.over():
            return
        yield Remark(self.budget.step, "check", f"{plural(len(failures), 'citation')} could not be verified.")
        self._context.add(UserMessage(mending(failures), aside=True))
        self.speech = self._new_speech()
        try:
            yield from self._begin_step()
            yield from (event for event in self._ask(()) if isinstance(event, ContextMeasured))
            if is_better(self.speech, first):
                first = self.speech
                yield AnswerRestarted(self.budget.step)
                yield AnswerDelta(first.text)
        except ModelError as error:
            yield Thought(self.budget.step, str(error))
        finally:
            self.speech = first

    def _prove(self) -> Generator[AgentEvent, None, bool]:
        """Say of an answer without proof that it has none, and what the documents do say; False if nothing."""
        if any(citation.verdict in PROVED for citation in self.speech.citations):
            return True
        if not self._task.toolkit.needs_library:
            yield from self.speech.add(FROM_MEMORY)
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
        text, citations, claims = self.speech.text, self.speech.citations, self.speech.claims
        usage, seconds = budget.usage, budget.seconds()
        answered = Answered(text, citations, context, usage, seconds, budget.step, found=found, claims=claims)
        if self._task.unsourced is Unsourced.FORBID:
            answered = withhold(answered)
        if proves_something(answered) or not self._task.toolkit.needs_library:
            return answered
        return replace(answered, coverage=self._survey.report(self._facts, answered, self._task.stop))

    def _measured(self) -> ContextMeasured:
        return ContextMeasured(self._context.measure(), self.budget.usage)
