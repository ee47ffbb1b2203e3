"""What a toolkit is: everything in which one system differs from another, so that one loop runs them all."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.prompts import ANSWER_NOW
from desktop_rag.agent.run.budget import RunBudget
from desktop_rag.agent.run.feedback import Feedback
from desktop_rag.agent.tools.tool import Tool, ToolContext
from desktop_rag.llm.chat import ChatModel, ToolMessage, ToolSpec, UserMessage
from desktop_rag.retrieval.api import Filter, LibraryFacts, Retriever, Scope
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop

UNBOUND = Limits(steps=0, tool_calls=0, seconds=0, context_tokens=0, total_tokens=0)


class PreparedRun(Protocol):
    """What an pre_step may do with the run it opens."""

    @property
    def task(self) -> "Task":
        """Return what the run was given."""
        ...

    @property
    def facts(self) -> LibraryFacts:
        """Return how much there is to search."""
        ...

    @property
    def tools(self) -> ToolContext:
        """Return what the tools work with: references, scope, what was read."""
        ...

    @property
    def budget(self) -> RunBudget:
        """Return the limits and what was used of them; an pre_step that asks a model counts there."""
        ...

    def plan(self, instruction: str) -> Generator[AgentEvent, None, str]:
        """Let the model write a plan, without tools; it is shown and stays in its context."""
        ...

    def call(self, tool: str, arguments: Mapping[str, object]) -> Generator[AgentEvent, None, ToolMessage]:
        """Carry out a call in the model's place; the model does not see it unless it is given to it."""
        ...

    def replace_question(self, message: UserMessage) -> None:
        """Put `message` in the place of the question: the question with what was found for it."""
        ...


class PreStep(Protocol):
    """What a system does before its model works freely."""

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Prepare the run; return whether the model goes on with its tools, else it answers at once."""
        ...


class Router(Protocol):
    """What turns a question over to another toolkit before the run begins."""

    def route(self, task: "Task") -> Generator[AgentEvent, None, "Task"]:
        """Return the task to carry out in place of `task`."""
        ...


@dataclass(frozen=True, slots=True)
class Toolkit:
    """What a run works with; its limits bind together with the person's, whichever is smaller."""

    name: str
    summary: str  # one sentence for the person who chooses
    tools: tuple[Tool, ...]  # what the model is offered
    prompt: str
    limits: Limits = UNBOUND
    calls_a_step: int = 0  # tools a model may call in one message; zero: as many as it likes
    counts_from: int = 1  # the number the model sees for a document's first line and for the first result
    ending: str = ANSWER_NOW  # what the model is told when a limit ends its search
    result_tokens: int = 11_000  # AgenticRAG, section 3.3
    result_share: float = 0.3  # of the context that is still free
    pre_step: PreStep | None = None
    pre_step_tools: tuple[Tool, ...] = ()  # what only the pre_step calls
    router: Router | None = None
    summarizer: str = ""  # the tool that makes room when the context is full; else old results simply go
    needs_library: bool = True  # without it the model answers from what it knows

    def tool(self, name: str) -> Tool | None:
        """Return the tool called `name`, if this toolkit has it."""
        return next((tool for tool in (*self.tools, *self.pre_step_tools) if tool.spec.name == name), None)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the descriptions offered to the model."""
        return tuple(tool.spec for tool in self.tools)

    def bind(self, limits: Limits) -> Limits:
        """Return the person's limits and this toolkit's, of each the smaller; zero means none."""
        own = self.limits
        return Limits(
            steps=_smaller(limits.steps, own.steps),
            tool_calls=_smaller(limits.tool_calls, own.tool_calls),
            seconds=_smaller(limits.seconds, own.seconds),
            context_tokens=_smaller(limits.context_tokens, own.context_tokens),
            total_tokens=_smaller(limits.total_tokens, own.total_tokens),
        )


@dataclass(frozen=True, slots=True)
class Task:
    """What a run is given; `fast` is a cheaper model for what needs no good one."""

    question: str
    conversation: Conversation
    toolkit: Toolkit
    model: ChatModel
    retriever: Retriever
    limits: Limits
    scope: Scope
    stop: Stop
    fast: ChatModel | None = None
    filters: tuple[Filter, ...] = ()
    feedback: Feedback | None = None
    unsourced: Unsourced = Unsourced.MARK
    unwanted: tuple[Filter, ...] = ()  # conditions the person has taken away again


def _smaller(one: int, other: int) -> int:
    return min(one, other) if one and other else one or other
