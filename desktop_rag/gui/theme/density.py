"""The density of the window: how much room rows, fields and layouts leave between their texts."""

import re

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFormLayout, QGridLayout, QLayout, QWidget

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
