"""The buttons of the question field: a menu of choices, and Send or Stop."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.painted_button import PaintedButton

_WIDEST = 220  # pixels, or more in a large font
_LEAST_TEXT = 36  # pixels of a choice that is shown in part; with less room only the icon is shown
_ICON, _ARROW = 16, 14


class ChoiceButton(PaintedButton):
    """Shows the current choice, and opens a menu above itself to change it.

    The text of one that `yields` is elided in a narrow window, at last to the icon alone; others are shown whole.
    """

    def __init__(self, icon: str, *, yields: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.yields = yields
        self._menu: QMenu | None = None
        self._shown = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    @property
    def menu(self) -> QMenu | None:
        """Return the menu of choices."""
        return self._menu

    def set_menu(self, menu: QMenu) -> None:
        """Replace the menu of choices."""
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = menu

    def set_choice(self, shown: str, description: str) -> None:
        """Show the current choice; `description` is its tooltip and accessible name."""
        self._shown = shown
        self.setAccessibleName(description)
        self.setToolTip(tool_tip(description))
        self.updateGeometry()
        self.update()

    @Slot()
    def _on_clicked(self) -> None:
        if self._menu is not None:
            size = self._menu.sizeHint()
            self._menu.popup(self.mapToGlobal(QPoint(0, -size.height() - 4)))
            for action in self._menu.actions():
                if action.isChecked():
                    self._menu.setActiveAction(action)

    def sizeHint(self) -> QSize:
        """Return the size of the choice, limited in width."""
        width = self.fontMetrics().horizontalAdvance(self._shown) + scaled(_ICON) + scaled(_ARROW) + 24
        return QSize(min(width, scaled(_WIDEST)), self.fontMetrics().height() + 14)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the icons, or of the whole choice."""
        hint = self.sizeHint()
        return QSize(scaled(_ICON) + scaled(_ARROW) + 16, hint.height()) if self.yields else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, choice and arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        icon, arrow = scaled(_ICON), scaled(_ARROW)
        icons.draw(painter, self.column(6, icon), self._icon, colors.muted, _ICON)
        painter.setPen(QColor(colors.muted))
        available = self.width() - icon - arrow - 22
        text = self.fontMetrics().elidedText(self._shown, Qt.TextElideMode.ElideRight, available)
        if text != self._shown and available < scaled(_LEAST_TEXT):
            text = ""
        at = self.width() - arrow - 6 if text else icon + 10  # no gap beside an icon that stands alone
        painter.drawText(self.column(icon + 12, available), Qt.AlignmentFlag.AlignVCenter, text)
        icons.draw(painter, self.column(at, arrow), "chevron-down", colors.faint, _ARROW)


class SendButton(PaintedButton):
    """Sends the question; during a run it is the Stop button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(36, 36)
        self._running = False
        self.set_running(running=False)

    def set_running(self, *, running: bool) -> None:
        """Become the Stop button, or the Send button again."""
        self._running = running
        name = self.tr("Stop") if running else self.tr("Send")
        self.setAccessibleName(name)
        self.setToolTip(self.tr("Stop (Esc)") if running else self.tr("Send (Enter)"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the disc and the icon of its action."""
        colors = current_colors()
        painter = self.begin_painting()
        disc = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
        background = colors.accent_hover if self.underMouse() else colors.accent
        if not self.isEnabled():
            background = colors.track
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(background))
        painter.drawEllipse(disc)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.focus), 1.5))
            painter.drawEllipse(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75))
        foreground = colors.on_accent if self.isEnabled() else colors.faint
        if self._running:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(foreground))
            centre = disc.center()
            painter.drawRoundedRect(QRectF(centre.x() - 5, centre.y() - 5, 10, 10), 2, 2)
        else:
            icons.draw(painter, self.rect(), "send", foreground, 18)
