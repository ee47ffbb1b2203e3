"""The field that finds a setting: it shows the pages that name it and marks its rows."""

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from desktop_rag.gui.settings.page_parts import FoldedFields
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.plain_labels import PlainLabel


class SettingsSearch(QWidget):
    """Filters the pages of a tab widget by the words of their labels, buttons and fields."""

    filtered = Signal()  # other pages are offered

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pages: QTabWidget | None = None
        self._marked: list[QWidget] = []
        self._field = _SearchField(self.tr("Find a setting"), self)
        self._nothing = PlainLabel("", "muted", self)
        self._nothing.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._field)
        layout.addWidget(self._nothing)
        self._field.textChanged.connect(self._on_text_changed)
        self._field.stepped.connect(self._on_stepped)
        self._field.accepted.connect(self._on_accepted)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), parent)
        find.activated.connect(self._field.setFocus)

    def search_in(self, pages: QTabWidget) -> None:
        """Search the pages of `pages`."""
        self._pages = pages

    def _on_text_changed(self, text: str) -> None:
        pages = self._pages
        if pages is None:
            return
        self._mark([])
        words = text.casefold().split()
        found = {place: _found(pages, place, words) for place in range(pages.count())} if words else {}
        matching = [place for place, rows in found.items() if rows or _has(pages.tabText(place), words)]
        stays = not matching or pages.currentIndex() in matching
        for place in range(pages.count()):
            pages.setTabVisible(place, not matching or place in matching)
        self.filtered.emit()
        if not stays:
            pages.setCurrentIndex(min(matching, key=lambda place: _shortest(found[place])))
        self._mark([row for rows in found.values() for row in rows])
        for row in self._marked:
            _expand(row)
        self._show_first(pages)
        shown = (pages.widget(place) for place in matching)
        self._explain([page for page in shown if page is not None], searched=bool(words))

    def _explain(self, pages: list[QWidget], *, searched: bool) -> None:
        """Say why no setting is shown: no page has the words, or only fields of endpoints, and there is no endpoint."""
        hidden = bool(self._marked) and not any(row.isVisibleTo(page) for row in self._marked for page in pages)
        if hidden and len(pages) == 1:
            self._nothing.setText(self.tr("This is set for each model. Connect one first."))
        else:
            self._nothing.setText(self.tr("No setting has this in its name or description."))
        self._nothing.setVisible(searched and (hidden or not pages))

    def _show_first(self, pages: QTabWidget) -> QWidget | None:
        """Scroll to the first marked row of the current page, and return it."""
        page = pages.currentWidget()
        row = next((row for row in self._marked if page.isAncestorOf(row)), None)
        for area in page.findChildren(QScrollArea):
            if row is not None and area.isAncestorOf(row):
                area.ensureWidgetVisible(row)
        return row

    @Slot(int)
    def _on_stepped(self, by: int) -> None:
        """Show the next of the offered pages, or the one before."""
        if (pages := self._pages) is not None:
            offered = [place for place in range(pages.count()) if pages.isTabVisible(place)]
            at = offered.index(pages.currentIndex()) + by if pages.currentIndex() in offered else 0
            pages.setCurrentIndex(offered[max(0, min(at, len(offered) - 1))])
            self._show_first(pages)

    @Slot()
    def _on_accepted(self) -> None:
        """Go to the first setting that was found on the page, else to the next part of the dialog."""
        row = self._show_first(self._pages) if self._pages is not None else None
        field = _field_at(row, self._pages.currentWidget()) if self._pages is not None and row is not None else None
        if field is None:
            self.focusNextChild()
        else:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _mark(self, rows: list[QWidget]) -> None:
        changed, self._marked = self._marked + rows, rows
        for row in changed:
            row.setProperty("found", row in rows)
            if row.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
                row.style().unpolish(row)
                row.style().polish(row)


class _SearchField(FilterField):
    """Return stays in the dialog, the arrows go through the pages, and Escape first empties the field."""

    stepped = Signal(int)  # to the next page (1) or the one before (-1)
    accepted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to what was found with Return, through the pages with the arrows; empty the field with Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


def _takes_keys(widget: QWidget) -> bool:
    tab = Qt.FocusPolicy.TabFocus.value
    return bool(widget.focusPolicy().value & tab) and widget.isEnabled() and widget.isVisible()


def _field_at(row: QWidget, page: QWidget) -> QWidget | None:
    """Return the first control of a page that is in a row or below it."""
    top = row.mapTo(page, QPoint(0, 0)).y()
    places = [(each.mapTo(page, each.rect().bottomLeft()), each) for each in page.findChildren(QWidget)]
    below = [(place.y(), place.x(), number) for number, (place, each) in enumerate(places) if _takes_keys(each)]
    after = [found for found in below if found[0] >= top]
    return places[min(after)[2]][1] if after else None


def _found(pages: QTabWidget, place: int, words: list[str]) -> list[QWidget]:
    """Return the labels and buttons of a page that contain all words; in the page's order."""
    page = pages.widget(place)
    widgets = page.findChildren(QWidget) if page is not None else []
    return [w for w in widgets if isinstance(w, (QLabel, QAbstractButton)) and _has(w.text(), words)]


def _expand(row: QWidget) -> None:
    """Show a row of fields that are collapsed."""
    above: QWidget | None = row
    while above is not None:
        if isinstance(above, FoldedFields):
            above.expand()
        above = above.parentWidget()


def _shortest(rows: list[QWidget]) -> int:
    """Return the characters of the shortest text: words in a name say more than words in a description."""
    return min((len(row.text()) for row in rows if isinstance(row, (QLabel, QAbstractButton))), default=0)


def _has(text: str, words: list[str]) -> bool:
    shown = text.replace("&", "").casefold()
    return all(word in shown for word in words)
