"""The tool that reads whole passages; one already in the context is not sent twice (A-RAG's context tracker)."""

import json
from dataclasses import dataclass, field

from desktop_rag.agent.citing.references import Reference
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import Arguments, integer, strings
from desktop_rag.agent.tools.lines import MARGIN, number_lines
from desktop_rag.agent.tools.search import source_of
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, plural, shorten
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import Evidence, ToolSpec
from desktop_rag.retrieval.hits import ChunkText
from desktop_rag.stop import Stop

CHUNKS = 10
ADJACENT = 3
REFERENCES_NAMES = ("references", "reference", "chunk_ids", "refs", "ids", "id")

_SCHEMA = {
    "type": "object",
    "properties": {
        "references": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": CHUNKS,
            "description": "references from search results",
        },
        "adjacent": {
            "type": "integer",
            "minimum": 0,
            "maximum": ADJACENT,
            "description": "passages to add before and after each one (default 0)",
        },
    },
    "required": ["references"],
}


@dataclass(slots=True)
class _Shown:
    """What has been put together so far, and the tokens left."""

    left: int
    texts: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    chunks: list[ChunkId] = field(default_factory=list)
    repeated: int = 0


class ReadChunksTool:
    """Read the whole passages of references, with their neighbours on request."""

    parameters = ("references", "adjacent")
    spec = ToolSpec(
        "read_chunks",
        "Read the whole passages of one or more search results, with their neighbours if `adjacent` is given.",
        json.dumps(_SCHEMA),
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Say which documents are read."""
        references = [context.reference(name) for name in _names(arguments)]
        titles = tuple(dict.fromkeys(shorten(reference.title) for reference in references))
        rest = f" and {len(titles) - 3} more" if len(titles) > 3 else ""
        return f"Reading {', '.join(titles[:3])}{rest}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show each passage once; unknown names are mentioned, the others are read."""
        adjacent = integer(arguments, ("adjacent", "neighbours", "neighbors"), 0, 0, ADJACENT)
        references = [context.reference(name) for name in _names(arguments)]
        shown = _Shown(context.budget - MARGIN)
        done: set[ChunkId] = set()
        for reference in references:
            for chunk in _wanted(reference, adjacent, context, stop):
                if chunk.chunk not in done:
                    done.add(chunk.chunk)
                    _show(chunk, reference, context, shown)
        if not done:
            shown.texts.append("These passages are no longer in the library. Search again.")
        summary = f"{plural(len(shown.sources), 'passage')} read"
        if shown.repeated:
            summary += f", {shown.repeated} known already"
        return ToolResult(
            "\n\n".join(shown.texts),
            summary,
            tuple(shown.evidence),
            tuple(shown.sources),
            failed=not done,
            chunks=tuple(shown.chunks),
        )


def _names(arguments: Arguments) -> tuple[str, ...]:
    return strings(arguments, REFERENCES_NAMES, CHUNKS)


def _wanted(reference: Reference, adjacent: int, context: ToolContext, stop: Stop) -> tuple[ChunkText, ...]:
    """Return the chunk of `reference` and its neighbours, which were stored with the ids beside its own."""
    if reference.chunk is None:
        return ()
    ids = tuple(ChunkId(reference.chunk + step) for step in range(-adjacent, adjacent + 1))
    chunks = context.retriever.read_chunks(tuple(i for i in ids if i > 0), stop)
    centre = next((chunk for chunk in chunks if chunk.chunk == reference.chunk), None)
    if centre is None:
        return ()
    offset = centre.ordinal - centre.chunk
    return tuple(c for c in chunks if c.content == centre.content and c.ordinal - c.chunk == offset)


def _show(chunk: ChunkText, near: Reference, context: ToolContext, shown: _Shown) -> None:
    reference = context.references.of_chunk(chunk, near)
    last = chunk.span.first_line + len(chunk.lines) - 1
    if chunk.chunk in context.chunks_in_context:
        shown.repeated += 1
        shown.texts.append(
            f"[{reference.name}] This chunk has been read before "
            f"(lines {context.shown(chunk.span.first_line)}–{context.shown(last)})."
        )
        return
    lines = number_lines(chunk.lines, context.shown(chunk.span.first_line), shown.left, context.count_tokens)
    if not lines.lines:
        shown.texts.append(f"[{reference.name}] is left out to save space; read it in another call.")
        return
    shown.left -= context.count_tokens(lines.text) + 40
    end = chunk.span.first_line + len(lines.lines) - 1
    place = f", page {chunk.page}" if chunk.page else f", {chunk.section}" if chunk.section else ""
    part = f"part {chunk.ordinal} of {chunk.chunks_in_content}"
    note = (
        f"\nCut here to save space; open {reference.name} at line {context.shown(end + 1)} to go on."
        if lines.cut
        else ""
    )
    shown.texts.append(f"[{reference.name}] {shorten(reference.title, 100)} ({part}{place})\n{lines.text}{note}")
    shown.evidence.append(Evidence(reference.name, reference.title, chunk.span.first_line, lines.lines))
    text = " ".join(lines.lines[:5])
    shown.sources.append(source_of(reference, chunk.span.first_line, end, text, chunk.page, chunk.section))
    if not lines.cut:
        shown.chunks.append(chunk.chunk)
