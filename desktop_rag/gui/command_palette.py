"""The command palette: type a few letters of any command, document, conversation, library or page of the settings."""

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.command_parts import CommandPart, Commands, keys_text, plain_text
from desktop_rag.gui.formatting import document_name, tool_tip
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, resume_updates, row_height, text_font
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.window_state import load_window_state, store_window_state
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import OpenLink
from desktop_rag.text.display import one_line, shown_name

# Ranks the entries of the command palette: beginnings of words first, then parts of words, initials and typos.

_BEGINS, _CONTAINS, _INITIALS, _PART, _TYPO = 100.0, 85.0, 75.0, 60.0, 0.75
_MIN_TYPO = 72.0  # similarity in percent of a mistyped word
_SHORTEST_TYPO = 3  # letters; shorter words resemble everything


def ranked(names: Sequence[tuple[str, str]], query: str) -> list[int]:
    """Return the positions of the (title, part) pairs that fit the query, the best first; all for an empty one."""
    words = query.casefold().split()
    if not words:
        return list(range(len(names)))
    folded = [(title.casefold(), part.casefold()) for title, part in names]
    # What has the words as they are typed is not mixed with what resembles them, which takes long to compare.
    for typos in (False, True):
        scores = [(_score(*pair, words, typos=typos), at) for at, pair in enumerate(folded)]
        if fit := [at for score, at in sorted(scores, key=lambda found: (-found[0], found[1])) if score > 0]:
            return fit
    return []


def is_named(title: str, query: str) -> bool:
    """Return whether a title has all words of the query, as they are typed."""
    return all(word in title.casefold() for word in query.casefold().split())


def _score(title: str, part: str, words: Sequence[str], *, typos: bool) -> float:
    parts = title.split()
    spaced, total = " " + " ".join(parts), 0.0
    for word in words:
        fit = _fit(word, spaced, part) or (_resemblance(word, parts) if typos else 0.0)
        if not fit:
            initials = "".join(each[0] for each in parts)
            return _INITIALS if len(words) == 1 and len(words[0]) > 1 and initials.startswith(words[0]) else 0.0
        total += fit
    return total / len(words) - 0.01 * len(title)  # of equal fits the shorter title


def _fit(word: str, spaced: str, part: str) -> float:
    if f" {word}" in spaced:
        return _BEGINS
    if word in spaced:
        return _CONTAINS
    return _PART if word in part else 0.0


def _resemblance(word: str, parts: Sequence[str]) -> float:
    if len(word) < _SHORTEST_TYPO:
        return 0.0
    from rapidfuzz.distance.Indel import normalized_similarity

    best = max((100 * normalized_similarity(word, each[: len(word) + 1]) for each in parts), default=0.0)
    return _TYPO * best if best >= _MIN_TYPO else 0.0


_WIDTH, _HEIGHT = 640, 420
_TOP = 72  # pixels below the upper edge of the window
_ENTRY_ROLE = Qt.ItemDataRole.UserRole.value + 1
_FORWARDED = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Something the palette can do: its title, the `part` it belongs to, its keys, and why it is not possible now."""

    key: str
    title: str
    part: str
    run: Callable[[], object]
    keys: str = ""
    blocked: str = ""


class PaletteModel(QAbstractListModel):
    """The entries that fit the typed text, the best first; those that are not possible now last."""

    def __init__(self, entries: Sequence[PaletteEntry], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = tuple(entries)
        # What is not possible is found by its own name only, not with all the others of its part.
        self._names = [(entry.title, "" if entry.blocked else entry.part) for entry in self._entries]
        self._shown = self._entries
        self._text = ""

    def filter(self, text: str) -> None:
        """Show only the entries that fit `text`."""
        self._text = text
        self.beginResetModel()
        fit = (self._entries[at] for at in ranked(self._names, text))
        self._shown = tuple(sorted(fit, key=lambda entry: bool(entry.blocked)))
        self.endResetModel()

    def append(self, entries: Sequence[PaletteEntry]) -> int:
        """Show further entries until the text changes; return the row of the first.

        Titles that begin with what is typed go below the others that do; the rest goes below the titles that have it
        anywhere. What only resembles it, has it in the name of its part, or is not possible comes after them.
        """
        typed = self._text.strip().casefold()
        begin = [entry for entry in entries if entry.title.casefold().startswith(typed)]
        rest = [entry for entry in entries if entry not in begin]
        first = self._insert(begin, lambda entry: entry.title.casefold().startswith(typed))
        return min(first, self._insert(rest, lambda entry: is_named(entry.title, self._text)))

    def _insert(self, entries: Sequence[PaletteEntry], before: Callable[[PaletteEntry], bool]) -> int:
        """Insert entries above the first that is not possible or should not come `before` them; return its row."""
        fit = (at for at, entry in enumerate(self._shown) if entry.blocked or not before(entry))
        at = next(fit, len(self._shown))
        if entries:
            self.beginInsertRows(QModelIndex(), at, at + len(entries) - 1)
            self._shown = (*self._shown[:at], *entries, *self._shown[at:])
            self.endInsertRows()
        return at

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        """Return the number of entries shown."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return an entry, or its texts."""
        entry = self._shown[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.title
            case Qt.ItemDataRole.AccessibleTextRole:
                blocked = self.tr("not possible now: {0}").format(entry.blocked) if entry.blocked else ""
                return ", ".join(filter(None, (entry.title, entry.part, entry.keys, blocked)))
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(entry.blocked) or None
            case _:
                return entry if role == _ENTRY_ROLE else None


class PaletteDelegate(QStyledItemDelegate):
    """Paints title, part and keys; a blocked entry is faint and says why instead of its keys."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of one line with padding."""
        return QSize(200, row_height(QFontMetrics(text_font(0)).height() + 2 * GRID))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row."""
        entry = index.data(_ENTRY_ROLE)
        if not isinstance(entry, PaletteEntry):
            return
        colors = current_colors()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRect(option.rect).adjusted(GRID, 1, -GRID, -1)
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        draw_ground(painter, row, hovered=hovered, selected=selected, focused=False)
        inside = row.adjusted(GRID, 0, -GRID, 0)
        font, small = text_font(0), text_font(-1)
        title = QFontMetrics(font).horizontalAdvance(entry.title)
        right = entry.blocked or entry.keys
        right_font = small if entry.blocked else mono_font(-1)
        room = inside.width() - min(title, inside.width() // 2) - 2 * GRID
        right_width = min(QFontMetrics(right_font).horizontalAdvance(right) + 2, room)
        at_end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = inside.adjusted(0, 0, -right_width - 2 * GRID, 0)
        draw_text(painter, left, entry.title, font, colors.faint if entry.blocked else colors.text, within=inside)
        rest = left.adjusted(title + GRID + 4, 0, 0, 0)
        if rest.width() > 3 * GRID:
            draw_text(painter, rest, entry.part, small, colors.muted, within=inside)
        end = QRect(inside.right() - right_width, inside.top(), right_width, inside.height())
        draw_text(painter, end, right, right_font, colors.muted, align=at_end, within=inside)
        painter.restore()


class CommandPalette(BoundedDialog):
    """A field over a list; the keyboard stays in the field, Enter runs the current entry."""

    chosen = Signal(object)  # the PaletteEntry to run, after the palette has closed
    edited = Signal(str)  # the text is now this

    def __init__(self, entries: Sequence[PaletteEntry], parent: QWidget) -> None:
        super().__init__(parent)
        self.looks_further = False  # whether `show_found` follows each text
        self._awaits = False  # `show_found` for the text that is typed
        self._runs_then = False  # Return was pressed meanwhile
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(self.tr("Find a command"))
        self.setAccessibleName(self.windowTitle())
        self._model = PaletteModel(entries, self)
        self._field = FilterField(self.tr("Type a command, document, conversation or setting"), self)
        self._list = PanelList(self._model, self.tr("Commands"), self)
        self._list.setUniformItemSizes(True)
        self._list.setItemDelegate(PaletteDelegate(self._list))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._hint = PlainLabel("", "caption", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        in_column(
            in_column(self._field, spacing=None, margins=(GRID, 0, GRID, 0)),
            self._hint,
            (self._list, 1),
            on=self,
            margins=(1, GRID, 1, GRID),
        )
        self.resize(min(_WIDTH, parent.width() - 4 * GRID), min(_HEIGHT, parent.height() - _TOP - 4 * GRID))
        self.move(parent.mapToGlobal(QPoint((parent.width() - self.width()) // 2, _TOP)))
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_edited)
        self._list.clicked.connect(self._run)
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._on_edited("")
        self._field.setFocus()

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        self._awaits, self._runs_then = self.looks_further and bool(text.strip()), False
        self._model.filter(text)
        self._show_hint(nothing=not self._model.rowCount() and not self._awaits)
        self._list.setCurrentIndex(self._model.index(0))
        self._list.scrollToTop()
        self.edited.emit(text)

    def text(self) -> str:
        """Return what is typed."""
        return self._field.text()

    def show_found(self, text: str, entries: Sequence[PaletteEntry]) -> None:
        """Add what was found elsewhere for `text`, unless another one is typed by now."""
        if text != self.text():
            return
        moved = self._list.currentIndex().row() > 0
        at = self._model.append(entries)
        self._show_hint(nothing=not self._model.rowCount())
        if at == 0 and not moved:  # what was current only resembles what is typed
            self._list.setCurrentIndex(self._model.index(0))
        self._awaits = False
        if self._runs_then:
            self._run()

    def _show_hint(self, *, nothing: bool) -> None:
        self._hint.setText(self.tr("Nothing has this name") if nothing else "")
        self._hint.setVisible(nothing)

    @Slot()
    def _on_current_changed(self) -> None:
        """Tell screen readers which entry Enter would run: the keyboard focus is in the field."""
        said = self._list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
        self._field.setAccessibleDescription(str(said or ""))
        if said and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._field, str(said)))

    @Slot()
    def _run(self) -> None:
        entry = self._list.currentIndex().data(_ENTRY_ROLE)
        if isinstance(entry, PaletteEntry) and not entry.blocked:
            self.accept()
            self.chosen.emit(entry)

    def _on_return(self) -> None:
        """Run the current entry, once nothing better can be found; at once if Return is pressed again."""
        index, typed = self._list.currentIndex(), self.text().strip().casefold()
        better = index.row() <= 0 and not str(index.data()).casefold().startswith(typed)
        if self._awaits and better and not self._runs_then:
            self._runs_then = True
        else:
            self._run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list, and run the current entry, by keys pressed in the field."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._on_return()
                return True
            if event.key() in _FORWARDED:
                QApplication.sendEvent(self._list, event)
                return True
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Close when another window is chosen; after this event, in which Qt may be hiding the palette itself."""
        if event.type() == QEvent.Type.WindowDeactivate:
            QTimer.singleShot(0, self, self.reject)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the border."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setPen(QPen(QColor(colors.outline), 1))
        painter.setBrush(QColor(colors.raised))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


# Opens the command palette with everything the window can do at that moment, and remembers what was used last.

_MOST_RECENT = 8
_NEXT_TURN = 1  # ms: a timer of 0 ms can expire in this turn of the event loop
PaletteSource = Callable[[], Iterable[PaletteEntry]]


class PaletteControl(QObject):
    """Collects the entries of the commands and of `sources`; the last used ones stand first."""

    opened = Signal(QObject)  # the CommandPalette

    def __init__(self, commands: Commands, window: QWidget) -> None:
        super().__init__(window)
        self._commands = commands
        self._window = window
        self._sources: list[PaletteSource] = []

    def add_source(self, source: PaletteSource) -> None:
        """Offer the entries of `source`, too; it is called whenever the palette opens."""
        self._sources.append(source)

    def entries(self) -> list[PaletteEntry]:
        """Return everything in the window, the last used first, then what is possible now."""
        entries = [
            self._entry(part, action)
            for part in self._commands.parts
            for action in part.actions
            if action.isVisible() and plain_text(action)
        ]
        entries += [entry for source in self._sources for entry in source()]
        recent = {key: place for place, key in enumerate(self._recent())}
        entries.sort(key=lambda entry: (recent.get(entry.key, len(recent)), bool(entry.blocked)))
        return entries

    @Slot()
    def open(self) -> None:
        """Open the palette over the window."""
        palette = CommandPalette(self.entries(), self._window)
        palette.chosen.connect(self._on_chosen)
        palette.setUpdatesEnabled(False)  # it is laid out now, and painted in a turn of its own
        self.opened.emit(palette)
        palette.show()  # not modal: a click beside it closes it
        palette.activateWindow()
        QTimer.singleShot(_NEXT_TURN, palette, partial(resume_updates, palette))

    def _entry(self, part: CommandPart, action: QAction) -> PaletteEntry:
        why = part.blocked()
        if not why and not action.isEnabled():
            why = action.whatsThis() or self.tr("Not possible at the moment")
        return PaletteEntry(part.key_of(action), plain_text(action), part.title, action.trigger, keys_text(action), why)

    def _recent(self) -> list[str]:
        kept = load_window_state().get("commands")
        return kept if isinstance(kept, list) else []

    @Slot(object)
    def _on_chosen(self, entry: PaletteEntry) -> None:
        if entry.key:
            keys = [entry.key, *(key for key in self._recent() if key != entry.key)]
            store_window_state({"commands": keys[:_MOST_RECENT]})
        QTimer.singleShot(0, self._window, entry.run)  # after the focus is back where it was


# Finds documents of the library by name for the open palette; the searcher looks them up.

_MOST = 12
_MOST_OF_STEM = 200  # documents of a name, of which those with the typed ending are shown


@dataclass(frozen=True, slots=True)
class FoundDocuments:
    """The documents whose names have the typed words."""

    text: str
    cards: tuple[DocumentCard, ...]


class PaletteDocuments(QObject):
    """Looks up what is typed; `known` are the paths that the palette offers anyway, `show` opens a document."""

    def __init__(
        self,
        retriever: Callable[[], Retriever],
        known: Callable[[], set[str]],
        show: Callable[[OpenLink], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._known = known
        self._show = show
        self._palette: CommandPalette | None = None
        self._worker = LatestOnlyWorker[FoundDocuments]("palette", self._on_found, self)
        self._worker.failed.connect(self._on_failed)

    @Slot(QObject)
    def serve(self, palette: CommandPalette) -> None:
        """Add documents to a palette while it is open."""
        self._palette = palette
        palette.looks_further = True
        palette.edited.connect(self._on_edited)
        palette.finished.connect(self._on_closed)

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._palette = None
        self._worker.close()

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        self._worker.stop()
        if text.strip():
            self._worker.ask(partial(_find, text, self._retriever()))

    @Slot(object)
    def _on_found(self, found: FoundDocuments) -> None:
        if self._palette is not None:
            known = self._known()
            cards = (card for card in found.cards if card.path is not None and str(card.path) not in known)
            self._palette.show_found(found.text, [self._entry(card) for card in cards])

    @Slot(Exception)
    def _on_failed(self, _: Exception) -> None:
        if self._palette is not None:
            self._palette.show_found(self._palette.text(), ())

    @Slot()
    def _on_closed(self) -> None:
        self._palette = None
        self._worker.stop()

    def _entry(self, card: DocumentCard) -> PaletteEntry:
        path = str(card.path)
        folder = shown_name(os.fsencode(card.path.parent)) if card.path else ""
        part = " · ".join(filter(None, (self.tr("Document"), folder)))
        show = partial(self._show, OpenLink(path, 0, 0, card.sha256))
        return PaletteEntry("", one_line(document_name(path, card.title)), part, show)


def _find(text: str, retriever: Retriever, stop: Stop) -> Generator[FoundDocuments]:
    listed = retriever.documents(DocumentQuery(text, limit=_MOST), stop)
    cards = () if listed.unmatched else listed.cards
    stem, _, ending = text.strip().rpartition(".")  # which is no word of a name
    if listed.unmatched and stem and ending.isalnum():
        listed = retriever.documents(DocumentQuery(stem, limit=_MOST_OF_STEM), stop)
        begin = f".{ending}".casefold()
        fit = (card for card in listed.cards if card.path and card.path.suffix.casefold().startswith(begin))
        cards = () if listed.unmatched else tuple(fit)[:_MOST]
    yield FoundDocuments(text, cards)
