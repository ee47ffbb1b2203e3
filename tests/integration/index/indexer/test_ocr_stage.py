"""OCR of scans and images in the background: page by page, kept by content, interruptible."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf
import pytest

from desktop_rag.documents.document import Box
from desktop_rag.documents.ocr import tesseract
from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
from desktop_rag.documents.render.painter_messages import PagePainted
from desktop_rag.errors import DocumentError
from desktop_rag.index.catalog import ocr_results
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.root_folders import pause, resume
from desktop_rag.index.indexer import ocr_stage as ocr_module
from desktop_rag.index.indexer.ocr_stage import OcrStage
from desktop_rag.index.indexer.read_queue import ReadQueue
from desktop_rag.index.indexer.scan_scheduler import ScanScheduler
from desktop_rag.index.indexer.status_board import IndexingActivity, StatusBoard, problems, status
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import ContentId, FileState, FolderId
from desktop_rag.stop import Stop
from tests.integration.index.running import add, settled, wait_until, wrong_in

pytestmark = pytest.mark.processes

PAGE = pymupdf.Rect(72, 72, 520, 770)
FOUND = Box(10, 20, 300, 40)


def scan(*pages: str) -> bytes:
    """Return a PDF whose pages are images of these texts; one that begins with “typed” is text."""
    with pymupdf.open() as file:
        for text in pages:
            with pymupdf.open() as typed:
                sheet = typed.new_page(width=595, height=842)
                sheet.insert_textbox(PAGE, text, fontsize=14)
                if text.startswith("typed"):
                    file.insert_pdf(typed)
                else:
                    page = file.new_page(width=595, height=842)
                    page.insert_image(page.rect, pixmap=sheet.get_pixmap(matrix=pymupdf.Matrix(2, 2)))
        return file.tobytes()


@dataclass
class ScriptedEngine:
    """An OCR engine that returns the number of each page, and records the pages."""

    name: str = "Scripted 1"
    seen: list[int] = field(default_factory=list)
    before: Callable[[int], None] = lambda _: None

    def recognise(self, page: PagePainted, stop: Stop) -> tuple[RecognisedLine, ...]:
        self.seen.append(page.number)
        self.before(page.number)
        stop.check()
        assert len(page.pixels) == page.stride * page.height
        assert page.width * page.height < 13_000_000
        return (RecognisedLine(f"Read on page {page.number}.", FOUND, begins=True),)

    def close(self) -> None:
        pass


class Loop:
    """The reading parts of the loop, stepped by the test."""

    def __init__(self, library: Library, catalog: Catalog, root: Path, engine: ScriptedEngine | None) -> None:
        self.board = StatusBoard()
        self.catalog = catalog
        self.folder = catalog.folders.add(os.fsencode(root), is_file=False)
        self.read_queue = ReadQueue(library, catalog, self.board, lambda _: None)
        self.scans = ScanScheduler(catalog, self.board, self.read_queue.on_scanned, Stop())
        self.ocr = OcrStage(library.catalog, catalog, self.board, lambda: engine)

    def read(self) -> None:
        self.scans.request(self.folder)
        while self.scans.wait_seconds() < 60:
            self.scans.step()
        while self.read_queue.step():
            pass
        change_log = self.catalog.change_log
        change_log.mark_searchable(change_log.last_sequence())

    def recognise(self) -> None:
        change_log = self.catalog.change_log
        while self.ocr.step(free=True):
            if change_log.announce(99):
                change_log.mark_searchable(change_log.last_sequence())

    def texts(self) -> dict[str, list[str]]:
        files = self.catalog.files.of_folder(self.folder).values()
        return {os.fsdecode(file.path): lines_of(self.catalog, file.content) for file in files if file.content}

    def close(self) -> None:
        self.scans.close()
        self.ocr.close()
        self.read_queue.close()


def lines_of(catalog: CatalogReader, content: ContentId) -> list[str]:
    """Return the recognised lines only, without those the reader adds."""
    return [line for line in catalog.texts.whole(content).split("\n") if line]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def loop(library: Library, catalog: Catalog, root: Path, engine: ScriptedEngine) -> Iterator[Loop]:
    with closing(Loop(library, catalog, root, engine)) as loop:
        yield loop


def test_pages_without_text_are_recognised_with_line_boxes(loop: Loop, root: Path, engine: ScriptedEngine) -> None:
    (root / "mixed.pdf").write_bytes(scan("typed page", "a picture", "typed end", "another"))
    loop.read()
    assert ocr_results.unread_pages(loop.catalog) == 2
    loop.recognise()
    assert engine.seen == [2, 4]
    assert loop.texts()["mixed.pdf"] == ["typed page", "Read on page 2.", "typed end", "Read on page 4."]
    content = loop.catalog.files.of_folder(loop.folder)[b"mixed.pdf"].content
    assert content is not None
    layout = loop.catalog.contents.layout(content)
    assert layout.structure.textless == ()
    document = ocr_results.document_of(loop.catalog, content)
    number = document.text.split("\n").index("Read on page 2.") + 1
    assert (document.page_of(number), document.box(number)) == (2, FOUND)
    assert ocr_results.unread_pages(loop.catalog) == 0
    assert loop.catalog.contents.by_id((content,))[content].partial == ""


def test_an_image_is_recognised_and_keeps_its_metadata(loop: Loop, root: Path) -> None:
    with pymupdf.open(stream=scan("x"), filetype="pdf") as file:
        (root / "note.png").write_bytes(file[0].get_pixmap(matrix=pymupdf.Matrix(2, 2)).tobytes("png"))
    loop.read()
    loop.recognise()
    first, second = loop.texts()["note.png"]
    assert first.startswith("Picture: ")
    assert second == "Read on page 1."


def test_recognised_pages_are_kept_by_content_across_restarts(
    library: Library, catalog: Catalog, root: Path, engine: ScriptedEngine, loop: Loop
) -> None:
    (root / "scan.pdf").write_bytes(scan("one", "two", "three"))
    loop.read()

    def give_up(number: int) -> None:
        if number == 2:
            loop.ocr.cancel()

    engine.before = give_up
    while engine.seen != [1, 2] or loop.ocr._task is not None:
        loop.ocr.step(free=True)
    with closing(Loop(library, catalog, root, another := ScriptedEngine())) as next_loop:
        next_loop.recognise()
        assert another.seen == [2, 3]
        assert next_loop.texts()["scan.pdf"] == [f"Read on page {number}." for number in (1, 2, 3)]
        (root / "copy.pdf").write_bytes((root / "scan.pdf").read_bytes())
        (root / "scan.pdf").unlink()
        next_loop.read()
        next_loop.recognise()
        assert another.seen == [2, 3]
        assert list(next_loop.texts()) == ["copy.pdf"]


@pytest.mark.slow
def test_a_long_scan_is_searchable_in_parts(
    loop: Loop, root: Path, engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr_module, "PAGES_AT_ONCE", 2)
    (root / "scan.pdf").write_bytes(scan("one", "two", "three"))
    loop.read()
    so_far: list[list[str]] = []
    engine.before = lambda number: so_far.append(loop_text(loop.ocr._path))
    loop.recognise()
    assert engine.seen == [1, 2, 3]
    assert so_far == [[], [], ["Read on page 1.", "Read on page 2."]]
    assert len(loop.texts()["scan.pdf"]) == 3


def loop_text(path: Path) -> list[str]:
    """Return the lines of the only content of a catalog; callable from any thread."""
    with closing(CatalogReader.open(path)) as catalog:
        (content,) = catalog.files.visible_contents()
        return lines_of(catalog, content)


@pytest.mark.slow
def test_a_failing_page_is_not_retried_forever(loop: Loop, root: Path, engine: ScriptedEngine) -> None:
    def fail(number: int) -> None:
        if number == 1:
            raise DocumentError("The text of this page could not be recognised.")

    engine.before = fail
    (root / "scan.pdf").write_bytes(scan("one", "two"))
    loop.read()
    loop.recognise()
    loop.recognise()
    assert engine.seen == [1, 2]
    assert loop.texts()["scan.pdf"] == ["Read on page 2."]
    (problem,) = problems(loop.catalog, loop.folder, 9).problems
    assert (problem.state, problem.reason) == (FileState.SEARCHABLE, "page 1 without text (a scan?)")


@pytest.mark.slow
def test_nothing_is_recognised_of_a_paused_folder_or_a_file_that_has_changed(
    loop: Loop, root: Path, engine: ScriptedEngine, catalog: Catalog
) -> None:
    (root / "scan.pdf").write_bytes(scan("one"))
    loop.read()
    pause(catalog, None)
    assert not loop.ocr.step(free=True)
    resume(catalog, None)
    (root / "scan.pdf").write_bytes(scan("one", "two"))
    loop.recognise()
    assert engine.seen == []
    loop.read()
    loop.recognise()
    assert engine.seen == [1, 2]


def test_other_reading_comes_first(loop: Loop, root: Path, engine: ScriptedEngine) -> None:
    (root / "scan.pdf").write_bytes(scan("one"))
    loop.read()
    assert not loop.ocr.step(free=False)
    assert engine.seen == []


def test_without_an_engine_the_file_has_a_reason(
    library: Library, catalog: Catalog, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("index.indexer.status_board", "documents.ocr.ocr_engine"):
        monkeypatch.setattr(f"desktop_rag.{module}.installed_engine", lambda: None)
    (root / "scan.pdf").write_bytes(scan("typed page", "one", "two"))
    with closing(Loop(library, catalog, root, None)) as loop:
        loop.read()
        assert not loop.ocr.step(free=True)
        now = status(catalog, IndexingActivity(), 0.0, 0.0)
        assert (now.unread_pages, now.engine) == (2, "")
        (problem,) = problems(catalog, FolderId(1), 9).problems
        assert "pages 2–3 without text (a scan?) – OCR is not installed" in problem.reason


@pytest.mark.slow
def test_forgetting_a_folder_erases_its_recognised_pages(loop: Loop, root: Path, catalog: Catalog) -> None:
    from desktop_rag.index.catalog.quarantine import forget

    (root / "scan.pdf").write_bytes(scan("one"))
    loop.read()
    loop.recognise()
    assert catalog.database.number("SELECT count(*) FROM recognised") == 1
    forget(catalog, loop.folder, ())
    assert catalog.database.number("SELECT count(*) FROM recognised") == 0


@pytest.mark.skipif(tesseract.find() is None, reason="needs Tesseract")
def test_the_real_engine_reads_a_real_scan_in_the_real_indexer(
    client: LibraryClient, library: Library, root: Path
) -> None:
    said = "The tenant pays the rent on the first day of every month.\nThe landlord repairs what wears out."
    (root / "scan.pdf").write_bytes(scan(said))
    add(client, root)
    wait_until(client, lambda now: settled(now) and now.unread_pages == 0 and now.sentences_total > 0)
    assert loop_text(library.catalog) == said.split("\n")
    with closing(CatalogReader.open(library.catalog)) as catalog:
        (content,) = catalog.files.visible_contents()
        box = ocr_results.document_of(catalog, content).box(1)
    assert box is not None
    assert abs(box.x0 - 72) < 3
    assert 72 < box.y0 < box.y1 < 95
    assert wrong_in(library) == []
