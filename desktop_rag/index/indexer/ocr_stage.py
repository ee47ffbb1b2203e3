"""Reads the text in pictures of pages, when nothing else is left to read: one page at a time, each kept at once.

A thread paints a page and lets the engine read it, both in limited children; the loop stores what comes back. When the
pages of a content are done, or some dozens of them, a document with their lines takes the place of the one without.
"""

import hashlib
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.documents.chunking import DraftChunk, split
from desktop_rag.documents.document import Document
from desktop_rag.documents.ocr.ocr_engine import OcrEngine, installed_engine, scale_for
from desktop_rag.documents.ocr.recognised_lines import RecognisedLine, with_recognised
from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.errors import DocumentError, LibraryError, ProcessError, Stopped
from desktop_rag.index.catalog import content_storage, ocr_results
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.ocr_results import Scan
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

PAGES_AT_ONCE = 50  # of a long scan: so many are searchable before the rest is
WAIT_SECONDS = 0.05  # for a page, when there is nothing else to do
AGAIN_SECONDS = 600.0  # until a file is tried again that was not there, or was another one
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class PageDone:
    """An engine has looked at a page; `failure` says why it has read nothing, if it failed."""

    page: int
    lines: tuple[RecognisedLine, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class OcrMerged:
    """The document with its recognised lines, in chunks; `unread` pages are still to be looked at."""

    document: Document
    chunks: tuple[DraftChunk, ...]
    unread: int


@dataclass(frozen=True, slots=True)
class NothingNew:
    """No page holds any text that was not known."""


@dataclass(frozen=True, slots=True)
class NotNow:
    """The file is not there, or is another one now, or the work was called off."""

    called_off: bool = False


Outcome = PageDone | OcrMerged | NothingNew | NotNow


class OcrStage:
    """Used by the indexer's loop only, but for `call_off`."""

    def __init__(
        self, path: Path, catalog: Catalog, board: StatusBoard, find: Callable[[], OcrEngine | None] = installed_engine
    ) -> None:
        self._path = path
        self._catalog = catalog
        self._board = board
        self._find = find
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="recognition")
        self._desk = _Desk(path)
        self._scan: Scan | None = None
        self._task: Future[Outcome] | None = None
        self._stop = Stop()
        self._later: dict[ContentId, float] = {}
        self._began = self._not_before = 0.0
        self._engine: OcrEngine | None = None

    def close(self) -> None:
        """End the engine; what is not stored is read again."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._desk.close()
        if self._engine is not None:
            self._engine.close()

    def call_off(self) -> None:
        """Stop reading at once; callable from any thread."""
        self._stop.set()

    def step(self, *, free: bool, patient: bool = True, rest: float = 0.0) -> bool:
        """Store what was read; begin the next page if there is nothing else to read (`free`); return whether busy.

        A `patient` caller has nothing else to do and waits a moment for the page. Between two pages it rests, `rest`
        times as long as the last one took.
        """
        if self._task is not None:
            if patient:
                wait((self._task,), WAIT_SECONDS)
            if self._task.done():
                self._not_before = time.monotonic() + rest * (time.monotonic() - self._began)
                self._take(self._task.result())
            return True
        if not free:
            return False
        if time.monotonic() < self._not_before:
            if patient:
                self._stop.wait(WAIT_SECONDS)
            return True
        return self._begin()

    def _begin(self) -> bool:
        """Hand out the next page, or the weaving of those that are read; return whether there was anything."""
        scan = self._next()
        self._engine = engine = self._find() if scan is not None else None
        if scan is None or engine is None:
            return False
        self._scan, self._stop, self._began = scan, Stop(), time.monotonic()
        self._board.say(phase=IndexingPhase.RECOGNISING)
        self._task = self._pool.submit(self._desk.work, scan, engine, self._stop)
        return True

    def _next(self) -> Scan | None:
        now = time.monotonic()
        self._later = {content: at for content, at in self._later.items() if at > now}
        return ocr_results.next_scan(self._catalog.database, self._later)

    def _take(self, outcome: Outcome) -> None:
        self._task = None
        assert self._scan is not None
        database, scan = self._catalog.database, self._scan
        match outcome:
            case PageDone(page, lines, failure):
                with self._catalog.transaction():
                    ocr_results.keep(database, scan, page, self._engine.name if self._engine else "", lines, failure)
                self._board.achieved()
            case OcrMerged(document, chunks, unread):
                with self._catalog.transaction():  # at one go: what arrives by and by is the intake's alone
                    if ocr_results.is_there(database, scan):
                        content_storage.replace(database, scan.content, scan.sha256, document, chunks, unread)
                self._board.achieved()
            case NothingNew():
                ocr_results.give_up(database, scan)
                self._board.achieved()
            case NotNow(called_off):
                if not called_off:
                    self._later[scan.content] = time.monotonic() + AGAIN_SECONDS


class _Desk:
    """What the thread works with: a painter with the file at hand open, and a view of the catalog."""

    def __init__(self, catalog: Path) -> None:
        self._catalog = catalog
        self._painter = Painter()
        self._open: bytes | None = None  # the content whose file is open
        self._sizes: tuple[tuple[float, float], ...] = ()

    def close(self) -> None:
        """End the children."""
        self._painter.close()

    def work(self, scan: Scan, engine: OcrEngine, stop: Stop) -> Outcome:
        """Read the next page of a content, or weave what was read into its document."""
        try:
            with closing(CatalogReader.open(self._catalog)) as catalog:
                textless = catalog.layout(scan.content).structure.textless
                known = ocr_results.pages_read(catalog.database, scan)
                missing = [page for page in textless if page not in known]
                unwoven = [page for page in textless if known.get(page)]
                if missing and len(unwoven) < PAGES_AT_ONCE:
                    return self._page(catalog, scan, missing[0], engine, stop)
                if not unwoven and not missing:
                    return NothingNew()
                document = ocr_results.document_of(catalog, scan.content)
            lines = {page: found for page in textless if (found := known.get(page)) is not None}
            document = with_recognised(document, lines)
            return OcrMerged(document, tuple(split(document)), len(missing))
        except Stopped:
            return NotNow(called_off=True)
        except (LibraryError, ProcessError) as error:
            logger.warning("a page was not recognised: %s", error)
            return NotNow()

    def _page(self, catalog: CatalogReader, scan: Scan, number: int, engine: OcrEngine, stop: Stop) -> Outcome:
        if self._open != scan.sha256 and not self._open_file(catalog, scan, stop):
            return NotNow()
        try:
            width, height = self._sizes[number - 1]
            page = self._painter.paint(number, scale_for(width, height), stop)
            return PageDone(number, engine.recognise(page, stop))
        except (DocumentError, IndexError) as error:
            return PageDone(number, (), str(error) or "It does not exist.")

    def _open_file(self, catalog: CatalogReader, scan: Scan, stop: Stop) -> bool:
        """Open a file that holds the content, and return whether there is one that still does."""
        self._open = None
        for place in catalog.places((scan.content,)).get(scan.content, ()):
            path = Path(os.fsdecode(place.path))
            try:
                before = path.stat()
                if _sha256(path, stop) != scan.sha256:
                    continue
                self._sizes = self._painter.open(path, stop).sizes
                after = path.stat()
            except OSError:
                continue
            except DocumentError:  # the painter does not know what the reader does
                self._sizes = ()
                after = before
            if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
                self._open = scan.sha256
                return True
        return False


def _sha256(path: Path, stop: Stop) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            stop.check()
            digest.update(block)
    return digest.digest()
