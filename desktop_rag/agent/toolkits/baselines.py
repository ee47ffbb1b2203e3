"""The baselines of the papers: one retrieval pass, no retrieval, and the gold passages given."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.toolkit import AnswerAtOnce, PreparedRun, RetrieveOnce, Toolkit
from desktop_rag.agent.tools.a_rag_tools import NaiveEmbeddingSearchTool
from desktop_rag.agent.tools.gold_passages import GoldPassage, GoldTool
from desktop_rag.errors import SettingsError

SHARE = 0.8  # of the context, for passages: no other result follows
NO_GOLD = "“oracle” needs the gold passages of an evaluation. Choose another toolkit for your question."


def single_shot() -> Toolkit:
    """Return naive RAG: one answer from the five chunks nearest to the question."""
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
    """Return the model without retrieval."""
    return Toolkit(
        "direct",
        "The model answers from its own memory; your documents are not searched.",
        (),
        load_prompt("direct"),
        pre_step=AnswerAtOnce(),
        needs_library=False,
    )


def oracle(gold: Sequence[GoldPassage] = ()) -> Toolkit:
    """Return the upper bound: the model is given the gold passages, which only an evaluation has."""
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
    """The pre-step of an oracle without gold passages."""

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Fail with the reason."""
        yield from ()
        raise SettingsError(NO_GOLD)
