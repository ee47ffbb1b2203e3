"""Character formats of the token kinds in both themes."""

from collections.abc import Mapping

from PySide6.QtGui import QColor, QFont, QTextCharFormat

from desktop_rag.gui.theme.theme import mono_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.theme.token_kinds import TokenKind, shades


def formats_of(colors: Colors, points: float) -> Mapping[int, QTextCharFormat]:
    """Return the character format of every token kind for text of `points` points."""
    shade = shades(colors)
    formats: dict[int, QTextCharFormat] = {int(token): _colored(color) for token, color in shade.items()}
    heading = _colored(colors.text)
    heading.setFontWeight(QFont.Weight.Bold)
    heading.setFontPointSize(points * 1.12)
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.DemiBold)
    code = QTextCharFormat()
    code.setFontFamilies([mono_font().family()])
    code.setFontPointSize(points * 0.95)
    code.setForeground(QColor(shade[TokenKind.BUILTIN]))
    marker = _colored(colors.link)
    marker.setFontWeight(QFont.Weight.DemiBold)
    quoted = _colored(colors.muted)
    quoted.setFontItalic(True)
    return formats | {
        int(TokenKind.HEADING): heading,
        int(TokenKind.STRONG): strong,
        int(TokenKind.MARKER): marker,
        int(TokenKind.CODE): code,
        int(TokenKind.QUOTED): quoted,
        int(TokenKind.LINK): _colored(colors.link),
    }


def _colored(color: str) -> QTextCharFormat:
    shown = QTextCharFormat()
    shown.setForeground(QColor(color))
    return shown
