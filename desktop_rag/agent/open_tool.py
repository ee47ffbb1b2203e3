"""The tool that opens a document at a line."""

import json

from desktop_rag.agent.arguments import Arguments, integer, strings
from desktop_rag.agent.find_tool import REFERENCE_NAMES, gone
from desktop_rag.agent.numbered import MARGIN, number_lines
from desktop_rag.agent.search_tool import source_of
from desktop_rag.agent.tools import ToolContext, ToolResult, failure, shorten
from desktop_rag.llm.chat import Evidence, ToolSpec
from desktop_rag.stop import Stop

WINDOW = 1_800

_SCHEMA = {
    "type": "object",
    "properties": {
        "reference": {"type": "string", "description": "a reference from a search result, such as turn1search3"},
        "line": {"type": "integer", "minimum": 1, "description": "line to start at; without it, the beginning"},
    },
    "required": ["reference"],
}


class OpenTool:
    """Open the document of a reference at a line."""

    parameters = ("reference", "line")
    spec = ToolSpec(
        "open",
        f"Open a document and read up to {WINDOW:,} lines from `line`. Use line numbers from previews to start near "
        "what matters.",
        json.dumps(_SCHEMA),
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Say what is opened, and where."""
        reference = context.reference(strings(arguments, REFERENCE_NAMES, 1)[0])
        line = _line(arguments)
        return f"Opening {shorten(reference.title)}" + (f" at line {line:,}" if line > 1 else "")

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show a window of lines, cut to the budget, with a header that says where it lies."""
        reference = context.reference(strings(arguments, REFERENCE_NAMES, 1)[0])
        line = _line(arguments)
        card = context.retriever.describe(reference.content, stop)
        if card is None or card.path is None:
            return gone(reference)
        if line > card.lines:
            return failure(
                f"{reference.name} has only {card.lines} lines; line {line} is beyond its end.", "No such line"
            )
        window = context.retriever.read_lines(reference.content, line, WINDOW, stop)
        shown = number_lines(window.lines, window.first, context.budget - MARGIN, context.count_tokens)
        last = window.first + len(shown.lines) - 1
        title = shorten(reference.title, 100)
        header = f"[{reference.name}] {title}\nViewing lines [{window.first}–{last}] of {window.total}"
        text = f"{header}\n{shown.text}{_more(last, window.total, cut=shown.cut)}"
        evidence = Evidence(reference.name, reference.title, window.first, shown.lines)
        source = source_of(reference, window.first, last, " ".join(shown.lines[:5]))
        return ToolResult(text, f"Lines {window.first:,}–{last:,} of {window.total:,}", (evidence,), (source,))


def _line(arguments: Arguments) -> int:
    return integer(arguments, ("line", "line_number", "start_line", "start"), 1, 1, 2**31)


def _more(last: int, total: int, *, cut: bool) -> str:
    if last >= total:
        return ""
    why = "Cut here to save space. " if cut else ""
    return f"\n{why}Go on with line {last + 1}."
