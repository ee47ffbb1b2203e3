"""The banner above a document: the file has changed, is offline or is gone, and the stored passage."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QColor, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPushButton, QTextEdit, QWidget

from desktop_rag.documents.picture_notes import is_of_pictures
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role, text_font
from desktop_rag.gui.viewer.document_loading import truncate_line
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.viewer.text.line_highlights import LineHighlights
from desktop_rag.gui.viewer.viewer_events import (
    DiffPiece,
    DocumentFound,
    PassageCompared,
    Staleness,
    Target,
    WordChange,
)
from desktop_rag.gui.widgets.layouts import LEFT, TOP, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.text.locate import mark_quote

# The cited passage as it was stored with the answer, and its word diff with the current text.

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
        in_column(
            in_row((self._caption, 1), self._switch, spacing=None, margins=(10, 0, 10, 0)),
            self._diff,
            self._lines,
            on=self,
            spacing=2,
            margins=(1, 6, 1, 4),
        )
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


class Banner(QWidget):
    """A notice or an error above the document, with the stored passage if there is one."""

    retry_requested = Signal()  # read the document again after an error

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = QFrame(self)
        self._sign = Label(parent=self._card)
        self._title = PlainLabel(parent=self._card)
        self._detail = PlainLabel(parent=self._card)
        self._retry = QPushButton(self.tr("Try again"), self._card)
        self._dismiss = icons.IconButton("close", self.tr("Hide this note"), self._card)
        self.passage = StoredPassage(self._card)
        self._alarm = False
        self._title.setFont(text_font(weight=text_font().Weight.DemiBold))
        set_role(self._retry, "quiet")
        self._arrange()
        self._retry.clicked.connect(self.retry_requested)
        self._dismiss.clicked.connect(self.hide)
        self.clear()

    def message(self) -> str:
        """Return the text of the banner; empty when there is none."""
        return " ".join(label.text() for label in (self._title, self._detail) if not self.isHidden() and label.text())

    def clear(self) -> None:
        """Remove all notes and hide the banner."""
        self._title.setText("")
        self._detail.setText("")
        self.passage.hide()
        self.hide()

    def show_note(self, title: str, detail: str = "") -> None:
        """Show a note."""
        self._show(title, detail, error=False)

    def append_note(self, title: str, detail: str) -> None:
        """Show a note below the current one, if there is one."""
        if self.isHidden():
            self.show_note(title, detail)
        else:
            self._show(self._title.text(), f"{self._detail.text()}\n{title}. {detail}".strip(), error=self._alarm)

    def show_error(self, title: str, detail: str) -> None:
        """Show an error with a button to retry."""
        self._show(sentence(title), sentence(detail), error=True)

    def show_passage(self, target: Target) -> None:
        """Show the cited passage as it was stored with the answer."""
        if target.passage.strip():
            self.passage.show_target(target)

    def show_staleness(self, found: DocumentFound) -> None:
        """Show how the document relates to the cited one, or hide the banner if it is the same and complete."""
        self.clear()
        title, detail = self._staleness_note(found)
        if title:
            self.show_note(title, detail)
        if found.staleness is Staleness.CHANGED:
            self.show_passage(found.target)

    def _staleness_note(self, found: DocumentFound) -> tuple[str, str]:
        """Return a title and a sentence; both are empty if the document is the cited one and complete."""
        match found.staleness:
            case Staleness.SAME:
                why = found.card.partial.rstrip(".") if found.card else ""
                if not why or is_of_pictures(why):
                    return why, ""
                return self.tr("Only a part of this file could be read"), f"{why[0].upper()}{why[1:]}."
            case Staleness.CHANGED:
                if not found.target.sha256:
                    return self.tr("This file has changed since it was found"), self._change_note(found)
                return self.tr("This file has changed since the answer was written"), self._change_note(found)
            case Staleness.OFFLINE:
                return self.tr("The folder of this file is not connected"), self.tr(
                    "Its text is shown as it was last read."
                )
            case Staleness.GONE:
                return self.tr("This file is no longer in your library"), self.tr(
                    "Its text is shown as it was last read."
                )
            case Staleness.LOST:
                kept = self.tr("This is the passage as it was when the answer was written.")
                return self.tr("This file is no longer in your library"), kept if found.target.passage.strip() else ""

    def _change_note(self, found: DocumentFound) -> str:
        if not found.target.quote.strip():
            return self.tr("Below is the current file.")
        if found.first_line:
            place = formatting.lines(found.first_line, found.last_line)
            return self.tr("It still contains the quoted words, now on {0}.").format(place)
        return self.tr("It no longer contains the quoted words. Below is the current file.")

    def _show(self, title: str, detail: str, *, error: bool) -> None:
        self._alarm = error
        set_role(self._card, "alarm" if error else "notice")
        self._title.setText(title)
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))
        self._retry.setVisible(error)
        self.setAccessibleName(f"{title}. {detail}".strip())
        self._draw_sign()
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _arrange(self) -> None:
        row = in_row(
            (self._sign, TOP),
            (in_column(self._title, self._detail, (self._retry, LEFT), spacing=2), 1),
            (self._dismiss, TOP),
        )
        in_column(self._card, on=self, spacing=None, margins=GRID)
        in_column(row, self.passage, on=self._card, margins=(12, 10, GRID, 10))

    def _draw_sign(self) -> None:
        colors = current_colors()
        shade = colors.danger if self._alarm else colors.warning
        self._sign.setPixmap(icons.pixmap("warning" if self._alarm else "info", shade, 18))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_sign()
