"""Mark-up inside a quotation of a Markdown or LaTeX file: the answer escapes it, the window shows what it means."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownSpan, Paragraph, Unit
from desktop_rag.gui.snippet_text import shown_snippet

_MARKUP = re.compile(
    r"(?P<mark>\*\*|__)(?P<bold>(?=\S).+?(?<=\S))(?P=mark)|`(?P<code>[^`]+)`|!?\[(?P<link>[^\[\]]*)\]\([^()\s]*\)"
    r"|!?\[\[(?:[^\[\]|]*\|)?(?P<wiki>[^\[\]|]+)\]\]|(?<![\w*])\*(?P<italic>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|^(?:#{1,6}|[-*+]) +|(?<!\w)\*\*(?=\S|$)|(?:^|(?<=\S))\*\*(?!\w)"  # a part of a bold text
)
_COMMAND = re.compile(r"(?<!\\)\\[A-Za-z]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def has_markup(text: str, markdown: Collection[int]) -> bool:
    """Return whether an answer has quoted mark-up, of files whose citations are `markdown`, or quoted formulas."""
    signs = ("\\*", "\\`", "\\[", "\\#", "[[") if markdown else ()
    return "\\\\" in text or any(sign in text for sign in signs)


def show_quoted_markup(
    units: Sequence[Unit], markdown: Collection[int], latex: Collection[int] = ()
) -> tuple[Unit, ...]:
    """Return `units` with formulas in quotations, and the mark-up of those that cite one of `markdown` or `latex`."""
    return tuple(Unit(unit.line, tuple(_shown(block, markdown, latex) for block in unit.blocks)) for unit in units)


def _shown(block: Block, markdown: Collection[int], latex: Collection[int]) -> Block:
    if not isinstance(block, Paragraph) or not block.quoted:
        return block
    block = replace(block, pieces=tuple(map(_formula, block.pieces)))
    if any(piece.citation in latex for piece in block.pieces):
        return replace(block, pieces=tuple(map(_without_commands, _joined(block.pieces))))
    if not any(piece.citation in markdown for piece in block.pieces):
        return block
    return replace(block, pieces=tuple(part for piece in _joined(block.pieces) for part in _parts(piece)))


def _without_commands(piece: MarkdownSpan) -> MarkdownSpan:
    """Return a piece of LaTeX as the reading view shows it."""
    if piece.citation or piece.code or piece.math:
        return piece
    return replace(piece, text=shown_snippet(piece.text, (), Format.LATEX)[0])


def _formula(piece: MarkdownSpan) -> MarkdownSpan:
    """Return a formula as the file has it: the answer escapes its backslashes, so that none begins a command."""
    if not piece.math or _COMMAND.search(piece.text):
        return piece
    return replace(piece, text=_ESCAPE.sub(r"\1", piece.text))


def _joined(pieces: Sequence[MarkdownSpan]) -> Iterator[MarkdownSpan]:
    """Yield the pieces, with neighbours of one style as one: an escaped character is a piece of its own."""
    held: MarkdownSpan | None = None
    for piece in pieces:
        if held is not None and not piece.citation and replace(held, text=piece.text) == piece:
            held = replace(held, text=held.text + piece.text)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _parts(piece: MarkdownSpan) -> Iterator[MarkdownSpan]:
    if piece.citation or piece.code or piece.math:
        yield piece
        return
    end = 0
    for found in _MARKUP.finditer(piece.text):
        yield replace(piece, text=piece.text[end : found.start()])
        end = found.end()
        if words := found["bold"]:
            yield replace(piece, text=words, bold=True)
        elif words := found["code"]:
            yield replace(piece, text=words, code=True)
        elif words := found["italic"]:
            yield replace(piece, text=words, italic=True)
        elif words := found["link"] or found["wiki"]:
            yield replace(piece, text=words)
    yield replace(piece, text=piece.text[end:])
