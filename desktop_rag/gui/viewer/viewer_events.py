"""Results of the viewer's background jobs."""

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.documents.document import InlineMark as TextMark
from desktop_rag.documents.file_types import Format
from desktop_rag.gui.viewer.target import Target
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentCard

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
