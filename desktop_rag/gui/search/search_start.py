"""What the search page shows before anything is searched: earlier searches and documents."""

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QRect, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from desktop_rag.documents.file_types import format_of
from desktop_rag.gui.library_status import UNKNOWN
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.search.search_events import RecentSearch, SavedSearches
from desktop_rag.gui.theme.icons import icon_of
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, text_font
from desktop_rag.gui.viewer.open_documents import RecentDocument
from desktop_rag.gui.widgets.layouts import STRETCH, in_column
from desktop_rag.gui.widgets.painted_button import PaintedButton, mirrored
from desktop_rag.gui.widgets.panel_list import StartButton, StartRow, StartRows
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.records import FolderState
from desktop_rag.text.display import one_line

_SEARCHES, _DOCUMENTS = 6, 6
_WIDEST = 640  # pixels


def document_rows(documents: Sequence[RecentDocument], opened: SignalInstance) -> list[StartRow]:
    """Return documents as rows, each with its folder, that `opened` reports."""
    return [
        StartRow(
            icon_of(format_of(PurePath(each.path).name) or ""),
            each.name,
            partial(opened.emit, each),
            PurePath(each.path).parent.name,
            each.path,
        )
        for each in documents
    ]


class SearchStart(QScrollArea):
    """Saved and recent searches, documents opened last, and the way to the operators."""

    search_chosen = Signal(object)  # a RecentSearch to run again
    document_chosen = Signal(object)  # a RecentDocument to open
    help_requested = Signal()
    folder_requested = Signal()  # choose a folder to add: there is nothing to search yet
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Recent searches and documents"))
        self._add = StartButton(
            StartRow("folder-add", self.tr("Add a folder to search in it"), self.folder_requested.emit)
        )
        self._add.hide()
        self._saved = StartRows(self.tr("Saved searches"))
        self._recent = StartRows(self.tr("Recent searches"))
        self._documents = StartRows(self.tr("Recent documents"))
        self._newest = StartRows(self.tr("Newest documents"))
        help_text = self.tr("Be exact: phrases, AND, OR, NOT, names, dates …")
        operators = StartButton(StartRow("info", help_text, self.help_requested.emit))
        column = in_column(
            PlainLabel(self.tr("Type words or a question. Results appear as you type."), "muted"),
            self._add,
            *self._rows(),
            operators,
            STRETCH,
            spacing=2 * GRID,
            margins=(2 * GRID, GRID, 2 * GRID, GRID),
        )
        inside = QWidget(self)
        inside.setLayout(column)
        inside.setMaximumWidth(_WIDEST)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)

    @Slot(LibraryStatus)
    def show_status(self, status: LibraryStatus) -> None:
        """Offer to add a folder to an empty library."""
        has_folder = any(folder.state is not FolderState.REMOVED for folder in status.folders)
        self._add.setVisible(not (has_folder or status is UNKNOWN or status.missing or status.not_added))

    def show_kept(self, searches: SavedSearches) -> None:
        """Show the saved and the recent searches."""
        saved = ((one.name, one.search) for one in searches.saved)
        self._saved.show_rows([self._row("bookmark", name, search) for name, search in saved][:_SEARCHES])
        recent = [self._row("clock", search.query, search) for search in searches.recent[:_SEARCHES]]
        self._recent.show_rows(recent)

    def show_documents(self, opened: Sequence[RecentDocument], newest: Sequence[RecentDocument]) -> None:
        """Show the documents that were opened last and the newest ones of the library."""
        self._documents.show_rows(document_rows(opened[:_DOCUMENTS], self.document_chosen))
        known = {document.path for document in opened[:_DOCUMENTS]}
        others = [document for document in newest if document.path not in known]
        self._newest.show_rows(document_rows(others, self.document_chosen))

    def take_focus(self) -> None:
        """Take the focus, on the first row."""
        first = next((each for rows in self._rows() for each in rows.buttons), self)
        first = first if self._add.isHidden() else self._add
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _rows(self) -> tuple[StartRows, ...]:
        return self._saved, self._recent, self._documents, self._newest

    def _row(self, icon: str, name: str, search: RecentSearch) -> StartRow:
        filters = ", ".join(map(filter_label, search.filters))
        return StartRow(icon, one_line(name), partial(self.search_chosen.emit, search), filters)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)


# Help for the query language: an example per feature, each tried with a click.

_EXAMPLE_WIDTH = 268
_NARROW = 600  # pixels


class ExampleButton(PaintedButton):
    """An example and its meaning."""

    def __init__(self, example: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.example = example
        self._meaning = meaning
        self._narrow = False
        self.setAccessibleName(f"{example}: {meaning}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return one comfortable line, two where there is little room."""
        lines = 2 if self._narrow else 1
        return QSize(2 * _EXAMPLE_WIDTH, lines * QFontMetrics(text_font()).height() + GRID + 4)

    def set_narrow(self, *, narrow: bool) -> None:
        """Use two lines where one is too short."""
        self._narrow = narrow
        self.updateGeometry()
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Let the window be narrow."""
        return QSize(_EXAMPLE_WIDTH, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the example and its meaning beside it."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        row = self.rect().adjusted(GRID, 0, -GRID, 0)
        if self._narrow:
            top, bottom = row.adjusted(0, GRID // 2, 0, 0), row.adjusted(2 * GRID, 0, 0, -GRID // 2)
            top.setBottom(row.center().y())
            bottom.setTop(row.center().y())
        else:
            top, bottom = QRect(row), row.adjusted(_EXAMPLE_WIDTH, 0, 0, 0)
            top.setWidth(_EXAMPLE_WIDTH - 2 * GRID)
        for text, font, color, area in (
            (self.example, mono_font(-0.5), colors.link, top),
            (self._meaning, text_font(), colors.muted, bottom),
        ):
            painter.setFont(font)
            painter.setPen(QColor(color))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(mirrored(area, self.rect()), Qt.AlignmentFlag.AlignVCenter, shown)


class SearchHelp(QScrollArea):
    """Examples that search on a click."""

    example_chosen = Signal(str)  # search for this query
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget(self)
        column = in_column(
            PlainLabel(self.tr("Type words or a question. Or be exact:"), "muted"),
            GRID // 2,
            on=inside,
            spacing=2,
            margins=(2 * GRID, GRID, 2 * GRID, GRID),
        )
        for example, meaning in self._examples():
            button = ExampleButton(example, meaning, inside)
            button.clicked.connect(lambda _=False, text=example: self.example_chosen.emit(text))
            column.addWidget(button)
        column.addStretch(1)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        self.setAccessibleName(self.tr("How to ask"))

    def take_focus(self) -> None:
        """Take the focus, on the first example."""
        self.examples()[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)

    def examples(self) -> tuple[ExampleButton, ...]:
        """Return the buttons in order."""
        return tuple(self.findChildren(ExampleButton))

    def _examples(self) -> tuple[tuple[str, str], ...]:
        return (
            ('"notice period"', self.tr("this exact phrase")),
            ('how long is the "notice period"?', self.tr("in a question the phrase only ranks higher")),
            ("rent AND landlord", self.tr("both, also OR and NOT, with brackets")),
            ("rent -deposit", self.tr("the first, without the second")),
            ('"rent notice"~5', self.tr("at most five words between them")),
            ("+rent deposit", self.tr("the first is required, the second optional")),
            ("(rent OR lease) NOT boat", self.tr("brackets group terms")),
            ("contract*", self.tr("words with this beginning; ? is one letter")),
            ("recieve~1", self.tr("one letter may differ, with ~2 two")),
            ("=Rent", self.tr("exactly this spelling and capitals")),
            ("rent^3 house", self.tr("the first counts three times")),
            ("budget 2023", self.tr("also in the names of files")),
            ("name:budget", self.tr("only in the names of files")),
            ("AB-1234/5", self.tr("whole or in part, like jo@example.org and 1,234.50")),
            ("title:lease", self.tr("in the title; content: in the text")),
            ("ext:pdf folder:contracts", self.tr("only in these files; path: matches any folder")),
            ("author:smith", self.tr("by this author")),
            ("tag:travel", self.tr("with this tag: #travel in a note, a keyword, a label of a mail")),
            ("language:de", self.tr("in this language")),
            ("from:anna subject:lease", self.tr("mails from her with this subject; also to: and cc:")),
            ("sent:2024-03", self.tr("mails sent in that time")),
            ('date:"last week"', self.tr("written, taken or sent then; also today, this month, last 3 months")),
            ("date:[2023 TO 2024-03]", self.tr("between; also 2024, 2024-03-15, >2023")),
            ("modified:today", self.tr("the file was changed then")),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose one or two lines per example; a widget cannot change its height during layout."""
        for button in self.examples():
            button.set_narrow(narrow=self.viewport().width() < _NARROW)
        super().resizeEvent(event)
