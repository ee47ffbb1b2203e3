"""Executes one step of a run: asks the model, dispatches its tool calls, keeps the context from overflowing."""

import json
import math
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain

from desktop_rag.agent.budget import MORE_TOKENS, RunBudget
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.conversations.history import earlier_messages, earlier_sources, recall_cited_lines
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerRestarted,
    ContextMeasured,
    LimitAsked,
    LimitReached,
    ModelProgress,
    Remark,
    RetryAnnounced,
    StepStarted,
    Thought,
)
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.extractive.run_state import question_of
from desktop_rag.agent.prompts import (
    MORE_ALLOWED,
    ONLY_CHOSEN,
    PLAN_FIRST,
    SUMMARIZE_NOW,
    SUMMARIZE_SOON,
    budget_notice,
    with_state,
)
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.answer_form import plain_answer
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.run.apply_feedback import apply_feedback, wait_while_paused
from desktop_rag.agent.run.context import MessageContext
from desktop_rag.agent.run.search_report import SearchReport
from desktop_rag.agent.run.tool_dispatch import (
    NOT_RUN,
    ONE_A_STEP,
    PRE_STEP_ID,
    STOPPED,
    DispatchedCall,
    ToolDispatcher,
)
from desktop_rag.agent.run.ungrounded import NOT_FOUND_MARK
from desktop_rag.agent.toolkits.toolkit import Run, Toolkit
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.errors import ContextOverflow, ModelError, PromptTruncated, SpendingDeclined, Stopped
from desktop_rag.llm.chat import (
    ChatEvent,
    ChatModel,
    ChatRequest,
    Evidence,
    GivenPassages,
    Message,
    ReasoningDelta,
    RetryDelayed,
    TextDelta,
    TokenUsage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    TurnProgress,
    UserMessage,
)
from desktop_rag.retrieval.api import LibraryFacts
from desktop_rag.stop import Job
from desktop_rag.text.display import shown_name
from desktop_rag.text.language_detection import language_of_query

HISTORY_SHARE = 0.25  # of the context, for earlier turns
DECISION_SECONDS = 60.0  # for the user to raise a limit
_UNITS = {
    "steps": "steps",
    "tool calls": "tool calls",
    "seconds": "seconds",
    "total tokens": "tokens",
    "context": "tokens of context",
}
WHOLE_HITS = 2  # of a search, shown whole if they are short: a turn to read them is saved
MAX_REPEATS = 3  # consecutive repeated calls that end the search


class StepRunner:
    """The model, the tools, the messages and the budget of one run. Pre-steps see it as `PreparedRun`."""

    def __init__(self, question: Question, run: Run, facts: LibraryFacts) -> None:
        self.question = question
        self.run = run
        self._facts = facts
        self.budget = RunBudget(
            run.toolkit.bind(run.limits),
            most_seconds=run.limits.seconds,
            prices=run.purse.prices if run.purse else None,
        )
        self._reported = self.budget.usage  # the cost in the last event that told it
        self._schema = ""  # that the next turn's text must follow
        self._yes_no = False  # whether the next turn is one word, whose probability is asked for
        self._temperature: float | None = None  # of the next turn, where the user set none
        self._owed: TokenUsage | None = None  # an estimate of the last turn, if it did not end
        self._may_spend: bool | None = None  # whether to pass the limit on money, None until the user is asked
        first, earlier = run.toolkit.counts_from, question.conversation
        references = References(len(earlier.turns) + 1, earlier_sources(earlier), first, question.closed)
        self.tools = ToolContext(run.retriever, question.scope, references, run.model.count_tokens, question.filters)
        if run.rules is not None:
            run.rules.tools = self.tools
        self.search_report = SearchReport(self.tools)
        self.tools.counts_from, self.tools.forgiving = first, True
        self.tools.whole_hits = 0 if isinstance(run.model, BuiltInModel) else WHOLE_HITS
        recall_cited_lines(earlier, self.tools.lines_read, question.closed)
        self.dispatcher = ToolDispatcher(run.toolkit, self.tools)
        self._read_before: tuple[Evidence, ...] = ()  # in contexts that a new one replaced
        self.has_called = self.has_read = False  # whether a call was understood, and whether one brought something
        self._pre_step_calls = 0  # calls the pre-step made
        self._warned = False  # whether the model was told that its context fills up
        citations = partial(Citations, references, self.tools.lines_read, run.retriever, run.stop, question.text)
        self.new_stream = partial(AnswerStream, citations, run.stop, first)
        self.stream = self.new_stream()
        self.context = self._initial_context()

    def use_model(self, model: ChatModel) -> None:
        """Go on with another model in a new context; the rest stays as `use_toolkit` leaves it."""
        self.run = replace(self.run, model=model)
        self._restart_context()

    def use_toolkit(self, toolkit: Toolkit) -> None:
        """Go on with another toolkit in a new context; references, lines read and the budget's counters stay."""
        self.run = replace(self.run, toolkit=toolkit)
        self.budget.limits = toolkit.bind(self.run.limits)
        self.dispatcher = ToolDispatcher(toolkit, self.tools)
        self._restart_context()

    def _restart_context(self) -> None:
        own = self.context.messages[len(self.context.history) + 1 :]
        read = (each.evidence for each in own if isinstance(each, UserMessage | ToolMessage))
        self._read_before += tuple(chain.from_iterable(read))
        self.tools.chunks_in_context.clear()
        self.context = self._initial_context()

    def messages_read(self) -> Sequence[Message]:
        """Return the messages of the run; what was read before its context was new stands with the question."""
        messages = self.context.messages
        question = question_of(messages)
        if question is None or not self._read_before:
            return messages
        given = question.given or GivenPassages(self.question.text)
        whole = replace(question, evidence=(*self._read_before, *question.evidence), given=given)
        return [whole if each is question else each for each in messages]

    def _initial_context(self) -> MessageContext:
        question, run, kit = self.question, self.run, self.run.toolkit
        specs, count = kit.specs(), run.model.count_tokens
        window = min(self.budget.limits.context_tokens or run.model.context_window, run.model.context_window)
        share = int(window * HISTORY_SHARE)
        history = earlier_messages(question.conversation, share, count, kit.counts_from, question.closed)
        text, asked = kit.prompt, UserMessage(question.text)
        if specs and not isinstance(run.model, BuiltInModel):
            attached = tuple(map(shown_name, question.attached))
            told = with_state(question.text, self._facts, self.budget.steps, self.budget.calls_left(), attached)
            asked = UserMessage(told, given=GivenPassages(question.text))
        if question.is_narrowed:
            text = f"{text}\n\n{ONLY_CHOSEN}"
        context = MessageContext(run.model, window, text, specs, history)
        if run.answer_tokens:
            context.keep_for_answer(min(context.answer_tokens, run.answer_tokens))
        context.add(asked)
        context.begin_run()
        return context

    def asks_in_other_language(self) -> bool:
        """Return whether the built-in model, which compares words, found none of the question's language.

        A query may be a name, whose language is a guess: that of the question counts.
        """
        asked = language_of_query(self.question.text)
        return isinstance(self.run.model, BuiltInModel) and asked in self.tools.foreign_languages

    def begin_step(self) -> Generator[AgentEvent]:
        """Count and report the next step."""
        self.budget.step += 1
        yield StepStarted(self.budget.step, self.budget.steps)

    def limit(self) -> LimitReached | None:
        """Return the limit that ends the search now, if any."""
        if self.dispatcher.repeats >= MAX_REPEATS:
            return LimitReached("repetition", "The model keeps repeating the same calls.")
        full = self.context.share() >= 1 if self.run.toolkit.summarizer else self.context.is_full()
        if full:
            return LimitReached("context", f"The model's context of {self.context.limit:,} tokens is full.")
        return self.budget.reached()

    def may_go_on(self, limit: LimitReached) -> Generator[AgentEvent, None, bool]:
        """Ask the user whether to raise a limit that was reached; False without an answer in time."""
        feedback, more = self.run.feedback, self._offer(limit.limit)
        if feedback is None or not feedback.asks or not more:
            return False
        step, asked = self.budget.step, time.monotonic()
        feedback.begin_question()
        yield LimitAsked(step, limit.limit, limit.message, more, time.time_ns() + int(DECISION_SECONDS * 1e9))
        allowed = feedback.wait_for_decision(DECISION_SECONDS, self.run.stop)
        self.budget.paused += time.monotonic() - asked
        if allowed:
            if limit.limit == "context":
                self.context.limit += more
            else:
                self.budget.raise_limit(limit.limit, more)
            self.context.add(UserMessage(MORE_ALLOWED, aside=True))
            yield Remark(step, "extended", f"Allowed to go on: {more:,} more {_UNITS[limit.limit]}")
        return allowed

    def _offer(self, limit: str) -> int:
        """Return by how much a limit may be raised; 0 for one that the method or the model sets, not the user."""
        context, name = self.context, limit.replace(" ", "_")
        if limit == "context":
            room = min(MORE_TOKENS, self.run.model.context_window - context.limit)
            return room if room >= MORE_TOKENS // 10 else 0
        own = getattr(self.run.toolkit.limits, name, 0)
        if own and own <= getattr(self.run.limits, name):
            return 0
        return self.budget.offer(limit, context.measure().used + context.answer_tokens)

    def _check_spending(self) -> Generator[AgentEvent]:
        """Ask the user before the next request may pass the limit on money; the decision holds for the whole run."""
        feedback = self.run.feedback
        if not (message := self._too_dear()):
            return
        step, asked = self.budget.step, time.monotonic()
        if self._may_spend is None and feedback is not None and feedback.asks:
            feedback.begin_question()
            yield LimitAsked(step, "money", message, 0, 0)
            self._may_spend = feedback.wait_for_decision(None, self.run.stop)
            self.budget.paused += time.monotonic() - asked
        if not self._may_spend:
            self._may_spend = False
            raise SpendingDeclined(message)
        yield Remark(step, "extended", "Allowed to spend more than the limit")

    def _too_dear(self) -> str:
        """Return what the next request may cost if that is more than the user allows, else ""."""
        purse = self.run.purse
        if purse is None or self._may_spend:
            return ""
        spent = self.budget.usage.money or 0.0
        return purse.too_dear(spent, self.context.measure().used, self.context.answer_tokens)

    def ask(
        self, specs: Sequence[ToolSpec], *, temperature: float | None = None
    ) -> Generator[AgentEvent, None, TurnEnded]:
        """Stream one turn of the model; if it overflows the window, retry once with a smaller context.

        `temperature` holds where the user set none. Raises `SpendingDeclined` if it may cost more than the user allows.
        """
        yield from self._check_spending()
        self._temperature = temperature
        try:
            ended = yield from self._ask(specs)
        finally:
            self._temperature = None
        if not ended.message.tool_calls:
            yield from self._unwrap(ended.message.text.strip())
        self._add(ended)
        yield self.measured()
        return ended

    def _ask(self, specs: Sequence[ToolSpec]) -> Generator[AgentEvent, None, TurnEnded]:
        self.stream.restart()
        try:
            ended = yield from self._stream_turn(specs)
        except ContextOverflow as overflow:
            if isinstance(overflow, PromptTruncated):  # earlier turns may have missed what was left out, too
                yield LimitReached("truncated", str(overflow))
            if self.stream.text:
                yield AnswerRestarted(self.budget.step)
            specs = self._make_room(specs)
            yield self.measured()
            self.stream.restart()
            ended = yield from self._stream_turn(specs)
        return ended

    def _add(self, ended: TurnEnded) -> None:
        """Add a turn to the context and to the cost."""
        self.context.add(ended.message)
        self.context.calibrate(ended.usage, ended.message)
        self.context.fit(self.run.model.context_window)
        self._spend(ended.usage)

    def _spend(self, usage: TokenUsage) -> None:
        self.budget.spend(usage, self.run.purse.prices if self.run.purse else None)

    def _unwrap(self, said: str) -> Generator[AgentEvent]:
        """Bring the text of a turn into plain text, and show it in this form.

        What stands before `said`, which ends the text, turned out to be thinking.
        """
        if isinstance(self.run.model, BuiltInModel):
            return
        raw = self.stream.raw
        own = said if said and raw.rstrip().endswith(said) else raw
        plain = plain_answer(own, self.question.text, self.context.instructions())
        if plain != raw and plain != raw.strip():
            yield from self.stream.exchange(plain, self.budget.step)

    def ask_apart(
        self, instructions: str, message: UserMessage, *, fast: bool = False, schema: str = "", yes_no: bool = False
    ) -> Generator[AgentEvent, None, TurnEnded]:
        """Ask in a context of its own, without tools, and return the turn; the answer and its context stay.

        It is no step of the run, but its cost is the run's. With `fast` the cheaper model is asked, if there is one;
        the text follows `schema` if the endpoint can do that. Raises as `ask`, but never asks the user for more money.
        """
        run, context, stream = self.run, self.context, self.stream
        model = run.fast if fast and run.fast else run.model
        purse = run.purse.of_fast() if fast and run.fast and run.purse else run.purse
        self.run = replace(run, model=model, purse=purse)
        self.context = MessageContext(model, context.limit, instructions, (), ())
        self.context.add(message)
        self.stream, self._schema, self._yes_no = self.new_stream(), schema, yes_no
        try:
            if too_dear := self._too_dear():
                raise SpendingDeclined(too_dear)
            ended = yield from _only_waiting(self._ask(()))
            self._add(ended)
            text = ended.message.text or self.stream.raw
            return replace(ended, message=replace(ended.message, text=text))
        finally:
            self.run, self.context, self.stream, self._schema, self._yes_no = run, context, stream, "", False

    def _make_room(self, specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        """Shorten the context to the window the endpoint has; return the tools that it has room for."""
        self.context.fit(self.run.model.context_window)
        self.dispatcher.forget(self.context.evict(keep=1, hard=True))
        if specs and self.context.is_crowded():
            self.context.drop_tools()
            self.context.add(UserMessage(self.run.toolkit.ending, aside=True))
            specs = ()
        self.dispatcher.forget(self.context.shorten_last_result())
        return specs

    def _stream_turn(self, specs: Sequence[ToolSpec]) -> Generator[AgentEvent, None, TurnEnded]:
        run = self.run
        request = ChatRequest(
            tuple(self.context.messages),
            specs,
            1 if self._yes_no else self.context.answer_tokens,
            self._schema,
            temperature=self._temperature,
            yes_no=self._yes_no,
        )
        if not (specs or self._schema):
            request = replace(request, known=run.toolkit.known_specs())
        if run.feedback:
            request = replace(request, nudge=run.feedback.nudge)
        stream = self.stream

        def left() -> float:
            """Return the seconds for this turn: what was begun as an answer has all of them."""
            return self.budget.left(searching=bool(specs) and not stream.raw)

        hold = partial(wait_while_paused, run.feedback, self.budget, run.stop)
        try:
            with run.stop.within((lambda: math.inf) if isinstance(run.model, BuiltInModel) else left) as stop:
                events = self._timed(run.model.chat(request, stop))
                ended = yield from self.stream.stream_turn(events, self.budget.step, hold, stop)
        except (ModelError, Stopped):
            if self._owed:
                self._spend(self._owed)
            raise
        return replace(ended, usage=self._owed or ended.usage)

    def _timed(self, events: Generator[ChatEvent]) -> Generator[ChatEvent]:
        """Pass on the events of a turn, note how long its first words took, and estimate a turn that does not end.

        Endpoints charge what they read and wrote also then, but report no count.
        """
        self._owed = None
        started: float | None = time.monotonic()
        prompt, received, is_owed = self.context.measure().used, list[str](), False
        try:
            with closing(events):
                for event in events:
                    if started is not None and not isinstance(event, RetryDelayed | TurnProgress):
                        self.budget.note_begin(time.monotonic() - started)
                        started = None
                    if isinstance(event, TextDelta | ReasoningDelta):
                        received.append(event.text)
                    is_owed = bool(received) and not isinstance(event, TurnEnded)
                    yield event
        except PromptTruncated:
            is_owed = True
            raise
        finally:
            if is_owed:
                written = self.run.model.count_tokens("".join(received))
                self._owed = TokenUsage(prompt, written, estimated=True)

    def discard_preamble(self) -> Generator[AgentEvent]:
        """Turn streamed text into a thought: it was not the answer but the preamble of tool calls."""
        if self.stream.text:
            yield AnswerRestarted(self.budget.step)
        if thought := self.stream.raw.replace(NOT_FOUND_MARK, "").strip():
            yield Thought(self.budget.step, thought)
        self.stream.restart()

    def call_tools(self, calls: Sequence[ToolCall]) -> Generator[AgentEvent]:
        """Run calls in order; every call gets a result message, also those that a limit or Stop prevents."""
        most = self.run.toolkit.calls_a_step or len(calls)
        waiting, later = list(calls[:most]), calls[most:]
        left = self.budget.calls_left()
        try:
            with self.dispatcher.fetching_ahead(waiting if left is None else waiting[:left], self.run.stop):
                yield from self._call_in_order(waiting)
        except Stopped:
            self.answer_unrun(waiting, STOPPED)
            self.answer_unrun(later, STOPPED)
            raise
        self.answer_unrun(waiting, NOT_RUN)
        self.answer_unrun(later, ONE_A_STEP.format(count=most))
        budget = self.budget
        if note := budget_notice(max(budget.steps - budget.step, 0), budget.calls_left()):
            self.context.append_to_result(note)

    def _call_in_order(self, waiting: list[ToolCall]) -> Generator[AgentEvent]:
        """Run calls until a limit is reached; those that have run are taken out of the list."""
        while waiting and not self.budget.over():
            if not self.run.toolkit.summarizer:
                self._evict_old_results()
            result = yield from self._dispatch(waiting[0], self.result_budget())
            self.context.add(result.message)
            del waiting[0]
            if result.kept is not None:  # a summary: all other results may go
                self.dispatcher.forget(self.context.keep_only(result.kept))
                self._warned = False
            yield self.measured()

    def call_tool(self, call: ToolCall, budget: int) -> Generator[AgentEvent, None, ToolMessage]:
        """Run one call and return its result, in about `budget` tokens."""
        return (yield from self._dispatch(call, budget)).message

    def _dispatch(self, call: ToolCall, budget: int) -> Generator[AgentEvent, None, DispatchedCall]:
        self.budget.calls += 1
        if self.run.rules is not None:
            self.run.rules.apply()
        result = yield from self.dispatcher.dispatch(call, self.budget.step, budget, self.run.stop)
        self.budget.note_begin()
        self.has_called = self.has_called or not result.failed
        self.has_read = self.has_read or bool(result.message.evidence) or not (result.failed or "search" in call.name)
        self.search_report.record(call.name, result.message.evidence, result.chunks)
        return result

    def result_budget(self) -> int:
        """Return the tokens the next tool result may take."""
        kit = self.run.toolkit
        return min(kit.result_tokens, int(self.context.free() * kit.result_share))

    def plan(self, instruction: str) -> Generator[AgentEvent, None, str]:
        """Ask the model for a plan, without tools; the plan is shown and stays in the context."""
        self.context.add(UserMessage(instruction, aside=True))
        yield from self.begin_step()
        ended = yield from self.ask(())
        self.answer_unrun(ended.message.tool_calls, PLAN_FIRST)  # endpoints reject a call without a result
        text = self.stream.raw.strip()
        if self.stream.text:
            yield AnswerRestarted(self.budget.step)
        self.stream.restart()
        if text:
            yield Remark(self.budget.step, "plan", text)
        return text

    def call(self, tool: str, arguments: Mapping[str, object]) -> Generator[AgentEvent, None, ToolMessage]:
        """Run a call on the model's behalf; its result enters the context only by `replace_question`."""
        self._pre_step_calls += 1
        call = ToolCall(f"{PRE_STEP_ID}{self._pre_step_calls}", tool, json.dumps(arguments, ensure_ascii=False))
        whole = self.tools.whole_hits
        self.tools.whole_hits = 0  # the model does not see this result
        try:
            return (yield from self.call_tool(call, self.result_budget()))
        finally:
            self.tools.whole_hits = whole

    def replace_question(self, message: UserMessage) -> None:
        """Replace the question by `message`."""
        self.context.replace_question(message)

    def answer_unrun(self, calls: Sequence[ToolCall], text: str) -> None:
        """Add a result for calls that are not run: endpoints reject a call without one."""
        for call in calls:
            self.context.add(ToolMessage(call.id, call.name, text, executed=False))

    def apply_feedback(self) -> Generator[AgentEvent]:
        """Apply the user's feedback since the last step."""
        if self.run.feedback:
            emptied = yield from apply_feedback(self.run.feedback, self.budget, self.context, self.tools, self.run.stop)
            self.dispatcher.forget(emptied)

    def free_context(self) -> Generator[AgentEvent]:
        """When the context fills up, make the model summarise if its toolkit can; else evict old results."""
        if not self.context.is_full():
            return
        if tool := self.run.toolkit.summarizer:
            share = self.context.share()
            if share < 1:
                if not self._warned:
                    self._warned = True
                    self.context.add(UserMessage(SUMMARIZE_SOON.format(share=share, tool=tool), aside=True))
                return
            if not self.budget.reached():
                yield from self._summarize(tool)
        self._evict_old_results()

    def _summarize(self, tool: str) -> Generator[AgentEvent]:
        """Ask the model for a summary, offering only that tool."""
        self.context.add(UserMessage(SUMMARIZE_NOW.format(tool=tool), aside=True))
        yield from self.begin_step()
        ended = yield from self.ask([spec for spec in self.run.toolkit.specs() if spec.name == tool])
        yield from self.discard_preamble()
        if ended.message.tool_calls:
            yield from self.call_tools(ended.message.tool_calls)

    def _evict_old_results(self) -> None:
        if self.context.is_full():
            self.dispatcher.forget(self.context.evict())

    def unreported(self) -> Generator[AgentEvent]:
        """Report the cost of a turn that did not end."""
        if self.budget.usage is not self._reported:
            yield self.measured()

    def measured(self) -> ContextMeasured:
        """Return the context use and the cost of the run so far."""
        self._reported = self.budget.usage
        return ContextMeasured(self.context.measure(), self.budget.usage, self.budget.seconds())


def _only_waiting(events: Generator[AgentEvent, None, TurnEnded]) -> Generator[AgentEvent, None, TurnEnded]:
    """Pass on only why a turn has not begun, and return the turn: its text is not shown as it arrives."""
    with closing(events):
        turn = Job(events)
        for event in turn:
            if isinstance(event, ModelProgress | Remark | RetryAnnounced):
                yield event
        return turn.result
