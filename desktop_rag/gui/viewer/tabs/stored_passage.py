"""The cited passage as it was stored with the answer, and its word diff with the current text."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QTextEdit, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import current_colors, set_role, text_font
from desktop_rag.gui.viewer.document_loading import truncate_line
from desktop_rag.gui.viewer.target import Target
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.viewer.text.line_highlights import LineHighlights
from desktop_rag.gui.viewer.viewer_events import DiffPiece, PassageCompared, WordChange
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.locate import mark_quote

_PASSAGE_ROWS = 7
_DIFF_ROWS = 8
_MARGIN = 10


class StoredPassage(QFrame):
    """The cited lines as they were stored with the answer, or their diff with the current text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caption = PlainLabel(self.tr("The passage as it was then"), "section", self)
        self._switch = QPushButton(self)
        self._diff = PassageDiff(self)
        self._lines = LineEditor(self)
        self._highlights = LineHighlights(self._lines)
        self._lines.setAccessibleName(self.tr("The passage as it was then"))
        self._lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lines.menu_requested.connect(self._on_menu_requested)
        set_role(self, "card")
        set_role(self._switch, "link")
        self._switch.clicked.connect(self._on_switched)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 6, 1, 4)
        column.setSpacing(2)
        caption = QHBoxLayout()
        caption.setContentsMargins(10, 0, 10, 0)
        caption.addWidget(self._caption, 1)
        caption.addWidget(self._switch)
        column.addLayout(caption)
        column.addWidget(self._diff)
        column.addWidget(self._lines)
        self._switch.hide()
        self._show_diff(shown=False)

    def show_target(self, target: Target) -> None:
        """Show the stored passage of `target` with its cited lines highlighted."""
        self._switch.hide()
        self._show_diff(shown=False)
        first = max(1, target.passage_first_line)
        lines = tuple(truncate_line(line) for line in target.passage.split("\n"))
        self._lines.set_total(first + len(lines) - 1)
        self._lines.set_lines(first, lines)
        self._lines.set_cited(target.first_line, target.last_line)
        cited = lines[max(0, target.first_line - first) : target.last_line - first + 1]
        self._highlights.set_quote(mark_quote(target.quote, dict(enumerate(cited, max(first, target.first_line)))))
        self.show()
        self._fit()
        self._lines.scroll_to(max(first, min(target.first_line - 2, first + len(lines) - 1)))

    def show_changes(self, compared: PassageCompared) -> None:
        """Show the diff of the cited lines; a button switches to the stored passage."""
        if compared.changed:
            self._diff.show_pieces(compared.pieces)
            self._switch.show()
            self._show_diff(shown=True)

    def changes(self) -> str:
        """Return a description of the changes; empty while the diff is hidden."""
        return "" if self._diff.isHidden() else self._diff.accessibleName()

    def _on_switched(self) -> None:
        self._show_diff(shown=self._diff.isHidden())

    def _show_diff(self, *, shown: bool) -> None:
        self._diff.setVisible(shown)
        self._lines.setVisible(not shown)
        self._caption.setText(self.tr("What has changed in it") if shown else self.tr("The passage as it was then"))
        self._switch.setText(self.tr("As it was then") if shown else self.tr("What has changed"))
        if not shown:
            self._fit()

    def highlighted_text(self) -> str:
        """Return the cited lines as they were stored."""
        return self._lines.text_of(*self._lines.cited)

    def _fit(self) -> None:
        metrics = self._lines.fontMetrics()
        rows = sum(block.lineCount() for block, _ in self._lines.visible_blocks())
        rows = max(rows, min(_PASSAGE_ROWS, self._lines.blockCount()))
        wanted = min(_PASSAGE_ROWS, rows) * metrics.lineSpacing() + 18
        self._lines.setMaximumHeight(wanted)
        self._lines.setMinimumHeight(min(wanted, 2 * metrics.lineSpacing()))  # in a low window the passage scrolls

    def _on_menu_requested(self, event: object) -> None:
        self._lines.createStandardContextMenu().popup(self.cursor().pos())

    def changeEvent(self, event: QEvent) -> None:
        """Mark the words in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._highlights.restyle()


class PassageDiff(QTextEdit):
    """A read-only text as high as its content, up to a maximum; nothing in it is interactive."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pieces: tuple[DiffPiece, ...] = ()
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        set_role(self, "bare")
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
        rows = _DIFF_ROWS * self.fontMetrics().lineSpacing() + 2 * _MARGIN
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
