"""The GUI's side of the painter child: opens a file and returns its pages as pixels and text; every call blocks."""

import stat
from pathlib import Path

from desktop_rag.documents.file_types import MAX_FILE_BYTES
from desktop_rag.documents.format_registry import too_large_reason
from desktop_rag.documents.render.painter import MEMORY_MEGABYTES
from desktop_rag.documents.render.painter_messages import (
    BLACK,
    PAINTER_REPLIES,
    PAINTER_REQUESTS,
    WHITE,
    OpenForPainting,
    PagePainted,
    PageRead,
    PagesOpened,
    PaintingFailed,
    PaintPage,
    ReadPage,
)
from desktop_rag.documents.sandbox.limited_child import ChildLost, LimitedChild
from desktop_rag.documents.sandbox.reader_client import seconds_for
from desktop_rag.errors import DocumentError
from desktop_rag.paths import valid_text
from desktop_rag.stop import Stop

_PAGE_SECONDS = 20.0
_BOX_BYTES = 16  # of each character of a page: four float32


class Painter:
    """Renders one document at a time; use it from one background thread, `close` it from any."""

    def __init__(self) -> None:
        self._child = LimitedChild("_painter", PAINTER_REQUESTS, PAINTER_REPLIES, MEMORY_MEGABYTES)
        self._path: Path | None = None
        self._opened_by: int | None = None

    def prepare(self) -> None:
        """Start the child before it is known what to render; raises `ProcessError`."""
        self._child.start()

    def open(self, path: Path, stop: Stop | None = None) -> PagesOpened:
        """Open the file at `path`; raises `DocumentError` with a sentence to show instead of its pages."""
        self._path = None
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):  # opening a pipe would block forever
                raise DocumentError(f"{path.name} is not a file.")
            if status.st_size > MAX_FILE_BYTES:
                raise DocumentError(too_large_reason(status.st_size))
            with path.open("rb") as file:
                request = OpenForPainting(valid_text(path.name), status.st_size)
                reply = self._child.ask(request, (file, status.st_size), seconds_for(status.st_size), stop or Stop())
        except ChildLost as lost:
            raise DocumentError(f"{path.name} cannot be shown: {lost.why or 'it crashed the painter'}.") from lost
        except OSError as error:
            raise DocumentError(f"{path.name} cannot be opened: {error.strerror or error}.") from error
        if isinstance(reply, PaintingFailed):
            raise DocumentError(reply.reason)
        opened = self._child.expect(reply, PagesOpened)
        self._path, self._opened_by = path, self._child.pid
        return opened

    def paint(
        self, number: int, scale: float, stop: Stop | None = None, *, paper: int = WHITE, ink: int = BLACK
    ) -> PagePainted:
        """Return page `number`, from 1, at `scale` pixels per point (less if the image would be huge).

        White is painted as `paper` and black as `ink` (0xRRGGBB).

        Raises `DocumentError`; after a page that crashed the child, the other pages can still be rendered.
        """
        request = PaintPage(number, scale, paper, ink)
        painted = self._child.expect(self._ask(request, number, stop or Stop()), PagePainted)
        if painted.number != number or not _is_whole(painted):
            raise self._child.distrust()
        return painted

    def read(self, number: int, stop: Stop | None = None) -> PageRead:
        """Return the characters of page `number`, from 1, with their boxes; raises `DocumentError`."""
        read = self._child.expect(self._ask(ReadPage(number), number, stop or Stop()), PageRead)
        if read.number != number or any(len(run.boxes) != _BOX_BYTES * len(run.text) for run in read.runs):
            raise self._child.distrust()
        return read

    def _ask(self, request: PaintPage | ReadPage, number: int, stop: Stop) -> object:
        path = self._path
        if path is None:
            raise DocumentError("No document is open.")
        if self._opened_by is None or self._child.pid != self._opened_by:
            self.open(path, stop)
        try:
            reply = self._child.ask(request, None, _PAGE_SECONDS, stop)
        except ChildLost as lost:
            raise DocumentError(f"Page {number} cannot be shown: {lost.why or 'it crashed the painter'}.") from lost
        except OSError as error:
            raise DocumentError(f"Page {number} cannot be shown: {error}.") from error
        if isinstance(reply, PaintingFailed):
            raise DocumentError(reply.reason)
        return reply

    def close(self) -> None:
        """Kill the child; a page that is being rendered fails at once."""
        self._path = None
        self._child.end()


def _is_whole(page: PagePainted) -> bool:
    """Return whether the pixels match the declared size; Qt reads them without bounds checks."""
    enough = page.stride >= 3 * page.width and len(page.pixels) >= page.stride * page.height
    return page.width > 0 and page.height > 0 and enough
