"""The tool that lists documents by name: the first step if a question names one."""

from collections.abc import Sequence
from datetime import UTC, datetime

from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import Arguments, choice, integer, strings
from desktop_rag.agent.tools.narrowed_search import PROPERTIES, facet_line, narrow
from desktop_rag.agent.tools.tool import (
    ToolContext,
    ToolResult,
    evidence_of,
    failure,
    number_parameter,
    quoted,
    text_parameter,
    tool_spec,
)
from desktop_rag.documents.picture_notes import is_of_pictures
from desktop_rag.errors import QueryError
from desktop_rag.llm.chat import Evidence, document_label
from desktop_rag.retrieval.api import DocumentCard, DocumentList, DocumentQuery, Order
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

PAGE = 40
_ORDERS = tuple(order.value for order in Order if order is not Order.READ)
NOTES = 90  # tokens reserved for the notes after the list


class ListDocumentsTool:
    """List the documents with matching names, with facet counts."""

    parameters = ("query", *PROPERTIES, "order", "page")
    spec = tool_spec(
        "list_documents",
        f"List documents with their references, {PAGE} a page.",
        {
            "query": text_parameter("words of names, titles, authors, folders"),
            **PROPERTIES,
            "order": {"type": "string", "enum": [*_ORDERS]},
            "page": number_parameter(),
        },
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return words and conditions as text for the user."""
        words, summary = _words(arguments), narrow(arguments, context).summary
        what = (
            f"Looking for documents with a word of {quoted((words,))} in their names" if words else "Listing documents"
        )
        return what + (f" ({summary})" if summary else "")

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Return one page of the list."""
        words = _words(arguments)
        order = Order(choice(arguments, ("order", "sort"), _ORDERS, Order.FIT.value))
        page = integer(arguments, ("page",), 1, 1, 10_000)
        narrowed = narrow(arguments, context)
        scope, filters, counted = narrowed.context.scope, narrowed.context.filters, not words and page == 1
        asked = DocumentQuery(words, scope, filters, order, (page - 1) * PAGE, PAGE, counted)
        try:
            found = context.retriever.documents(asked, stop)
        except QueryError as error:
            return failure(str(error), "The conditions were not understood")
        if not found.cards:
            nothing = (page == 1 and narrowed.unknown(stop)) or _nothing(found, words, page)
            return ToolResult("\n".join((nothing, *narrowed.notes)), "No such document")
        return _result(found, asked, narrowed.notes, context)


def _words(arguments: Arguments) -> str:
    names = ("query", "name", "queries", "title", "q")
    return " ".join(strings(arguments, names, 5)) if any(arguments.get(name) for name in names) else ""


def _nothing(found: DocumentList, words: str, page: int) -> str:
    if page > 1:
        return f"Page {page:,} is empty: there {'is' if found.total == 1 else 'are'} {plural(found.total, 'document')}."
    if not words:
        return "There are no such documents."
    return f"No document is called {quoted((words,))}. Search for what stands in it instead."


def _result(found: DocumentList, asked: DocumentQuery, notes: tuple[str, ...], context: ToolContext) -> ToolResult:
    lines: list[str] = []
    evidence: list[Evidence] = []
    sources: list[Source] = []
    left = context.budget - NOTES
    for card in found.cards:
        reference = context.references.of_document(card)
        if reference.name in context.discarded:
            continue
        line = f"[{reference.name}] {describe_card(card)}"
        left -= context.count_tokens(line) + 1
        if left < 0 and lines:
            break
        lines.append(line)
        fit = found.fits[len(lines) - 1] if len(lines) <= len(found.fits) else 0.0
        evidence.append(evidence_of(reference, 1, (), fit))
        sources.append(
            Source(
                reference.name,
                card.content,
                reference.title,
                reference.path,
                1,
                1,
                None,
                describe_card(card, title=False),
            )
        )
    last = asked.skip + len(lines)
    footer = [f"Documents {asked.skip + 1}–{last} of {found.total}." if found.total > len(lines) else ""]
    footer.append(_unmatched(found.unmatched, asked.words))
    footer.append(facet_line(found.facets, what="fit") if found.total > len(lines) else "")
    text = "\n".join((*lines, *notes, *(note for note in footer if note)))
    summary = f"{plural(found.total, 'document')}"
    return ToolResult(text, summary, tuple(evidence), tuple(sources))


def _unmatched(stems: Sequence[str], asked: str) -> str:
    """Return which words of a query stand in no name, as they were written."""
    words = [next((word for word in asked.split() if word.casefold().startswith(stem)), stem) for stem in stems]
    return f"No document has {quoted(words)} in its name." if words else ""


def describe_card(card: DocumentCard, *, title: bool = True) -> str:
    """Describe a document on one line: file name, title, folder, type, dates, length."""
    name = readable(card.path.name) if card.path else ""
    parts = [f"file {name}" if name else "file gone"] if not title or not name else []
    parts += [f"in {shorten(readable(card.path.parent.name), 40)}"] if card.path and card.path.parent.name else []
    parts.append(card.format)
    parts += [f"by {shorten(card.author, 40)}"] if card.author != card.author.lower() else []  # else a program's name
    parts += [f"written {card.created[:10]}"] if card.created else []
    parts += [f"changed {changed_on(card)}"] if card.modified_ns else []
    parts += [plural(card.pages, "page")] if card.pages else []
    parts.append(plural(card.lines, "line"))
    if is_of_pictures(card.partial):
        parts.append(f"{card.partial[0].lower()}{card.partial[1:]}")
    elif card.partial:
        parts.append("read only in part")
    shown = ", ".join(parts)
    return f"{shorten(document_label(name, card.title), 120)} ({shown})" if title else shown


def changed_on(card: DocumentCard) -> str:
    """Return the ISO date of the file's last change."""
    return datetime.fromtimestamp(card.modified_ns / 1e9, UTC).date().isoformat()
