"""A conversation as Markdown with footnotes."""

import re

from desktop_rag.agent.events import Citation
from desktop_rag.gui.conversation.export.bibliography import plain_reference
from desktop_rag.gui.conversation.export.export_wording import asked_at, not_supported, note_text, sources_title
from desktop_rag.gui.conversation.export.exported_conversation import ExportedConversation
from desktop_rag.text.desktop_links import markdown_link
from desktop_rag.text.display import one_line
from desktop_rag.text.inert_markdown import inert_markdown

_LINK = re.compile(r"\s?\[(\d+)\]\(cite:\d+\)")
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")


def as_markdown(conversation: ExportedConversation) -> str:
    """Return the conversation with its footnotes and the list of its documents."""
    parts = [f"# {_plain(conversation.title)}"]
    for turn in conversation.turns:
        parts += [f"## {_plain(turn.question)}", f"*{asked_at(turn.asked)}*"]
        parts.append(_LINK.sub(r"[^\1]", inert_markdown(turn.marked)).strip())
        if turn.doubted:
            parts.append("\n".join([_plain(not_supported()), "", *(f"- {_plain(text)}" for text in turn.doubted)]))
    notes = [_note(note) for turn in conversation.turns for note in turn.notes]
    if conversation.works:
        works = "\n".join(f"- {_plain(plain_reference(work))}" for work in conversation.works)
        parts += [f"## {_plain(sources_title())}", works, "\n".join(notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _note(note: Citation) -> str:
    """Return a footnote, with a link to its lines if a file has them."""
    link = f" {markdown_link(note.path, note.first_line, note.last_line, note.sha256)}" if note.path else ""
    return f"[^{note.number}]: {_plain(note_text(note))}{link}"


def _plain(text: str) -> str:
    """Return a text on one line with its mark-up escaped."""
    return _MARKUP.sub(r"\\\1", one_line(text))
