"""Offsets in text: ours count characters, Qt's count UTF-16 units (two for an emoji)."""

import re

from PySide6.QtGui import QTextCharFormat, QTextLayout

_PAIRS = re.compile("[\U00010000-\U0010ffff]")  # characters of two units


def to_qt(text: str, offset: int) -> int:
    """Return Qt's offset of a character of `text`."""
    return offset if text.isascii() else offset + len(_PAIRS.findall(text, 0, offset))


def from_qt(text: str, offset: int) -> int:
    """Return the offset of the character at Qt's `offset`; inside a pair, that of the pair."""
    if text.isascii():
        return offset
    for pair in _PAIRS.finditer(text):
        if pair.start() + 1 > offset:  # `offset` is reduced by the pairs before it
            break
        offset -= 1
    return offset


def format_range(text: str, start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """Return the format range of characters `start` to `end` of a layout of `text`."""
    formatted = QTextLayout.FormatRange()
    formatted.start, formatted.format = to_qt(text, start), look
    formatted.length = to_qt(text, end) - formatted.start
    return formatted
