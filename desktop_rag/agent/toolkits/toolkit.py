"""The toolkit type: everything in which one system differs from another, so that one loop runs them all."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.gate.run_rules import RunRules
from desktop_rag.agent.prompts import ANSWER_NOW
from desktop_rag.agent.run.budget import RunBudget
from desktop_rag.agent.run.costs import Purse
from desktop_rag.agent.run.feedback import Feedback
from desktop_rag.agent.tools.tool import Tool, ToolContext
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatModel, ToolMessage, ToolSpec, UserMessage
from desktop_rag.retrieval.api import Filter, LibraryFacts, Retriever, Scope
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop

UNBOUND = Limits(steps=0, tool_calls=0, seconds=0, context_tokens=0, total_tokens=0)


class PreparedRun(Protocol):
    """The run as a pre-step sees it."""

    @property
    def task(self) -> "Task":
        """Return the task of the run."""
        ...

    @property
    def facts(self) -> LibraryFacts:
        """Return the size of the library in scope."""
        ...

    @property
    def tools(self) -> ToolContext:
        """Return the state that the tools share: references, scope, lines read."""
        ...

    @property
    def budget(self) -> RunBudget:
        """Return the budget, to which a pre-step adds its own model calls."""
        ...

    def plan(self, instruction: str) -> Generator[AgentEvent, None, str]:
        """Ask the model for a plan, without tools; the plan is shown and stays in the context."""
        ...

    def call(self, tool: str, arguments: Mapping[str, object]) -> Generator[AgentEvent, None, ToolMessage]:
        """Run a call on the model's behalf; its result enters the context only by `replace_question`."""
        ...

    def replace_question(self, message: UserMessage) -> None:
        """Replace the question by `message`, usually the question with passages."""
        ...


class PreStep(Protocol):
    """What a toolkit does before its model searches freely."""

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Prepare the run; return True if the model may search, False if it must answer at once."""
        ...


class Router(Protocol):
    """Replaces the toolkit of a task before the run."""

    def route(self, task: "Task") -> Generator[AgentEvent, None, "Task"]:
        """Return the task to run instead of `task`."""
        ...


@dataclass(frozen=True, slots=True)
class Toolkit:
    """The configuration of a run; of its limits and the user's the smaller ones apply."""

    name: str
    summary: str  # one sentence for the user who chooses
    tools: tuple[Tool, ...]  # offered to the model
    prompt: str
    limits: Limits = UNBOUND
    excludes_waiting: bool = False  # whether the limit on seconds leaves out the waits for the model's first words
    calls_a_step: int = 0  # tool calls a model may make in one message; zero: any number
    counts_from: int = 1  # the number the model sees for a document's first line and for the first result
    ending: str = ANSWER_NOW  # the instruction to the model when a limit ends its search
    result_tokens: int = 11_000  # AgenticRAG, section 3.3
    result_share: float = 0.3  # of the context that is still free
    pre_step: PreStep | None = None
    pre_step_tools: tuple[Tool, ...] = ()  # called only by the pre-step, if at all
    router: Router | None = None
    summarizer: str = ""  # the tool that frees a full context; without one, old results are evicted
    needs_library: bool = True  # if False, the model may answer from its own knowledge
    thorough: "Toolkit | None" = None  # searches on if this one has not found the answer

    def tool(self, name: str) -> Tool | None:
        """Return the tool called `name`, if this toolkit has it."""
        return next((tool for tool in (*self.tools, *self.pre_step_tools) if tool.spec.name == name), None)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the descriptions offered to the model."""
        return tuple(tool.spec for tool in self.tools)

    def known_specs(self) -> tuple[ToolSpec, ...]:
        """Return the descriptions of all tools that a run may use: a written call of one of them is no answer."""
        later = self.thorough.tools if self.thorough else ()
        return tuple({tool.spec.name: tool.spec for tool in (*self.pre_step_tools, *later, *self.tools)}.values())

    def bind(self, limits: Limits) -> Limits:
        """Return the smaller of the user's and this toolkit's limits; zero means none."""
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
    """The input of a run; `built_in` searches and quotes where `model` cannot, `fast` is cheaper for simple tasks."""

    question: str
    conversation: Conversation
    toolkit: Toolkit
    model: ChatModel
    built_in: BuiltInModel
    retriever: Retriever
    limits: Limits
    scope: Scope
    stop: Stop
    fast: ChatModel | None = None
    filters: tuple[Filter, ...] = ()
    feedback: Feedback | None = None
    unsourced: Unsourced = Unsourced.MARK
    second_look: bool = False  # whether the model compares its statements with the lines they cite
    unwanted: tuple[Filter, ...] = ()  # filters that the user has removed
    purse: Purse | None = None  # None without prices
    attached: tuple[str, ...] = ()  # names of what the user attached to the conversation
    closed: frozenset[ContentId] = frozenset()  # contents of earlier turns that this one may not read
    rules: RunRules | None = None  # of what may be sent, if anything is sent

    @property
    def is_narrowed(self) -> bool:
        """Return whether only a part of the library is searched."""
        return bool(self.scope.folders or self.scope.contents or self.filters)


def _smaller(one: int, other: int) -> int:
    return min(one, other) if one and other else one or other
