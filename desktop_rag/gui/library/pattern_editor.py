"""The editor of ignore patterns: plain lines, and beside each what it does to the files of the folder."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop_rag.gui.formatting import counted
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, set_role, text_font
from desktop_rag.index.indexer_api import LineEffect

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PatternEditor(QPlainTextEdit):
    """Edits gitignore lines; the right margin says of each line what it leaves out, or why it cannot be read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._effects: dict[str, LineEffect] = {}
        self._margin = _EffectMargin(self)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setPlaceholderText("*.log\n/drafts/\n**/node_modules/\n!keep.log")
        self.setAccessibleName(self.tr("Patterns to ignore, one per line"))
        self.setTabChangesFocus(True)
        self.setFont(mono_font())
        set_role(self, "field")
        self.updateRequest.connect(self._on_update_requested)
        self.textChanged.connect(self._on_text_changed)

    def lines(self) -> tuple[str, ...]:
        """Return the lines that are not empty."""
        return tuple(line for text in self.toPlainText().splitlines() if (line := text.strip()))

    def show_effects(self, lines: Sequence[str], effects: Sequence[LineEffect]) -> None:
        """Show the effects of these lines; a line typed since then has none yet."""
        self._effects = dict(zip(lines, effects, strict=True))
        said = (self.tr("{0}: {1}").format(line, self.words(line)) for line in self.lines() if line in self._effects)
        self.setAccessibleDescription(". ".join(said))
        self._fit()

    def effect(self, line: str) -> LineEffect | None:
        """Return the effect of a line, or None while it is unknown."""
        return self._effects.get(line.strip())

    def current_line(self) -> str:
        """Return the line of the cursor."""
        return self.textCursor().block().text().strip()

    def words(self, line: str) -> str:
        """Return what a line does, in few words; empty while it is unknown and for comments."""
        effect = self.effect(line)
        if effect is None or line.strip().startswith("#"):
            return ""
        if effect.trouble:
            return self.tr("not valid")
        if effect.hidden:
            return counted(self.tr("leaves out %Ln file(s)", "", effect.hidden), effect.hidden)
        if effect.included:
            return counted(self.tr("keeps %Ln file(s)", "", effect.included), effect.included)
        return self.tr("decides about no file")

    def append_line(self, line: str) -> None:
        """Add a line at the end."""
        text = self.toPlainText().rstrip("\n")
        self.setPlainText(f"{text}\n{line}" if text else line)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def paint_margin(self, area: QWidget) -> None:
        """Paint the words beside the visible lines."""
        colors = current_colors()
        painter = QPainter(area)
        painter.fillRect(area.rect(), QColor(colors.surface))
        painter.setFont(text_font(-1))
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > area.height():
                break
            effect = self.effect(block.text())
            painter.setPen(QColor(colors.danger if effect is not None and effect.trouble else colors.muted))
            line = QRect(0, round(place.top()), area.width() - GRID, round(place.height()))
            painter.drawText(
                line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.words(block.text())
            )
            block = block.next()
        painter.end()

    def _fit(self) -> None:
        """Give the margin the width of its longest words."""
        metrics = QFontMetrics(text_font(-1))
        widest = max((metrics.horizontalAdvance(self.words(line)) for line in self._effects), default=0)
        room = widest + 2 * GRID if widest else 0
        self.setViewportMargins(0, 0, room, 0)
        port = self.viewport().geometry()
        self._margin.setGeometry(port.right() + 1, port.top(), room, port.height())
        self._margin.update()

    def _on_update_requested(self, _: QRect, __: int) -> None:
        self._margin.update()

    def _on_text_changed(self) -> None:
        self._margin.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margin at the right edge."""
        super().resizeEvent(event)
        self._fit()


class _EffectMargin(QWidget):
    """The column at the right of the lines."""

    def __init__(self, editor: PatternEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_margin(self)
