"""Explains how to install OCR so that the text in scans and pictures becomes searchable."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.plain_labels import PlainLabel

_WIDTH = 460


class ScansDialog(QDialog):
    """Names the OCR programs and how to install them on each system."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Text in scans and pictures"))
        self.setFixedWidth(_WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        for text, role in self._words():
            label = PlainLabel(text, role, self)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignRight)

    def _words(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.windowTitle(), "heading"),
            (
                self.tr("They are read by Tesseract, a free program that runs only on this computer. Install it:"),
                "",
            ),
            (self.tr("Linux: the package tesseract-ocr, and one per language, such as tesseract-ocr-deu"), ""),
            ("macOS: brew install tesseract tesseract-lang", ""),
            ("Windows: winget install UB-Mannheim.TesseractOCR", ""),
            (self.tr("Or, if this program runs from a Python environment: pip install rapidocr"), ""),
            (
                self.tr(
                    "It is found by itself when the window is opened the next time, and then reads the waiting pages "
                    "in the background. Nothing has to be added again."
                ),
                "muted",
            ),
        )
