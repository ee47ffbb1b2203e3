"""The toolkit type: everything in which one system differs from another, so that one loop runs them all."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from desktop_rag.agent.budget import Purse, RunBudget
from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.feedback import Feedback
from desktop_rag.agent.gate.run_rules import RunRules
from desktop_rag.agent.prompts import ANSWER_NOW, PLAN
from desktop_rag.agent.question import Question
from desktop_rag.agent.tools.tool import Tool, ToolContext
from desktop_rag.llm.chat import ChatModel, Evidence, GivenPassages, ToolMessage, ToolSpec, ToolUse, UserMessage
from desktop_rag.retrieval.api import Retriever
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop

_LIMITS = Limits()
LEAST_WINDOW = 8_192  # tokens; in less there is no room for tools, their results and an answer
UNBOUND = Limits(steps=0, tool_calls=0, seconds=0, context_tokens=0, total_tokens=0)


def _in_this_process() -> BuiltInModel:
    from desktop_rag.agent.extractive.extractive_model import ExtractiveModel  # loads its word forms

    return ExtractiveModel()


class PreparedRun(Protocol):
    """The run as a pre-step sees it."""

    question: Question
    run: "Run"
    tools: ToolContext  # the state that the tools share: references, scope, lines read
    budget: RunBudget  # to which a pre-step adds its own model calls

    def plan(self, instruction: str) -> Generator[AgentEvent, None, str]:
        """Ask the model for a plan, without tools; the plan is shown and stays in the context."""

    def call(self, tool: str, arguments: Mapping[str, object]) -> Generator[AgentEvent, None, ToolMessage]:
        """Run a call on the model's behalf; its result enters the context only by `replace_question`."""

    def replace_question(self, message: UserMessage) -> None:
        """Replace the question by `message`, usually the question with passages."""


class PreStep(Protocol):
    """What a toolkit does before its model searches freely."""

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Prepare the run; return True if the model may search, False if it must answer at once."""


class Router(Protocol):
    """Chooses the toolkit of a question, and narrows it."""

    def route(self, question: Question, run: "Run") -> Generator[AgentEvent, None, tuple[Question, "Toolkit"]]:
        """Return the question to answer instead, and the toolkit for it."""


@dataclass(frozen=True, slots=True)
class Toolkit:
    """The configuration of a run; of its limits and the user's the smaller ones apply."""

    name: str
    summary: str  # one sentence for the user who chooses
    tools: tuple[Tool, ...]  # offered to the model
    prompt: str
    limits: Limits = UNBOUND
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
    short: Literal["never", "small", "always"] = "never"  # which models take the short path: none, small ones, all
    slim: tuple[tuple[Tool, ...], str] | None = None  # tools and prompt of models that write their calls as text

    def slimmed(self) -> "Toolkit":
        """Return the toolkit as models use it that write their calls as text."""
        if self.slim is None:
            return self
        tools, prompt = self.slim
        return replace(self, tools=tools, prompt=prompt, pre_step=None, summarizer="")

    def takes_short_path(self, window: int, way: ToolUse | None) -> bool:
        """Return whether the program searches for a model of this window that searches in this way."""
        return self.short == "always" or (self.short == "small" and (window < LEAST_WINDOW or way is ToolUse.NONE))

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
class Run:
    """What a question is answered with; `built_in` searches and quotes where `model` cannot, `fast` is cheaper."""

    toolkit: Toolkit
    model: ChatModel
    retriever: Retriever
    stop: Stop = field(default_factory=Stop)
    limits: Limits = _LIMITS
    fast: ChatModel | None = None
    built_in: BuiltInModel = field(default_factory=_in_this_process)
    feedback: Feedback | None = None  # None: the user cannot say anything meanwhile
    unsourced: Unsourced = Unsourced.MARK
    second_look: bool = False  # whether the model compares its statements with the lines they cite
    purse: Purse | None = None  # None without prices
    answer_tokens: int = 0  # that a turn may write at most; 0: what the model and its context allow
    rules: RunRules | None = None  # of what may be sent, if anything is sent


def _smaller(one: int, other: int) -> int:
    return min(one, other) if one and other else one or other


# Pre-steps: what a toolkit does before its model searches freely (plan, retrieve once, or answer at once).

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

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Ask for the plan."""
        yield from steps.plan(self.instruction)
        return True


@dataclass(frozen=True, slots=True)
class RetrieveOnce:
    """One retrieval pass with the original question; the model answers from its result."""

    tool: str
    parameter: str

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Call the tool and put its result before the question."""
        question = steps.question.text
        found = yield from steps.call(self.tool, {self.parameter: question})
        steps.replace_question(question_with_passages(GivenPassages(question), found.text, found.evidence))
        return False


@dataclass(frozen=True, slots=True)
class AnswerAtOnce:
    """No retrieval."""

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Go straight to the answer."""
        yield from ()
        return False
