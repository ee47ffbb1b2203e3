"""Highlights of a text view: syntax colours, the quote and the matches."""

import re
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QColor, QFont, QTextCharFormat
from PySide6.QtWidgets import QTextEdit

from desktop_rag.documents.document import LineKind, line_starts
from desktop_rag.gui.theme.theme import current_colors, mono_font
from desktop_rag.gui.theme.theme_colors import Colors, Token, TokenKind, shades, toned
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.viewer.viewer_events import LinesTokenized, Mark
from desktop_rag.gui.widgets.text_offsets import format_range
from desktop_rag.stop import Stop
from desktop_rag.text.display import has_italics

if TYPE_CHECKING:
    from pygments.lexer import Lexer


# Tokens of lines (keywords, strings, headings …): by Pygments for code, by line kinds for prose.
#
# Runs in a background job in short slices: a long stretch of Python code would hold the interpreter lock and block the
# window's thread as well.

LineTokens = tuple[tuple[int, int, int], ...]

LONGEST_COLORED = 2_000  # characters of a line; longer ones are data, not text to read
_MAX_CHARACTERS = 200_000
_SLICE_SECONDS = 0.004


_WHOLE = {
    LineKind.HEADING: TokenKind.HEADING,
    LineKind.CODE: TokenKind.CODE,
    LineKind.QUOTE: TokenKind.QUOTED,
    LineKind.FIELD: TokenKind.COMMENT,
}
_MARKER = re.compile(r"\s*(?:[-*+•‣◦▪–—·]|\d{1,9}[.)])(?=\s)")
_INLINE = re.compile(
    r"(?P<code>`[^`\n]+`)|(?P<strong>\*\*(?=\S).+?(?<=\S)\*\*|__(?=\S).+?(?<=\S)__)|(?P<link>!?\[[^\]\n]*\]\([^)\n]*\))"
)


def color_prose(lines: Sequence[str], first: int, kinds: bytes) -> LinesTokenized:
    """Return the tokens of lines from number `first` on; `kinds` are those of the whole document."""
    return LinesTokenized(
        first,
        tuple(
            _prose_line(line, LineKind(kinds[index] & 15)) if index < len(kinds) else ()
            for index, line in enumerate(lines, first - 1)
        ),
    )


def color_code(name: str, lines: Sequence[str], first: int, skipped: int, stop: Stop) -> Generator[LinesTokenized]:
    """Yield the tokens of code lines; the first `skipped` lines are context only.

    `first` is the number of the first line after the context. An unknown language yields nothing.
    """
    lexer = _lexer_of(name)
    if lexer is None:
        return
    shown = [line if len(line) <= LONGEST_COLORED else "" for line in lines]
    text = "\n".join(shown)[:_MAX_CHARACTERS]
    tokens: list[list[tuple[int, int, int]]] = [[] for _ in shown]
    parts = toned(_paced(lexer.get_tokens_unprocessed(text), stop))
    for line, start, end, token in _by_line(parts, line_starts(text)):
        tokens[line].append((start, end, token))
    yield LinesTokenized(first, tuple(map(tuple, tokens[skipped:])))


def _lexer_of(name: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_filename(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _paced(tokens: Iterable[Token], stop: Stop) -> Iterator[Token]:
    """Yield `tokens` and pause every few milliseconds for the window's thread."""
    until = time.monotonic() + _SLICE_SECONDS
    for token in tokens:
        if time.monotonic() > until:
            if stop.wait(_SLICE_SECONDS):
                return
            until = time.monotonic() + _SLICE_SECONDS
        yield token


def _by_line(
    parts: Iterator[tuple[int, str, TokenKind]], starts: Sequence[int]
) -> Iterator[tuple[int, int, int, TokenKind]]:
    """Yield (line from 0, start, end, kind) of tokens, split at line ends."""
    line = 0
    for offset, words, token in parts:
        while line + 1 < len(starts) and starts[line + 1] <= offset:
            line += 1
        left = offset - starts[line]
        for count, piece in enumerate(words.split("\n")):
            begin = left if count == 0 else 0
            if piece.strip():
                yield line + count, begin, begin + len(piece), token


def _prose_line(line: str, kind: LineKind) -> LineTokens:
    if len(line) > LONGEST_COLORED:
        return ()
    whole = ((0, len(line), int(token)),) if (token := _WHOLE.get(kind)) and line else ()
    if kind in (LineKind.CODE, LineKind.HEADING, LineKind.FIELD):
        return whole
    marker = _MARKER.match(line) if kind is LineKind.ITEM else None
    marked = ((marker.start(), marker.end(), int(TokenKind.MARKER)),) if marker else ()
    return (*whole, *marked, *((match.start(), match.end(), _inline_token(match)) for match in _INLINE.finditer(line)))


def _inline_token(match: re.Match[str]) -> int:
    if match.group("code"):
        return int(TokenKind.CODE)
    return int(TokenKind.STRONG if match.group("strong") else TokenKind.LINK)


class LineHighlights(QObject):
    """Formats the visible lines only, so that its cost does not grow with the document."""

    def __init__(self, editor: LineEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._quote: tuple[Mark, ...] = ()
        self._matches: dict[int, list[tuple[int, int, int]]] = {}
        self._current = -1
        self._tokens: dict[int, LineTokens] = {}
        self._formatted: set[int] = set()
        self._formats: Mapping[int, QTextCharFormat] = {}
        self._last_state: tuple[object, ...] = ()
        self._style: tuple[Colors, float] | None = None
        editor.view_changed.connect(self.refresh)
        self.restyle()

    def clear(self) -> None:
        """Remove everything before another document is shown."""
        self._quote, self._matches, self._current = (), {}, -1
        self._tokens.clear()
        self._formatted.clear()
        self.refresh()

    def set_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the quote."""
        self._quote = marks
        self.refresh()

    def set_matches(self, matches: Sequence[tuple[Mark, ...]], current: int) -> None:
        """Mark all matches and emphasise match number `current` (from 0; -1: none)."""
        self._matches = {}
        for number, match in enumerate(matches):
            for line, start, end in match:
                self._matches.setdefault(line, []).append((start, end, number))
        self._current = current
        self.refresh()

    def set_tokens(self, colored: LinesTokenized) -> None:
        """Store the tokens of lines."""
        self._tokens.update(enumerate(colored.tokens, colored.first))
        self._formatted -= set(range(colored.first, colored.first + len(colored.tokens)))
        self.refresh()

    def fill_missing(self, first: int, last: int) -> None:
        """Record lines without a result as having no tokens."""
        for line in range(first, last + 1):
            self._tokens.setdefault(line, ())

    def lacks_tokens(self, line: int) -> bool:
        """Return whether the tokens of a line are not known yet."""
        return line not in self._tokens

    def lines_changed(self) -> None:
        """Forget which lines are formatted: their blocks have changed."""
        self._formatted.clear()
        self._last_state = ()

    def restyle(self) -> None:
        """Apply the colours of the current theme and the current font size."""
        style = (current_colors(), self._editor.font().pointSizeF())
        if style == self._style:
            return
        self._style = style
        self._formats = formats_of(*style)
        self.lines_changed()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Format the visible lines."""
        first, last = self._editor.visible_lines()
        self._format_tokens(first, last)
        state = (first, last, self._editor.first_line, self._quote, self._current, id(self._matches), self._formats)
        if state != self._last_state:
            self._last_state = state
            self._mark_ranges(first, last)

    def _format_tokens(self, first: int, last: int) -> None:
        for line in range(first, min(last, self._editor.last_line) + 1):
            if line in self._formatted or line not in self._tokens:
                continue
            self._formatted.add(line)
            block = self._editor.block_of(line)
            text = block.text()
            shown = [format_range(text, a, z, self._format(token, text[a:z])) for a, z, token in self._tokens[line]]
            block.layout().setFormats(shown)
            self._editor.document().markContentsDirty(block.position(), block.length())

    def _format(self, token: int, text: str) -> QTextCharFormat:
        shown = self._formats[token]
        if shown.fontItalic() and not has_italics(text):
            shown = QTextCharFormat(shown)
            shown.setFontItalic(False)
        return shown

    def _mark_ranges(self, first: int, last: int) -> None:
        colors = current_colors()
        laid = [self._selection(mark, colors.mark, colors.text) for mark in self._quote if first <= mark[0] <= last]
        for line in range(first, last + 1):
            for start, end, number in self._matches.get(line, ()):
                back, ink = (colors.accent, colors.on_accent) if number == self._current else (colors.selected, "")
                laid.append(self._selection((line, start, end), back, ink))
        self._editor.setExtraSelections([selection for selection in laid if not selection.cursor.isNull()])

    def _selection(self, mark: Mark, background: str, ink: str) -> QTextEdit.ExtraSelection:
        line, start, end = mark
        selection = QTextEdit.ExtraSelection()
        if not self._editor.holds(line):
            return selection
        selection.cursor = self._editor.cursor_over(line, start, end)
        selection.format.setBackground(QColor(background))
        if ink:
            selection.format.setForeground(QColor(ink))
        return selection


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
