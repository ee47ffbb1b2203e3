"""Fonts, colours and distances of a clean page in both themes."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout

from desktop_rag.documents.document import InlineMark, MarkKind
from desktop_rag.gui.theme.theme import mono_font, text_font
from desktop_rag.gui.theme.theme_colors import Colors, TokenKind, shades
from desktop_rag.gui.viewer.clean.blocks import BlockShape
from desktop_rag.gui.widgets.text_offsets import format_range
from desktop_rag.text.display import has_italics

_HEADINGS = (1.7, 1.4, 1.2, 1.08)  # factor on the text size, by level
_LINE_SPACING = 1.32
_WIDEST = 46.0  # of the text column, in line heights


@dataclass(frozen=True, slots=True)
class PageStyle:
    """The style of a page; distances are multiples of `em`, the height of a line."""

    colors: Colors
    points: float
    em: float

    @property
    def widest(self) -> float:
        """Return the maximum readable width of a text column."""
        return _WIDEST * self.em

    @property
    def indent(self) -> float:
        """Return the indentation of one level."""
        return 1.5 * self.em

    def font(self, shape: BlockShape, level: int = 0) -> QFont:
        """Return the font of a block."""
        if shape is BlockShape.CODE:
            return _sized(mono_font(), self.points * 0.94)
        font = _sized(text_font(), self.points)
        if shape is BlockShape.HEADING:
            font.setPointSizeF(self.points * _HEADINGS[min(max(level, 1), len(_HEADINGS)) - 1])
            font.setWeight(QFont.Weight.DemiBold if level > 1 else QFont.Weight.Bold)
        if shape is BlockShape.ROW:
            font.setPointSizeF(max(7.0, self.points * 0.96))
            if level:
                font.setWeight(QFont.Weight.DemiBold)
        return font

    def caption_font(self) -> QFont:
        """Return the font of section captions and field names."""
        font = _sized(text_font(), max(7.0, self.points * 0.88))
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def color(self, shape: BlockShape) -> QColor:
        """Return the text colour of a block."""
        return QColor(self.colors.muted if shape is BlockShape.QUOTE else self.colors.text)

    def spacing(self, shape: BlockShape) -> float:
        """Return the line spacing as a factor on the font's line height."""
        return (
            1.2 if shape in (BlockShape.CODE, BlockShape.HEADING, BlockShape.ROW, BlockShape.FIELD) else _LINE_SPACING
        )

    def formats(self, text: str, marks: Iterable[InlineMark], font: QFont) -> list[QTextLayout.FormatRange]:
        """Return the format ranges of the inline marks of `text`."""
        return [
            format_range(text, mark.start, mark.end, self._look(mark, text[mark.start : mark.end], font))
            for mark in marks
        ]

    def _look(self, mark: InlineMark, text: str, font: QFont) -> QTextCharFormat:
        look = QTextCharFormat()
        match mark.kind:
            case MarkKind.STRONG:
                look.setFontWeight(QFont.Weight.Bold)
            case MarkKind.EMPHASIS:
                look.setFontItalic(has_italics(text))
            case MarkKind.CODE:
                look.setFontFamilies([mono_font().family()])
                look.setFontPointSize(font.pointSizeF() * 0.94)
                look.setForeground(QColor(shades(self.colors)[TokenKind.BUILTIN]))
                look.setBackground(QColor(self.colors.code))
            case MarkKind.LINK:
                look.setForeground(QColor(self.colors.link))
                look.setFontUnderline(True)
            case MarkKind.STRIKETHROUGH:
                look.setFontStrikeOut(True)
            case MarkKind.SUPERSCRIPT:
                look.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
            case MarkKind.SUBSCRIPT:
                look.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
            case MarkKind.MARKUP | MarkKind.REPLACED:
                pass
        return look


def page_style(colors: Colors, zoom: float) -> PageStyle:
    """Return the page style in these colours, with text `zoom` points larger than the application's."""
    font = text_font(zoom + 0.5)
    return PageStyle(colors, font.pointSizeF(), QFontMetricsF(font).height())


def _sized(font: QFont, points: float) -> QFont:
    font.setPointSizeF(points)
    return font
