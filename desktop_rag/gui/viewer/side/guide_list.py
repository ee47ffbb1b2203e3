"""The guide of a document: its terms, names, dates and amounts with their lines, and the way to a summary."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QVBoxLayout, QWidget

from desktop_rag.documents.document import page_of
from desktop_rag.gui import formatting
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.viewer.side.side_rows import Row, RowDelegate, RowsModel
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentGuide, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line


@dataclass(frozen=True, slots=True)
class GuideRead:
    """The guide of a content."""

    content: ContentId
    guide: DocumentGuide


def read_guide(content: ContentId, retriever: Retriever, stop: Stop) -> Generator[GuideRead]:
    """Yield the guide of a document."""
    yield GuideRead(content, retriever.guide(content, stop))


class _ElidedButton(QPushButton):
    """A button whose text is shortened where there is no room for it."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setToolTip(formatting.tool_tip(text))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Return that any width will do."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the button with as much of its text as there is room for."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


class GuideList(QWidget):
    """The entries under the names of their kinds; a click goes to the line."""

    line_chosen = Signal(int)  # go to this line
    summary_requested = Signal()  # have a model summarise the document

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = RowsModel(self)
        self._lines: list[int] = []
        self.list = PanelList(self._rows, self.tr("Guide"), self)
        self.list.setItemDelegate(RowDelegate(1, self.list))
        self.list.setUniformItemSizes(True)
        self.summary = _ElidedButton(self.tr("Summary and questions"), self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self.list, 1)
        inset = QVBoxLayout()
        inset.setContentsMargins(GRID, 0, GRID, 0)
        inset.addWidget(self.summary)
        layout.addLayout(inset)
        self.list.clicked.connect(self._on_chosen)
        self.list.activated.connect(self._on_chosen)
        self.summary.clicked.connect(self.summary_requested)

    def show_guide(self, guide: DocumentGuide, layout: DocumentLayout) -> None:
        """Show another guide."""
        rows = list(_rows(guide, layout))
        self._lines = [line for _, line in rows]
        self._rows.set_rows([row for row, _ in rows])

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        if line := self._lines[index.row()]:
            self.line_chosen.emit(line)


def _rows(guide: DocumentGuide, layout: DocumentLayout) -> Iterator[tuple[Row, int]]:
    """Yield rows with their lines; 0 for the names of kinds and for notes."""
    names = {"term": _tr("Defined terms"), "name": _tr("Names"), "date": _tr("Dates"), "amount": _tr("Amounts")}
    shown = ""
    for entry in guide.entries:
        if entry.kind != shown:
            shown = entry.kind
            yield Row(names[shown], strong=True), 0
        page = page_of(layout.pages, entry.line)
        where = formatting.number(page if page is not None else entry.line)
        often = f" × {formatting.number(entry.lines)}" if entry.lines > 1 else ""
        yield Row(one_line(entry.text), where + often, indent=1), entry.line
    if not guide.whole:
        yield Row(_tr("Only the beginning of this long document was looked at.")), 0


def _tr(text: str) -> str:
    return QCoreApplication.translate("GuideList", text)
