"""Renders the Markdown of an answer into a text document: a bounded part of it at a time, however long or odd it is.

The parts, and where long blocks are cut, depend only on the source: a streamed answer ends as the same document as one
that is rendered at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtGui import QTextCursor, QTextDocument

from desktop_rag.gui.conversation.answer.code_coloring import CodeColoring
from desktop_rag.gui.conversation.answer.document_parts import WriterState
from desktop_rag.gui.conversation.answer.long_blocks import (
    LONGEST,
    TURN,
    Opening,
    cut_position,
    opening_of_rest,
    weighted_end,
    without_opening,
)
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    Code,
    MarkdownTable,
    Unit,
    parse,
    without_unfinished,
)
from desktop_rag.gui.conversation.answer.program_notes import in_window_language
from desktop_rag.gui.conversation.answer.rich_text import RichTextWriter
from desktop_rag.gui.conversation.answer.table_parts import head_of, in_parts, part_of

CELLS = 128  # of tables that are written in one turn, and a part of one
_BLOCKS = 64  # that are

Marking = Callable[[Sequence[Unit]], tuple[Unit, ...]]


class AnswerRendering:
    """A document with as much of an answer as was rendered so far."""

    def __init__(self, document: QTextDocument, writer: RichTextWriter, marked: Marking) -> None:
        """`marked` marks the statements of parsed blocks."""
        self.document = document
        self.writer = writer
        self.reached = 0  # characters of the source that are rendered
        self.first_framed = 0  # of `writer.framed`, that the last call of `advance` has changed
        self._marked = marked
        self._finished = 0  # characters of the source in blocks that do not change any more
        self._opening = Opening()
        self._drawn: list[tuple[Block, WriterState]] = []  # the other blocks, and the state before each
        self._kept: list[Block] = []  # those that do not change any more
        self._coloring = CodeColoring()
        self._cutting = False  # these are cut after where it has reached
        self._full = False  # they are as long as they may be
        self._late: tuple[str, tuple[Unit, ...]] | None = None  # source and units of what is still to be written

    def advance(self, source: str, *, growing: bool) -> bool:
        """Render the next part of `source`, more of which may be added if `growing`; return whether there is more."""
        if self._late is None:
            self._late = self._parse_next(source, growing=growing)
        tail, units = self._late
        if not self._draw([block for unit in units for block in unit.blocks]):
            return True
        self._late = None
        if self._cutting:
            self._cut(tail, units)
        elif len(units) > 1:
            self._finish(tail, units)
        uncolored = self._color(complete=self.reached == len(source) and not growing)
        return uncolored or self.reached < len(source)

    def blocks(self) -> list[Block]:
        """Return what is rendered, the parts of long tables and code together again."""
        whole: list[Block] = []
        for block in (*self._kept, *(drawn for drawn, _ in self._drawn)):
            before = whole[-1] if whole else None
            if isinstance(block, MarkdownTable) and block.part > 1 and isinstance(before, MarkdownTable):
                whole[-1] = replace(before, rows=(*before.rows, *block.rows[1:]))
            elif isinstance(block, Code) and block.continued and isinstance(before, Code):
                whole[-1] = replace(before, text=f"{before.text}\n{block.text}")
            else:
                whole.append(block)
        return whole

    def _parse_next(self, source: str, *, growing: bool) -> tuple[str, tuple[Unit, ...]]:
        """Reach the next position; return the source of what may still change, and its units."""
        limit = weighted_end(source, self._finished, LONGEST)
        self.reached = min(weighted_end(source, self.reached, TURN), limit)
        self._full = self.reached == limit < len(source)
        tail, units = self._parsed(source, unfinished=growing or self.reached < len(source))
        if self._full and len(units) < 2:
            self._cutting = True
            self.reached = cut_position(source, self._finished, limit)
            tail, units = self._parsed(source, unfinished=True)
        return tail, units

    def _color(self, *, complete: bool) -> bool:
        """Colour some of the code that does not change any more; return whether there is more."""
        codes = self._drawn[0][1].codes if self._drawn and not complete else len(self.writer.codes)
        return self._coloring.step(self.writer.codes, codes, self.writer.colors)

    def _parsed(self, source: str, *, unfinished: bool) -> tuple[str, tuple[Unit, ...]]:
        tail = self._opening.head + source[self._finished : self.reached]
        units = in_window_language(parse(without_unfinished(tail) if unfinished else tail))
        units = in_parts(without_opening(units, self._opening), self._opening.part)
        return tail, self._marked(units)

    def _draw(self, blocks: Sequence[Block]) -> bool:
        """Write what of `blocks` is not yet in the document; return whether all of them are."""
        pairs = zip(self._drawn, blocks, strict=False)
        same = next((i for i, ((drawn, _), block) in enumerate(pairs) if drawn != block), None)
        same = min(len(self._drawn), len(blocks)) if same is None else same
        if same == len(self._drawn) == len(blocks):
            self.first_framed = len(self.writer.framed)
            return True
        edit = QTextCursor(self.document)
        edit.beginEditBlock()  # one layout pass for all changes
        drawn = self._write(blocks, same)
        edit.endEditBlock()
        return drawn

    def _write(self, blocks: Sequence[Block], same: int) -> bool:
        """Write `blocks` from number `same`, on which they differ from the document."""
        state = self._drawn[same][1] if same < len(self._drawn) else self.writer.state()
        self.first_framed = max(0, state.framed - 1)
        if same < len(self._drawn):
            if same == len(self._drawn) - 1 and same < len(blocks) and self.writer.extend(blocks[same]):
                self._drawn[same] = (blocks[same], state)
                same += 1
            else:
                self.writer.roll_back(state)
                del self._drawn[same:]
        left = CELLS
        for block in blocks[same:]:
            if left <= 0:
                return False
            self._drawn.append((block, self.writer.state()))
            self.writer.write((block,))
            left -= _cells(block)
        return True

    def _finish(self, tail: str, units: Sequence[Unit]) -> None:
        """Go on from the last of `units`; from the one before if that is on a line that is not complete yet."""
        lines = tail.split("\n")
        keep = len(units) - 1
        if not self._full and lines[-1] and units[-1].line >= len(lines) - 1:
            keep -= 1
        if keep < 1:
            return
        later = units[keep:]
        self._finished += sum(len(line) + 1 for line in lines[: later[0].line]) - len(self._opening.head)
        head = head_of(lines, units[: keep + 1], self._opening.head)
        self._opening = Opening(head, part=part_of(later[0]) if head else 0)
        self._keep(len(self._drawn) - sum(len(unit.blocks) for unit in later))

    def _cut(self, tail: str, units: Sequence[Unit]) -> None:
        """End the only block: what follows will be another one."""
        kept = without_unfinished(tail)
        head = len(self._opening.head)
        if len(kept) - head < (len(tail) - head) / 2:
            kept = tail  # nothing but open mark-up
        part = self._opening.part
        self._finished = self.reached - (len(tail) - len(kept))
        self._opening = opening_of_rest(kept.split("\n"), units[-1], part) if units else Opening()
        self._keep(len(self._drawn))
        self._cutting = False

    def _keep(self, count: int) -> None:
        """Leave the first `count` of the blocks drawn as they are."""
        self._kept += [block for block, _ in self._drawn[:count]]
        del self._drawn[:count]


def _cells(block: Block) -> int:
    """Return how many cells of a table it takes as long to write a block as."""
    return len(block.rows) * len(block.rows[0]) if isinstance(block, MarkdownTable) else CELLS // _BLOCKS
