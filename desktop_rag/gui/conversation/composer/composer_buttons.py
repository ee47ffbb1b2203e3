"""The buttons of the question field: a menu of choices, and Send or Stop."""

from enum import IntEnum

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.painted_button import PaintedButton

_WIDEST = 220  # pixels, or more in a large font
_LEAST_TEXT = 64  # pixels of a long choice that is shown in part; with less room only the icon is shown
_ICON, _ARROW = 16, 14


class ChoiceForm(IntEnum):
    """How much of a choice is shown."""

    WHOLE = 0
    SHORT = 1  # without what stands in brackets
    BARE = 2  # and without the arrow; a long one is elided
    ICON = 3


class ChoiceButton(PaintedButton):
    """Shows the current choice, and opens a menu above itself to change it."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._menu: QMenu | None = None
        self._shown = self._short = ""
        self._form = ChoiceForm.WHOLE
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

    def set_choice(self, shown: str, description: str, short: str = "") -> None:
        """Show the choice, in a narrow window its `short` form; `description` is the tooltip and accessible name."""
        self._shown, self._short = shown, short or shown
        self.setAccessibleName(description)
        self.setToolTip(tool_tip(description))
        self.updateGeometry()
        self.update()

    @property
    def form(self) -> ChoiceForm:
        """Return how much of the choice is shown."""
        return self._form

    def set_form(self, form: ChoiceForm) -> None:
        """Show more or less of the choice."""
        if form is not self._form:
            self._form = form
            self.updateGeometry()
            self.update()

    def shown_text(self) -> str:
        """Return the painted text, elided to the button's width."""
        if self._form is ChoiceForm.ICON:
            return ""
        text = self._shown if self._form is ChoiceForm.WHOLE else self._short
        room = self.width() - self.width_as(ChoiceForm.ICON) - self._arrow_width() - 6
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)

    def width_as(self, form: ChoiceForm) -> int:
        """Return the width of a form, limited for a long choice."""
        if form is ChoiceForm.ICON:
            return scaled(_ICON) + 12
        text = self._shown if form is ChoiceForm.WHOLE else self._short
        arrow = 0 if form is ChoiceForm.BARE else scaled(_ARROW) + 6
        # A pixel more than the rounded advance: else a text that ends within a pixel is elided.
        return min(self.fontMetrics().horizontalAdvance(text) + 1 + scaled(_ICON) + arrow + 18, scaled(_WIDEST))

    def _arrow_width(self) -> int:
        return scaled(_ARROW) + 6 if self._form < ChoiceForm.BARE else 0

    @Slot()
    def _on_clicked(self) -> None:
        if self._menu is not None:
            size = self._menu.sizeHint()
            self._menu.popup(self.mapToGlobal(QPoint(0, -size.height() - 4)))
            for action in self._menu.actions():
                if action.isChecked():
                    self._menu.setActiveAction(action)

    def sizeHint(self) -> QSize:
        """Return the size of the current form."""
        return QSize(self.width_as(self._form), self.fontMetrics().height() + 14)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the current form; a long choice may be elided."""
        hint = self.sizeHint()
        least = self.width_as(ChoiceForm.ICON) + 6 + scaled(_LEAST_TEXT)
        return QSize(min(hint.width(), least), hint.height()) if self._form is ChoiceForm.BARE else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, choice and arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        icon, arrow = scaled(_ICON), scaled(_ARROW)
        icons.draw(painter, self.column(6, icon), self._icon, colors.muted, _ICON)
        painter.setPen(QColor(colors.muted))
        text = self.column(icon + 12, self.width() - icon - 16)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, self.shown_text())
        if self._arrow_width():
            icons.draw(painter, self.column(self.width() - arrow - 6, arrow), "chevron-down", colors.faint, _ARROW)


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
