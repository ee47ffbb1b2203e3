"""The words that an exported conversation adds to questions and answers, in the language of the window."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime

from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation
from desktop_rag.gui.formatting import file_name, place, shown_moment, verdict


def note_text(citation: Citation) -> str:
    """Return a footnote: the file, the place, the quoted words, and what the check of these words found."""
    where = place(citation.page, citation.first_line, citation.last_line, citation.section)
    name = file_name(citation.path, citation.title)
    if not citation.quote:
        return _tr("{file}, {place}").format(file=name, place=where)
    found = "" if citation.verdict == "verbatim" else verdict(citation)
    text = _tr("{file}, {place}: “{quote}”").format(file=name, place=where, quote=shown_words(citation))
    return f"{text} {found}".strip()


def asked_at(moment: datetime) -> str:
    """Return when a question was asked."""
    return shown_moment(QDateTime.fromSecsSinceEpoch(int(moment.timestamp())))


def sources_title() -> str:
    """Return the heading of the list of documents."""
    return _tr("Sources")


def unfinished_note() -> str:
    """Return the note below an answer that was stopped or failed."""
    return _tr("This answer is not complete.")


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationExport", text)
