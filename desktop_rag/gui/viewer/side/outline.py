"""The outline of a document: the one stored in its file, or else its headings."""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.documents.document import LineKind, OutlineEntry, page_of
from desktop_rag.gui import formatting
from desktop_rag.gui.viewer.side.side_rows import Row, RowDelegate, RowsModel
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line

MAX_ENTRIES = 5_000

_HEADING = re.compile(b"[" + b"".join(rb"\x%02x" % (level << 4 | LineKind.HEADING) for level in range(16)) + b"]")
_AT_ONCE = 400  # lines
_NEAR = 40  # headings with fewer lines between them are read together
_MARKUP = "#=*\t "


@dataclass(frozen=True, slots=True)
class OutlineRead:
    """The entries in document order."""

    content: ContentId
    entries: tuple[OutlineEntry, ...]


def read_outline(
    content: ContentId, layout: DocumentLayout, retriever: Retriever, stop: Stop
) -> Generator[OutlineRead]:
    """Yield the outline; headings are read in small groups, as a document may have thousands."""
    entries = tuple(sorted(layout.structure.outline, key=lambda entry: entry.line))
    yield OutlineRead(content, entries[:MAX_ENTRIES] or tuple(_headings(content, layout, retriever, stop)))


def _headings(content: ContentId, layout: DocumentLayout, retriever: Retriever, stop: Stop) -> Iterator[OutlineEntry]:
    found = [match.start() + 1 for match in _HEADING.finditer(layout.kinds)][:MAX_ENTRIES]
    for group in _groups(found):
        stop.check()
        lines = retriever.read_lines(content, group[0], group[-1] - group[0] + 1, stop).lines
        for line in group:
            title = " ".join(lines[line - group[0]].strip(_MARKUP).split()) if line - group[0] < len(lines) else ""
            if title:
                yield OutlineEntry(line, layout.kinds[line - 1] >> 4, title)


def _groups(lines: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    for line in lines:
        if group and (line - group[-1] > _NEAR or line - group[0] >= _AT_ONCE):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


class OutlineList(PanelList):
    """The entries, indented by level; the current one is selected."""

    line_chosen = Signal(int)  # go to this line

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rows = RowsModel()
        super().__init__(self._rows, self.tr("Outline"), parent)
        self._rows.setParent(self)
        self._lines: list[int] = []
        self.setItemDelegate(RowDelegate(1, self))
        self.setUniformItemSizes(True)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def show_entries(self, entries: Sequence[OutlineEntry], layout: DocumentLayout) -> None:
        """Show another outline."""
        self._lines = [entry.line for entry in entries]
        top = min((entry.level for entry in entries), default=0)
        self._rows.set_rows([_row(entry, top, layout) for entry in entries])

    def follow(self, line: int) -> None:
        """Select the entry whose section contains `line`."""
        index = bisect_right(self._lines, line) - 1
        if index == self.currentIndex().row() or self.hasFocus():
            return
        now = self._rows.index(index) if index >= 0 else QModelIndex()
        self.selectionModel().setCurrentIndex(now, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if now.isValid():
            self.scrollTo(now)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.line_chosen.emit(self._lines[index.row()])


def _row(entry: OutlineEntry, top: int, layout: DocumentLayout) -> Row:
    page = page_of(layout.pages, entry.line)
    return Row(
        one_line(entry.title),
        formatting.number(page) if page is not None else "",
        indent=entry.level - top,
        strong=entry.level == top,
    )
