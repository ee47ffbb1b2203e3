"""Colours the code of an answer after it was written, some tokens in each turn of the event loop."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextTable

from desktop_rag.gui.conversation.answer.markdown_blocks import Code
from desktop_rag.gui.theme.theme_colors import Colors, TokenKind, shades, toned

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_FENCE = re.compile(r"^[ >]*(?:```+|~~~+) *([\w+#.-]+)", re.MULTILINE)
_LONGEST = 8_000  # characters; longer code is not coloured
_TOKENS = 200  # of a turn


class CodeColoring:
    """Where in the code of a document the colouring has got to."""

    def __init__(self) -> None:
        self._codes = 0  # that are coloured
        self._tokens = 0  # of the next that are

    def step(self, codes: list[tuple[QTextTable, Code]], final: int, colors: Colors) -> bool:
        """Colour some more of the first `final` of `codes`; return whether there is more to do."""
        left = _TOKENS
        while left > 0 and self._codes < final:
            table, block = codes[self._codes]
            left -= 1 + self._color(table, block, left, colors)
        return self._codes < final

    def _color(self, table: QTextTable, block: Code, most: int, colors: Colors) -> int:
        """Colour up to `most` tokens of a block, and return how many."""
        spans = code_spans(block.text, block.language, colors) if 0 < len(block.text) <= _LONGEST else ()
        part = spans[self._tokens : self._tokens + most]
        self._tokens += len(part)
        if self._tokens >= len(spans):
            self._codes, self._tokens = self._codes + 1, 0
        if part:
            _tint(table, part)
        return len(part)


def code_spans(text: str, language: str, colors: Colors) -> tuple[tuple[int, int, str], ...]:
    """Return (start, end, `#rrggbb`) of the coloured tokens of `text`; empty for an unknown language."""
    shade = shades(colors)
    return tuple((start, end, shade[tone]) for start, end, tone in _spans(text, language.lower()))


def load_languages(markdown: str) -> None:
    """Load the lexers of the code blocks in `markdown`; for a background thread, because the imports are slow."""
    for language in set(_FENCE.findall(markdown)):
        _spans("x", language.lower())


@lru_cache(maxsize=64)
def _spans(text: str, language: str) -> tuple[tuple[int, int, TokenKind], ...]:
    lexer = _lexer(language)
    tokens = toned(lexer.get_tokens_unprocessed(text)) if lexer else ()
    return tuple((start, start + len(words), tone) for start, words, tone in tokens)


@lru_cache(maxsize=32)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _tint(table: QTextTable, spans: tuple[tuple[int, int, str], ...]) -> None:
    cell = table.cellAt(0, 0)
    cursor, first = cell.firstCursorPosition(), cell.firstPosition()
    cursor.beginEditBlock()
    for start, end, color in spans:
        tinted = QTextCharFormat()
        tinted.setForeground(QColor(color))
        cursor.setPosition(first + start)
        cursor.setPosition(first + end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(tinted)
    cursor.endEditBlock()
