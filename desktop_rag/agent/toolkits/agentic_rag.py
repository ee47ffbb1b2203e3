"""AgenticRAG: search, find, open and summarize over a whole library (`docs/toolkits.md`)."""

from dataclasses import replace

from desktop_rag.agent.prompts import load_prompt, without_tools
from desktop_rag.agent.toolkits.toolkit import UNBOUND, RetrieveOnce, Toolkit
from desktop_rag.agent.tools.agentic_rag_tools import (
    AgenticRagFindTool,
    AgenticRagOpenTool,
    MultiQuerySearchTool,
    SingleQuerySearchTool,
)
from desktop_rag.agent.tools.summarize import SummarizeTool

STEPS, CONTEXT = 15, 128_000  # sections 3.2 and 3.4


def agentic_rag() -> Toolkit:
    """Return the system of the paper: four tools, lines and results counted from 0."""
    tools = (MultiQuerySearchTool(), AgenticRagFindTool(), AgenticRagOpenTool(), SummarizeTool())
    return Toolkit(
        "agentic-rag",
        "AgenticRAG: searches in several wordings, then finds and opens inside documents, and sums up to make room.",
        tools,
        load_prompt("agentic-rag"),
        limits=replace(UNBOUND, steps=STEPS, context_tokens=CONTEXT),
        counts_from=0,
        summarizer="summarize",
    )


def without_summarize() -> Toolkit:
    """Return the ablation without `summarize`."""
    whole = agentic_rag()
    return replace(
        whole,
        name="agentic-rag-no-summarize",
        summary="AgenticRAG without summing up: old results leave its context when that is full.",
        tools=tuple(tool for tool in whole.tools if tool.spec.name != "summarize"),
        prompt=without_tools(whole.prompt, "summarize"),
        summarizer="",
    )


def without_semantic_find() -> Toolkit:
    """Return the ablation whose `find` is lexical only."""
    whole = agentic_rag()
    return replace(
        whole,
        name="agentic-rag-no-semantic-find",
        summary="AgenticRAG whose find looks for literal words only.",
        tools=(MultiQuerySearchTool(), AgenticRagFindTool(semantic=False), AgenticRagOpenTool(), SummarizeTool()),
        prompt=whole.prompt.replace(" `semantic` mode finds other words for the same thing.", ""),
    )


def with_single_query() -> Toolkit:
    """Return the ablation that searches by one query at a time, with as many results as five queries return."""
    whole = agentic_rag()
    return replace(
        whole,
        name="agentic-rag-single-query",
        summary="AgenticRAG that searches in one wording at a time.",
        tools=(SingleQuerySearchTool(), AgenticRagFindTool(), AgenticRagOpenTool(), SummarizeTool()),
        prompt=whole.prompt.replace(" Give several wordings or sub-questions at once.", ""),
    )


def single_shot_search() -> Toolkit:
    """Return the ablation with one search and an answer from its previews."""
    return replace(
        agentic_rag(),
        name="agentic-rag-single-shot",
        summary="AgenticRAG's search done once with the question; the answer comes from the previews.",
        tools=(),
        prompt=load_prompt("passages"),
        pre_step=RetrieveOnce("search", "queries"),
        pre_step_tools=(MultiQuerySearchTool(),),
        summarizer="",
    )
