"""The bounds the papers compare with: one retrieval pass, no retrieval at all, and the right passages given."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.pre_steps import AnswerAtOnce, RetrieveOnce
from desktop_rag.agent.toolkits.toolkit import PreparedRun, Toolkit
from desktop_rag.agent.tools.a_rag_tools import NaiveEmbeddingSearchTool
from desktop_rag.agent.tools.gold_passages import GoldPassage, GoldTool
from desktop_rag.errors import SettingsError

SHARE = 0.8  # of the context, for passages: nothing else comes after them
NO_GOLD = "“oracle” answers from passages that only an evaluation knows. Choose another toolkit for your question."


def single_shot() -> Toolkit:
    """Return naive RAG: the five chunks nearest to the question, and one answer."""
    return Toolkit(
        "single-shot",
        "One search with your question and one answer from what it brings: fast and cheap.",
        (),
        load_prompt("passages"),
        result_share=SHARE,
        pre_step=RetrieveOnce("naive_embedding_search", "query"),
        pre_step_tools=(NaiveEmbeddingSearchTool(numbered=True),),
    )


def direct() -> Toolkit:
    """Return the model by itself."""
    return Toolkit(
        "direct",
        "The model answers from its own memory; your documents are not searched.",
        (),
        load_prompt("direct"),
        pre_step=AnswerAtOnce(),
        needs_library=False,
    )


def oracle(gold: Sequence[GoldPassage] = ()) -> Toolkit:
    """Return the upper bound: the passages that hold the answer are given, which only an evaluation can do."""
    return Toolkit(
        "oracle",
        "For evaluations: the answer comes from the right passages, which are given.",
        (),
        load_prompt("passages"),
        result_tokens=100_000,
        result_share=SHARE,
        pre_step=RetrieveOnce("gold", "question") if gold else _Refusal(),
        pre_step_tools=(GoldTool(gold),) if gold else (),
    )


@dataclass(frozen=True, slots=True)
class _Refusal:
    """What becomes of an oracle that was given nothing."""

    def prepare(self, run: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """End the run with the reason."""
        yield from ()
        raise SettingsError(NO_GOLD)
