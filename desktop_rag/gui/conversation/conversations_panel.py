"""The list of stored conversations: open, begin, rename, pin, archive, delete, search."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.agent.conversations.listed_conversations import split_number
from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary, FoundTurn, RunStatus
from desktop_rag.gui.command_parts import CommandPart, new_command
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.conversations_model import (
    CONVERSATION_ROLE,
    GROUP_ROLE,
    LINE_ROLE,
    MARK_ROLE,
    TURN_ROLE,
    WHEN_ROLE,
    ConversationGroup,
    ConversationMark,
    ConversationsModel,
    tags_in,
)
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, row_height, scaled, set_role, text_font
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, line_height, mirrored
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.text.display import one_line

# Paints the rows of the conversation list: headings, titles with date and mark, and the line that was found.

_BUTTON = 24
_MARK = 14
_DOT = 8
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ICONS = {
    ConversationMark.RUNNING: "refresh",
    ConversationMark.QUEUED: "clock",
    ConversationMark.FAILED: "warning",
    ConversationMark.INTERRUPTED: "pause",
    ConversationMark.DRAFT: "edit",
}


class ConversationRows(QStyledItemDelegate):
    """Paints the rows; on hover a delete button replaces the date."""

    row_clicked = Signal(ConversationSummary, int)  # the conversation that was clicked, and the turn that was found
    delete_clicked = Signal(ConversationSummary)  # the conversation whose delete button was pressed
    group_clicked = Signal()  # the heading that can be folded was clicked

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        group = index.data(GROUP_ROLE)
        if isinstance(group, ConversationGroup):
            _paint_group(painter, option, str(index.data()), group)
        else:
            _paint_conversation(painter, option, index)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of one line with padding, or two if a line was found."""
        if index.data(GROUP_ROLE) is not None:
            return QSize(120, line_height(text_font(-1, QFont.Weight.Bold)) + GRID + (GRID // 2 if index.row() else 0))
        more = line_height(text_font(-1)) if index.data(LINE_ROLE) else 0
        return QSize(120, row_height(line_height(text_font()) + 2 * GRID - 2 + more))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Emit a click on the row, on its delete button or on a heading."""
        if not isinstance(event, QMouseEvent) or event.type() != QEvent.Type.MouseButtonRelease:
            return super().editorEvent(event, model, option, index)
        if event.button() != Qt.MouseButton.LeftButton:
            return super().editorEvent(event, model, option, index)
        summary = index.data(CONVERSATION_ROLE)
        if index.data(GROUP_ROLE) is not None:
            self.group_clicked.emit()
        elif isinstance(summary, ConversationSummary):
            if _button(option.rect).contains(event.position().toPoint()):
                self.delete_clicked.emit(summary)
            else:
                self.row_clicked.emit(summary, int(index.data(TURN_ROLE)))
        return True


def _paint_group(painter: QPainter, option: QStyleOptionViewItem, title: str, group: ConversationGroup) -> None:
    colors = current_colors()
    area = option.rect.adjusted(2 * GRID - 4, 0, -2 * GRID + 4, -2)
    focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
    draw_ground(painter, option.rect.adjusted(4, 1, -4, -1), hovered=False, selected=False, focused=focused)
    bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
    draw_text(painter, area, title, text_font(-1, QFont.Weight.Bold), colors.muted, align=bottom)
    if group.folded is not None:
        side = scaled(_MARK)
        arrow = QRect(area.right() - side, area.bottom() - side - 1, side, side)
        icons.draw(
            painter, mirrored(arrow, area), "chevron-down" if group.folded else "chevron-up", colors.muted, _MARK
        )


def _paint_conversation(
    painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
) -> None:
    colors = current_colors()
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    draw_ground(
        painter,
        option.rect.adjusted(GRID // 2, 1, -GRID // 2, -1),
        hovered=hovered,
        selected=bool(option.state & QStyle.StateFlag.State_Selected),
        focused=bool(option.state & QStyle.StateFlag.State_HasFocus),
    )
    inner = option.rect.adjusted(2 * GRID - 4, 0, -2 * GRID + 4, 0)
    line, when, name = str(index.data(LINE_ROLE)), str(index.data(WHEN_ROLE)), index.data(MARK_ROLE)
    mark = ConversationMark(str(name)) if name else None  # Qt hands it on as a string
    if line:
        half = line_height(text_font(-1))
        below = QRect(inner.left(), inner.bottom() - half - GRID + 3, inner.width(), half)
        draw_text(painter, below, line, text_font(-1), colors.muted, within=option.rect)
        inner.setBottom(below.top() + GRID - 4)
    reserved = QFontMetrics(text_font(-1)).horizontalAdvance(when) + GRID
    if hovered:
        icons.draw(painter, _button(option.rect), "remove", colors.muted, 16)
        reserved = max(scaled(_BUTTON), reserved)
    else:
        end = inner.adjusted(inner.width() + GRID - 2 - reserved, 0, 0, 0)
        draw_text(painter, end, when, text_font(-1), colors.muted, align=_RIGHT, within=inner)
    if mark is not None:
        side = scaled(_MARK)
        reserved += side + 4
        left = inner.right() - reserved + 4
        _paint_mark(painter, mirrored(QRect(left, inner.center().y() - side // 2, side, side), inner), mark)
    title = inner.adjusted(0, 0, -reserved, 0)
    font = text_font()
    font.setBold(mark is ConversationMark.UNREAD)
    words, number = split_number(str(index.data(Qt.ItemDataRole.DisplayRole)))
    metrics = QFontMetrics(font)  # the number of a copy is never elided: it tells the rows apart
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, title.width() - metrics.horizontalAdvance(number))
    draw_text(painter, title, shown + number, font, colors.text, within=inner)


def _paint_mark(painter: QPainter, area: QRect, mark: ConversationMark) -> None:
    colors = current_colors()
    if mark is ConversationMark.UNREAD:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent))
        dot = scaled(_DOT)
        painter.drawEllipse(QRect(area.center().x() - dot // 2 + 1, area.center().y() - dot // 2 + 1, dot, dot))
        return
    tints = {
        ConversationMark.RUNNING: colors.link,
        ConversationMark.FAILED: colors.danger,
        ConversationMark.INTERRUPTED: colors.warning,
    }
    icons.draw(painter, area, _ICONS[mark], tints.get(mark, colors.muted), _MARK)


def _button(rect: QRect) -> QRect:
    side = scaled(_BUTTON)
    return mirrored(QRect(rect.right() - GRID - side, rect.center().y() - side // 2, side, side), rect)


MOST_TAGS = 20
_LONGEST = 600  # characters of all tags


class TagsDialog(ActionDialog):
    """Asks for the tags of a conversation."""

    chosen = Signal(tuple)  # the tags

    def __init__(self, title: str, tags: Sequence[str], known: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("Tags"))
        self.act.setText(self.tr("Save"))
        set_role(self.act, "primary")
        self.act.setDefault(True)
        self.field = QLineEdit(" ".join(tags), self)
        self.field.setMaxLength(_LONGEST)
        self.field.setAccessibleName(self.tr("Tags"))
        self.field.setPlaceholderText(self.tr("For example: taxes 2024"))
        completer = QCompleter(list(known), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setWidget(self.field)
        completer.activated.connect(self._complete)
        self._completer = completer
        self.field.textEdited.connect(self._on_edited)
        self.accepted.connect(lambda: self.chosen.emit(tags_of(self.field.text())))
        hint = self.tr("Separate tags by spaces. In the search field of the conversations, tag:name finds them.")
        self.arrange(self.words(one_line(title), "muted"), self.field, self.words(hint, "caption"))
        self.field.setFocus()

    def _on_edited(self) -> None:
        word = self.field.text()[: self.field.cursorPosition()].replace(",", " ").rpartition(" ")[2]
        self._completer.setCompletionPrefix(word)
        if word and self._completer.currentCompletion().casefold() not in ("", word.casefold()):
            self._completer.complete()
        elif (popup := self._completer.popup()) is not None:
            popup.hide()

    def _complete(self, tag: str) -> None:
        at = self.field.cursorPosition()
        before = self.field.text()[:at].replace(",", " ").rpartition(" ")[0]
        self.field.setText(f"{before} {tag} {self.field.text()[at:].strip()}".lstrip())


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags in a text, each once."""
    return tuple(dict.fromkeys(text.replace(",", " ").split()))[:MOST_TAGS]


class ConversationsPanel(QWidget):
    """Shows summaries and emits requests; the list changes when the owner shows a new one."""

    new_requested = Signal()  # begin an empty conversation
    conversation_chosen = Signal(object, int)  # open the conversation with this id at this turn, 0 for its end
    rename_requested = Signal(object, str)  # a ConversationId and its new title
    pin_requested = Signal(object, bool)  # a ConversationId: keep it at the top (True), or no more
    archive_requested = Signal(object, bool)  # a ConversationId: move it out of the list (True), or back
    tags_requested = Signal(object, tuple)  # a ConversationId and its new tags
    export_requested = Signal(object)  # a ConversationId: write it to a file
    print_requested = Signal(object)  # a ConversationId
    search_requested = Signal(str)  # search all conversations for these words, and call `show_found`
    delete_requested = Signal(object)  # a ConversationId; hide it, the user can still undo
    delete_confirmed = Signal(object)  # a ConversationId whose undo has expired: erase it

    def __init__(self, now: Callable[[], datetime] = datetime.now, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Conversations"))
        self._current: ConversationId | None = None
        self._model = ConversationsModel(now, self)
        self._new = icons.IconButton("chat-add", self.tr("New conversation"), self)
        self._filter = FilterField(self.tr("Search conversations"), self)
        self._filter.setToolTip(self.tr("Words of titles, questions and answers; tag:name for a tag"))
        self._list = PanelList(self._model, self.tr("Conversations"), self)
        self._delegate = ConversationRows(self._list)
        self._list.setItemDelegate(self._delegate)
        self._empty = Label(parent=self)
        self._is_loading = True
        self._add_commands()
        self._arrange()
        self._connect()
        self._refresh()

    def show_conversations(self, conversations: Sequence[ConversationSummary], *, loading: bool = False) -> None:
        """Replace the list; the open conversation stays selected. While they are `loading` none is said to be there."""
        self._is_loading = loading
        self._model.show_conversations(conversations)
        self._refresh()

    def show_running(self, states: Mapping[ConversationId, RunStatus]) -> None:
        """Mark the conversations with a run in progress or queued."""
        self._model.show_running(states)

    def show_found(self, words: str, found: Sequence[FoundTurn]) -> None:
        """Show also the conversations whose questions and answers contain `words`."""
        self._model.show_found(words, found)
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

    @property
    def keys_everywhere(self) -> tuple[QAction, ...]:
        """Return the commands on the selected conversation whose keys work in the whole window."""
        return self._export, self._print

    @property
    def keys_in_answers(self) -> tuple[QAction, ...]:
        """Return the commands whose keys also work on the open conversation, where its questions and answers are."""
        return self._rename, self._tags, self._pin, self._archive

    def commands(self) -> tuple[CommandPart, ...]:
        """Return the commands for the selected conversation."""
        title, none = self.tr("On the selected conversation"), self.tr("No conversation is selected")
        shown = CommandPart(
            "shown",
            self.tr("Conversation"),
            self.keys_everywhere,
            everywhere=True,
            blocked=lambda: "" if self._chosen_or_open() else none,
        )
        return self._list.command_part("conversation", title, none), shown

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
        self._name_commands()
        has_rows = self._model.rowCount() > 0
        hidden = self._model.is_filtered()
        self._filter.setVisible(has_rows or hidden)
        self._list.setVisible(has_rows)
        self._empty.setVisible(not has_rows)
        kept = "" if self._is_loading else self.tr("Your questions are kept here")
        self._empty.setText(self.tr("No conversation has these words") if hidden else kept)

    def _add_commands(self) -> None:
        add = self._list.add_command
        self._pin = add(self.tr("Pin"), "Ctrl+Shift+T", self._on_pin_triggered)
        self._export = new_command(self, "export", self.tr("Export…"), "Ctrl+Shift+E", self._on_export_triggered)
        self._print = new_command(self, "print", self.tr("Print…"), "Ctrl+P", self._on_print_triggered)
        self._archive = add(self.tr("Archive"), "Ctrl+Shift+A", self._on_archive_triggered)
        self._rename = add(self.tr("Rename"), "F2", self._on_rename_triggered)
        self._tags = add(self.tr("Tags…"), "Ctrl+T", self._on_tags_triggered)
        for action in self.keys_in_answers:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._list.selectionModel().currentChanged.connect(self._name_commands)
        self._list.set_menu(
            (
                add(self.tr("Open"), "Return", self._on_open_triggered),
                self._rename,
                self._pin,
                self._archive,
                self._tags,
                None,
                *self.keys_everywhere,
                None,
                add(self.tr("Delete"), "Del", self._on_delete_triggered),
            )
        )

    def _arrange(self) -> None:
        title = Label(self.tr("Conversations"), self)
        set_role(title, "section")
        set_role(self._empty, "caption")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        in_column(
            in_row((title, 1), self._new, spacing=None, margins=(2 * GRID, GRID, GRID, 0)),
            in_row(self._filter, spacing=None, margins=(GRID + 4, 0, GRID + 4, 0)),
            (self._list, 1),
            (self._empty, 1),
            on=self,
            spacing=GRID // 2,
            margins=(0, 0, 0, GRID),
        )

    def _connect(self) -> None:
        self._new.clicked.connect(self.new_requested)
        self._filter.textChanged.connect(self._on_filter_changed)
        self._filter.returnPressed.connect(self._on_found_opened)
        self._delegate.group_clicked.connect(self._model.toggle_archive)
        self._delegate.row_clicked.connect(self._on_row_clicked)
        self._delegate.delete_clicked.connect(self._on_delete_clicked)
        self._model.rename_requested.connect(self.rename_requested)
        self._list.menu_closed.connect(self._on_menu_closed)

    def _chosen(self) -> ConversationSummary | None:
        return self._model.conversation(self._list.currentIndex().row())

    def _chosen_or_open(self) -> ConversationSummary | None:
        """Return the selected conversation, else the open one, which the archive or the filter may hide."""
        return self._chosen() or next((each for each in self.conversations() if each.id == self._current), None)

    def _on_filter_changed(self, words: str) -> None:
        self._model.filter(words)
        self._refresh()
        if words.strip():
            self.search_requested.emit(words)

    def _on_found_opened(self) -> None:
        """Open the first conversation found."""
        for row in range(self._model.rowCount()):
            if self._model.conversation(row):
                self._open(row)
                return

    def _on_menu_closed(self) -> None:
        """Select the open conversation again, unless the one under the pointer is being renamed."""
        if self._list.state() is not QAbstractItemView.State.EditingState:
            self._refresh()

    def _on_row_clicked(self, summary: ConversationSummary, turn: int) -> None:
        self.conversation_chosen.emit(summary.id, turn)

    def _on_open_triggered(self) -> None:
        if self._chosen():
            self._open(self._list.currentIndex().row())
        elif self._list.currentIndex().isValid():
            self._model.toggle_archive()

    def _open(self, row: int) -> None:
        if summary := self._model.conversation(row):
            self.conversation_chosen.emit(summary.id, self._model.index(row).data(TURN_ROLE))

    def _name_commands(self) -> None:
        chosen = self._chosen()
        for action in self.keys_everywhere:
            action.setEnabled(self._chosen_or_open() is not None)
        self._pin.setText(self.tr("Unpin") if chosen and chosen.pinned else self.tr("Pin"))
        self._archive.setText(self.tr("Back from the archive") if chosen and chosen.archived else self.tr("Archive"))

    def _on_pin_triggered(self) -> None:
        if summary := self._chosen():
            self.pin_requested.emit(summary.id, not summary.pinned)

    def _on_archive_triggered(self) -> None:
        if summary := self._chosen():
            self.archive_requested.emit(summary.id, not summary.archived)

    def _on_tags_triggered(self) -> None:
        if summary := self._chosen():
            known = {tag for other in self.conversations() for tag in other.tags}
            dialog = TagsDialog(summary.title, summary.tags, sorted(known, key=str.casefold), self.window())
            dialog.chosen.connect(partial(self.tags_requested.emit, summary.id))
            dialog.show()

    def _on_export_triggered(self) -> None:
        if summary := self._chosen_or_open():
            self.export_requested.emit(summary.id)

    def _on_print_triggered(self) -> None:
        if summary := self._chosen_or_open():
            self.print_requested.emit(summary.id)

    def _on_rename_triggered(self) -> None:
        if self._list.currentIndex().isValid():
            self._list.edit(self._list.currentIndex())

    def _on_delete_triggered(self) -> None:
        if summary := self._chosen():
            self.delete_requested.emit(summary.id)

    def _on_delete_clicked(self, summary: ConversationSummary) -> None:
        self.delete_requested.emit(summary.id)


# Connects the list of conversations with the store: names, order, marks, search.


class ConversationList(QObject):
    """Shows the stored conversations in the panel, and carries out what the user does to them there."""

    def __init__(
        self, panel: ConversationsPanel, repository: ConversationRepository, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._panel = panel
        self._repository = repository
        self._attached = False
        self._shown: ConversationId | None = None
        self._unread: set[ConversationId] = set()

    def attach(self) -> None:
        """Take over the panel."""
        self._attached = True
        for signal, slot in self._connections():
            signal.connect(slot)

    def detach(self) -> None:
        """Leave the panel, emptied, to another library."""
        self._attached = False
        for signal, slot in self._connections():
            signal.disconnect(slot)
        self._panel.show_conversations((), loading=True)
        self._panel.show_running({})

    def refresh(self) -> None:
        """List the stored conversations as they are now."""
        self._repository.run(lambda store, _: store.summaries(), self._on_listed)

    def show_runs(self, runs: Iterable[RunInProgress]) -> None:
        """Mark the conversations of runs that are in progress or queued."""
        if self._attached:
            states = {run.conversation: RunStatus.RUNNING if run.started_ns else RunStatus.QUEUED for run in runs}
            self._panel.show_running({number: state for number, state in states.items() if number is not None})

    def set_current(self, conversation: ConversationId | None) -> None:
        """Select the conversation that is shown; it counts as read."""
        self._shown = conversation
        if self._attached:
            self._panel.set_current(conversation)
        if conversation is not None and conversation in self._unread:
            self._unread.discard(conversation)
            self._repository.run(lambda store, _: store.mark_unread(conversation, unread=False))
            self.refresh()

    def mark_unread(self, conversation: ConversationId | None) -> None:
        """Mark a conversation whose run ended out of sight."""
        if conversation is not None:
            self._unread.add(conversation)
            self._repository.run(lambda store, _: store.mark_unread(conversation, unread=True))
            self.refresh()

    def _connections(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        panel = self._panel
        return (
            (panel.rename_requested, self._on_rename),
            (panel.pin_requested, self._on_pin),
            (panel.archive_requested, self._on_archive),
            (panel.tags_requested, self._on_tags),
            (panel.search_requested, self._on_search),
        )

    def _on_listed(self, summaries: tuple[ConversationSummary, ...]) -> None:
        self._unread = {summary.id for summary in summaries if summary.unread}
        if self._attached:
            self._panel.show_conversations(summaries)
            self._panel.set_current(self._shown)

    @Slot(object, str)
    def _on_rename(self, conversation: ConversationId, title: str) -> None:
        self._repository.run(lambda store, _: store.rename(conversation, title))
        self.refresh()

    @Slot(object, bool)
    def _on_pin(self, conversation: ConversationId, pinned: bool) -> None:  # noqa: FBT001 - a slot
        self._repository.run(lambda store, _: store.pin(conversation, pinned=pinned))
        self.refresh()

    @Slot(object, bool)
    def _on_archive(self, conversation: ConversationId, archived: bool) -> None:  # noqa: FBT001 - a slot
        self._repository.run(lambda store, _: store.archive(conversation, archived=archived))
        self.refresh()

    @Slot(object, tuple)
    def _on_tags(self, conversation: ConversationId, tags: tuple[str, ...]) -> None:
        self._repository.run(lambda store, _: store.tag(conversation, tags))
        self.refresh()

    @Slot(str)
    def _on_search(self, query: str) -> None:
        def show(found: tuple[FoundTurn, ...]) -> None:
            if self._attached:
                self._panel.show_found(query, found)

        self._repository.run(lambda store, _: store.search(tags_in(query)[0]), show)
