"""What systems do before their model works freely: plan, retrieve once, or nothing but answer."""

from collections.abc import Generator
from dataclasses import dataclass

from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.prompts import PLAN
from desktop_rag.agent.toolkits.toolkit import PreparedRun
from desktop_rag.llm.chat import UserMessage

GIVEN = "Passages:\n\n{passages}\n\nQuestion: {question}"


@dataclass(frozen=True, slots=True)
class PlanFirst:
    """The model writes down which facts it needs, then goes on with its tools (LogicalRAG, section 4.2)."""

    instruction: str = PLAN

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Ask for the plan."""
        yield from run.plan(self.instruction)
        return True


@dataclass(frozen=True, slots=True)
class RetrieveOnce:
    """One retrieval pass with the question as it stands; the model answers from what that brings."""

    tool: str
    parameter: str

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Call the tool in the model's place and hand its result over together with the question."""
        question = run.task.question
        found = yield from run.call(self.tool, {self.parameter: question})
        run.replace_question(UserMessage(GIVEN.format(passages=found.text, question=question), found.evidence))
        return False


@dataclass(frozen=True, slots=True)
class AnswerAtOnce:
    """No retrieval at all."""

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Go straight to the answer."""
        yield from ()
        return False
