"""A conversation as one HTML page that loads nothing and runs nothing; also the source of PDF and print."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from PySide6.QtCore import QUrl

from desktop_rag.agent.events import Citation
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    Code,
    HorizontalRule,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    ProofLine,
    parse,
)
from desktop_rag.gui.conversation.export.exported_conversation import (
    ExportedConversation,
    ExportedTurn,
    asked_at,
    note_text,
    plain_reference,
    sources_title,
)
from desktop_rag.gui.formatting import file_name
from desktop_rag.text.desktop_links import markdown_link
from desktop_rag.text.display import has_italics, one_line
from desktop_rag.text.hidden_characters import inert_markdown
from desktop_rag.text.readable_math import readable_math

_INDENT = 24  # pixels of a level
_JOINER = "\u2060"  # forbids a line break
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { font-family: sans-serif; line-height: 1.5; color: #1c1e22; background: #ffffff; } a { color: #2f54c8; }
@media screen { body { max-width: 46em; margin: 2em auto; } }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
.asked, .statements, .notes, .works { color: #50555e; font-size: 0.9em; }
pre { background: #f3f4f6; padding: 0.6em; white-space: pre-wrap; } code { background: #f3f4f6; }
blockquote { border-left: 3px solid #c9ced6; margin-left: 1em; padding-left: 1em; }
table { border-collapse: collapse; } td, th { border: 1px solid #c9ced6; padding: 0.2em 0.6em; }
"""


def as_html(conversation: ExportedConversation, *, file_links: bool = False) -> str:
    """Return the conversation as a page, by default without a path of this computer; `file_links` lead to the files."""
    title = escape(conversation.title)
    body = "\n".join(_parts(conversation, file_links=file_links))
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{_POLICY}"><title>{title}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _parts(conversation: ExportedConversation, *, file_links: bool) -> Iterator[str]:
    yield f"<h1>{escape(conversation.title)}</h1>"
    for turn in conversation.turns:
        yield from _turn(turn, titled=turn is conversation.turns[0] and turn.question == conversation.title)
    if conversation.works:
        yield f"<h2>{escape(sources_title())}</h2>"
        yield from (f'<p class="works">{escape(plain_reference(work))}</p>' for work in conversation.works)
    for turn in conversation.turns:
        for note in turn.notes:
            back = f'<a name="note{note.number}" href="#cited{note.number}">{note.number}</a>'
            yield f'<p class="notes"><sup>{back}</sup> {_note(note, file_links=file_links)}</p>'


def _note(note: Citation, *, file_links: bool) -> str:
    """Return a footnote; with `file_links`, the name of its file leads to it, at the cited page."""
    text, name = escape(note_text(note)), escape(file_name(note.path, note.title))
    if not (file_links and note.path and text.startswith(name)):
        return text
    address = QUrl.fromLocalFile(note.path)
    if note.page:
        address.setFragment(f"page={note.page}")
    link = escape(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))
    return f'<a href="{link}">{name}</a>{text[len(name) :]}'


def _turn(turn: ExportedTurn, *, titled: bool) -> Iterator[str]:
    if not titled:  # the title is this question
        yield f"<h2>{_broken(turn.question)}</h2>"
    yield f'<p class="asked">{escape(asked_at(turn.asked))}</p>'
    seen: set[int] = set()
    yield from (_block(block, seen) for unit in parse(turn.marked) for block in unit.blocks)
    if turn.statements:
        yield f'<p class="statements">{escape(turn.statements)}</p>'


def _block(block: Block, seen: set[int]) -> str:
    match block:
        case Paragraph():
            return _paragraph(block, seen)
        case Code(text, _, depth):
            return _nested(f"<pre>{escape(text)}</pre>", depth)
        case MarkdownTable(rows, aligns, depth):
            made = "".join(_row(row, aligns, "td" if at else "th", seen) for at, row in enumerate(rows))
            return _nested(f"<table>{made}</table>", depth)
        case HorizontalRule():
            return "<hr>"
        case ProofLine():
            return ""  # the footnotes have the quotations


def _paragraph(block: Paragraph, seen: set[int]) -> str:
    text = _pieces(block.pieces, seen)
    if block.level:
        level = min(6, block.level + 2)  # below the question
        return f"<h{level}>{text}</h{level}>"
    if block.number is not None and block.depth:
        mark = f"{block.number}." if block.number else "•"
        text = f"{mark}&nbsp;{text}"
    # On paper Qt ignores the margins of what is around a paragraph, and takes its pixels for those of the printer.
    levels = block.depth + block.quoted
    indent = f' style="margin-left: {block.depth * _INDENT}px; -qt-block-indent: {levels}"' if levels else ""
    return "<blockquote>" * block.quoted + f"<p{indent}>{text}</p>" + "</blockquote>" * block.quoted


def _nested(made: str, depth: int) -> str:
    return f'<div style="margin-left: {depth * _INDENT}px">{made}</div>' if depth else made


def _row(row: Sequence[Pieces], aligns: Sequence[str], tag: str, seen: set[int]) -> str:
    sides = (*aligns, *("left",) * len(row))
    pairs = zip(row, sides, strict=False)
    cells = (f'<{tag} align="{escape(side)}">{_pieces(cell, seen)}</{tag}>' for cell, side in pairs)
    return f"<tr>{''.join(cells)}</tr>"


def _pieces(pieces: Pieces, seen: set[int]) -> str:
    between = "<sup>,&thinsp;</sup>"  # two numbers side by side would be read as one
    neighbours = zip((None, *pieces), pieces, (*pieces[1:], None), strict=False)
    return "".join(
        between * bool(before and before.citation and piece.citation)
        + _piece(piece, seen, cited=bool(after and after.citation))
        for before, piece, after in neighbours
    )


def _piece(piece: MarkdownSpan, seen: set[int], *, cited: bool) -> str:
    if piece.citation:
        anchor = "" if piece.citation in seen else f' name="cited{piece.citation}"'
        seen.add(piece.citation)
        return f'<sup><a{anchor} href="#note{piece.citation}">{piece.citation}</a></sup>'
    text = readable_math(piece.text) if piece.math else piece.text
    text = _broken(_joined(text) if cited else text)
    for tag, wanted in (
        ("code", piece.code),
        ("b", piece.bold),
        ("i", piece.italic and has_italics(text)),
        ("s", piece.struck),
    ):
        text = f"<{tag}>{text}</{tag}>" if wanted else text
    return text


def _joined(text: str) -> str:
    """Return text whose last word stays on one line with the number after it."""
    if text.isspace():
        return text
    text = text.rstrip(" ")
    return text if text.isascii() and text[-1:] not in "!?/-" else text + _JOINER


def _broken(text: str) -> str:
    return escape(text).replace("\n", "<br>")


# A conversation as Markdown with footnotes.

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
    notes = [_markdown_note(note, file_links=file_links) for turn in conversation.turns for note in turn.notes]
    if conversation.works:
        works = "\n".join(f"- {_plain(plain_reference(work))}" for work in conversation.works)
        parts += [f"## {_plain(sources_title())}", works, "\n".join(notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _markdown_note(note: Citation, *, file_links: bool) -> str:
    """Return a footnote, with a link to its lines if a file has them."""
    place = (note.path, note.first_line, note.last_line, note.sha256, note.quote)
    link = f" {markdown_link(*place)}" if note.path and file_links else ""
    return f"[^{note.number}]: {_plain(note_text(note))}{link}"


def _plain(text: str) -> str:
    """Return a text on one line with its mark-up escaped, except in formulas."""
    parts = _FORMULA.split(one_line(text))
    return "".join(part if at % 2 else _MARKUP.sub(r"\\\1", part) for at, part in enumerate(parts))
