"""The letters of the pages of one file: fetched when a page is looked at, forgotten when that was long ago."""

from collections import OrderedDict
from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.viewer.page_desk import PageDesk, PageLettersRead
from desktop_rag.gui.viewer.page_letters import PageLetters, arranged
from desktop_rag.gui.viewer.page_wishes import PrintedFile, Purpose, Wish
from desktop_rag.index.records import Layout

_KEPT = 60


class PageShelf(QObject):
    """Asks the painter which letters stand where."""

    arrived = Signal(int)  # the letters of this page are known now

    def __init__(self, desk: PageDesk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._file: PrintedFile | None = None
        self._layout = Layout(b"", (), b"")
        self._pages: OrderedDict[int, PageLetters] = OrderedDict()
        desk.read.connect(self._on_read)

    def open(self, file: PrintedFile, layout: Layout) -> None:
        """Hold the letters of another file from now on."""
        self._file, self._layout = file, layout
        self._pages.clear()

    def want(self, pages: Iterable[int]) -> None:
        """Fetch the letters of these pages, unless they are there."""
        missing = [Wish(number, purpose=Purpose.LETTERS) for number in pages if number not in self._pages]
        if self._file is not None and missing:
            self._desk.want(self._file, Purpose.LETTERS, missing)

    def letters(self, page: int) -> PageLetters | None:
        """Return the letters of a page; None until they have come."""
        if page in self._pages:
            self._pages.move_to_end(page)
        return self._pages.get(page)

    @Slot(object)
    def _on_read(self, event: object) -> None:
        if isinstance(event, PageLettersRead) and event.file == self._file:
            self._pages[event.number] = arranged(event.runs, self._layout, event.number)
            while len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
            self.arrived.emit(event.number)
