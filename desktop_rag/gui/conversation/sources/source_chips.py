"""What a tool brought back, as a row of small buttons that wraps: file and place, the first few and then the rest."""

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop_rag.agent.events import Source
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.text.display import one_line

_SPACE = 6
_WIDEST = 300
_FIRST = 4


class Chip(PaintedButton):
    """A rounded button with an optional icon, a name and a quieter place behind it."""

    def __init__(self, name: str, place: str = "", icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._place, self._icon = one_line(name), place, icon
        self.setAccessibleName(", ".join(filter(None, (self._name, place))))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the room for both texts, up to a limit."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self._name) + 22 + (19 if self._icon else 0)
        if self._place:
            width += metrics.horizontalAdvance(self._place) + 9
        return QSize(min(width, _WIDEST), metrics.height() + 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pill; the name gives way, the place stays."""
        colors = current_colors()
        painter = self.begin_painting()
        hot = self.underMouse() or self.isDown()
        self.draw_card(painter, colors.border, colors.hover if hot else colors.raised, self.height() / 2 - 1)
        left, right = 11, self.width() - 11
        if self._icon:
            icons.draw(painter, QRect(left - 1, 0, 14, self.height()), self._icon, colors.muted, 14)
            left += 18
        metrics = self.fontMetrics()
        if self._place:
            width = metrics.horizontalAdvance(self._place)
            painter.setPen(QColor(colors.faint))
            painter.drawText(right - width, 0, width, self.height(), Qt.AlignmentFlag.AlignVCenter, self._place)
            right -= width + 9
        painter.setPen(QColor(colors.text))
        shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(left, 0, right - left, self.height(), Qt.AlignmentFlag.AlignVCenter, shown)


class SourceChip(Chip):
    """A chip for one source."""

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        name = formatting.file_name(source.path, source.title)
        super().__init__(name, formatting.short_place(source), "file-text", parent)
        self.source = source
        self.setFont(text_font(-1))
        place = formatting.place(source.page, source.first_line, source.last_line, source.section)
        self.setAccessibleName(f"{one_line(name)}, {place}")
        self.setAccessibleDescription(one_line(source.preview))
        folder = str(PurePath(source.path).parent) if source.path else ""
        self.setToolTip(tool_tip("\n".join(filter(None, (f"{name} · {place}", folder, source.preview[:300])))))


class FlowRow(QWidget):
    """Places its children one after the other, in as many rows as the width needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._items: list[QWidget] = []

    def set_items(self, items: Sequence[QWidget]) -> None:
        """Show `items`, which become children of this row; the ones before go."""
        for old in self._items:
            if old not in items:
                old.hide()
                old.deleteLater()
        self._items = list(items)
        for item in self._items:
            item.setParent(self)
            item.show()
        self._place(self.width())
        self.updateGeometry()

    def _place(self, width: int, *, move: bool = True) -> int:
        x = y = row_height = 0
        for item in self._items:
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(width, 40)))
            if x and x + size.width() > width:
                x, y, row_height = 0, y + row_height + _SPACE, 0
            if move:
                item.setGeometry(x, y, size.width(), size.height())
            x += size.width() + _SPACE
            row_height = max(row_height, size.height())
        return y + row_height

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        """Return the size at the present width."""
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """Return what one short chip needs."""
        return QSize(40, max((item.sizeHint().height() for item in self._items), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the items anew."""
        super().resizeEvent(event)
        self._place(self.width())
        if event.oldSize().width() != self.width():
            self.updateGeometry()


class SourceChips(FlowRow):
    """The sources of one step; while their run goes on each has a menu to steer it."""

    def __init__(
        self, sources: Sequence[Source], requests: ConversationRequests, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self._steered = False
        self._sources = tuple(sources)
        self._show(self._sources if len(sources) <= _FIRST + 1 else self._sources[:_FIRST])

    def _show(self, sources: Sequence[Source]) -> None:
        chips: list[QWidget] = []
        for source in sources:
            chip = SourceChip(source, self)
            chip.clicked.connect(self._on_chip_clicked)
            chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            chip.customContextMenuRequested.connect(self._on_menu_wanted)
            chips.append(chip)
        hidden = len(self._sources) - len(sources)
        if hidden:
            more = Chip(self.tr("+{count} more").format(count=hidden), parent=self)
            more.setFont(text_font(-1))
            more.setAccessibleName(self.tr("Show {count} more sources").format(count=hidden))
            more.clicked.connect(self._on_more_clicked)
            chips.append(more)
        self.set_items(chips)

    def set_steered(self, *, steered: bool) -> None:
        """Offer to steer the run with these sources, or no longer."""
        self._steered = steered

    @Slot(QPoint)
    def _on_menu_wanted(self, place: QPoint) -> None:
        chip = self.sender()
        if not isinstance(chip, SourceChip):
            return
        menu = QMenu(chip)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        source = chip.source
        menu.addAction(self.tr("Open")).triggered.connect(partial(self._requests.viewer.source_requested.emit, source))
        if self._steered:
            menu.addSeparator()
            acts = (
                (self.tr("Important: keep this"), "pin"),
                (self.tr("More like this"), "more"),
                (self.tr("Set aside: do not use this"), "discard"),
            )
            for words, kind in acts:
                menu.addAction(words).triggered.connect(partial(self._requests.source_judged.emit, source, kind))
        menu.popup(chip.mapToGlobal(place))

    @Slot()
    def _on_chip_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, SourceChip):
            self._requests.viewer.source_requested.emit(chip.source)

    @Slot()
    def _on_more_clicked(self) -> None:
        self._show(self._sources)
        self._items[_FIRST].setFocus()
