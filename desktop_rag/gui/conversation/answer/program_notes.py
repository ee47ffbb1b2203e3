"""The sentences that the program adds to an answer, in the language of the window; answers are stored in English."""

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.agent.prompts import (
    APART,
    CLOSEST,
    HOLDS,
    HOLDS_CHOSEN,
    KNOWS_NOTHING,
    NAMES_NO_MAIL,
    NOT_FOUND_CHOSEN,
    NOT_FOUND_OPENING,
    NOT_FOUND_PART,
    NOT_IN_DOCUMENTS,
    OTHER_LANGUAGE,
    SEARCHED_FOR,
    STILL_INDEXED,
    UNMENTIONED,
    UNQUOTED,
)
from desktop_rag.gui.catalogues import exact_sentence, sentence
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownSpan, Paragraph, Unit

_OPENINGS = (NOT_FOUND_OPENING, NOT_FOUND_CHOSEN, NOT_IN_DOCUMENTS)
_HOLDINGS = tuple(text.partition("{0}")[0] for text in (HOLDS, HOLDS_CHOSEN))
_BEGINNINGS = (
    *_HOLDINGS,
    CLOSEST,
    KNOWS_NOTHING,
    NOT_FOUND_PART.partition("{0}")[0],  # that of the chosen part begins so, too
    SEARCHED_FOR.replace("{0}.", "“"),
    UNMENTIONED.replace("{0}.", "“"),
    UNQUOTED.replace("{0}.", "“"),
    APART.partition("{0}")[0] + "“",
    STILL_INDEXED.partition("{0}")[0],
    OTHER_LANGUAGE,
    NAMES_NO_MAIL,
)


def in_window_language(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return the blocks of an answer with the program's own sentences translated; quotations stay as they are."""
    return tuple(
        unit if blocks == unit.blocks else Unit(unit.line, blocks)
        for unit, blocks in ((unit, tuple(map(_translated_block, unit.blocks))) for unit in units)
    )


def _translated_block(block: Block) -> Block:
    if not isinstance(block, Paragraph) or block.quoted:
        return block
    pieces = tuple(map(_translated, block.pieces))
    return block if pieces == block.pieces else replace(block, pieces=pieces)


def _translated(piece: MarkdownSpan) -> MarkdownSpan:
    if piece.italic:
        text = exact_sentence(f"*{piece.text}*").strip("*")
    else:
        opening = next((each for each in _OPENINGS if piece.text.startswith(each)), "")
        rest = piece.text.removeprefix(opening)
        if rest.strip().startswith(_BEGINNINGS):
            rest = rest.replace(rest.strip(), sentence(rest.strip()))
        text = (exact_sentence(opening) if opening else "") + rest
    return piece if text == piece.text else replace(piece, text=text)
