"""Parses the Markdown of an answer: a bounded part of it at a time, however long or odd it is.

The parts, and where long blocks are cut, depend only on the source: a streamed answer has the same blocks in the end as
one that is parsed at once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from PySide6.QtGui import QFont, QFontMetricsF

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
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    Code,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    Unit,
    closed,
    parse,
    without_unfinished,
)

# What one turn of the event loop may render of an answer: the weight of its source, and where a long block is cut.

TURN = 4_000  # weight that is rendered in one turn
LONGEST = 12_000  # weight of a block; what follows is a block of its own
_CELL = 40  # weight of the end of a line or cell: to parse and lay out it takes as long as so many letters
_SIGN = 15  # weight of a sign that may begin a format
_SIGNS = re.compile(r"[\n|*_`~$<>&\\\[\]]|[-+](?= )")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)])(?= |$)")


@dataclass(frozen=True, slots=True)
class Opening:
    """What is parsed before the rest of a block that was cut, but not shown again."""

    head: str = ""  # lines of the source
    blocks: int = 0  # how many blocks they make
    code: int = -1  # how many of these lines are in the code that goes on; -1: none does
    part: int = 0  # of the table that goes on; 0: none does


def weighted_end(source: str, start: int, most: int) -> int:
    """Return where the part of `source` from `start` that weighs `most` ends; its length if there is less."""
    spent, at = 0, start
    for sign in _SIGNS.finditer(source, start, start + most):
        spent += sign.start() - at + (_CELL if sign[0] in "\n|" else _SIGN)
        at = sign.end()
        if spent >= most:
            return at
    return min(len(source), at + most - spent)


def weight(source: str, most: int) -> int:
    """Return the weight of `source`; `most` if it is heavier."""
    signs = islice(_SIGNS.finditer(source), most // _SIGN)
    return min(most, len(source) + sum((_CELL if sign[0] in "\n|" else _SIGN) - 1 for sign in signs))


def cut_position(source: str, start: int, end: int) -> int:
    """Return where a long block from `start` is cut: after its last line before `end`, else after its last word."""
    found = (source.rfind(mark, (start + end) // 2, end) + 1 for mark in "\n ")
    return next(filter(None, found), end)


def opening_of_rest(lines: Sequence[str], unit: Unit, part: int) -> Opening:
    """Return what the rest of a cut `unit` continues: code, a table whose last part is `part`, or a list.

    `lines` are those of its source, up to the cut.
    """
    last = unit.blocks[-1] if unit.blocks else None
    own = lines[unit.line :]
    if isinstance(last, Code) and last.is_table:
        return Opening(f"{own[0]}\n{own[1]}\n", code=2)
    if isinstance(last, Code) and (fence := _FENCE.match(own[0])):
        closed = len(own) > 2 and own[-1] == "" and own[-2].strip().startswith(fence[1])
        return Opening() if closed else Opening(f"{own[0]}\n", code=0)
    if isinstance(last, MarkdownTable) and len(unit.blocks) == 1 and len(own) > 2 and not own[-1]:
        return Opening(f"{own[0]}\n{own[1]}\n", part=max(part, 1) + 1)
    items = tuple(_parents(own))
    return Opening("".join(f"{item}.\n" for item in items), blocks=len(items))


def _parents(lines: Sequence[str]) -> Iterator[str]:
    """Yield the marks of the list items that the last of `lines` is in, from the outermost, with their indents."""
    found: list[str] = []
    indent = 1_000
    for line in reversed(lines):
        item = _ITEM.match(line)
        if item and len(item[1]) < indent:
            indent = len(item[1])
            found.append(f"{item[0]} ")
    yield from reversed(found if indent < 4 else [])


def without_opening(units: Sequence[Unit], opening: Opening) -> tuple[Unit, ...]:
    """Return `units` without the blocks and lines of the opening they were parsed with; the first may become empty."""
    if not units:
        return ()
    first = units[0]
    code = first.blocks[0]
    if opening.code >= 0 and isinstance(code, Code):
        text = "\n".join(code.text.split("\n")[opening.code :])
        first = Unit(first.line, (replace(code, text=text, continued=True),) if text else ())
    elif opening.blocks:
        first = Unit(first.line, first.blocks[opening.blocks :])
    return (first, *units[1:])


# Long tables in parts: a streaming answer then parses and lays out only the last part of an unfinished table.

PART_ROWS = 16  # rows of a part, without the header
_PART_CELLS = 96  # of wide tables a part has fewer rows
_PADDING = 16.0  # pixels of a cell, left and right together
_WIDEST = 0.5  # share of the width that the text of one column may claim


def in_parts(units: Sequence[Unit], part: int = 0) -> tuple[Unit, ...]:
    """Return `units` with one unit per part of a long table; the text begins in `part` of one (from 2), or in none."""
    parted: list[Unit] = []
    for unit in units:
        table = unit.blocks[0] if len(unit.blocks) == 1 else None
        if isinstance(table, MarkdownTable) and not table.depth and (part or len(table.rows) > part_rows(table) + 1):
            parted += _parts(unit.line, table, part or 1)
        else:
            parted.append(unit)
        part = 0
    return tuple(parted)


def _parts(line: int, table: MarkdownTable, part: int) -> Iterator[Unit]:
    """Yield a unit for each part; all have the header as their first row, so that they are tables themselves."""
    header, rows, size = table.rows[0], table.rows[1:], part_rows(table)
    for start in range(0, max(1, len(rows)), size):
        more = start + size < len(rows)
        shown = replace(table, rows=(header, *rows[start : start + size]), part=part, more=more)
        yield Unit(line + 2 + start if start else line, (shown,))  # below the header is the line of its marks
        part += 1


def part_rows(table: MarkdownTable) -> int:
    """Return how many rows a part of a table has, without the header."""
    return min(PART_ROWS, max(1, _PART_CELLS // len(table.rows[0])))


def head_of(lines: Sequence[str], units: Sequence[Unit], head: str) -> str:
    """Return the lines to parse before the last of `units`: the header if it begins in a table, nothing else.

    `head` is that of the text before.
    """
    if not part_of(units[-1]) > 1:
        return ""
    first = next((unit for unit in reversed(units) if part_of(unit) == 1), None)
    return "".join(f"{line}\n" for line in lines[first.line : first.line + 2]) if first else head


def part_of(unit: Unit) -> int:
    """Return which part of a table a unit is, from 1; 0 if it is none."""
    block = unit.blocks[0] if unit.blocks else None
    return block.part if isinstance(block, MarkdownTable) else 0


def shown_rows(table: MarkdownTable) -> tuple[tuple[Pieces, ...], ...]:
    """Return the rows of a table; later parts of one do not repeat its header."""
    return table.rows[1:] if table.part > 1 else table.rows


def continues(before: MarkdownTable, after: MarkdownTable) -> bool:
    """Return whether a table is the one before with more in its last row and below."""
    last = len(before.rows) - 1
    one, other = (replace(table, rows=table.rows[:last]) for table in (before, after))
    return last > 0 and one == other


def column_shares(table: MarkdownTable, font: QFont, room: float) -> tuple[float, tuple[float, ...]]:
    """Return the width of a table in percent of `room` pixels, and those of its columns in percent of the table."""
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    plain, strong = QFontMetricsF(font), QFontMetricsF(bold)
    columns = max(len(row) for row in table.rows)
    needed = [_PADDING] * columns
    for number, row in enumerate(table.rows):
        metrics = plain if number else strong
        for column, pieces in enumerate(row):
            width = metrics.horizontalAdvance("".join(f" {p.text} " if p.citation else p.text for p in pieces))
            needed[column] = max(needed[column], min(width, _WIDEST * room) + _PADDING)
    together = sum(needed)
    return min(100.0, 100 * together / room), tuple(100 * width / together for width in needed)


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
