"""The sums of an answer's computed figures, under the answer: each operand is a link that opens its line."""

import re
from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.agent.events import Citation, Claim
from desktop_rag.gui import formatting
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line, shorten

_SUMS = 6  # shown
_LONGEST = 200  # characters of a sum


class OperandLink(Chip):
    """A number of a sum that opens its line."""

    def __init__(self, text: str, citation: Citation, parent: QWidget | None = None) -> None:
        super().__init__(text, f"[{citation.number}]", parent=parent)
        self.citation = citation
        self.setFont(text_font(-1))
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        name = one_line(formatting.file_name(citation.path, citation.title))
        self.setAccessibleName(f"{text}: {name}, {place}")
        self.setToolTip(tool_tip(formatting.citation_tip(citation)))


class ComputedSums(QWidget):
    """One row for each computed figure."""

    operand_clicked = Signal(object)  # the Citation whose line writes the operand

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self.hide()

    @property
    def operands(self) -> tuple[OperandLink, ...]:
        """Return the links, in the order of the sums."""
        return tuple(self.findChildren(OperandLink))

    def show_sums(self, claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
        """Show the sums of the claims that nothing speaks against; hidden without any."""
        while row := self._rows.takeAt(0):
            if widget := row.widget():
                widget.setParent(None)
                widget.deleteLater()
        by_number = {citation.number: citation for citation in citations}
        computed = {c.computed: c for c in claims if c.mark in ("computed", "read") and c.computed}
        for claim in list(computed.values())[:_SUMS]:
            line = FlowRow(self)
            parts = ((self.tr("Computed here:"), None), *_parts(claim, by_number))
            line.set_items([self._part(text, citation) for text, citation in parts])
            self._rows.addWidget(line)
        self.setVisible(bool(computed))

    def _part(self, text: str, citation: Citation | None) -> QWidget:
        if citation is None:
            label = PlainLabel(text, "caption", self)
            label.setWordWrap(False)
            return label
        link = OperandLink(text, citation, self)
        link.clicked.connect(self._on_clicked)
        return link

    @Slot()
    def _on_clicked(self) -> None:
        link = self.sender()
        if isinstance(link, OperandLink):
            self.operand_clicked.emit(link.citation)


def _parts(claim: Claim, citations: Mapping[int, Citation]) -> Iterator[tuple[str, Citation | None]]:
    """Yield the pieces of a sum; an operand comes with the citation whose lines write it."""
    places = {operand.text: citations[operand.citation] for operand in claim.operands if operand.citation in citations}
    computed = shorten(one_line(claim.computed), _LONGEST)
    if not places:
        yield computed, None
        return
    operand = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    written = re.compile(rf"(?<![\w.,])({operand})(?![\d]|[.,]\d)")
    for piece in written.split(computed):
        if piece.strip():
            yield piece.strip(), places.get(piece)
