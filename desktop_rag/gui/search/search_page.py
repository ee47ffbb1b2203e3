"""The page: what is asked for on top, below it what was found and what the found documents share."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.errors import DesktopRagError, QueryError
from desktop_rag.gui import icons
from desktop_rag.gui.conversation.source_chips import Chip, FlowRow
from desktop_rag.gui.foreign import one_line
from desktop_rag.gui.labels import PlainLabel, button_text
from desktop_rag.gui.search.events import Counted, Found
from desktop_rag.gui.search.facet_list import FacetList, filter_label
from desktop_rag.gui.search.kept_searches import KeptSearches, Search
from desktop_rag.gui.search.query_row import QueryRow
from desktop_rag.gui.search.results_list import ResultsList
from desktop_rag.gui.search.search_help import SearchHelp
from desktop_rag.gui.shortcuts import Listing, shown_keys
from desktop_rag.gui.theme import GRID, set_role
from desktop_rag.gui.wording import number
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.hits import Facets, Filter, Mode, SearchResult

_FACETS_WIDTH = 190
_NARROW = 620  # pixels: below, the lists to choose from are shown on demand


class FilterChip(Chip):
    """A filter that is set; a click takes it off."""

    def __init__(self, chosen: Filter, parent: QWidget | None = None) -> None:
        super().__init__(filter_label(chosen), icon="close", parent=parent)
        self.filter = chosen
        self.setToolTip(self.tr("Take this filter off"))


class SearchPage(QWidget):
    """Shows and reports; `SearchControl` asks and keeps."""

    asked = Signal(object, bool)  # the Search that is wanted now, and whether at once (or while typing)
    looked_at = Signal(object)  # the Hit to show beside
    opened = Signal(object)  # the Hit to go to
    ask_about = Signal(object, str)  # a tuple of ContentId to ask the agent about, and the query
    save_requested = Signal(str)  # keep the present search under this name
    drop_requested = Signal(str)  # forget the saved search of this name
    left = Signal()  # back to the conversation

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = QueryRow(self)
        self.results = ResultsList(self)
        self.facets = FacetList(self)
        self.help = SearchHelp(self)
        self._filters: tuple[Filter, ...] = ()
        self._chips = FlowRow(self)
        self._said = PlainLabel("", "caption", self)
        self._suggestion = QPushButton(self)
        self._ask = QPushButton(self.tr("Ask about these"), self)
        self._narrow = icons.IconButton("filter", self.tr("Narrow down"), self)
        self._back = icons.IconButton("arrow-left", self.tr("Back to the conversation (Esc)"), self)
        self._body = QStackedWidget(self)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._better = ""
        self._result: SearchResult | None = None
        self._facets_now = Facets(0)
        self._arrange()
        self._connect()
        self._show_nothing()

    # What is asked for

    def search(self) -> Search:
        """Return what is asked for now."""
        return Search(self.row.query(), self.row.mode(), self._filters)

    def set_search(self, search: Search) -> None:
        """Ask for something else at once."""
        self.row.set_search(search)
        self._set_filters(search.filters)
        self._on_entered()

    def begin(self, text: str = "") -> None:
        """Take the keyboard; what stands in the field is replaced by what is typed."""
        if text:
            self.set_search(Search(text, self.row.mode()))
        self.row.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.row.field.selectAll()

    # What was found

    def show_found(self, found: Found) -> None:
        """Show the hits of the newest query."""
        self._result = found.result
        self.results.results.show_hits(found.result.hits)
        self._say(found.result)
        self._suggest(found.result.suggestion, self.tr("Did you mean: {0}"))
        self._ask.setVisible(bool(found.result.hits))
        self._body.setCurrentWidget(self._split)

    def show_counted(self, counted: Counted) -> None:
        """Show what the found documents share."""
        self._facets_now = counted.facets
        self.facets.show_facets(counted.facets, self._filters)
        self._fit()

    def show_error(self, error: object) -> None:
        """Say why nothing can be found, and what could be asked instead."""
        self.results.results.show_hits(())
        self._result = None
        self._ask.hide()
        self._body.setCurrentWidget(self._split)
        self._said.setText(
            one_line(str(error)) if isinstance(error, DesktopRagError) else self.tr("The search failed.")
        )
        self._suggest(error.suggestion if isinstance(error, QueryError) else "", self.tr("Try: {0}"))

    def show_kept(self, searches: KeptSearches) -> None:
        """Offer the searches that are kept."""
        self.row.show_kept(searches)

    def clear(self) -> None:
        """Ask nothing and show nothing, as for another library."""
        self.row.set_search(Search("", self.row.mode()))
        self._set_filters(())
        self._show_nothing()

    def said(self) -> str:
        """Return the line above the list."""
        return self._said.text()

    def suggested(self) -> QPushButton:
        """Return the button with a better query; hidden without one."""
        return self._suggestion

    def ask_button(self) -> QPushButton:
        """Return the button that goes on with a question."""
        return self._ask

    def chips(self) -> tuple[FilterChip, ...]:
        """Return the filters that are set, as buttons."""
        return tuple(chip for chip in self._chips.findChildren(FilterChip) if not chip.isHidden())

    def shortcuts(self) -> Listing:
        """Return the keys that work here, for the list of all shortcuts."""
        key = Qt.Key
        rows = (
            (self.tr("Search at once"), key.Key_Return),
            (self.tr("To the found passages"), key.Key_Down),
            (self.tr("Show the passage in its document"), key.Key_Return),
            (self.tr("Back"), key.Key_Escape),
        )
        return ((self.tr("In the search"), tuple((text, shown_keys(keys)) for text, keys in rows)),)

    # Inside

    def _arrange(self) -> None:
        set_role(self._suggestion, "link")
        set_role(self._ask, "link")
        self._narrow.setCheckable(True)
        top = QHBoxLayout()
        top.setSpacing(GRID // 2)
        top.addWidget(self._back)
        top.addWidget(self.row, 1)
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self._narrow)
        line.addWidget(self._said, 1)
        line.addWidget(self._suggestion)
        line.addWidget(self._ask)
        head = QVBoxLayout()
        head.setContentsMargins(GRID, GRID, 2 * GRID, 0)
        head.setSpacing(GRID // 2)
        head.addLayout(top)
        head.addWidget(self._chips)
        head.addLayout(line)
        self._split.addWidget(self.facets)
        self._split.addWidget(self.results)
        self._split.setStretchFactor(1, 1)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setSizes([_FACETS_WIDTH, 500])
        self._body.addWidget(self.help)
        self._body.addWidget(self._split)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(head)
        column.addWidget(self._body, 1)
        self._chips.hide()
        self.setFocusProxy(self.row)

    def _connect(self) -> None:
        self.row.edited.connect(self._on_edited)
        self.row.entered.connect(self._on_entered)
        self.row.field.entered.connect(self._on_field_entered)
        self.row.field.went_down.connect(self.results.begin)
        self.row.field.dismissed.connect(self.left)
        self.row.search_chosen.connect(self.set_search)
        self.row.save_requested.connect(self.save_requested)
        self.row.drop_requested.connect(self.drop_requested)
        self.row.help_requested.connect(self._on_help_requested)
        self.help.example_chosen.connect(lambda text: self.set_search(Search(text, self.row.mode())))
        self.facets.toggled.connect(self._on_filter_toggled)
        self.results.looked_at.connect(self.looked_at)
        self.results.opened.connect(self.opened)
        self.results.left_upwards.connect(self.row.field.setFocus)
        self.results.dismissed.connect(self.row.field.setFocus)
        self._narrow.toggled.connect(self._fit)
        self._back.clicked.connect(self.left)
        self._suggestion.clicked.connect(self._on_suggestion_clicked)
        self._ask.clicked.connect(self._on_ask_clicked)

    def _show_nothing(self) -> None:
        self._result = None
        self.results.results.show_hits(())
        self._said.setText("")
        self._suggest("")
        self._ask.hide()
        self._body.setCurrentWidget(self.help)
        self._fit()

    def _say(self, result: SearchResult) -> None:
        documents = len({hit.content for hit in result.hits})
        if not result.hits:
            words = self.tr("Nothing found")
        else:
            passages = self.tr("1 passage") if len(result.hits) == 1 else self.tr("{0} passages")
            inside = self.tr("1 document") if documents == 1 else self.tr("{0} documents")
            words = self.tr("{0} in {1}").format(
                passages.format(number(len(result.hits))), inside.format(number(documents))
            )
        parts = [words, one_line(result.note)]
        if result.coverage < 1 and result.mode not in (Mode.KEYWORD, Mode.EXACT) and not result.note:
            parts.append(self.tr("meaning search covers {0} % so far").format(int(result.coverage * 100)))
        self._said.setText("  ·  ".join(filter(None, parts)))

    def _suggest(self, better: str, words: str = "{0}") -> None:
        self._better = better
        shown = one_line(better) if len(better) <= 60 else one_line(better[:59]) + "…"
        self._suggestion.setText(button_text(words.format(shown)))
        self._suggestion.setVisible(bool(better))

    def _set_filters(self, filters: Sequence[Filter]) -> None:
        self._filters = tuple(filters)
        chips = [FilterChip(chosen) for chosen in self._filters]
        for chip in chips:
            chip.clicked.connect(lambda _=False, chosen=chip.filter: self._on_filter_toggled(chosen))
        self._chips.set_items(chips)
        self._chips.setVisible(bool(chips))

    @Slot()
    def _fit(self) -> None:
        """Show the lists beside the hits where there is room, else when they are asked for."""
        wide = self.width() >= _NARROW
        self.row.set_narrow(narrow=not wide)
        asked = self._body.currentWidget() is self._split
        self._narrow.setVisible(asked and not wide)
        self.facets.setVisible(wide or self._narrow.isChecked())

    @Slot()
    def _on_edited(self) -> None:
        self._want(at_once=False)

    @Slot()
    def _on_entered(self) -> None:
        self._want(at_once=True)

    @Slot()
    def _on_field_entered(self) -> None:
        if self._result is not None and self._result.query == self.row.query() and self._result.hits:
            self.results.begin()

    def _want(self, *, at_once: bool) -> None:
        search = self.search()
        if not search.query and not search.filters:
            self._show_nothing()
        self.asked.emit(search, at_once)

    @Slot(object)
    def _on_filter_toggled(self, chosen: Filter) -> None:
        others = tuple(each for each in self._filters if each != chosen)
        self._set_filters(others if chosen in self._filters else (*others, chosen))
        self.facets.show_facets(self._facets_now, self._filters)
        self._on_entered()

    @Slot()
    def _on_help_requested(self) -> None:
        shown = self._body.currentWidget() is self.help
        self._body.setCurrentWidget(self._split if shown and self._result is not None else self.help)

    @Slot()
    def _on_suggestion_clicked(self) -> None:
        with QSignalBlocker(self._suggestion):
            self.set_search(Search(self._better, self.row.mode(), self._filters))

    @Slot()
    def _on_ask_clicked(self) -> None:
        if self._result is not None:
            contents: tuple[ContentId, ...] = tuple(dict.fromkeys(hit.content for hit in self._result.hits))
            self.ask_about.emit(contents, self._result.query)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the lists room, or not."""
        super().resizeEvent(event)
        self._fit()
