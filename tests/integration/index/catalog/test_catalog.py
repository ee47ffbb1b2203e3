"""The catalog keeps texts exactly, hides what is removed and forgets what nobody holds."""

import os
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.documents.chunking import split
from desktop_rag.errors import LibraryDamaged, LibraryError, ProblemKind
from desktop_rag.index.catalog import content_writer as contents_module
from desktop_rag.index.catalog import folder_table
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.content_table import pieces_between
from desktop_rag.index.catalog.content_writer import segments
from desktop_rag.index.catalog.file_lookup import SAME_FILE
from desktop_rag.index.records import FileStat, FileState, FolderId, FolderState
from tests.examples import examples
from tests.integration.index.conftest import Put, document_of
from tests.integration.index.vectors.rows import give_vectors

LATER = time.time_ns() + 10**15


def erase_orphans(catalog: Catalog) -> None:
    catalog.contents.discard_orphans(LATER)
    while catalog.contents.erase_some():
        pass


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=60)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60), deadline=None)
def test_any_text_comes_back_as_it_was_stored(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    monkeypatch.setattr(contents_module, "SEGMENT_CHARACTERS", 50)
    document = document_of("\n".join(lines))
    pieces = list(segments(document))
    assert "".join(body for _, _, body in pieces) == document.text
    for first, start, body in pieces:
        assert document.text[start : start + len(body)] == body
        assert document.line_starts[first - 1] == start


def test_windows_of_a_long_text_are_exact(catalog: Catalog, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents_module, "SEGMENT_CHARACTERS", 100)
    lines = [f"Line {number} of this document says something." for number in range(1, 301)]
    text = "\n".join(lines)
    content = put(catalog.folders.add(b"/a", is_file=False), b"long.txt", text)
    assert catalog.texts.whole(content) == text
    assert catalog.texts.lines(content, 1, 3) == lines[:3]
    assert catalog.texts.lines(content, 150, 40) == lines[149:189]
    assert catalog.texts.lines(content, 299, 40) == lines[298:]
    assert catalog.texts.lines(content, 301, 5) == []
    assert catalog.texts.lines_with_offset(content, 150, 1) == (text.index(lines[149]), [lines[149]])
    assert catalog.texts.between(content, 990, 1100) == text[990:1100]
    for chunk in catalog.chunks.of_content(content):
        assert chunk.text == text[chunk.span.start : chunk.span.end]


def test_equal_files_are_one_content_with_two_places(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    first = put(folder, b"deep/er/copy.txt", "The same words.")
    assert put(folder, b"one.txt", "The same words.") == first
    assert [place.path for place in catalog.files.places([first])[first]] == [b"/a/one.txt", b"/a/deep/er/copy.txt"]


def test_a_file_that_can_be_opened_comes_before_equal_ones_that_cannot(catalog: Catalog, put: Put) -> None:
    gone, here = (catalog.folders.add(path, is_file=False) for path in (b"/gone", b"/here"))
    content = put(gone, b"one.txt", "The same words.")
    put(here, b"one.txt", "The same words.")

    def paths() -> list[bytes]:
        return [place.path for place in catalog.files.every_place([content])[content]]

    assert paths() == [b"/gone/one.txt", b"/here/one.txt"]
    catalog.folders.set_offline(gone)
    assert paths() == [b"/here/one.txt", b"/gone/one.txt"]


def test_a_removed_folder_is_gone_for_readers_at_once_and_comes_back_with_undo(
    catalog: Catalog, put: Put, tmp_path: Path
) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"one.txt", "Words.")
    reader = CatalogReader.open(tmp_path / "library" / "catalog.sqlite")
    assert content in reader.files.visible_contents()
    catalog.folders.remove(folder)
    assert reader.files.visible_contents() == frozenset()
    assert reader.files.places([content]) == {}
    assert reader.folders.all() == ()
    catalog.folders.restore(folder)
    assert content in reader.files.visible_contents()
    reader.close()


def test_a_content_that_no_place_holds_is_erased_with_its_chunks(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"one.txt", "Words to forget.")
    chunks = catalog.chunks.ids_of_content(content)
    catalog.files.remove(catalog.files.of_folder(folder)[b"one.txt"].id)
    catalog.contents.discard_orphans(0)
    assert not catalog.contents.erase_some()
    erase_orphans(catalog)
    assert catalog.texts.whole(content) == ""
    assert catalog.contents.by_id([content]) == {}
    assert catalog.change_log.changes(0, 100, "added").removed == chunks


def test_a_content_that_is_held_again_is_not_erased(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"one.txt", "Words to keep.")
    catalog.files.remove(catalog.files.of_folder(folder)[b"one.txt"].id)
    catalog.contents.discard_orphans(0)
    assert put(folder, b"back.txt", "Words to keep.") == content
    erase_orphans(catalog)
    assert catalog.texts.whole(content) == "Words to keep."


def test_a_long_content_arrives_and_leaves_in_steps_and_is_only_seen_whole(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents_module, "SEGMENT_CHARACTERS", 50)
    monkeypatch.setattr(contents_module, "STEP", 4)
    document = document_of("\n\n".join(f"Paragraph {number} says something of its own." for number in range(60)))
    chunks = split(document, 20)
    arriving = catalog.contents.store_in_steps(b"digest", document, chunks)
    for _ in range(10):
        next(arriving)
        assert catalog.contents.by_hash(b"digest") is None
    catalog.contents.discard_orphans(LATER)
    assert not catalog.contents.erase_some()
    catalog.contents.discard_unfinished()
    assert catalog.contents.erase_some()
    content = catalog.contents.store(
        b"digest", document, chunks
    )  # the same bytes, while the rest of them is still leaving
    steps = 1
    while catalog.contents.erase_some():
        steps += 1
    assert steps > 3
    assert catalog.texts.whole(content) == document.text
    assert catalog.contents.by_id([content])[content].word_count == len(document.text.split())
    assert catalog.chunks.all_ids() == frozenset(catalog.chunks.ids_of_content(content))
    assert set(catalog.change_log.changes(0, 10_000, "added").added) == catalog.chunks.all_ids()


def test_chunk_ids_are_never_used_again(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    old = catalog.chunks.ids_of_content(put(folder, b"one.txt", "First."))
    catalog.files.remove(catalog.files.of_folder(folder)[b"one.txt"].id)
    erase_orphans(catalog)
    new = catalog.chunks.ids_of_content(put(folder, b"two.txt", "Second."))
    assert min(new) > max(old)


def test_a_file_goes_from_queued_over_searchable_to_ready(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)

    def state() -> FileState:
        return catalog.files.of_folder(folder)[b"one.txt"].state

    content = put(folder, b"one.txt", "One sentence. And another.")
    assert state() is FileState.QUEUED
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    assert state() is FileState.SEARCHABLE
    give_vectors(catalog, catalog.chunks.ids_of_content(content))
    assert state() is FileState.READY
    assert catalog.chunks.sentence_counts()[0] == catalog.chunks.sentence_counts()[1] == 2


def test_a_changed_file_serves_its_old_content_until_the_new_one_is_read(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    old = put(folder, b"one.txt", "Old words.")
    catalog.files.queue(folder, b"one.txt", FileStat(99, 2, 1, 1))
    assert old in catalog.files.visible_contents()
    assert [file.path for file in catalog.files.next_queued(5)] == [b"/a/one.txt"]


def test_small_and_recent_files_are_read_first(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    catalog.files.queue(folder, b"big", FileStat(50_000_000, 9, 1, 1))
    catalog.files.queue(folder, b"old", FileStat(10, 1, 2, 1))
    catalog.files.queue(folder, b"new", FileStat(10, 5, 3, 1))
    assert [file.path.rpartition(b"/")[2] for file in catalog.files.next_queued(5)] == [b"new", b"old", b"big"]


def test_files_in_hand_are_not_offered_again(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    for number in range(4):
        catalog.files.queue(folder, b"%d" % number, FileStat(10, number, number + 1, 1))
    in_hand = {file.id for file in catalog.files.next_queued(2)}
    assert [file.path for file in catalog.files.next_queued(2, without=in_hand)] == [b"/a/1", b"/a/0"]


def test_a_big_file_in_hand_lets_only_small_ones_follow(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    catalog.files.queue(folder, b"big", FileStat(50_000_000, 9, 1, 1))
    catalog.files.queue(folder, b"new", FileStat(10, 5, 3, 1))
    assert [file.path for file in catalog.files.next_queued(5, largest=999_999)] == [b"/a/new"]


def test_a_long_queue_costs_no_more_than_a_short_one(catalog: Catalog) -> None:
    plan = catalog.database.rows(
        tuple[int, int, int, str],
        "EXPLAIN QUERY PLAN SELECT id FROM file WHERE folder = 1 AND pending = 1 AND size / 1000000 <= 9 "
        "ORDER BY size / 1000000, mtime_ns DESC LIMIT 2",
    )
    assert len(plan) == 1
    assert "file_queue" in plan[0][3]


def test_a_file_that_could_not_be_read_waits_until_somebody_asks_again(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    catalog.files.queue(folder, b"one", FileStat(10, 1, 1, 1))
    file = catalog.files.of_folder(folder)[b"one"].id
    catalog.files.set_outcome(file, FileState.FAILED, "You have no permission to read this file.", ProblemKind.ACCESS)
    assert catalog.files.next_queued(5) == []
    catalog.files.retry_failed(folder)
    assert [file.path for file in catalog.files.next_queued(5)] == [b"/a/one"]


def test_a_moved_file_has_its_content_at_once_and_is_queued_to_be_compared(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"one.txt", "Words.")
    catalog.files.add_moved(folder, b"two.txt", FileStat(6, 1, 1, 1), content)
    assert catalog.files.of_folder(folder)[b"two.txt"].content == content
    assert [file.path for file in catalog.files.next_queued(5)] == [b"/a/two.txt"]


def test_a_file_whose_content_is_gone_meanwhile_is_read(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"one.txt", "Words.")
    catalog.files.remove(catalog.files.of_folder(folder)[b"one.txt"].id)
    catalog.contents.discard_orphans(LATER)
    catalog.contents.discard_orphans(LATER)
    catalog.files.add_moved(folder, b"two.txt", FileStat(6, 1, 1, 1), content)
    assert [file.path for file in catalog.files.next_queued(5)] == [b"/a/two.txt"]


def test_a_huge_folder_does_not_keep_another_one_waiting(catalog: Catalog) -> None:
    huge, small = (catalog.folders.add(path, is_file=False) for path in (b"/huge", b"/small"))
    for number in range(40):
        catalog.files.queue(huge, b"%d.txt" % number, FileStat(10, 1000 + number, number + 1, 1))
    catalog.files.queue(small, b"old.txt", FileStat(10, 1, 99, 1))
    catalog.files.queue(small, b"older.txt", FileStat(10, 0, 98, 1))
    first = [file.path for file in catalog.files.next_queued(4)]
    assert first == [b"/huge/39.txt", b"/small/old.txt", b"/huge/38.txt", b"/small/older.txt"]


def test_a_folder_that_is_erased_cannot_be_brought_back(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    catalog.folders.remove(folder)
    catalog.folders.erase_removed(LATER)
    with pytest.raises(LibraryError, match="Add it again"):
        catalog.folders.restore(folder)


def test_a_large_folder_is_erased_piece_by_piece(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_table, "FILES_PER_STEP", 10)
    gone, stays = (catalog.folders.add(path, is_file=False) for path in (b"/gone", b"/stays"))
    for folder in (gone, stays):
        for number in range(25):
            catalog.files.queue(folder, b"%d" % number, FileStat(1, 1, number + 1, 1))
    catalog.folders.remove(gone)
    left = []
    while catalog.folders.erase_removed(LATER):
        left.append(len(catalog.files.of_folder(gone)))
    assert left == [15, 5]
    assert len(catalog.files.of_folder(stays)) == 25
    with pytest.raises(LibraryError, match="Add it again"):
        catalog.folders.restore(gone)


def test_a_folder_in_the_place_of_a_removed_file_is_a_folder(catalog: Catalog, put: Put) -> None:
    root = catalog.folders.add(b"/a", is_file=True)
    put(root, b"", "Words.")
    catalog.folders.remove(root)
    assert catalog.folders.add(b"/a", is_file=False) == root
    assert [folder.is_file for folder in catalog.folders.all()] == [False]
    assert catalog.files.of_folder(root) == {}


def test_a_paused_folder_stays_paused_when_it_goes_away(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    catalog.folders.set_state(folder, FolderState.PAUSED)
    catalog.folders.set_offline(folder)
    assert [folder.state for folder in catalog.folders.all()] == [FolderState.PAUSED]


def test_only_sentences_that_can_be_found_are_counted(catalog: Catalog, put: Put) -> None:
    put(catalog.folders.add(b"/a", is_file=False), b"one.txt", "One sentence. And another.")
    removed = catalog.folders.add(b"/b", is_file=False)
    put(removed, b"two.txt", "A third one.")
    catalog.folders.remove(removed)
    assert catalog.chunks.sentence_counts() == (0, 2)


def test_a_paused_folder_gives_nothing_to_read(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    catalog.files.queue(folder, b"one", FileStat(10, 1, 1, 1))
    catalog.folders.set_state(folder, FolderState.PAUSED)
    assert catalog.files.next_queued(5) == []


def test_a_folder_around_a_known_one_takes_its_files_over(catalog: Catalog, put: Put) -> None:
    inner = catalog.folders.add(b"/a/b", is_file=False)
    content = put(inner, b"c/one.txt", "Words.")
    outer = catalog.folders.add(b"/a", is_file=False)
    catalog.folders.merge(outer, inner, b"b")
    assert list(catalog.files.of_folder(outer)) == [b"b/c/one.txt"]
    assert catalog.files.of_folder(outer)[b"b/c/one.txt"].content == content
    assert [folder.id for folder in catalog.folders.all()] == [outer]


def test_a_name_that_is_not_utf8_is_kept(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"caf\xe9.txt", "Words.")
    assert catalog.files.places([content])[content][0].path == b"/a/caf\xe9.txt"
    assert catalog.files.content_at(b"/a/caf\xe9.txt") == content


def test_a_transaction_that_fails_leaves_nothing(catalog: Catalog) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)

    def fail() -> None:
        with catalog.transaction():
            catalog.files.queue(folder, b"one", FileStat(1, 1, 1, 1))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert catalog.files.of_folder(folder) == {}


def test_garbage_in_place_of_a_catalog_is_named_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(b"this is not a database, but it is long enough to look at" * 100)
    with pytest.raises(LibraryDamaged, match="damaged"):
        Catalog.open(path)


def test_a_catalog_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    catalog = Catalog.open(path)
    catalog.database.execute("PRAGMA user_version=99")
    catalog.close()
    with pytest.raises(LibraryError, match="newer version"):
        Catalog.open(path)


def test_a_missing_catalog_cannot_be_opened_for_reading(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="cannot be opened"):
        CatalogReader.open(tmp_path / "none.sqlite")


def test_a_transaction_that_reads_before_it_writes_waits_for_another_connection(
    catalog: Catalog, tmp_path: Path
) -> None:
    with closing(Catalog.open(tmp_path / "library" / "catalog.sqlite")) as other:
        waiting = threading.Event()

        def write() -> None:
            waiting.set()
            with other.transaction():
                other.folders.add(b"/other", is_file=False)

        writer = threading.Thread(target=write)
        with catalog.transaction():
            catalog.folders.all()
            writer.start()
            waiting.wait()
            for number in range(300):  # each one lets go of the interpreter, and must get it back
                catalog.folders.add(b"/ours/%d" % number, is_file=False)
        writer.join()
    assert [folder.path for folder in catalog.folders.all()][-2:] == [b"/ours/299", b"/other"]


def test_a_catalog_in_a_folder_nobody_can_write_is_read_all_the_same(
    catalog: Catalog, put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = put(catalog.folders.add(b"/a", is_file=False), b"one.txt", "Words on a drive that is locked.")
    catalog.close()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with closing(CatalogReader.open(tmp_path / "library" / "catalog.sqlite")) as reader:
        assert reader.texts.whole(content) == "Words on a drive that is locked."
        assert list((tmp_path / "library").iterdir()) == [tmp_path / "library" / "catalog.sqlite"]


def test_any_error_of_the_database_is_one_of_ours(catalog: Catalog) -> None:
    with pytest.raises(LibraryError):
        catalog.files.queue(FolderId(99), b"orphan.txt", FileStat(1, 1, 1, 1))


def test_a_moved_file_is_found_without_looking_through_all(catalog: Catalog) -> None:
    plan = catalog.database.rows(tuple[int, int, int, str], f"EXPLAIN QUERY PLAN {SAME_FILE}", (1, 1, 1, 1))
    assert "file_identity" in plan[0][3]


def test_a_text_of_a_kilobyte_takes_no_page_of_its_own(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/f", is_file=False)
    for number in range(90):
        put(folder, b"%d.txt" % number, _paragraph(number))
    size = sum(len(_paragraph(number)) for number in range(90))
    stored = catalog.database.number("SELECT sum(pgsize) FROM dbstat WHERE name = 'segment'")
    assert stored < 1.5 * size


def _paragraph(number: int) -> str:
    return f"Paragraph {number}. " + "The mast is made of spruce. " * 44


def test_a_piece_of_a_huge_text_costs_no_more_than_one_of_a_small_text(catalog: Catalog) -> None:
    plan = catalog.database.rows(tuple[int, int, int, str], f"EXPLAIN QUERY PLAN {pieces_between(2)}", (0, 1, 3, 9) * 2)
    searches = [detail for *_, detail in plan if "segment" in detail]
    assert len(searches) == 2
    assert all("segment_start" in detail and "start" in detail.split("(", 1)[1] for detail in searches)


def test_a_chunk_that_was_read_lately_is_gone_with_its_content(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    (chunk,) = catalog.chunks.of_content(put(folder, b"one.txt", "Words to forget."))
    with closing(CatalogReader.open(catalog.database.path)) as reader:
        assert reader.recent_chunks.by_id([chunk.id, chunk.id]) == {chunk.id: chunk}
        assert reader.recent_chunks.by_id([chunk.id])[chunk.id] is reader.recent_chunks.by_id([chunk.id])[chunk.id]
        catalog.files.remove(catalog.files.of_folder(folder)[b"one.txt"].id)
        erase_orphans(catalog)
        assert reader.recent_chunks.by_id([chunk.id]) == {}
