"""Windows that never leave the screen: the base of all dialogs, and the function that keeps any window on it."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, fit_density, set_role
from desktop_rag.gui.widgets.layouts import DIALOG, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line, shorten_middle

DIALOG_WIDTH = 460  # pixels of a dialog of a few sentences


class BoundedDialog(QDialog):
    """A dialog that is never larger than its screen, and is deleted when it is closed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def sizeHint(self) -> QSize:
        """Return a size with the height the texts need, if the width is fixed."""
        layout, width = self.layout(), self.minimumWidth()
        if layout is None or width != self.maximumWidth():
            return super().sizeHint()
        return QSize(width, layout.totalHeightForWidth(width))

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the dialog to the density and the screen."""
        fit_density(self)
        super().showEvent(event)
        if (layout := self.layout()) is not None and self.minimumWidth() == self.maximumWidth():
            layout.activate()  # the style sheet has given the labels their fonts
            room = self.screen().availableGeometry().size()
            self.resize(self.sizeHint().expandedTo(self.size()).boundedTo(room))
        keep_on_screen(self)


class ActionDialog(BoundedDialog):
    """A title, a text, and two buttons; Escape presses the harmless one."""

    def __init__(self, title: str, act: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setFixedWidth(DIALOG_WIDTH)
        self.act = QPushButton(act, self)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._cancel.clicked.connect(self.reject)
        self.act.clicked.connect(self.accept)

    def arrange(self, *parts: QWidget) -> None:
        """Lay out the parts between title and buttons."""
        buttons = in_row(STRETCH, self._cancel, self.act)
        in_column(*(self.words(self.windowTitle(), "heading"), *parts), GRID, buttons, on=self, margins=DIALOG)
        inside = [widget for part in parts for widget in (part, *part.findChildren(QWidget))]
        here = [widget for widget in inside if widget.window() is self]  # the list of a box is a window of its own
        stops = [widget for widget in here if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for before, after in pairwise((*stops, self._cancel, self.act)):
            self.setTabOrder(before, after)

    def words(self, text: str, role: str = "") -> QLabel:
        """Return a label of plain text whose height fits the dialog's width."""
        label = PlainLabel(text, role, self)
        policy = label.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)  # its own hint is for a narrower dialog: a gap
        label.setSizePolicy(policy)
        return label.fit_height()


class ScrolledParts(QScrollArea):
    """The parts of a dialog with many fields, as high as they are; on a small screen they scroll."""

    def __init__(self, parts: Sequence[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        inside = QWidget(self)
        self._column = in_column(*parts, on=inside)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)  # which `setWidget` turned on
        self.viewport().setAutoFillBackground(False)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Return the height of all parts, and a pixel or two that the heading takes by rounding: no bar for those."""
        return self._column.totalHeightForWidth(width) + 2

    def sizeHint(self) -> QSize:
        """Return the size at which nothing scrolls."""
        width = DIALOG_WIDTH - 6 * GRID
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return the size of a field or two."""
        return QSize(0, 12 * GRID)


def keep_on_screen(window: QWidget) -> None:
    """Shrink and move a shown top-level window, with its frame, into the usable area of its screen.

    Where the window system frames a window after it is shown, that is done again when it becomes active.
    """
    _fit_to_screen(window)
    if window.frameGeometry().size() == window.geometry().size():
        _FitWhenFramed(window)


class _FitWhenFramed(QObject):
    """Waits until a window becomes active, which it does with its frame."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the window once."""
        if watched is self._window and event.type() == QEvent.Type.WindowActivate:
            self._window.removeEventFilter(self)
            QTimer.singleShot(0, self, self._fit)
        return False

    @Slot()
    def _fit(self) -> None:
        _fit_to_screen(self._window)
        self.deleteLater()


def _fit_to_screen(window: QWidget) -> None:
    room = window.screen().availableGeometry()
    frame = window.frameGeometry().size() - window.geometry().size()
    most = room.size() - frame
    if window.minimumWidth() > most.width() or window.minimumHeight() > most.height():
        window.setMinimumSize(window.minimumSize().boundedTo(most))
    if window.isMaximized() or window.isFullScreen():
        return
    if window.width() > most.width() or window.height() > most.height():
        window.resize(window.size().boundedTo(most))
    outer = window.frameGeometry()
    left = max(room.left(), min(outer.left(), room.right() + 1 - outer.width()))
    top = max(room.top(), min(outer.top(), room.bottom() + 1 - outer.height()))
    if (left, top) != (outer.left(), outer.top()):
        window.move(left, top)


# A question before something that cannot be undone.


class QuestionDialog(ActionDialog):
    """Asks for confirmation before something that cannot be undone; Enter presses Cancel."""

    def __init__(self, title: str, words: str, act: str, parent: QWidget | None = None) -> None:
        super().__init__(title, act, parent)
        set_role(self.act, "danger")
        self._cancel.setDefault(True)
        self._cancel.setFocus()
        self.arrange(self.words(words))


# Asks before an address from outside of the program is opened: what the address holds leaves this computer.

_SHOWN = 1_200  # characters of an address


class BrowserDialog(ActionDialog):
    """Shows the whole address and the computer that gets it; Enter presses Cancel."""

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        self._url = QUrl(address)
        super().__init__("", "", parent)
        host = one_line(self._url.host(QUrl.ComponentFormattingOption.FullyEncoded))
        self.setWindowTitle(self.tr("Open an address of {0}?").format(host))
        self.act.setText(self.tr("Open in browser"))
        self._cancel.setDefault(True)
        self._cancel.setFocus()
        whole = self.words(_breakable(shorten_middle(one_line(self._url.toString()), _SHOWN)))
        whole.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        whole.setAccessibleName(self.tr("Address"))
        about = self.tr("It comes from a document, an answer or a server. {0} receives all of it.").format(host)
        self.arrange(whole, self.words(about, "muted"))
        self.accepted.connect(self._on_accepted)

    def _on_accepted(self) -> None:
        QDesktopServices.openUrl(self._url)


def ask_to_browse(address: str, parent: QWidget) -> None:
    """Open a web address after the user has seen and confirmed it; anything else is not opened."""
    if QUrl(address).scheme() in ("http", "https"):
        BrowserDialog(address, parent).open()


def _breakable(address: str) -> str:
    """Return an address that a label can break into lines, after the characters that part it."""
    return "".join(char + "\u200b" if char in "/?&=.-_%+" else char for char in address)
