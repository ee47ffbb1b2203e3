"""OCR of pages without text while nothing else is to be read: one page at a time, each stored at once.

A thread renders a page and runs the OCR engine on it, both in sandboxed children; the loop stores the lines. When all
pages of a content are done, or `PAGES_AT_ONCE` of them, the document is replaced by one with the recognised lines.
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
from desktop_rag.index.catalog import ocr_results
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.ocr_results import Scan
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

PAGES_AT_ONCE = 50  # of a long scan: become searchable before the rest
WAIT_SECONDS = 0.05  # for a page, when there is nothing else to do
RETRY_SECONDS = 600.0  # before the retry of a file that was missing or changed
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class PageDone:
    """The OCR lines of a page; `failure` says why there are none, if it failed."""

    page: int
    lines: tuple[RecognisedLine, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class OcrMerged:
    """The document with its recognised lines, in chunks; `unread` pages remain."""

    document: Document
    chunks: tuple[DraftChunk, ...]
    unread: int


@dataclass(frozen=True, slots=True)
class NothingRecognised:
    """No page has new text."""


@dataclass(frozen=True, slots=True)
class OcrDeferred:
    """The file is missing or has changed, or the work was cancelled."""

    cancelled: bool = False


OcrOutcome = PageDone | OcrMerged | NothingRecognised | OcrDeferred


class OcrStage:
    """The OCR step of the indexer's loop; only `cancel` may be called by another thread."""

    def __init__(
        self,
        path: Path,
        catalog: Catalog,
        board: StatusBoard,
        find_engine: Callable[[], OcrEngine | None] = installed_engine,
    ) -> None:
        self._path = path
        self._catalog = catalog
        self._board = board
        self._find_engine = find_engine
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="recognition")
        self._worker = _OcrWorker(path)
        self._scan: Scan | None = None
        self._task: Future[OcrOutcome] | None = None
        self._stop = Stop()
        self._retry_at: dict[ContentId, float] = {}
        self._started_at = self._not_before = 0.0
        self._engine: OcrEngine | None = None

    def close(self) -> None:
        """End the engine; unstored pages are read again."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._worker.close()
        if self._engine is not None:
            self._engine.close()

    def cancel(self) -> None:
        """Cancel the current page; callable from any thread."""
        self._stop.set()

    def step(self, *, free: bool, patient: bool = True, rest: float = 0.0) -> bool:
        """Store finished pages; start the next page if the readers are `free`; return whether busy.

        A `patient` caller has nothing else to do, so this waits a moment for the page. Between two pages it rests,
        `rest` times as long as the last page took.
        """
        if self._task is not None:
            if patient:
                wait((self._task,), WAIT_SECONDS)
            if self._task.done():
                self._not_before = time.monotonic() + rest * (time.monotonic() - self._started_at)
                self._store(self._task.result())
            return True
        if not free:
            return False
        if time.monotonic() < self._not_before:
            if patient:
                self._stop.wait(WAIT_SECONDS)
            return True
        return self._start()

    def _start(self) -> bool:
        """Start the next page, or the merge of the pages read; return whether there was anything to do."""
        scan = self._next()
        self._engine = engine = self._find_engine() if scan is not None else None
        if scan is None or engine is None:
            return False
        self._scan, self._stop, self._started_at = scan, Stop(), time.monotonic()
        self._board.update(phase=IndexingPhase.RECOGNISING)
        self._task = self._pool.submit(self._worker.work, scan, engine, self._stop)
        return True

    def _next(self) -> Scan | None:
        now = time.monotonic()
        self._retry_at = {content: at for content, at in self._retry_at.items() if at > now}
        return ocr_results.next_scan(self._catalog, self._retry_at)

    def _store(self, outcome: OcrOutcome) -> None:
        self._task = None
        assert self._scan is not None
        catalog, scan = self._catalog, self._scan
        match outcome:
            case PageDone(page, lines, failure):
                with self._catalog.transaction():
                    ocr_results.keep(catalog, scan, page, self._engine.name if self._engine else "", lines, failure)
                self._board.report_progress()
            case OcrMerged(document, chunks, unread):
                with self._catalog.transaction():  # at once: only the read queue stores documents in steps
                    if ocr_results.is_there(catalog, scan):
                        catalog.contents.replace(scan.content, scan.sha256, document, chunks, unread)
                self._board.report_progress()
            case NothingRecognised():
                ocr_results.give_up(catalog, scan)
                self._board.report_progress()
            case OcrDeferred(cancelled):
                if not cancelled:
                    self._retry_at[scan.content] = time.monotonic() + RETRY_SECONDS


class _OcrWorker:
    """The work of the thread: a painter with the current file open, and its own connection to the catalog."""

    def __init__(self, catalog: Path) -> None:
        self._catalog = catalog
        self._painter = Painter()
        self._open: bytes | None = None  # the content whose file is open
        self._sizes: tuple[tuple[float, float], ...] = ()

    def close(self) -> None:
        """End the children."""
        self._painter.close()

    def work(self, scan: Scan, engine: OcrEngine, stop: Stop) -> OcrOutcome:
        """Read the next page of a content, or merge the pages read into its document."""
        try:
            with closing(CatalogReader.open(self._catalog)) as catalog:
                textless = catalog.contents.layout(scan.content).structure.textless
                known = ocr_results.pages_read(catalog, scan)
                missing = [page for page in textless if page not in known]
                unmerged = [page for page in textless if known.get(page)]
                if missing and len(unmerged) < PAGES_AT_ONCE:
                    return self._page(catalog, scan, missing[0], engine, stop)
                if not unmerged and not missing:
                    return NothingRecognised()
                document = ocr_results.document_of(catalog, scan.content)
            lines = {page: found for page in textless if (found := known.get(page)) is not None}
            document = with_recognised(document, lines)
            return OcrMerged(document, tuple(split(document)), len(missing))
        except Stopped:
            return OcrDeferred(cancelled=True)
        except (LibraryError, ProcessError) as error:
            logger.warning("OCR of a page failed: %s", error)
            return OcrDeferred()

    def _page(self, catalog: CatalogReader, scan: Scan, number: int, engine: OcrEngine, stop: Stop) -> OcrOutcome:
        if self._open != scan.sha256 and not self._open_file(catalog, scan, stop):
            return OcrDeferred()
        try:
            width, height = self._sizes[number - 1]
            page = self._painter.paint(number, scale_for(width, height), stop)
            return PageDone(number, engine.recognise(page, stop))
        except (DocumentError, IndexError) as error:
            return PageDone(number, (), str(error) or "It does not exist.")

    def _open_file(self, catalog: CatalogReader, scan: Scan, stop: Stop) -> bool:
        """Open a file that still has this content; return whether there is one."""
        self._open = None
        for place in catalog.files.every_place((scan.content,)).get(scan.content, ()):
            path = Path(os.fsdecode(place.path))
            try:
                before = path.stat()
                if _sha256(path, stop) != scan.sha256:
                    continue
                self._sizes = self._painter.open(path, stop).sizes
                after = path.stat()
            except OSError:
                continue
            except DocumentError:  # the painter knows fewer formats than the reader
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
