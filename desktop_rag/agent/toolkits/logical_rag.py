"""LogicalRAG, its ablations and its baseline: a plan, then one search at a time (`docs/toolkits.md`)."""

from dataclasses import replace

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.toolkit import UNBOUND, PlanFirst, Toolkit
from desktop_rag.agent.tools.logical_rag_tools import HybridSearchTool, LogicalSearchTool

TURNS = 8  # searches; table 5


def logical_rag() -> Toolkit:
    """Return the system of the paper: queries in Boolean logic over words."""
    return Toolkit(
        "logical-rag",
        "LogicalRAG: plans, then steers a search by words with AND, OR, NOT, phrases and fields.",
        (LogicalSearchTool(),),
        load_prompt("logical-rag"),
        limits=replace(UNBOUND, tool_calls=TURNS),
        calls_a_step=1,
        pre_step=PlanFirst(),
    )


def without_operators() -> Toolkit:
    """Return the ablation with words and phrases only."""
    return replace(
        logical_rag(),
        name="logical-rag-no-operators",
        summary="LogicalRAG without AND, OR and NOT.",
        tools=(LogicalSearchTool(operators=False),),
    )


def syntax_only() -> Toolkit:
    """Return the ablation whose tool description has only the syntax."""
    return replace(
        logical_rag(),
        name="logical-rag-syntax-only",
        summary="LogicalRAG whose search is described without advice.",
        tools=(LogicalSearchTool(strategy=False),),
    )


def agentic_hybrid() -> Toolkit:
    """Return the paper's baseline: the same loop over a search by words and meaning."""
    return replace(
        logical_rag(),
        name="agentic-hybrid",
        summary="Agentic Hybrid: plans, then searches by words and meaning together in plain language.",
        tools=(HybridSearchTool(),),
        prompt=load_prompt("agentic-hybrid"),
    )
