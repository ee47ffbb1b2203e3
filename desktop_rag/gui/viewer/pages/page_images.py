"""A least-recently-used cache of the rendered pages of one file."""

from collections import OrderedDict
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.viewer.pages.render_requests import PrintedFile, Purpose, RenderRequest
from desktop_rag.gui.viewer.pages.render_service import FileOpened, FileRefused, PageReady, PageRefused, RenderService

_KEPT_BYTES = 96_000_000
_KEPT_PAGES = 3  # even if they are larger than that


class PageImageCache(QObject):
    """Requests pages from the render service and keeps the last ones used, up to a number of bytes."""

    opened = Signal(object)  # the sizes of the pages in points: the file can be rendered
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

    @property
    def file(self) -> PrintedFile | None:
        """Return the current file."""
        return self._file

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
        requests = [RenderRequest(number, scale) for number in pages if not self._has(number, scale)]
        self._service.request(self._file, Purpose.READING, requests)

    def picture(self, number: int) -> PageReady | None:
        """Return a rendered page, possibly at another scale, or None."""
        return self._images.get(number)

    def trouble(self, number: int) -> str:
        """Return why a page cannot be rendered, or ""."""
        return self._broken.get(number, "")

    def _has(self, number: int, scale: float) -> bool:
        kept = self._images.get(number)
        return number in self._broken or (kept is not None and abs(kept.scale - scale) < scale * 0.001)

    def _forget_some(self) -> None:
        size = sum(ready.image.sizeInBytes() for ready in self._images.values())
        while size > _KEPT_BYTES and len(self._images) > _KEPT_PAGES:
            size -= self._images.popitem(last=False)[1].image.sizeInBytes()

    @Slot(object)
    def _on_opened(self, event: object) -> None:
        if isinstance(event, FileOpened) and event.file == self._file:
            self.opened.emit(event.sizes)

    @Slot(object)
    def _on_refused(self, event: object) -> None:
        if isinstance(event, FileRefused) and event.file == self._file:
            self._file = None
            self.refused.emit(event.reason)

    @Slot(object)
    def _on_painted(self, event: object) -> None:
        if isinstance(event, PageReady) and event.file == self._file and event.purpose is Purpose.READING:
            self._images[event.number] = event
            self._images.move_to_end(event.number)
            self._forget_some()
            self.arrived.emit(event.number)

    @Slot(object)
    def _on_page_refused(self, event: object) -> None:
        if isinstance(event, PageRefused) and event.file == self._file:
            self._broken[event.number] = event.reason
            self.arrived.emit(event.number)
