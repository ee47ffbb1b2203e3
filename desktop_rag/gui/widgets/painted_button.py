"""A button that paints itself: plain at rest, tinted on hover, with a focus ring."""

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleStateChangeEvent,
    QColor,
    QEnterEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QStyle, QWidget

from desktop_rag.gui.theme.theme import current_colors

# Shared painting of list rows: background, focus ring, and elided text.

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def draw_ground(painter: QPainter, frame: QRect, *, hovered: bool, selected: bool, focused: bool) -> None:
    """Paint the background of a row: its tint and, for the keyboard, a ring."""
    colors = current_colors()
    if selected or hovered:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.selected if selected else colors.hover))
        painter.drawRoundedRect(frame, 6, 6)
    if focused:
        painter.setPen(QPen(QColor(colors.focus), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 5, 5)


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: str,
    *,
    align: Qt.AlignmentFlag = _LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    within: QRect | None = None,
) -> None:
    """Paint one line of plain text, elided to the width of `rect`, whose place `within` a row is mirrored."""
    rect = rect if within is None else mirrored(rect, within)
    painter.setFont(font)
    painter.setPen(QColor(color))
    shown = QFontMetrics(font).elidedText(text, elide, rect.width())
    painter.drawText(rect, align | Qt.TextFlag.TextSingleLine, shown)


def mirrored(rect: QRect, within: QRect) -> QRect:
    """Return a part of a row that is read from the left where it is for those who read from the right."""
    direction = QGuiApplication.layoutDirection()
    return rect if direction is Qt.LayoutDirection.LeftToRight else QStyle.visualRect(direction, within, rect)


def mirror_painter(painter: QPainter, widget: QWidget) -> None:
    """Let `painter` draw what has no text, from the right for those who read from there."""
    if widget.isRightToLeft():
        painter.translate(widget.width(), 0)
        painter.scale(-1, 1)


def line_height(font: QFont) -> int:
    """Return the height of a line of text in pixels."""
    return QFontMetrics(font).height()


class PaintedButton(QAbstractButton):
    """Base of all such buttons; each paints its own content."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def begin_painting(self) -> QPainter:
        """Return an antialiased painter."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return painter

    def column(self, left: float, width: float) -> QRect:
        """Return a part as high as the button, on the other side for those who read from the right."""
        return mirrored(QRect(round(left), 0, round(width), self.height()), self.rect())

    def draw_quiet_ground(self, painter: QPainter) -> None:
        """Paint nothing at rest, a tint on hover, a ring with the keyboard focus."""
        if not (self.underMouse() or self.hasFocus()):
            return
        colors = current_colors()
        painter.setPen(QPen(QColor(colors.focus), 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.hover) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)

    def draw_card(self, painter: QPainter, edge: str, ground: str, radius: float) -> None:
        """Paint a card with a border, which becomes a ring with the keyboard focus."""
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(current_colors().focus if focused else edge), 1.5 if focused else 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Repaint for the hover state."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Repaint for the rest state."""
        self.update()


class FoldHeader(PaintedButton):
    """Shows or hides what is below it; assistive tools read whether it is expanded, and what a click does.

    A checkable button would be called a check box.
    """

    folded = Signal(bool)  # the user has shown (True) or hidden it

    def __init__(self, show: str, hide: str, parent: QWidget | None = None) -> None:
        """`show` and `hide` say what a click does."""
        super().__init__(parent)
        self._descriptions = show, hide
        self.set_open(opened=False)
        self.clicked.connect(self._on_clicked)

    @property
    def is_open(self) -> bool:
        """Return whether what is below is shown."""
        return self._open

    @property
    def arrow(self) -> str:
        """Return the name of the icon for what a click does."""
        return "chevron-up" if self._open else "chevron-down"

    def set_open(self, *, opened: bool) -> None:
        """Tell whether what is below is shown."""
        self._open = opened
        self.setAccessibleDescription(self._descriptions[opened])
        changed = QAccessible.State()
        changed.expanded = changed.collapsed = True
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(self, changed))
        self.update()

    @Slot()
    def _on_clicked(self) -> None:
        self.set_open(opened=not self._open)
        self.folded.emit(self._open)


class _ExpandableButton(QAccessibleWidget):
    """A fold header to assistive tools: a button that can be pressed, and is expanded or collapsed."""

    def __init__(self, header: FoldHeader) -> None:
        super().__init__(header, QAccessible.Role.Button)

    def state(self) -> QAccessible.State:
        """Return the state of a widget, and whether it is expanded."""
        state, header = super().state(), self.object()
        if isinstance(header, FoldHeader):
            state.expandable = True
            state.expanded, state.collapsed = header.is_open, not header.is_open
        return state

    def actionNames(self) -> list[str]:
        """Return the actions of a widget, the press before them."""
        return [QAccessibleActionInterface.pressAction(), *super().actionNames()]

    def doAction(self, name: str) -> None:
        """Press the header, or do what widgets do."""
        header = self.object()
        if name == QAccessibleActionInterface.pressAction() and isinstance(header, FoldHeader):
            header.click()
        else:
            super().doAction(name)


def _expandable(_class: str, of: QObject) -> QAccessibleInterface | None:
    return _ExpandableButton(of) if isinstance(of, FoldHeader) else None


QAccessible.installFactory(_expandable)
