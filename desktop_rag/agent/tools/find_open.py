"""The tools for one document: find words in it, open it at a line."""

from collections.abc import Mapping, Sequence

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import Arguments, integer, strings
from desktop_rag.agent.tools.numbered_lines import MARGIN, number_lines
from desktop_rag.agent.tools.search_results import at_their_lines, source_of
from desktop_rag.agent.tools.table_headers import HEADER_DISTANCE, first_line_header, header_lines, is_row
from desktop_rag.agent.tools.tool import (
    ToolContext,
    ToolResult,
    evidence_of,
    failure,
    heading,
    list_parameter,
    number_parameter,
    quoted,
    text_parameter,
    tool_spec,
)
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import Passage
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

PATTERNS = 10
PER_PATTERN = 2
WINDOW = 1_800
REFERENCE_NAMES = ("reference", "ref", "reference_id", "id", "document", "path", "file", "uri")
PATTERNS_NAMES = ("patterns", "pattern", "keywords", "query", "queries")
LINE_NAMES = ("line", "line_number", "start_line", "start")


class FindTool:
    """Find literal words in the document of a reference."""

    parameters = ("reference", "patterns")
    spec = tool_spec(
        "find",
        f"Find words in one document: up to {PER_PATTERN} passages for each.",
        {
            "reference": text_parameter(),
            "patterns": list_parameter(PATTERNS, "words or phrases as written"),
        },
        "reference",
        "patterns",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return patterns and document as text for the user."""
        reference, patterns = self._read(arguments, context)
        return f"Looking for {quoted(patterns)} in {shorten(context.references.display_title(reference))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show each passage once; name the patterns without a match."""
        reference, patterns = self._read(arguments, context)
        return find_in_document(reference, patterns, context, stop)

    def _read(self, arguments: Arguments, context: ToolContext) -> tuple[Reference, tuple[str, ...]]:
        patterns = strings(arguments, PATTERNS_NAMES, PATTERNS, 200)
        return context.reference(strings(arguments, REFERENCE_NAMES, 1)[0]), patterns


class OpenTool:
    """Open the document of a reference at a line."""

    parameters = ("reference", "line", "lines")
    spec = tool_spec(
        "open",
        "Read a document from a line on.",
        {
            "reference": text_parameter(),
            "line": number_parameter("default 1"),
            "lines": number_parameter("how many; default all that fit"),
        },
        "reference",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return document and line as text for the user."""
        reference = context.reference(strings(arguments, REFERENCE_NAMES, 1)[0])
        return opening_summary(reference, line_of(arguments, context), context)

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show a window of lines within the budget, with a header that gives its range."""
        reference = context.reference(strings(arguments, REFERENCE_NAMES, 1)[0])
        lines = integer(arguments, ("lines", "count", "limit", "n"), WINDOW, 1, WINDOW)
        return open_document(reference, line_of(arguments, context), context, stop, lines=lines)


def find_in_document(reference: Reference, patterns: Sequence[str], context: ToolContext, stop: Stop) -> ToolResult:
    """Show the passages of a document that contain a pattern, each once; name the patterns without a match."""
    card = context.retriever.describe(reference.content, stop)
    if card is None or card.path is None:
        return document_gone(reference)
    passages = context.retriever.find(reference.content, tuple(patterns), PER_PATTERN, stop)
    return show_passages(reference, patterns, passages, context, stop)


def show_passages(
    reference: Reference, patterns: Sequence[str], passages: Sequence[Passage], context: ToolContext, stop: Stop
) -> ToolResult:
    """Show passages of one document, each once; name the patterns without a match."""
    distinct = {(passage.first, passage.lines): passage for passage in reversed(passages)}
    ordered = sorted(distinct.values(), key=lambda passage: passage.first)
    missing = [p for p in patterns if not any(p == passage.pattern for passage in passages)]
    notes = [f"No match for {quoted(missing, PATTERNS)}."] if missing else []
    if not ordered:
        hint = "Try a shorter word or another spelling, or open the document."
        return ToolResult(f"{notes[0]} {hint}", "No match")
    return _result(reference, ordered, notes, context, stop)


def opening_summary(reference: Reference, line: int, context: ToolContext) -> str:
    """Return document and line as text for the user."""
    return f"Opening {shorten(context.references.display_title(reference))}" + (
        f" at line {line:,}" if line > 1 else ""
    )


def open_document(
    reference: Reference, line: int, context: ToolContext, stop: Stop, *, lines: int = WINDOW
) -> ToolResult:
    """Show up to `lines` lines from `line` (from 1) within the budget, with a header that gives their range."""
    card = context.retriever.describe(reference.content, stop)
    if card is None or card.path is None:
        return document_gone(reference)
    if line > card.lines:
        text = f"{reference.name} has only {card.lines} lines; line {context.shown(line)} is beyond its end."
        return failure(text, "No such line")
    window = context.retriever.read_lines(reference.content, line, lines, stop)
    number = context.shown(window.first)
    header = _header_above(reference.content, window.first, window.lines, (), context, stop)
    rows = _numbered(header, context)
    left = context.budget - MARGIN - context.count_tokens(rows)
    shown = number_lines(window.lines, number, left, context.count_tokens)
    last = window.first + len(shown.lines) - 1
    viewing = f"Viewing lines [{number}–{context.shown(last)}] of {window.total} lines"
    more = _continuation(context.shown(last + 1), cut=shown.cut) if last < window.total else ""
    text = f"{heading(reference)}\n{viewing}\n{rows}{shown.text}{more}"
    evidence = (
        *(evidence_of(reference, line, (row,)) for line, row in header.items()),
        evidence_of(reference, window.first, shown.lines),
    )
    source = source_of(reference, window.first, last, " ".join(shown.lines[:5]))
    return ToolResult(
        text, f"Lines {window.first:,}–{last:,} of {window.total:,}", evidence, at_their_lines((source,), context, stop)
    )


def _result(
    reference: Reference, passages: list[Passage], notes: list[str], context: ToolContext, stop: Stop
) -> ToolResult:
    texts, evidence, sources = [heading(reference)], list[Evidence](), list[Source]()
    left = context.budget - MARGIN - sum(map(context.count_tokens, notes))
    for passage in passages:
        last_line = passage.first + len(passage.lines)
        matched = [number for number, _, _ in passage.marks] or range(passage.first, last_line)
        header = _header_above(passage.content, passage.first, passage.lines, matched, context, stop)
        rows = _numbered(header, context)
        left -= context.count_tokens(rows)
        shown = number_lines(passage.lines, context.shown(passage.first), left, context.count_tokens)
        if not shown.lines:
            notes.append("More matches are left out to save space.")
            break
        left -= context.count_tokens(shown.text) + 20
        page = f", page {passage.page}" if passage.page else f", {passage.section}" if passage.section else ""
        texts.append(f"“{passage.pattern}”{page}:\n{rows}{shown.text}")
        evidence += (evidence_of(reference, line, (text,)) for line, text in header.items())
        evidence.append(evidence_of(reference, passage.first, shown.lines, focus=passage.pattern))
        last = passage.first + len(shown.lines) - 1
        sources.append(source_of(reference, passage.first, last, " ".join(shown.lines), passage.page, passage.section))
    return ToolResult(
        "\n\n".join((*texts, *notes)),
        f"{plural(len(sources), 'passage')} found",
        tuple(evidence),
        tuple(sources),
    )


def _header_above(
    content: ContentId, first: int, texts: Sequence[str], matched: Sequence[int], context: ToolContext, stop: Stop
) -> dict[int, str]:
    """Return the header lines above lines from `first` on, by number, of the first table row among the `matched` ones.

    Without matches only a row that is the first line counts: another table below has its header with it.
    """
    lines = dict(enumerate(texts, first))
    row = next((number for number in matched or (first,) if is_row(lines.get(number, ""))), None)
    above = max(first - HEADER_DISTANCE, 1)
    if row is None or above == first:
        return {}
    window = context.retriever.read_lines(content, above, row - above + 1, stop)
    read = dict(enumerate(window.lines, window.first))
    found = header_lines(read, row) or first_line_header(content, read.get(row, ""), above, context, stop)
    return {line: text for line, text in found.items() if line < first}


def _numbered(lines: Mapping[int, str], context: ToolContext) -> str:
    return "".join(f"{context.shown(line)}: {text}\n" for line, text in lines.items())


def document_gone(reference: Reference) -> ToolResult:
    """Return the result for a reference whose document is no longer in the library."""
    return failure(
        f"The document of {reference.name} (“{shorten(reference.title)}”) is no longer in the library. Search again.",
        "No longer in the library",
    )


def line_of(arguments: Arguments, context: ToolContext) -> int:
    """Return the line (from 1) at which a call opens a document."""
    first = context.counts_from
    return context.meant(integer(arguments, LINE_NAMES, first, first, 2**31))


def _continuation(number: int, *, cut: bool) -> str:
    why = "Cut here to save space. " if cut else ""
    return f"\n{why}Go on with line {number}."
