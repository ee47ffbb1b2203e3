"""Pre-steps: what a toolkit does before its model searches freely (plan, retrieve once, or answer at once)."""

from collections.abc import Generator
from dataclasses import dataclass

from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.prompts import PLAN
from desktop_rag.agent.toolkits.toolkit import PreparedRun
from desktop_rag.llm.chat import Evidence, GivenPassages, UserMessage

_WITH_PASSAGES = "{head}Passages:\n\n{passages}\n\nQuestion: {question}"


def question_with_passages(
    given: GivenPassages, passages: str, evidence: tuple[Evidence, ...], head: str = ""
) -> UserMessage:
    """Return the question after the passages that answer it, and after a `head`."""
    text = _WITH_PASSAGES.format(head=head, passages=passages, question=given.question)
    return UserMessage(text, evidence, given=given)


@dataclass(frozen=True, slots=True)
class PlanFirst:
    """The model plans which facts it needs, then uses its tools (LogicalRAG, section 4.2)."""

    instruction: str = PLAN

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Ask for the plan."""
        yield from run.plan(self.instruction)
        return True


@dataclass(frozen=True, slots=True)
class RetrieveOnce:
    """One retrieval pass with the original question; the model answers from its result."""

    tool: str
    parameter: str

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Call the tool and put its result before the question."""
        question = run.question.text
        found = yield from run.call(self.tool, {self.parameter: question})
        run.replace_question(question_with_passages(GivenPassages(question), found.text, found.evidence))
        return False


@dataclass(frozen=True, slots=True)
class AnswerAtOnce:
    """No retrieval."""

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Go straight to the answer."""
        yield from ()
        return False
