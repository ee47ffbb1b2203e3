"""Renders the Markdown of an answer into a text document: a bounded part of it at a time, while parsing."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QTextCursor, QTextDocument

from desktop_rag.gui.conversation.answer.code_colors import CodeColoring
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, Code, MarkdownTable, ProofLine, Unit
from desktop_rag.gui.conversation.answer.parsing import AnswerParsing
from desktop_rag.gui.conversation.answer.rich_text import RichTextWriter, WriterState
from desktop_rag.gui.conversation.answer.statement_marks import Proofs, quotations, with_proofs

CELLS = 128  # of tables that are written in one turn, and a part of one
_BLOCKS = 64  # that are

Marking = Callable[[Sequence[Unit]], tuple[Unit, ...]]


class AnswerRendering:
    """A document with as much of an answer as was rendered so far."""

    def __init__(
        self,
        document: QTextDocument,
        writer: RichTextWriter,
        marked: Marking,
        question: str = "",
        proofs: Proofs | None = None,
    ) -> None:
        """`marked` marks the statements of parsed blocks; notes are translated into the language of `question`."""
        self.document = document
        self.writer = writer
        self.first_framed = 0  # of `writer.framed`, that the last call of `advance` has changed
        self._marked = marked
        self._proofs = proofs or Proofs()
        self._quoted: set[int] = set()  # citations whose quotations are among `_kept`
        self._parsing = AnswerParsing(question)
        self._drawn: list[tuple[Block, WriterState]] = []  # the other blocks, and the state before each
        self._kept: list[Block] = []  # those that do not change any more
        self._coloring = CodeColoring()
        self._late: tuple[Block, ...] | None = None  # what is still to be written

    @property
    def reached(self) -> int:
        """Return how many characters of the source are rendered."""
        return self._parsing.reached

    def advance(self, source: str, *, growing: bool) -> bool:
        """Render the next part of `source`, which is incomplete if `growing`; return whether more can be rendered."""
        if self._late is None:
            units = self._marked(self._parsing.parse_next(source, growing=growing))
            blocks = [block for unit in units for block in unit.blocks]
            complete = self.reached == len(source) and not growing
            self._late = tuple(with_proofs(blocks, self._proofs, self._quoted, complete=complete))
        if not self._draw(self._late):
            return True
        self._late = None
        self._keep(self._settled(self._parsing.settle()))
        uncolored = self._color(complete=self.reached == len(source) and not growing)
        return uncolored or self.reached < len(source)

    def blocks(self) -> list[Block]:
        """Return what is rendered of the text, the parts of long tables and code together again."""
        whole: list[Block] = []
        for block in (*self._kept, *(drawn for drawn, _ in self._drawn)):
            if isinstance(block, ProofLine):
                continue
            before = whole[-1] if whole else None
            if isinstance(block, MarkdownTable) and block.part > 1 and isinstance(before, MarkdownTable):
                whole[-1] = replace(before, rows=(*before.rows, *block.rows[1:]))
            elif isinstance(block, Code) and block.continued and isinstance(before, Code):
                whole[-1] = replace(before, text=f"{before.text}\n{block.text}")
            else:
                whole.append(block)
        return whole

    def _color(self, *, complete: bool) -> bool:
        """Colour some of the code that does not change any more; return whether there is more."""
        codes = self._drawn[0][1].codes if self._drawn and not complete else len(self.writer.codes)
        return self._coloring.step(self.writer.codes, codes, self.writer.colors)

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

    def _settled(self, changing: int) -> int:
        """Return how many of the blocks drawn are final: those before the last `changing` ones that were parsed."""
        parsed = [place for place, (block, _) in enumerate(self._drawn) if not isinstance(block, ProofLine)]
        return parsed[-changing] if changing else len(self._drawn)

    def _keep(self, count: int) -> None:
        """Leave the first `count` of the blocks drawn as they are."""
        self._kept += [block for block, _ in self._drawn[:count]]
        self._quoted |= quotations(block for block, _ in self._drawn[:count])
        del self._drawn[:count]


class GradualWriting(QObject):
    """Renders an answer into `document` while another one is shown."""

    finished = Signal()

    def __init__(self, shown: QTextDocument, parent: QObject) -> None:
        super().__init__(parent)
        self.document = QTextDocument(parent)  # laid out as `shown`, whose place it takes
        self.document.setUndoRedoEnabled(False)
        self.document.setDefaultFont(shown.defaultFont())
        self.document.setDefaultTextOption(shown.defaultTextOption())
        self.document.setPageSize(shown.pageSize())
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._on_turn)

    def start(self, rendering: AnswerRendering, source: str) -> None:
        """Render all of `source`; emits `finished`, unless `drop` comes first."""
        self.rendering = rendering
        self._source = source
        self._turns.start()

    def drop(self) -> None:
        """Delete the document and this."""
        self.document.deleteLater()
        self.deleteLater()
        self._turns.stop()

    @Slot()
    def _on_turn(self) -> None:
        if not self.rendering.advance(self._source, growing=False):
            self._turns.stop()
            self.finished.emit()


def _cells(block: Block) -> int:
    """Return how many cells of a table it takes as long to write a block as."""
    return len(block.rows) * len(block.rows[0]) if isinstance(block, MarkdownTable) else CELLS // _BLOCKS
