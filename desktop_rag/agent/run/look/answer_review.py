"""Asks the model about its own answer: whether the cited lines say its statements, and to repair what they refuse.

Both are requests of their own, which show a few lines and nothing of the run's context. None is made where a limit is
reached or no language model answers; the answer stands whatever becomes of them.
"""

from collections.abc import Generator

from desktop_rag.agent.events import AgentEvent, AnswerDelta, AnswerRestarted, Remark, Thought
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.look.citation_repair import (
    MOST_TOKENS,
    FailedStatement,
    accepted_parts,
    failed_statements,
    repair_request,
)
from desktop_rag.agent.run.look.second_look import SecondLook
from desktop_rag.agent.run.statements import Statement, StatementKey, statements_of
from desktop_rag.agent.run.step import StepRunner
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.llm.chat import UserMessage
from desktop_rag.text.display import plural


class AnswerReview:
    """The second look at an answer and its repair, each made once."""

    def __init__(self, steps: StepRunner) -> None:
        self._steps = steps
        self._repairs = bool(steps.tools.lines_read.contents())
        self._looked: set[StatementKey] = set()

    def is_due(self) -> bool:
        """Return whether the model will be asked about the answer."""
        return self._may_ask() and bool(self._unlooked() or self._failures())

    def events(self) -> Generator[AgentEvent]:
        """Look at the answer, and have what is refused then repaired; raises `Stopped` alone."""
        yield from self._look()
        repaired = yield from self._repair()
        if repaired:
            yield from self._look()

    def _may_ask(self) -> bool:
        return not (isinstance(self._steps.run.model, BuiltInModel) or self._steps.budget.used_up())

    def _unlooked(self) -> tuple[Statement, ...]:
        if not self._steps.run.second_look:
            return ()
        stream = self._steps.stream
        statements = statements_of(stream.text, stream.claims, stream.citations)
        return tuple(each for each in statements if each.key not in self._looked)

    def _failures(self) -> tuple[FailedStatement, ...]:
        return failed_statements(self._steps.stream) if self._repairs else ()

    def _look(self) -> Generator[AgentEvent]:
        """Let the model compare the statements with the lines they cite, a request for some of them at a time."""
        statements, steps, run = self._unlooked(), self._steps, self._steps.run
        if not statements or not self._may_ask():
            return
        self._looked |= {each.key for each in statements}
        instructions = load_prompt("second-look")
        model = run.fast or run.model
        answer_tokens = min(steps.context.answer_tokens, model.max_output)
        room = min(steps.context.limit, model.context_window) - answer_tokens - model.count_tokens(instructions)
        read = steps.tools.lines_read
        look = SecondLook(statements, read, room, model.count_tokens, steps.question.text, answer_tokens)
        while self._may_ask() and (request := look.request()):
            reply = yield from self._asked(instructions, request, look.schema)
            yield from steps.unreported()
            if reply is None:
                break
            look.take(reply)
            steps.stream.judge(look.judgments)
        if look.asked:
            what = f"{plural(look.asked, 'statement')} compared by the model."
            if len(look.judgments) < look.asked:
                what = f"{len(look.judgments):,} of {plural(look.asked, 'statement')} compared by the model."
            yield Remark(steps.budget.step, "check", what)

    def _asked(self, instructions: str, request: UserMessage, schema: str) -> Generator[AgentEvent, None, str | None]:
        """Ask the cheaper model, if there is one; return its reply, None if it failed, after telling why."""
        try:
            return (yield from self._steps.ask_apart(instructions, request, fast=True, schema=schema))
        except Stopped:
            raise
        except DesktopRagError as error:
            yield Thought(self._steps.budget.step, str(error))
            return None

    def _repair(self) -> Generator[AgentEvent, None, bool]:
        """Ask the model once for other words for what is refused; return whether a statement was replaced."""
        steps, model = self._steps, self._steps.run.model
        stream, failures = steps.stream, self._failures()
        if not failures or not self._may_ask():
            return False
        instructions = load_prompt("repair")
        room = steps.context.limit - steps.context.answer_tokens - model.count_tokens(instructions)
        count = model.count_tokens
        request, asked = repair_request(stream, failures, steps.tools, min(room, MOST_TOKENS), count)
        if not asked:
            return False
        what = f"{plural(len(asked), 'statement')} without support or source: asked again."
        yield Remark(steps.budget.step, "check", what)
        try:
            reply = yield from steps.ask_apart(instructions, request)
        except Stopped:
            raise
        except DesktopRagError as error:
            yield Thought(steps.budget.step, str(error))
            yield from steps.unreported()
            return False
        yield from steps.unreported()
        parts = accepted_parts(stream, asked, reply, steps.new_stream)
        if not parts:
            return False
        stream.replace_parts(parts)
        yield AnswerRestarted(steps.budget.step)
        if stream.text:
            yield AnswerDelta(stream.text)
        return True
