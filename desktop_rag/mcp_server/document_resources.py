"""Documents as resources of the protocol: `library://document/SHA-256`, and `…/lines/FIRST-LAST` for a part of one."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop_rag.agent.citations.references import readable
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Filter, Order, Retriever
from desktop_rag.retrieval.reading.scope_documents import is_within
from desktop_rag.stop import Stop
from desktop_rag.text.display import printable
from desktop_rag.text.hidden_characters import as_data

PAGE = 100  # documents of one page of the list
MOST_LINES = 2_000  # in one answer
MOST_CHARACTERS = 400_000
TEMPLATE = "library://document/{sha256}/lines/{range}"
_URI = re.compile(r"library://document/([0-9a-f]{64})(?:/lines/(\d{1,9})(?:-(\d{1,9})?)?)?", re.IGNORECASE)


class ResourceError(Exception):
    """There is no such resource; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of the list: its address, name, description, and when its file was changed (ISO, UTC)."""

    uri: str
    name: str
    title: str
    description: str
    modified: str


class DocumentResources:
    """Lists and reads the documents of a library, from any thread."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def page(self, cursor: str, filters: tuple[Filter, ...], stop: Stop) -> tuple[tuple[ListedDocument, ...], str]:
        """Return a page of the documents by name, and the cursor of the next one, "" after the last.

        Raises `ResourceError` for a wrong cursor, and as `Retriever`.
        """
        if not re.fullmatch(r"\d{0,9}", cursor):
            raise ResourceError("This cursor is not one of this server. List from the beginning.")
        skip = int(cursor or 0)
        asked = DocumentQuery(filters=filters, order=Order.NAME, skip=skip, limit=PAGE)
        found = self._retriever.documents(asked, stop)
        more = skip + len(found.cards) < found.total
        return tuple(map(_listed, found.cards)), str(skip + PAGE) if more and found.cards else ""

    def read(self, uri: str, filters: tuple[Filter, ...], stop: Stop) -> str:
        """Return the text of a document or of some of its lines; raises `ResourceError`, and as `Retriever`."""
        match = _URI.fullmatch(uri)
        if match is None:
            raise ResourceError(f"The address must be library://document/SHA-256 or {TEMPLATE}, such as …/lines/40-46.")
        card = self._retriever.lookup(match[1].lower(), None, stop)
        if card is None or card.path is None or not is_within(self._retriever, card.content, filters, stop):
            raise ResourceError("The library has no such document, or not any more. List the resources again.")
        first = int(match[2] or 1)
        last = int(match[3] or (first if match[2] and not uri.endswith("-") else card.lines))
        if not 1 <= first <= max(card.lines, 1) or last < first:
            raise ResourceError(f"The document has {card.lines:,} lines: give a range of them, such as 1-40.")
        window = self._retriever.read_lines(card.content, first, min(last - first + 1, MOST_LINES), stop)
        text = "\n".join(window.lines)[:MOST_CHARACTERS]
        shown = first + text.count("\n")
        more = f"\n[Lines {first}–{shown} of {card.lines}; go on with /lines/{shown + 1}-]" if shown < last else ""
        return as_data(text) + more


def _listed(card: DocumentCard) -> ListedDocument:
    name = printable(card.path.name) if card.path else printable(card.title)
    where = printable(readable(card.path)) if card.path else ""
    size = f"{card.pages} pages" if card.pages else f"{card.lines} lines"
    changed = datetime.fromtimestamp(card.modified_ns / 1e9, UTC).isoformat() if card.modified_ns > 0 else ""
    return ListedDocument(
        f"library://document/{card.sha256}", name, printable(card.title) or name, f"{where} ({size})", changed
    )
