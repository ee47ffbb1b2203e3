"""The files of a folder that are not searchable, each with its reason."""

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.formatting import number, tool_tip
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import FilterField, close_button
from desktop_rag.index.indexer_api import FolderStatus, Problem, Problems
from desktop_rag.index.records import FileState
from desktop_rag.text.display import one_line, shown_name, shown_path

_ROOT = QModelIndex()
_WORDS_ROLE = Qt.ItemDataRole.UserRole + 1


class ProblemsModel(QAbstractTableModel):
    """Two columns: the file, and the reason."""

    def __init__(self, problems: tuple[Problem, ...], root: bytes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems = problems
        self._root = root

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Return the number of files."""
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Return 2: file and reason."""
        return 0 if parent.isValid() else 2

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        """Return the column titles."""
        if orientation is Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.tr("Reason") if section else self.tr("File")

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        """Return a file's path below its folder, or its reason."""
        problem = self._problems[index.row()]
        path = shown_path(problem.path.removeprefix(self._root).lstrip(b"/\\")) or shown_name(problem.path)
        reason = one_line(problem.reason)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return reason if index.column() else path
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(f"{shown_path(problem.path)}\n{reason}")
            case _:
                return f"{path} – {reason}" if role == _WORDS_ROLE else None


class ProblemsDialog(BoundedDialog):
    """Lists problems, with a filter, copy, and retry."""

    rescan_requested = Signal(object)  # the FolderId to scan again
    retry_requested = Signal(object)  # the paths (bytes) of files to read again, quarantined or not
    why_requested = Signal(object)  # the path (bytes) of a file: explain why it is not found

    def __init__(self, status: FolderStatus, problems: Problems, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Files left out of “{0}”").format(shown_name(status.path)))
        self.resize(760, 480)
        self._folder = status.folder
        self._problems = problems.problems
        self._rows = QSortFilterProxyModel(self)
        self._rows.setSourceModel(ProblemsModel(problems.problems, status.path, self))
        self._rows.setFilterRole(_WORDS_ROLE)
        self._rows.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._filter = FilterField(self.tr("Filter by name or reason"), self)
        self._table = self._make_table()
        self._arrange(problems)
        self._filter.textChanged.connect(self._rows.setFilterFixedString)

    def _make_table(self) -> QTableView:
        table = QTableView(self)
        set_role(table, "box")
        table.setModel(self._rows)
        table.setAccessibleName(self.tr("Files left out and why"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(True)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        header.setHighlightSections(False)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(0, 300)
        return table

    def _arrange(self, problems: Problems) -> None:
        shown = len(problems.problems)
        message = self.tr("These files were not read, or only in part. Repair or replace them, then check again.")
        if shown < problems.total:
            message += " " + self.tr("The newest {0} of {1} are shown.").format(number(shown), number(problems.total))
        intro = QLabel(message, self)
        set_role(intro, "muted")
        intro.setWordWrap(True)
        copy = QPushButton(self.tr("Copy list"), self)
        self._retry = QPushButton(self.tr("Try again"), self)
        self._retry.setToolTip(self.tr("Read the selected files again, including quarantined ones"))
        self._retry.setEnabled(False)
        self._why = QPushButton(self.tr("Why?"), self)
        self._why.setToolTip(self.tr("Explain why the selected file is not found"))
        self._why.setEnabled(False)
        rescan = QPushButton(self.tr("Check again"), self)
        close = close_button(self, self.tr("Close"))
        copy.clicked.connect(self._on_copy_clicked)
        rescan.clicked.connect(self._on_rescan_clicked)
        self._retry.clicked.connect(self._on_retry_clicked)
        self._why.clicked.connect(self._on_why_clicked)
        self._table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(copy)
        buttons.addWidget(self._why)
        buttons.addStretch(1)
        buttons.addWidget(self._retry)
        buttons.addWidget(rescan)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID + 4)
        for widget in (intro, self._filter, self._table):
            layout.addWidget(widget)
        layout.addLayout(buttons)

    def _on_copy_clicked(self) -> None:
        rows = range(self._rows.rowCount())
        lines = [str(self._rows.index(row, 0).data(_WORDS_ROLE)) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _on_selection_changed(self) -> None:
        self._retry.setEnabled(bool(self._selected()))
        self._why.setEnabled(bool(self._chosen()))

    def _on_why_clicked(self) -> None:
        chosen = self._chosen()
        if chosen:
            self.accept()
            self.why_requested.emit(chosen[0].path)

    def _on_retry_clicked(self) -> None:
        self.retry_requested.emit(self._selected())
        self.accept()

    def _selected(self) -> tuple[bytes, ...]:
        """Return the selected files that can be retried; skipped files were never opened."""
        return tuple(problem.path for problem in self._chosen() if problem.state is not FileState.SKIPPED)

    def _chosen(self) -> list[Problem]:
        rows = sorted({index.row() for index in self._table.selectionModel().selectedIndexes()})
        return [self._problems[self._rows.mapToSource(self._rows.index(row, 0)).row()] for row in rows]

    def _on_rescan_clicked(self) -> None:
        self.rescan_requested.emit(self._folder)
        self.accept()
