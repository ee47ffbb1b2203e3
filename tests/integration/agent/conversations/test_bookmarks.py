"""Bookmarks on disk: kept through restarts, damage and moves, and gone with their folder to the last byte."""

import dataclasses
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.bookmarks import Bookmark, BookmarkedPassage, BookmarkStore, as_markdown
from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.errors import BookmarkError

RENT = BookmarkedPassage("ab" * 32, "/home/ada/papers/lease.pdf", "Lease", 3, 12, 14, "The rent is\n840 euros.")
BOAT = BookmarkedPassage("cd" * 32, "/home/ada/boat/log.md", "Ship's log", None, 2, 2, "We cast off at dawn.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library" / "bookmarks.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[BookmarkStore]:
    with closing(BookmarkStore(path)) as store:
        yield store


def again(path: Path) -> tuple[Bookmark, ...]:
    with closing(BookmarkStore(path)) as store:
        return store.all()


def test_bookmarks_survive_a_restart(store: BookmarkStore, path: Path) -> None:
    kept = store.add(RENT, "Ask about the boat house.")
    store.close()
    assert again(path) == (kept,)
    assert kept.passage == RENT
    assert kept.note == "Ask about the boat house."


def test_an_equal_passage_is_stored_once_with_its_newest_note(store: BookmarkStore) -> None:
    first = store.add(RENT)
    second = store.add(RENT, "A note.")
    assert store.all() == (second,)
    assert first.id == second.id
    assert store.add(RENT).note == "A note."


def test_bookmarks_are_sorted_by_document_and_line(store: BookmarkStore) -> None:
    for passage in (BOAT, RENT, dataclasses.replace(RENT, first_line=2, last_line=2)):
        store.add(passage)
    assert [(each.passage.title, each.passage.first_line) for each in store.all()] == [
        ("Lease", 2),
        ("Lease", 12),
        ("Ship's log", 2),
    ]


def test_a_note_is_changed_and_a_deletion_undone(store: BookmarkStore) -> None:
    kept = store.add(RENT)
    store.write_note(kept.id, "  Changed.  ")
    (changed,) = store.all()
    assert changed.note == "Changed."
    store.delete(kept.id)
    assert store.all() == ()
    store.restore(changed)
    assert store.all() == (changed,)


def test_a_damaged_file_is_restored_from_the_newest_sound_copy(path: Path) -> None:
    with closing(BookmarkStore(path)) as store:
        store.add(RENT)
    with closing(BookmarkStore(path)) as store:  # the copy is kept now
        assert len(store.all()) == 1
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with closing(BookmarkStore(path)) as store:
        assert "bookmarks were damaged" in store.notice
        assert [each.passage for each in store.all()] == [RENT]


def test_forgetting_a_folder_erases_its_bookmarks_from_every_file(store: BookmarkStore, path: Path) -> None:
    store.add(RENT, "A secret thought.")
    store.add(BOAT)
    store.close()
    with closing(BookmarkStore(path)) as opened:
        forgotten = Forgotten(os.fsencode("/home/ada/papers"))
        assert opened.count_from(forgotten) == 1
        assert opened.erase_from(forgotten) == 1
    for file in path.parent.iterdir():
        data = file.read_bytes()
        assert b"840 euros" not in data, file.name
        assert b"secret thought" not in data, file.name
    assert [each.passage for each in again(path)] == [BOAT]


def test_a_moved_bookmark_is_erased_by_its_content(store: BookmarkStore) -> None:
    store.add(RENT)
    assert store.erase_from(Forgotten(b"/elsewhere", frozenset({RENT.sha256}))) == 1


def test_a_file_of_a_newer_version_is_not_changed(path: Path) -> None:
    with closing(BookmarkStore(path)) as store:
        store.add(RENT)
        store._db.execute("PRAGMA user_version = 99")
    with closing(BookmarkStore(path)) as store:
        assert "newer version" in store.notice
        with pytest.raises(BookmarkError):
            store.add(BOAT)


def test_bookmarks_become_a_markdown_text_with_a_part_for_each_document(store: BookmarkStore) -> None:
    store.add(BOAT)
    store.add(RENT, "Ask about the boat house.")
    assert as_markdown(store.all()) == (
        "# Bookmarks and notes\n\n"
        "## Lease\n\n`/home/ada/papers/lease.pdf`\n\n"
        "> The rent is\n> 840 euros.\n>\n> — page 3, lines 12–14\n\n"
        "Ask about the boat house.\n\n"
        "## Ship's log\n\n`/home/ada/boat/log.md`\n\n"
        "> We cast off at dawn.\n>\n> — line 2\n"
    )
