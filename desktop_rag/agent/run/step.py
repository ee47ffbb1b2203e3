"""What a run does in one turn: ask the model, carry out its calls, keep its context from filling up."""

from collections.abc import Generator, Sequence
from functools import partial

from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.conversations.history import earlier_messages, earlier_sources, recall_cited_lines
from desktop_rag.agent.events import AgentEvent, AnswerRestarted, ContextMeasured, LimitReached, StepStarted, Thought
from desktop_rag.agent.prompts import SUMMARIZE_NOW, SUMMARIZE_SOON, instructions, left_over
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.run.budget import RunBudget
from desktop_rag.agent.run.context import Context
from desktop_rag.agent.run.feedback_handling import heed
from desktop_rag.agent.run.search_report import SearchReport
from desktop_rag.agent.run.tool_dispatch import NOT_RUN, ONE_A_STEP, STOPPED, ToolDispatcher
from desktop_rag.agent.toolkits.toolkit import Task
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.errors import ContextOverflow, Stopped
from desktop_rag.llm.chat import ChatRequest, ToolCall, ToolMessage, ToolSpec, TurnEnded, UserMessage
from desktop_rag.retrieval.api import LibraryFacts

HISTORY_SHARE = 0.25  # of the context, for earlier turns
SAME_AGAIN = 3  # repeated calls in a row that end the search


class StepRunner:
    """The model and the tools of one run, and what passed between them."""

    def __init__(self, task: Task, facts: LibraryFacts) -> None:
        self._task = task
        self.budget = RunBudget(task.toolkit.bind(task.limits))
        first = task.toolkit.counts_from
        references = References(len(task.conversation.turns) + 1, earlier_sources(task.conversation), first)
        self.tools = ToolContext(task.retriever, task.scope, references, task.model.count_tokens, task.filters)
        self.survey = SearchReport(self.tools)
        self.tools.counts_from = first
        recall_cited_lines(task.conversation, self.tools.reading)
        self.calls = ToolDispatcher(task.toolkit, self.tools)
        self._warned = False  # that the context fills up
        citations = partial(Citations, references, self.tools.reading, task.retriever, task.stop)
        self.new_speech = partial(AnswerStream, citations, first)
        self.speech = self.new_speech()
        self.context = self._begin(facts)

    def _begin(self, facts: LibraryFacts) -> Context:
        task = self._task
        specs = task.toolkit.specs()
        window = min(self.budget.limits.context_tokens or task.model.context_window, task.model.context_window)
        kit, share = task.toolkit, int(window * HISTORY_SHARE)
        history = earlier_messages(task.conversation, share, task.model.count_tokens, kit.counts_from)
        text = instructions(kit.prompt, facts, self.budget.steps, self.budget.calls_left()) if specs else kit.prompt
        context = Context(task.model, window, text, specs, history)
        context.add(UserMessage(task.question))
        context.begin_run()
        return context

    def begin_step(self) -> Generator[AgentEvent]:
        """Count and tell the next step."""
        self.budget.step += 1
        yield StepStarted(self.budget.step, self.budget.steps)

    def limit(self) -> LimitReached | None:
        """Return the limit that ends the search now, if one does."""
        if self.calls.repeats >= SAME_AGAIN:
            return LimitReached("repetition", "The model keeps repeating the same calls.")
        full = self.context.share() >= 1 if self._task.toolkit.summarizer else self.context.is_full()
        if full:
            return LimitReached("context", f"The model's context of {self.context.limit:,} tokens is full.")
        return self.budget.reached()

    def ask(self, specs: Sequence[ToolSpec]) -> Generator[AgentEvent, None, TurnEnded]:
        """Stream one turn of the model; one that does not fit its window is tried once more with less."""
        self.speech.restart()
        try:
            ended = yield from self._hear(specs)
        except ContextOverflow:
            self.calls.forget(self.context.make_room(keep=1, hard=True))
            self.speech.restart()
            ended = yield from self._hear(specs)
        self.context.add(ended.message)
        self.context.calibrate(ended.usage, ended.message)
        self.budget.spend(ended.usage)
        yield self.measured()
        return ended

    def _hear(self, specs: Sequence[ToolSpec]) -> Generator[AgentEvent, None, TurnEnded]:
        task = self._task
        request = ChatRequest(tuple(self.context.messages), specs, self.context.answer_tokens)
        return (yield from self.speech.hear(task.model.chat(request, task.stop), self.budget.step, task.stop))

    def set_aside(self) -> Generator[AgentEvent]:
        """Turn what looked like an answer into a thought: it was the preamble of more work."""
        if self.speech.text:
            yield AnswerRestarted(self.budget.step)
        if self.speech.raw.strip():
            yield Thought(self.budget.step, self.speech.raw.strip())
        self.speech.restart()

    def call_tools(self, calls: Sequence[ToolCall]) -> Generator[AgentEvent]:
        """Carry out calls in order; every one gets an answer, also those a limit or Stop leaves out."""
        most = self._task.toolkit.calls_a_step or len(calls)
        waiting, later = list(calls[:most]), calls[most:]
        try:
            while waiting and not self.budget.over():
                if not self._task.toolkit.summarizer:
                    self._drop_old_results()
                result = yield from self.call_tool(waiting[0], self.room())
                self.context.add(result)
                del waiting[0]
                self._keep_only_what_was_named()
                yield self.measured()
        except Stopped:
            self.refuse(waiting, STOPPED)
            self.refuse(later, STOPPED)
            raise
        self.refuse(waiting, NOT_RUN)
        self.refuse(later, ONE_A_STEP.format(count=most))
        budget = self.budget
        if note := left_over(max(budget.steps - budget.step, 0), budget.calls_left()):
            self.context.append_to_result(note)

    def call_tool(self, call: ToolCall, budget: int) -> Generator[AgentEvent, None, ToolMessage]:
        """Carry out one call and return its result, in about `budget` tokens."""
        self.budget.calls += 1
        message = yield from self.calls.carry_out(call, self.budget.step, budget, self._task.stop)
        self.survey.note(call.name, message.evidence)
        return message

    def room(self) -> int:
        """Return how many tokens the next result may take."""
        kit = self._task.toolkit
        return min(kit.result_tokens, int(self.context.free() * kit.result_share))

    def refuse(self, calls: Sequence[ToolCall], text: str) -> None:
        """Answer calls that are not carried out."""
        for call in calls:
            self.context.add(ToolMessage(call.id, call.name, text))

    def _keep_only_what_was_named(self) -> None:
        """Let a tool that summed things up make room in the context."""
        if self.calls.last and self.calls.last.kept is not None:
            self.calls.forget(self.context.keep_only(self.calls.last.kept))
            self._warned = False

    def heed(self) -> Generator[AgentEvent]:
        """Do what the person told the run meanwhile."""
        if self._task.steering:
            emptied = yield from heed(self._task.steering, self.budget, self.context, self.tools, self._task.stop)
            self.calls.forget(emptied)

    def make_room(self) -> Generator[AgentEvent]:
        """Let the model sum up when its context fills, where the toolkit has it so; else drop old results."""
        if not self.context.is_full():
            return
        if tool := self._task.toolkit.summarizer:
            share = self.context.share()
            if share < 1:
                if not self._warned:
                    self._warned = True
                    self.context.add(UserMessage(SUMMARIZE_SOON.format(share=share, tool=tool), aside=True))
                return
            if not self.budget.reached():
                yield from self._summarize(tool)
        self._drop_old_results()

    def _summarize(self, tool: str) -> Generator[AgentEvent]:
        """Offer the model nothing but the tool that sums up."""
        self.context.add(UserMessage(SUMMARIZE_NOW.format(tool=tool), aside=True))
        yield from self.begin_step()
        ended = yield from self.ask([spec for spec in self._task.toolkit.specs() if spec.name == tool])
        yield from self.set_aside()
        if ended.message.tool_calls:
            yield from self.call_tools(ended.message.tool_calls)

    def _drop_old_results(self) -> None:
        if self.context.is_full():
            self.calls.forget(self.context.make_room())

    def measured(self) -> ContextMeasured:
        """Return how full the context is and what the run cost so far."""
        return ContextMeasured(self.context.measure(), self.budget.usage)
