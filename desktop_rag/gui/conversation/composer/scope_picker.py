"""The list that opens at an @ in the question: choose what the question is limited to."""

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from desktop_rag.agent.conversations.transcript import ChosenScope
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.formatting import documents, file_name, tool_tip
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.theme.icons import icon
from desktop_rag.gui.theme.theme import scaled, set_role
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Facet, Facets, Order, Retriever
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.text.normalize import fold

# What a question can be limited to: folders, types, tags, dates and documents, found by a few letters after an @.

MOST_OF_KIND = 4
MOST_FILES = 6
_MENTION = re.compile(r"(?:^|(?<=\s))@(\S{0,60})$")


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """A document, or a filter; `documents` is how many a filter lets through, `detail` the folder of a document."""

    label: str
    filter: Filter | None = None
    sha256: str = ""
    documents: int = 0
    detail: str = ""

    def added_to(self, scope: ChosenScope) -> ChosenScope:
        """Return a scope that is limited to this, too."""
        if self.filter is not None:
            others = (each for each in scope.filters if each != self.filter)
            return replace(scope, filters=(*others, self.filter))
        if self.sha256 in scope.documents:
            return scope
        named = len(scope.names) == len(scope.documents)  # documents that a search found give way to the chosen one
        before = scope if named else replace(scope, documents=(), names=(), about="")
        return replace(before, documents=(*before.documents, self.sha256), names=(*before.names, self.label))


@dataclass(frozen=True, slots=True)
class FoundChoices:
    """The choices for the letters after the @, and the facets they are from."""

    words: str
    choices: tuple[ScopeChoice, ...]
    facets: Facets


@dataclass(frozen=True, slots=True)
class DroppedChoices:
    """What dropped files and folders are in the library, and the files and folders it does not have."""

    choices: tuple[ScopeChoice, ...]
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()


def mention(text: str) -> str | None:
    """Return the letters after an @ that begins the last word of `text`, or None."""
    found = _MENTION.search(text)
    return found[1] if found else None


def find_choices(retriever: Retriever, words: str, known: Facets | None, stop: Stop) -> Generator[FoundChoices]:
    """Yield the choices for some letters; `known` facets are not counted again. For a background thread."""
    facets = known or retriever.documents(DocumentQuery(limit=0, with_facets=True), stop).facets
    listed = (facets.folders, facets.types, facets.tags)
    choices = [*(choice for found in listed for choice in _fitting(found, words)), *_dates(facets.dates, words)]
    begun = " ".join(f"{word}*" for word in words.split())
    named = DocumentQuery(filters=(Filter(FileField.NAME, begun),), order=Order.NEWEST, limit=MOST_FILES)
    cards = retriever.documents(named, stop).cards if words else ()
    yield FoundChoices(words, (*choices, *(_of_card(card) for card in cards)), facets)


def find_dropped(retriever: Retriever, paths: tuple[Path, ...], stop: Stop) -> Generator[DroppedChoices]:
    """Yield the choices for dropped files and folders; for a background thread, as a drive may be slow."""
    choices: list[ScopeChoice] = []
    files: list[Path] = []
    folders: list[Path] = []
    for path in paths:
        card = retriever.lookup("", path, stop)
        inside = Filter(FileField.FOLDER, str(path))
        count = 0 if card else retriever.documents(DocumentQuery(filters=(inside,), limit=0), stop).total
        if card is not None:
            choices.append(_of_card(card))
        elif count:
            choices.append(ScopeChoice(filter_label(inside), inside, documents=count))
        else:
            (folders if path.is_dir() else files).append(path)
    yield DroppedChoices(tuple(choices), tuple(files), tuple(folders))


def _fitting(facets: Iterable[Facet], words: str) -> Iterable[ScopeChoice]:
    wanted = fold(words)
    fitting = (facet for facet in facets if wanted in fold(facet.label) or wanted in fold(filter_label(facet.filter)))
    for facet in islice(fitting, MOST_OF_KIND):
        yield ScopeChoice(filter_label(facet.filter), facet.filter, documents=facet.count)


def _dates(facets: tuple[Facet, ...], words: str) -> Iterable[ScopeChoice]:
    """Return the newest dates that fit, else a date or range that is written out: 2023..2024-03."""
    fitting = list(_fitting(reversed(facets), words))
    written = words.replace("..", " TO ")
    if not fitting and any(letter.isdigit() for letter in words) and period(written, date.today()):
        chosen = Filter(FileField.DATE, written)
        fitting = [ScopeChoice(filter_label(chosen), chosen)]
    return fitting


def _of_card(card: DocumentCard) -> ScopeChoice:
    path = str(card.path) if card.path else ""
    return ScopeChoice(
        file_name(path, card.title), sha256=card.sha256, detail=card.path.parent.name if card.path else ""
    )


_MOST_WIDTH = 420  # pixels
_MOST_ROWS = 9
_KEYS = frozenset(
    (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
)
_ICONS = {FileField.FOLDER: "folder", FileField.EXT: "filter", FileField.DATE: "clock", FileField.TAG: "tag"}


class ScopePicker(QListWidget):
    """Follows the letters after an @ in `field`; Up, Down, Enter and Tab choose, Escape closes."""

    wanted = Signal(str)  # call `show_choices` for these letters
    chosen = Signal(ScopeChoice)

    def __init__(self, field: QuestionField, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self._over = parent
        self._dismissed = False  # until the next @
        set_role(self, "box")
        self.setAccessibleName(self.tr("Limit the question to"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setIconSize(QSize(scaled(16), scaled(16)))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.itemClicked.connect(self._choose)
        field.textChanged.connect(self._on_text_changed)
        field.cursorPositionChanged.connect(self._on_text_changed)
        field.installEventFilter(self)
        self.hide()

    def letters(self) -> str | None:
        """Return the letters after the @ at the cursor, or None."""
        cursor = self._field.textCursor()
        return mention(self._field.toPlainText()[: cursor.position()]) if not cursor.hasSelection() else None

    def show_choices(self, letters: str, choices: tuple[ScopeChoice, ...]) -> None:
        """Open with the choices for these letters, unless others have been typed since."""
        if letters != self.letters() or self._dismissed:
            return
        self.clear()
        for choice in choices:
            count = documents(choice.documents) if choice.documents else choice.detail
            text = f"{choice.label}  ·  {count}" if count else choice.label
            item = QListWidgetItem(
                icon(_ICONS.get(choice.filter.field, "filter") if choice.filter else "file-text", 16), ""
            )
            item.setText(one_line(text))
            item.setToolTip(tool_tip(one_line(choice.filter.text if choice.filter else choice.label)))
            item.setData(Qt.ItemDataRole.UserRole, choice)
            self.addItem(item)
        self.setCurrentRow(0)
        self.setVisible(bool(choices))
        self._place()

    def _place(self) -> None:
        """Stand above the cursor, inside the parent."""
        rows = min(self.count(), _MOST_ROWS)
        height = sum(self.sizeHintForRow(row) for row in range(rows)) + 2 * self.frameWidth() + 4
        at = self._field.mapTo(self._over, self._field.cursorRect().topLeft())
        scroll = self.verticalScrollBar().sizeHint().width() if self.count() > rows else 0
        text = self.sizeHintForColumn(0) + 2 * self.frameWidth() + scroll + 8
        width = min(text, scaled(_MOST_WIDTH), self._over.width())
        left = max(0, min(at.x(), self._over.width() - width))
        self.setGeometry(QRect(QPoint(left, max(0, at.y() - height - 8)), QSize(width, min(height, at.y() - 8))))
        self.raise_()

    @Slot()
    def _on_text_changed(self) -> None:
        letters = self.letters()
        if letters is None:
            self._dismissed = False
            self.hide()
        elif not self._dismissed:
            self.wanted.emit(letters)

    @Slot(QListWidgetItem)
    def _choose(self, item: QListWidgetItem) -> None:
        choice, letters = item.data(Qt.ItemDataRole.UserRole), self.letters()
        if letters is not None and isinstance(choice, ScopeChoice):
            cursor = self._field.textCursor()
            for _ in range(len(letters) + 1):
                cursor.deletePreviousChar()
            self.hide()
            self.chosen.emit(choice)
            self._field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of the list from the field while it is open."""
        if event.type() == QEvent.Type.FocusOut and not self.underMouse():
            self.hide()
        if not self.isVisible() or not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        if key not in (
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Tab,
            Qt.Key.Key_Escape,
        ):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # Escape does not stop the run
        elif event.type() == QEvent.Type.KeyPress:
            self._on_key(key)
        return True

    def _on_key(self, key: int) -> None:
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            by = 1 if key == Qt.Key.Key_Down else -1
            self.setCurrentRow((self.currentRow() + by) % max(1, self.count()))
        elif key == Qt.Key.Key_Escape:
            self._dismissed = True
            self.hide()
        elif (item := self.currentItem()) is not None:
            self._choose(item)
