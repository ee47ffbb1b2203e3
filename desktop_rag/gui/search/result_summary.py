"""The line above the hits: how many passages and documents were found, and what could not be searched."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.language_names import language_name
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.retrieval.api import SearchResult
from desktop_rag.text.display import one_line

_MOST_LINES = 3


class ResultSummary(PlainLabel):
    """Shows the summary of a result; the number of all matching documents follows once they are counted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", "caption", parent)
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

    def show_result(self, result: SearchResult, *, more: bool, documents: int = 0) -> None:
        """Show the counts of a result; `more`: there are further hits. `documents` match in all, 0 if unknown."""
        self._found = (result, more)
        words = self._passages(result, documents, more=more) if result.hits else self.tr("Nothing found")
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

    def show_counted(self, documents: int) -> None:
        """Add the number of all matching documents to the shown result."""
        if self._found is not None:
            self.show_result(self._found[0], more=self._found[1], documents=documents)

    def show_text(self, text: str) -> None:
        """Show another text instead of the counts."""
        self._found = None
        self.setText(text)

    def _passages(self, result: SearchResult, documents: int, *, more: bool) -> str:
        hits, listed = sum(1 + len(hit.further) for hit in result.hits), len({hit.content for hit in result.hits})
        best = self.tr("The best %Ln passage(s)", "", hits) if more else self.tr("%Ln passage(s)", "", hits)
        # Documents with equal text share a hit: a complete list has all that were counted.
        total = max(listed, documents)
        inside = counted(self.tr("%Ln document(s)", "", total), total)
        if more and total > listed:
            inside = self.tr("{0} of {1}").format(number(listed), inside)
        return self.tr("{0} in {1}").format(counted(best, hits), inside)
