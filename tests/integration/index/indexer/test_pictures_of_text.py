"""Pictures of text are a state of their own in every list and count, and are read as soon as there is an engine."""

import io
import os
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from desktop_rag.agent.tools.list_documents import describe_card
from desktop_rag.documents.ocr import ocr_engine, rapid, tesseract
from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
from desktop_rag.documents.picture_notes import note_of_scans
from desktop_rag.documents.render.painter_messages import PagePainted
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_listing import FileListing
from desktop_rag.index.catalog.library_statistics import unsearchable_files
from desktop_rag.index.file_rows import FileQuery, ListedState
from desktop_rag.index.folders.path_explanation import why
from desktop_rag.index.indexer.status_board import IndexingActivity, problems, status
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileState
from desktop_rag.retrieval.reading.document_list import document_cards
from desktop_rag.stop import Stop
from tests.integration.index.indexer.test_ocr_stage import Loop, ScriptedEngine, scan

pytestmark = pytest.mark.processes

PICTURES = ("curves.pdf", "photo.png", "scan.pdf", "stamp.pdf", "strips.pdf")
WAITING = "Pictures: waiting for text recognition (OCR)"


class BlindEngine(ScriptedEngine):
    """Recognises no word on any page."""

    def recognise(self, page: PagePainted, stop: Stop) -> tuple[RecognisedLine, ...]:
        super().recognise(page, stop)
        return ()


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("index.indexer.status_board", "documents.ocr.ocr_engine"):
        monkeypatch.setattr(f"desktop_rag.{module}.installed_engine", lambda: None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "scan.pdf").write_bytes(scan("one", "two"))
    (root / "mixed.pdf").write_bytes(scan("typed page", "one", "typed again", "two", "three"))
    (root / "typed.txt").write_text("The rent is 950 euros.", encoding="utf-8")
    Image.new("RGB", (60, 40), "grey").save(root / "photo.png")
    Image.new("RGB", (40, 10), "grey").save(grey := io.BytesIO(), "PNG")
    with pymupdf.open() as file:
        page = file.new_page()
        for top in range(0, 800, 100):
            page.insert_image(pymupdf.Rect(0, top, 595, top + 100), stream=grey.getvalue(), keep_proportion=False)
        page.insert_text((500, 830), "Received 7 May")
        file.save(str(root / "strips.pdf"))
    with pymupdf.open(stream=scan("one"), filetype="pdf") as file:
        file[0].insert_text((20, 20), "Page 4")
        file.save(str(root / "stamp.pdf"))
    with pymupdf.open() as file:
        file.new_page().draw_rect(pymupdf.Rect(10, 10, 90, 40))  # as letters that were turned into curves
        file.save(str(root / "curves.pdf"))
    with pymupdf.open() as file:
        file.new_page()
        file.save(str(root / "blank.pdf"))
    return root


@pytest.fixture
def loop(library: Library, catalog: Catalog, root: Path) -> Iterator[Loop]:
    with closing(Loop(library, catalog, root, None)) as loop:
        loop.read()
        yield loop


def states(loop: Loop) -> dict[str, FileState]:
    return {os.fsdecode(file.path): file.state for file in loop.catalog.files.of_folder(loop.folder).values()}


def listed(loop: Loop) -> dict[str, tuple[ListedState, str, ProblemKind | None]]:
    rows = FileListing(loop.catalog).window(FileQuery(), 0, 99).rows
    return {os.fsdecode(row.path).rpartition("/")[2]: (row.state, row.reason, row.problem) for row in rows if row}


@pytest.mark.slow
def test_they_are_neither_searchable_nor_failed_anywhere(loop: Loop, root: Path, catalog: Catalog) -> None:
    assert {name for name, state in states(loop).items() if state is FileState.PICTURES} == set(PICTURES)
    assert states(loop)["mixed.pdf"] in (FileState.SEARCHABLE, FileState.READY)
    assert states(loop)["blank.pdf"] is FileState.FAILED
    (folder,) = status(catalog, IndexingActivity(), 0.0, 0.0).folders
    assert (folder.found, folder.searchable, folder.failed, folder.pictures) == (8, 2, 1, 5)
    assert (folder.left_out, folder.unread) == (6, 0)
    rows = listed(loop)
    for name in PICTURES:
        state, reason, problem = rows[name]
        assert (state, problem) == (ListedState.PICTURES, ProblemKind.SCANS)
        assert reason == f"{WAITING} – {ocr_engine.NO_ENGINE}"
        assert why(catalog, os.fsencode(root / name)).sentence.startswith("Its pages are pictures: ")
    assert {path.path.rpartition(b"/")[2]: path.state for path in problems(catalog, loop.folder, 99).problems} == {
        **{os.fsencode(name): FileState.PICTURES for name in PICTURES},
        b"mixed.pdf": FileState.SEARCHABLE,
        b"blank.pdf": FileState.FAILED,
    }
    assert problems(catalog, loop.folder, 99).total == 7
    gaps = unsearchable_files(catalog)
    assert (gaps.failed, gaps.partial, gaps.scans, gaps.scan_pages) == (1, 6, 6, 9)
    overview = FileListing(catalog).overview(None)
    listed_states = dict(overview.states)
    assert listed_states[ListedState.PICTURES] == folder.pictures
    assert listed_states[ListedState.PROBLEM] == folder.failed + folder.skipped
    assert {group.kind: group.files for group in overview.problems} == {ProblemKind.SCANS: 6, ProblemKind.EMPTY: 1}


def test_the_kind_of_a_problem_is_what_its_reader_raised(library: Library, catalog: Catalog, tmp_path: Path) -> None:
    folder = tmp_path / "problems"
    folder.mkdir()
    with pymupdf.open() as file:
        file.new_page().insert_text((20, 20), "The rent")
        locked = file.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret")
    (folder / "locked.pdf").write_bytes(locked)
    with zipfile.ZipFile(folder / "letters.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", "The password of this archive is damaged.")
    cut = (folder / "letters.zip").read_bytes()[:-30]
    (folder / "cut.zip").write_bytes(cut)
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7 nothing")
    (folder / "empty.txt").touch()
    (folder / "film.psd").write_bytes(b"8BPS")
    with closing(Loop(library, catalog, folder, None)) as loop:
        loop.read()
        kinds = {name: problem for name, (_, _, problem) in listed(loop).items()}
        asked = {
            kind: FileListing(catalog).window(FileQuery(problem=kind), 0, 9).total
            for kind in (ProblemKind.DAMAGED, ProblemKind.PROTECTED, ProblemKind.OTHER)
        }
    assert kinds == {
        "locked.pdf": ProblemKind.PROTECTED,
        "letters.zip": None,
        "cut.zip": ProblemKind.DAMAGED,
        "damaged.pdf": ProblemKind.DAMAGED,
        "empty.txt": ProblemKind.EMPTY,
        "film.psd": ProblemKind.TYPE,
    }
    assert asked == {ProblemKind.DAMAGED: 2, ProblemKind.PROTECTED: 1, ProblemKind.OTHER: 0}


@pytest.mark.slow
def test_they_say_what_they_wait_for_where_documents_are_described(loop: Loop, catalog: Catalog) -> None:
    rows = FileListing(catalog).window(FileQuery(), 0, 99).rows
    contents = [row.content for row in rows if row and row.content]
    cards = {card.path.name: card for card in document_cards(catalog, contents) if card.path}
    waits = f"pictures: waiting for text recognition (OCR) – {ocr_engine.NO_ENGINE}"
    assert {name for name, card in cards.items() if waits in describe_card(card)} == set(PICTURES)
    assert "read only in part" in describe_card(cards["mixed.pdf"])


def test_the_pages_without_text_of_a_mixed_document_are_named(loop: Loop, root: Path, catalog: Catalog) -> None:
    assert listed(loop)["mixed.pdf"][1].startswith("pages 2, 4–5 without text (a scan?) – ")
    sentence = why(catalog, os.fsencode(root / "mixed.pdf")).sentence
    assert "Only a part of it was read: pages 2, 4–5 without text (a scan?) – OCR is not installed" in sentence


def test_they_are_read_by_themselves_once_there_is_an_engine(
    loop: Loop, library: Library, catalog: Catalog, root: Path
) -> None:
    with closing(Loop(library, catalog, root, ScriptedEngine())) as recognising:
        recognising.recognise()
        assert FileState.PICTURES not in states(recognising).values()
        assert all(state is not ListedState.PICTURES for state, _, _ in listed(recognising).values())
    assert status(catalog, IndexingActivity(), 0.0, 0.0).folders[0].pictures == 0


@pytest.mark.slow
def test_pictures_in_which_no_word_was_recognised_say_so(
    loop: Loop, library: Library, catalog: Catalog, root: Path
) -> None:
    with closing(Loop(library, catalog, root, BlindEngine())) as recognising:
        recognising.recognise()
    state, reason, problem = listed(loop)["scan.pdf"]
    assert (state, problem) == (ListedState.PICTURES, ProblemKind.SCANS)
    assert reason == "Pictures in which text recognition (OCR) found no words"
    assert unsearchable_files(catalog).scan_pages == 0
    quarantine.retry(catalog, [os.fsencode(root / "scan.pdf")])
    with closing(Loop(library, catalog, root, engine := ScriptedEngine())) as again:
        again.read()
        again.recognise()
        assert engine.seen == [1, 2]
        assert again.texts()["scan.pdf"] == ["Read on page 1.", "Read on page 2."]


def test_an_engine_installed_meanwhile_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[ocr_engine.OcrEngine | None] = [None, None, ScriptedEngine()]
    monkeypatch.setattr(tesseract, "find", lambda: found.pop(0))
    monkeypatch.setattr(rapid, "find", lambda: None)
    installed = ocr_engine._Installed()
    assert installed.engine() is installed.engine() is None
    assert len(found) == 2, "it is not looked for at each question"
    monkeypatch.setattr(ocr_engine, "LOOK_AGAIN_SECONDS", 0.0)
    installed = ocr_engine._Installed()
    assert installed.engine() is None
    assert installed.engine() is installed.engine() is not None
    assert found == []


@pytest.mark.slow
def test_what_an_older_reader_refused_is_read_again_once(loop: Loop, catalog: Catalog) -> None:
    """Versions before read no pages of curves: `refused_by` was not there, or of another reader."""
    assert quarantine.requeue_for_new_reader(catalog) == 0
    catalog.database.execute("UPDATE file SET content = NULL, outcome = 'failed' WHERE path = ?", (b"curves.pdf",))
    catalog.database.execute("DELETE FROM meta WHERE key = 'refused_by'")
    assert quarantine.requeue_for_new_reader(catalog) == 2
    assert states(loop)["curves.pdf"] is FileState.QUEUED
    assert quarantine.requeue_for_new_reader(catalog) == 0
    loop.read()
    assert states(loop)["curves.pdf"] is FileState.PICTURES
    assert states(loop)["blank.pdf"] is FileState.FAILED


@pytest.mark.parametrize(
    ("numbers", "count", "note"),
    [
        ([1], 1, "1 page without text (a scan?)"),
        ([3], 9, "page 3 without text (a scan?)"),
        ([1, 2, 3], 3, "3 pages without text (a scan?)"),
        ([1, 2, 5, 7, 8, 9], 9, "pages 1–2, 5, 7–9 without text (a scan?)"),
        (list(range(1, 40, 2)), 40, "pages 1, 3, 5, 7, 9, 11, 13, 15 and 12 more without text (a scan?)"),
    ],
)
def test_pages_are_named_by_number(numbers: list[int], count: int, note: str) -> None:
    assert note_of_scans(numbers, count) == note
