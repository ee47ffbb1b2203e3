"""Results of the viewer's background jobs."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.agent.events import Citation, Source
from desktop_rag.documents.document import InlineMark as TextMark
from desktop_rag.documents.file_types import Format
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentCard, Hit, Snippet

# What the viewer is asked to show: a document, lines in it, and the quote.

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


Mark = tuple[int, int, int]  # line from 1, first character, the character after the last


class Staleness(StrEnum):
    """How the document shown relates to the cited one."""

    SAME = "same"
    CHANGED = "changed"  # the file has different text now
    OFFLINE = "offline"  # the same text, but its drive is not connected
    GONE = "gone"  # no file has this text any more, but it is still indexed
    LOST = "lost"  # only the passage stored with the answer is left


@dataclass(frozen=True, slots=True)
class DocumentFound:
    """The document to show for `target`; without a card only the stored passage is left.

    `first_line` to `last_line` are the lines to highlight in the current text, 0 if unknown.
    """

    target: Target
    staleness: Staleness
    card: DocumentCard | None
    layout: DocumentLayout
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class LinesLoaded:
    """Lines from `first` on of a document with `total` lines; very long ones are truncated.

    `marks` holds the inline marks of each line, with offsets in that line; a stored passage has none.
    """

    content: ContentId
    first: int
    lines: tuple[str, ...]
    total: int
    marks: tuple[tuple[TextMark, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class QuoteFound:
    """The position of the quote, line by line, and the marked words; `offsets` are (start, end) in the content."""

    marks: tuple[Mark, ...]
    words: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...] = ()


class WordChange(StrEnum):
    """The outcome of a word diff for one piece of a passage."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """Consecutive words of the cited passage or of its current text."""

    change: WordChange
    text: str


@dataclass(frozen=True, slots=True)
class PassageCompared:
    """The word diff of the cited lines in a file that has changed."""

    pieces: tuple[DiffPiece, ...]

    @property
    def changed(self) -> bool:
        """Return whether any word was removed or added."""
        return any(piece.change is not WordChange.SAME for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class LinesTokenized:
    """The token kinds in lines from `first` on: (start, end, `TokenKind`) for each token."""

    first: int
    tokens: tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """One match of a search: its marks, and a snippet in which `start` to `end` is the match."""

    marks: tuple[Mark, ...]
    words: str
    start: int
    end: int
    page: int | None
    section: str


@dataclass(frozen=True, slots=True)
class MatchesFound:
    """The matches of a search in document order; `more`: the limit was reached and there may be others."""

    pattern: str
    places: tuple[FoundPlace, ...]
    more: bool

    @property
    def matches(self) -> tuple[tuple[Mark, ...], ...]:
        """Return the marks of each match; a match may span several lines."""
        return tuple(place.marks for place in self.places)


@dataclass(frozen=True, slots=True)
class TextRead:
    """The complete text of lines from `first` on."""

    first: int
    text: str


ViewerEvent = DocumentFound | LinesLoaded | QuoteFound | PassageCompared | LinesTokenized | MatchesFound | TextRead


# The view modes of a document and which of them its format offers.

TABLES = (Format.TABLE, Format.SHEETS)
PRINTED = frozenset(("pdf", "picture", "printed book", "comic"))  # formats with pages that can be rendered
_LINES = (  # formats best read as plain lines: no clean view is offered
    Format.TEXT,
    Format.RST,
    Format.ASCIIDOC,
    Format.ORG,
    Format.SUBTITLES,
    Format.CODE,
    Format.DATA,
    Format.LOG,
    Format.PDF,
)


class ViewMode(StrEnum):
    """How a document is shown."""

    PRINTED = "printed"  # its own pages, rendered
    CLEAN = "clean"  # one long page, laid out from the lines of the catalog
    TABLE = "table"  # its sheets as tables
    TEXT = "text"  # numbered lines


def modes_of(found: DocumentFound, *, printed: bool) -> tuple[ViewMode, ...]:
    """Return the view modes a found document offers, the default one first."""
    modes = [ViewMode.PRINTED] if printed else []
    card = found.card
    if card is not None and card.lines and len(found.layout.kinds) == card.lines:
        if card.format in TABLES:
            modes.append(ViewMode.TABLE)
        elif card.format not in _LINES:
            modes.append(ViewMode.CLEAN)
    return (*modes, ViewMode.TEXT)


# The back and forward history of positions in documents.

_MOST = 200


@dataclass(frozen=True, slots=True)
class ViewedPlace:
    """A target and the first visible line; 0: the cited lines were visible."""

    target: Target
    line: int = 0


class PlaceHistory:
    """History as in a browser: visiting a new place clears the forward entries."""

    def __init__(self) -> None:
        self._past: list[ViewedPlace] = []
        self._future: list[ViewedPlace] = []

    def push(self, place: ViewedPlace) -> None:
        """Push the place that is left for a new one."""
        self._future.clear()
        if not self._past or self._past[-1] != place:
            self._past.append(place)
            del self._past[:-_MOST]

    def back(self, here: ViewedPlace) -> ViewedPlace | None:
        """Return the previous place; `here` becomes the next one."""
        return _moved(self._past, self._future, here)

    def forward(self, here: ViewedPlace) -> ViewedPlace | None:
        """Return the next place; `here` becomes the previous one."""
        return _moved(self._future, self._past, here)

    def can_go_back(self) -> bool:
        """Return whether there is a previous place."""
        return bool(self._past)

    def can_go_forward(self) -> bool:
        """Return whether there is a next place."""
        return bool(self._future)

    def clear(self) -> None:
        """Clear the history."""
        self._past.clear()
        self._future.clear()


def _moved(taken: list[ViewedPlace], given: list[ViewedPlace], here: ViewedPlace) -> ViewedPlace | None:
    while taken:
        place = taken.pop()
        if place != here:
            given.append(here)
            return place
    return None
