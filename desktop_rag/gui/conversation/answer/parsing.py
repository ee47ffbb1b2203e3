"""Parses the Markdown of an answer: a bounded part of it at a time, however long or odd it is.

The parts, and where long blocks are cut, depend only on the source: a streamed answer has the same blocks in the end as
one that is parsed at once.
"""

from collections.abc import Iterator, Sequence
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
from desktop_rag.gui.conversation.answer.long_blocks import (
    LONGEST,
    TURN,
    Opening,
    cut_position,
    head_of,
    in_parts,
    opening_of_rest,
    part_of,
    weighted_end,
    without_opening,
)
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    MarkdownSpan,
    Paragraph,
    Unit,
    closed,
    parse,
    without_unfinished,
)

# The sentences that the program adds to an answer; answers are stored in English.
#
# They are in the language of the question if the program has it, else in that of the window.

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


class AnswerParsing:
    """How far an answer is parsed."""

    def __init__(self, question: str = "") -> None:
        """Notes in the answer are translated into the language of `question`."""
        self._question = question
        self.reached = 0  # characters of the source that are parsed
        self._finished = 0  # characters of the source in blocks that do not change any more
        self._opening = Opening()
        self._tail = ""  # the source that was parsed last, and its units
        self._units: tuple[Unit, ...] = ()
        self._cutting = False  # these are cut after where it has reached
        self._full = False  # they are as long as they may be

    def parse_next(self, source: str, *, growing: bool) -> tuple[Unit, ...]:
        """Parse the next part of `source`; return it after the blocks that were not final.

        More of `source` may be added if `growing`.
        """
        limit = weighted_end(source, self._finished, LONGEST)
        self.reached = min(weighted_end(source, self.reached, TURN), limit)
        self._full = self.reached == limit < len(source)
        self._parse(source, unfinished=growing or self.reached < len(source))
        if self._full and len(self._units) < 2:
            self._cutting = True
            self.reached = cut_position(source, self._finished, limit)
            self._parse(source, unfinished=True)
        return self._units

    def settle(self) -> int:
        """Go on after what is final of the last part; return how many of its blocks may still change."""
        if self._cutting:
            self._cut()
            return 0
        lines, units = self._tail.split("\n"), self._units
        keep = len(units) - 1
        if not self._full and units and lines[-1] and units[-1].line >= len(lines) - 1:
            keep -= 1  # a line that is not complete yet can change the unit before it
        later = units[max(keep, 0) :]
        if keep > 0:
            self._finished += sum(len(line) + 1 for line in lines[: later[0].line]) - len(self._opening.head)
            head = head_of(lines, units[: keep + 1], self._opening.head)
            self._opening = Opening(head, part=part_of(later[0]) if head else 0)
        return sum(len(unit.blocks) for unit in later)

    def _parse(self, source: str, *, unfinished: bool) -> None:
        self._tail = self._opening.head + source[self._finished : self.reached]
        units = parse(closed(self._tail) if unfinished else self._tail)
        units = with_notes_translated(units, self._question)
        self._units = in_parts(without_opening(units, self._opening), self._opening.part)

    def _cut(self) -> None:
        """End the only block: what follows will be another one."""
        kept = without_unfinished(self._tail)
        head = len(self._opening.head)
        if len(kept) - head < (len(self._tail) - head) / 2:
            kept = self._tail  # nothing but open mark-up
        part = self._opening.part
        self._finished = self.reached - (len(self._tail) - len(kept))
        self._opening = opening_of_rest(kept.split("\n"), self._units[-1], part) if self._units else Opening()
        self._cutting = False


def final_blocks(source: str) -> Iterator[Sequence[Block]]:
    """Yield the blocks of a complete answer, those of one bounded part at a time."""
    parsing = AnswerParsing()
    more = True
    while more:
        units = parsing.parse_next(source, growing=False)
        blocks = [block for unit in units for block in unit.blocks]
        more = parsing.reached < len(source)
        changing = parsing.settle()
        yield blocks[: len(blocks) - changing] if more else blocks
