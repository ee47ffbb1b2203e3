"""Chooses the model file that this program runs itself: those that other programs keep here, or any other."""

import os
from collections.abc import Generator
from pathlib import Path

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFileDialog,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.theme.theme import current_colors, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import CommandRow
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import DIALOG, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel
from desktop_rag.llm.local_model.local_server import file_profile, install_command, is_available, listed_files
from desktop_rag.llm.local_model.server_child import ListedModelFile
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable

_MODEL, _PROGRAM, _KIND, _SIZE, _CONTEXT, _FITS = range(6)
_FILE = Qt.ItemDataRole.UserRole


class ModelFilesDialog(BoundedDialog):
    """Lists model files as a process of its own finds them, with what they need; `chosen` gives the profile."""

    chosen = Signal(Profile)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found = 0
        self._program = ""  # the llama-server that was chosen
        self._installing: QWidget | None = None
        self._worker: StreamWorker[ListedModelFile] = StreamWorker("model files", self.add_file, self)
        self._list = QTreeWidget(self)
        self._state = NoteLabel("muted", self)
        self._browse = QPushButton(self.tr("Choose a file…"), self)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._use = QPushButton(self.tr("Use this model"), self)
        self.setWindowTitle(self.tr("Run a model on this computer"))
        self.resize(940, 460)
        self._set_up()
        self._arrange()
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self._on_failed)
        self._list.itemSelectionChanged.connect(self._on_selected)
        self._list.itemActivated.connect(self._on_use_clicked)
        self._browse.clicked.connect(self._on_browse_clicked)
        self._cancel.clicked.connect(self.reject)
        self._use.clicked.connect(self._on_use_clicked)

    def start(self) -> None:
        """Look for model files in the folders of other programs."""
        self._state.setText(self.tr("Looking for the models of LM Studio, Ollama, Jan, GPT4All and llama.cpp…"))
        self._worker.start(listed_files)

    def add_file(self, file: ListedModelFile) -> None:
        """Add a row; a file that cannot run is shown with the reason."""
        self._found += 1
        item = QTreeWidgetItem(self._texts(file))
        item.setData(_MODEL, _FILE, file)
        path = printable(os.fspath(file.path))
        for column in range(_FITS + 1):
            item.setToolTip(column, tool_tip("\n".join(filter(None, (path, sentence(file.problem))))))
        for column in (_SIZE, _CONTEXT):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if file.problem:
            item.setDisabled(True)
            for column in range(_FITS + 1):
                item.setForeground(column, QColor(current_colors().muted))
        self._list.addTopLevelItem(item)
        if not file.program:
            self._list.setCurrentItem(item)
            self._list.scrollToItem(item)
            if file.problem:
                self._state.setText(sentence(file.problem))

    def done(self, result: int) -> None:
        """Stop and close."""
        self._worker.close()
        super().done(result)

    def _texts(self, file: ListedModelFile) -> list[str]:
        size = QLocale().formattedDataSize(file.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat) if file.size else ""
        context = number(file.trained_context) if file.trained_context else ""
        if not file.problem:
            fits = counted(self.tr("Fits: %Ln token(s)", "", file.window), file.window)
        elif file.needed:
            needed = QLocale().formattedDataSize(file.needed, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
            fits = self.tr("Too big: needs {0}").format(needed)
        else:
            fits = self.tr("Damaged")
        program = file.program or self.tr("Chosen file")
        return [one_line(printable(file.name)), program, file.quantisation, size, context, fits]

    def _set_up(self) -> None:
        header = (
            self.tr("Model"),
            self.tr("Kept by"),
            self.tr("Quantisation"),
            self.tr("Size"),
            self.tr("Context"),
            self.tr("Memory"),
        )
        self._list.setHeaderLabels(header)
        self._list.setRootIsDecorated(False)
        self._list.setAllColumnsShowFocus(True)
        self._list.setUniformRowHeights(True)
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.setObjectName("model_files")
        self._list.setAccessibleName(self.tr("Model files"))
        columns = self._list.header()
        columns.setStretchLastSection(False)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        columns.setSectionResizeMode(_MODEL, QHeaderView.ResizeMode.Stretch)
        set_role(self._list, "box")
        set_role(self._use, "primary")
        self._use.setEnabled(False)

    def _arrange(self) -> None:
        about = self.tr(
            "A model file (GGUF) answers without a server: it runs in a process of this program, and nothing leaves "
            "this computer."
        )
        buttons = in_row(self._browse, STRETCH, self._cancel, self._use)
        layout = in_column(PlainLabel(about, "muted", self), on=self, margins=DIALOG)
        if not is_available():
            self._installing = self._installation()
            layout.addWidget(self._installing)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._state)
        layout.addLayout(buttons)

    def _installation(self) -> QWidget:
        """Return what to do where llama.cpp is missing: the command that installs it, or a choice of its program."""
        box = QWidget(self)
        text = self.tr(
            "Models are run by llama.cpp, which was not found on this computer. Install it with this command and open "
            "this window again, or choose its program llama-server."
        )
        choose = QPushButton(self.tr("Choose llama-server…"), box)
        choose.clicked.connect(self._on_choose_program_clicked)
        row = CommandRow(install_command(), box)
        row.addWidget(choose)
        in_column(PlainLabel(text, "trouble", box), row, on=box)
        return box

    def _can_run(self) -> bool:
        """Return whether something is here that runs a model: llama.cpp, or its program that was chosen."""
        return self._installing is None or bool(self._program)

    def _selected(self) -> ListedModelFile | None:
        items = self._list.selectedItems()
        file = items[0].data(_MODEL, _FILE) if items else None
        return file if isinstance(file, ListedModelFile) and not file.problem else None

    @Slot()
    def _on_selected(self) -> None:
        self._use.setEnabled(self._selected() is not None and self._can_run())

    @Slot()
    def _on_use_clicked(self) -> None:
        file = self._selected()
        if file is not None and self._can_run():
            name = self.tr("On this computer")
            self.chosen.emit(file_profile(file.path, name, file.name, file.window, self._program))
            self.accept()

    @Slot()
    def _on_browse_clicked(self) -> None:
        dialog = self._file_dialog(self.tr("A model file"))
        dialog.setNameFilter(self.tr("Model files (*.gguf)"))
        dialog.fileSelected.connect(self.describe)
        dialog.open()

    @Slot()
    def _on_choose_program_clicked(self) -> None:
        dialog = self._file_dialog(self.tr("The program llama-server"))
        dialog.fileSelected.connect(self.use_program)
        dialog.open()

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = FileDialog(self, title, os.fspath(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        return dialog

    @Slot(str)
    def use_program(self, path: str) -> None:
        """Run the model with the `llama-server` at `path`."""
        if not os.access(path, os.X_OK):
            self._state.setText(self.tr("{0} is not a program.").format(one_line(printable(Path(path).name))))
            return
        self._program = path
        self._on_selected()
        if self._installing is not None:
            self._installing.hide()
        self._state.setText(self.tr("Models run with {0}").format(printable(path)))

    @Slot(str)
    def describe(self, path: str) -> None:
        """Read the header of the file at `path`, in the other process, and add it to the list."""

        def work(stop: Stop) -> Generator[ListedModelFile]:
            yield from listed_files(stop, Path(path))

        self._state.setText(self.tr("Reading the file…"))
        self._worker.start(work)

    @Slot()
    def _on_finished(self) -> None:
        if self._worker.is_running():
            return
        selected = self._list.selectedItems()
        file = selected[0].data(_MODEL, _FILE) if selected else None
        if isinstance(file, ListedModelFile) and file.problem:
            return
        if not selected:
            self._select_first()
        found = counted(self.tr("%Ln model file(s) found", "", self._found), self._found)
        nothing = self.tr("No model file was found. Download one with LM Studio or Ollama, or choose a file.")
        self._state.setText(found if self._found else nothing)

    def _select_first(self) -> None:
        """Select the first file that can run: a list with the keyboard in it looks as if it were selected."""
        items = (self._list.topLevelItem(row) for row in range(self._list.topLevelItemCount()))
        if first := next((item for item in items if item is not None and not item.isDisabled()), None):
            self._list.setCurrentItem(first)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        self._state.setText(sentence(str(error)) if isinstance(error, DesktopRagError) else str(error))
