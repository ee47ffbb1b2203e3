"""The page of all files: milliseconds a frame while scrolling, and until the rows of another order or filter are there.

The page is the real one with a real searcher process; only the catalog is filled directly, without reading files. A
frame is a move of the scroll bar and one turn of the event loop, which paints the table and takes what has arrived.
The goal is on the CPU time of the window's thread: other programs may hold the cores meanwhile.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileStat

FRAME = 16.0  # ms, the 99th percentile
STALL = 50.0  # ms, the longest frame
FRAMES = 600
LIMIT_SECONDS = 60.0
_PROBLEMS = ("This PDF is damaged and cannot be opened.", "Pictures (.heic) are not read yet", "This file is empty.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--files", type=int, default=100_000, help="files in the library (100000)")
    parser.add_argument("--platform", default="offscreen", help="Qt's platform: offscreen, or xcb under a display")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Measure scrolling, sorting and filtering."""
    os.environ["QT_QPA_PLATFORM"] = options.platform
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        library = Library(Path(scratch, "library"))
        say(f"Filling a catalog with {options.files:,} files …")
        library.create()
        fill(library, options.files)
        say("Scrolling …")
        rows = tuple(_measured(library, options.files))
    return Report("The page of all files", rows, (f"{options.files:,} files in one folder.",), this_machine())


def fill(library: Library, count: int) -> None:
    """Write `count` files into the catalog, most with a content, some with a problem."""
    choose = random.Random(count)
    with closing(Catalog.open(library.catalog)) as catalog, catalog.transaction():
        folder = catalog.folders.add(b"/home/anna/Documents", is_file=False)
        for number in range(count):
            name = b"%d/%d/Report %d of the works council.pdf" % (number % 97, number % 13, number)
            catalog.files.queue(folder, name, FileStat(choose.randrange(10**7), choose.randrange(10**18), 0, 1))
        # Storing documents one by one takes minutes; rows of the same shape do for a list.
        catalog.database.execute(
            "INSERT INTO content (id, sha256, reader, state, format, title, author, created, modified, language, "
            "line_count, word_count, page_count, partial) SELECT id, randomblob(32), 1, 'ready', 'pdf', '', '', '', "
            "'', 'en', 40, abs(random()) % 90000, abs(random()) % 300, '' FROM file WHERE id % 20 != 0"
        )
        catalog.database.execute("UPDATE file SET pending = 0, content = id WHERE id % 20 != 0")
        for rest, reason in enumerate(_PROBLEMS):
            catalog.database.execute(
                "UPDATE file SET pending = 0, outcome = 'failed', reason = ? WHERE content IS NULL AND id % 3 = ?",
                (reason, rest),
            )


def _measured(library: Library, count: int) -> Iterator[Measurement]:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from desktop_rag.gui.files.files_control import FilesControl
    from desktop_rag.gui.files.files_page import FilesPage
    from desktop_rag.gui.library_status import ShownStatus
    from desktop_rag.gui.theme.theme import Look
    from desktop_rag.gui.viewer_requests import ViewerRequests
    from desktop_rag.index.file_rows import FileColumn
    from desktop_rag.retrieval.service.searcher_client import SearcherClient
    from desktop_rag.settings import Theme

    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    look = Look(application)
    look.use(Theme.LIGHT)
    page = FilesPage()
    page.resize(1060, 680)
    client = SearcherClient(library.folder)
    control = FilesControl(page, client, ShownStatus(), ViewerRequests())
    table, model, bar = page.list.table, page.list.model, page.list.table.verticalScrollBar()
    longest = 0.0

    def until(done: Callable[[], bool]) -> float:
        """Process events until `done`; return the milliseconds."""
        nonlocal longest
        began = time.perf_counter()
        while not done():
            computed = time.thread_time()
            application.processEvents()
            longest = max(longest, (time.thread_time() - computed) * 1e3)
            if time.perf_counter() - began > LIMIT_SECONDS:
                raise BenchError("The page does not show its rows.")
            time.sleep(0.0005)
        return (time.perf_counter() - began) * 1e3

    def frame(place: int) -> tuple[float, float]:
        """Return the milliseconds of a frame, and those that this thread computed."""
        began, computed = time.perf_counter(), time.thread_time()
        bar.setValue(place)
        application.processEvents()
        return (time.perf_counter() - began) * 1e3, (time.thread_time() - computed) * 1e3

    def first_row() -> int | None:
        file = model.file(0)
        return None if file is None else file.file

    def until_rows() -> float:
        known = first_row()
        return until(lambda: first_row() not in (None, known))

    with _closed_after(control.close), _closed_after(client.close), _closed_after(page.close):
        page.show()
        yield Measurement(
            "first rows, with the start of the searcher", OURS, "ms", (until(lambda: first_row() is not None),)
        )
        longest = 0.0  # without opening the page
        until(lambda: page.statistics.totals()[0] not in ("", "0"))
        for column in (FileColumn.SIZE, FileColumn.MODIFIED, FileColumn.WORDS, FileColumn.STATE, FileColumn.NAME):
            table.sortByColumn(list(FileColumn).index(column), Qt.SortOrder.DescendingOrder)
            yield _one(f"sorted by {column.value}", until_rows())
        page.list.filter.setText("council 77")
        yield Measurement(
            "filtered, with 120 ms for typing on", OURS, "ms", (until(lambda: 0 < model.rowCount() < count),)
        )
        page.list.clear_filters()
        until(lambda: model.rowCount() == count)
        choose = random.Random(0)
        wheel = tuple(frame(place * 3) for place in range(FRAMES))
        jumps = tuple(frame(choose.randrange(bar.maximum() + 1)) for _ in range(FRAMES))
        for name, frames in (("wheel, three rows a frame", wheel), ("scroll bar, anywhere in the list", jumps)):
            clock, computed = (Measurement(f"frame: {name}", OURS, "ms", times) for times in zip(*frames, strict=True))
            yield clock
            yield _one(f"frame: {name}, p99", clock.at(99))
            yield _one(f"frame: {name}, p99 of the CPU time", computed.at(99), FRAME)
            yield _one(f"frame: {name}, longest CPU time", max(computed.values), STALL)
        bar.setValue(bar.maximum())
        table.viewport().repaint()
        yield Measurement(
            "rows there after a jump to the end", OURS, "ms", (until(lambda: model.file(count - 1) is not None),)
        )
        yield _one("longest turn of the event loop while loading, CPU time", longest, STALL)
    look.deleteLater()


def _one(what: str, milliseconds: float, goal: float | None = None) -> Measurement:
    return Measurement(what, OURS, "ms", (milliseconds,), goal=goal)


@contextmanager
def _closed_after(close: Callable[[], object]) -> Iterator[None]:
    try:
        yield
    finally:
        close()
