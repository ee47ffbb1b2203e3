"""Markdown inside a quotation of a Markdown file: the answer escapes it, the window shows what it means."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownSpan, Paragraph, Unit

_MARKUP = re.compile(
    r"(?P<mark>\*\*|__)(?P<bold>(?=\S).+?(?<=\S))(?P=mark)|`(?P<code>[^`]+)`|!?\[(?P<link>[^\[\]]*)\]\([^()\s]*\)"
    r"|^(?:#{1,6}|[-*+]) +|(?<!\w)\*\*(?=\S)|(?<=\S)\*\*(?!\w)"  # a sentence can begin or end inside of bold text
)


def has_markup(text: str) -> bool:
    """Return whether an answer in Markdown has quoted mark-up."""
    return "\\*" in text or "\\`" in text or "\\[" in text or "\\#" in text


def show_quoted_markup(units: Sequence[Unit], markdown: Collection[int]) -> tuple[Unit, ...]:
    """Return `units` with the mark-up rendered in quotations whose citation is one of `markdown`."""
    if not markdown:
        return tuple(units)
    return tuple(Unit(unit.line, tuple(_shown(block, markdown) for block in unit.blocks)) for unit in units)


def _shown(block: Block, markdown: Collection[int]) -> Block:
    if not isinstance(block, Paragraph) or not block.quoted:
        return block
    if not any(piece.citation in markdown for piece in block.pieces):
        return block
    return replace(block, pieces=tuple(part for piece in _joined(block.pieces) for part in _parts(piece)))


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
        elif words := found["link"]:
            yield replace(piece, text=words)
    yield replace(piece, text=piece.text[end:])
