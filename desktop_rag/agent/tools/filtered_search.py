"""The search tool of the default toolkit: several modes, restricted to some documents or not."""

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, choice, integer, strings
from desktop_rag.agent.tools.document_filter import PROPERTIES, WITHIN, narrow
from desktop_rag.agent.tools.search_results import QUERIES, RESULTS, search_library
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, list_parameter, number_parameter, quoted, tool_spec
from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

MODES = (Mode.HYBRID, Mode.LINKED, Mode.SEMANTIC, Mode.EXACT, Mode.KEYWORD)
LITERAL_MODES = (Mode.KEYWORD, Mode.EXACT)

_LINKED = "linked: also what the best results name, for questions that need several documents"
_KEYWORD = 'keyword: AND OR NOT "phrase" title: path:'

MAX_LISTED = 50  # results a query, for questions that ask for every document

_HOW = {
    Mode.HYBRID: "",
    Mode.RERANKED: "",
    Mode.BEST: " and what it leads to",
    Mode.KEYWORD: " by words",
    Mode.EXACT: " letter by letter",
    Mode.SEMANTIC: " by meaning",
    Mode.LINKED: " and what it leads to",
}


class NarrowedSearchTool:
    """Search the library, or some of its documents, by up to five queries at once; the first mode is the default."""

    parameters = ("queries", "mode", "limit", "within", *PROPERTIES)

    def __init__(self, modes: Sequence[Mode] = MODES) -> None:
        self._modes = tuple(mode.value for mode in modes)
        self.spec = tool_spec(
            "search",
            "Search passages; each result has a reference, file and numbered lines.",
            {
                "queries": list_parameter(QUERIES),
                "mode": {
                    "type": "string",
                    "enum": list(self._modes),
                    "description": f"{_LINKED}; {_KEYWORD}" if Mode.LINKED in modes else _KEYWORD,
                },
                "limit": number_parameter(f"default {RESULTS}, at most {MAX_LISTED}"),
                "within": list_parameter(WITHIN, "references: only their documents"),
                **PROPERTIES,
            },
            "queries",
        )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return queries, mode and restriction as text for the user."""
        where = narrow(arguments, context).summary
        how = _HOW[self._mode(arguments, context)]
        return f"Searching {quoted(_queries(arguments))}{how}" + (f" in {where}" if where else "")

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Search, and add how many documents match."""
        queries = _queries(arguments)
        mode = self._mode(arguments, context)
        limit = integer(arguments, ("limit", "top_k", "k", "max_results"), RESULTS, 1, MAX_LISTED)
        narrowed = narrow(arguments, context)
        first = not context.phrasings  # counting takes as long as a search: only once a run
        found = search_library(queries, mode, limit, narrowed.context, stop, context.whole_hits)
        if found.failed:
            return found
        unknown = narrowed.unknown(stop) if not found.sources or narrowed.has_alternatives else ""
        if not found.sources and narrowed.own and context.forgiving:
            wider = replace(narrowed.context, filters=context.filters)
            found = search_library(queries, mode, limit, wider, stop, context.whole_hits)
            left_out = f"Nothing fulfils {quoted([each.text for each in narrowed.own])}, which is left out here."
            narrowed = replace(narrowed, context=wider, notes=(*narrowed.notes, left_out))
        elif unknown and not found.sources:
            return ToolResult(unknown, "No such document")
        counting = first and not (mode.by_meaning or arguments.get("within"))  # by meaning everything is a match
        counts = _counts(queries[0], mode, found, narrowed.context, stop) if counting else ""
        notes = [note for note in (*narrowed.notes, unknown, counts) if note]
        return _with_notes(found, notes)

    def _mode(self, arguments: Arguments, context: ToolContext) -> Mode:
        try:
            return Mode(choice(arguments, ("mode",), self._modes, self._modes[0]))
        except ArgumentError:
            if not context.forgiving:
                raise
            return Mode(self._modes[0])


class SlimSearchTool(NarrowedSearchTool):
    """The same search by queries alone: a model that writes its calls as text fills in whatever else is offered."""

    parameters = ("queries",)

    def __init__(self) -> None:
        super().__init__()
        described = "Search passages; each result has a reference, file and numbered lines."
        self.spec = tool_spec("search", described, {"queries": list_parameter(QUERIES)}, "queries")

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the queries as text for the user."""
        return super().summarize({"queries": list(_queries(arguments))}, context)

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Search for the queries."""
        return super().run({"queries": list(_queries(arguments))}, context, stop)


def _queries(arguments: Arguments) -> tuple[str, ...]:
    return strings(arguments, ("queries", "query", "q", "keywords"), QUERIES)


def _counts(query: str, mode: Mode, found: ToolResult, context: ToolContext, stop: Stop) -> str:
    """Return how many documents match the first query if they are more than were shown."""
    request = SearchRequest(query, mode, scope=context.scope, filters=context.filters)
    try:
        counted = context.retriever.facets(request, stop)
    except QueryError:
        return ""
    shown = len({source.content for source in found.sources})
    about = "About " if counted.about else ""
    matching = f"{about}{plural(counted.documents, 'document')} have words of “{shorten(query, 60)}”"
    return f"{matching}; the best are shown." if counted.documents > shown else ""


def _with_notes(found: ToolResult, notes: list[str]) -> ToolResult:
    return replace(found, text="\n\n".join((found.text, *notes)))
