"""Search results as the tools share them: several queries merged into one deduplicated list of referenced passages."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop_rag.agent.citations.references import Reference, readable
from desktop_rag.agent.events import Source
from desktop_rag.agent.prompts import COVERED
from desktop_rag.agent.tools.numbered_lines import LINES, MARGIN, preview
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, failure, quoted
from desktop_rag.errors import QueryError
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import Hit, Mode, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

QUERIES = 5
RESULTS = 10
FUSION = 60  # reciprocal rank fusion's constant (Cormack et al. 2009)
_INDEXING = "Note: the library is still being indexed; search by meaning covers {coverage:.0%} of it."


@dataclass(frozen=True, slots=True)
class _MergedHits:
    """The merged hits of all queries, best first, with notes on the search."""

    hits: tuple[tuple[Hit, float], ...]
    notes: tuple[str, ...]
    failed: bool
    limitation: str  # what could not be searched and why, for the user's summary too


@dataclass(frozen=True, slots=True)
class _Entry:
    """One rendered result."""

    text: str
    evidence: Evidence
    source: Source


def search_library(queries: Sequence[str], mode: Mode, limit: int, context: ToolContext, stop: Stop) -> ToolResult:
    """Run queries with `limit` results each; show every passage once, best first by reciprocal rank fusion."""
    found = _search(queries, mode, limit, context, stop)
    if found.failed:
        return failure("\n".join(found.notes), "The query was not understood")
    if not found.hits:
        summary = _with_remark("Nothing found", found.limitation)
        return ToolResult("\n".join((_nothing(queries, context), *found.notes)), summary)
    return _result(found, context, stop)


def _search(queries: Sequence[str], mode: Mode, limit: int, context: ToolContext, stop: Stop) -> _MergedHits:
    scores: dict[ChunkId, float] = defaultdict(float)
    best: dict[ChunkId, Hit] = {}
    notes: list[str] = []
    coverage, refused, limitation = 1.0, 0, ""
    for query in queries:
        try:
            result = context.search(SearchRequest(query, mode, limit, context.scope, filters=context.filters), stop)
        except QueryError as error:
            refused += 1
            hint = f" Try: {error.suggestion}" if error.suggestion else ""
            notes.append(f"The query “{shorten(query)}” cannot be understood: {error}{hint}")
            continue
        coverage = min(coverage, result.coverage)
        if result.note and result.note not in notes:
            notes.append(result.note)
            limitation = result.note
        for hit in result.hits:
            scores[hit.chunk] += 1 / (FUSION + hit.rank)
            if hit.chunk not in best or hit.rank < best[hit.chunk].rank:
                best[hit.chunk] = hit
    if coverage < COVERED and mode.by_meaning:
        notes.append(_INDEXING.format(coverage=coverage))
        limitation = limitation or f"Search by meaning covers {coverage:.0%} so far."
    ordered = sorted(scores, key=lambda chunk: (-scores[chunk], best[chunk].rank, chunk))
    return _MergedHits(tuple((best[c], scores[c]) for c in ordered), tuple(notes), refused == len(queries), limitation)


def remarks(result: SearchResult) -> tuple[str, ...]:
    """Return notes for the model on what a search could not cover, and why."""
    indexing = result.coverage < COVERED and result.mode.by_meaning
    return tuple(filter(None, (result.note, _INDEXING.format(coverage=result.coverage) if indexing else "")))


def _nothing(queries: Sequence[str], context: ToolContext) -> str:
    where = "the chosen part of the library" if context.scope.folders or context.scope.contents else "the library"
    return f"No passage in {where} matches {quoted(queries, QUERIES)}. Try other words, names or a broader query."


def _result(found: _MergedHits, context: ToolContext, stop: Stop) -> ToolResult:
    entries: list[_Entry] = []
    left = context.budget - MARGIN
    for hit, score in found.hits:
        if context.references.of_hit(hit).name in context.discarded:
            continue
        entry = _entry(hit, score, context, stop)
        left -= context.count_tokens(entry.text) + 1
        if left < 0 and entries:
            break
        entries.append(entry)
    documents = len({entry.source.content for entry in entries})
    rest = len(found.hits) - len(entries)
    notes = (*found.notes, *((f"{rest} weaker results are left out to save space.",) if rest else ()))
    return ToolResult(
        "\n\n".join((*(entry.text for entry in entries), *notes)),
        _with_remark(f"{plural(len(entries), 'passage')} in {plural(documents, 'document')}", found.limitation),
        tuple(entry.evidence for entry in entries),
        tuple(entry.source for entry in entries),
    )


def _with_remark(summary: str, remark: str) -> str:
    return f"{summary}. {remark}" if remark else summary


def _entry(hit: Hit, score: float, context: ToolContext, stop: Stop) -> _Entry:
    reference = context.references.of_hit(hit)
    span = hit.snippet.span
    last = min(max(span.last_line, span.first_line + LINES - 1), max(hit.span.last_line, span.last_line))
    window = context.retriever.read_lines(hit.content, span.first_line, last - span.first_line + 1, stop)
    number, shown = preview(window.lines, context.shown(window.first), hit.snippet.text)
    first = context.meant(number)
    last = first + max(len(shown.lines), 1) - 1
    text = f"{_header(hit, reference, context)}\n{shown.text}"
    evidence = Evidence(reference.name, reference.title, first, shown.lines, score, hit.snippet.text)
    return _Entry(text, evidence, source_of(reference, first, last, " ".join(shown.lines)))


def _header(hit: Hit, reference: Reference, context: ToolContext) -> str:
    name = readable(hit.path.name)
    parts = [f"file {name}"] if name != reference.title else []
    parts += [hit.format, datetime.fromtimestamp(hit.modified_ns / 1e9, UTC).date().isoformat()]
    parts += [f"page {hit.page}"] if hit.page else []
    parts += [shorten(hit.section)] if hit.section else []
    parts += [f"under “{shorten(hit.heading)}”"] if hit.heading else []
    parts.append(f"lines {context.shown(hit.span.first_line)}–{context.shown(hit.span.last_line)}")
    return f"[{reference.name}] {shorten(reference.title, 100)} ({', '.join(part for part in parts if part)})"


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
