"""The query field; it underlines the part of a query that cannot be parsed."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF, QTextLayout, QTextLine
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.text_offsets import to_qt

_WAVE = 2.0  # height and half a period of the wave, in pixels


class QueryField(FilterField):
    """Enter searches at once, Down goes to the results, Escape clears the field or leaves."""

    entered = Signal()
    went_down = Signal()
    dismissed = Signal()
    accepted = Signal()  # accept the suggestion

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, parent)
        self._trouble: tuple[int, int] | None = None
        self.textChanged.connect(lambda _: self.show_trouble(None))

    def show_trouble(self, position: int | None, sentence: str = "") -> None:
        """Underline the word at the position of a parse error; None for no error."""
        self._trouble = None if position is None else _word_at(self.text(), position)
        self.setAccessibleDescription(sentence if position is not None else "")
        self.update()

    def trouble(self) -> str | None:
        """Return the underlined range, None without an error."""
        return None if self._trouble is None else self.text()[slice(*self._trouble)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a wave below the error."""
        super().paintEvent(event)
        if self._trouble is None:
            return
        layout = QTextLayout(self.text(), self.font())
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        if not line.isValid():
            return
        cursor = self.cursorRect()
        origin = cursor.center().x() - _x(line, self.cursorPosition())
        ends = sorted(origin + _x(line, to_qt(self.text(), place)) for place in self._trouble)
        area = QRectF(self.contentsRect()).adjusted(4, 0, -4, 0)
        left, right = max(ends[0], area.left()), min(max(ends[1], ends[0] + 6), area.right())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_colors().danger), 1.3))
        base = min(cursor.bottom() - 1.0, area.bottom() - 2)
        count = max(0, int((right - left) / _WAVE))
        painter.drawPolyline(
            QPolygonF([QPointF(left + _WAVE * step, base + (_WAVE if step % 2 else 0.0)) for step in range(count + 1)])
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Search, move, leave, or type."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.accepted.emit()
        elif is_enter:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.went_down.emit()
        elif event.key() == Qt.Key.Key_Escape and not self.text():
            self.dismissed.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.textEdited.emit("")
        else:
            super().keyPressEvent(event)


def _x(line: QTextLine, place: int) -> float:
    """Return the x coordinate of a character; the binding returns it with the position."""
    found = line.cursorToX(place)
    assert isinstance(found, tuple)
    return float(found[0])


def _word_at(text: str, position: int) -> tuple[int, int]:
    """Return the range of the word at a position; the last character for the end of the text."""
    start = min(max(0, position), max(0, len(text) - 1))
    end = start
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, max(end, min(start + 1, len(text)))
