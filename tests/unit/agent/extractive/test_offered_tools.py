import pytest

from desktop_rag.agent.extractive.offered_tools import classify_tools
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.llm.chat import ToolSpec


def test_tools_of_the_default_toolkit_are_recognised() -> None:
    found = classify_tools(toolkit("full").specs())
    [search] = found.searching
    assert (search.tool, search.queries.name, search.queries.most, search.words) == ("search", "queries", 5, False)
    assert {"linked", "semantic", "exact"} <= set(search.modes)
    assert search.within
    assert found.listing
    assert found.listing.tool == "list_documents"
    assert found.reading
    assert found.reading.tool == "read_chunks"
    assert found.opening
    assert found.opening.other
    assert found.opening.other.name == "line"


@pytest.mark.parametrize(
    ("name", "searching", "reading", "opening"),
    [
        ("agentic-rag", ["search"], "", "open"),
        ("a-rag", ["keyword_search", "semantic_search"], "chunk_read", ""),
        ("a-rag-naive", ["naive_embedding_search"], "chunk_read", ""),
        ("logical-rag", ["search"], "", ""),
        ("direct", [], "", ""),
    ],
)
def test_tools_of_the_papers_are_recognised(name: str, searching: list[str], reading: str, opening: str) -> None:
    found = classify_tools(toolkit(name).specs())
    assert [offer.tool for offer in found.searching] == searching
    assert (found.reading.tool if found.reading else "") == reading
    assert (found.opening.tool if found.opening else "") == opening


def test_keyword_and_query_tools_are_distinguished() -> None:
    keyword, semantic = classify_tools(toolkit("a-rag").specs()).searching
    assert (keyword.words, semantic.words) == (True, False)
    [logical] = classify_tools(toolkit("logical-rag").specs()).searching
    assert logical.any_word
    assert logical.any_word.name == "default_operator"


def test_unknown_tools_are_ignored() -> None:
    odd = (ToolSpec("dance", "", '{"type": "object", "properties": {"tempo": {"type": "string"}}}'),
           ToolSpec("sing", "", "[]"))  # fmt: skip
    assert classify_tools(odd) == classify_tools(())
