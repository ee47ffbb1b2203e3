"""Writes pieces of text into a text document in the formats of the current theme: styles, links, citation numbers."""

from collections.abc import Callable
from itertools import islice

from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor, QTextFormat

from desktop_rag.agent.citations.marks import REFUSED, Grade
from desktop_rag.agent.events import Mark
from desktop_rag.gui.conversation.answer.document_parts import Pill, citation_link
from desktop_rag.gui.conversation.answer.formulas import OBJECT, formula_format, ready_formula
from desktop_rag.gui.conversation.answer.markdown_blocks import MarkdownSpan, Pieces
from desktop_rag.gui.conversation.answer.statement_marks import StatementMarks
from desktop_rag.gui.formatting import MARKS
from desktop_rag.gui.theme.theme import mono_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.text.display import has_italics

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
