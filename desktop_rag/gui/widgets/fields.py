"""Small fields and buttons that several panels share."""

from functools import partial
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QWidget,
)

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import GRID, mono_font, set_role
from desktop_rag.gui.widgets.layouts import in_row
from desktop_rag.gui.widgets.plain_labels import Label

Number = TypeVar("Number", QSpinBox, QDoubleSpinBox)
_SMALL_SCREEN = 1_000  # pixels
_LEAST_CHOICE = 160  # pixels of a choice that may be cut
_BESIDE, _LEAST = 420, 200  # what stands beside a wide page, and the least that is left for it


class FilterField(QLineEdit):
    """A field that filters a list; `label` is its placeholder and accessible name."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "filter")
        self.setPlaceholderText(label)
        self.setToolTip(tool_tip(label))  # the whole of it, where it has no room
        self.setAccessibleName(label)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear"))


class ElidedComboBox(QComboBox):
    """A combo box that ends a choice with “…” where it has no room; its tooltip and its list have the whole."""

    def showPopup(self) -> None:
        """Open the list as wide as its longest choice."""
        view = self.view()
        view.setMinimumWidth(min(view.sizeHintForColumn(0) + 2 * view.frameWidth(), self.window().width()))
        super().showPopup()

    def minimumSizeHint(self) -> QSize:
        """Return a width that cuts long choices, so that none makes a dialog wider than a small screen."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), _LEAST_CHOICE), hint.height())

    def shown_text(self, option: QStyleOptionComboBox) -> str:
        """Return as much of the choice as has room."""
        style = self.style()
        room = style.subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        ).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame and the choice, whose whole is in the tooltip where it is cut."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text(option)
        whole = self.currentText()
        self.setToolTip(tool_tip("" if option.currentText == whole else whole))
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class WheelGuard(QObject):
    """Lets the wheel scroll the page: it changes a number or a choice only where the keyboard is."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.guard(page)

    def guard(self, page: QWidget) -> None:
        """Guard the fields of a page."""
        for field in page.findChildren(QWidget):
            if isinstance(field, QAbstractSpinBox | QComboBox) and field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the wheel on to the page."""
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


class WidePageArea(QScrollArea):
    """A scroll area that is as wide as its page needs to be, and can be scrolled across on a small screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the page."""
        page = self.widget()
        if event.type() == QEvent.Type.LayoutRequest and watched is page:
            needed = page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
            self.setMinimumWidth(min(needed, max(_LEAST, self.screen().availableSize().width() - _BESIDE)))
        return super().eventFilter(watched, event)


def on_small_screen(page: QWidget) -> bool:
    """Return whether the screen is too narrow for what stands side by side elsewhere."""
    return page.screen().availableSize().width() < _SMALL_SCREEN


def wrap_on_small_screen(form: QFormLayout, page: QWidget) -> None:
    """Put the labels of a form above its fields where the screen is too narrow for both."""
    if on_small_screen(page):
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)


def set_up_number(
    field: Number, name: str, least: float, most: float, step: float, width: int, *, suffix: str = "", unset: str = ""
) -> Number:
    """Give a number field its name and range, and return it; `unset` is shown instead of the least number."""
    field.setRange(least, most)  # type: ignore[arg-type]
    field.setSingleStep(step)  # type: ignore[arg-type]
    field.setSuffix(suffix)
    field.setSpecialValueText(unset)
    field.setGroupSeparatorShown(True)
    field.setAccessibleName(name)
    indent_number(field, width)
    return field


def indent_number(field: QAbstractSpinBox, width: int) -> None:
    """Give a number field its width and the left margin that a style sheet cannot set."""
    field.setFixedWidth(width)
    for line in field.findChildren(QLineEdit):
        line.setTextMargins(6, 0, 0, 0)


def close_button(dialog: QDialog, text: str) -> QPushButton:
    """Return the only button of a read-only dialog."""
    button = QPushButton(text, dialog)
    button.setDefault(True)
    set_role(button, "primary")
    button.clicked.connect(dialog.accept)
    return button


# A command for a terminal: a field to read and select it in, and a button that copies it.


class CommandRow(QHBoxLayout):
    """Shows `command`; further buttons can be added after it."""

    def __init__(self, command: str, parent: QWidget) -> None:
        super().__init__()
        field = QLineEdit(command, parent)
        field.setReadOnly(True)
        field.setFont(mono_font(-1))
        field.setCursorPosition(0)
        field.setAccessibleName(QCoreApplication.translate("CommandRow", "Command"))
        copy = QPushButton(QCoreApplication.translate("CommandRow", "Copy"), parent)
        copy.setAccessibleDescription(command)
        copy.clicked.connect(partial(QGuiApplication.clipboard().setText, command))
        self.setSpacing(GRID)
        self.addWidget(field, 1)
        self.addWidget(copy)


# ‹ 2/3 ›: which one of several is shown, and the steps to the previous and the next.


class PlaceSwitch(QWidget):
    """Buttons for the previous and the next of several variants; hidden if there is only one."""

    stepped = Signal(int)  # show the previous (-1) or the next (1)

    def __init__(self, name: str, previous: str, following: str, parent: QWidget | None = None) -> None:
        """`previous` and `following` name the buttons."""
        super().__init__(parent)
        self.setAccessibleName(name)
        back, forward = ("chevron-left", "chevron-right")[:: -1 if self.isRightToLeft() else 1]
        self.previous = IconButton(back, previous, self, 14)
        self.next = IconButton(forward, following, self, 14)
        self._place = Label(parent=self)
        set_role(self._place, "caption")
        self.row = in_row(*(self.previous, self._place, self.next), on=self, spacing=2)
        self.previous.clicked.connect(partial(self.stepped.emit, -1))
        self.next.clicked.connect(partial(self.stepped.emit, 1))
        self.hide()

    def show_place(self, place: int, count: int, name: str) -> None:
        """Show that number `place` (from 1) of `count` is shown; `name` says so in words."""
        self._place.setText(f"{place}/{count}")
        self._place.setAccessibleName(name)
        self.previous.setEnabled(place > 1)
        self.next.setEnabled(place < count)
        self.setVisible(count > 1)
