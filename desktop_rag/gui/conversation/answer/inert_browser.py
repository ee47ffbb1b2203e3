"""A text browser that loads nothing, does not scroll, opens no link by itself, and lays out long text in turns."""

from time import thread_time

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QSizeF, Qt, QUrl, Slot
from PySide6.QtGui import QAction, QGuiApplication, QImage, QPainter, QPixmap, QRegion, QTextDocument
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QTextBrowser, QTextEdit, QWidget

from desktop_rag.gui.conversation.answer.formulas import with_tex
from desktop_rag.gui.conversation.answer.rich_text import ADDRESS
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ask_to_browse

_LONG_BLOCKS = 400  # lines and cells; a document of more is laid out in turns
_LONG_TEXT = 30_000  # characters
_TURN_SECONDS = 0.008  # after which a turn lays out nothing more
_STEP = 500  # characters; Qt goes on by some 2,000 at least
_POINTING = (
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.ToolTip,
    QEvent.Type.ContextMenu,
)


class GradualLayout(QObject):
    """Lays out a long document for another width in turns; until then, a picture of the old layout is in sight."""

    def __init__(self, view: QTextEdit) -> None:
        super().__init__(view)
        self._view = view
        self._document: QTextDocument | None = None  # while it is laid out
        self._done = -1  # characters that are; -1 before the first step
        self._picture = QPixmap()
        self._seen = QPoint()

    @property
    def is_active(self) -> bool:
        """Return whether steps are left."""
        return self._document is not None

    def begin(self) -> None:
        """Prepare to lay out the document for the present width, from its beginning."""
        if self._document is None:
            area = self._view.viewport().visibleRegion().boundingRect()
            ratio = self._view.devicePixelRatio()
            self._picture, self._seen = QPixmap(area.size() * ratio), area.topLeft()
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            if not area.isEmpty():
                self._view.viewport().render(self._picture, QPoint(), QRegion(area), QWidget.RenderFlag(0))
            self._document = self._view.document()
            self._document.documentLayout().installEventFilter(self)
        self._done = -1

    def step(self) -> bool:
        """Lay out the next part; return whether there is more."""
        if (document := self._document) is None:
            return False
        started, layout, length = thread_time(), document.documentLayout(), document.characterCount()
        if self._done < 0:
            self._done = 0
            document.setPageSize(QSizeF(self._view.viewport().width(), -1))
        while self._done < length:
            self._done += _STEP
            layout.blockBoundingRect(document.findBlock(min(self._done, length - 1)))
            if thread_time() - started > _TURN_SECONDS:
                break
        if self._done >= length:
            self._end()
        return self.is_active

    def drop(self) -> None:
        """Leave the rest to Qt: the text is another one now."""
        if self._document is not None:
            self._end()
            self._view.document().setPageSize(QSizeF(self._view.viewport().width(), -1))

    def _end(self) -> None:
        if self._document is not None:
            self._document.documentLayout().removeEventFilter(self)
        self._document, self._picture = None, QPixmap()
        self._view.viewport().update()

    def paint(self, painter: QPainter) -> None:
        """Paint the old layout."""
        painter.drawPixmap(self._seen, self._picture)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep Qt's layout from going on by itself: it doubles its step each time."""
        return event.type() is QEvent.Type.Timer or super().eventFilter(watched, event)


def is_long(document: QTextDocument) -> bool:
    """Return whether laying out `document` would take too long for one turn of the event loop."""
    return document.blockCount() > _LONG_BLOCKS or document.characterCount() > _LONG_TEXT


class InertBrowser(QTextBrowser):
    """Shows rich text as a part of what scrolls around it; addresses are only told, and opened after a question."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gradual_layout = GradualLayout(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        set_role(self, "bare")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.horizontalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.setUndoRedoEnabled(False)
        self._empty_image = QImage(1, 1, QImage.Format.Format_ARGB32)
        self._empty_image.fill(0)

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty image for every resource: nothing is read from disk or the network."""
        return self._empty_image

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the selection without the spaces that only serve the layout."""
        data = QMimeData()
        text = self.selected_text()
        data.setText(text.replace("\u00a0", " ").replace("\u2009", ""))
        return data

    def selected_text(self) -> str:
        """Return the selected text with the TeX of its formulas."""
        return with_tex(self.textCursor())

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
    def _on_range_changed(self) -> None:
        self.horizontalScrollBar().setRange(0, 0)  # a line that is cut off is no reason to scroll

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

    def viewportEvent(self, event: QEvent) -> bool:
        """Leave the pointer's events to the conversation while the text below it is laid out."""
        if self.gradual_layout.is_active and event.type() in _POINTING:
            event.ignore()
            return True
        return super().viewportEvent(event)
