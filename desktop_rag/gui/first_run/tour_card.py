"""The card of the tour: placed beside a part of the window, which is outlined, so that it covers nothing shown."""

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel

_WIDTH = 340
_GAP = 14
_RING = 3


class TourCard(QFrame):
    """Shows one step; Return shows the next, Escape leaves the tour, and what is typed goes into the question."""

    advanced = Signal()
    went_back = Signal()
    left = Signal()
    typed = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._ring = _Ring(window)
        self._window = window
        self._target: QWidget | None = None
        set_role(self, "card")
        self._count = PlainLabel("", "caption", self)
        self._title = PlainLabel("", "heading", self)
        self._text = PlainLabel("", "", self)
        self._leave = QPushButton(self.tr("Leave the tour"), self)
        self._back = QPushButton(self.tr("Back"), self)
        self._next = QPushButton(self)
        set_role(self._leave, "link")
        set_role(self._next, "primary")
        self._buttons = buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._leave)
        buttons.addStretch(1)
        buttons.addWidget(self._back)
        buttons.addWidget(self._next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        for label in (self._count, self._title, self._text):
            layout.addWidget(label)
        layout.addLayout(buttons)
        self._leave.clicked.connect(self.left)
        self._back.clicked.connect(self.went_back)
        self._next.clicked.connect(self.advanced)
        window.installEventFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a button would take the first space of a question as a click
        self.hide()

    def show_step(self, title: str, text: str, count: str, act: str, *, first: bool, last: bool = False) -> None:
        """Show a step; `follow` gives it a place."""
        self._title.setText(title)
        self._text.setText(text)
        self._count.setText(count)
        self._target = None
        self._next.setText(act)
        self._back.setVisible(not first)
        self._leave.setVisible(not last)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.show()
        self.raise_()
        self.setFocus()

    def follow(self, target: QWidget | None, *, ready: bool) -> None:
        """Move beside `target`, which may have moved or just appeared; Next is enabled if the step is `ready`."""
        if target is not None and target is not self._target:
            _reveal(target)
        self._target = target
        self._next.setEnabled(ready)
        self.place()

    def place(self) -> None:
        """Move the card beside its target, inside the window."""
        layout, window = self.layout(), self._window
        if layout is not None:
            self._buttons.invalidate()  # a new text invalidates the outer layout alone
            width = max(_WIDTH, self._buttons.sizeHint().width() + 4 * GRID + 2)  # some languages have long words
            self.setFixedSize(width, layout.totalHeightForWidth(width))
        target = self._target
        seen = target.visibleRegion().boundingRect() if target is not None else QRect()
        room = window.rect().adjusted(GRID, GRID, -GRID, -GRID)
        if target is None or seen.isEmpty():
            self._ring.hide()
            self.move(room.center() - self.rect().center())
            return
        spot = QRect(target.mapTo(window, seen.topLeft()), seen.size())
        self._ring.surround(spot)
        self.move(_beside(spot, self.size().width(), self.size().height(), room))

    def end(self) -> None:
        """Hide the card and the outline."""
        self._target = None
        self._ring.hide()
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on with Return, leave with Escape, pass on what is typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._next.click()
        elif event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return False


class _Ring(QWidget):
    """An outline that lets every click through."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def surround(self, spot: QRect) -> None:
        """Outline a part of the window."""
        away = 2 * _RING  # the line, and a gap
        self.setGeometry(spot.adjusted(-away, -away, away, away).intersected(self._window.rect()))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_colors().accent), _RING))
        inside = self.rect().adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(inside, 6, 6)
        painter.end()


def _reveal(target: QWidget) -> None:
    """Scroll to a part of the window that is out of sight."""
    above = target.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(target)
        above = above.parentWidget()


def _beside(spot: QRect, width: int, height: int, room: QRect) -> QPoint:
    """Return where a card stands free of `spot`: right, left, below, above; else over its lower right corner."""
    top = min(max(spot.top(), room.top()), room.bottom() - height)
    left = min(max(spot.left(), room.left()), room.right() - width)
    if spot.right() + _GAP + width <= room.right():
        return QPoint(spot.right() + _GAP, top)
    if spot.left() - _GAP - width >= room.left():
        return QPoint(spot.left() - _GAP - width, top)
    if spot.bottom() + _GAP + height <= room.bottom():
        return QPoint(left, spot.bottom() + _GAP)
    if spot.top() - _GAP - height >= room.top():
        return QPoint(left, spot.top() - _GAP - height)
    return QPoint(room.right() - width - _GAP, min(spot.bottom(), room.bottom()) - height - _GAP)
