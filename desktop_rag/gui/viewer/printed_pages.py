"""The printed pages of a document as one of its views: lines become places on pages, and back."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF

from desktop_rag.documents.document import page_of
from desktop_rag.gui.viewer.page_marks import Areas, areas_of_lines
from desktop_rag.gui.viewer.page_view import PageView
from desktop_rag.gui.viewer.view import Match, Selected
from desktop_rag.index.records import Layout

_NOTHING = Layout(b"", (), b"")


class PrintedPages(PageView):
    """Knows where each line of the text stands on the pages."""

    _layout = _NOTHING

    def set_layout(self, layout: Layout) -> None:
        """Take the places of another document's lines."""
        self._layout = layout

    def show_citation(self, first: int, last: int) -> None:
        """Mark these lines and scroll to them; `first` 0 takes the marks away."""
        areas = areas_of_lines(self._layout, first, last) if first else {}
        self.set_marks(areas)
        if areas:
            page = min(areas)
            self.reveal_place(page, areas[page][0].top())
        elif first:
            self.reveal(first)

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark what was searched for."""
        now = matches[current : current + 1] if current >= 0 else ()
        self.set_matches(self._areas_of(matches), self._areas_of(now))

    def go_to_match(self, match: Match) -> None:
        """Bring a match into sight."""
        self.reveal(match[0][0])

    def reveal(self, line: int) -> None:
        """Bring a line into sight, or at least its page."""
        for page, found in areas_of_lines(self._layout, line, line).items():
            self.reveal_place(page, found[0].top())
            return
        self.reveal_place(page_of(self._layout.pages, line) or 1)

    def seen_line(self) -> int:
        """Return the first line of the page that is looked at."""
        pages = self._layout.pages
        return pages[self.page - 1].first_line if 0 < self.page <= len(pages) else 1

    def selected(self) -> Selected:
        """Return what is selected."""
        return Selected()

    def _areas_of(self, matches: Sequence[Match]) -> Areas:
        if not self._layout.boxes:
            return {}
        areas: dict[int, list[QRectF]] = {}
        for line in {line for match in matches for line, _, _ in match}:
            for page, found in areas_of_lines(self._layout, line, line).items():
                areas.setdefault(page, []).extend(found)
        return {page: tuple(found) for page, found in areas.items()}
