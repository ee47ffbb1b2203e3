"""What the panel shows instead of folders: an invitation for an empty library, or the path of a missing one."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.text.display import one_line

_PICTURE = 40


class EmptyLibrary(QWidget):
    """Invites the user to drop a folder."""

    add_requested = Signal()  # choose a folder
    sample_requested = Signal()  # add the sample library

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = Label(parent=self)
        self._add = QPushButton(self.tr("Add folder…"), self)
        self._add.setAccessibleDescription(self.tr("Choose a folder to search"))
        self._sample = QPushButton(self.tr("Try the sample library"), self)
        set_role(self._sample, "link")
        self._sample.setAccessibleDescription(self.tr("Add a few ready documents to see how asking works"))
        self._sample.hide()
        self._arrange()
        self._add.clicked.connect(self.add_requested)
        self._sample.clicked.connect(self.sample_requested)
        self._draw()

    def offer_sample(self, *, offered: bool) -> None:
        """Show or hide the button that adds the sample library."""
        self._sample.setVisible(offered)

    def _arrange(self) -> None:
        title = Label(self.tr("Drop a folder here"), self)
        set_role(title, "heading")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        promise = Label(self.tr("Every word can be found in seconds. Your files stay where they are."), self)
        set_role(promise, "caption")
        promise.setWordWrap(True)
        promise.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        layout.addStretch(1)
        for widget in (self._picture, title, promise):
            layout.addWidget(widget)
        layout.addSpacing(GRID // 2)
        for button in (self._add, self._sample):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)

    def _draw(self) -> None:
        self._picture.setPixmap(icons.pixmap("drop", current_colors().accent, _PICTURE))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the current theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()


_PICTURE = 40


class MissingLibrary(QWidget):
    """Names the missing folder; the library opens by itself when its disk is connected."""

    find_requested = Signal()  # choose the library's new folder

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = Label(parent=self)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = Label(self.tr("This library is missing"), self)
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
        self._where.setText(one_line(sentence(reason)))

    def _draw(self) -> None:
        self._picture.setPixmap(icons.pixmap("offline", current_colors().muted, _PICTURE))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the current theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
