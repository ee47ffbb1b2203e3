"""The theme of the window: two palettes and one style sheet, switched live.

Painters call `current_colors()`. Widgets with colours baked in (rich text) render again on `Look.changed`.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict
from string import Template

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.gui.theme.theme_colors import DARK, LIGHT, Colors, palette_of
from desktop_rag.paths import resources
from desktop_rag.settings import Theme

GRID = 8  # all distances are multiples of half of this

_BARE_FONTS = ("DejaVu Sans", "Bitstream Vera Sans", "Verdana")  # fallback of X11 without a desktop
_GOOD_FONTS = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Open Sans", "Liberation Sans")


def current_colors() -> Colors:
    """Return the colours of the current theme."""
    return DARK if QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def text_font(step: float = 0, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the application's font, `step` points larger (or smaller, never below 7), in `weight`."""
    font = QFont(QApplication.font())
    font.setPointSizeF(max(7.0, font.pointSizeF() + step))
    font.setWeight(weight)
    return font


def mono_font(step: float = 0) -> QFont:
    """Return the system's fixed-width font in the application's size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(max(7.0, QApplication.font().pointSizeF() + step))
    return font


def set_role(widget: QWidget, role: str) -> None:
    """Give `widget` a role of the style sheet: title, heading, caption, card, primary, quiet, sidebar."""
    widget.setProperty("role", role)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # otherwise Qt applies the style when it is needed
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Look(QObject):
    """Applies the theme to the application; can follow the system."""

    changed = Signal(object)  # the Colors now in use, after palette and style sheet are applied

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._theme: Theme | None = None
        self._steps: list[Callable[[], None]] = []  # of a change of theme, one per turn of the event loop
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._on_turn)
        app.setStyle("Fusion")
        app.setFont(_interface_font())
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    def use(self, theme: Theme) -> None:
        """Apply `theme` now and, for the system's theme, at each change of the system."""
        if theme is self._theme:
            return
        self._theme = theme
        hints = self._app.styleHints()
        if theme is Theme.SYSTEM:  # for window frames and native dialogs; our own colours follow below
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if theme is Theme.DARK else Qt.ColorScheme.Light)
        self._dress()

    def _dress(self) -> None:
        """Change palette and style sheet in steps: each takes a while, and the window must respond in between."""
        dark = self._theme is Theme.DARK
        if self._theme is Theme.SYSTEM:
            dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        seen = [window for window in self._app.topLevelWidgets() if window.isVisible()]
        for window in seen:
            window.setUpdatesEnabled(False)  # avoids painting a half-changed theme
        self._app.setStyleSheet("")  # a live palette switch under a style sheet leaves widgets stale
        self._app.setPalette(palette_of(DARK if dark else LIGHT))
        self._steps = [self._apply_sheet, self._repaint]  # in place of those of an unfinished change
        if seen:
            self._turn.start()
        else:
            while self._steps:
                self._steps.pop(0)()

    @Slot()
    def _on_turn(self) -> None:
        self._steps.pop(0)()
        if self._steps:
            self._turn.start()

    def _apply_sheet(self) -> None:
        self._app.setStyleSheet(style_sheet(current_colors(), self._app.font()))

    def _repaint(self) -> None:
        for window in self._app.topLevelWidgets():
            window.setUpdatesEnabled(True)
        self.changed.emit(current_colors())

    @Slot()
    def _on_system_changed(self) -> None:
        if self._theme is Theme.SYSTEM:
            self._dress()


def style_sheet(colors: Colors, font: QFont) -> str:
    """Return the style sheet with the colours and font sizes filled in."""
    folder = resources() / "styles"
    size = font.pointSizeF()
    tokens = {name: value for name, value in asdict(colors).items() if isinstance(value, str)}
    tokens |= {
        "images": (folder / ("dark" if colors.dark else "light")).as_posix(),
        "font_caption": f"{max(7.0, size - 1):g}pt",
        "font_heading": f"{size + 1:g}pt",
        "font_title": f"{size + 5:g}pt",
    }
    return Template((folder / "window.qss").read_text(encoding="utf-8")).substitute(tokens)


def _interface_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if sys.platform == "linux" and QFontInfo(font).family() in _BARE_FONTS:
        installed = set(QFontDatabase.families())
        font.setFamily(next((family for family in _GOOD_FONTS if family in installed), font.family()))
    smallest = 10.0 if sys.platform == "linux" else 9.0
    font.setPointSizeF(max(smallest, font.pointSizeF()))  # also -1, which means a size in pixels
    return font
