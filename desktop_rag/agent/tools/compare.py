"""The comparison tool: descriptions, passages on given aspects, and the diff of two documents."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, strings
from desktop_rag.agent.tools.list_documents import describe_card
from desktop_rag.agent.tools.numbered_lines import MARGIN, number_lines
from desktop_rag.agent.tools.search_results import at_their_lines, search_library, source_of
from desktop_rag.agent.tools.tool import (
    ToolContext,
    ToolResult,
    evidence_of,
    failure,
    list_parameter,
    quoted,
    tool_spec,
)
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import Mode
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

MIN_DOCUMENTS, MAX_DOCUMENTS = 2, 4
ASPECTS = 5
PASSAGES = 2  # for an aspect in one document
HEADINGS = 12
CHANGES = 40
LINES_AFTER = 3  # lines shown after the best one of those read before


@dataclass(slots=True)
class _Page:
    """The growing result, within its token budget."""

    context: ToolContext
    left: int
    texts: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.left -= self.context.count_tokens(text) + 2
        self.texts.append(text)

    def show(self, reference: Reference, first: int, lines: Sequence[str], head: str, most: int) -> bool:
        """Add numbered lines under `head`, within `most` tokens; return whether they fitted."""
        context = self.context
        shown = number_lines(lines, context.shown(first), min(most, self.left - 20), context.count_tokens)
        if not shown.lines:
            return False
        self.add(f"{head}\n{shown.text}")
        self.evidence.append(
            replace(evidence_of(reference, first, shown.lines), title=context.references.display_title(reference))
        )
        last = first + len(shown.lines) - 1
        self.sources.append(source_of(reference, first, last, " ".join(shown.lines)))
        return True


class CompareTool:
    """Compare two to four documents."""

    parameters = ("references", "aspects")
    spec = tool_spec(
        "compare",
        "Compare documents: dates, length, headings, and what each says about the aspects; without aspects, what "
        "changed from the first to the second.",
        {"references": list_parameter(MAX_DOCUMENTS, "one of each document"), "aspects": list_parameter(ASPECTS)},
        "references",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the documents' titles as text for the user."""
        titles = (shorten(context.references.display_title(reference)) for reference in _documents(arguments, context))
        return f"Comparing {' with '.join(titles)}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Describe the documents, then show the aspects or the diff."""
        documents = _documents(arguments, context)
        aspects = strings(arguments, ("aspects",), ASPECTS, 200) if arguments.get("aspects") else ()
        page = _Page(context, context.budget - MARGIN)
        for reference in documents:
            card = context.retriever.describe(reference.content, stop)
            if card is None or card.path is None:
                return failure(f"The document of {reference.name} is no longer in the library.", "No longer there")
            page.add(f"[{reference.name}] {describe_card(card)}{_headings(reference, context, stop)}")
        if aspects:
            for aspect in aspects:
                _compare_aspect(aspect, documents, page, len(aspects), stop)
            summary = f"{plural(len(documents), 'document')}, {plural(len(aspects), 'aspect')}"
        elif len(documents) == MIN_DOCUMENTS:
            summary = _show_changes(documents[0], documents[1], page, stop)
        else:
            page.add("Name `aspects` to see what each of them says.")
            summary = plural(len(documents), "document")
        sources = at_their_lines(page.sources, context, stop)
        return ToolResult("\n\n".join(page.texts), summary, tuple(page.evidence), sources)


def _documents(arguments: Arguments, context: ToolContext) -> list[Reference]:
    names = strings(arguments, ("references", "reference", "documents", "items", "ids"), MAX_DOCUMENTS * 3)
    found: dict[int, Reference] = {}
    for name in names:
        reference = context.reference(name)
        found.setdefault(reference.content, reference)
    if not MIN_DOCUMENTS <= len(found) <= MAX_DOCUMENTS:
        raise ArgumentError(
            f"{MIN_DOCUMENTS} to {MAX_DOCUMENTS} different documents can be compared; "
            f"these references belong to {len(found)}; files with the same content are one."
        )
    return list(found.values())


def _headings(reference: Reference, context: ToolContext, stop: Stop) -> str:
    outline = context.retriever.layout(reference.content, stop).structure.outline
    shown = [f"{shorten(entry.title, 50)} ({context.shown(entry.line)})" for entry in outline[:HEADINGS]]
    if not shown:
        return ""
    more = f"; {len(outline) - len(shown):,} more" if len(outline) > len(shown) else ""
    return f"\nHeadings (with their lines): {'; '.join(shown)}{more}"


def _compare_aspect(aspect: str, documents: Sequence[Reference], page: _Page, aspects: int, stop: Stop) -> None:
    """Show what each document says on one aspect: from lines read before, else by a search."""
    page.add(f"About {quoted((aspect,))}:")
    most = max(page.left // (len(documents) * aspects), 60)
    for reference in documents:
        known = _read_already(aspect, reference, page.context)
        if known:
            page.show(reference, known[0], known[1], f"[{reference.name}] {reference.file}, as read before", most)
            continue
        scope = replace(page.context.scope, contents=(reference.content,))
        found = search_library((aspect,), Mode.HYBRID, PASSAGES, replace(page.context, scope=scope), stop)
        shown = False
        for evidence, source in zip(found.evidence, found.sources, strict=False):
            own = page.context.references.get(evidence.reference) or reference
            page_of = f", page {source.page}" if source.page else ""
            shown |= page.show(own, evidence.first_line, evidence.lines, f"[{own.name}] {own.file}{page_of}", most)
        if not shown:
            page.add(f"[{reference.name}] says nothing about it.")


def _read_already(aspect: str, reference: Reference, context: ToolContext) -> tuple[int, list[str]] | None:
    """Return the lines around the first read line with every content word of the aspect, if any."""
    words = {stem(term.text) for term in terms(aspect) if term.text not in STOP_WORDS}
    lines = context.lines_read.lines(reference.content)
    best = next((n for n, text in lines.items() if words and words <= {stem(term.text) for term in terms(text)}), None)
    if best is None:
        return None
    first = best
    while first - 1 in lines and best - first < 1:
        first -= 1
    last = best
    while last + 1 in lines and last - best < LINES_AFTER:
        last += 1
    return first, [lines[number] for number in range(first, last + 1)]


def _show_changes(one: Reference, other: Reference, page: _Page, stop: Stop) -> str:
    """Show the diff of two documents, the longest changes first in budget; return a summary."""
    found = page.context.retriever.difference(one.content, other.content, CHANGES, stop)
    if not found.total:
        page.add("Sentence by sentence they say the same.")
        return "No difference"
    page.add(
        f"{found.alike:.0%} of the sentences stand in both; {plural(found.total, 'place')} differ. "
        f"From [{one.name}] to [{other.name}], in their order:"
    )
    shown = 0
    for number, change in enumerate(found.changes, 1):
        most = max(page.left // (2 * (len(found.changes) - number + 1)), 40)
        before = not change.lines or page.show(one, change.first, change.lines, f"{number}. before [{one.name}]", most)
        after = not change.other_lines or page.show(
            other, change.other_first, change.other_lines, f"{number}. after [{other.name}]", most
        )
        if not (before and after):
            break
        shown += 1
    if shown < found.total:
        page.add(f"{found.total - shown} shorter or later changes are not shown; open the documents to see them.")
    return f"{plural(found.total, 'place')} differ, {shown} shown"
