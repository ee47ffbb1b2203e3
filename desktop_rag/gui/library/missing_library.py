"""What the panel shows for a library whose folder is missing: the path and what to do."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line

_PICTURE = 40


class MissingLibrary(QWidget):
    """Names the missing folder; the library opens by itself when its disk is connected."""

    find_requested = Signal()  # choose the library's new folder

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = QLabel(self)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = QLabel(self.tr("This library is missing"), self)
        set_role(title, "heading")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._where = PlainLabel("", "caption", self)
        self._where.setAlignment(Qt.AlignmentFlag.AlignCenter)
        promise = PlainLabel(self.tr("It opens by itself when its disk is connected."), "caption", self)
        promise.setAlignment(Qt.AlignmentFlag.AlignCenter)
        find = QPushButton(self.tr("Find it…"), self)
        find.setAccessibleDescription(self.tr("Choose the library's new folder"))
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
        """Show why the library is missing."""
        self._where.setText(one_line(reason))

    def _draw(self) -> None:
        self._picture.setPixmap(icons.pixmap("offline", current_colors().muted, _PICTURE))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the current theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
