"""The words of the banner: how what is shown relates to what was cited."""

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui import formatting
from desktop_rag.gui.viewer.viewer_events import DocumentFound, Staleness


def _tr(text: str) -> str:
    return QCoreApplication.translate("StandingNotes", text)


def standing_note(found: DocumentFound) -> tuple[str, str]:
    """Return a headline and a sentence; both are empty when what is shown is what was cited, and whole."""
    match found.standing:
        case Staleness.SAME:
            return _partial(found)
        case Staleness.CHANGED:
            return _tr("This file has changed since the answer was written"), _changed(found)
        case Staleness.OFFLINE:
            return (
                _tr("The folder of this file is not connected"),
                _tr("Its text is shown as it was last read."),
            )
        case Staleness.GONE:
            return _tr("This file is no longer in your library"), _tr("Its text is shown as it was last read.")
        case Staleness.LOST:
            kept = _tr("This is the passage as it was when the answer was written.")
            return _tr("This file is no longer in your library"), kept if found.target.passage.strip() else ""


def _partial(found: DocumentFound) -> tuple[str, str]:
    if found.card is None or not found.card.partial:
        return "", ""
    why = found.card.partial.rstrip(".")
    return _tr("Only a part of this file could be read"), f"{why[0].upper()}{why[1:]}."


def _changed(found: DocumentFound) -> str:
    if not found.target.quote.strip():
        return _tr("Below is the file as it is now.")
    if found.first_line:
        place = formatting.lines(found.first_line, found.last_line)
        return _tr("The quoted words still stand in it, now on {0}.").format(place)
    return _tr("The quoted words no longer stand in it. Below is the file as it is now.")
