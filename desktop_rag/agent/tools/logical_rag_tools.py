"""The search tools of LogicalRAG (appendix A): in the query language, and the hybrid baseline in plain language."""

from collections.abc import Mapping

from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, choice, integer, strings
from desktop_rag.agent.tools.chunk_passages import whole_chunks
from desktop_rag.agent.tools.query_phrasing import has_boolean_words, has_operators, plain_query
from desktop_rag.agent.tools.search_results import not_understood, remarks
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, failure, paper_spec, quoted
from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import ClauseCount, Mode, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

RESULTS, RESULTS_LIMIT = 5, 20
QUERY_NAMES = ("query", "queries", "q", "keywords")
RESULT_NAMES = ("max_results", "limit", "top_k", "k")
OPERATORS = ("OR", "AND")

_MAX_RESULTS: Mapping[str, object] = {
    "type": "integer",
    "minimum": 1,
    "maximum": RESULTS_LIMIT,
    "description": f"how many passages to return, the best first (default {RESULTS})",
}
_DEFAULT_OPERATOR: Mapping[str, object] = {
    "type": "string",
    "enum": list(OPERATORS),
    "description": "what joins bare words: OR (default) ranks what has more of them higher, AND demands all",
}
_LOGIC = "AND OR NOT and brackets; "
_SYNTAX = (
    '"exact phrase"; fields title:word content:word title:"several words"; a weight word^2. '
    "Returns whole passages with reference and line numbers."
)
_STRATEGY = (
    "It matches the words of titles and texts (BM25 ranks what matches), not meanings. Start broad, with few and "
    "distinctive words; too much comes back: narrow with {narrow}phrases or fields{exclude}; nothing comes back: ask "
    "for less. In a question of several steps search one step at a time, with the names the last one brought. Do not "
    "search the same in other words. Examples: Vivaldi opera libretto, then {example}; "
    'title:"Antonio Vivaldi" for a page whose name is known{distractor}.'
)
_NO_LOGIC = "AND, OR, NOT, + and - and brackets are not available here. Write words and “phrases” only."
_PLAIN = (
    "AND, OR and NOT mean nothing to this search: it takes a short question or statement in plain language. "
    "Write it without them, such as “{example}”."
)


class LogicalSearchTool:
    """Search in the query language; `operators` allows Boolean logic, `strategy` adds advice to the description."""

    def __init__(self, *, operators: bool = True, strategy: bool = True) -> None:
        self._operators = operators
        self.parameters = ("query", *(("default_operator",) if operators else ()), "max_results")
        properties: dict[str, Mapping[str, object]] = {"query": {"type": "string", "description": "the query"}}
        if operators:
            properties["default_operator"] = _DEFAULT_OPERATOR
        properties["max_results"] = _MAX_RESULTS
        syntax = f"Search passages in Lucene's query syntax: words; {_LOGIC if operators else ''}{_SYNTAX}"
        self.spec = paper_spec(
            "search",
            f"{syntax} {_strategy(operators=operators)}" if strategy else syntax,
            properties,
            "query",
        )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the query as text for the user."""
        query, default_and = self._read(arguments)
        return f"Searching {quoted((query,))}" + (" (all words)" if default_and else "")

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show the matches, and name the clauses that match no document."""
        query, default_and = self._read(arguments)
        if not self._operators and has_operators(query):
            return failure(_NO_LOGIC, "The query was not understood")
        limit = integer(arguments, RESULT_NAMES, RESULTS, 1, RESULTS_LIMIT)
        request = SearchRequest(
            query,
            Mode.KEYWORD,
            limit,
            context.scope,
            per_file=0,
            default_and=default_and,
            filters=context.filters,
            published=True,
        )
        try:
            result = context.search(request, stop)
            clauses = context.retriever.clauses(request, stop)
        except QueryError as error:
            return failure(not_understood(query, error), "The query was not understood")
        if not result.hits:
            return _failed(clauses, result)
        missing = [clause.text for clause in clauses if not clause.documents and not clause.forbidden]
        return whole_chunks(
            result, [f"No document holds {quoted(missing, RESULTS_LIMIT)}."] if missing else [], context, stop
        )

    def _read(self, arguments: Arguments) -> tuple[str, bool]:
        query = strings(arguments, QUERY_NAMES, 1)[0]
        if not self._operators:
            return query, False
        return query, choice(arguments, ("default_operator", "operator"), ("or", "and"), "or") == "and"


class HybridSearchTool:
    """Search by words and meaning, merged by reciprocal rank fusion; queries are plain language."""

    parameters = ("query", "max_results")
    spec = paper_spec(
        "search",
        "Search passages by their words and by their meaning together; it also finds other names for a thing and "
        "indirect wordings. Write a short query in plain language: what you would say, not a heap of keywords, and no "
        "Boolean syntax such as AND, OR, NOT. Names, titles, years, places and rare words help. Start with the most "
        "distinctive names and relations. In a question of several steps search one step at a time. Poor results: say "
        "more clearly what this step needs. Nothing fits: try other names, paraphrases and forms of the words. More "
        "candidates of a matter: raise `max_results`. Examples: “author of The Old Man and the Sea”, then “where did "
        "Ernest Hemingway go to school”. Returns whole passages with reference and line numbers.",
        {
            "query": {"type": "string", "description": "a short query in plain language"},
            "max_results": _MAX_RESULTS,
        },
        "query",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the query as text for the user."""
        return f"Searching {quoted((_query(arguments),))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show the passages found; reject Boolean syntax with a hint."""
        text = _query(arguments)
        query = plain_query(text)
        if has_boolean_words(text):
            return failure(_PLAIN.format(example=shorten(query, 120)), "Not in plain language")
        if not query:
            raise ArgumentError(f"There is no word in {quoted((text,))} to search for.")
        limit = integer(arguments, RESULT_NAMES, RESULTS, 1, RESULTS_LIMIT)
        request = SearchRequest(
            query, Mode.HYBRID, limit, context.scope, per_file=0, filters=context.filters, published=True
        )
        result = context.search(request, stop)
        if not result.hits:
            text = "No passage was found. Say it in other words, or look for another step first."
            return ToolResult("\n".join((text, *remarks(result))), "Nothing found")
        return whole_chunks(result, [], context, stop)


def _strategy(*, operators: bool) -> str:
    return _STRATEGY.format(
        narrow="AND, " if operators else "",
        exclude=", exclude what misleads with NOT" if operators else "",
        example='Vivaldi AND "Italian libretto"' if operators else 'Vivaldi "Italian libretto"',
        distractor="; Griselda NOT Scarlatti" if operators else "",
    )


def _query(arguments: Arguments) -> str:
    return strings(arguments, QUERY_NAMES, 1)[0]


def _failed(clauses: tuple[ClauseCount, ...], result: SearchResult) -> ToolResult:
    """Explain an empty result: which clause matches nothing, or that no passage matches all clauses."""
    lines = [f"- {'NOT ' if clause.forbidden else ''}{clause.text}: {_documents(clause)}" for clause in clauses]
    absent = [clause.text for clause in clauses if not clause.documents and not clause.forbidden]
    if absent:
        advice = f"{quoted(absent, RESULTS_LIMIT)} stands nowhere: leave it out, or look for another spelling or name."
    else:
        advice = "No passage has all of it together: ask for less, or search one step at a time."
    text = "No passage matches this query."
    if lines:
        text = "\n".join((f"{text} What its parts match by themselves:", *lines, advice))
    summary = f"Nothing found; {quoted(absent)} stands nowhere" if absent else "Nothing found"
    return ToolResult("\n".join((text, *remarks(result))), summary)


def _documents(clause: ClauseCount) -> str:
    about = "about " if clause.about else ""
    return about + plural(clause.documents, "document") if clause.documents else "no document at all"
