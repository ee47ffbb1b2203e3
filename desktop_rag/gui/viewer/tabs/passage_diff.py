"""The word diff of a cited passage: removed words struck through, added ones highlighted."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.viewer.viewer_events import DiffPiece, WordChange

_ROWS = 8
_MARGIN = 10


class PassageDiff(QTextEdit):
    """A read-only text as high as its content, up to a maximum; nothing in it is interactive."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pieces: tuple[DiffPiece, ...] = ()
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(_MARGIN)
        self.setFont(text_font())

    def show_pieces(self, pieces: Sequence[DiffPiece]) -> None:
        """Show the pieces of a diff."""
        self._pieces = tuple(pieces)
        self._write()
        gone, new = self._words(WordChange.GONE), self._words(WordChange.NEW)
        said = (
            self.tr("Removed: {words}.").format(words=gone) if gone else "",
            self.tr("Added: {words}.").format(words=new) if new else "",
        )
        self.setAccessibleName(" ".join(filter(None, said)) or self.tr("The passage has not changed."))
        self._fit()

    def _words(self, change: WordChange) -> str:
        return " … ".join(piece.text.strip() for piece in self._pieces if piece.change is change)

    def _write(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        for piece in self._pieces:
            text = piece.text.rstrip()
            cursor.insertText(text, _format(piece.change))
            cursor.insertText(piece.text[len(text) :], _format(WordChange.SAME))

    def _fit(self) -> None:
        rows = _ROWS * self.fontMetrics().lineSpacing() + 2 * _MARGIN
        self.setFixedHeight(min(rows, round(self.document().size().height()) + 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the text at the new width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Write the text again in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_pieces"):
            self._write()


def _format(change: WordChange) -> QTextCharFormat:
    colors = current_colors()
    form = QTextCharFormat()
    form.setForeground(QColor(colors.text))
    if change is WordChange.GONE:
        form.setForeground(QColor(colors.danger))
        form.setBackground(QColor(colors.danger_soft))
        form.setFontStrikeOut(True)
    elif change is WordChange.NEW:
        form.setForeground(QColor(colors.success))
        form.setBackground(QColor(colors.success_soft))
    return form
