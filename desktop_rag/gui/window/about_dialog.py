"""The About dialog."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from desktop_rag import __version__
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.fields import close_button


class AboutDialog(QDialog):
    """Shows the program's name, version and licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Desktop RAG"))
        self.setFixedWidth(400)
        picture = QLabel(self)
        picture.setPixmap(icons.app_icon().pixmap(72, 72))
        name = QLabel("Desktop RAG", self)
        set_role(name, "title")
        number = QLabel(self.tr("Version {0}").format(__version__), self)
        set_role(number, "caption")
        what = self.tr("Drop a folder, ask a question, click the line that proves the answer.")
        promise = self.tr("The only network connection it ever makes is to the endpoint you set yourself.")
        licence = self.tr("Free software under the GNU Affero General Public License, version 3 or later.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        for widget in (picture, name, number):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        for text, role in ((what, ""), (promise, "muted"), (licence, "caption")):
            label = QLabel(text, self)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            set_role(label, role)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignHCenter)
