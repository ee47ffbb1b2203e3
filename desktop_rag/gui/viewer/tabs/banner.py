"""The banner above a document: the file has changed, is offline or is gone, and the stored passage."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.documents.picture_notes import is_of_pictures
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_margins, set_role, text_font
from desktop_rag.gui.viewer.tabs.stored_passage import StoredPassage
from desktop_rag.gui.viewer.target import Target
from desktop_rag.gui.viewer.viewer_events import DocumentFound, Staleness
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel


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
        self._passage = StoredPassage(self._card)
        self._alarm = False
        self._title.setFont(text_font(weight=text_font().Weight.DemiBold))
        set_role(self._retry, "quiet")
        self._arrange()
        self._retry.clicked.connect(self.retry_requested)
        self._dismiss.clicked.connect(self.hide)
        self.clear()

    @property
    def passage(self) -> "StoredPassage":
        """Return the widget with the stored passage."""
        return self._passage

    def message(self) -> str:
        """Return the text of the banner; empty when there is none."""
        return " ".join(label.text() for label in (self._title, self._detail) if not self.isHidden() and label.text())

    def clear(self) -> None:
        """Remove all notes and hide the banner."""
        self._title.setText("")
        self._detail.setText("")
        self._passage.hide()
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
            self._passage.show_target(target)

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
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        words.addWidget(self._retry, alignment=Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self._dismiss, alignment=Qt.AlignmentFlag.AlignTop)
        around = QVBoxLayout(self)
        around.setContentsMargins(GRID, GRID, GRID, GRID)
        around.addWidget(self._card)
        column = QVBoxLayout(self._card)
        set_margins(column, 12, 10, GRID, 10)
        column.setSpacing(GRID)
        column.addLayout(row)
        column.addWidget(self._passage)

    def _draw_sign(self) -> None:
        colors = current_colors()
        shade = colors.danger if self._alarm else colors.warning
        self._sign.setPixmap(icons.pixmap("warning" if self._alarm else "info", shade, 18))

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the icon in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_sign()
