"""The tool row above a document: history, citations, page, zoom, wrapping, search and view mode."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import assert_never

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QIntValidator, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QMenu, QToolButton, QWidget

from desktop_rag.documents.file_types import Format
from desktop_rag.gui import formatting
from desktop_rag.gui.formatting import number, tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role, text_font
from desktop_rag.gui.viewer.viewer_events import Target, ViewMode
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.painted_button import draw_text
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label
from desktop_rag.text.display import one_line, shown_path

_PERCENTS = (50, 75, 100, 125, 150, 200, 300)
_WIDE, _NARROW, _NARROWER, _NARROWEST = range(4)  # how much is hidden


class _Part(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = in_row(on=self, spacing=2)


class CitationButtons(_Part):
    """Buttons to step through the citations of one answer."""

    stepped = Signal(int)  # to the next (1) or the previous (-1) citation

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._back = icons.IconButton("chevron-left", self.tr("Previous citation of this answer"), self)
        self._back.setObjectName("previous_citation")
        self._on = icons.IconButton("chevron-right", self.tr("Next citation of this answer"), self)
        self._on.setObjectName("next_citation")
        self._count = Label(parent=self)
        set_role(self._count, "caption")
        for widget in (self._back, self._count, self._on):
            self.row.addWidget(widget)
        self._back.clicked.connect(self._on_back)
        self._on.clicked.connect(self._on_next)

    def show_place(self, position: int, count: int) -> None:
        """Show that citation `position` of `count` is shown; position 0: none of them."""
        self.setVisible(count > 1)
        self._count.setText(self.tr("{0} / {1}").format(position or "–", count))
        self._count.setAccessibleName(self.tr("Citation {0} of {1}").format(position or "–", count))
        self._back.setEnabled(position > 1)
        self._on.setEnabled(position < count)

    @Slot()
    def _on_back(self) -> None:
        self.stepped.emit(-1)

    @Slot()
    def _on_next(self) -> None:
        self.stepped.emit(1)


class HistoryButtons(_Part):
    """Back and forward buttons of the history."""

    stepped = Signal(int)  # back (-1) or forward (1)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._back = icons.IconButton("arrow-left", self.tr("Back to where you were"), self)
        self._back.setObjectName("back")
        self._forward = icons.IconButton("arrow-right", self.tr("Forward again"), self)
        self._forward.setObjectName("forward")
        for widget in (self._back, self._forward):
            self.row.addWidget(widget)
        self._back.clicked.connect(self._on_back)
        self._forward.clicked.connect(self._on_forward)
        self.allow(back=False, forward=False)

    def allow(self, *, back: bool, forward: bool) -> None:
        """Enable the directions in which the history has entries."""
        self._back.setEnabled(back)
        self._forward.setEnabled(forward)

    @Slot()
    def _on_back(self) -> None:
        self.stepped.emit(-1)

    @Slot()
    def _on_forward(self) -> None:
        self.stepped.emit(1)


class PageField(_Part):
    """The current page number, which can be edited."""

    entered = Signal(int)  # go to this page

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(self)
        self._field.setAccessibleName(self.tr("Page"))
        self._field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._total = Label(parent=self)
        self._page = 0
        set_role(self._field, "filter")
        self._field.setAcceptDrops(False)
        set_role(self._total, "caption")
        self.row.setSpacing(6)
        self.row.addWidget(self._field)
        self.row.addWidget(self._total)
        self._field.returnPressed.connect(self._on_entered)
        self._field.editingFinished.connect(self._on_left)

    def show_page(self, page: int, count: int) -> None:
        """Show the current page."""
        self._page = page
        digits = max(2, len(str(count)))
        self._field.setFixedWidth(self._field.fontMetrics().horizontalAdvance("0") * digits + 26)
        self._field.setValidator(QIntValidator(1, max(1, count), self._field))
        self._field.setText(str(page) if page else "")
        self._total.setText(self.tr("/ {0}").format(number(count)) if count else "")

    def text(self) -> str:
        """Return the text shown, like "3 / 12"."""
        return f"{self._field.text()} {self._total.text()}"

    @Slot()
    def _on_entered(self) -> None:
        if self._field.hasAcceptableInput():
            self._page = int(self._field.text())
            self.entered.emit(self._page)

    @Slot()
    def _on_left(self) -> None:
        self._field.setText(str(self._page) if self._page else "")


class ZoomTools(_Part):
    """Zoom buttons and a menu of sizes."""

    stepped = Signal(int)  # zoom in (1) or out (-1)
    percent_chosen = Signal(int)
    fit_chosen = Signal(bool)  # fit the width (False) or the whole page (True)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._smaller = icons.IconButton("zoom-out", self.tr("Smaller"), self)
        self._smaller.setObjectName("smaller")
        self._larger = icons.IconButton("zoom-in", self.tr("Larger"), self)
        self._larger.setObjectName("larger")
        self._percent = QToolButton(self)
        self._percent.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._percent.setToolTip(self.tr("Size"))
        self._menu = QMenu(self)
        self._fits = (self._menu.addAction(self.tr("Fit width")), self._menu.addAction(self.tr("Fit page")))
        self._fit_line = self._menu.addSeparator()
        for percent in _PERCENTS:
            self._menu.addAction(self.tr("{0} %").format(percent)).setData(percent)
        self._percent.setMenu(self._menu)
        for widget in (self._smaller, self._percent, self._larger):
            self.row.addWidget(widget)
        self._smaller.clicked.connect(self._on_smaller)
        self._larger.clicked.connect(self._on_larger)
        self._menu.triggered.connect(self._on_triggered)

    def show_percent(self, percent: int) -> None:
        """Show the current zoom."""
        text = self.tr("{0} %").format(percent)
        self._percent.setText(text)
        self._percent.setAccessibleName(self.tr("Size: {0}").format(text))

    def allow_fits(self, *, allowed: bool) -> None:
        """Show or hide the menu entries that fit pages."""
        for action in (*self._fits, self._fit_line):
            action.setVisible(allowed)

    def show_narrow(self, *, narrow: bool) -> None:
        """Hide the percentage in a narrow row."""
        self._percent.setVisible(not narrow)

    @Slot()
    def _on_smaller(self) -> None:
        self.stepped.emit(-1)

    @Slot()
    def _on_larger(self) -> None:
        self.stepped.emit(1)

    @Slot(object)
    def _on_triggered(self, action: object) -> None:
        if action in self._fits:
            self.fit_chosen.emit(action is self._fits[1])
            return
        chosen = next(each for each in self._menu.actions() if each is action)
        self.percent_chosen.emit(int(chosen.data()))


class ViewChoice(_Part):
    """Buttons that choose the view mode."""

    chosen = Signal(ViewMode)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[ViewMode, QToolButton] = {}
        group = QButtonGroup(self)
        for mode in ViewMode:
            button = self._buttons[mode] = QToolButton(self)
            button.setCheckable(True)
            group.addButton(button)
            self.row.addWidget(button)
        group.buttonClicked.connect(self._on_clicked)

    def show_choice(self, modes: Sequence[ViewMode], mode: ViewMode, kind: str) -> None:
        """Offer these view modes for a document of this format, and check the current one."""
        for each, button in self._buttons.items():
            name, tip = self._words(each, kind)
            button.setText(name)
            button.setToolTip(tool_tip(tip))
            button.setAccessibleName(tip)
            button.setVisible(each in modes)
        self._buttons[mode].setChecked(True)

    def _words(self, mode: ViewMode, kind: str) -> tuple[str, str]:
        match mode:
            case ViewMode.PRINTED:
                return self.tr("Page"), self.tr("Show the printed pages")
            case ViewMode.CLEAN:
                return self.tr("Reading"), self.tr("Show it as a clean page")
            case ViewMode.TABLE:
                return self.tr("Table"), self.tr("Show it as a table")
            case ViewMode.TEXT if kind in (Format.MARKDOWN, Format.LATEX):
                return self.tr("Source"), self.tr("Show the lines of the file")
            case ViewMode.TEXT:
                return self.tr("Text"), self.tr("Show the text that was read from it")
            case _:
                assert_never(mode)

    @Slot(object)
    def _on_clicked(self, button: object) -> None:
        self.chosen.emit(next(mode for mode, each in self._buttons.items() if each is button))


class ToolRow(QWidget):
    """Shows the tools that apply to the current view mode."""

    wrap_toggled = Signal(bool)
    find_requested = Signal()  # open the find bar
    side_toggled = Signal(bool)  # show or hide the side panel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side = icons.IconButton("sidebar-left", self.tr("Outline, pages, matches, bookmarks"), self)
        self._side.setObjectName("side")
        self._side.setCheckable(True)
        self.history = HistoryButtons(self)
        self.citations = CitationButtons(self)
        self.page = PageField(self)
        self.zoom = ZoomTools(self)
        self._wrap = icons.IconButton("wrap", self.tr("Wrap long lines"), self)
        self._wrap.setCheckable(True)
        self._find = icons.IconButton("search", self.tr("Find in this document"), self)
        self._find.setObjectName("find")
        self.views = ViewChoice(self)
        self._needs: tuple[int, ...] = ()  # the widths that the last choice was made for
        self._row = in_row(
            *(self._side, self.history, self.citations, self.page),
            STRETCH,
            *(self.zoom, self._wrap, self._find, self.views),
            on=self,
            margins=(GRID + 4, 0, GRID, 4),
        )
        self._side.toggled.connect(self.side_toggled)
        self._wrap.toggled.connect(self.wrap_toggled)
        self._find.clicked.connect(self.find_requested)
        self.citations.show_place(0, 0)
        self.show_modes((ViewMode.TEXT,), ViewMode.TEXT, "")

    def show_modes(self, modes: Sequence[ViewMode], mode: ViewMode, kind: str) -> None:
        """Offer these view modes for a document of this format, and show the tools of the current one."""
        pages = mode is ViewMode.PRINTED
        self.page.setVisible(pages)
        self.zoom.allow_fits(allowed=pages)
        self._wrap.setVisible(mode is ViewMode.TEXT)
        self.views.setVisible(len(modes) > 1)
        self.views.show_choice(modes, mode, kind)

    def show_wrap(self, *, wrap: bool) -> None:
        """Set the state of the wrap button."""
        with QSignalBlocker(self._wrap):
            self._wrap.setChecked(wrap)

    def show_side(self, *, shown: bool) -> None:
        """Set the state of the side panel button."""
        with QSignalBlocker(self._side):
            self._side.setChecked(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the less important tools in a narrow row."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Look again what fits when a tool has come, gone, or another width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Hide as little as fits the width; what is hidden is still on the keyboard and the wheel."""
        if self._needed() == self._needs:  # hiding asks for a layout, too
            return
        for narrowness in (_WIDE, _NARROW, _NARROWER, _NARROWEST):
            self.zoom.show_narrow(narrow=narrowness >= _NARROW)
            self.history.setVisible(narrowness < _NARROWER)
            for part in (self._side, self._find):
                part.setVisible(narrowness < _NARROWEST)
            self._row.setSpacing(GRID if narrowness < _NARROW else GRID // 2)
            if self._wanted() <= self.width():
                break
        self._needs = self._needed()

    def _wanted(self) -> int:
        """Return the width of all that is shown; the layout remembers what its parts wanted before."""
        parts = (self._side, self.history, self.citations, self.page, self.zoom, self._wrap, self._find, self.views)
        wanted = [part.sizeHint().width() for part in parts if not part.isHidden()]
        margins = self._row.contentsMargins()
        return sum(wanted) + self._row.spacing() * len(wanted) + margins.left() + margins.right()

    def _needed(self) -> tuple[int, ...]:
        """Return the width, and those that the parts want."""
        parts = (self.citations, self.page, self.zoom, self._wrap, self.views)
        return (self.width(), *(0 if part.isHidden() else part.sizeHint().width() for part in parts))


# The header of a tab: title, cited lines and actions.


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
        in_row(
            (in_column(self._title, self._place, spacing=1), 1),
            *(self._quote, self._bookmark, self._more, self._close),
            on=self,
            spacing=2,
            margins=(2 * GRID, 10, GRID, 6),
        )
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
