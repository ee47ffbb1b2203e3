"""An answer as plain text, for terminals and for programs that know no links: `[1]`, and its sources line by line."""

from collections.abc import Iterable

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation
from desktop_rag.text.display import location_text, printable


def numbered(text: str) -> str:
    """Return a text with `[1]` instead of links to its sources."""
    return LINK.sub(r"[\1]", text)


def source_place(citation: Citation) -> str:
    """Return the page and lines of a source: `page 3, lines 5–7`."""
    return location_text(citation.page, citation.first_line, citation.last_line, citation.section)


def source_rows(citations: Iterable[Citation]) -> tuple[str, ...]:
    """Return a row for each source: number, path, place and quoted words."""
    return tuple(
        f"[{each.number}] {printable(each.path)}, {source_place(each)}: “{shown_words(each)}”" for each in citations
    )
