"""Vector files on a real disk: published vectors are found, others are not."""

from pathlib import Path

import numpy as np
import pytest

from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from tests.integration.index.vectors.files import Opens, append, as_kept, held, stored
from tests.integration.index.vectors.rows import random_vectors


def test_a_chunk_scores_as_its_best_sentence(folder: Path, writer: VectorWriter) -> None:
    vectors = random_vectors(12)
    for chunk in range(4):
        append(writer, chunk + 1, vectors[chunk * 3 : chunk * 3 + 3])
    writer.publish(1)
    reader = VectorReader.open(folder, stored({chunk + 1: vectors[chunk * 3 : chunk * 3 + 3] for chunk in range(4)}))
    query = random_vectors(1, seed=2)[0]
    cosines = (vectors @ query).reshape(4, 3)
    expected = sorted(
        ((chunk + 1, int(cosines[chunk].argmax()), float(cosines[chunk].max())) for chunk in range(4)),
        key=lambda hit: -hit[2],
    )
    found = reader.search(query * 7, 4)
    assert [hit[:2] for hit in found] == [hit[:2] for hit in expected]
    assert [hit[2] for hit in found] == pytest.approx([hit[2] for hit in expected], abs=0.02)
    assert reader.search(query, 2) == found[:2]


def test_one_long_chunk_does_not_hide_the_others(folder: Path, writer: VectorWriter) -> None:
    near = random_vectors(1)[0]
    chunks = {1: np.tile(near, (60, 1)), 2: random_vectors(3, seed=3), 3: random_vectors(3, seed=4)}
    for chunk, vectors in chunks.items():
        append(writer, chunk, vectors)
    writer.publish(1)
    found = VectorReader.open(folder, stored(chunks)).search(near, 3)
    assert {chunk for chunk, _, _ in found} == {1, 2, 3}
    assert found[0][:2] == (1, 0)


@pytest.mark.parametrize("form", [frozenset, set, lambda ids: np.array(list(ids), np.int64)])
def test_only_allowed_chunks_are_found(folder: Path, writer: VectorWriter, form: type[frozenset[ChunkId]]) -> None:
    chunks = {chunk: random_vectors(2, seed=chunk) for chunk in range(1, 80)}
    for chunk, vectors in chunks.items():
        append(writer, chunk, vectors)
    writer.remove([ChunkId(8)])
    writer.publish(1)
    reader = VectorReader.open(folder, stored(chunks))
    query = random_vectors(1, seed=99)[0]
    asked = form([ChunkId(3), ChunkId(8), ChunkId(70), ChunkId(777)])
    for _ in range(2):
        assert {chunk for chunk, _, _ in reader.search(query, 10, asked)} == {3, 70}
    assert reader.search(query, 10, form([])) == []


def test_unpublished_chunks_are_not_found(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(1)
    reader = VectorReader.open(folder)
    append(writer, 2, random_vectors(2, seed=2))
    assert not reader.refresh()
    assert set(reader.chunks()) == {1}
    writer.publish(2)
    assert reader.refresh()
    assert reader.chunks() == {1: 2, 2: 2}


def test_a_crash_loses_only_unpublished_chunks(folder: Path, writer: VectorWriter, opened: Opens) -> None:
    append(writer, 1, random_vectors(2))
    writer.publish(1)
    append(writer, 2, random_vectors(50, seed=2))
    again = opened()
    assert again.watermark == Watermark(1, "lineage")
    kept = random_vectors(1, seed=3)
    append(again, 3, kept)
    again.publish(2)
    reader = VectorReader.open(folder)
    assert reader.chunks() == {1: 2, 3: 1}
    assert held(reader)[3] == as_kept(kept)
    assert reader.damaged() == []


def test_a_chunk_encoded_again_has_its_new_vectors_only(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    append(writer, 2, random_vectors(9, seed=5))
    writer.publish(1)
    fresh = random_vectors(3, seed=2)
    writer.remove([ChunkId(1), ChunkId(50)])
    append(writer, 1, fresh)
    reader = VectorReader.open(folder)
    assert reader.chunks()[ChunkId(1)] == 2
    writer.publish(2)
    reader.refresh()
    assert held(reader)[1] == as_kept(fresh)
    assert (reader.rows, reader.chunks()) == (12, {1: 3, 2: 9})


def test_shards_with_many_removed_rows_are_rewritten_in_steps(folder: Path, writer: VectorWriter) -> None:
    chunks = {chunk: random_vectors(2, seed=chunk) for chunk in range(1, 200)}
    for chunk, vectors in chunks.items():
        append(writer, chunk, vectors)
    writer.publish(1)
    reader = VectorReader.open(folder, stored(chunks))
    query = random_vectors(1, seed=500)[0]
    before = [hit for hit in reader.search(query, 200) if not 1 < hit[0] < 150]
    writer.remove([ChunkId(chunk) for chunk in range(2, 150)])
    writer.publish(2)
    files = len(list(folder.glob("*.shard")))
    steps = 0
    while writer.compact_some():
        steps += 1
        if steps == 2:
            writer.remove([ChunkId(1)])  # while its row is on the way
    assert steps > 2
    assert len(list(folder.glob("*.shard"))) < files
    writer.publish(3)
    assert reader.refresh()
    assert [hit[:2] for hit in reader.search(query, 200)] == [hit[:2] for hit in before if hit[0] != 1]
    assert set(reader.chunks()) == set(range(150, 200))
    assert (reader.watermark, reader.damaged()) == (Watermark(3, "lineage"), [])


def test_zeroed_rows_leave_no_byte(folder: Path, writer: VectorWriter) -> None:
    vectors = random_vectors(3)
    append(writer, 1, vectors)
    append(writer, 2, random_vectors(2, seed=2))
    writer.remove([ChunkId(1)])
    writer.publish(1)
    (shard,) = folder.glob("*.shard")
    assert as_kept(vectors) in shard.read_bytes()
    assert writer.zero_removed()
    assert not any(as_kept(row[None]) in shard.read_bytes() for row in vectors)
    reader = VectorReader.open(folder)
    assert (reader.chunks(), reader.damaged()) == ({2: 2}, [])
    append(writer, 3, random_vectors(1))
    writer.publish(2)
    reader.refresh()
    assert (reader.chunks(), reader.damaged()) == ({2: 2, 3: 1}, [])


def test_a_chunk_without_all_its_rows_in_the_catalog_is_not_found(folder: Path, writer: VectorWriter) -> None:
    chunks = {chunk: random_vectors(2, seed=chunk) for chunk in range(1, 5)}
    for chunk, vectors in chunks.items():
        append(writer, chunk, vectors)
    writer.publish(1)
    left = {1: chunks[1], 3: chunks[3][:1], 4: chunks[4]}
    reader = VectorReader.open(folder, stored(left))
    assert {chunk for chunk, _, _ in reader.search(chunks[2][0], 4)} == {1, 4}
    assert {chunk for chunk, _ in reader.vectors_of(map(ChunkId, chunks))} == {1, 4}


def test_a_rebuild_is_hidden_until_it_has_caught_up(folder: Path, writer: VectorWriter) -> None:
    append(writer, 1, random_vectors(2))
    append(writer, 2, random_vectors(2))
    writer.publish(5)
    reader = VectorReader.open(folder)
    writer.begin_rebuild()
    assert writer.watermark == Watermark(0, "lineage")
    append(writer, 1, random_vectors(2, seed=3))
    writer.publish(3)
    assert not reader.refresh()
    assert not writer.zero_removed()
    assert not writer.compact_some()
    writer.remove([ChunkId(2)])
    writer.publish(6)
    assert writer.publish_rebuild()
    assert not writer.publish_rebuild()
    assert reader.refresh()
    assert (reader.chunks(), reader.watermark.sequence) == ({1: 2}, 6)
    assert len(list(folder.glob("*.shard"))) == 1


def test_vectors_of_another_encoder_are_searched_until_the_rebuild_is_published(
    folder: Path, writer: VectorWriter, opened: Opens
) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(5)
    other = opened("another")
    assert other.watermark == Watermark(0, "lineage")
    append(other, 1, random_vectors(1, seed=2))
    other.publish(7)
    reader = VectorReader.open(folder)
    assert (reader.encoder_id, reader.watermark.sequence) == ("encoder", 5)
    other.publish_rebuild()
    assert reader.refresh()
    assert (reader.encoder_id, reader.watermark.sequence) == ("another", 7)


def test_the_files_of_another_catalog_are_replaced_at_once(folder: Path, writer: VectorWriter, opened: Opens) -> None:
    append(writer, 1, random_vectors(1))
    writer.publish(5)
    reader = VectorReader.open(folder)
    assert opened("encoder", "restored").watermark == Watermark(0, "restored")
    assert reader.refresh()
    assert reader.rows == 0
    assert [path.name for path in folder.iterdir()] == ["header.json"]


def test_a_missing_folder_finds_nothing_until_it_is_there(folder: Path, opened: Opens) -> None:
    reader = VectorReader.open(folder)
    assert (reader.rows, reader.encoder_id, reader.watermark) == (0, "", Watermark(0, ""))
    assert reader.search(random_vectors(1)[0], 10) == []
    writer = opened()
    append(writer, 1, random_vectors(1))
    writer.publish(1)
    assert reader.refresh()
    assert reader.rows == 1
