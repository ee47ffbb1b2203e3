"""The tool that reads whole passages by reference."""

from desktop_rag.agent.tools.arguments import Arguments, integer, strings
from desktop_rag.agent.tools.chunk_passages import GONE, PassageWriter, neighbours
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, list_parameter, number_parameter, tool_spec
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

CHUNKS = 10
ADJACENT = 3
WHOLE = "No single passage: {names}. A whole document is opened, searched `within`, or looked through by find."
REFERENCES_NAMES = ("references", "reference", "chunk_ids", "refs", "ids", "id")


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
