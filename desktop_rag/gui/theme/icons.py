"""The program's own line icons, drawn in the colours of the theme when first used.

Sizes are pixels beside text of the usual size; all icons grow with the text.
The files in `resources/icons` use a grid of 24 units and `currentColor`.
"""

import html
from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.paths import resources

_SIZE = 18
_FOLDER = resources() / "icons"


def icon(name: str, size: int = _SIZE) -> QIcon:
    """Return icon `name` for a button that shows it at `scaled(size)` pixels, with its disabled state."""
    colors = current_colors()
    return _icon(name, colors.muted, colors.disabled, scaled(size), _sharpest())


def pixmap(name: str, color: str, size: int) -> QPixmap:
    """Return icon `name` as a square of `scaled(size)` pixels, at the highest device pixel ratio of any screen."""
    return _pixmap(name, color, scaled(size), _sharpest())


def draw(painter: QPainter, area: QRect, name: str, color: str, size: int) -> None:
    """Draw icon `name` as a square of `scaled(size)` pixels centred in `area`."""
    side = scaled(size)
    left, top = area.left() + (area.width() - side) // 2, area.top() + (area.height() - side) // 2
    painter.drawPixmap(left, top, _pixmap(name, color, side, painter.device().devicePixelRatio()))


def app_icon() -> QIcon:
    """Return the program's icon."""
    return QIcon(str(_FOLDER / "desktop-rag.svg"))


class IconButton(QToolButton):
    """A button that shows only an icon; `label` is its tooltip and accessible name, in plain text."""

    def __init__(self, name: str, label: str, parent: QWidget | None = None, size: int = _SIZE) -> None:
        super().__init__(parent)
        self._name = name
        self._size = size
        self._colors = current_colors()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_label(label)
        self._draw()

    def set_icon_name(self, name: str) -> None:
        """Change the icon, for example from pause to play."""
        if name != self._name:
            self._name = name
            self._draw()

    def set_label(self, label: str) -> None:
        """Change the label, for example together with the icon."""
        self.setToolTip(f"<qt>{html.escape(label, quote=False)}</qt>" if "<" in label or "&" in label else label)
        self.setAccessibleName(label)

    def _draw(self) -> None:
        self._colors = current_colors()
        side = scaled(self._size)
        self.setIconSize(QSize(side, side))
        self.setIcon(icon(self._name, self._size))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the theme, or in the size of the text."""
        super().changeEvent(event)
        recoloured = event.type() == QEvent.Type.PaletteChange and self._colors is not current_colors()
        if recoloured or event.type() == QEvent.Type.FontChange:
            self._draw()


def _sharpest() -> float:
    return max(screen.devicePixelRatio() for screen in QGuiApplication.screens())


@lru_cache(maxsize=1024)
def _icon(name: str, color: str, disabled: str, size: int, ratio: float) -> QIcon:
    drawn = QIcon(_pixmap(name, color, size, ratio))
    drawn.addPixmap(_pixmap(name, disabled, size, ratio), QIcon.Mode.Disabled)
    return drawn


@cache
def _svg(name: str) -> str:
    return (_FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _pixmap(name: str, color: str, size: int, ratio: float) -> QPixmap:
    drawn = QPixmap(round(size * ratio), round(size * ratio))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(_svg(name).replace("currentColor", color).encode())).render(painter, QRectF(drawn.rect()))
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn


# The icon of each kind of document.

_ICONS = {
    "type-pdf": (Format.PDF, Format.PRINTED_BOOK),
    "type-table": (Format.TABLE, Format.SHEETS),
    "type-slides": (Format.SLIDES, Format.OLD_SLIDES),
    "type-code": (Format.CODE, Format.NOTEBOOK),
    "type-mail": (Format.MAIL, Format.MAILBOX, Format.OUTLOOK_MAIL, Format.SIGNED),
    "type-calendar": (Format.CALENDAR, Format.CONTACTS),
    "type-picture": (Format.PICTURE, Format.COMIC, Format.DRAWING),
    "type-web": (Format.WEB, Format.SAVED_PAGE),
    "type-archive": (Format.ARCHIVE,),
    "type-data": (Format.DATA,),
    "type-sound": (Format.RECORDING, Format.SUBTITLES),
    "book": (Format.BOOK, Format.FICTION_BOOK, Format.DJVU, Format.HELP_BOOK),
    "list": (Format.LOG,),
}
_BY_FORMAT = {kind.value: icon for icon, kinds in _ICONS.items() for kind in kinds}


def icon_of(document_format: str) -> str:
    """Return the icon name for a `Document.format`; the text icon for everything that is mostly text."""
    return _BY_FORMAT.get(document_format, "file-text")
