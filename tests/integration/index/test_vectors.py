"""Real vector files: what is published is found exactly, what is not published never is."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.errors import LibraryError
from desktop_rag.index import vectors
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors import VectorReader, VectorWriter

DIMENSIONS = 24
Floats = npt.NDArray[np.float32]


def random_vectors(count: int, seed: int = 1) -> Floats:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def append(writer: VectorWriter, chunk: int, rows: Floats) -> None:
    writer.append([ChunkId(chunk)] * len(rows), list(range(len(rows))), rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


Opens = Callable[[], VectorWriter]


@pytest.fixture
def open_writer(folder: Path) -> Iterator[Opens]:
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(VectorWriter.open(folder, "encoder", "lineage")))


@pytest.fixture
def writer(open_writer: Opens) -> VectorWriter:
    return open_writer()


def test_the_best_sentence_speaks_for_its_chunk(folder: Path, writer: VectorWriter) -> None:
    rows = random_vectors(12)
    for chunk in range(4):
        append(writer, chunk + 1, rows[chunk * 3 : chunk * 3 + 3])
    writer.publish(1)
    reader = VectorReader.open(folder)
    query = random_vectors(1, seed=2)[0]
    cosines = (rows @ query).reshape(4, 3)
    expected = sorted(
        ((ChunkId(chunk + 1), int(cosines[chunk].argmax()), float(cosines[chunk].max())) for chunk in range(4)),
        key=lambda hit: -hit[2],
    )
    found = reader.search(query, 4)
    assert [hit[:2] for hit in found] == [hit[:2] for hit in expected]
    assert [hit[2] for hit in found] == pytest.approx([hit[2] for hit in expected], abs=1e-6)
    assert reader.search(query, 2) == found[:2]


def test_a_query_of_any_length_gives_cosines(folder: Path, writer: VectorWriter) -> None:
    rows = random_vectors(1)
    append(writer, 1, rows)
    writer.publish(1)
    ((_, _, score),) = VectorReader.open(folder).search(rows[0] * 7, 5)
    assert score == pytest.approx(1.0, abs=1e-6)


def test_one_long_chunk_does_not_hide_the_others(folder: Path, writer: VectorWriter) -> None:
    near = random_vectors(1)[0]
    append(writer, 1, np.tile(near, (500, 1)))
    append(writer, 2, random_vectors(3, seed=3))
    append(writer, 3, random_vectors(3, seed=4))
    writer.publish(1)
    found = VectorReader.open(folder).search(near, 3)
    assert {chunk for chunk, _, _ in found} == {1, 2, 3}
    assert found[0][:2] == (1, 0)


@pytest.mark.parametrize("form", [frozenset, set, lambda ids: np.array(list(ids), np.int64)])
def test_only_allowed_chunks_are_found(folder: Path, writer: VectorWriter, form: type[frozenset[ChunkId]]) -> None:
    for chunk in range(1, 40):
        append(writer, chunk, random_vectors(2, seed=chunk))
    writer.publish(1)
    reader = VectorReader.open(folder)
    query = random_vectors(1, seed=99)[0]
    assert {chunk for chunk, _, _ in reader.search(query, 10, form([ChunkId(3), ChunkId(8), ChunkId(77)]))} == {3, 8}
    assert reader.search(query, 10, form([])) == []


def test_what_is_not_published_is_not_found(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(1)
    reader = VectorReader.open(folder)
    append(writer, 2, random_vectors(2, seed=2))
    assert not reader.refresh()
    assert set(reader.chunks()) == {1}
    writer.publish(2)
    assert reader.refresh()
    assert reader.chunks() == {1: 2, 2: 2}


def test_a_crash_loses_only_what_was_not_published(folder: Path, writer: VectorWriter, open_writer: Opens) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(1)
    append(writer, 2, random_vectors(300, seed=2))
    again = open_writer()
    assert again.watermark == Watermark(1, "lineage")
    kept = random_vectors(1, seed=3)
    append(again, 3, kept)
    again.publish(2)
    reader = VectorReader.open(folder)
    assert reader.chunks() == {1: 2, 3: 1}
    assert reader.vectors(ChunkId(3))[1].tobytes() == kept.tobytes()
    sizes = {path.suffix: path.stat().st_size for path in folder.iterdir()}
    assert sizes[".vectors"] == 3 * DIMENSIONS * 4
    assert sizes[".rows"] == 3 * 12


def test_a_removed_chunk_is_gone_after_the_next_publication(folder: Path, writer: VectorWriter) -> None:
    for chunk in range(1, 9):
        append(writer, chunk, random_vectors(2, seed=chunk))
    writer.publish(1)
    writer.remove([ChunkId(3), ChunkId(50)])
    reader = VectorReader.open(folder)
    assert 3 in reader.chunks()
    writer.publish(2)
    reader.refresh()
    assert set(reader.chunks()) == {1, 2, 4, 5, 6, 7, 8}
    assert reader.rows == 14
    assert 3 not in {chunk for chunk, _, _ in reader.search(random_vectors(1, seed=3)[0], 10)}
    append(writer, 9, random_vectors(2))
    writer.publish(3)
    reader.refresh()
    assert set(reader.chunks()) == {1, 2, 4, 5, 6, 7, 8, 9}


def test_a_chunk_encoded_again_has_its_new_vectors_only(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    append(writer, 2, random_vectors(9, seed=5))
    writer.publish(1)
    fresh = random_vectors(3, seed=2)
    writer.remove([ChunkId(1)])
    append(writer, 1, fresh)
    writer.publish(2)
    ordinals, rows = VectorReader.open(folder).vectors(ChunkId(1))
    assert ordinals.tolist() == [0, 1, 2]
    assert rows.tobytes() == fresh.tobytes()


def test_removals_survive_a_restart(folder: Path, writer: VectorWriter, open_writer: Opens) -> None:
    for chunk in range(1, 9):
        append(writer, chunk, random_vectors(1, seed=chunk))
    writer.remove([ChunkId(1)])
    writer.publish(1)
    writer.close()
    again = open_writer()
    again.remove([ChunkId(2)])
    again.publish(2)
    assert set(VectorReader.open(folder).chunks()) == {3, 4, 5, 6, 7, 8}


def test_files_shrink_when_many_rows_are_removed(folder: Path, writer: VectorWriter) -> None:
    for chunk in range(1, 101):
        append(writer, chunk, random_vectors(2, seed=chunk))
    writer.publish(1)
    reader = VectorReader.open(folder)
    query = random_vectors(1, seed=500)[0]
    before = [hit for hit in reader.search(query, 100) if hit[0] > 60]
    writer.remove([ChunkId(chunk) for chunk in range(1, 61)])
    writer.publish(2)
    assert sum(path.stat().st_size for path in folder.glob("*.vectors")) == 80 * DIMENSIONS * 4
    assert list(folder.glob("*.dead")) == []
    assert reader.refresh()
    after = reader.search(query, 100)
    assert [hit[:2] for hit in after] == [hit[:2] for hit in before]
    append(writer, 101, random_vectors(1))
    writer.remove([ChunkId(61)])
    writer.publish(3)
    reader.refresh()
    assert set(reader.chunks()) == set(range(62, 102))
    assert reader.watermark == Watermark(3, "lineage")


def test_a_reader_that_lags_still_reads_what_it_knew(folder: Path, writer: VectorWriter) -> None:
    for chunk in range(1, 5):
        append(writer, chunk, random_vectors(2, seed=chunk))
    writer.publish(1)
    reader = VectorReader.open(folder)
    writer.remove([ChunkId(1), ChunkId(2)])
    writer.publish(2)
    assert set(reader.chunks()) == {1, 2, 3, 4}
    assert len(reader.search(random_vectors(1)[0], 10)) == 4


def test_sentences_of_one_chunk_are_scored_in_order(folder: Path, writer: VectorWriter) -> None:
    rows = random_vectors(5)
    append(writer, 1, random_vectors(2, seed=2))
    append(writer, 2, rows)
    writer.publish(1)
    reader = VectorReader.open(folder)
    scores = reader.sentence_scores(rows[3], ChunkId(2))
    assert [ordinal for ordinal, _ in scores] == [0, 1, 2, 3, 4]
    assert max(scores, key=lambda pair: pair[1])[0] == 3
    assert reader.sentence_scores(rows[3], ChunkId(77)) == []


def test_a_missing_folder_finds_nothing_until_it_is_there(folder: Path, open_writer: Opens) -> None:
    reader = VectorReader.open(folder)
    assert reader.rows == 0
    assert reader.search(random_vectors(1)[0], 10) == []
    writer = open_writer()
    reader.refresh()
    assert reader.search(random_vectors(1)[0], 10) == []
    append(writer, 1, random_vectors(1))
    writer.publish(1)
    assert reader.refresh()
    assert reader.rows == 1


def test_vectors_of_another_encoder_count_as_none(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(1)
    assert VectorReader.open(folder, "encoder").rows == 1
    other = VectorReader.open(folder, "another")
    assert other.rows == 0
    assert other.search(random_vectors(1)[0], 10) == []


@pytest.mark.parametrize(("encoder", "lineage"), [("another", "lineage"), ("encoder", "restored")])
def test_another_encoder_or_catalog_starts_empty(
    folder: Path, writer: VectorWriter, encoder: str, lineage: str
) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(5)
    reader = VectorReader.open(folder)
    assert VectorWriter.open(folder, encoder, lineage).watermark == Watermark(0, lineage)
    assert reader.refresh()
    assert reader.rows == 0
    assert [path.name for path in folder.iterdir()] == ["header.json"]


@pytest.mark.parametrize("suffix", [".vectors", ".rows"])
def test_files_cut_short_start_empty(folder: Path, writer: VectorWriter, suffix: str) -> None:
    append(writer, 1, random_vectors(10))
    writer.publish(5)
    (path,) = folder.glob(f"*{suffix}")
    path.write_bytes(path.read_bytes()[:-1])
    assert VectorReader.open(folder).rows == 0
    assert VectorWriter.open(folder, "encoder", "lineage").watermark == Watermark(0, "lineage")


@pytest.mark.parametrize("header", ["", "[]", "{", '{"format": 1, "rows": "many"}', '{"format": 99}', '{"x": 1}'])
def test_a_header_nobody_understands_starts_empty(folder: Path, writer: VectorWriter, header: str) -> None:
    append(writer, 1, random_vectors(10))
    writer.publish(5)
    (folder / "header.json").write_text(header, encoding="utf-8")
    assert VectorReader.open(folder).rows == 0
    assert VectorWriter.open(folder, "encoder", "lineage").watermark == Watermark(0, "lineage")


def test_leftovers_of_a_crash_are_swept_away(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(1)
    for name in ("0123.vectors", "0123.rows", "4567.dead", "header.json.new"):
        (folder / name).write_bytes(b"left over")
    VectorWriter.open(folder, "encoder", "lineage")
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".rows", ".vectors"]


def test_a_full_disk_is_reported_and_the_next_try_works(
    folder: Path, writer: VectorWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(1)

    def full(folder: Path, header: object) -> None:
        raise OSError(28, "No space left on device")

    append(writer, 2, random_vectors(1, seed=2))
    with monkeypatch.context() as patch:
        patch.setattr(vectors, "write_header", full)
        with pytest.raises(LibraryError, match="No space left"):
            writer.publish(2)
    assert VectorReader.open(folder).rows == 1
    assert writer.watermark.sequence == 1
    writer.publish(2)
    assert VectorReader.open(folder).rows == 2


def test_rows_of_another_width_are_refused(writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(1))
    with pytest.raises(ValueError, match="does not fit"):
        append(writer, 2, np.ones((1, DIMENSIONS + 1), np.float32))


def test_the_header_tells_the_watermark_and_the_encoder(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(42)
    header = json.loads((folder / "header.json").read_text(encoding="utf-8"))
    assert (header["sequence"], header["lineage"], header["encoder"], header["rows"]) == (42, "lineage", "encoder", 2)
    reader = VectorReader.open(folder)
    assert reader.watermark == Watermark(42, "lineage")
    assert reader.encoder_id == "encoder"
