"""The tool of the `oracle` toolkit: shows the gold passages of an evaluation, which contain the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import Arguments
from desktop_rag.agent.tools.numbered_lines import MARGIN, number_lines
from desktop_rag.agent.tools.search_results import source_of
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, evidence_of, heading, paper_spec
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import Evidence
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural

MAX_LINES = 1_800


@dataclass(frozen=True, slots=True)
class GoldPassage:
    """Lines of a document that answer a question at least in part; `last_line` may exceed the document."""

    content: ContentId
    first_line: int
    last_line: int


class GoldTool:
    """Show the gold passages."""

    parameters = ("question",)
    spec = paper_spec(
        "gold",
        "Show the passages that hold the answer.",
        {"question": {"type": "string"}},
    )

    def __init__(self, passages: Sequence[GoldPassage]) -> None:
        self._passages = tuple(passages)

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the number of passages as text for the user."""
        return f"Taking {plural(len(self._passages), 'given passage')}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show the lines of each passage that is still in the library, within the budget."""
        texts: list[str] = []
        evidence: list[Evidence] = []
        sources: list[Source] = []
        left = context.budget - MARGIN
        for passage in self._passages:
            card = context.retriever.describe(passage.content, stop)
            if card is None or card.path is None:
                continue
            last = min(passage.last_line, card.lines, passage.first_line + MAX_LINES - 1)
            reference = context.references.of_lines(card, passage.first_line, last)
            count = last - passage.first_line + 1
            window = context.retriever.read_lines(passage.content, passage.first_line, count, stop)
            shown = number_lines(window.lines, context.shown(window.first), left, context.count_tokens)
            if not shown.lines:
                continue
            left -= context.count_tokens(shown.text) + MARGIN
            end = window.first + len(shown.lines) - 1
            texts.append(f"{heading(reference)}\n{shown.text}")
            evidence.append(evidence_of(reference, window.first, shown.lines))
            sources.append(source_of(reference, window.first, end, " ".join(shown.lines[:5])))
        if not texts:
            return ToolResult("(The library no longer holds the passages that were given.)", "Nothing given")
        summary = f"{plural(len(texts), 'passage')} given"
        return ToolResult("\n\n".join(texts), summary, tuple(evidence), tuple(sources))
