"""Search results as the tools share them: several queries merged into one deduplicated list of referenced passages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.events import Source
from desktop_rag.agent.prompts import COVERED
from desktop_rag.agent.tools.numbered_lines import CHARACTERS, LINES, MARGIN, number_lines, preview
from desktop_rag.agent.tools.table_headers import HEADER_DISTANCE, first_line_header, header_lines
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, evidence_of, failure, heading, quoted
from desktop_rag.documents.document import page_of
from desktop_rag.errors import QueryError
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import Hit, LineWindow, Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import binds
from desktop_rag.retrieval.reading.find import Place, windows_of
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

QUERIES = 5
RESULTS = 5  # a query; models never used what ranked below eight
MAX_RESULTS = 10
WHOLE_LINES, WHOLE_CHARACTERS = 45, 2_400  # of a passage shown whole; of a longer one as much around its match
BRIEF_CHARACTERS = 300  # of a preview beside passages that are shown whole
FUSION = 60  # reciprocal rank fusion's constant (Cormack et al. 2009)
COVERED_SO_FAR = "Search by meaning covers {0} so far."
MORE = "More passages fulfil the query than are shown."
_SIMILAR = "Similar passages that do not fulfil the query:"
_ONLY_SIMILAR = f"No passage fulfils the query. {_SIMILAR}"
_INDEXING = "Note: the library is still being indexed; search by meaning covers {coverage:.0%} of it."


@dataclass(slots=True)
class _MergedHit:
    """A hit at its best rank, with its fused score and the queries that found it."""

    hit: Hit
    score: float = 0.0
    queries: list[int] = field(default_factory=list)  # their numbers, from 1


@dataclass(frozen=True, slots=True)
class _MergedHits:
    """The merged hits of all queries, best first, with notes on the search."""

    hits: tuple["_MergedHit", ...]
    similar: tuple["_MergedHit", ...]  # near in meaning to a query with operators, without fulfilling it
    notes: tuple[str, ...]
    failed: bool
    limitation: str  # what could not be searched and why, for the user's summary too


@dataclass(frozen=True, slots=True)
class _Entry:
    """One rendered result."""

    text: str
    evidence: tuple[Evidence, ...]
    source: Source
    whole: bool  # all lines of the passage are shown


def search_library(
    queries: Sequence[str], mode: Mode, limit: int, context: ToolContext, stop: Stop, whole: int = 0
) -> ToolResult:
    """Run queries with `limit` results each; show every passage once, best first by reciprocal rank fusion.

    The `whole` best results are shown whole, long ones around their match, the others by a preview.
    """
    found = _search(queries, mode, limit, context, stop)
    if found.failed:
        return failure("\n".join(found.notes), "The query was not understood")
    if not found.hits and not found.similar:
        summary = _with_remark("Nothing found", found.limitation)
        return ToolResult("\n".join((_nothing(queries, context), *found.notes)), summary)
    return _result(found, context, stop, whole, len(queries))


def _search(queries: Sequence[str], mode: Mode, limit: int, context: ToolContext, stop: Stop) -> _MergedHits:
    merged: dict[ChunkId, _MergedHit] = {}
    similar: dict[ChunkId, _MergedHit] = {}
    notes: list[str] = []
    coverage, refused, limitation = 1.0, 0, ""
    for number, query in enumerate(queries, 1):
        try:
            result = context.search(SearchRequest(query, mode, limit, context.scope, filters=context.filters), stop)
        except QueryError as error:
            refused += 1
            notes.append(not_understood(query, error))
            continue
        coverage = min(coverage, result.coverage)
        if result.note:
            note = f"“{shorten(query, 60)}”: {result.note}"
            notes += [note] if note not in notes else []
            limitation = result.note
        if result.more and MORE not in notes and binds(parse(query).words):
            notes.append(MORE)
        for hit in result.hits:
            known = merged.setdefault(hit.chunk, _MergedHit(hit))
            known.score += 1 / (FUSION + hit.rank)
            known.queries.append(number)
            if hit.rank < known.hit.rank:
                known.hit = hit
        for hit in result.similar:
            similar.setdefault(hit.chunk, _MergedHit(hit)).queries.append(number)
    if coverage < COVERED and mode.by_meaning:
        notes.append(_INDEXING.format(coverage=coverage))
        limitation = limitation or COVERED_SO_FAR.format(f"{coverage:.0%}")
    ordered = sorted(merged.values(), key=lambda found: (-found.score, found.hit.rank, found.hit.chunk))
    apart = [found for chunk, found in similar.items() if chunk not in merged][: max(0, limit - len(merged))]
    return _MergedHits(tuple(ordered), tuple(apart), tuple(notes), refused == len(queries), limitation)


def not_understood(query: str, error: QueryError) -> str:
    """Return what the model is told of a query with an error."""
    hint = f" Try: {error.suggestion}" if error.suggestion else ""
    return f"The query “{shorten(query)}” cannot be understood: {error}{hint}"


def remarks(result: SearchResult) -> tuple[str, ...]:
    """Return notes for the model on what a search could not cover, and why."""
    indexing = result.coverage < COVERED and result.mode.by_meaning
    return tuple(filter(None, (result.note, _INDEXING.format(coverage=result.coverage) if indexing else "")))


def _nothing(queries: Sequence[str], context: ToolContext) -> str:
    where = "the chosen part of the library" if context.scope.folders or context.scope.contents else "the library"
    return f"No passage in {where} matches {quoted(queries, QUERIES)}. Try other words, names or a broader query."


def _result(found: _MergedHits, context: ToolContext, stop: Stop, most: int, asked: int) -> ToolResult:
    """Render the hits within the budget, then the similar ones, with their queries if not all of those `asked`."""
    entries: list[_Entry] = []
    texts: list[str] = []
    left = context.budget - MARGIN
    every = [*found.hits, *found.similar]
    shown = [each for each in every if context.references.of_hit(each.hit).name not in context.discarded]
    first_similar = next((each for each in shown if each in found.similar), None)
    places = [_place(each.hit, whole=number < most) for number, each in enumerate(shown)]
    windows = windows_of(context.retriever, places, stop)
    known: dict[ContentId, set[int]] = {}  # lines shown by better results: passages overlap
    for number, (merged, window) in enumerate(zip(shown, windows, strict=True)):
        if merged is first_similar:
            texts.append(_SIMILAR if found.hits else _ONLY_SIMILAR)
        named, seen = len(merged.queries) < asked, known.setdefault(merged.hit.content, set())
        entry = _entry(merged, window, context, stop, seen if number < most else None, named=named, brief=most > 0)
        left -= context.count_tokens(entry.text) + 1
        if left < 0 and entries:
            break
        entries.append(entry)
        texts.append(entry.text)
        seen.update(range(entry.source.first_line, entry.source.last_line + 1))
    complete = tuple(each.hit.chunk for each, entry in zip(shown, entries, strict=False) if entry.whole)
    documents = len({entry.source.content for entry in entries})
    rest = len(every) - len(entries)
    notes = (*found.notes, *((f"{rest} weaker results are left out to save space.",) if rest else ()))
    return ToolResult(
        "\n\n".join((*texts, *notes)),
        _with_remark(f"{plural(len(entries), 'passage')} in {plural(documents, 'document')}", found.limitation),
        tuple(evidence for entry in entries for evidence in entry.evidence),
        tuple(entry.source for entry in entries),
        chunks=complete,
    )


def _with_remark(summary: str, remark: str) -> str:
    return f"{summary}. {remark}" if remark else summary


def _place(hit: Hit, *, whole: bool) -> Place:
    """Return the lines of a hit's preview, with those above that may be the header of its table; or its own lines."""
    span = hit.span if whole else hit.snippet.span
    last = min(max(span.last_line, span.first_line + LINES - 1), max(hit.span.last_line, span.last_line))
    above = max(span.first_line - HEADER_DISTANCE, 1)
    return hit.content, above, last - above + 1


def _entry(
    merged: _MergedHit,
    window: LineWindow,
    context: ToolContext,
    stop: Stop,
    seen: Collection[int] | None,
    *,
    named: bool,
    brief: bool,
) -> _Entry:
    """Render a hit: whole, as far as its lines were not `seen` yet, or by a preview if that is None."""
    hit = merged.hit
    reference, passage, match = context.references.of_hit(hit), hit.span, hit.snippet.span.first_line
    read = dict(enumerate(window.lines, window.first))
    lines = {number: text for number, text in read.items() if passage.first_line <= number <= passage.last_line}
    chosen = _around_match(lines, match, seen) if seen is not None else ()
    if chosen:
        number = context.shown(chosen[0])
        shown = number_lines([lines[line] for line in chosen], number, context.budget, context.count_tokens)
    else:
        most = BRIEF_CHARACTERS if brief else CHARACTERS
        number, shown = preview(window.lines[match - window.first :], context.shown(match), hit.snippet.text, most)
    first = context.meant(number)
    last = first + max(len(shown.lines), 1) - 1
    header = header_lines(read, first) or first_line_header(
        hit.content, read.get(first, ""), window.first, context, stop
    )
    evidence = [evidence_of(reference, line, (text,), merged.score) for line, text in header.items()]
    evidence.append(evidence_of(reference, first, shown.lines, merged.score, hit.snippet.text, hit.why.across))
    rows = "".join(f"{context.shown(line)}: {text}\n" for line, text in header.items())
    queries = merged.queries if named else ()
    further = _further(hit, chosen, context)
    complete = 0 if shown.cut else len(chosen)
    text = f"{_header(hit, reference, first, queries, context, stop, complete)}\n{rows}{shown.text}{further}"
    source = source_of(reference, first, last, " ".join(shown.lines[:LINES]))
    whole = complete == passage.last_line - passage.first_line + 1
    return _Entry(text, tuple(evidence), source, whole=whole)


def _around_match(lines: Mapping[int, str], match: int, seen: Collection[int]) -> Sequence[int]:
    """Return as many lines around a match as are shown whole, without those `seen`; none if it has no room itself."""
    first = last = match
    left = WHOLE_CHARACTERS - len(lines.get(match, ""))
    if match not in lines or match in seen or left < 0:
        return ()
    grows = True
    while grows:
        grows = False
        for side in (last + 1, first - 1):
            fits = side in lines and side not in seen and len(lines[side]) <= left and last - first + 1 < WHOLE_LINES
            if fits:
                first, last, left, grows = min(first, side), max(last, side), left - len(lines[side]), True
    return range(first, last + 1)


def _further(hit: Hit, shown: Collection[int], context: ToolContext) -> str:
    """Return where else in a passage the words of the query stand, beside the lines shown."""
    places = (place.snippet.span.first_line for place in hit.further)
    lines = dict.fromkeys(context.shown(line) for line in places if line not in shown)
    return f"\nAlso at line {', '.join(map(str, lines))}." if lines else ""


def _header(
    hit: Hit, reference: Reference, line: int, queries: Sequence[int], context: ToolContext, stop: Stop, complete: int
) -> str:
    """Return what stands above a result of so many complete lines; section and heading are those of its first line."""
    structure = context.retriever.layout(hit.content, stop).structure
    section = structure.section_of(line) or hit.section
    under = structure.heading_of(line) or hit.heading
    lines = f"lines {context.shown(hit.span.first_line)}–{context.shown(hit.span.last_line)}"
    if 0 < complete <= hit.span.last_line - hit.span.first_line:
        lines = f"lines {context.shown(line)}–{context.shown(line + complete - 1)} whole, of {lines[6:]}"
    elif complete:
        lines = f"{lines}, whole"
    return heading(
        reference,
        (
            datetime.fromtimestamp(hit.dated_ns / 1e9, UTC).date().isoformat(),
            f"page {hit.page}" if hit.page else "",
            shorten(section),
            f"under “{shorten(under)}”" if under and under not in (section, reference.title) else "",
            lines,
            f"from query {', '.join(map(str, queries))}" if queries else "",
        ),
    )


def at_their_lines(sources: Sequence[Source], context: ToolContext, stop: Stop) -> tuple[Source, ...]:
    """Return sources with page and section of their first lines, which need not be those of their references."""
    layouts = {content: context.retriever.layout(content, stop) for content in {each.content for each in sources}}
    return tuple(
        replace(
            source,
            page=page_of(layouts[source.content].pages, source.first_line),
            section=layouts[source.content].structure.section_of(source.first_line),
        )
        for source in sources
    )


def source_of(
    reference: Reference, first: int, last: int, text: str, page: int | None = None, section: str = ""
) -> Source:
    """Return a passage as a source for the timeline."""
    return Source(
        reference.name,
        reference.content,
        reference.title,
        reference.path,
        first,
        last,
        page or reference.page,
        shorten(text, 200),
        reference.chunk,
        section or reference.section,
    )
