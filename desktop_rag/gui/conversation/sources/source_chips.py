"""The sources a tool returned, as chips with file and place: the first few, then the rest on request."""

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.agent.events import Source
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.sources_model import orders_hint, orders_note, shown_preview
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.gui.viewer.viewer_events import target_of_source
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.text.display import one_line, shorten, shown_path

_FIRST = 4  # chips shown at first
_PREVIEW = 300  # characters in a tooltip


class SourceChip(Chip):
    """A chip for one source."""

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        name = formatting.document_name(source.path, source.title)
        super().__init__(name, formatting.short_place(source), "info" if source.gives_orders else "file-text", parent)
        self.source = source
        self.setFont(text_font(-1))
        place = formatting.place(source.page, source.first_line, source.last_line, source.section)
        note = orders_note() if source.gives_orders else ""
        self.setAccessibleName(", ".join(filter(None, (one_line(name), place, note))))
        preview = shown_preview(source)
        self.setAccessibleDescription(preview)
        folder = shown_path(str(PurePath(source.path).parent)) if source.path else ""
        hint = orders_hint() if source.gives_orders else ""
        parts = (f"{name} · {place}", folder, shorten(preview, _PREVIEW), hint)
        self.setToolTip(tool_tip("\n".join(filter(None, parts))))


class SourceChips(FlowRow):
    """The sources of one step; while the run takes feedback, the menu of each chip offers it."""

    def __init__(
        self, sources: Sequence[Source], requests: ConversationRequests, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self._steerable = False
        self._sources = tuple(sources)
        self._show(self._sources if len(sources) <= _FIRST + 1 else self._sources[:_FIRST])

    def _show(self, sources: Sequence[Source]) -> None:
        chips: list[QWidget] = []
        for source in sources:
            chip = SourceChip(source, self)
            chip.clicked.connect(self._on_chip_clicked)
            chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            chip.customContextMenuRequested.connect(self._on_menu_requested)
            chips.append(chip)
        hidden = len(self._sources) - len(sources)
        if hidden:
            more = Chip(self.tr("+%Ln more", "", hidden), parent=self)
            more.setFont(text_font(-1))
            more.setAccessibleName(formatting.counted(self.tr("Show %Ln more source(s)", "", hidden), hidden))
            more.clicked.connect(self._on_more_clicked)
            chips.append(more)
        self.set_items(chips)

    def set_steerable(self, *, steerable: bool) -> None:
        """Offer feedback on these sources, or stop offering it."""
        self._steerable = steerable

    @Slot(QPoint)
    def _on_menu_requested(self, position: QPoint) -> None:
        chip = self.sender()
        if not isinstance(chip, SourceChip):
            return
        menu = QMenu(chip)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        source, target = chip.source, target_of_source(chip.source)
        menu.addAction(self.tr("Open")).triggered.connect(partial(self._requests.viewer.target_requested.emit, target))
        if self._steerable:
            menu.addSeparator()
            choices = (
                (self.tr("Important: keep this"), "pin"),
                (self.tr("More like this"), "more"),
                (self.tr("Discard: do not use this"), "discard"),
            )
            for text, kind in choices:
                menu.addAction(text).triggered.connect(partial(self._requests.source_feedback.emit, source, kind))
        menu.popup(chip.mapToGlobal(position))

    @Slot()
    def _on_chip_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, SourceChip):
            self._requests.viewer.target_requested.emit(target_of_source(chip.source))

    @Slot()
    def _on_more_clicked(self) -> None:
        self._show(self._sources)
        self._items[_FIRST].setFocus()
