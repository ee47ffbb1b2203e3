"""Renders pages in the background by one child process, visible pages first."""

import hashlib
import stat
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from desktop_rag.documents.document import page_of
from desktop_rag.documents.render.painter_messages import BLACK, WHITE, PagePainted, PrintedText
from desktop_rag.errors import DocumentError, LibraryError, ProcessError
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.theme.theme import pages_are_dark
from desktop_rag.gui.theme.theme_colors import DARK
from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout, arrange_glyphs, boxes_on_page, spread_glyphs
from desktop_rag.index.records import DocumentLayout
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.documents.render.painter_client import Painter

# The queue of render requests: filled by the window, taken by the background job, most urgent first.


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A file with pages, as it was indexed: the boxes of its lines fit these bytes only."""

    path: Path
    sha256: str
    modified_ns: int


class Purpose(IntEnum):
    """What a page is requested for; smaller numbers are more urgent."""

    READING = 0
    GLYPHS = 1  # the positions of its glyphs
    THUMBNAIL = 2


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A page to render at `scale` pixels per point, or to read the glyphs of."""

    number: int
    scale: float = 0.0
    purpose: Purpose = Purpose.READING
    dark: bool = False  # on dark paper


class RenderQueue:
    """Pending requests of one file; a new request replaces queued ones of the same purpose."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file: PrintedFile | None = None
        self._to_open = False
        self._pages: dict[Purpose, list[RenderRequest]] = {}

    def open(self, file: PrintedFile) -> None:
        """Queue opening a file first, and drop the requests of another one."""
        with self._lock:
            self._file, self._to_open, self._pages = file, True, {}

    def put(self, file: PrintedFile, purpose: Purpose, pages: Sequence[RenderRequest]) -> None:
        """Queue requests in this order; those of another file are dropped."""
        with self._lock:
            if file != self._file:
                self._file, self._pages = file, {}
            self._pages[purpose] = list(pages)

    def clear(self) -> None:
        """Drop all requests."""
        with self._lock:
            self._file, self._to_open, self._pages = None, False, {}

    def pending(self) -> bool:
        """Return whether requests are pending."""
        with self._lock:
            return self._file is not None and (self._to_open or any(self._pages.values()))

    def file(self) -> PrintedFile | None:
        """Return the file of the pending requests."""
        with self._lock:
            return self._file

    def take(self) -> tuple[PrintedFile, RenderRequest | None] | None:
        """Remove and return the next request; None in place of a page: only open the file."""
        with self._lock:
            if self._file is None:
                return None
            if self._to_open:
                self._to_open = False
                return self._file, None
            for purpose in Purpose:
                if pages := self._pages.get(purpose):
                    return self._file, pages.pop(0)
            return None


_BLOCK = 1 << 20

CopyOf = Callable[[str, Stop], Path | None]


@dataclass(frozen=True, slots=True)
class FileOpened:
    """The file can be rendered; its pages have these sizes in points."""

    file: PrintedFile
    sizes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class FileRefused:
    """The file cannot be rendered; `reason` is shown to the user."""

    file: PrintedFile
    reason: str


@dataclass(frozen=True)
class PageReady:
    """A rendered page; `scale` is the requested one, even if the painter had to use a smaller one."""

    file: PrintedFile
    number: int
    scale: float
    image: QImage
    purpose: Purpose
    dark: bool = False


@dataclass(frozen=True, slots=True)
class PageGlyphsRead:
    """The positions of the glyphs of a page; no runs if they cannot be read."""

    file: PrintedFile
    number: int
    runs: tuple[PrintedText, ...]


@dataclass(frozen=True, slots=True)
class PageRefused:
    """One page cannot be rendered."""

    file: PrintedFile
    number: int
    reason: str


RenderEvent = FileOpened | FileRefused | PageReady | PageGlyphsRead | PageRefused


def real_painter() -> "Painter":
    """Return a painter with its own child process, imported when the first page is shown."""
    from desktop_rag.documents.render.painter_client import Painter

    return Painter()


class RenderService(QObject):
    """One painter for all tabs; a new request replaces queued ones of the same purpose.

    `copy_of` fetches a file that is not on this computer by its hash, on the background thread.
    """

    opened = Signal(FileOpened)  # follows `open`
    refused = Signal(FileRefused)
    painted = Signal(PageReady)
    read = Signal(PageGlyphsRead)
    page_refused = Signal(PageRefused)

    def __init__(
        self, new_painter: "Callable[[], Painter]", parent: QObject | None = None, copy_of: CopyOf | None = None
    ) -> None:
        super().__init__(parent)
        self._copy_of = copy_of
        self._new_painter = new_painter
        self._painter: Painter | None = None
        self._open: FileOpened | None = None
        self._queue = RenderQueue()
        self._closed = False
        self._suspending = False
        self._worker = StreamWorker("pages", self._on_yielded, self)
        self._worker.failed.connect(self._on_failed)
        self._worker.finished.connect(self._on_finished)

    def prepare(self) -> None:
        """Start the child process ahead of time: a document with pages is about to be opened."""
        if self._painter is None and not self._closed and not self._worker.is_running():
            self._worker.start(self._start_painter)

    def open(self, file: PrintedFile) -> None:
        """Open `file`; `opened` or `refused` follows."""
        self._queue.open(file)
        self._wake()

    def request(self, file: PrintedFile, purpose: Purpose, pages: list[RenderRequest]) -> None:
        """Queue requests for pages of `file` in this order, replacing queued ones of the same purpose."""
        self._queue.put(file, purpose, pages)
        self._wake()

    def suspend(self) -> None:
        """Drop all requests and end the child process until it is needed again."""
        self._queue.clear()
        self._suspending = True
        self._worker.stop()
        if not self._worker.is_running():
            self._end_painter()

    def close(self) -> None:
        """End the child process and wait for the thread."""
        self._closed = True
        self._queue.clear()
        self._worker.close()
        self._end_painter()

    def _end_painter(self) -> None:
        self._open, self._suspending = None, False
        if self._painter is not None:
            self._painter.close()
            self._painter = None

    def _wake(self) -> None:
        self._suspending = False
        if not self._closed and self._queue.pending() and not self._worker.is_running():
            self._worker.start(self._process)

    def _start_painter(self, stop: Stop) -> Generator[RenderEvent]:
        self._painter = self._new_painter()
        with suppress(ProcessError):  # the error is reported with the first page
            self._painter.prepare()
        yield from self._process(stop)

    def _process(self, stop: Stop) -> Generator[RenderEvent]:
        """Process requests until none is left; runs on the background thread."""
        while not stop.is_set() and (task := self._queue.take()) is not None:
            file, request = task
            try:
                opened = self._open_file(file, stop)
                yield opened if request is None else self._render(file, request, stop)
            except DocumentError as error:
                yield self._refusal(file, request, str(error))

    def _refusal(self, file: PrintedFile, request: RenderRequest | None, reason: str) -> RenderEvent:
        if self._open is None or request is None:
            return FileRefused(file, reason)
        if request.purpose is Purpose.GLYPHS:
            return PageGlyphsRead(file, request.number, ())
        return PageRefused(file, request.number, reason)

    def _open_file(self, file: PrintedFile, stop: Stop) -> FileOpened:
        if self._open is None or self._open.file != file:
            self._open = None
            self._painter = self._painter or self._new_painter()
            self._open = FileOpened(file, self._painter.open(self._path_of(file, stop), stop).sizes)
        return self._open

    def _path_of(self, file: PrintedFile, stop: Stop) -> Path:
        """Return where the indexed bytes of a file are; raises `DocumentError`."""
        try:
            _check_bytes(file, stop)
        except DocumentError:
            try:
                copy = self._copy_of(file.sha256, stop) if self._copy_of is not None else None
            except LibraryError as error:
                raise DocumentError(str(error)) from error
            if copy is None:
                raise
            return copy
        return file.path

    def _render(self, file: PrintedFile, request: RenderRequest, stop: Stop) -> PageReady | PageGlyphsRead:
        assert self._painter is not None
        if request.purpose is Purpose.GLYPHS:
            return PageGlyphsRead(file, request.number, self._painter.read(request.number, stop).runs)
        paper, ink = (_number(DARK.surface), _number(DARK.text)) if request.dark else (WHITE, BLACK)
        painted = self._painter.paint(request.number, request.scale, stop, paper=paper, ink=ink)
        return PageReady(file, request.number, request.scale, _image(painted), request.purpose, request.dark)

    @Slot(object)
    def _on_yielded(self, event: RenderEvent) -> None:
        match event:
            case FileOpened():
                self.opened.emit(event)
            case FileRefused():
                self.refused.emit(event)
            case PageReady():
                self.painted.emit(event)
            case PageGlyphsRead():
                self.read.emit(event)
            case PageRefused():
                self.page_refused.emit(event)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        file = self._queue.file()
        if file is not None:
            self._queue.clear()
            self.refused.emit(FileRefused(file, str(error)))

    @Slot()
    def _on_finished(self) -> None:
        if self._queue.pending():
            self._wake()
        elif self._suspending:
            self._end_painter()


def _check_bytes(file: PrintedFile, stop: Stop) -> None:
    """Raise `DocumentError` if the file is not the indexed one: its lines would be marked in wrong places."""
    try:
        facts = file.path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise DocumentError(f"{file.path.name} is not a file any more")
        if facts.st_mtime_ns == file.modified_ns:
            return
        found = hashlib.sha256()
        with file.path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                stop.check()
                found.update(block)
    except OSError as error:
        raise DocumentError(f"{file.path.name} cannot be opened: {error.strerror or error}") from error
    if found.hexdigest() != file.sha256:
        raise DocumentError(f"{file.path.name} has changed since it was read into your library")


def _number(color: str) -> int:
    return int(color.removeprefix("#"), 16)


def _image(painted: PagePainted) -> QImage:
    picture = QImage(painted.pixels, painted.width, painted.height, painted.stride, QImage.Format.Format_RGB888)
    return picture.convertToFormat(QImage.Format.Format_RGB32)  # a copy, in the format drawn fastest


# Least-recently-used caches of the rendered pages and of the glyph layouts of one file.

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
