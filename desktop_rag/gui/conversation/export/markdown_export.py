"""A conversation as Markdown with footnotes."""

import re

from desktop_rag.agent.events import Citation
from desktop_rag.gui.conversation.export.bibliography import plain_reference
from desktop_rag.gui.conversation.export.exported_conversation import (
    ExportedConversation,
    asked_at,
    note_text,
    sources_title,
)
from desktop_rag.text.desktop_links import markdown_link
from desktop_rag.text.display import one_line
from desktop_rag.text.hidden_characters import inert_markdown

_LINK = re.compile(r"\s?\[(\d+)\]\(cite:\d+\)")
_TWO = re.compile(r"(\[\^\d+\])(?=\[\^\d)")  # footnotes side by side, whose numbers would be read as one
_FORMULA = re.compile(r"(\$[^$\n]*\\[A-Za-z][^$\n]*\$)")
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")


def as_markdown(conversation: ExportedConversation, *, file_links: bool = False) -> str:
    """Return the conversation with footnotes and its documents, by default without a path of this computer.

    `file_links` open the cited lines in this program.
    """
    parts = [f"# {_plain(conversation.title)}"]
    for turn in conversation.turns:
        titled = turn is conversation.turns[0] and turn.question == conversation.title
        parts += ["" if titled else f"## {_plain(turn.question)}", f"*{asked_at(turn.asked)}*"]
        footnotes = _LINK.sub(r"[^\1]", inert_markdown(turn.marked))
        parts.append(_TWO.sub(r"\1 ", footnotes).strip())
        parts.append(f"*{_plain(turn.statements)}*" if turn.statements else "")
    notes = [_note(note, file_links=file_links) for turn in conversation.turns for note in turn.notes]
    if conversation.works:
        works = "\n".join(f"- {_plain(plain_reference(work))}" for work in conversation.works)
        parts += [f"## {_plain(sources_title())}", works, "\n".join(notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _note(note: Citation, *, file_links: bool) -> str:
    """Return a footnote, with a link to its lines if a file has them."""
    place = (note.path, note.first_line, note.last_line, note.sha256, note.quote)
    link = f" {markdown_link(*place)}" if note.path and file_links else ""
    return f"[^{note.number}]: {_plain(note_text(note))}{link}"


def _plain(text: str) -> str:
    """Return a text on one line with its mark-up escaped, except in formulas."""
    parts = _FORMULA.split(one_line(text))
    return "".join(part if at % 2 else _MARKUP.sub(r"\\\1", part) for at, part in enumerate(parts))
