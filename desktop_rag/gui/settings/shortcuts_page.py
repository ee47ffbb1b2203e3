"""The page of the settings with the keys of every command."""

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QKeySequenceEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_rag.gui.command_parts import Commands, plain_text, shown_keys, stored_keys
from desktop_rag.gui.theme.theme import GRID, is_compact, set_role, text_font
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import Settings

_KEY_ROLE = Qt.ItemDataRole.UserRole.value + 1


class _RoomyRows(QStyledItemDelegate):
    """Gives the rows some air."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index) + QSize(0, 0 if is_compact() else GRID)


class ShortcutsPage(QWidget):
    """A tree of the commands by part; below it a field that records the keys of the selected one."""

    def __init__(self, settings: Settings, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commands, changed = commands, settings.shortcuts
        self._unknown = {key: keys for key, keys in changed.items() if key not in commands.defaults}
        self._chosen = {key: changed.get(key, keys) for key, keys in commands.defaults.items()}
        self._rows: dict[str, QTreeWidgetItem] = {}
        self._heads: list[QTreeWidgetItem] = []
        self._filter = FilterField(self.tr("Filter by name or keys"), self)
        self._tree = QTreeWidget(self)
        self._tree.setAccessibleName(self.tr("Commands"))
        self._tree.setRootIsDecorated(False)
        self._tree.setUniformRowHeights(True)
        self._tree.setIndentation(2 * GRID)
        self._tree.setHeaderHidden(True)
        self._tree.setColumnCount(2)
        self._tree.setItemDelegate(_RoomyRows(self._tree))
        self._field = QKeySequenceEdit(self)
        self._field.setMaximumSequenceLength(2)
        self._field.setAccessibleName(self.tr("Keys"))
        self._clear = QPushButton(self.tr("No keys"), self)
        self._reset = QPushButton(self.tr("Reset"), self)
        self._reset_all = QPushButton(self.tr("Reset all"), self)
        self._said = PlainLabel("", "caption", self)
        self._said.setAccessibleName(self.tr("Conflicts"))
        self._arrange()
        self._fill()
        self._filter.textChanged.connect(self._on_filtered)
        self._tree.currentItemChanged.connect(self._on_selected)
        self._field.keySequenceChanged.connect(self._on_recorded)
        self._clear.clicked.connect(self._field.clear)
        self._reset.clicked.connect(self._on_reset)
        self._reset_all.clicked.connect(self._on_reset_all)
        self._on_selected()

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the keys that differ from the default ones."""
        defaults = self._commands.defaults
        changed = {key: keys for key, keys in self._chosen.items() if keys != defaults[key]}
        return replace(settings, shortcuts=self._unknown | changed)

    def _arrange(self) -> None:
        set_role(self._tree, "box")
        header = self._tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        in_column(
            self._filter,
            (self._tree, 1),
            self._said,
            self._field,
            in_row(*(self._clear, self._reset, self._reset_all), STRETCH),
            on=self,
            margins=(0, 2 * GRID, 0, 0),
        )

    def _fill(self) -> None:
        for part in self._commands.parts:
            if not part.actions:
                continue
            head = QTreeWidgetItem(self._tree, [part.title])
            self._heads.append(head)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            head.setFont(0, text_font(-1, QFont.Weight.DemiBold))
            for action in part.actions:
                if "\t" in action.text():  # cut, copy, paste: fields handle these keys themselves
                    continue
                key = part.key_of(action)
                row = self._rows[key] = QTreeWidgetItem(head, [plain_text(action)])
                row.setData(0, _KEY_ROLE, key)
        self._tree.expandAll()
        self._show_keys()

    def _show_keys(self) -> None:
        for key, row in self._rows.items():
            row.setText(1, shown_keys(QKeySequence.fromString(self._chosen[key])))
            font = row.font(1)
            font.setBold(self._chosen[key] != self._commands.defaults[key])
            row.setFont(1, font)

    def _current(self) -> str:
        item = self._tree.currentItem()
        return str(item.data(0, _KEY_ROLE) or "") if item is not None else ""

    @Slot()
    def _on_selected(self) -> None:
        key = self._current()
        for widget in (self._field, self._clear, self._reset):
            widget.setEnabled(bool(key))
        with QSignalBlocker(self._field):
            self._field.setKeySequence(QKeySequence.fromString(self._chosen.get(key, "")))
        self._show_conflicts()

    @Slot(QKeySequence)
    def _on_recorded(self, keys: QKeySequence) -> None:
        if key := self._current():
            self._chosen[key] = stored_keys(keys)
            self._show_keys()
            self._show_conflicts()

    @Slot()
    def _on_reset(self) -> None:
        if key := self._current():
            self._field.setKeySequence(QKeySequence.fromString(self._commands.defaults[key]))

    @Slot()
    def _on_reset_all(self) -> None:
        self._unknown = {}
        self._chosen = dict(self._commands.defaults)
        self._show_keys()
        self._on_selected()

    def _show_conflicts(self) -> None:
        key = self._current()
        if not key:
            self._said.setText(self.tr("Select a command, then press its new keys in the field below."))
            return
        names = [plain_text(action) for action in self._commands.conflicts(self._chosen, key)]
        taken = self.tr("These keys also belong to: {0}. Neither works until you change one.").format(", ".join(names))
        self._said.setText(taken if names else self.tr("Press the new keys in the field below."))

    @Slot(str)
    def _on_filtered(self, text: str) -> None:
        words = text.casefold().split()
        shown = set()
        for row in self._rows.values():
            said = f"{row.text(0)} {row.text(1)}".casefold()
            row.setHidden(not all(word in said for word in words))
            if not row.isHidden():
                shown.add(row.parent())
        for head in self._heads:
            head.setHidden(head not in shown)
