"""The list of stored conversations: open, begin, rename, delete, filter."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.commands.command_parts import CommandPart
from desktop_rag.gui.conversation.conversations_model import CONVERSATION_ROLE, WHEN_ROLE, ConversationsModel
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role, text_font
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text, line_height

_BUTTON = 24
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _RowDelegate(QStyledItemDelegate):
    """Paints a title and its date; on hover a delete button replaces the date."""

    row_clicked = Signal(ConversationSummary)  # the ConversationSummary that was clicked, not on its delete button
    delete_clicked = Signal(ConversationSummary)  # the ConversationSummary whose delete button was pressed

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one conversation."""
        colors = current_colors()
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_ground(
            painter,
            option.rect.adjusted(GRID // 2, 1, -GRID // 2, -1),
            hovered=hovered,
            selected=bool(option.state & QStyle.StateFlag.State_Selected),
            focused=bool(option.state & QStyle.StateFlag.State_HasFocus),
        )
        inner = option.rect.adjusted(2 * GRID - 4, 0, -2 * GRID + 4, 0)
        when = str(index.data(WHEN_ROLE))
        if hovered:
            icons.draw(painter, _button(option.rect), "remove", colors.muted, 16)
            reserved = _BUTTON
        else:
            draw_text(painter, inner, when, text_font(-1), colors.muted, align=_RIGHT)
            reserved = QFontMetrics(text_font(-1)).horizontalAdvance(when) + GRID
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        draw_text(painter, inner.adjusted(0, 0, -reserved, 0), title, text_font(), colors.text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of one line with padding."""
        return QSize(120, line_height(text_font()) + 2 * GRID - 2)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Emit a click on the row or on its delete button."""
        summary = index.data(CONVERSATION_ROLE)
        if isinstance(event, QMouseEvent) and isinstance(summary, ConversationSummary):
            on_button = _button(option.rect).contains(event.position().toPoint())
            if event.button() == Qt.MouseButton.LeftButton and event.type() == QEvent.Type.MouseButtonRelease:
                (self.delete_clicked if on_button else self.row_clicked).emit(summary)
                return True
        return super().editorEvent(event, model, option, index)


def _button(rect: QRect) -> QRect:
    return QRect(rect.right() - GRID - _BUTTON, rect.center().y() - _BUTTON // 2, _BUTTON, _BUTTON)


class ConversationsPanel(QWidget):
    """Shows summaries and emits requests; the list changes when the owner shows a new one."""

    new_requested = Signal()  # begin an empty conversation
    conversation_chosen = Signal(object)  # open the conversation with this ConversationId
    rename_requested = Signal(object, str)  # a ConversationId and its new title
    delete_requested = Signal(object)  # a ConversationId; hide it, the user can still undo
    delete_confirmed = Signal(object)  # a ConversationId whose undo has expired: erase it

    def __init__(self, now: Callable[[], datetime] = datetime.now, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Conversations"))
        self._current: ConversationId | None = None
        self._model = ConversationsModel(now, self)
        self._new = icons.IconButton("chat-add", self.tr("New conversation"), self)
        self._filter = FilterField(self.tr("Filter conversations"), self)
        self._list = PanelList(self._model, self.tr("Conversations"), self)
        self._delegate = _RowDelegate(self._list)
        self._list.setItemDelegate(self._delegate)
        self._list.setUniformItemSizes(True)
        self._empty = QLabel(self)
        self._add_commands()
        self._arrange()
        self._connect()
        self._refresh()

    def show_conversations(self, conversations: Sequence[ConversationSummary]) -> None:
        """Replace the list; the open conversation stays selected."""
        self._model.show_conversations(conversations)
        self._refresh()

    def set_current(self, conversation: ConversationId | None) -> None:
        """Select the conversation that is open, or none."""
        self._current = conversation
        self._refresh()

    def dismiss(self, conversation: ConversationId) -> None:
        """Hide a conversation until `bring_back`."""
        self._model.hide(conversation)
        self._refresh()

    def bring_back(self, conversation: ConversationId) -> None:
        """Show a dismissed conversation again."""
        self._model.bring_back(conversation)
        self._refresh()

    def title_of(self, conversation: ConversationId) -> str:
        """Return the title of a conversation in the list; empty if it is not listed."""
        row = self._model.row_of(conversation)
        return str(self._model.index(row).data()) if row >= 0 else ""

    def commands(self) -> CommandPart:
        """Return the commands for the selected conversation."""
        title, none = self.tr("On the selected conversation"), self.tr("No conversation is selected")
        return self._list.command_part("conversation", title, none)

    def conversations(self) -> Sequence[ConversationSummary]:
        """Return all conversations that are not deleted, the newest first."""
        return self._model.conversations()

    def focus_filter(self) -> None:
        """Move the keyboard focus to the filter."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def _refresh(self) -> None:
        row = -1 if self._current is None else self._model.row_of(self._current)
        if row >= 0:
            self._list.setCurrentIndex(self._model.index(row))
        else:
            self._list.setCurrentIndex(QModelIndex())
            self._list.clearSelection()
        has_rows = self._model.rowCount() > 0
        hidden = self._model.is_filtered()
        self._filter.setVisible(has_rows or hidden)
        self._list.setVisible(has_rows)
        self._empty.setVisible(not has_rows)
        self._empty.setText(self.tr("No title has these words") if hidden else self.tr("Your questions are kept here"))

    def _add_commands(self) -> None:
        add = self._list.add_command
        self._list.set_menu(
            (
                add(self.tr("Open"), "Return", self._on_open_triggered),
                add(self.tr("Rename"), "F2", self._on_rename_triggered),
                add(self.tr("Delete"), "Del", self._on_delete_triggered),
            )
        )

    def _arrange(self) -> None:
        title = QLabel(self.tr("Conversations"), self)
        set_role(title, "section")
        set_role(self._empty, "caption")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        head = QHBoxLayout()
        head.setContentsMargins(2 * GRID, GRID, GRID, 0)
        head.addWidget(title, 1)
        head.addWidget(self._new)
        search = QHBoxLayout()
        search.setContentsMargins(GRID + 4, 0, GRID + 4, 0)
        search.addWidget(self._filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, GRID)
        layout.setSpacing(GRID // 2)
        layout.addLayout(head)
        layout.addLayout(search)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._empty, 1)

    def _connect(self) -> None:
        self._new.clicked.connect(self.new_requested)
        self._filter.textChanged.connect(self._on_filter_changed)
        self._delegate.row_clicked.connect(self._on_row_clicked)
        self._delegate.delete_clicked.connect(self._on_delete_clicked)
        self._model.rename_requested.connect(self.rename_requested)

    def _chosen(self) -> ConversationSummary | None:
        return self._model.conversation(self._list.currentIndex().row())

    def _on_filter_changed(self, words: str) -> None:
        self._model.filter(words)
        self._refresh()

    def _on_row_clicked(self, summary: ConversationSummary) -> None:
        self.conversation_chosen.emit(summary.id)

    def _on_open_triggered(self) -> None:
        if summary := self._chosen():
            self.conversation_chosen.emit(summary.id)

    def _on_rename_triggered(self) -> None:
        if self._list.currentIndex().isValid():
            self._list.edit(self._list.currentIndex())

    def _on_delete_triggered(self) -> None:
        if summary := self._chosen():
            self.delete_requested.emit(summary.id)

    def _on_delete_clicked(self, summary: ConversationSummary) -> None:
        self.delete_requested.emit(summary.id)
