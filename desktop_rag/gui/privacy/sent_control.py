"""Serves the dialog about what was sent: reads, exports and erases the privacy ledger in the background."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.agent.gate.sent_ledger import SentLedger, SentRow
    from desktop_rag.gui.privacy.sent_dialog import SentDialog

Rows = tuple["SentRow", ...]


class SentControl(QObject):
    """Opens the dialog; one at a time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialog: SentDialog | None = None
        self._words = ""
        self._reader: StreamWorker[Rows] = StreamWorker("sent", self._on_rows, self)
        self._reader.failed.connect(self._on_failed)

    def open(self, window: QWidget) -> None:
        """Show the dialog over `window`."""
        from desktop_rag.gui.privacy.sent_dialog import SentDialog

        self._dialog = dialog = SentDialog(window)
        self._words = ""
        dialog.search_requested.connect(self._on_search)
        dialog.export_requested.connect(self._on_export)
        dialog.clear_requested.connect(self._on_clear)
        dialog.destroyed.connect(self._on_destroyed)
        dialog.search()
        dialog.open()

    def close(self) -> None:
        """Stop the work and wait for it."""
        self._reader.close()

    def _read(self, work: "Callable[[SentLedger], object]") -> None:
        words = self._words

        def read(stop: Stop) -> Generator[Rows]:
            from desktop_rag.agent.gate.sent_ledger import SentLedger
            from desktop_rag.gui.privacy.sent_dialog import MOST_SHOWN

            ledger = SentLedger()
            work(ledger)
            stop.check()
            yield ledger.rows(words, most=MOST_SHOWN + 1)

        self._reader.start(read)

    @Slot(str)
    def _on_search(self, words: str) -> None:
        self._words = words
        self._read(lambda _: None)

    @Slot(object)
    def _on_export(self, path: Path) -> None:
        words = self._words

        def export(ledger: "SentLedger") -> None:
            from desktop_rag.agent.gate.sent_ledger import as_csv, as_json
            from desktop_rag.paths import write_durably

            rows = ledger.rows(words)
            text = as_json(rows) if path.suffix.lower() == ".json" else as_csv(rows)
            write_durably(path, text.encode("utf-8", "replace"))

        self._read(export)

    @Slot()
    def _on_clear(self) -> None:
        from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog

        if self._dialog is None:
            return
        question = QuestionDialog(
            self.tr("Erase the record of what was sent?"),
            self.tr("It is overwritten on the disk. This cannot be undone. What was sent stays sent."),
            self.tr("Erase"),
            self._dialog,
        )
        question.accepted.connect(lambda: self._read(lambda ledger: ledger.clear()))
        question.open()

    def _on_rows(self, rows: Rows) -> None:
        if self._dialog is not None:
            self._dialog.show_rows(rows)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        from desktop_rag.errors import DesktopRagError

        if self._dialog is not None:
            self._dialog.show_note(sentence(error) if isinstance(error, DesktopRagError) else str(error))

    @Slot()
    def _on_destroyed(self) -> None:
        self._dialog = None
        self._reader.stop()
