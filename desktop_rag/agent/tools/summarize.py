"""The tool by which the model frees its context: it records its findings and names the results to keep."""

from desktop_rag.agent.tools.arguments import Arguments, strings
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, list_parameter, text_parameter, tool_spec
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

MAX_SUMMARY = 12_000  # characters of a summary
MAX_REFERENCES = 100
LISTED = 20


class SummarizeTool:
    """Record the reasoning so far and keep only the contents of some references (AgenticRAG, section 3.4)."""

    parameters = ("summary", "candidate_reference_ids")
    spec = tool_spec(
        "summarize",
        "Make room in your context: record your findings and what is missing, and name the results to keep; the others "
        "can be read again.",
        {"summary": text_parameter(), "candidate_reference_ids": list_parameter(MAX_REFERENCES)},
        "summary",
        "candidate_reference_ids",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the number of kept results as text for the user."""
        kept, _ = _references(arguments, context)
        return f"Summing up, keeping {plural(len(kept), 'result')}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Keep the named results; report unknown names and ignore them."""
        strings(arguments, ("summary", "reasoning", "text", "notes"), 1, MAX_SUMMARY)
        kept, unknown = _references(arguments, context)
        dropped = [name for name in context.references.all_names() if name not in kept]
        lines = [f"Noted. Kept: {', '.join(kept) or 'nothing'}."]
        if unknown:
            lines.append(f"There is no {', '.join(unknown)}.")
        if dropped:
            shown = ", ".join(dropped[-LISTED:])
            lines.append(f"The contents of all others were removed; these can still be used: {shown}.")
        return ToolResult(" ".join(lines), f"{plural(len(kept), 'result')} kept", kept=kept)


def _references(arguments: Arguments, context: ToolContext) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the known references to keep, and the unknown names."""
    names = ("candidate_reference_ids", "references", "reference_ids", "keep", "ids")
    if not any(arguments.get(name) for name in names):
        return (), ()
    known: dict[str, None] = {}
    unknown: list[str] = []
    for name in strings(arguments, names, MAX_REFERENCES):
        reference = context.references.get(name)
        if reference and reference.name not in context.discarded:
            known[reference.name] = None
        else:
            unknown.append(shorten(name))
    return tuple(known), tuple(unknown)
