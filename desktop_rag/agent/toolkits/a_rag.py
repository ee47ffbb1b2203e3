"""A-RAG: keyword search, semantic search and reading of chunks, one tool at a step (`docs/toolkits.md`)."""

from dataclasses import replace

from desktop_rag.agent.prompts import load_prompt, without_tools
from desktop_rag.agent.toolkits.toolkit import UNBOUND, Toolkit
from desktop_rag.agent.tools.a_rag_tools import (
    ChunkReadTool,
    KeywordSearchTool,
    NaiveEmbeddingSearchTool,
    SemanticSearchTool,
)

STEPS = 20  # the maximum of section 5.1; the user's own limit is 15 by default
ENDING = "Answer the question"  # algorithm 1, line 15


def a_rag() -> Toolkit:
    """Return the system of the paper."""
    return Toolkit(
        "a-rag",
        "A-RAG: looks for exact words or for meaning, then reads whole chunks, one tool at a time.",
        (KeywordSearchTool(), SemanticSearchTool(), ChunkReadTool()),
        load_prompt("a-rag"),
        limits=replace(UNBOUND, steps=STEPS),
        calls_a_step=1,
        ending=ENDING,
    )


def naive() -> Toolkit:
    """Return the system with one embedding search in place of the two searches."""
    return replace(
        a_rag(),
        name="a-rag-naive",
        summary="A-RAG (naive): one search by embeddings that brings whole chunks.",
        tools=(NaiveEmbeddingSearchTool(), ChunkReadTool()),
        prompt=load_prompt("a-rag-naive"),
    )


def without_keyword_search() -> Toolkit:
    """Return the ablation that searches by meaning only."""
    return _without("keyword_search", "a-rag-no-keyword", "A-RAG that searches by meaning only.")


def without_semantic_search() -> Toolkit:
    """Return the ablation that searches by words only."""
    return _without("semantic_search", "a-rag-no-semantic", "A-RAG that searches for exact words only.")


def without_chunk_read() -> Toolkit:
    """Return the ablation whose searches return whole chunks."""
    whole = a_rag()
    return replace(
        whole,
        name="a-rag-no-chunk-read",
        summary="A-RAG whose searches bring whole chunks at once.",
        tools=(KeywordSearchTool(whole=True), SemanticSearchTool(whole=True)),
        prompt=without_tools(whole.prompt, "chunk_read"),
    )


def _without(tool: str, name: str, summary: str) -> Toolkit:
    whole = a_rag()
    tools = tuple(each for each in whole.tools if each.spec.name != tool)
    return replace(whole, name=name, summary=summary, tools=tools, prompt=without_tools(whole.prompt, tool))
