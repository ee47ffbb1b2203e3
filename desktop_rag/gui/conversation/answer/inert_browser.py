"""A text browser that loads nothing, does not scroll, and opens no link by itself."""

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QTextBrowser, QWidget

from desktop_rag.gui.conversation.answer.formula_painting import with_tex
from desktop_rag.gui.conversation.answer.pieces_writing import ADDRESS
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.browser_dialog import ask_to_browse


class InertBrowser(QTextBrowser):
    """Shows rich text as a part of what scrolls around it; addresses are only told, and opened after a question."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        set_role(self, "bare")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self._empty_image = QImage(1, 1, QImage.Format.Format_ARGB32)
        self._empty_image.fill(0)

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty image for every resource: nothing is read from disk or the network."""
        return self._empty_image

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the selection without the spaces that only serve the layout."""
        data = QMimeData()
        text = with_tex(self.textCursor())
        data.setText(text.replace("\u00a0", " ").replace("\u2009", ""))
        return data

    def add_link_actions(self, menu: QMenu, position: QPoint) -> None:
        """Add what can be done with the address at `position` in the viewport, if there is one."""
        if not (address := self._address_at(position)):
            return
        link = menu.addAction(self.tr("Copy link"))
        link.triggered.connect(lambda: QGuiApplication.clipboard().setText(address))
        browse = menu.addAction(self.tr("Open in browser"))
        browse.setData(address)
        browse.triggered.connect(self._on_browse)
        menu.addSeparator()

    @Slot()
    def _on_browse(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            ask_to_browse(action.data(), self)

    def _address_at(self, position: QPoint) -> str:
        cursor = self.cursorForPosition(position)
        for step in (0, 1):  # the format at a position is that of the character before it
            cursor.setPosition(min(cursor.position() + step, self.document().characterCount() - 1))
            address = cursor.charFormat().property(ADDRESS)
            if isinstance(address, str) and QUrl(address).scheme() in ("http", "https"):
                return address
        return ""
