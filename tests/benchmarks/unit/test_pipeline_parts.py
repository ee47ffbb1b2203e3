from itertools import islice
from pathlib import Path

import pytest

from benchmarks.corpus import Corpus
from benchmarks.libraries.pipeline import pdf_pieces, timed, write_mixed
from desktop_rag.documents.format_registry import read_document
from desktop_rag.paths import resources


class Work:
    def step(self, rounds: int) -> int:
        return sum(range(rounds))


def test_methods_are_timed_inside_the_block_and_restored() -> None:
    before = Work.__dict__["step"]
    with timed((("adding", Work, "step"),)) as seconds:
        assert Work().step(300_000) == sum(range(300_000))
    assert seconds["adding"] > 0
    assert Work.__dict__["step"] is before


def test_methods_are_restored_after_an_error() -> None:
    before = Work.__dict__["step"]
    with pytest.raises(ZeroDivisionError), timed((("adding", Work, "step"),)):
        raise ZeroDivisionError
    assert Work.__dict__["step"] is before


def test_parts_of_a_pdf_are_files_with_their_own_text(tmp_path: Path) -> None:
    pieces = list(islice(pdf_pieces(resources() / "sample", tmp_path / "pieces"), 3))
    assert pieces
    assert all(read_document(piece.name, piece.read_bytes()).text.strip() for piece in pieces)


def test_a_mixed_folder_has_as_many_files_as_asked(tmp_path: Path) -> None:
    corpus = Corpus(resources() / "sample", [f"Passage {n} about boats." for n in range(40)], 40)
    pieces = write_mixed(tmp_path / "mixed", corpus, 20)
    files = [file for file in (tmp_path / "mixed").rglob("*") if file.is_file()]
    assert len(files) == 20
    assert sum(file.suffix == ".pdf" for file in files) == pieces > 0
