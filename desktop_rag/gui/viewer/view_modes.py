"""The view modes of a document and which of them its format offers."""

from enum import StrEnum

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.viewer.viewer_events import DocumentFound

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
