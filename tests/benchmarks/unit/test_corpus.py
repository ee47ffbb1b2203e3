import gzip
import json
from pathlib import Path

import pytest

from benchmarks.corpus import PASSAGE_WORDS, build, texts, woven
from desktop_rag.errors import BenchError

STORY = " ".join(f"The keeper of harbour number {n} counts the boats before the sun goes down." for n in range(100))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "story.txt").write_text(STORY)
    return tmp_path


def test_passages_are_the_words_of_the_files_in_pieces(folder: Path) -> None:
    corpus = build(folder, 3)
    assert corpus.real == 3
    assert " ".join(corpus.passages) == " ".join(STORY.split()[: 3 * PASSAGE_WORDS])


def test_synthetic_passages_are_real_sentences_in_random_order(folder: Path) -> None:
    corpus = build(folder, 50)
    assert corpus.real == 7
    assert len(corpus.passages) == 50
    assert len(set(corpus.passages)) == 50
    assert all(len(made.split()) >= PASSAGE_WORDS for made in corpus.passages[corpus.real :])
    assert {word for made in corpus.passages for word in made.split()} <= set(STORY.split())
    assert "7 real" in corpus.describe()


def test_woven_passages_have_the_words_of_the_real_ones_in_other_sentences(folder: Path) -> None:
    corpus = build(folder, 50, woven)
    made = corpus.passages[corpus.real :]
    assert all(len(passage.split()) == PASSAGE_WORDS for passage in made)
    assert {word for passage in made for word in passage.split()} <= set(STORY.split())
    assert sum(passage in STORY for passage in made) == 0
    assert corpus.passages == build(folder, 50, woven).passages


def test_the_same_folder_gives_the_same_passages(folder: Path) -> None:
    assert build(folder, 50).passages == build(folder, 50).passages


def test_compressed_files_and_records_are_read_and_unreadable_ones_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"Packed words of a manual."))
    (tmp_path / "b.jsonl").write_text(json.dumps({"id": "7", "text": "Words of a record."}) + "\nno record\n[1]\n")
    (tmp_path / "c.gz").write_bytes(b"not packed at all")
    (tmp_path / "d.png").write_bytes(b"\x89PNG")
    (tmp_path / "e.txt").write_bytes(b"")
    assert list(texts(tmp_path)) == ["Packed words of a manual.", "Words of a record."]


def test_a_folder_without_text_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="--corpus"):
        build(tmp_path, 10)
