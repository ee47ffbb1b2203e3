"""The tools of AgenticRAG (section 3.3): search by several queries, find inside a document, open a window of it."""

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, choice, strings
from desktop_rag.agent.tools.find_open import (
    PATTERNS,
    PATTERNS_NAMES,
    PER_PATTERN,
    WINDOW,
    document_gone,
    find_in_document,
    line_of,
    open_document,
    opening_summary,
    show_passages,
)
from desktop_rag.agent.tools.query_phrasing import plain_query
from desktop_rag.agent.tools.search_results import MAX_RESULTS, QUERIES, remarks, search_library
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, paper_spec, quoted
from desktop_rag.retrieval.api import Mode, Passage, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

REFERENCE_NAMES = ("reference_id", "reference", "ref", "id")
QUERY_NAMES = ("queries", "query", "q", "keywords")
LEXICAL, SEMANTIC = "lexical", "semantic"

_REFERENCE = {"type": "string", "description": "the reference of a search result, as it stands there in brackets"}
_RESULT = (
    "Each result has a reference, the title and name of its file, type, date, and a preview whose lines are numbered."
)


class MultiQuerySearchTool:
    """Search by up to five queries at once, ten results each, merged and deduplicated."""

    parameters = ("queries",)
    spec = paper_spec(
        "search",
        f"Look for documents in the whole library, by up to {QUERIES} queries at once. {_RESULT}",
        {
            "queries": {
                "type": "array",
                "items": {"type": "string"},
                "maxItems": QUERIES,
                "description": "different wordings or sub-questions, in plain language",
            }
        },
        "queries",
    )
    _most, _results = QUERIES, MAX_RESULTS

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the queries as text for the user."""
        return f"Searching {quoted(self._queries(arguments))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Run all queries in hybrid mode."""
        return search_library(self._queries(arguments), Mode.HYBRID, self._results, context, stop)

    def _queries(self, arguments: Arguments) -> tuple[str, ...]:
        asked = strings(arguments, (self.parameters[0], *QUERY_NAMES), self._most)
        queries = tuple(query for text in asked if (query := plain_query(text)))
        if not queries:
            raise ArgumentError(f"There is no word in {quoted(asked)} to search for.")
        return queries


class SingleQuerySearchTool(MultiQuerySearchTool):
    """Search by one query, with as many results as five queries return."""

    parameters = ("query",)
    spec = paper_spec(
        "search",
        f"Look for documents in the whole library. {_RESULT}",
        {"query": {"type": "string", "description": "what to look for, in plain language"}},
        "query",
    )
    _most, _results = 1, QUERIES * MAX_RESULTS


class AgenticRagFindTool:
    """Find patterns in the document of a reference, as substrings or by meaning."""

    def __init__(self, *, semantic: bool = True) -> None:
        self.parameters: Sequence[str] = ("reference_id", "patterns", *(("mode",) if semantic else ()))
        self._modes = (LEXICAL, SEMANTIC) if semantic else (LEXICAL,)
        properties: dict[str, object] = {
            "reference_id": _REFERENCE,
            "patterns": {
                "type": "array",
                "items": {"type": "string"},
                "maxItems": PATTERNS,
                "description": "words or short phrases; upper and lower case are equal",
            },
        }
        if semantic:
            modes = "lexical (default): where the pattern stands as it is written; semantic: where its meaning does"
            properties["mode"] = {"type": "string", "enum": list(self._modes), "description": modes}
        self.spec = paper_spec(
            "find",
            f"Look inside one document of the search results: up to {PER_PATTERN} passages for each pattern, with "
            "line numbers.",
            properties,
            "reference_id",
            "patterns",
        )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return patterns and document as text for the user."""
        reference, patterns, _ = self._read(arguments, context)
        return f"Looking for {quoted(patterns)} in {shorten(context.references.display_title(reference))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show each passage once; name the patterns without a match."""
        reference, patterns, mode = self._read(arguments, context)
        if mode == LEXICAL:
            return find_in_document(reference, patterns, context, stop)
        return _find_by_meaning(reference, patterns, context, stop)

    def _read(self, arguments: Arguments, context: ToolContext) -> tuple[Reference, tuple[str, ...], str]:
        patterns = strings(arguments, PATTERNS_NAMES, PATTERNS, 200)
        mode = choice(arguments, ("mode",), self._modes, LEXICAL)
        return context.reference(strings(arguments, REFERENCE_NAMES, 1)[0]), patterns, mode


class AgenticRagOpenTool:
    """Open the document of a reference at a line."""

    parameters = ("reference_id", "line")
    spec = paper_spec(
        "open",
        f"Read one document of the search results, {WINDOW:,} lines at a time, from its beginning or from a line of "
        "your choice. The header says which of its lines you see.",
        {
            "reference_id": _REFERENCE,
            "line": {"type": "integer", "minimum": 0, "description": "the line to begin with (default 0)"},
        },
        "reference_id",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return document and line as text for the user."""
        return opening_summary(self._reference(arguments, context), line_of(arguments, context), context)

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show a window of lines."""
        return open_document(self._reference(arguments, context), line_of(arguments, context), context, stop)

    def _reference(self, arguments: Arguments, context: ToolContext) -> Reference:
        return context.reference(strings(arguments, REFERENCE_NAMES, 1)[0])


def _find_by_meaning(reference: Reference, patterns: Sequence[str], context: ToolContext, stop: Stop) -> ToolResult:
    card = context.retriever.describe(reference.content, stop)
    if card is None or card.path is None:
        return document_gone(reference)
    inside = replace(context.scope, contents=(reference.content,))
    passages: list[Passage] = []
    notes: dict[str, None] = {}
    for pattern in patterns:
        if not (query := plain_query(pattern)):
            continue
        request = SearchRequest(query, Mode.SEMANTIC, PER_PATTERN, inside, per_file=0)
        result = context.retriever.search(request, stop)  # inside one document: no search of the library
        notes |= dict.fromkeys(remarks(result))
        for hit in result.hits:
            first, last = hit.snippet.span.first_line, hit.snippet.span.last_line
            window = context.retriever.read_lines(reference.content, first, last - first + 1, stop)
            passages.append(Passage(reference.content, pattern, first, window.lines, hit.page, (), hit.section))
    shown = show_passages(reference, patterns, passages, context, stop)
    return replace(shown, text="\n\n".join((shown.text, *notes)))
