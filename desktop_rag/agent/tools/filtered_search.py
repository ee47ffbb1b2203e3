"""The search tool of the default toolkit: every mode, restricted to some documents or not, with facet counts."""

import json

from desktop_rag.agent.tools.arguments import Arguments, choice, integer, strings
from desktop_rag.agent.tools.document_filter import PROPERTIES, facet_line, narrow
from desktop_rag.agent.tools.search_results import QUERIES, RESULTS, search_library
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, quoted
from desktop_rag.errors import QueryError
from desktop_rag.llm.chat import ToolSpec
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop

MODES = tuple(mode.value for mode in (Mode.HYBRID, Mode.LINKED, Mode.SEMANTIC, Mode.EXACT, Mode.KEYWORD))

_SCHEMA = {
    "type": "object",
    "properties": {
        "queries": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": QUERIES,
            "description": f"1 to {QUERIES} phrasings or sub-questions, searched together",
        },
        "mode": {
            "type": "string",
            "enum": list(MODES),
            "description": (
                "hybrid (default): words and meaning; linked: also what the best results name, for questions that "
                "need several documents; semantic: meaning; exact: literal words, names, numbers; "
                'keyword: AND OR NOT, "phrases", title: path: folder: ext: modified:'
            ),
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": RESULTS, "description": "results a query"},
        "within": {
            "type": "array",
            "items": {"type": "string"},
            "description": "references: search only the documents they belong to",
        },
        **PROPERTIES,
    },
    "required": ["queries"],
}


_HOW = {
    Mode.HYBRID: "",
    Mode.RERANKED: "",
    Mode.KEYWORD: " by words",
    Mode.EXACT: " letter by letter",
    Mode.SEMANTIC: " by meaning",
    Mode.LINKED: " and what it leads to",
}


class NarrowedSearchTool:
    """Search the library, or some of its documents, by up to five queries at once."""

    parameters = ("queries", "mode", "limit", "within", *PROPERTIES)
    spec = ToolSpec(
        "search",
        "Search passages of the user's documents. Each result has a reference (such as turn1search3), file, date "
        "and a preview with line numbers. Give several phrasings or sub-questions at once; once you know the right "
        "documents, search `within` them.",
        json.dumps(_SCHEMA),
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return queries, mode and restriction as text for the user."""
        where = narrow(arguments, context).summary
        how = _HOW[_mode(arguments)]
        return f"Searching {quoted(_queries(arguments))}{how}" + (f" in {where}" if where else "")

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Search, and add the facet counts of all matching documents."""
        queries = _queries(arguments)
        mode = _mode(arguments)
        limit = integer(arguments, ("limit", "top_k", "k", "max_results"), RESULTS, 1, RESULTS)
        narrowed = narrow(arguments, context)
        first = not context.phrasings  # counting takes as long as a search: only once a run
        found = search_library(queries, mode, limit, narrowed.context, stop)
        if found.failed:
            return found
        counting = first and not arguments.get("within")
        counts = _counts(queries[0], mode, found, narrowed.context, stop) if counting else ""
        notes = [note for note in (*narrowed.notes, counts) if note]
        return _with_notes(found, notes)


def _mode(arguments: Arguments) -> Mode:
    return Mode(choice(arguments, ("mode",), MODES, Mode.HYBRID.value))


def _queries(arguments: Arguments) -> tuple[str, ...]:
    return strings(arguments, ("queries", "query", "q", "keywords"), QUERIES)


def _counts(query: str, mode: Mode, found: ToolResult, context: ToolContext, stop: Stop) -> str:
    """Return the facet counts of the first query if more documents match than were shown."""
    request = SearchRequest(query, mode, scope=context.scope, filters=context.filters)
    try:
        facets = context.retriever.facets(request, stop)
    except QueryError:
        return ""
    shown = len({source.content for source in found.sources})
    return facet_line(facets, what="hold words of the first query") if facets.documents > shown else ""


def _with_notes(found: ToolResult, notes: list[str]) -> ToolResult:
    text = "\n\n".join((found.text, *notes))
    return ToolResult(text, found.summary, found.evidence, found.sources, found.failed, found.chunks)
