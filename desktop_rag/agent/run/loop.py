"""The agent loop: asks the model, dispatches its tool calls, and always ends with an answer or the reason for none.

The loop follows AgenticRAG (algorithm 1): bounded steps, context management, and a forced last answer.
"""

from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from dataclasses import replace

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.conversations.history import contents_out_of_scope
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    LimitReached,
    Remark,
    RunFailed,
    RunStarted,
    RunStopped,
    Thought,
    waiting,
)
from desktop_rag.agent.extractive.built_in_model import BuiltInModel, ExtractiveTurn
from desktop_rag.agent.gate.run_rules import ruled, withhold
from desktop_rag.agent.prompts import (
    ANSWER_IN_WORDS,
    ANSWER_PLAINLY,
    EMPTY_REPLY,
    NO_ANSWER,
    NOT_AT_A_GLANCE,
    NOT_FOUND_CHOSEN,
    NOT_IN_DOCUMENTS,
    PROGRAM_SEARCHES,
    QUOTED_PASSAGES,
    SHOWN_PASSAGE,
    SIMILAR_PASSAGES,
    closing_notice,
    empty_library_message,
    explain_empty_answer,
    load_prompt,
)
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.answer_stream import LATE, AnswerStream
from desktop_rag.agent.run.library_questions import about_library
from desktop_rag.agent.run.look.answer_review import AnswerReview
from desktop_rag.agent.run.look.citation_repair import has_supported_claim, remove_uncited, without_unused
from desktop_rag.agent.run.short_path import (
    ANSWER,
    PROMPT,
    GivenSnippet,
    NumberedSources,
    ShortPath,
    is_certain,
    known_tool_use,
    nearest_source,
)
from desktop_rag.agent.run.step import StepRunner
from desktop_rag.agent.run.tool_dispatch import NOT_RUN
from desktop_rag.agent.run.ungrounded import NOT_FOUND_MARK, add_grounding_note, has_answer, told_claims, write_reply
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.errors import ContextOverflow, DesktopRagError, ModelError, SpendingDeclined, Stopped, ToolsRefused
from desktop_rag.llm.chat import (
    AssistantMessage,
    RemembersToolUse,
    TokenUsage,
    ToolUse,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.prompted_tools import PromptedTools
from desktop_rag.retrieval.api import LibraryFacts
from desktop_rag.settings import Unsourced, privacy
from desktop_rag.stop import Job

UNWRITTEN = ("missing", "altered", "computed")  # marks of statements that few lines do not have as they stand
SLIM_HITS = 3  # of a search, shown whole where nothing can be opened
BARREN_CALLS = 2  # by JSON in the model's text, after which the search is made for it


def answer(question: Question, run: Run) -> Generator[AgentEvent]:
    """Yield the events of a run up to `Answered`, `RunStopped` or `RunFailed`; raises no `DesktopRagError`."""
    sends = not isinstance(run.model, BuiltInModel)
    if sends:
        run = replace(run, **ruled(run.model, run.fast, run.retriever))
    yield RunStarted(question.text, run.toolkit.name, run.model.name, len(question.conversation.turns) + 1)
    try:
        if sends and (withheld := privacy().withheld()):
            question = withhold(question, withheld, run.retriever, run.stop)
        closed = contents_out_of_scope(question.conversation, run.retriever, question.scope, question.filters, run.stop)
        question = replace(question, closed=closed)
        if router := run.toolkit.router:
            question, toolkit = yield from router.route(question, run)
            run = replace(run, toolkit=toolkit)
        facts = run.retriever.facts(question.scope, run.stop)
    except Stopped:
        yield RunStopped("", (), 0.0)
        return
    except DesktopRagError as error:
        yield RunFailed(error.title, str(error), "", ())
        return
    yield from _Loop(question, run, facts).events()


class _Loop:
    """The run of one question: the order of its phases."""

    def __init__(self, question: Question, run: Run, facts: LibraryFacts) -> None:
        self._facts = facts
        self._steps = StepRunner(question, run, facts)
        self._model = run.model  # as given: the steps may wrap it to call tools by JSON
        self._fallback: ShortPath | None = None  # for a model that does not search

    def events(self) -> Generator[AgentEvent]:
        """Yield all events; errors become the last event."""
        try:
            yield from self._run()
        except Stopped:
            yield from self._steps.dispatcher.abandon("Stopped")
            yield from self._steps.unreported()
            yield RunStopped(self._steps.stream.text, self._steps.stream.citations, self._steps.budget.seconds())
        except DesktopRagError as error:
            yield from self._steps.dispatcher.abandon(error.title)
            yield from self._steps.unreported()
            yield RunFailed(error.title, str(error), self._steps.stream.text, self._steps.stream.citations)

    def _run(self) -> Generator[AgentEvent]:
        """Run the pre-step, search until the model answers or a limit forces it to, then check the answer."""
        if not self._facts.contents and self._steps.run.toolkit.needs_library:
            yield from self._steps.stream.write(empty_library_message(self._facts, self._steps.question.scope))
            yield self._answered(found=False)
            return
        yield self._steps.measured()
        if about := about_library(self._steps.question, self._steps.run):
            yield from self._steps.stream.write(about, note=True)
            yield replace(self._answered(found=True), coverage=None)
            return
        try:
            ended = yield from self._answer_or_look_further()
        except SpendingDeclined as declined:
            ended = yield from self._quote_instead(declined)
        yield from self._finish(ended)

    def _answer_or_look_further(self) -> Generator[AgentEvent, None, TurnEnded]:
        """Answer with the chosen toolkit, or with the thorough one if that finds nothing."""
        ended = yield from self._prepare_and_answer()
        if (thorough := self._steps.run.toolkit.thorough) and self._looks_further(ended):
            yield Remark(self._steps.budget.step, "route", NOT_AT_A_GLANCE)
            yield from self._steps.discard_preamble()
            self._steps.use_toolkit(thorough)
            ended = yield from self._prepare_and_answer()
        return ended

    def _looks_further(self, ended: TurnEnded) -> bool:
        """Return whether a quick look did not find the answer or the model calls for more, and may have it.

        After the short path, which has searched with all tools, there is no more.
        """
        if self._fallback is not None:
            return False
        wanted = self._steps.stream.says_not_found or ended.message.tool_calls
        return bool(self._steps.run.toolkit.thorough and wanted) and not self._steps.limit()

    def _quote_instead(self, declined: SpendingDeclined) -> Generator[AgentEvent, None, TurnEnded]:
        """Quote what was read, without another request; raises `declined` if nothing fits."""
        yield from self._steps.discard_preamble()
        if not (quotations := self._quotations()):
            raise declined
        yield LimitReached("money", str(declined))
        yield from self._steps.stream.append(NO_ANSWER)
        yield from self._steps.stream.append(quotations, note=False)
        return TurnEnded(AssistantMessage(quotations), TokenUsage(0, 0), "stop")

    def _prepare_and_answer(self) -> Generator[AgentEvent, None, TurnEnded]:
        """Run the pre-step and search until the model answers, or must because a limit is reached."""
        toolkit, model = self._steps.run.toolkit, self._model
        if toolkit.short == "small" and isinstance(model, RemembersToolUse):
            for progress in model.find_size(self._steps.run.stop):
                yield waiting(progress, self._steps.budget.step)
        if self._takes_short_path() and (answered := (yield from self._search_without_tools())):
            return answered
        may_search = not toolkit.pre_step or (yield from toolkit.pre_step.prepare(self._steps))
        if not may_search and toolkit.tools and not isinstance(model, BuiltInModel):
            self._steps.context.instruct(load_prompt("passages"))
        ended = (yield from self._search_and_answer()) if may_search else None
        if ended is None:
            if may_search:
                self._steps.context.add(UserMessage(toolkit.ending, aside=True))
            ended = yield from self._steps.ask(())
        if self._is_settled(ended) or self._looks_further(ended):
            return ended
        return (yield from self._insist_on_answer(ended))

    def _takes_short_path(self) -> bool:
        """Return whether the program searches, and the model is asked only about what it finds."""
        model, conversation = self._model, self._steps.question.conversation
        if isinstance(model, BuiltInModel) or is_small_talk(self._steps.question.text):
            return False
        return self._steps.run.toolkit.takes_short_path(model.context_window, known_tool_use(conversation, model))

    def _has_answer(self, ended: TurnEnded) -> bool:
        return has_answer(ended, self._steps.stream, self._steps.question.text)

    def _is_settled(self, ended: TurnEnded) -> bool:
        """Return whether a turn is an answer that need not be asked for again.

        Where something was read, a refusal or the promise to search is none; the fallback quotes beside it.
        """
        if not self._has_answer(ended):
            return False
        asks_once = self._fallback is not None or isinstance(self._steps.run.model, BuiltInModel)
        if asks_once or is_small_talk(self._steps.question.text) or not self._steps.tools.lines_read.contents():
            return True
        return not self._steps.stream.states_nothing

    def _insist_on_answer(self, ended: TurnEnded) -> Generator[AgentEvent, None, TurnEnded]:
        """Ask once more after a turn without an answer, then quote what was read; raises `ModelError` if nothing was.

        Models forced to answer may call a tool all the same, send nothing, refuse, or use up their output by thinking.
        """
        said = self._steps.stream.raw if self._has_answer(ended) else ""
        yield from self._steps.discard_preamble()
        self._steps.answer_unrun(ended.message.tool_calls, NOT_RUN)
        has_searched = self._steps.budget.calls > 0
        if ended.reason != "filter" and self._steps.budget.left() > 0:
            self._steps.context.add(UserMessage(ANSWER_IN_WORDS if has_searched else ANSWER_PLAINLY, aside=True))
            try:
                ended = yield from self._steps.ask(())
            except ModelError as error:
                yield Thought(self._steps.budget.step, str(error))
            if self._has_answer(ended):
                return ended
            yield from self._steps.discard_preamble()
        if said:
            yield from self._steps.stream.write(said)
        elif has_searched and self._steps.tools.lines_read.contents():
            late = self._steps.budget.left() <= 0
            if not late and not isinstance(self._steps.run.model, BuiltInModel):
                self._remember(ToolUse.NONE)
            yield Thought(self._steps.budget.step, LATE if late else explain_empty_answer(ended.reason))
            yield from write_reply(self._steps.stream, self._built_in_reply())
        else:
            raise ModelError(explain_empty_answer(ended.reason))
        return replace(ended, reason="stop")

    def _quotations(self) -> str:
        """Return the sentences among the results that answer best, quoted and cited; empty if none does."""
        reply = self._built_in_reply()
        return "" if reply.startswith(NOT_FOUND_MARK) else reply

    def _built_in_reply(self) -> str:
        """Return the built-in model's answer from the results, which may be [not found]."""
        messages = self._fallback.messages if self._fallback else self._steps.messages_read()
        return self._steps.run.built_in.reply(messages, self._steps.run.stop)

    def _search_and_answer(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Return the model's answer: it calls tools itself, or by JSON in its text, or the search is made for it.

        A run that read nothing has not answered, whatever the model wrote.
        """
        ended: TurnEnded | None = None
        whole = self._steps.run.toolkit
        known = known_tool_use(self._steps.question.conversation, self._model)
        for way in (known,) if known else (ToolUse.NATIVE, ToolUse.PROMPTED):
            if way is ToolUse.NONE:
                break
            prompted = way is ToolUse.PROMPTED
            if prompted:
                yield from self._steps.discard_preamble()
                if whole.slim:
                    self._steps.use_toolkit(whole.slimmed())
                    self._steps.tools.whole_hits = SLIM_HITS
                must_call = bool(whole.slim) and not is_small_talk(self._steps.question.text)
                self._steps.use_model(PromptedTools(self._model, must_call=must_call))
            try:
                ended = yield from self._search(BARREN_CALLS if prompted else 0)
            except ToolsRefused as refused:
                yield Thought(self._steps.budget.step, str(refused))
                continue
            if self._steps.has_read and prompted:
                self._remember(ToolUse.PROMPTED)
            if self._steps.has_read or self._needs_no_search():
                return ended
            if ended and self._steps.has_called and self._steps.stream.says_not_found and not prompted:
                return ended
            if ended is None or self._steps.has_called:  # a limit, or the searches brought nothing
                break
        if not (self._steps.has_called or known is ToolUse.NONE) and self._steps.run.toolkit.tools:
            self._remember(ToolUse.NONE)
        if self._steps.run.toolkit is not whole:
            self._steps.use_toolkit(whole)
        return (yield from self._search_without_tools()) or ended

    def _needs_no_search(self) -> bool:
        """Return whether words for which nothing was read may be the answer: small talk, or about earlier answers."""
        if (
            is_small_talk(self._steps.question.text)
            or not self._steps.run.toolkit.tools
            or self._steps.stream.citations
        ):
            return True
        calls = known_tool_use(self._steps.question.conversation, self._model) is ToolUse.NATIVE
        return calls and bool(self._steps.question.conversation.turns) and not self._steps.stream.says_not_found

    def _remember(self, way: ToolUse) -> None:
        if isinstance(self._model, RemembersToolUse):
            self._model.note_tool_use(way)

    def _search_without_tools(self) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Search on the model's behalf and let it answer from few lines; None if there is nothing to search for."""
        run, context = self._steps.run, self._steps.context
        tools = run.toolkit.specs() or run.toolkit.known_specs()
        self._steps.tools.whole_hits = 0  # the program reads what it chooses
        path = ShortPath(self._steps.question.text, context.history, tools, run.built_in)
        while not self._steps.budget.over() and (calls := path.next_calls(run.stop)):
            if self._fallback is None:
                yield from self._steps.discard_preamble()
                yield from self._steps.begin_step()
                yield Remark(self._steps.budget.step, "route", PROGRAM_SEARCHES)
                self._fallback = path
            for call in calls:
                path.add_result((yield from self._steps.call_tool(call, run.toolkit.result_tokens)))
        if not self._fallback:
            return None
        return (yield from self._answer_from_snippets(path))

    def _answer_from_snippets(self, path: ShortPath) -> Generator[AgentEvent, None, TurnEnded]:
        """Show the passages at once, ask the model about few lines, and put its words before the passages.

        Where nothing was read it is not asked, nor for a cell, a sum or a count, which are the program's.
        """
        steps, stop, count = self._steps, self._steps.run.stop, self._model.count_tokens
        turn = path.passages(stop)
        steps.stream.restart()
        for part, note in turn.parts:
            yield from steps.stream.write(part, note=note)
        shown = steps.stream
        written = TurnEnded(AssistantMessage(shown.raw), TokenUsage(0, 0), "stop")
        if is_certain(turn) or steps.budget.left() <= 0:
            return written
        instructions = load_prompt("short")
        room = min(PROMPT, steps.context.limit - ANSWER) - count(instructions) - count(self._steps.question.text)
        for share in (1, 3):
            snippets = path.snippets(shown.citations, steps.tools, room // share, stop)
            if not snippets:
                return written
            steps.use_model(NumberedSources(self._model, snippets))
            steps.context.restart(instructions, path.message(snippets))
            steps.context.keep_for_answer(ANSWER)
            steps.stream = steps.new_stream()
            try:
                return (yield from self._put_before(turn, shown, snippets, steps.ask((), temperature=0.0)))
            except (Stopped, ModelError) as error:
                yield from self._restore(shown)
                if share > 1 or not isinstance(error, ContextOverflow):
                    raise
        raise AssertionError("the second attempt returns or raises")

    def _put_before(
        self,
        turn: ExtractiveTurn,
        shown: AnswerStream,
        snippets: Sequence[GivenSnippet],
        events: Generator[AgentEvent, None, TurnEnded],
    ) -> Generator[AgentEvent, None, TurnEnded]:
        """Replace the passages by the words of the model when they come, and add the passages after them."""
        steps, replaced = self._steps, False
        with closing(events):
            answering = Job(events)
            for event in answering:
                if isinstance(event, AnswerDelta) and not replaced:
                    replaced = True
                    yield AnswerRestarted(steps.budget.step)
                yield event
        ended, stream = answering.result, steps.stream
        quoted = "".join(part for part, note in turn.parts if not note).strip()
        quoted = "" if quoted.startswith(NOT_FOUND_MARK) else quoted
        source = self._source_of(ended, snippets, quoted=bool(quoted))
        if not source:
            if thought := stream.raw.replace(NOT_FOUND_MARK, "").strip():
                yield Thought(steps.budget.step, thought)
            yield from self._restore(shown)
            return replace(ended, message=AssistantMessage(shown.raw), reason="stop")
        if "cite:" in source:
            yield from stream.append(SIMILAR_PASSAGES, source)
        elif source.strip():
            yield from stream.append(f"{SHOWN_PASSAGE} {source}")
        if quoted:
            yield from stream.append(QUOTED_PASSAGES)
            yield from stream.append(quoted, note=False)
        return ended

    def _source_of(self, ended: TurnEnded, snippets: Sequence[GivenSnippet], *, quoted: bool) -> str:
        """Return what to add to the model's words as their source, a blank if they name one; "" if they do not count.

        `quoted` is whether the program has passages that answer.
        """
        stream = self._steps.stream
        if not self._has_answer(ended) or stream.says_not_found:
            return ""
        if ended.reason == "length":
            return ""  # one or two short sentences were asked for: a model that does not end repeats what it reads
        if any(claim.mark in UNWRITTEN for claim in stream.claims):
            return ""  # a figure or name that the lines do not have
        if not quoted and not nearest_source(LINK.sub("", stream.text), snippets):
            return ""  # the program found nothing, and these words stand in no line that was shown
        return " " if stream.citations else stream.supporting_links() or nearest_source(stream.text, snippets)

    def _restore(self, shown: AnswerStream) -> Generator[AgentEvent]:
        """Show the passages again, as they were, instead of what the model wrote: nothing is checked after Stop."""
        self._steps.stream = shown
        yield AnswerRestarted(self._steps.budget.step)
        if shown.text:
            yield AnswerDelta(shown.text)

    def _search(self, barren_calls: int = 0) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Step until the model answers; None if a limit ends the search, or `barren_calls` bring nothing to read."""
        specs = self._steps.run.toolkit.specs()
        asked_again = False
        while True:
            yield from self._steps.apply_feedback()
            yield from self._steps.free_context()
            if limit := self._steps.limit():
                if (yield from self._steps.may_go_on(limit)):
                    continue
                yield limit
                return None
            yield from self._steps.begin_step()
            ended = yield from self._steps.ask(specs)
            if ended.message.tool_calls:
                yield from self._steps.discard_preamble()
                yield from self._steps.call_tools(ended.message.tool_calls)
                if 0 < barren_calls <= self._steps.budget.calls and not self._steps.tools.lines_read.contents():
                    return None
            elif self._has_answer(ended) or asked_again or ended.reason != "stop":
                return ended
            else:
                asked_again = True
                self._steps.context.add(UserMessage(EMPTY_REPLY, aside=True))

    def _finish(self, ended: TurnEnded) -> Generator[AgentEvent]:
        if ended.reason == "length":
            yield LimitReached("length", "The model's output reached its limit; the answer may be incomplete.")
        stopped = yield from self._review()
        if stopped is not None:
            yield stopped
            return
        found = not self._steps.stream.says_not_found
        if found and self._fallback is None:
            added = (self._steps.stream, self._steps.question.text, self._quotations)
            found = yield from add_grounding_note(*added, needs_library=self._steps.run.toolkit.needs_library)
        elif not found:
            if not self._steps.stream.has_words:
                if self._steps.stream.text:  # the marker's emphasis
                    yield AnswerRestarted(self._steps.budget.step)
                    self._steps.stream.restart()
                nothing = NOT_FOUND_CHOSEN if self._steps.question.is_narrowed else NOT_IN_DOCUMENTS
                summary = self._steps.search_report.summary()
                yield from self._steps.stream.append(f"{nothing} {summary}".strip())
            if notice := closing_notice(self._facts, foreign=self._steps.asks_in_other_language()):
                yield from self._steps.stream.append(notice)
        yield self._answered(found=found)

    def _review(self) -> Generator[AgentEvent, None, Answered | None]:
        """Ask the model about its answer, which is shown before; return it as it stands if the user stops that.

        After the short path it is asked for yes or no alone.
        """
        review = AnswerReview(self._steps, small=self._fallback is not None)
        if not review.is_due():
            return None
        stands = self._standing(found=not self._steps.stream.says_not_found)
        yield AnswerWritten(stands.text, stands.citations, stands.claims)
        try:
            yield from review.events()
        except Stopped:
            yield from self._steps.unreported()
            with suppress(Stopped):  # where a new statement was not compared yet
                return self._standing(found=not self._steps.stream.says_not_found)
            return replace(stands, usage=self._steps.budget.usage, seconds=self._steps.budget.seconds())
        return None

    def _standing(self, *, found: bool) -> Answered:
        """Return the answer with the marks of its statements, as far as they are known by now."""
        budget, context = self._steps.budget, self._steps.context.measure()
        text = self._steps.stream.text
        claims = told_claims(self._steps.stream, found=found)
        usage, seconds = budget.usage, budget.seconds()
        citations = self._steps.stream.citations
        answered = Answered(text, citations, context, usage, seconds, budget.step, found=found, claims=claims)
        if self._steps.stream.is_repaired:
            answered = without_unused(answered)
        return remove_uncited(answered) if self._steps.run.unsourced is Unsourced.FORBID else answered

    def _answered(self, *, found: bool) -> Answered:
        answered = self._standing(found=found)
        if has_supported_claim(answered) or not self._steps.run.toolkit.needs_library:
            return answered
        return replace(answered, coverage=self._steps.search_report.report(self._facts, answered, self._steps.run.stop))
