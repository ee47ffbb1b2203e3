"""What is asked to be shown: a document, the lines in it, and the words that were relied on."""

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.agent.events import Citation, Source
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard

_UNKNOWN = ContentId(0)  # no content has this number; the hash says which one is meant


@dataclass(frozen=True, slots=True)
class Target:
    """A place in a document as it was when it was named; `passage` is what stood there, `quote` the words meant.

    `sha256` is empty when only the library's own number for the content is known.
    """

    content: ContentId
    sha256: str
    path: str
    title: str
    first_line: int
    last_line: int
    page: int | None = None
    quote: str = ""
    passage: str = ""
    passage_first_line: int = 1

    @property
    def place(self) -> Path | None:
        """Return where the file lay."""
        return Path(self.path) if self.path else None


def target_of_citation(citation: Citation) -> Target:
    """Return the place a citation names."""
    return Target(
        content=citation.content,
        sha256=citation.sha256,
        path=citation.path,
        title=citation.title,
        first_line=citation.first_line,
        last_line=citation.last_line,
        page=citation.page,
        quote=citation.quote,
        passage=citation.passage,
        passage_first_line=citation.passage_first_line,
    )


def target_of_source(source: Source) -> Target:
    """Return the place a step of a run found; its preview is all that is kept of the words."""
    return Target(
        content=source.content,
        sha256="",
        path=source.path,
        title=source.title,
        first_line=source.first_line,
        last_line=source.last_line,
        page=source.page,
        passage=source.preview,
        passage_first_line=source.first_line,
    )


def target_of_card(card: DocumentCard, first_line: int, last_line: int) -> Target:
    """Return lines of a document the library holds now."""
    return Target(
        content=card.content,
        sha256=card.sha256,
        path=str(card.path) if card.path else "",
        title=card.title,
        first_line=first_line,
        last_line=last_line,
    )


def target_of_bookmark(bookmark: Bookmark) -> Target:
    """Return the place a person has bookmarked; the words tell where it is when the file has changed."""
    passage = bookmark.passage
    return Target(
        content=_UNKNOWN,
        sha256=passage.sha256,
        path=passage.path,
        title=passage.title,
        first_line=passage.first_line,
        last_line=passage.last_line,
        page=passage.page,
        quote=passage.quote,
        passage=passage.quote,
        passage_first_line=passage.first_line,
    )
