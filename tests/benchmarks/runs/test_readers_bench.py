"""The readers benchmark reads real files in the real reader process and compares the result with other tools."""

import argparse
import sys
import zipfile
from pathlib import Path

import pytest

from benchmarks.readers import kinds as readers
from benchmarks.readers.endings import EMPTY, REFUSED, TEXT
from benchmarks.readers.recall import package_text, recall, words
from benchmarks.readers.tools import MUTOOL, OurReader, has, mutool_text, python_peer
from benchmarks.report import OURS, Report
from desktop_rag.errors import BenchError
from tests.integration.documents.conftest import PROSE, make_pdf

pytestmark = pytest.mark.processes


def said(text: str) -> None:
    assert text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two PDF files, a text file, a web page, and files that are empty or damaged."""
    place = tmp_path_factory.mktemp("documents")
    (place / "printed").mkdir()
    (place / "printed" / "lease.pdf").write_bytes(make_pdf([PROSE, PROSE]))
    (place / "printed" / "damaged.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (place / "note.txt").write_text(PROSE, encoding="utf-8")
    (place / "empty.txt").write_bytes(b"")
    (place / "binary.txt").write_bytes(bytes(range(256)) * 20)
    return place


def run(folder: Path, *arguments: str) -> Report:
    parser = argparse.ArgumentParser()
    readers.add_arguments(parser)
    return readers.run(parser.parse_args(["--corpus", str(folder), "--rounds", "1", *arguments]), said)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report") / "endings.tsv"


@pytest.fixture(scope="module")
def report(folder: Path, table: Path) -> Report:
    return run(folder, "--endings", str(table))


def test_every_file_ends_with_text_or_a_reason(report: Report, table: Path) -> None:
    found = {row.what: row.median for row in report.rows if row.subject == OURS and row.unit in ("%", "files")}
    assert found["5 files: as text or with a reason"] == 100
    assert (found["5 files: text"], found["5 files: empty"], found["5 files: refused"]) == (2, 1, 2)
    assert found["5 files: hangs"] == found["5 files: unexpected reader errors"] == 0
    assert "1 × This file is empty." in report.notes
    endings = [line.split("\t")[0] for line in table.read_text(encoding="utf-8").splitlines()]
    assert endings == [REFUSED, EMPTY, TEXT, REFUSED, TEXT]


def test_a_missing_peer_is_left_out_with_a_note(report: Report) -> None:
    assert any(note.startswith("markitdown") for note in report.notes)
    assert any(MUTOOL in note for note in report.notes) != has(MUTOOL)


@pytest.mark.skipif(not has(MUTOOL), reason="mutool is not installed")
def test_pages_are_counted_against_mutool(folder: Path, report: Report) -> None:
    for way in ("text alone", "lines with positions"):
        rows = [row for row in report.rows if row.what == f"PDF, 1 files of 2 pages, {way}"]
        assert [row.subject for row in rows] == [OURS, "mutool draw -F txt"]
        assert all(row.median > 0 for row in rows)
    assert words(PROSE) <= words(mutool_text(folder / "printed" / "lease.pdf").text or "")


def test_our_reader_returns_text_pages_and_time(folder: Path) -> None:
    ours = OurReader()
    try:
        extracted = ours.extract(folder / "printed" / "lease.pdf")
        assert words(PROSE) <= words(extracted.text or "")
        assert extracted.pages == 2
        assert extracted.cpu > 0
        assert ours.extract(folder / "printed" / "damaged.pdf").text is None
    finally:
        ours.close()


def test_another_interpreter_answers_even_if_it_has_no_tool(folder: Path) -> None:
    with python_peer(sys.executable) as peer:
        for tool in ("markitdown", "trafilatura"):
            assert (peer.extract(tool, folder / "no such file").text is None) or tool in peer.versions


def test_an_interpreter_that_cannot_start_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="cannot be started"), python_peer(str(tmp_path / "python")):
        pass


def test_a_folder_without_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no files"):
        run(tmp_path)


def test_words_of_two_extractors_are_found_in_ours() -> None:
    have, wanted, missing = recall("The rent is due.", ["**The** [rent](https://example.org/x) is", "due tomorrow"])
    assert (have, wanted, missing) == (4, 5, frozenset({"tomorrow"}))


def test_the_text_nodes_of_a_package_are_its_text(tmp_path: Path) -> None:
    file = tmp_path / "a.pptx"
    with zipfile.ZipFile(file, "w") as package:
        package.writestr(
            "ppt/slides/slide1.xml", '<p:s xmlns:p="p" xmlns:a="a"><a:p><a:t>Re</a:t><a:t>nt</a:t></a:p></p:s>'
        )
        package.writestr("ppt/theme/theme1.xml", "<t>no text</t>")
    assert package_text(file) == "Rent\n"
    file.write_bytes(b"PK damaged")
    assert package_text(file) is None
    assert package_text(tmp_path / "a.txt") is None
