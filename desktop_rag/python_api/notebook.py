"""Hits and answers as HTML for notebooks; everything from documents is escaped."""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation
from desktop_rag.text.display import location_text, printable

_CITED = re.compile("\ue000(\\d+)\ue001")
ShownHit = tuple[Path, int | None, int, int, str, tuple[tuple[int, int], ...]]  # path, page, lines, snippet, marks


def hits_html(query: str, hits: Sequence[ShownHit]) -> str:
    """Return hits as an ordered list with their matches marked."""
    if not hits:
        return f"<p>Nothing found for: {_text(query)}</p>"
    rows = (
        f"<li><b>{_text(path.name)}</b> <small>{location_text(page, first, last)} · {_text(path.parent)}</small>"
        f'<div style="white-space: pre-wrap">{_marked(snippet, marks)}</div></li>'
        for path, page, first, last, snippet, marks in hits
    )
    return f"<ol>{''.join(rows)}</ol>"


def answer_html(text: str, citations: Sequence[Citation]) -> str:
    """Return the text of an answer, which is Markdown, and its sources; links and pictures in it stay text."""
    marked = LINK.sub("\ue000\\1\ue001", text.replace("\ue000", "").replace("\ue001", ""))
    shown = _CITED.sub(r"<sup>[\1]</sup>", _markdown().render(printable(marked)))
    rows = (
        f"<li value={each.number}><b>{_text(Path(each.path).name)}</b> "
        f"<small>{location_text(each.page, each.first_line, each.last_line)} · {_text(each.verdict)}</small>"
        f"<br><q>{_text(shown_words(each))}</q></li>"
        for each in citations
    )
    sources = f"<ol>{''.join(rows)}</ol>" if citations else ""
    return f"<div>{shown}</div>{sources}"


def _markdown() -> MarkdownIt:
    rules = ["link", "image", "autolink", "html_inline", "html_block", "reference"]
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(rules)


def _marked(text: str, marks: Sequence[tuple[int, int]]) -> str:
    parts, end = list[str](), 0
    for first, last in marks:
        parts += [_text(text[end:first]), f"<mark>{_text(text[first:last])}</mark>"]
        end = last
    return "".join((*parts, _text(text[end:])))


def _text(text: object) -> str:
    return escape(printable(str(text)))
