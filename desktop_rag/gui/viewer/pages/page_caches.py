"""Least-recently-used caches of the rendered pages and of the glyph layouts of one file."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.documents.document import page_of
from desktop_rag.gui.theme.theme import pages_are_dark
from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout, arrange_glyphs, boxes_on_page, spread_glyphs
from desktop_rag.gui.viewer.pages.render_service import (
    FileOpened,
    FileRefused,
    PageGlyphsRead,
    PageReady,
    PageRefused,
    PrintedFile,
    Purpose,
    RenderRequest,
    RenderService,
)
from desktop_rag.index.records import DocumentLayout

_KEPT_BYTES = 96_000_000
_KEPT_PAGES = 3  # even if they are larger than that
_KEPT_LAYOUTS = 60


class PageImageCache(QObject):
    """Requests pages from the render service and keeps the last ones used, up to a number of bytes."""

    opened = Signal(tuple)  # the sizes of the pages in points: the file can be rendered
    refused = Signal(str)  # why the file cannot be rendered
    arrived = Signal(int)  # this page was rendered, or cannot be

    def __init__(self, service: RenderService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._file: PrintedFile | None = None
        self._images: OrderedDict[int, PageReady] = OrderedDict()
        self._broken: dict[int, str] = {}
        service.opened.connect(self._on_opened)
        service.refused.connect(self._on_refused)
        service.painted.connect(self._on_painted)
        service.page_refused.connect(self._on_page_refused)

    def open(self, file: PrintedFile) -> None:
        """Open another file; `opened` or `refused` follows."""
        self._file = file
        self._images.clear()
        self._broken.clear()
        self._service.open(file)

    def request(self, pages: Sequence[int], scale: float) -> None:
        """Request these pages in this order, unless they are cached at this scale."""
        if self._file is None:
            return
        for number in reversed(pages):
            if number in self._images:
                self._images.move_to_end(number)
        dark = pages_are_dark()
        requests = [RenderRequest(number, scale, dark=dark) for number in pages if not self._has(number, scale, dark)]
        self._service.request(self._file, Purpose.READING, requests)

    def picture(self, number: int) -> PageReady | None:
        """Return a rendered page, possibly at another scale, or None."""
        return self._images.get(number)

    def trouble(self, number: int) -> str:
        """Return why a page cannot be rendered, or ""."""
        return self._broken.get(number, "")

    def _has(self, number: int, scale: float, dark: bool) -> bool:  # noqa: FBT001 - reads as a value
        kept = self._images.get(number)
        if number in self._broken:
            return True
        return kept is not None and kept.dark == dark and abs(kept.scale - scale) < scale * 0.001

    def _forget_some(self) -> None:
        size = sum(ready.image.sizeInBytes() for ready in self._images.values())
        while size > _KEPT_BYTES and len(self._images) > _KEPT_PAGES:
            size -= self._images.popitem(last=False)[1].image.sizeInBytes()

    @Slot(FileOpened)
    def _on_opened(self, event: FileOpened) -> None:
        if event.file == self._file:
            self.opened.emit(event.sizes)

    @Slot(FileRefused)
    def _on_refused(self, event: FileRefused) -> None:
        if event.file == self._file:
            self._file = None
            self.refused.emit(event.reason)

    @Slot(PageReady)
    def _on_painted(self, event: PageReady) -> None:
        if event.file == self._file and event.purpose is Purpose.READING:
            self._images[event.number] = event
            self._images.move_to_end(event.number)
            self._forget_some()
            self.arrived.emit(event.number)

    @Slot(PageRefused)
    def _on_page_refused(self, event: PageRefused) -> None:
        if event.file == self._file:
            self._broken[event.number] = event.reason
            self.arrived.emit(event.number)


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

    @Slot(PageGlyphsRead)
    def _on_read(self, event: PageGlyphsRead) -> None:
        if event.file == self._file:
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
        while len(self._pages) > _KEPT_LAYOUTS:
            self._pages.popitem(last=False)
        self.arrived.emit(page)
