"""The search page: the query on top, below it hits and facets."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop_rag.errors import DesktopRagError, QueryError
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import CommandPart, name_keys, new_command, shown_keys
from desktop_rag.gui.formatting import lines
from desktop_rag.gui.search.facet_list import FacetPanel
from desktop_rag.gui.search.filter_labels import ActiveFilters
from desktop_rag.gui.search.query_row import OFFERED, QueryRow, names_of
from desktop_rag.gui.search.result_summary import ResultSummary, SortBox, SummaryLine
from desktop_rag.gui.search.results_list import ResultsList
from desktop_rag.gui.search.search_events import (
    FacetsCounted,
    HitsFound,
    RecentSearch,
    SavedSearches,
    cap_of,
    has_more,
    set_apart,
)
from desktop_rag.gui.search.search_start import SearchHelp, SearchStart
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.retrieval.api import Facets, Hit, SearchResult
from desktop_rag.retrieval.query.tree import DATE_FIELDS, Filter
from desktop_rag.text.display import one_line, shorten

_FACETS_WIDTH = 190
_LONGEST = 60  # characters of a suggested query
_NARROW = 720  # narrower than this, in pixels, facets are shown on demand: in a window of 1,000 with the sidebar


class SearchPage(QWidget):
    """Shows results and reports gestures; `SearchControl` searches and saves."""

    asked = Signal(object, bool)  # the RecentSearch to run, and whether at once (or debounced)
    ask_about = Signal(object, str)  # the SHA-256 of each document to ask the agent about, and the query
    table_about = Signal(object)  # the SHA-256 of each document to make a table over
    report_about = Signal(object)  # the same for a report
    why_requested = Signal(object)  # the Hit, or None for another file, to explain
    left = Signal()  # back to the conversation

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = QueryRow(self)
        self.facets = FacetPanel(self)
        self.results = ResultsList(self)
        self.start = SearchStart(self)
        self.help = SearchHelp(self)
        self.sort = SortBox(self)
        self._filters: tuple[Filter, ...] = ()
        self.filters = ActiveFilters(self)
        self._said = ResultSummary(self)
        self._suggestion = QPushButton(self)
        self._ask = QPushButton(self.tr("Ask about these"), self)
        self._missing = QPushButton(self.tr("Why is a file missing?"), self)
        self._return = QPushButton(self.tr("Back to the results"), self)
        self._narrow = icons.IconButton("filter", self.tr("Narrow down"), self)
        self._narrow.setObjectName("narrow_down")
        self._back = icons.IconButton("arrow-left", self.tr("Back to the conversation (Esc)"), self)
        buttons = (self._return, self._missing, self._ask)
        self._line = SummaryLine(self._narrow, buttons, (self._said, self._suggestion, self.sort))
        self._body = QStackedWidget(self)
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._found: HitsFound | None = None
        self._relating: Hit | None = None
        self._typing = False
        self._opening = False  # after Enter in the field: show the first passage as soon as it is found
        self._counted: FacetsCounted | None = None
        self._arrange()
        self._connect()
        self._show_nothing()

    def search(self) -> RecentSearch:
        """Return the current search."""
        return RecentSearch(self.row.query(), self.row.mode(), self._filters, self.sort.sort())

    def set_search(self, search: RecentSearch) -> None:
        """Run another search at once."""
        self.row.set_search(search)
        with QSignalBlocker(self.sort):
            self.sort.show_sort(search.sort)
        self._set_filters(search.filters)
        self._on_entered()

    def take_focus(self, text: str = "") -> None:
        """Focus the query field with its text selected."""
        if text:
            self.set_search(RecentSearch(text, self.row.mode()))
        self.row.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.row.field.selectAll()

    def show_found(self, found: HitsFound) -> None:
        """Show the hits of the newest query; if they only continue or re-rank the shown ones, nothing jumps."""
        stay = self._found is not None and found.continues(self._found) and self._relating is None
        self._found, self._relating = found, None
        result = set_apart(found)
        more = has_more(found, result, self._counted)
        shown = result.hits, result.similar, result.named
        self.results.show_hits(*shown, more=more, stay=stay, per_document=cap_of(found))
        self.row.field.show_trouble(None)
        self._said.show_result(result, more=more)
        if self._filters and not any(shown):
            named = self._said.show_nothing(self._filters, result.note)
            self._suggest(named, self.tr("Remove the filter {0}"), bare=True)
        else:
            self._suggest(result.suggestion, self.tr("Did you mean: {0}"))
        self._offer()
        if self._opening and result.hits and self.row.field.hasFocus():
            self.results.take_focus()
        self._opening = False

    def show_searching(self, *, first: bool) -> None:
        """Say that the hits are still looked for; the `first` search loads what all others use."""
        longer = self.tr("Searching… The first search after a start takes longer.")
        self._said.show_text(longer if first else self.tr("Searching…"))

    def show_related(self, hit: Hit, result: SearchResult) -> None:
        """Show passages related to a hit until the user goes back."""
        self._relating = hit
        self.results.show_hits(result.hits)
        span = hit.snippet.span
        named = self.tr("Related to “{0}”, {1}").format(one_line(hit.title), lines(span.first_line, span.last_line))
        self._said.show_text(named if result.hits else self.tr("No related passages"))
        self._suggest("")
        self._offer()
        self.results.take_focus()

    def show_counted(self, counted: FacetsCounted) -> None:
        """Show the facets of the hits."""
        self._counted = counted
        found = self._found if self._relating is None else None
        if found is not None and has_more(found, set_apart(found), counted) and not self.results.results.has_more():
            self.show_found(found)
        self._said.show_counted(counted.facets)
        self._show_facets()
        self._fit()

    def _show_facets(self) -> None:
        self.facets.show_facets(self._counted.facets if self._counted else Facets(0), self._filters)

    def show_error(self, error: object) -> None:
        """Show why the search failed, where, and a repaired query; the earlier hits stay while the user types."""
        if not (self._typing and isinstance(error, QueryError)):
            self._found = self._counted = None
            self.results.show_hits(())
            self._show_facets()
        self._relating = None
        said = one_line(sentence(error)) if isinstance(error, DesktopRagError) else self.tr("The search failed.")
        if self._found is not None and self.results.results.rows:
            earlier = shorten(one_line(self._found.result.query), 60)
            said = "  ·  ".join((said, self.tr("below is what “{0}” found").format(earlier)))
        self._said.show_text(said)
        if isinstance(error, QueryError):
            indent = len(text := self.row.field.text()) - len(text.lstrip())
            self.row.field.show_trouble(indent + error.position, one_line(sentence(error)))
        self._suggest(error.suggestion if isinstance(error, QueryError) else "", self.tr("Try: {0}"))
        self._offer()
        self._ask.hide()  # they are not what is asked for now

    def _offer(self) -> None:
        """Show the buttons that apply now."""
        found = self._found is not None and bool(set_apart(self._found).hits)
        self._ask.setVisible(found and self._relating is None)
        self._missing.setVisible(self._found is not None and not found)
        self._return.setVisible(self._relating is not None)
        self.sort.setVisible(self._found is not None and self._relating is None)
        self._said.show()
        self._body.setCurrentWidget(self._split)
        self._fit()

    def show_kept(self, searches: SavedSearches) -> None:
        """List the recent and saved searches."""
        self.row.show_kept(searches)
        self.start.show_kept(searches)

    def clear(self) -> None:
        """Clear query and results, as for another library."""
        self.row.set_search(RecentSearch("", self.row.mode()))
        self._set_filters(())
        self._show_nothing()

    def lacks_meaning(self) -> bool:
        """Return whether the hits shown were found while search by meaning was incomplete."""
        found = self._found if self._relating is None else None
        return found is not None and found.result.coverage < 1 and found.request.mode.by_meaning

    def status_text(self) -> str:
        """Return the line above the list."""
        return self._said.text()

    def suggested(self) -> QPushButton:
        """Return the button with a suggested query; hidden without one."""
        return self._suggestion

    def commands(self) -> tuple[CommandPart, ...]:
        """Return the commands of the page and of a selected passage."""
        texts = (self.tr("Search at once"), self.tr("Go to the results"), self.tr("Back"))
        rows = zip(texts, ("Return", "Down", "Escape"), strict=True)
        fixed = tuple((text, shown_keys(QKeySequence(keys))) for text, keys in rows)
        title, closed = self.tr("In the search"), self.tr("Open the search first")
        page = CommandPart("search", title, self._commands, fixed, blocked=lambda: "" if self.isVisible() else closed)
        none = self.tr("No passage is selected")
        return (page, self.results.command_part("passage", self.tr("On a selected passage"), none))

    def _arrange(self) -> None:
        for button in (self._suggestion, self._ask, self._missing, self._return):
            set_role(button, "link")
        self._suggestion.setToolTip(self.tr("Search for this instead"))
        self._narrow.setCheckable(True)
        right = QWidget(self._split)  # the filters stand here, so that they move nothing in the lists at the left
        in_column(self.filters, (self.results, 1), on=right, spacing=None)
        self._split.addWidget(self.facets)
        self._split.addWidget(right)
        self._split.setStretchFactor(1, 1)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setSizes([_FACETS_WIDTH, 500])
        self._body.addWidget(self.start)
        self._body.addWidget(self.help)
        self._body.addWidget(self._split)
        head = in_column(
            in_row(self._back, (self.row, 1), spacing=GRID // 2),
            self._line,
            spacing=GRID // 2,
            margins=(GRID, GRID, 2 * GRID, 0),
        )
        in_column(head, (self._body, 1), on=self, spacing=GRID // 2)
        self.setFocusProxy(self.row)

    def _connect(self) -> None:
        self.row.edited.connect(self._on_edited)
        self.sort.currentIndexChanged.connect(self._on_entered)
        self.row.entered.connect(self._on_entered)
        self.row.field.entered.connect(self._on_field_entered)
        self.row.field.went_down.connect(self.results.take_focus)
        self.row.field.dismissed.connect(self.left)
        self.row.search_chosen.connect(self.set_search)
        self.row.help_requested.connect(self._on_help_requested)
        self.help.example_chosen.connect(lambda text: self.set_search(RecentSearch(text, self.row.mode())))
        self.row.field.accepted.connect(self._suggestion.click)
        self.facets.lists.toggled.connect(self._on_filter_toggled)
        self.filters.removed.connect(self._on_filter_toggled)
        self.facets.dates.chosen.connect(self._on_dates_chosen)
        self.facets.dates.dismissed.connect(self.row.field.setFocus)
        self.facets.lists.dismissed.connect(self.row.field.setFocus)
        self.help.dismissed.connect(self._on_help_dismissed)
        self.start.search_chosen.connect(self.set_search)
        self.start.help_requested.connect(self._on_help_requested)
        self.start.dismissed.connect(self.left)
        self.results.why_requested.connect(self.why_requested)
        self._missing.clicked.connect(lambda: self.why_requested.emit(None))
        self._return.clicked.connect(self._on_return)
        self.results.left_upwards.connect(self.row.field.setFocus)
        self.results.dismissed.connect(self._on_dismissed)
        self._narrow.toggled.connect(self._fit)
        self._back.clicked.connect(self.left)
        self._suggestion.clicked.connect(lambda: self.set_search(self._better))
        self._ask.clicked.connect(self._on_ask_clicked)
        self._add_keys()

    def _add_keys(self) -> None:
        here = Qt.ShortcutContext.WidgetWithChildrenShortcut
        rows: list[tuple[str, str, str, Callable[[], object]]] = [
            ("accept_suggestion", self.tr("Accept the suggestion"), "Ctrl+Return", self._suggestion.click),
            ("next_part", self.tr("Next part: query, filters, passages"), "F6", partial(self._go_round, 1)),
            ("previous_part", self.tr("Previous part"), "Shift+F6", partial(self._go_round, -1)),
            ("next_passage", self.tr("Next passage"), "F4", partial(self.results.step, 1)),
            ("previous_passage", self.tr("Previous passage"), "Shift+F4", partial(self.results.step, -1)),
            ("narrow_down", self.tr("Narrow down"), "Ctrl+Shift+F", self._narrow_down),
            ("recent_searches", self.tr("Recent and saved searches"), "Ctrl+H", self.row.open_kept),
            ("save_search", self.tr("Save this search"), "Ctrl+S", self.row.ask_for_name),
            (
                "table",
                self.tr("New table over these documents…"),
                "Ctrl+Shift+Y",
                partial(self._emit_found, self.table_about),
            ),
            (
                "report",
                self.tr("New report over these documents…"),
                "Ctrl+Alt+R",
                partial(self._emit_found, self.report_about),
            ),
            ("how_to_ask", self.tr("How to ask"), "Ctrl+Shift+H", self._on_help_requested),
        ]
        for place, mode in enumerate(OFFERED):
            text = self.tr("Search for: {0}").format(names_of(mode)[0])
            rows.append((f"mode_{mode.value}", text, f"Alt+{place + 1}", partial(self.row.choose_mode, place)))
        self._commands = tuple(new_command(self, *row) for row in rows)
        for action in self._commands:
            whole = action.objectName() in ("next_passage", "previous_passage")  # also while a document is open
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut if whole else here)
            action.changed.connect(partial(name_keys, self, (action,)))
            self.addAction(action)
        name_keys(self, self._commands)

    def _go_round(self, by: int) -> None:
        """Move the focus to the next part of the page that accepts it."""
        parts: list[tuple[QWidget, Callable[[], None]]] = [(self.row, self.row.field.setFocus)]
        if self.facets.isVisible():
            parts.append((self.facets, self.facets.take_focus))
        if self.results.isVisible() and self.results.results.rowCount():
            parts.append((self.results, self.results.take_focus))
        shown = next((page for page in (self.start, self.help) if page.isVisible()), None)
        if shown is not None:
            parts.append((shown, shown.take_focus))
        focused = QApplication.focusWidget() or self
        at = next((place for place, (part, _) in enumerate(parts) if part.isAncestorOf(focused) or part is focused), 0)
        parts[(at + by) % len(parts)][1]()

    def _narrow_down(self) -> None:
        if self._body.currentWidget() is self._split:
            self._narrow.setChecked(True)
            self.facets.setVisible(True)
            self.facets.take_focus()

    def _show_nothing(self) -> None:
        self._found = self._relating = None
        self.results.show_hits(())
        self._said.show_text("")
        self._suggest("")
        self._offer()
        self._body.setCurrentWidget(self.start)
        self._fit()

    def _suggest(self, better: str, words: str = "{0}", *, bare: bool = False) -> None:
        """Offer a better query, or with `bare` the same one without its filters, which `better` names."""
        query, filters = (self.row.query(), ()) if bare else (better, self._filters)
        self._better = RecentSearch(query, self.row.mode(), filters, self.sort.sort())
        most = _LONGEST if self.width() >= _NARROW else _LONGEST // 2
        self._suggestion.setText(button_text(words.format(shorten(one_line(better), most))))
        self._suggestion.setVisible(bool(better))

    def _set_filters(self, filters: Sequence[Filter]) -> None:
        self._filters = tuple(filters)
        self.filters.show_filters(self._filters)
        self._show_facets()

    @Slot()
    def _fit(self) -> None:
        """Show the facets beside the hits where there is room, else on demand, and the summary in a line of its own."""
        wide = self.width() >= _NARROW
        self.row.set_narrow(narrow=not wide)
        self._narrow.setVisible(not wide and self._body.currentWidget() is self._split)
        self.facets.setVisible(wide or self._narrow.isChecked())
        self._line.fit(wide=wide, room=self.width() - 3 * GRID)

    @Slot()
    def _on_edited(self) -> None:
        self._typing, self._opening = True, False
        self.facets.release()
        self._want(at_once=False)

    @Slot()
    def _on_entered(self) -> None:
        self._typing = False
        self._want(at_once=True)

    @Slot()
    def _on_field_entered(self) -> None:
        known = self._found is not None and self._relating is None and self._found.answers(self.search())
        self._opening = not known
        self.results.take_focus() if known else self._on_entered()  # the hits that were read while typing stay

    @Slot()
    def _on_dismissed(self) -> None:
        leave = self.row.field.setFocus if self._relating is None else self._on_return
        leave()

    @Slot()
    def _on_return(self) -> None:
        hit, found = self._relating, self._found
        if found is None:
            self._show_nothing()
            return
        self.show_found(found)
        if hit is not None:
            self.results.choose(hit)

    def _want(self, *, at_once: bool) -> None:
        search = self.search()
        if not search.query and not search.filters:
            self._show_nothing()
        self.asked.emit(search, at_once)

    @Slot(object)
    def _on_filter_toggled(self, chosen: Filter) -> None:
        others = tuple(each for each in self._filters if each != chosen)
        self._set_filters(others if chosen in self._filters else (*others, chosen))
        self._on_entered()

    @Slot(object)
    def _on_dates_chosen(self, chosen: Filter | None) -> None:
        others = tuple(each for each in self._filters if each.field not in DATE_FIELDS)
        self._set_filters(others if chosen is None else (*others, chosen))
        self._on_entered()

    @Slot()
    def _on_help_requested(self) -> None:
        if self._body.currentWidget() is self.help:
            self._on_help_dismissed()
            return
        self._body.setCurrentWidget(self.help)
        for of_results in (self._said, self._ask, self._missing, self._return, self.sort, self._narrow):
            of_results.hide()
        self.help.take_focus()

    @Slot()
    def _on_help_dismissed(self) -> None:
        if self._found is not None:
            self._offer()
        else:
            self._body.setCurrentWidget(self.start)
        self.row.field.setFocus()

    @Slot()
    def _on_ask_clicked(self) -> None:
        if self._found is not None:
            result = set_apart(self._found)
            self.ask_about.emit(tuple(dict.fromkeys(hit.sha256 for hit in result.hits)), result.query)

    def _emit_found(self, signal: SignalInstance) -> None:
        if self._found is not None and (hits := set_apart(self._found).hits):
            signal.emit(tuple(dict.fromkeys(hit.sha256 for hit in hits)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Collapse the side lists in a narrow window."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure the buttons again, which have their style only now."""
        super().showEvent(event)
        self._fit()
