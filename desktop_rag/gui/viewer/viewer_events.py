"""What the viewer's background jobs say."""

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.documents.document import InlineMark as TextMark
from desktop_rag.gui.viewer.target import Target
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentCard

Mark = tuple[int, int, int]  # line from 1, first character, the character after the last


class Staleness(StrEnum):
    """How what is shown relates to what was cited."""

    SAME = "same"
    CHANGED = "changed"  # the file holds other text now
    OFFLINE = "offline"  # the same text, the drive is away
    GONE = "gone"  # no file holds it any more, the text is still known
    LOST = "lost"  # nothing is left but the stored passage


@dataclass(frozen=True, slots=True)
class DocumentFound:
    """What to show for `target`; without a card only its stored passage is left.

    `first_line` to `last_line` are the lines to highlight in the present text, 0 if they are not known.
    """

    target: Target
    standing: Staleness
    card: DocumentCard | None
    layout: DocumentLayout
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class LinesRead:
    """Lines from `first` on of a document with `total` lines; very long ones are cut off.

    `marks` are those of each line, with offsets in it; a stored passage has none.
    """

    content: ContentId
    first: int
    lines: tuple[str, ...]
    total: int
    marks: tuple[tuple[TextMark, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class QuoteFound:
    """Where the cited words stand, line by line."""

    marks: tuple[Mark, ...]


class WordChange(StrEnum):
    """What became of some words of a passage."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """Some words of a passage that was cited, or of what stands there now."""

    fate: WordChange
    text: str


@dataclass(frozen=True, slots=True)
class PassageCompared:
    """What became of the cited lines in a file that has changed."""

    pieces: tuple[DiffPiece, ...]

    @property
    def changed(self) -> bool:
        """Return whether any word is gone or new."""
        return any(piece.fate is not WordChange.SAME for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class LinesColored:
    """The coloured parts of lines from `first` on: (start, end, `tones.Tone`)."""

    first: int
    tones: tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """One place at which a searched text stands: its marks, and some words around it with those that were found."""

    marks: tuple[Mark, ...]
    words: str
    start: int
    end: int
    page: int | None
    section: str


@dataclass(frozen=True, slots=True)
class MatchesFound:
    """Where a searched text stands, in order; a match may run over several lines. `more`: there are others."""

    pattern: str
    places: tuple[FoundPlace, ...]
    more: bool

    @property
    def matches(self) -> tuple[tuple[Mark, ...], ...]:
        """Return the marks of each place."""
        return tuple(place.marks for place in self.places)


@dataclass(frozen=True, slots=True)
class TextGathered:
    """The words of lines from `first` on."""

    first: int
    text: str


ViewerEvent = DocumentFound | LinesRead | QuoteFound | PassageCompared | LinesColored | MatchesFound | TextGathered
