"""What the panel shows of a library that is not there: where it lay, and the ways on."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line

_PICTURE = 40


class MissingLibrary(QWidget):
    """Says what is missing; the library is opened by itself once its disk is connected."""

    find_requested = Signal()  # the person knows where the library lies now

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = QLabel(self)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = QLabel(self.tr("This library is not there"), self)
        set_role(title, "heading")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._where = PlainLabel("", "caption", self)
        self._where.setAlignment(Qt.AlignmentFlag.AlignCenter)
        promise = PlainLabel(self.tr("It is opened by itself once its disk is connected."), "caption", self)
        promise.setAlignment(Qt.AlignmentFlag.AlignCenter)
        find = QPushButton(self.tr("Find it…"), self)
        find.setAccessibleDescription(self.tr("Choose the folder in which the library lies now"))
        find.clicked.connect(self.find_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        layout.addStretch(1)
        for widget in (self._picture, title, self._where, promise):
            layout.addWidget(widget)
        layout.addSpacing(GRID // 2)
        layout.addWidget(find, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)
        self._draw()

    def show_reason(self, reason: str) -> None:
        """Say what is missing."""
        self._where.setText(one_line(reason))

    def _draw(self) -> None:
        self._picture.setPixmap(icons.pixmap("offline", current_colors().muted, _PICTURE))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the picture in the colours of the new look."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
