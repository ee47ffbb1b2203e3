"""The line between query and hits: the counts of a result and what could not be searched, buttons and order."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, language_name, number, tool_tip
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.theme.theme import GRID, scaled
from desktop_rag.gui.widgets.plain_labels import NoteLabel
from desktop_rag.retrieval.api import Facets, SearchResult, Sort
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.text.display import one_line

_MOST_LINES = 3
_LEAST_SUMMARY = 160  # pixels in which a summary can be read
_SUMMARY, _SUGGESTION, _ORDER = 1, 2, 6  # columns; three buttons stand between


class ResultSummary(NoteLabel):
    """Shows the summary of a result; the number of all matching documents follows once they are counted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("caption", parent)
        self.hide()
        self._found: tuple[SearchResult, bool] | None = None

    def heightForWidth(self, width: int) -> int:
        """Return the height of the text, of a few lines at most where buttons in large type leave it no width."""
        return min(super().heightForWidth(width), _MOST_LINES * self.fontMetrics().lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Begin at the top, with the whole text in a tooltip, where not all lines have room."""
        super().resizeEvent(event)
        whole = super().heightForWidth(self.width()) <= self.height()
        vertical = Qt.AlignmentFlag.AlignVCenter if whole else Qt.AlignmentFlag.AlignTop
        self.setAlignment(Qt.AlignmentFlag.AlignLeading | vertical)
        self.setToolTip("" if whole else tool_tip(self.text()))

    def show_result(self, result: SearchResult, *, more: bool, documents: int = 0, about: bool = False) -> None:
        """Show the counts of a result; `more`: there are further hits.

        `documents` match in all, 0 if unknown; if `about`, their number may be a little off.
        """
        self._found = (result, more)
        counts = self._passages(result, documents, more=more, about=about)
        words = counts if result.hits else self.tr("Nothing found")
        similar = len(result.similar)
        apart = ""  # below hits they have a heading
        if similar and not result.hits:
            apart = counted(self.tr("%Ln similar passage(s)", "", similar), similar)
        if named := len(result.named):
            files = counted(self.tr("%Ln file(s) by name", "", named), named)
            words = f"{words}  ·  {files}" if result.hits else files
        parts = [words, apart, one_line(sentence(result.note))]
        if result.languages is not None:
            asked, most = map(language_name, result.languages)
            parts.append(self.tr("your words look {0}, most of your documents are {1}").format(asked, most))
        if result.coverage < 1 and result.mode.by_meaning and not result.note:
            parts.append(self.tr("meaning search covers {0} % so far").format(int(result.coverage * 100)))
        self.setText("  ·  ".join(filter(None, parts)))

    def show_counted(self, facets: Facets) -> None:
        """Add the number of all matching documents to the shown result."""
        if self._found is not None:
            result, more = self._found
            self.show_result(result, more=more, documents=facets.documents, about=facets.about)

    def show_text(self, text: str) -> None:
        """Show another text instead of the counts."""
        self._found = None
        self.setText(text)

    def show_nothing(self, filters: Sequence[Filter], note: str) -> str:
        """Say that nothing is found with the filters, and what is noted; return their names."""
        named = ", ".join(map(filter_label, filters))
        said = self.tr("Nothing found with the filter {0}").format(named)
        self.show_text("  ·  ".join(filter(None, (said, one_line(sentence(note))))))
        return named

    def _passages(self, result: SearchResult, documents: int, *, more: bool, about: bool) -> str:
        hits, listed = sum(1 + len(hit.further) for hit in result.hits), len({hit.content for hit in result.hits})
        best = self.tr("The best %Ln passage(s)", "", hits) if more else self.tr("%Ln passage(s)", "", hits)
        # Documents with equal text share a hit: a complete list has all that were counted.
        total = max(listed, documents)
        inside = counted(self.tr("%Ln document(s)", "", total), total)
        inside = self.tr("about {0}").format(inside) if about else inside
        if more and total > listed:
            inside = self.tr("{0} of {1}").format(number(listed), inside)
        return self.tr("{0} in {1}").format(counted(best, hits), inside)


class SummaryLine(QGridLayout):
    """Arranges the summary beside buttons and order, or below them in a narrow column; the search page hides them."""

    def __init__(self, narrow: QWidget, buttons: Sequence[QWidget], ends: tuple[NoteLabel, QWidget, QWidget]) -> None:
        """`ends` are the summary, the suggestion and the order."""
        super().__init__()
        self._buttons = narrow, *buttons
        self._ends = ends
        self._form: tuple[bool, bool] | None = None  # the summary beside the buttons, the order below them
        self.setHorizontalSpacing(GRID)
        self.setVerticalSpacing(GRID // 2)
        self.setColumnStretch(_SUMMARY, 1)
        for place, widget in ((0, narrow), *enumerate(buttons, _SUGGESTION + 1)):
            self.addWidget(widget, 0, place)

    def fit(self, *, wide: bool, room: int) -> None:
        """Put summary and suggestion below the buttons unless `wide`, all that has no `room` (in pixels) below them."""
        summary, suggestion, order = self._ends
        buttons, others = (_width_of(each) for each in ((*self._buttons, order), (suggestion,)))
        buttons += _ORDER * GRID  # below a wide row, an empty column has its distance, too
        left = room - buttons - others  # for the summary, of two lines at most beside a suggestion
        needed = summary.fontMetrics().horizontalAdvance(summary.text()) / 2 if others else 0
        wide = wide and left >= max(scaled(_LEAST_SUMMARY), needed)
        form = wide, buttons > room
        if form != self._form:
            self._form = form
            self.addWidget(order, *((1, 0, 1, -1) if form[1] else (0, _ORDER)))
            self.addWidget(suggestion, *((0, _SUGGESTION) if wide else (2, 0, 1, -1)))
            self.addWidget(summary, *((0, _SUMMARY) if wide else (3, 0, 1, -1)))


def _width_of(widgets: Iterable[QWidget]) -> int:
    return sum(max(each.sizeHint().width(), each.minimumWidth()) for each in widgets if not each.isHidden())


# The selector of the order of hits.


def sort_name(sort: Sort) -> str:
    """Return the name of an order in the window."""
    names = {
        Sort.RELEVANCE: _tr("By relevance"),
        Sort.DATE: _tr("Newest first"),
        Sort.NAME: _tr("By name"),
        Sort.SIZE: _tr("Largest first"),
        Sort.FOLDER: _tr("By folder"),
    }
    return names[sort]


class SortBox(QComboBox):
    """Offers every order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Order of the results"))
        self.setToolTip(self.tr("Order of the results"))
        for sort in Sort:
            self.addItem(sort_name(sort), sort)

    def minimumSizeHint(self) -> QSize:
        """Return the size at which every name is whole."""
        return self.sizeHint()

    def sort(self) -> Sort:
        """Return the selected order."""
        return Sort(self.currentData())

    def show_sort(self, sort: Sort) -> None:
        """Select an order."""
        self.setCurrentIndex(max(0, self.findData(sort)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("SortBox", text)
