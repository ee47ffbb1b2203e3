"""Writes Markdown blocks into a text document in the formats of the current theme, without HTML or resources."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

from desktop_rag.agent.citations.marks import REFUSED, Grade
from desktop_rag.agent.events import Mark
from desktop_rag.gui.conversation.answer.formulas import OBJECT, formula_format, ready_formula
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    Code,
    HorizontalRule,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    ProofLine,
)
from desktop_rag.gui.conversation.answer.parsing import column_shares, continues, shown_rows
from desktop_rag.gui.conversation.answer.statement_marks import StatementMarks
from desktop_rag.gui.formatting import MARKS
from desktop_rag.gui.theme.theme import mono_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.text.display import has_italics

# What is written into the document of an answer: citation numbers with their links, framed blocks, and the state.

Framed = tuple[tuple[QTextTable, ...], Code | MarkdownTable]  # the tables of a block in the document, and all of it


@dataclass(frozen=True, slots=True)
class Pill:
    """The position of a citation number in the document."""

    position: int
    length: int
    number: int
    grade: Grade | None = None  # that of its statement or citation, if it is to be seen


@dataclass(frozen=True, slots=True)
class WriterState:
    """A state of the writer that it can return to."""

    end: int
    fresh: bool
    first: bool
    previous: Block | None
    pills: int
    codes: int
    framed: int
    last_framed: Framed | None


def citation_link(number: int, claim: int) -> str:
    """Return the link of a citation's number, with that of its claim unless that is 0."""
    return f"cite:{number}#{claim}" if claim else f"cite:{number}"


def number_of(link: QUrl) -> int:
    """Return the number of the citation behind a link; 0 for other links."""
    return _number(link.path()) if link.scheme() == "cite" else 0


def claim_of(link: QUrl) -> int:
    """Return the number of the claim in a citation's link; 0 without one."""
    return _number(link.fragment())


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


# Writes pieces of text into a text document in the formats of the current theme: styles, links, citation numbers.

ADDRESS = QTextFormat.Property.UserProperty.value + 1  # of a link that is shown but inactive
CLAIM = QTextFormat.Property.UserProperty.value + 4  # the number of the statement a text is part of

GradeLookup = Callable[[int, int], Grade | None]  # of a citation's number and its claim's


class PiecesWriter:
    """Writes the text of paragraphs and cells at a cursor; remembers the citation numbers."""

    def __init__(self, colors: Colors, font: QFont, marks: StatementMarks, grade: GradeLookup) -> None:
        self._marks = marks
        self._grade = grade
        self.colors = colors
        self.font = font
        self._pill_formats: dict[tuple[float, Grade | None], QTextCharFormat] = {}
        self.pills: list[Pill] = []

    def background(self, pill: Pill) -> str:
        """Return the colour behind a citation number."""
        return self.shades(pill.grade)[1]

    def shades(self, grade: Grade | None) -> tuple[str, str]:
        """Return the colours of what is marked with a grade, and of its background."""
        match grade:
            case "otherwise" | "altered" | "not found":
                return self.colors.danger, self.colors.danger_soft
            case "silent" | "misattributed":
                return self.colors.warning, self.colors.warning_soft
            case "quoted":
                return self.colors.success, self.colors.success_soft
            case "computed":
                return self.colors.muted, self.colors.hover
            case _:
                return self.colors.link, self.colors.accent_soft

    def write_pieces(
        self,
        cursor: QTextCursor,
        pieces: Pieces,
        font: QFont,
        color: str,
        *,
        bold: bool = False,
        display: bool = False,
        quoted: bool = False,
        first: int = 0,
    ) -> list[int]:
        """Write `pieces` from number `first`; return the position of each. No tick stands on what is `quoted`."""
        base = text_format(font, color)
        none = MarkdownSpan("")
        starts: list[int] = []
        neighbours = zip((none, *pieces), pieces, (*pieces[1:], none), strict=False)
        for before, piece, after in islice(neighbours, first, None):
            starts.append(cursor.position())
            if piece.citation:
                self._write_pill(cursor, piece, font, spaced=bool(before.citation), quoted=quoted)
                continue
            form = QTextCharFormat(base)
            self._style(form, piece, font, bold=bold)
            if piece.math and ready_formula(piece.text, display=display):
                form.merge(formula_format(piece.text, display=display))
                cursor.insertText(OBJECT, form)
                continue
            text = piece.text.replace("\n", "\u2028").replace("\t", "\u2003")  # a tab stop tears a quoted row apart
            if after.citation and text.endswith(" "):
                text = text[:-1] + "\u00a0"  # keep the number on the line of the text before it
            cursor.insertText(text, form)
        return starts

    def _style(self, form: QTextCharFormat, piece: MarkdownSpan, font: QFont, *, bold: bool) -> None:
        if piece.bold or bold:
            form.setFontWeight(QFont.Weight.DemiBold)
        if piece.italic:
            form.setFontItalic(has_italics(piece.text))
        if piece.struck:
            form.setFontStrikeOut(True)
        if piece.code or piece.math:
            fixed = mono_font()
            fixed.setPointSizeF(font.pointSizeF() - 0.5)
            form.setFont(fixed, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly)
            if piece.code:
                form.setBackground(QColor(self.colors.code))
        claim = self._marks.claim(piece.claim)
        if claim:
            form.setProperty(CLAIM, piece.claim)
        if claim and piece.faulty:
            lines = QTextCharFormat.UnderlineStyle
            refused = claim.mark in REFUSED
            form.setUnderlineStyle(lines.WaveUnderline if refused else lines.DotLine)
            form.setUnderlineColor(QColor(self._underline(claim.mark)))
        if piece.address:
            form.setProperty(ADDRESS, piece.address)
            form.setForeground(QColor(self.colors.muted))

    def _underline(self, mark: Mark) -> str:
        """Return the colour of the line under words: grey for a fact, such as that they are not written there."""
        if mark in REFUSED:
            return self.shades(mark)[0]
        return self.colors.warning if mark == "uncited" else self.colors.muted

    def _write_pill(self, cursor: QTextCursor, piece: MarkdownSpan, font: QFont, *, spaced: bool, quoted: bool) -> None:
        plain = QTextCharFormat()
        plain.setFont(font)
        if spaced:
            cursor.insertText("\u2009", plain)
        grade = self._grade(piece.citation, piece.claim)
        grade = None if quoted and grade == "quoted" else grade
        form = QTextCharFormat(self._pill_format(font, grade))
        form.setAnchorHref(citation_link(piece.citation, piece.claim))
        start = cursor.position()
        text = f"\u00a0{piece.citation}{MARKS.get(grade, '') if grade else ''}\u00a0"
        cursor.insertText(text, form)
        self.pills.append(Pill(start, len(text), piece.citation, grade))

    def _pill_format(self, font: QFont, grade: Grade | None) -> QTextCharFormat:
        key = (font.pointSizeF(), grade)
        if key not in self._pill_formats:
            small = QFont(font)
            small.setPointSizeF(max(6.5, font.pointSizeF() * 0.8))
            small.setWeight(QFont.Weight.DemiBold)
            form = self._pill_formats[key] = text_format(small, self.shades(grade)[0])
            form.setFontUnderline(False)
            form.setAnchor(True)
        return self._pill_formats[key]


def text_format(font: QFont, color: str) -> QTextCharFormat:
    """Return the format of text in a font and a colour."""
    form = QTextCharFormat()
    form.setFont(font)
    form.setForeground(QColor(color))
    return form


QUOTED = QTextFormat.Property.UserProperty.value + 2  # how many quotes a block is nested in
PROOF = QTextFormat.Property.UserProperty.value + 5  # a block that is a proof line, cut off at the edge of the view
RULED = QTextFormat.Property.UserProperty.value + 3  # an empty block painted as a horizontal rule
_LEAST_INDENT = 26  # pixels
_GAP = 11  # above a paragraph
_WIDE = 200  # percent of the blank that Qt leaves between a bullet and its text
_PROOF_GAP = 9  # below the last proof line
_QUOTE_INDENT = 16
_HEADING_STEPS = (0.0, 4.0, 2.5, 1.0, 0.0, 0.0, 0.0)  # points added to the text size, by heading level
_ZERO_WIDTH_SPACE = "\u200b"  # an empty block would lose its format when `roll_back` removes what follows
_USUAL_WIDTH = 780.0  # pixels, before the document is laid out


@dataclass(frozen=True, slots=True)
class _OpenText:
    """The paragraph at the end of the document, and the position of each of its pieces."""

    block: Paragraph
    starts: list[int]


class RichTextWriter(PiecesWriter):
    """Appends blocks to the end of a document, and can roll back to an earlier state."""

    def __init__(
        self, document: QTextDocument, colors: Colors, font: QFont, marks: StatementMarks, grade: GradeLookup
    ) -> None:
        super().__init__(colors, font, marks, grade)
        self._document = document
        # pixels of a level: the number of an item fits
        self.indent = max(_LEAST_INDENT, round(QFontMetricsF(font).horizontalAdvance("00.") + 8))
        self._fresh = True  # the last block is empty and can be reused
        self._first = True
        self._previous: Block | None = None
        self._open: tuple[QTextTable, Code | MarkdownTable] | None = None  # the last block, if it can be extended
        self._open_text: _OpenText | None = None  # the same of a paragraph
        self.framed: list[Framed] = []
        self.codes: list[tuple[QTextTable, Code]] = []  # the tables of code, without colours, and what is in each
        self.decorated = False  # whether quotes or rules were written, whose decoration is painted
        self._width: tuple[float, tuple[float, ...]] = (
            100.0,
            (),
        )  # of a table in parts and its columns, in percent

    def state(self) -> WriterState:
        """Return the state that `roll_back` can return to."""
        end = self._document.characterCount() - 1
        last = self.framed[-1] if self.framed else None
        counts = (len(self.pills), len(self.codes), len(self.framed))
        return WriterState(end, self._fresh, self._first, self._previous, *counts, last)

    def roll_back(self, state: WriterState) -> None:
        """Remove everything written since `state`."""
        del self.codes[state.codes :]
        del self.framed[state.framed :]
        if state.last_framed is not None:
            self.framed[-1] = state.last_framed  # which may have got further parts
        cursor = QTextCursor(self._document)
        cursor.setPosition(state.end)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if not state.end:  # the first block would keep the format of what it held
            cursor.setBlockFormat(QTextBlockFormat())
            cursor.setBlockCharFormat(QTextCharFormat())
        self._fresh, self._first, self._previous = state.fresh, state.first, state.previous
        del self.pills[state.pills :]
        self._open = self._open_text = None

    def write(self, blocks: Sequence[Block]) -> None:
        """Append `blocks`."""
        for block in blocks:
            match block:
                case Paragraph():
                    self._write_paragraph(block)
                case Code():
                    self._write_code(block)
                case MarkdownTable():
                    self._write_table(block)
                case HorizontalRule():
                    self._write_rule()
                case ProofLine():
                    self._write_proof(block)
            self._first = False
            if not isinstance(block, ProofLine):
                self._previous = block
            if not isinstance(block, Code | MarkdownTable):
                self._open = None
            if not isinstance(block, Paragraph):
                self._open_text = None

    def extend(self, block: Block) -> bool:
        """Extend the last block to `block`; return False if `block` does not continue it."""
        extended = self._extend_text(block) if isinstance(block, Paragraph) else self._extend_frame(block)
        if extended:
            self._previous = block
        return extended

    def _extend_text(self, block: Paragraph) -> bool:
        """Write what of a paragraph differs from the one written last."""
        opened = self._open_text
        if opened is None or not block.pieces or replace(opened.block, pieces=block.pieces) != block:
            return False
        before = opened.block.pieces
        same = next((i for i, (a, b) in enumerate(zip(before, block.pieces, strict=False)) if a != b), len(before))
        kept = max(0, min(same, len(block.pieces)) - 1)  # how a piece is written depends on the one after it
        start = opened.starts[kept]
        cursor = QTextCursor(self._document)
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self.pills[bisect_left(self.pills, start, key=attrgetter("position")) :]
        del opened.starts[kept:]
        self._write_text(cursor, block, opened.starts)
        return True

    def _extend_frame(self, block: Block) -> bool:
        if self._open is None:
            return False
        table, before = self._open
        if isinstance(block, Code) and isinstance(before, Code) and _goes_on(before, block):
            table.cellAt(0, 0).lastCursorPosition().insertText(block.text[len(before.text) :])
            self.codes[-1] = (table, block)
        elif isinstance(block, MarkdownTable) and isinstance(before, MarkdownTable) and continues(before, block):
            self._extend_table(table, before, block)
        else:
            return False
        self._open = (table, block)
        tables, whole = self.framed[-1]
        if isinstance(block, Code) and isinstance(before, Code) and block.continued:
            assert isinstance(whole, Code)
            kept = whole.text[: len(whole.text) - len(before.text)]
            self.framed[-1] = (tables, replace(whole, text=kept + block.text))
        elif isinstance(block, MarkdownTable) and isinstance(whole, MarkdownTable) and block.part > 1:
            assert isinstance(before, MarkdownTable)
            rows = whole.rows[: len(whole.rows) - len(before.rows) + 1]
            self.framed[-1] = (tables, replace(whole, rows=(*rows, *block.rows[1:])))
        else:
            self.framed[-1] = (tables, block)
        return True

    def _extend_table(self, table: QTextTable, before: MarkdownTable, block: MarkdownTable) -> None:
        first = len(shown_rows(before)) - 1  # the last row may be incomplete
        start = table.cellAt(first, 0).firstPosition()
        self.pills = [pill for pill in self.pills if pill.position < start]
        for column in range(table.columns()):
            cell = table.cellAt(first, column)
            cursor = cell.firstCursorPosition()
            cursor.setPosition(cell.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        rows = len(shown_rows(block))
        if rows > table.rows():
            table.appendRows(rows - table.rows())
        self._write_rows(table, block, first)

    def _write_paragraph(self, block: Paragraph) -> None:
        form = QTextBlockFormat()
        form.setTopMargin(self._gap_above(block))
        form.setLineHeight(132 if not block.level else 115, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if block.display:
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        if block.quoted:
            form.setLeftMargin(_QUOTE_INDENT * block.quoted)
            form.setProperty(QUOTED, block.quoted)
            self.decorated = True
        if block.level:
            form.setHeadingLevel(block.level)
        if block.depth and block.number is None:
            form.setIndent(block.depth)
        cursor = self._next_block(form)
        if block.number is not None:
            listed = QTextListFormat()
            listed.setIndent(block.depth)
            ordered = block.number > 0
            listed.setStyle(QTextListFormat.Style.ListDecimal if ordered else QTextListFormat.Style.ListDisc)
            if ordered:
                listed.setStart(block.number)
            cursor.createList(listed)
        font, color = self._text_look(block)
        base = text_format(font, color)
        marker = text_format(font, color)
        if block.number == 0:
            marker.setFontStretch(_WIDE)
        cursor.setBlockCharFormat(marker)
        if not block.pieces:
            cursor.insertText(_ZERO_WIDTH_SPACE, base)
            self._open_text = None
            return
        self._write_text(cursor, block, [])

    def _text_look(self, block: Paragraph) -> tuple[QFont, str]:
        if not block.level:
            return self.font, self.colors.muted if block.quoted else self.colors.text
        font = QFont(self.font)
        font.setPointSizeF(font.pointSizeF() + _HEADING_STEPS[block.level])
        font.setWeight(QFont.Weight.DemiBold)
        return font, self.colors.muted if block.quoted else self.colors.text

    def _write_text(self, cursor: QTextCursor, block: Paragraph, starts: list[int]) -> None:
        """Write the pieces of a paragraph after those that start at `starts`."""
        font, color = self._text_look(block)
        starts += self.write_pieces(
            cursor,
            block.pieces,
            font,
            color,
            display=block.display,
            quoted=bool(block.quoted),
            first=len(starts),
        )
        self._open_text = _OpenText(block, starts)

    def _gap_above(self, block: Paragraph) -> float:
        if self._first:
            return 0
        previous = self._previous
        if block.level:
            return 20 if block.level < 3 else 15
        if isinstance(previous, Paragraph):
            if previous.level:
                return 6
            if block.number is not None and previous.depth:
                return 4
            if block.depth and previous.depth:
                return 5
        return _GAP

    def _gap_above_frame(self) -> float:
        return 0 if self._first or isinstance(self._previous, Code | MarkdownTable) else _GAP

    def _next_block(self, form: QTextBlockFormat) -> QTextCursor:
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._fresh:
            if (listed := cursor.currentList()) is not None:
                listed.remove(cursor.block())
            cursor.setBlockFormat(form)
            cursor.setBlockCharFormat(QTextCharFormat())
        else:
            cursor.insertBlock(form, QTextCharFormat())
        self._fresh = False
        return cursor

    def _write_code(self, block: Code) -> None:
        form = QTextTableFormat()
        form.setBorder(0)
        form.setCellPadding(11)
        form.setCellSpacing(0)
        form.setTopMargin(0 if block.continued else self._gap_above_frame())
        form.setBottomMargin(_GAP)
        form.setLeftMargin(self.indent * block.depth)
        form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        table = self._insert_table(1, 1, form)
        cursor = table.cellAt(0, 0).firstCursorPosition()
        line = QTextBlockFormat()
        line.setLineHeight(122, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(line)
        plain = QTextCharFormat()
        plain.setFont(mono_font(-0.5))
        plain.setForeground(QColor(self.colors.text))
        cursor.setBlockCharFormat(plain)
        cursor.insertText(block.text, plain)
        self.codes.append((table, block))
        self._frame(table, block)

    def _write_table(self, block: MarkdownTable) -> None:
        rows, columns = shown_rows(block), max(len(row) for row in block.rows)
        if not rows:
            return
        form = QTextTableFormat()
        form.setBorder(0)
        form.setBorderCollapse(True)
        form.setCellPadding(7)
        form.setCellSpacing(0)
        form.setTopMargin(self._gap_above_frame())
        form.setBottomMargin(0 if block.more else _GAP)
        form.setLeftMargin(self.indent * block.depth)
        form.setHeaderRowCount(1 if block.part < 2 else 0)
        if block.part:
            self._set_widths(form, block)
        table = self._insert_table(len(rows), columns, form)
        self._write_rows(table, block, 0)
        self._frame(table, block)

    def _set_widths(self, form: QTextTableFormat, block: MarkdownTable) -> None:
        """Give all parts of a table the widths that the first one needs."""
        if block.part == 1:
            room = self._document.textWidth()
            self._width = column_shares(block, self.font, room if room > 0 else _USUAL_WIDTH)
        percent = QTextLength.Type.PercentageLength
        form.setWidth(QTextLength(percent, self._width[0]))
        form.setColumnWidthConstraints([QTextLength(percent, share) for share in self._width[1]])

    def _write_rows(self, table: QTextTable, block: MarkdownTable, first: int) -> None:
        rows = shown_rows(block)
        for number in range(first, len(rows)):
            for column, pieces in enumerate(rows[number][: table.columns()]):
                self._write_cell(table, block, number, column, pieces)

    def _write_cell(self, table: QTextTable, block: MarkdownTable, row: int, column: int, pieces: Pieces) -> None:
        cell, aligns = table.cellAt(row, column), block.aligns
        form = QTextTableCellFormat()
        if row + 1 < table.rows() or block.more:
            form.setBottomBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
            form.setBottomBorder(1)
            form.setBottomBorderBrush(QBrush(QColor(self.colors.border)))
        cell.setFormat(form)
        cursor = cell.firstCursorPosition()
        aligned = QTextBlockFormat()
        align = aligns[column] if column < len(aligns) else "left"
        flags = {"right": Qt.AlignmentFlag.AlignRight, "center": Qt.AlignmentFlag.AlignHCenter}
        aligned.setAlignment(flags.get(align, Qt.AlignmentFlag.AlignLeft))
        cursor.setBlockFormat(aligned)
        self.write_pieces(cursor, pieces, self.font, self.colors.text, bold=row == 0 and block.part < 2)

    def _insert_table(self, rows: int, columns: int, form: QTextTableFormat) -> QTextTable:
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        table = cursor.insertTable(rows, columns, form)
        self._fresh = True  # Qt adds an empty, hidden block after a table
        return table

    def _frame(self, table: QTextTable, block: Code | MarkdownTable) -> None:
        self._open = (table, block)
        if isinstance(block, MarkdownTable) and block.part > 1:
            tables, whole = self.framed[-1]
            if isinstance(whole, MarkdownTable):
                self.framed[-1] = ((*tables, table), replace(whole, rows=(*whole.rows, *block.rows[1:])))
        elif isinstance(block, Code) and block.continued:
            tables, whole = self.framed[-1]
            if isinstance(whole, Code):
                self.framed[-1] = ((*tables, table), replace(whole, text=f"{whole.text}\n{block.text}"))
        else:
            self.framed.append(((table,), block))

    def _write_proof(self, block: ProofLine) -> None:
        """Write a line that a click opens the source of; Tab goes past it, to the next number."""
        form = QTextBlockFormat()
        form.setBottomMargin(_PROOF_GAP if block.last else 0)
        form.setIndent(block.depth)
        refused = block.mark in REFUSED
        form.setNonBreakableLines(not refused)  # a quotation stands on one line
        form.setLineHeight(112, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        form.setProperty(PROOF, 1)
        font = QFont(self.font)
        font.setPointSizeF(max(6.5, font.pointSizeF() * 0.88))
        base = text_format(font, self.shades(block.mark)[0] if refused else self.colors.muted)
        base.setAnchorHref(citation_link(block.citation, block.claim))
        number = QTextCharFormat(base)
        number.setFontWeight(QFont.Weight.DemiBold)
        cursor = self._next_block(form)
        cursor.insertText(f"[{block.citation}] ", number)
        cursor.insertText(block.text, base)
        self.decorated = True

    def _write_rule(self) -> None:
        form = QTextBlockFormat()
        form.setTopMargin(_GAP)
        form.setProperty(RULED, 1)
        self.decorated = True
        thin = QTextCharFormat()
        thin.setFontPointSize(3)
        self._next_block(form).insertText(_ZERO_WIDTH_SPACE, thin)


def _goes_on(before: Code, after: Code) -> bool:
    """Return whether code is the one before with more at its end."""
    return after.text.startswith(before.text) and replace(before, text=after.text) == after
