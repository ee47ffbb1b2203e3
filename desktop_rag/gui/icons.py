"""The program's own line icons, drawn in the colour of the look they appear in.

The files in `resources/icons` are drawn on a grid of 24 and use `currentColor`.
"""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_rag.gui.theme import current_colors
from desktop_rag.paths import resources

_SIZES = (16, 20, 24, 32)
_RATIOS = (1, 2)


def icon(name: str, color: str = "") -> QIcon:
    """Return icon `name` in `color` (the look's muted text by default); disabled it is greyed by the look."""
    colors = current_colors()
    return _icon(name, color or colors.muted, colors.disabled)


def pixmap(name: str, color: str, size: int, ratio: float = 2.0) -> QPixmap:
    """Return icon `name` as a square of `size` logical pixels."""
    return _pixmap(name, color, size, ratio)


def app_icon() -> QIcon:
    """Return the icon of the program itself."""
    return QIcon(str(resources() / "icons" / "desktop-rag.svg"))


class IconButton(QToolButton):
    """A button that shows only an icon; `label` is its tool tip and accessible name, in plain text."""

    def __init__(self, name: str, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.setIconSize(QSize(18, 18))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_label(label)
        self._draw()

    def set_icon_name(self, name: str) -> None:
        """Show another icon, for instance play in the place of pause."""
        if name != self._name:
            self._name = name
            self._draw()

    def set_label(self, label: str) -> None:
        """Say something else, for instance when the icon changed."""
        self.setToolTip(label)
        self.setAccessibleName(label)

    def _draw(self) -> None:
        self.setIcon(icon(self._name))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon in the colours of the new look."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()


@lru_cache(maxsize=512)
def _icon(name: str, color: str, disabled: str) -> QIcon:
    drawn = QIcon()
    for size in _SIZES:
        for ratio in _RATIOS:
            drawn.addPixmap(_pixmap(name, color, size, ratio), QIcon.Mode.Normal)
            drawn.addPixmap(_pixmap(name, disabled, size, ratio), QIcon.Mode.Disabled)
    return drawn


@lru_cache(maxsize=2048)
def _pixmap(name: str, color: str, size: int, ratio: float) -> QPixmap:
    text = (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", color)
    drawn = QPixmap(round(size * ratio), round(size * ratio))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(drawn.rect()))
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn
