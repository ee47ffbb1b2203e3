"""A quiet button that names the present choice and opens a menu of the others."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.widgets.painted_button import PaintedButton

_WIDEST = 220


class ChoiceButton(PaintedButton):
    """Opens its menu on press, Space, Enter or Down."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._menu: QMenu | None = None
        self._shown = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    @property
    def menu(self) -> QMenu | None:
        """Return the menu of choices."""
        return self._menu

    def set_menu(self, menu: QMenu) -> None:
        """Offer the choices of `menu`, which replaces the one before."""
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = menu

    def set_choice(self, shown: str, spoken: str) -> None:
        """Show the present choice; `spoken` also says what is chosen."""
        self._shown = shown
        self.setAccessibleName(spoken)
        self.setToolTip(tool_tip(spoken))
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
        """Return the room for the choice, up to a limit."""
        width = self.fontMetrics().horizontalAdvance(self._shown) + 54
        return QSize(min(width, _WIDEST), self.fontMetrics().height() + 14)

    def minimumSizeHint(self) -> QSize:
        """Return the least that still names something."""
        return QSize(min(90, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sign, choice and arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        icons.draw(painter, QRect(6, 0, 16, self.height()), self._icon, colors.muted, 16)
        painter.setPen(QColor(colors.muted))
        room = self.width() - 28 - 24
        words = self.fontMetrics().elidedText(self._shown, Qt.TextElideMode.ElideRight, room)
        painter.drawText(28, 0, room, self.height(), Qt.AlignmentFlag.AlignVCenter, words)
        icons.draw(painter, QRect(self.width() - 20, 0, 14, self.height()), "chevron-down", colors.faint, 14)
