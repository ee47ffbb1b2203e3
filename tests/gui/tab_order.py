"""Where the Tab key goes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_stops(widget: QWidget) -> list[str]:
    """Return the accessible names of what Tab reaches inside `widget`, in order."""
    stops: list[str] = []
    current = widget.nextInFocusChain()
    while current is not None and current is not widget:
        takes_tab = current.focusPolicy() & Qt.FocusPolicy.TabFocus and current.focusProxy() is None
        if widget.isAncestorOf(current) and current.isVisible() and current.isEnabled() and takes_tab:
            stops.append(current.accessibleName())
        current = current.nextInFocusChain()
    return stops
