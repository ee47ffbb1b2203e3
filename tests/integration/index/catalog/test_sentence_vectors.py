"""Vectors in the catalog: found by what a sentence says, encoded once, kept over edits, given up with their chunks."""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.index.catalog import sentence_vectors
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, ContentId, FileState, FolderId, FolderState
from desktop_rag.index.vectors.shards import FORMAT, read_header, write_header
from desktop_rag.index.vectors.vector_codes import row_type
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.index.vectors.vector_writer import VectorWriter
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put
from tests.integration.index.vectors.rows import give_vectors

LEASE = "The rent is due on the first.\n\nThe deposit is two rents.\n\nThe tenant may keep a cat."


@pytest.fixture
def folder(catalog: Catalog) -> FolderId:
    return catalog.folders.add(b"/a", is_file=False)


@pytest.fixture
def copy(library: Library, catalog: Catalog) -> Iterator[VectorSync]:
    copy = VectorSync(library.vectors, encoder_folder(), catalog, catalog.lineage())
    yield copy
    copy.close()


def encode(copy: VectorSync, catalog: Catalog) -> int:
    """Encode everything and bring the files up to date; return how many sentences got a vector."""
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    done = 0
    while some := copy.encode_some(Stop()):
        done += some
    while copy.follow() or copy.settle():
        pass
    return done


def replace_by(catalog: Catalog, put: Put, folder: FolderId, path: bytes, text: str) -> ContentId:
    """Let a file have another text, and erase its old one."""
    content = put(folder, path, text)
    catalog.contents.discard_orphans(0)
    catalog.contents.discard_orphans(2**62)
    while catalog.contents.erase_some():
        pass
    return content


def test_an_edit_encodes_only_the_sentences_whose_text_changed(
    catalog: Catalog,
    put: Put,
    copy: VectorSync,
    folder: FolderId,
    encoded: list[str],
    library: Library,
) -> None:
    put(folder, b"lease.txt", LEASE)
    assert encode(copy, catalog) == 3
    assert len(encoded) == 3
    encoded.clear()
    wrapped = LEASE.replace("on the first", "on\n  the first").replace("a cat", "two cats") + "\n\nNo bicycles."
    content = replace_by(catalog, put, folder, b"lease.txt", wrapped)
    assert catalog.database.number("SELECT count(*) FROM sentence") == 2
    encode(copy, catalog)
    assert sorted(encoded) == ["No bicycles.", "The tenant may keep two cats."]
    assert catalog.files.of_folder(folder)[b"lease.txt"].state is FileState.READY
    assert sum(VectorReader.open(library.vectors).chunks().values()) == 4
    assert set(VectorReader.open(library.vectors).chunks()) == set(catalog.chunks.ids_of_content(content))


def test_a_chunk_whose_sentences_are_all_known_is_ready_without_an_encoder(
    catalog: Catalog, put: Put, copy: VectorSync, folder: FolderId, encoded: list[str]
) -> None:
    put(folder, b"one.txt", LEASE)
    encode(copy, catalog)
    encoded.clear()
    put(folder, b"two.txt", "The deposit is two rents.\n\nThe rent is due on the first.")
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    assert catalog.files.of_folder(folder)[b"two.txt"].state is FileState.READY
    assert catalog.chunks.waiting_for_vectors(9) == []
    assert encoded == []


def test_a_renamed_or_copied_file_encodes_nothing(
    catalog: Catalog, put: Put, copy: VectorSync, folder: FolderId, encoded: list[str]
) -> None:
    put(folder, b"one.txt", LEASE)
    encode(copy, catalog)
    encoded.clear()
    put(folder, b"copy.txt", LEASE)
    replace_by(catalog, put, folder, b"renamed.txt", LEASE)
    assert encode(copy, catalog) == 0
    assert encoded == []


def test_boilerplate_is_encoded_once(
    put: Put, catalog: Catalog, copy: VectorSync, folder: FolderId, encoded: list[str]
) -> None:
    for number in range(5):
        put(folder, b"%d.txt" % number, f"All rights reserved.\n\nLetter {number}.\n\nAll rights reserved.")
    assert encode(copy, catalog) == 15
    assert sorted(encoded) == ["All rights reserved.", *(f"Letter {number}." for number in range(5))]
    put(folder, b"late.txt", "All rights reserved.\n\nA late letter.")
    encoded.clear()
    encode(copy, catalog)
    assert encoded == ["A late letter."]


def test_a_sentence_stays_known_while_any_chunk_has_it(catalog: Catalog, put: Put, folder: FolderId) -> None:
    first = put(folder, b"one.txt", "All rights reserved.\n\nOne.")
    second = put(folder, b"two.txt", "All rights reserved.\n\nTwo.")
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    give_vectors(catalog, [*catalog.chunks.ids_of_content(first), *catalog.chunks.ids_of_content(second)])
    encoder = catalog.encoders.serving()
    assert encoder is not None
    digest = sentence_vectors.sentence_hash("All  rights\nreserved.")
    for path in (b"one.txt", b"two.txt"):
        assert digest in catalog.vectors.rows_by_hash(encoder, [digest])
        catalog.files.remove(catalog.files.of_folder(folder)[path].id)
        catalog.contents.discard_orphans(0)
        catalog.contents.discard_orphans(2**62)
        while catalog.contents.erase_some():
            pass
    assert catalog.vectors.rows_by_hash(encoder, [digest]) == {}
    assert catalog.database.number("SELECT count(*) FROM sentence") == 0


def test_a_chunk_keeps_the_few_vectors_it_has_until_it_has_all(catalog: Catalog, put: Put, folder: FolderId) -> None:
    (chunk,) = catalog.chunks.of_content(put(folder, b"one.txt", LEASE))
    other = put(folder, b"two.txt", LEASE + "\n\nMore.")
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    give_vectors(catalog, catalog.chunks.ids_of_content(other))
    encoder = catalog.encoders.serving()
    assert encoder is not None
    rows = catalog.vectors.rows_by_hash(encoder, sentence_vectors.sentence_hashes(chunk))
    last, *others = list(rows)[::-1]
    catalog.vectors.store_blob("encoder", chunk.id, rows[last])
    catalog.vectors.store_blob("unknown", chunk.id, rows[others[0]])
    assert catalog.files.of_folder(folder)[b"one.txt"].state is FileState.SEARCHABLE
    assert catalog.vectors.complete([chunk.id]) == {}
    catalog.vectors.store_blob("encoder", chunk.id, b"".join(rows[digest] for digest in others) + b"half a row")
    assert catalog.files.of_folder(folder)[b"one.txt"].state is FileState.READY
    hashes = sentence_vectors.sentence_hashes(chunk)
    assert catalog.vectors.complete([chunk.id]) == {chunk.id: b"".join(rows[digest] for digest in hashes)}
    log = len(catalog.change_log.changes(0, 99, "encoded").added)
    catalog.vectors.store_blob("encoder", chunk.id, rows[last])
    assert len(catalog.change_log.changes(0, 99, "encoded").added) == log


def test_vectors_for_a_chunk_that_is_gone_are_passed_over(catalog: Catalog, put: Put, folder: FolderId) -> None:
    put(folder, b"one.txt", LEASE)
    give_vectors(catalog, catalog.chunks.all_ids())
    (chunk,) = catalog.chunks.of_content(next(iter(catalog.files.visible_contents())))
    encoder = catalog.encoders.serving()
    assert encoder is not None
    rows = catalog.vectors.rows_by_hash(encoder, sentence_vectors.sentence_hashes(chunk))
    catalog.files.remove(catalog.files.of_folder(folder)[b"one.txt"].id)
    catalog.contents.discard_orphans(0)
    catalog.contents.discard_orphans(2**62)
    while catalog.contents.erase_some():
        pass
    catalog.vectors.store_rows(encoder, [chunk], rows)
    assert catalog.database.number("SELECT count(*) FROM vector") == 0
    assert catalog.database.number("SELECT count(*) FROM sentence") == 0


def test_another_encoder_begins_anew_when_the_earlier_one_is_gone(catalog: Catalog, put: Put, folder: FolderId) -> None:
    put(folder, b"one.txt", LEASE)
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    give_vectors(catalog, catalog.chunks.all_ids(), "old")
    catalog.encoders.switch_to("new", 32, beside=False)
    assert catalog.files.of_folder(folder)[b"one.txt"].state is FileState.SEARCHABLE
    assert [chunk.id for chunk in catalog.chunks.waiting_for_vectors(10)] == list(catalog.chunks.all_ids())
    while catalog.vectors.erase_obsolete(64):
        pass
    assert catalog.database.values(str, "SELECT name FROM encoder") == ["new"]
    assert catalog.database.number("SELECT count(*) FROM sentence") == 0


def test_the_earlier_encoder_serves_until_the_new_one_has_everything(
    catalog: Catalog, put: Put, folder: FolderId
) -> None:
    put(folder, b"one.txt", LEASE)
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    assert not catalog.chunks.are_all_encoded()
    give_vectors(catalog, catalog.chunks.all_ids(), "old")
    assert catalog.chunks.are_all_encoded()
    catalog.encoders.switch_to("new", 24, beside=True)
    assert (catalog.chunks.are_all_encoded(), catalog.chunks.encoded_share()) == (False, 1.0)
    assert catalog.files.of_folder(folder)[b"one.txt"].state is FileState.READY
    put(folder, b"two.txt", "The deposit is two rents.")  # known to the old one
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    assert catalog.files.of_folder(folder)[b"two.txt"].state is FileState.READY
    assert len(catalog.chunks.waiting_for_vectors(10)) == 2
    before = catalog.vectors.complete(list(catalog.chunks.all_ids()))
    give_vectors(catalog, catalog.chunks.all_ids(), "new", beside=True)
    assert catalog.chunks.waiting_for_vectors(10) == []
    assert catalog.vectors.complete(list(catalog.chunks.all_ids())) == before
    assert not catalog.vectors.erase_obsolete(64)
    assert catalog.encoders.promote()
    assert not catalog.encoders.promote()
    now = catalog.encoders.serving()
    assert now is not None
    assert now.name == "new"
    assert catalog.chunks.sentence_counts() == (4, 4)
    assert catalog.chunks.are_all_encoded()
    while catalog.vectors.erase_obsolete(64):
        pass
    assert catalog.vectors.count_unlisted() == 0
    assert catalog.encoders.incomplete_chunks() == []
    assert set(catalog.vectors.complete(list(catalog.chunks.all_ids()))) == catalog.chunks.all_ids()


def test_going_back_to_the_earlier_encoder_costs_nothing(catalog: Catalog, put: Put, folder: FolderId) -> None:
    put(folder, b"one.txt", LEASE)
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    give_vectors(catalog, catalog.chunks.all_ids(), "old")
    catalog.encoders.switch_to("new", 24, beside=True)
    catalog.encoders.switch_to("old", 24, beside=True)
    assert catalog.chunks.waiting_for_vectors(10) == []
    assert not catalog.encoders.promote()
    while catalog.vectors.erase_obsolete(64):
        pass
    assert catalog.database.values(str, "SELECT name FROM encoder") == ["old"]


def test_a_paused_folder_keeps_its_sentences_waiting(
    catalog: Catalog, put: Put, folder: FolderId, copy: VectorSync
) -> None:
    put(folder, b"one.txt", LEASE)
    catalog.folders.set_state(folder, FolderState.PAUSED)
    assert encode(copy, catalog) == 0
    catalog.folders.set_state(folder, FolderState.ACTIVE)
    assert encode(copy, catalog) == 3


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vector SET data = substr(data, 1, 100)",
        "UPDATE vector SET data = zeroblob(length(data))",
        "UPDATE vector SET data = substr(data, 405, 404) || substr(data, 1, 404) || substr(data, 809)",
        "UPDATE vector SET data = substr(data, 1, 16) || x'0000807f' || substr(data, 21)",
        "DELETE FROM sentence",
        "DELETE FROM vector",
    ],
)
def test_broken_vectors_in_the_catalog_are_named(
    catalog: Catalog, put: Put, copy: VectorSync, folder: FolderId, library: Library, damage: str
) -> None:
    put(folder, b"one.txt", LEASE)
    encode(copy, catalog)
    assert wrong_vectors(library) == []
    catalog.database.execute(damage)
    assert wrong_vectors(library)


def test_files_with_the_signs_of_other_vectors_are_named(
    catalog: Catalog, put: Put, copy: VectorSync, folder: FolderId, library: Library
) -> None:
    put(folder, b"one.txt", LEASE)
    encode(copy, catalog)
    while copy.follow():
        pass
    assert wrong_vectors(library) == []
    for chunk, data in catalog.database.rows(tuple[int, bytes], "SELECT chunk, data FROM vector"):
        rows = np.frombuffer(data, row_type(384)).copy()
        rows["codes"] *= -1  # as whole as before
        catalog.database.execute("UPDATE vector SET data = ? WHERE chunk = ?", (rows.tobytes(), chunk))
    assert wrong_vectors(library) == ["I4"]


def wrong_vectors(library: Library) -> list[str]:
    checker = IntegrityChecker(library)
    found = [one.invariant for one in checker.run(deep=True, stop=Stop()) if not one.holds]
    checker.close()
    return [invariant for invariant in found if invariant in ("I4", "I5")]


Damage = Callable[[Path, Path], None]


def each(do: Callable[[Path], object]) -> Damage:
    def damage(vectors: Path, _: Path) -> None:
        for path in vectors.iterdir():
            do(path)

    return damage


def flip_a_sign(vectors: Path, _: Path) -> None:
    for shard in vectors.glob("*.shard"):
        data = bytearray(shard.read_bytes())
        data[0] ^= 8  # of the first sentence
        shard.write_bytes(data)


def put_back(vectors: Path, other: Path) -> None:
    shutil.rmtree(vectors)
    shutil.copytree(other, vectors)


def of_another_library(vectors: Path, _: Path) -> None:
    shutil.rmtree(vectors)
    with closing(VectorWriter.open(vectors, "encoder", 384, "another")) as writer:
        writer.append([(ChunkId(1), b"\1" * 404)])
        writer.publish(1)


def of_another_format(vectors: Path, _: Path) -> None:
    header = read_header(vectors)
    assert header is not None
    write_header(vectors, replace(header, format=FORMAT - 1))


DAMAGES: dict[str, Damage] = {
    "emptied": each(lambda path: path.write_bytes(b"")),
    "truncated": each(lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])),
    "with a flipped bit": flip_a_sign,
    "removed": lambda vectors, _: shutil.rmtree(vectors),
    "an older copy": put_back,
    "another library's": of_another_library,
    "of another format": of_another_format,
    "garbage": each(lambda path: path.write_bytes(random.Random(1).randbytes(3000))),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_written_anew_by_themselves(
    catalog: Catalog, put: Put, folder: FolderId, library: Library, copy: VectorSync, tmp_path: Path,
    encoded: list[str], damage: str,
) -> None:  # fmt: skip
    put(folder, b"one.txt", LEASE)
    encode(copy, catalog)
    shutil.copytree(library.vectors, tmp_path / "older")
    put(folder, b"two.txt", "A second file.")
    replace_by(catalog, put, folder, b"one.txt", "The lease is over.")
    encode(copy, catalog)
    copy.close()
    encoded.clear()
    DAMAGES[damage](library.vectors, tmp_path / "older")
    again = VectorSync(library.vectors, encoder_folder(), catalog, catalog.lineage())
    assert encode(again, catalog) == 0
    again.close()
    assert wrong_vectors(library) == []
    assert sum(VectorReader.open(library.vectors).chunks().values()) == 2
    assert encoded == []
