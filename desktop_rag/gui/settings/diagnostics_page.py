"""The settings page for finding faults: versions, the state of the index, a check of it, the log, a report to copy."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from desktop_rag.gui.files.file_wording import left_out_text
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.settings.diagnostics import Installation, LogLine, report
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID, mono_font, set_role
from desktop_rag.index.indexer_api import LibraryStatus, PartCheck
from desktop_rag.index.records import FolderState
from desktop_rag.settings import Settings
from desktop_rag.text.display import shown_path

_LEVELS = ("INFO", "WARNING", "ERROR")
_FROM = {"INFO": ("INFO", "WARNING", "ERROR", "CRITICAL"), "WARNING": ("WARNING", "ERROR", "CRITICAL")}
_ALARMING = ("ERROR", "CRITICAL")


class DiagnosticsPage(ScrolledPage):
    """Shows what was collected in the background; the check runs in the indexer's process."""

    refresh_requested = Signal()  # read versions, sizes and logs again
    check_requested = Signal()  # check the library
    check_stopped = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._known: Installation | None = None
        self._status: LibraryStatus | None = None
        self._checking = False
        self._parts: list[PartCheck] = []
        self.add_heading(self.tr("State of the library"))
        self._health = self.add_words()
        self._checked = self.add_words()
        self._check = QPushButton(self.tr("Check now"), self.inside)
        self._check.setAccessibleDescription(self.tr("Compare every part of the library with what was stored"))
        self.column.addLayout(self._row(self._check, None))
        self.add_heading(self.tr("Log"))
        self._level = QComboBox(self.inside)
        self._level.setAccessibleName(self.tr("Lines of the log"))
        for name, level in zip((self.tr("All"), self.tr("Warnings"), self.tr("Errors")), _LEVELS, strict=True):
            self._level.addItem(name, level)
        self._refresh = QPushButton(self.tr("Read again"), self.inside)
        self._copy = QPushButton(self.tr("Copy a report"), self.inside)
        self._copy.setEnabled(False)
        self.column.addLayout(self._row(self._level, self._refresh))
        self._log = QPlainTextEdit(self.inside)
        self._log.setReadOnly(True)
        self._log.setAccessibleName(self.tr("Log"))
        self._log.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._log.setFont(mono_font(-1))
        self._log.setMinimumHeight(20 * GRID)
        self._log.setTabChangesFocus(True)
        set_role(self._log, "field")
        self.column.addWidget(self._log, 1)
        about = self.tr(
            "The report names no folder, document, person, computer or model, and has no message of the log."
        )
        self._about = self.add_words(about)
        self.column.addLayout(self._row(self._copy, None))
        self.add_heading(self.tr("Versions and places"))
        self._versions = self.add_words(self.tr("They are being collected …"))
        self._check.clicked.connect(self._on_check_clicked)
        self._refresh.clicked.connect(self.refresh_requested)
        self._level.currentIndexChanged.connect(self._show_log)
        self._copy.clicked.connect(self._on_copy_clicked)

    def report(self) -> str:
        """Return the text to copy; empty until everything is known."""
        return report(self._known, self._settings, self._status) if self._known and self._status else ""

    def show_installation(self, known: Installation) -> None:
        """Show versions, places and the log."""
        self._known = known
        names = {"data": self.tr("Data folder"), "log": self.tr("Log")}
        said = {"System": self.tr("System"), "Processors": self.tr("Processors")}
        places = [self.tr("{0}: {1}").format(names.get(n, n), shown_path(bytes(path))) for n, path in known.places]
        self._versions.setText(
            "\n".join([" · ".join(f"{said.get(name, name)} {value}" for name, value in known.versions), *places])
        )
        self._show_log()
        self._copy.setEnabled(self._status is not None)

    def show_health(self, status: LibraryStatus) -> None:
        """Show the counts of the library."""
        self._status = status
        folders = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
        found = sum(folder.found for folder in folders)
        pictures = sum(folder.pictures for folder in folders)
        lines = [
            counted(self.tr("%Ln file(s) found", "", found), found),
            self.tr("{0} searchable by words").format(number(sum(folder.searchable for folder in folders))),
            self.tr("{0} by meaning").format(number(sum(folder.ready for folder in folders))),
            left_out_text(sum(folder.failed + folder.skipped for folder in folders), pictures),
        ]
        self._health.setText("\n".join(filter(None, [" · ".join(filter(None, lines)), status.trouble])))
        self._copy.setEnabled(self._known is not None)

    def show_part(self, part: PartCheck) -> None:
        """Show the result for one more part of the library."""
        self._parts.append(part)
        if self._checking:
            self._checked.setText(self.tr("Checked: {0}").format(self._names(self._parts)))

    def end_check(self, error: str = "") -> None:
        """Show the outcome of the check, or why it could not be finished."""
        if not self._checking:
            return
        self._checking = False
        self._check.setText(self.tr("Check now"))
        damaged = [part for part in self._parts if not part.holds]
        if error:
            self._say(error, trouble=True)
        elif damaged:
            repaired = self.tr("Damaged: {0}. It is being repaired in the background, from what is stored.")
            self._say(repaired.format(self._names(damaged)), trouble=True)
        elif self._parts:
            self._say(self.tr("Everything is as it was stored: {0}.").format(self._names(self._parts)))
        else:
            self._say(self.tr("The check was stopped."))

    def _say(self, text: str, *, trouble: bool = False) -> None:
        set_role(self._checked, "trouble" if trouble else "muted")
        self._checked.setText(text)

    def _names(self, parts: Sequence[PartCheck]) -> str:
        names = {
            "I0": self.tr("database"),
            "I2": self.tr("texts"),
            "I3": self.tr("keyword index"),
            "I4": self.tr("list of vectors"),
            "I5": self.tr("vectors"),
            "I6": self.tr("state of the copies"),
        }
        return ", ".join(names.get(part.invariant, part.invariant) for part in parts)

    def _row(self, first: QWidget, second: QWidget | None) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(first)
        if second is not None:
            row.addWidget(second)
        row.addStretch(1)
        return row

    def _on_check_clicked(self) -> None:
        if self._checking:
            self._parts = []
            self.check_stopped.emit()
            self.end_check()
            return
        self._checking, self._parts = True, []
        self._check.setText(self.tr("Stop"))
        self._say(self.tr("The library is being checked …"))
        self.check_requested.emit()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.report())
        self._about.setText(self.tr("The report is on the clipboard."))

    def _show_log(self) -> None:
        level = str(self._level.currentData())
        wanted = _FROM.get(level, _ALARMING)
        lines: tuple[LogLine, ...] = self._known.log if self._known is not None else ()
        shown = [line.text for line in lines if line.level in wanted]
        self._log.setPlainText("\n".join(shown) or self.tr("Nothing of this kind was logged."))
        self._log.verticalScrollBar().setValue(self._log.verticalScrollBar().maximum())
