"""How each tone of a line looks, in the light and in the dark look."""

from collections.abc import Mapping

from PySide6.QtGui import QColor, QFont, QTextCharFormat

from desktop_rag.gui.theme import mono_font
from desktop_rag.gui.theme_colors import Colors
from desktop_rag.gui.viewer.syntax import Tone

_LIGHT = {
    Tone.COMMENT: "#5d6b7a",
    Tone.KEYWORD: "#8a2ba8",
    Tone.STRING: "#176b41",
    Tone.NUMBER: "#9a4a00",
    Tone.NAME: "#2a4fc4",
    Tone.TAG: "#8a2ba8",
    Tone.DECORATOR: "#805100",
    Tone.BUILTIN: "#00687a",
}
_DARK = {
    Tone.COMMENT: "#a3abb9",
    Tone.KEYWORD: "#d3a0f0",
    Tone.STRING: "#8bd5a8",
    Tone.NUMBER: "#f0b070",
    Tone.NAME: "#9db6ff",
    Tone.TAG: "#d3a0f0",
    Tone.DECORATOR: "#f0c063",
    Tone.BUILTIN: "#7fd3e0",
}


def formats_of(colors: Colors, points: float) -> Mapping[int, QTextCharFormat]:
    """Return the character format of every tone for text of `points` points."""
    formats: dict[int, QTextCharFormat] = {
        int(tone): _colored(shade) for tone, shade in (_DARK if colors.dark else _LIGHT).items()
    }
    heading = _colored(colors.text)
    heading.setFontWeight(QFont.Weight.Bold)
    heading.setFontPointSize(points * 1.12)
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.DemiBold)
    code = QTextCharFormat()
    code.setFontFamilies([mono_font().family()])
    code.setFontPointSize(points * 0.95)
    code.setForeground(QColor((_DARK if colors.dark else _LIGHT)[Tone.BUILTIN]))
    marker = _colored(colors.link)
    marker.setFontWeight(QFont.Weight.DemiBold)
    quoted = _colored(colors.muted)
    quoted.setFontItalic(True)
    return formats | {
        int(Tone.HEADING): heading,
        int(Tone.STRONG): strong,
        int(Tone.MARKER): marker,
        int(Tone.CODE): code,
        int(Tone.QUOTED): quoted,
        int(Tone.LINK): _colored(colors.link),
    }


def _colored(shade: str) -> QTextCharFormat:
    shown = QTextCharFormat()
    shown.setForeground(QColor(shade))
    return shown
