"""The header of a tab: title, cited lines and actions."""

from pathlib import PurePath

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_margins, set_role, text_font
from desktop_rag.gui.viewer.target import Target
from desktop_rag.gui.widgets.plain_labels import ElidedLabel
from desktop_rag.gui.widgets.row_painting import draw_text
from desktop_rag.text.display import one_line, shown_path


class TabHeader(QWidget):
    """The title, the cited lines, and four buttons."""

    quote_requested = Signal()  # copy the quote with its source
    bookmark_requested = Signal()  # bookmark this passage
    close_requested = Signal()  # close this tab

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = _TitleLabel(self)
        self._place = ElidedLabel(self)
        self._title.setFont(text_font(0.5, QFont.Weight.DemiBold))
        set_role(self._place, "caption")
        self._quote = icons.IconButton("quote", self.tr("Copy quote with reference"), self)
        self._quote.setObjectName("copy_quote")
        self._bookmark = icons.IconButton("bookmark", self.tr("Bookmark this passage"), self)
        self._bookmark.setObjectName("bookmark")
        self._more = icons.IconButton("more", self.tr("Open elsewhere, copy, add a note"), self)
        self._more.setPopupMode(icons.IconButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self._more.setMenu(self.menu)
        self._close = icons.IconButton("close", self.tr("Close"), self)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._place)
        row = QHBoxLayout(self)
        set_margins(row, 2 * GRID, 10, GRID, 6)
        row.setSpacing(2)
        row.addLayout(words, 1)
        for button in (self._quote, self._bookmark, self._more, self._close):
            row.addWidget(button)
        self._quote.clicked.connect(self.quote_requested)
        self._bookmark.clicked.connect(self.bookmark_requested)
        self._close.clicked.connect(self.close_requested)

    def show_target(self, target: Target) -> None:
        """Show the title and lines of the citation until the document is resolved."""
        place = formatting.place(target.page, target.first_line, target.last_line) if target.first_line else ""
        self.show_document(target.title, target.path, place)

    def show_document(self, title: str, path: str, place: str, about: str = "") -> None:
        """Show title and cited lines; path and `about` become the tool tip."""
        name = PurePath(path.replace("\\", "/")).name
        self._title.show_text(one_line(title or name))
        second = (one_line(name) if name != title else "", place)
        self._place.show_text(" · ".join(part for part in second if part))
        self._title.setToolTip(tool_tip("\n".join(filter(None, (shown_path(path), one_line(about))))))

    def texts(self) -> tuple[str, str]:
        """Return the full text of both lines."""
        return self._title.accessibleName(), self._place.accessibleName()


class _TitleLabel(QWidget):
    """One line elided at its end: the first words of a title matter most."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(1, self.sizeHint().height())

    def show_text(self, text: str) -> None:
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.accessibleName()), metrics.height() + 2)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumHeight(self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        text = self.accessibleName()
        draw_text(painter, self.rect(), text, self.font(), current_colors().text, elide=Qt.TextElideMode.ElideRight)
        painter.end()
