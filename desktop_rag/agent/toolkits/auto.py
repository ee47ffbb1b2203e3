"""The routing toolkit: a cheap classification sends each question to one retrieval pass, to steps, or to neither."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.full import full
from desktop_rag.agent.toolkits.pre_steps import AnswerAtOnce, question_with_passages
from desktop_rag.agent.toolkits.routing import QuestionRouter, RouteToolkits
from desktop_rag.agent.toolkits.toolkit import UNBOUND, PreparedRun, Toolkit
from desktop_rag.agent.tools.filtered_search import NarrowedSearchTool
from desktop_rag.agent.tools.read_chunks import ReadChunksTool
from desktop_rag.agent.tools.tool import Tool
from desktop_rag.llm.chat import GivenPassages
from desktop_rag.text.display import shorten

CALLS, SECONDS = 5, 30  # limits of the agentic route, as in the paper (section 6)
READ = 6  # passages of the quick route
SHARE = 0.6  # of the context, for these passages

_NAME = "auto"
_SUMMARY = "Sorts each question first: a quick look for simple ones, a search in steps for the others."


@dataclass(frozen=True, slots=True)
class QuickLook:
    """One retrieval pass: a hybrid search, then the best passages as a whole."""

    query: str = ""  # besides the question

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Search, read, and put the passages before the question."""
        question = run.question.text
        queries = list(dict.fromkeys((shorten(self.query or question, 300), shorten(question, 300))))
        found = yield from run.call("search", {"queries": queries, "limit": READ + 2})
        names = list(dict.fromkeys(evidence.reference for evidence in found.evidence))[:READ]
        read = (yield from run.call("read_chunks", {"references": names})) if names else found
        run.replace_question(question_with_passages(GivenPassages(question), read.text, read.evidence))
        return False


def auto() -> Toolkit:
    """Return the router to a quick look, the default toolkit with tight limits, or no search at all."""
    return Toolkit(
        _NAME,
        _SUMMARY,
        (),
        load_prompt("full"),
        router=QuestionRouter(RouteToolkits(_quick, _agentic, _off_topic)),
        short="small",
        needs_library=False,
    )


def quick() -> Toolkit:
    """Return the quick look by itself: one search, one answer."""
    return Toolkit(
        "quick",
        "One search, and one answer from the best passages it brings: fast and cheap.",
        (),
        load_prompt("passages"),
        result_share=SHARE,
        pre_step=QuickLook(),
        pre_step_tools=_looking(),
        short="small",
    )


def _quick(query: str) -> Toolkit:
    return replace(quick(), name=_NAME, summary=_SUMMARY, pre_step=QuickLook(query), thorough=_agentic(query))


def _agentic(query: str) -> Toolkit:
    whole = full()
    limits = replace(UNBOUND, tool_calls=CALLS, seconds=SECONDS)
    hint = f"\n\nA good first query: “{shorten(query, 200)}”."
    prompt = whole.prompt + hint
    return replace(whole, name=_NAME, summary=_SUMMARY, limits=limits, prompt=prompt)


def _off_topic(_query: str) -> Toolkit:
    return Toolkit(
        *(_NAME, _SUMMARY, (), load_prompt("off-topic")),
        pre_step=AnswerAtOnce(),
        pre_step_tools=_looking(),  # a written call of one is no answer
        needs_library=False,
    )


def _looking() -> tuple[Tool, ...]:
    return NarrowedSearchTool(), ReadChunksTool()
