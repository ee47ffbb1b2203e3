"""Asks the model about its own answer: whether the cited lines say its statements, and to repair what they refuse.

Both are requests of their own, which show a few lines and nothing of the run's context. None is made where a limit is
reached or no language model answers; the answer stands whatever becomes of them.
"""

from collections.abc import Callable, Generator
from functools import partial

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
from desktop_rag.agent.run.look.yes_no import MOST_MISSED, NO_BELOW, judgment_of, plain_questions, questions
from desktop_rag.agent.run.statements import Statement, StatementKey, statements_of
from desktop_rag.agent.run.step import StepRunner
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.llm.chat import RemembersToolUse, TurnEnded, UserMessage
from desktop_rag.text.display import plural


class AnswerReview:
    """The second look at an answer and its repair, each made once.

    A `small` model is only asked for yes or no, where its server tells how probable that is, and repairs nothing.
    """

    def __init__(self, steps: StepRunner, *, small: bool = False) -> None:
        self._steps = steps
        self._small = small
        self._repairs = not small and bool(steps.tools.lines_read.contents())
        self._looked: set[StatementKey] = set()
        self._failed = False  # whether the last request for yes or no failed

    def is_due(self) -> bool:
        """Return whether the model will be asked about the answer."""
        return self._may_ask() and bool(self._unlooked() or self._failures())

    def events(self) -> Generator[AgentEvent]:
        """Look at the answer, and have what is refused then repaired; raises `Stopped` alone."""
        if self._small:
            yield from self._look_for_no()
            return
        yield from self._look()
        repaired = yield from self._repair()
        if repaired:
            yield from self._look()

    def _may_ask(self) -> bool:
        model = self._steps.run.model
        if isinstance(model, BuiltInModel) or self._steps.budget.used_up():
            return False
        return not self._small or (isinstance(model, RemembersToolUse) and model.judges() is not False)

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
            ended = yield from self._asked(partial(steps.ask_apart, instructions, request, schema=look.schema))
            yield from steps.unreported()
            if ended is None:
                break
            look.take(ended.message.text)
            steps.stream.judge(look.judgments)
        if look.asked:
            yield self._compared(len(look.judgments), look.asked)

    def _look_for_no(self) -> Generator[AgentEvent]:
        """Ask a small model for yes or no, if it is known or turns out that both mean something."""
        steps, statements = self._steps, self._unlooked()
        self._looked |= {each.key for each in statements}
        if not (statements and (yield from self._tells_apart())):
            return
        compared = 0
        for each in questions(statements):
            yes = yield from self._yes(each.message)
            if yes is None:
                break
            compared += 1
            steps.stream.judge(judgment_of(each, yes))
        yield self._compared(compared, len(statements))

    def _tells_apart(self) -> Generator[AgentEvent, None, bool]:
        """Return whether the model tells plain statements apart; found out once and remembered."""
        model = self._steps.run.model
        if not isinstance(model, RemembersToolUse):
            return False
        if model.judges() is None:
            missed = 0
            for message, is_said in plain_questions():
                yes = yield from self._yes(message)
                if self._failed:
                    return False
                missed += MOST_MISSED + 1 if yes is None else (yes >= NO_BELOW) != is_said
                if missed > MOST_MISSED:
                    break
            model.note_judges(well=missed <= MOST_MISSED)
        return bool(model.judges())

    def _yes(self, message: UserMessage) -> Generator[AgentEvent, None, float | None]:
        """Return how probable a yes is; None if the server does not tell it, or failed."""
        ask = self._steps.ask_apart
        ended = yield from self._asked(partial(ask, load_prompt("yes-no"), message, yes_no=True))
        yield from self._steps.unreported()
        self._failed = ended is None
        return ended.yes if ended else None

    def _compared(self, compared: int, asked: int) -> Remark:
        what = f"{plural(asked, 'statement')} compared by the model."
        if compared < asked:
            what = f"{compared:,} of {plural(asked, 'statement')} compared by the model."
        return Remark(self._steps.budget.step, "check", what)

    def _asked(
        self, ask: Callable[..., Generator[AgentEvent, None, TurnEnded]]
    ) -> Generator[AgentEvent, None, TurnEnded | None]:
        """Ask the cheaper model, if there is one; return its turn, None if it failed, after telling why."""
        try:
            return (yield from ask(fast=not self._small))
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
            ended = yield from steps.ask_apart(instructions, request)
        except Stopped:
            raise
        except DesktopRagError as error:
            yield Thought(steps.budget.step, str(error))
            yield from steps.unreported()
            return False
        yield from steps.unreported()
        parts = accepted_parts(stream, asked, ended.message.text, steps.new_stream)
        if not parts:
            return False
        stream.replace_parts(parts)
        yield AnswerRestarted(steps.budget.step)
        if stream.text:
            yield AnswerDelta(stream.text)
        return True
