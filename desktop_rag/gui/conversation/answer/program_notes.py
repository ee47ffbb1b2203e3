"""The sentences that the program adds to an answer; answers are stored in English.

They are in the language of the question if the program has it, else in that of the window.
"""

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.agent.answer_notes import in_language_of
from desktop_rag.agent.prompts import (
    APART,
    CLOSEST,
    CLOSEST_ACROSS,
    CLOSEST_PASSAGES,
    HOLDS,
    HOLDS_CHOSEN,
    KNOWS_NOTHING,
    MORE_ROWS,
    NEEDS_MODEL,
    NOT_FOUND_CHOSEN,
    NOT_FOUND_OPENING,
    NOT_FOUND_PART,
    NOT_IN_DOCUMENTS,
    NOT_TOGETHER,
    ONLY_ONE_SIDE,
    OTHER_LANGUAGE,
    SEARCHED_FOR,
    STILL_INDEXED,
    UNMENTIONED,
    UNQUOTED,
    UNSURE,
)
from desktop_rag.gui.catalogues import exact_sentence, sentence
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownSpan, Paragraph, Unit

_OPENINGS = (NOT_FOUND_OPENING, NOT_FOUND_CHOSEN, NOT_IN_DOCUMENTS)
_HOLDINGS = tuple(text.partition("{0}")[0] for text in (HOLDS, HOLDS_CHOSEN))
_BEGINNINGS = (
    *_HOLDINGS,
    CLOSEST,
    CLOSEST_ACROSS,
    CLOSEST_PASSAGES,
    KNOWS_NOTHING,
    NOT_FOUND_PART.partition("{0}")[0],  # that of the chosen part begins so, too
    SEARCHED_FOR.replace("{0}.", "“"),
    UNMENTIONED.replace("{0}.", "“"),
    UNQUOTED.replace("{0}.", "“"),
    APART.partition("{0}")[0] + "“",
    NOT_TOGETHER.partition("{0}")[0],
    STILL_INDEXED.partition("{0}")[0],
    OTHER_LANGUAGE,
    MORE_ROWS,
    NEEDS_MODEL,
    ONLY_ONE_SIDE.partition("{0}")[0],
    UNSURE,
)


def with_notes_translated(units: Sequence[Unit], question: str = "") -> tuple[Unit, ...]:
    """Return the blocks of an answer with the program's own sentences translated; quotations stay as they are."""
    return tuple(
        unit if blocks == unit.blocks else Unit(unit.line, blocks)
        for unit, blocks in (
            (unit, tuple(_translated_block(block, question) for block in unit.blocks)) for unit in units
        )
    )


def _translated_block(block: Block, question: str) -> Block:
    if not isinstance(block, Paragraph) or block.quoted:
        return block
    pieces = tuple(_translated(piece, question) for piece in block.pieces)
    return block if pieces == block.pieces else replace(block, pieces=pieces)


def _translated(piece: MarkdownSpan, question: str) -> MarkdownSpan:
    marks = "*" if piece.italic else ""
    text = in_language_of(question, f"{marks}{piece.text}{marks}").removeprefix(marks).removesuffix(marks)
    if text != piece.text:
        return replace(piece, text=text)
    if piece.italic:
        text = exact_sentence(f"*{piece.text}*").strip("*")
    else:
        opening = next((each for each in _OPENINGS if piece.text.startswith(each)), "")
        rest = piece.text.removeprefix(opening)
        if rest.strip().startswith(_BEGINNINGS):
            rest = rest.replace(rest.strip(), sentence(rest.strip()))
        text = (exact_sentence(opening) if opening else "") + rest
    return piece if text == piece.text else replace(piece, text=text)
