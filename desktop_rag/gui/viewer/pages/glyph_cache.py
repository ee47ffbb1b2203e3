"""A least-recently-used cache of the glyph layouts of one file's pages."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.documents.document import page_of
from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout, arrange_glyphs, boxes_on_page, spread_glyphs
from desktop_rag.gui.viewer.pages.render_requests import PrintedFile, Purpose, RenderRequest
from desktop_rag.gui.viewer.pages.render_service import PageGlyphsRead, RenderService
from desktop_rag.index.records import DocumentLayout

_KEPT = 60


class GlyphCache(QObject):
    """Requests glyph positions from the render service and keeps the last ones used."""

    arrived = Signal(int)  # the glyphs of this page are known now
    text_requested = Signal(int, int)  # lines (first, last) whose text is needed: the page is scanned

    def __init__(self, service: RenderService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._file: PrintedFile | None = None
        self._layout = DocumentLayout(b"", (), b"")
        self._pages: OrderedDict[int, GlyphLayout] = OrderedDict()
        service.read.connect(self._on_read)

    def open(self, file: PrintedFile, layout: DocumentLayout) -> None:
        """Switch to another file and clear the cache."""
        self._file, self._layout = file, layout
        self._pages.clear()

    def request(self, pages: Iterable[int]) -> None:
        """Request the glyphs of these pages unless they are cached."""
        missing = [RenderRequest(number, purpose=Purpose.GLYPHS) for number in pages if number not in self._pages]
        if self._file is not None and missing:
            self._service.request(self._file, Purpose.GLYPHS, missing)

    def glyphs(self, page: int) -> GlyphLayout | None:
        """Return the glyphs of a page; None until they have arrived."""
        if page in self._pages:
            self._pages.move_to_end(page)
        return self._pages.get(page)

    @Slot(object)
    def _on_read(self, event: object) -> None:
        if isinstance(event, PageGlyphsRead) and event.file == self._file:
            self._keep(event.number, arrange_glyphs(event.runs, self._layout, event.number))
            lines = [] if event.runs else [line for line, _ in boxes_on_page(self._layout, event.number)]
            if lines:
                self.text_requested.emit(lines[0], lines[-1])

    def take_words(self, first: int, lines: Sequence[str]) -> None:
        """Lay out the text of lines from `first` on in their boxes on a scanned page."""
        page = page_of(self._layout.pages, first)
        if page is not None and page in self._pages:
            placed = (pair for pair in boxes_on_page(self._layout, page) if 0 <= pair[0] - first < len(lines))
            self._keep(page, spread_glyphs((line, lines[line - first], box) for line, box in placed))

    def _keep(self, page: int, glyphs: GlyphLayout) -> None:
        self._pages[page] = glyphs
        while len(self._pages) > _KEPT:
            self._pages.popitem(last=False)
        self.arrived.emit(page)
