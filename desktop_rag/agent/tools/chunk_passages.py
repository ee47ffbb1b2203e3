"""Renders whole chunks for the model; a chunk that is already in its context is not sent again (A-RAG)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import Arguments, integer, strings
from desktop_rag.agent.tools.numbered_lines import MARGIN, number_lines
from desktop_rag.agent.tools.search_results import remarks, source_of
from desktop_rag.agent.tools.tool import (
    ToolContext,
    ToolResult,
    evidence_of,
    heading,
    list_parameter,
    number_parameter,
    tool_spec,
)
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import ChunkText, Hit, SearchResult
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

READ_BEFORE = "This chunk has been read before"  # A-RAG, section 3.3
GONE = "These passages are no longer in the library. Search again."
HEADER = 40  # tokens of a passage's name and place


@dataclass(slots=True)
class PassageWriter:
    """Collects whole chunks within the budget of a result.

    `numbered` adds line numbers; `opens` says whether the model has a tool to read on from a line.
    """

    context: ToolContext
    numbered: bool = True
    opens: bool = True
    repeated: int = 0
    _left: int = 0
    _done: set[ChunkId] = field(default_factory=set)
    _texts: list[str] = field(default_factory=list)
    _evidence: list[Evidence] = field(default_factory=list)
    _sources: list[Source] = field(default_factory=list)
    _whole: list[ChunkId] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = self.context.budget - MARGIN

    @property
    def empty(self) -> bool:
        """Whether no chunk was added."""
        return not self._done

    def add(self, chunk: ChunkText, near: Reference, score: float = 0.0, focus: str = "", across: float = 0.0) -> None:
        """Add a chunk of the document of `near`, unless it was added before."""
        if chunk.chunk in self._done:
            return
        self._done.add(chunk.chunk)
        reference = self.context.references.of_chunk(chunk, near)
        if chunk.chunk in self.context.chunks_in_context:
            self.repeated += 1
            self._texts.append(f"[{reference.name}] {READ_BEFORE}{self._lines_of(chunk)}.")
            return
        first = chunk.span.first_line
        number, count = self.context.shown(first), self.context.count_tokens
        lines = number_lines(chunk.lines, number, self._left, count, numbers=self.numbered)
        if not lines.lines:
            self._texts.append(f"[{reference.name}] is left out to save space; read it in another call.")
            return
        self._left -= count(lines.text) + HEADER
        end = first + len(lines.lines) - 1
        cut_note = f"\n{self._cut_note(reference, end)}" if lines.cut else ""
        self._texts.append(f"{_header(chunk, reference, self.context)}\n{lines.text}{cut_note}")
        self._evidence.append(evidence_of(reference, first, lines.lines, score, focus, across))
        text = " ".join(lines.lines[:5])
        self._sources.append(source_of(reference, first, end, text, chunk.page, chunk.section))
        if not lines.cut:
            self._whole.append(chunk.chunk)

    def add_hits(self, hits: Sequence[Hit], stop: Stop) -> None:
        """Add the chunks of search hits, best first, without those that the user discarded."""
        chunks = {each.chunk: each for each in self.context.retriever.read_chunks(tuple(h.chunk for h in hits), stop)}
        for hit in hits:
            reference = self.context.references.of_hit(hit)
            if hit.chunk not in chunks or reference.name in self.context.discarded:
                continue
            shown = len(self._sources)
            self.add(chunks[hit.chunk], reference, hit.score, hit.snippet.text, hit.why.across)
            if len(self._sources) == shown:  # found again, or out of budget: still a result
                span = hit.span
                self._sources.append(source_of(reference, span.first_line, span.last_line, hit.snippet.text, hit.page))

    def add_note(self, text: str) -> None:
        """Add a note after the chunks so far."""
        self._texts.append(text)

    def result(self, verb: str) -> ToolResult:
        """Return the tool result; `verb` says in its summary what was done to the passages: read, found."""
        new = len(self._evidence)
        summary = f"{new:,} passages read" if new != 1 else "1 passage read"
        if verb != "read":
            summary = f"{plural(new, 'passage')} found"
        if self.repeated:
            summary = f"{summary}, {self.repeated} already read"
        if self.repeated and not self._evidence:
            again = plural(self.repeated, "passage")
            summary = f"{again} read again" if verb == "read" else f"{again} found again"
        return ToolResult(
            "\n\n".join(self._texts),
            summary,
            tuple(self._evidence),
            tuple(self._sources),
            failed=self.empty,
            chunks=tuple(self._whole),
        )

    def _lines_of(self, chunk: ChunkText) -> str:
        if not self.numbered:
            return ""
        last = chunk.span.first_line + len(chunk.lines) - 1
        return f" (lines {self.context.shown(chunk.span.first_line)}–{self.context.shown(last)})"

    def _cut_note(self, reference: Reference, end: int) -> str:
        if not self.opens:
            return "Cut here to save space; read it in another call."
        return f"Cut here to save space; open {reference.name} at line {self.context.shown(end + 1)} to go on."


def neighbours(reference: Reference, steps: Sequence[int], context: ToolContext, stop: Stop) -> tuple[ChunkText, ...]:
    """Return the chunks at these offsets from the chunk of a reference (0 is itself); none if it no longer exists.

    Neighbours in a document have consecutive ids.
    """
    if reference.chunk is None:
        return ()
    ids = (ChunkId(reference.chunk + step) for step in sorted({*steps, 0}))
    chunks = context.retriever.read_chunks(tuple(i for i in ids if i > 0), stop)
    centre = next((chunk for chunk in chunks if chunk.chunk == reference.chunk), None)
    if centre is None:
        return ()
    offset = centre.ordinal - centre.chunk
    adjacent = (c for c in chunks if c.content == centre.content and c.ordinal - c.chunk == offset)
    return tuple(c for c in adjacent if c.chunk - centre.chunk in steps)


def _header(chunk: ChunkText, reference: Reference, context: ToolContext) -> str:
    place = f", page {chunk.page}" if chunk.page else f", {chunk.section}" if chunk.section else ""
    first = context.shown(chunk.span.first_line)
    last = first + len(chunk.lines) - 1
    return heading(reference, (f"lines {first}–{last}{place}" if chunk.chunks_in_content > 1 else place[2:],))


# The tool that reads whole passages by reference.

CHUNKS = 10
ADJACENT = 3
WHOLE = "No single passage: {names}. A whole document is opened, searched `within`, or looked through by find."
REFERENCES_NAMES = ("references", "reference", "chunk_ids", "refs", "ids", "id")


def whole_chunks(
    result: SearchResult, notes: Sequence[str], context: ToolContext, stop: Stop, *, numbered: bool = True
) -> ToolResult:
    """Return the chunks of a search as a whole."""
    passages = PassageWriter(context, numbered=numbered, opens=False)
    passages.add_hits(result.hits, stop)
    for note in (*notes, *remarks(result)):
        passages.add_note(note)
    return passages.result("found")


class ReadChunksTool:
    """Read whole passages, with their neighbours on request."""

    parameters = ("references", "adjacent")
    spec = tool_spec(
        "read_chunks",
        "Read whole passages of search results.",
        {
            "references": list_parameter(CHUNKS),
            "adjacent": number_parameter(f"passages to add before and after each, 0 to {ADJACENT}"),
        },
        "references",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the documents' titles as text for the user."""
        references = [context.reference(name) for name in _names(arguments)]
        titles = tuple(dict.fromkeys(shorten(context.references.display_title(reference)) for reference in references))
        rest = f" and {len(titles) - 3} more" if len(titles) > 3 else ""
        return f"Reading {', '.join(titles[:3])}{rest}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show each passage once."""
        adjacent = integer(arguments, ("adjacent", "neighbours", "neighbors"), 0, 0, ADJACENT)
        references = [context.reference(name) for name in _names(arguments)]
        passages = PassageWriter(context)
        for reference in references:
            for chunk in neighbours(reference, range(-adjacent, adjacent + 1), context, stop):
                passages.add(chunk, reference)
        whole = [reference.name for reference in references if reference.chunk is None]
        if whole:
            passages.add_note(WHOLE.format(names=", ".join(whole)))
        elif passages.empty:
            passages.add_note(GONE)
        return passages.result("read")


def _names(arguments: Arguments) -> tuple[str, ...]:
    return strings(arguments, REFERENCES_NAMES, CHUNKS)
