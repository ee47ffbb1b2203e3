"""What the viewer is asked to show: a document, lines in it, and the quote."""

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.agent.events import Citation, Source
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, Hit, Snippet

_UNKNOWN = ContentId(0)  # no content has this id; the hash identifies it


@dataclass(frozen=True, slots=True)
class Target:
    """Lines of a document as it was when it was cited; `passage` is their text then, `quote` the cited words.

    `sha256` is empty when only the library's content id is known. `words` are the words that a search found, as
    (start, end) offsets in the content.
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
    words: tuple[tuple[int, int], ...] = ()

    @property
    def place(self) -> Path | None:
        """Return the path of the file when it was cited."""
        return Path(self.path) if self.path else None


def target_of_citation(citation: Citation) -> Target:
    """Return the target of a citation."""
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
    """Return the target of a source found by a step of a run; only its preview is kept as passage."""
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


def target_of_hit(hit: Hit) -> Target:
    """Return the lines shown of a search hit as a target, with the words found in them."""
    return target_of_snippet(hit.content, hit.title, hit.path, hit.page, hit.snippet)


def target_of_snippet(content: ContentId, title: str, path: Path, page: int | None, snippet: Snippet) -> Target:
    """Return the lines of a snippet as a target, with the words found in them."""
    return Target(
        content=content,
        sha256="",
        path=str(path),
        title=title,
        first_line=snippet.span.first_line,
        last_line=snippet.span.last_line,
        page=page,
        passage=snippet.text,
        passage_first_line=snippet.span.first_line,
        words=snippet.places(),
    )


def target_of_card(card: DocumentCard, first_line: int, last_line: int) -> Target:
    """Return lines of an indexed document as a target."""
    return Target(
        content=card.content,
        sha256=card.sha256,
        path=str(card.path) if card.path else "",
        title=card.title,
        first_line=first_line,
        last_line=last_line,
    )


def target_of_bookmark(bookmark: Bookmark) -> Target:
    """Return the target of a bookmark; its quote locates it again when the file has changed."""
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
