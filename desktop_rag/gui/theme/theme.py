"""The theme of the window: two palettes and one style sheet, switched live.

Painters call `current_colors()`. Widgets with colours baked in (rich text) render again on `Look.changed`.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from string import Template

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFormLayout, QGridLayout, QLayout, QWidget

from desktop_rag.gui.theme.theme_colors import DARK, LIGHT, Colors, accented, palette_of
from desktop_rag.paths import resources
from desktop_rag.settings import FONT_PERCENT, Density, DesktopOptions, Theme

# The density of the window: how much room rows, fields and layouts leave between their texts.

_COMPACT = "compact"  # a property of the application
_MEASURES = "measures"  # a property of a layout: its comfortable measures, then those that were set
_SHARE = 0.6  # of the comfortable distances in a compact layout
_PADDING = re.compile(r"padding: (\d+)px( \d+px)(?: (\d+)px( \d+px))?;")


def is_compact() -> bool:
    """Return whether the window is compact."""
    application = QCoreApplication.instance()
    return application is not None and bool(application.property(_COMPACT))


def use_density(application: QCoreApplication, *, compact: bool) -> None:
    """Use a density for all that is laid out or painted from now on."""
    application.setProperty(_COMPACT, compact)


def row_height(comfortable: int) -> int:
    """Return the height of a row of a list that has 16 pixels of room above and below its text."""
    return comfortable - 8 if is_compact() else comfortable


def fit_density(*widgets: QWidget) -> None:
    """Give all layouts inside `widgets` the distances of the density in use."""
    compact = is_compact()
    for widget in widgets:
        for layout in widget.findChildren(QLayout):
            _fit(layout, compact=compact)


def set_margins(part: QLayout | QWidget, before: int, above: int, after: int, below: int) -> None:
    """Set the room around what is in a layout or label; `before` is on the side where reading begins."""
    left, right = (after, before) if QGuiApplication.isRightToLeft() else (before, after)
    part.setContentsMargins(left, above, right, below)


def compact_sheet(sheet: str) -> str:
    """Return a style sheet with less padding above and below the texts."""

    def less(found: re.Match[str]) -> str:
        above, right, below, left = found.groups()
        rest = f" {_less(below)}px{left}" if below else ""
        return f"padding: {_less(above)}px{right}{rest};"

    return _PADDING.sub(less, sheet).replace("min-height: 26px", "min-height: 21px")


def _less(pixels: str) -> int:
    return max(0, int(pixels) - 3) if int(pixels) > 2 else int(pixels)


def _fit(layout: QLayout, *, compact: bool) -> None:
    now = _measured(layout)
    known = layout.property(_MEASURES)
    usual, fitted = known if known else (now, now)
    if not known and not compact:
        return
    usual = [kept if at == was else at for kept, was, at in zip(usual, fitted, now, strict=True)]  # or its owner's new
    wanted = [round(distance * _SHARE) if distance > 3 else distance for distance in usual] if compact else usual
    left, top, right, bottom, *spacings = wanted
    if wanted != now:
        layout.setContentsMargins(left, top, right, bottom)
        if isinstance(layout, (QFormLayout, QGridLayout)):
            layout.setHorizontalSpacing(spacings[0])
            layout.setVerticalSpacing(spacings[1])
        else:
            layout.setSpacing(spacings[0])
    layout.setProperty(_MEASURES, (usual, wanted))


def _measured(layout: QLayout) -> list[int]:
    """Return left, top, right and bottom margin, and the spacing, or both spacings of a grid."""
    room = layout.contentsMargins()
    margins = [room.left(), room.top(), room.right(), room.bottom()]
    if isinstance(layout, (QFormLayout, QGridLayout)):
        return [*margins, layout.horizontalSpacing(), layout.verticalSpacing()]
    return [*margins, layout.spacing()]


# Painting of a window that was suspended for a turn of the event loop.


def resume_updates(window: QWidget) -> None:
    """Let a window paint again after `setUpdatesEnabled(False)`.

    Qt asks a window once to paint and waits until it has; a request that arrives while updates are disabled, as when a
    menu closes, is dropped, and Qt would wait for ever. So it is asked once more.
    """
    window.setUpdatesEnabled(True)
    QCoreApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))


_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)
GRID = 8  # all distances are multiples of half of this

_SMALLEST = 7.0  # points


@dataclass(slots=True)
class _Chosen:
    """What `Look` has set for the whole application; each icon and row reads it, too often to ask Qt for it."""

    accent: str = ""
    dark_pages: bool = False
    still: bool = False
    scale: float = 1.0


_chosen = _Chosen()
_BARE_FONTS = ("DejaVu Sans", "Bitstream Vera Sans", "Verdana")  # fallback of X11 without a desktop
_GOOD_FONTS = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Open Sans", "Liberation Sans")


def current_colors() -> Colors:
    """Return the colours of the current theme, with the accent of the system if that was chosen.

    The same object until the theme changes: every icon compares it when a palette changes.
    """
    return _colors_of(QGuiApplication.palette().cacheKey(), _chosen.accent)


@lru_cache(maxsize=4)
def _colors_of(palette: int, accent: str) -> Colors:
    del palette  # the key of the application's palette: that of its content, as long as it is not changed
    dark = QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128
    return accented(DARK if dark else LIGHT, accent)


def pages_are_dark() -> bool:
    """Return whether printed pages are shown on dark paper."""
    return _chosen.dark_pages and current_colors().dark


def motion_is_reduced() -> bool:
    """Return whether nothing should move by itself."""
    return _chosen.still


def text_scale() -> float:
    """Return how much larger than usual the text is, as chosen in the settings; 1.0 is as usual."""
    return _chosen.scale


def scaled(pixels: int) -> int:
    """Return what `pixels` beside text of the usual size are beside text of the chosen size."""
    return round(pixels * text_scale())


def text_font(step: float = 0, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the application's font, `step` points larger (or smaller, never below 7), in `weight`."""
    font = QFont(QApplication.font())
    font.setPointSizeF(max(_SMALLEST, font.pointSizeF() + step))
    font.setWeight(weight)
    return font


def mono_font(step: float = 0) -> QFont:
    """Return the system's fixed-width font in the application's size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(max(_SMALLEST, QApplication.font().pointSizeF() + step))
    return font


def set_role(widget: QWidget, role: str) -> None:
    """Give `widget` a role of the style sheet: title, heading, caption, card, primary, quiet, sidebar."""
    widget.setProperty("role", role)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # otherwise Qt applies the style when it is needed
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Look(QObject):
    """Applies the theme to the application; can follow the system.

    Widgets made before the first `use` have text of `percent` of the usual size already: what they derive from it,
    fonts and sizes, is then right from the beginning.
    """

    changed = Signal(object)  # the Colors now in use, after palette and style sheet are applied

    def __init__(self, app: QApplication, parent: QObject | None = None, percent: int = 100) -> None:
        super().__init__(parent)
        self._app = app
        self._theme: Theme | None = None
        self._percent, self._density = _within(percent), Density.COMFORTABLE
        self._options = DesktopOptions()
        self._system_is_still = False
        self._effects = {effect: app.isEffectEnabled(effect) for effect in _EFFECTS}
        self._steps: list[Callable[[], None]] = []  # of a change of theme, one per turn of the event loop
        self._derived: list[tuple[QWidget, float]] = []  # widgets with a font of their own, and its new size in points
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._on_turn)
        app.setStyle("Fusion")
        self._usual = _interface_font()
        app.setFont(self._font())
        _chosen.scale = self._percent / 100
        use_density(app, compact=False)
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    def use(
        self,
        theme: Theme,
        percent: int = 100,
        density: Density = Density.COMFORTABLE,
        options: DesktopOptions | None = None,
    ) -> None:
        """Apply theme, font size, density and options now and, for the system's theme, at each change of the system."""
        percent = _within(percent)
        before, self._options = self._options, options or self._options
        self._use_motion()
        same = (before.dark_pages, before.system_accent) == (self._options.dark_pages, self._options.system_accent)
        if same and (theme, percent, density) == (self._theme, self._percent, self._density):
            return
        self._theme, self._percent, self._density = theme, percent, density
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
        _chosen.scale = self._percent / 100
        self._derive_fonts()
        self._app.setStyleSheet("")  # a live palette switch under a style sheet leaves widgets stale
        if self._app.font() != self._font():
            self._app.setFont(self._font())
        self._apply_density()
        palette = partial(self._use_palette, DARK if dark else LIGHT)
        self._steps = [palette, self._apply_sheet, self._repaint]  # in place of those of an unfinished change
        if seen:
            self._turn.start()
        else:
            while self._steps:
                self._steps.pop(0)()

    def _use_palette(self, plain: Colors) -> None:
        _chosen.dark_pages = self._options.dark_pages
        _chosen.accent = self._system_accent() if self._options.system_accent else ""
        self._app.setPalette(palette_of(accented(plain, _chosen.accent)))

    def _font(self) -> QFont:
        font = QFont(self._usual)
        font.setPointSizeF(max(_SMALLEST, self._usual.pointSizeF() * self._percent / 100))
        return font

    def _derive_fonts(self) -> None:
        """Note the fonts that widgets have derived from the application's, as they will be in its new size."""
        more = self._font().pointSizeF() - self._app.font().pointSizeF()
        own = [each for each in self._app.allWidgets() if more and _has_own_font(each)]
        noted = dict(self._derived)  # of an unfinished change
        self._derived = [(each, noted.get(each, each.font().pointSizeF()) + more) for each in own]

    def _apply_density(self) -> None:
        compact = self._density is Density.COMPACT
        if compact is not is_compact():
            use_density(self._app, compact=compact)
            fit_density(*self._app.topLevelWidgets())

    def _system_accent(self) -> str:
        self._app.setPalette(QPalette())  # that of the system
        return self._app.palette().color(QPalette.ColorRole.Accent).name()

    @Slot(bool)
    def follow_motion(self, still: bool) -> None:  # noqa: FBT001 - a slot
        """Note whether the system asks programs not to move anything."""
        self._system_is_still = still
        self._use_motion()

    def _use_motion(self) -> None:
        still = self._system_is_still or self._options.reduced_motion
        _chosen.still = still
        for effect, usual in self._effects.items():
            self._app.setEffectEnabled(effect, usual and not still)

    @Slot()
    def _on_turn(self) -> None:
        self._steps.pop(0)()
        if self._steps:
            self._turn.start()

    def _apply_sheet(self) -> None:
        self._app.setStyleSheet(style_sheet(current_colors(), self._app.font()))
        derived, self._derived = self._derived, []
        for widget, size in derived:
            if shiboken6.isValid(widget):
                font = QFont(widget.font())
                font.setPointSizeF(max(_SMALLEST, size))
                widget.setFont(font)
                if isinstance(widget, QAbstractScrollArea):  # without a style sheet its viewport gets a font of its own
                    widget.viewport().setFont(font)

    def _repaint(self) -> None:
        for window in self._app.topLevelWidgets():
            resume_updates(window)
        self.changed.emit(current_colors())

    @Slot()
    def _on_system_changed(self) -> None:
        if self._theme is Theme.SYSTEM:
            self._dress()


def _has_own_font(widget: QWidget) -> bool:
    """Return whether a widget has a font of its own; a viewport has that of its area."""
    around = widget.parentWidget()
    is_viewport = isinstance(around, QAbstractScrollArea) and around.viewport() is widget
    return widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) and not is_viewport


def _within(percent: int) -> int:
    return min(max(percent, FONT_PERCENT[0]), FONT_PERCENT[1])


def style_sheet(colors: Colors, font: QFont) -> str:
    """Return the style sheet with the colours and font sizes filled in."""
    folder = resources() / "styles"
    size = font.pointSizeF()
    tokens = {name: value for name, value in asdict(colors).items() if isinstance(value, str)}
    tokens |= {
        "images": (folder / ("dark" if colors.dark else "light")).as_posix(),
        "line": f"{max(18, QFontMetrics(font).height() + 1)}px",  # of a field or a button
        "font_caption": f"{max(_SMALLEST, size - 1):g}pt",
        "font_heading": f"{size + 1:g}pt",
        "font_title": f"{size + 5:g}pt",
    }
    sheet = Template((folder / "window.qss").read_text(encoding="utf-8")).substitute(tokens)
    return compact_sheet(sheet) if is_compact() else sheet


def _interface_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if sys.platform == "linux" and QFontInfo(font).family() in _BARE_FONTS:
        installed = set(QFontDatabase.families())
        font.setFamily(next((family for family in _GOOD_FONTS if family in installed), font.family()))
    smallest = 10.0 if sys.platform == "linux" else 9.0
    font.setPointSizeF(max(smallest, font.pointSizeF()))  # also -1, which means a size in pixels
    return font
