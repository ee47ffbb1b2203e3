"""The search tool, and what restricts a tool call to some documents: references, or type, folder, author and date."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, choice, integer, strings
from desktop_rag.agent.tools.search_results import QUERIES, RESULTS, search_library
from desktop_rag.agent.tools.tool import (
    ToolContext,
    ToolResult,
    list_parameter,
    number_parameter,
    quoted,
    text_parameter,
    tool_spec,
)
from desktop_rag.errors import QueryError
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Facet, Facets, Mode, SearchRequest
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, shorten

WITHIN = 20  # references a call may name
VALUES = 5  # of one condition
FACET_VALUES = 4  # values of a facet
FIELDS: Mapping[str, FileField] = {
    "type": FileField.EXT,
    "folder": FileField.FOLDER,
    "author": FileField.AUTHOR,
    "date": FileField.DATE,
}
PROPERTIES = {
    "type": text_parameter("pdf, docx …"),
    "folder": text_parameter(),
    "author": text_parameter(),
    "date": text_parameter("2023-05, 2022 TO 2024"),
}
_UNKNOWN = {
    FileField.EXT: "No document has the type “{0}”.",
    FileField.FOLDER: "There is no folder “{0}” with documents.",
    FileField.AUTHOR: "No document has an author “{0}”.",
    FileField.DATE: "No document has a date in “{0}”.",
}
_RANGE = re.compile(r"\s*(?:\bto\b|\bbis\b|\buntil\b|\.\.\.?|–|—|(?<=\d{4})-(?=\d{4}\b))\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NarrowedContext:
    """The context of a call restricted to some documents, with notes for the model."""

    context: ToolContext
    notes: tuple[str, ...]
    summary: str  # for the user: “2 documents, pdf”
    own: tuple[Filter, ...] = ()  # the conditions of the call itself

    def unknown(self, stop: Stop) -> str:
        """Return which of the call's own conditions no document fulfils, and what would; "" if each has some."""
        theirs = tuple(each for each in self.context.filters if each not in self.own)
        said = list[str]()
        for each in self.own:
            asked = DocumentQuery(scope=self.context.scope, filters=(*theirs, each), limit=1)
            if not self.context.retriever.documents(asked, stop).cards:
                said.append(_UNKNOWN[each.field].format(shorten(one_line(each.text))))
        if not said:
            return ""
        every = DocumentQuery(scope=self.context.scope, filters=theirs, limit=1, with_facets=True)
        there = facet_line(self.context.retriever.documents(every, stop).facets, what="are there")
        return " ".join(filter(None, (*said, there)))

    @property
    def has_alternatives(self) -> bool:
        """Return whether one condition of the call has several values, some of which nothing may fulfil."""
        return len({each.field for each in self.own}) < len(self.own)


def narrow(arguments: Arguments, context: ToolContext) -> NarrowedContext:
    """Apply the conditions of a call; the user's own always hold."""
    within, unknown = _within(arguments, context)
    scope = context.scope
    own, notes = _filters(arguments, (*context.filters, *scope.filters), forgiving=context.forgiving)
    if unknown:
        notes += (f"Nothing is called {quoted(unknown)}: `within` is left out.",)
    summary = [each.text for each in own]
    if within:
        scope = replace(scope, contents=within)
        summary.insert(0, f"{len(within)} document{'s' if len(within) != 1 else ''}")
    narrowed = replace(context, scope=scope, filters=(*context.filters, *own))
    return NarrowedContext(narrowed, notes, ", ".join(summary), own)


def _within(arguments: Arguments, context: ToolContext) -> tuple[tuple[ContentId, ...], list[str]]:
    """Return the contents that the call names within the user's scope, and names of nothing, if these are forgiven."""
    names = [name for name in ("within", "references", "documents") if arguments.get(name)]
    found: dict[ContentId, None] = {}
    unknown: list[str] = []
    for name in strings(arguments, names, WITHIN) if names else ():
        try:
            found[context.reference(name).content] = None
        except ArgumentError:
            if not context.forgiving:
                raise
            unknown.append(name)
    allowed = context.scope.contents
    inside = [content for content in found if not allowed or content in allowed]
    if found and not inside:
        raise ArgumentError("The user chose other documents to look in. Leave `within` out.")
    return tuple(inside), unknown


def _filters(
    arguments: Arguments, given: Iterable[Filter], *, forgiving: bool
) -> tuple[tuple[Filter, ...], tuple[str, ...]]:
    used = {each.field for each in given}
    own: list[Filter] = []
    notes: list[str] = []
    for name, field in FIELDS.items():
        if not arguments.get(name):
            continue
        try:
            values = strings(arguments, (name,), VALUES, 200)
            if field is FileField.EXT:  # models also write “md, txt”
                values = tuple(re.findall(r"[^\s,;]+", " ".join(values)))[:VALUES]
            own += [Filter(field, _value(field, value), narrows=field in used) for value in values]
        except ArgumentError as error:
            if not forgiving:
                raise
            notes.append(f"`{name}` is left out: {error}")
            continue
        if field in used:
            notes.append(f"The user has chosen the {name}; {quoted(values)} applies within it.")
    return tuple(own), tuple(notes)


def _value(field: FileField, text: str) -> str:
    if field is FileField.EXT:
        return text.lstrip(".*").lower()
    if field is not FileField.DATE:
        return text
    wanted = _RANGE.sub(" TO ", text)
    if period(wanted, date.today()) is None:
        raise ArgumentError(f'"date" must be a year, a month, a day or a range (2022 TO 2024), not “{shorten(text)}”.')
    return wanted


def facet_line(facets: Facets, *, what: str) -> str:
    """Return the facet counts of documents on one line; empty if there is only one value each."""
    kinds, places = ("types", facets.types), ("folders", facets.folders)
    lists = (kinds, places, ("changed", facets.dates), ("authors", facets.authors))
    parts = [f"{name}: {_values(found, name)}" for name, found in lists if len(found) > 1]
    about, of_best = ("About ", ", of the best ones") if facets.about else ("", "")
    return f"{about}{facets.documents:,} documents {what}. {'; '.join(parts)}{of_best}." if parts else ""


def _values(facets: tuple[Facet, ...], name: str) -> str:
    most = (
        sorted(facets, key=lambda facet: -facet.count)[:FACET_VALUES]
        if name != "changed"
        else facets[-2 * FACET_VALUES :]
    )
    rest = len(facets) - len(most)
    shown = ", ".join(f"{shorten(facet.label, 40)} {facet.count:,}" for facet in most)
    return f"{shown}, {rest} more" if rest else shown


# The search tool of the default toolkit: several modes, restricted to some documents or not.

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
        return replace(found, text="\n\n".join((found.text, *notes)))

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
