"""What a forgotten folder takes with it of the bookmarks, with real processes."""

from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.bookmarks import BookmarkedPassage, BookmarkStore
from tests.integration.cli.conftest import Program, write_documents

pytestmark = pytest.mark.processes

WORDS = "The mast is made of spruce."


def test_bookmarks_of_a_forgotten_folder_leave_no_text(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")
    program = Program(tmp_path / "home")
    assert program.run("index", documents).code == 0
    for _ in range(2):  # the second opening keeps a copy
        with closing(BookmarkStore(program.library.bookmarks)) as store:
            store.add(
                BookmarkedPassage("00" * 32, str(documents / "deep" / "boat.txt"), "boat", None, 1, 1, WORDS),
                "My note.",
            )
            store.add(BookmarkedPassage("11" * 32, "/elsewhere/other.txt", "other", None, 1, 1, "Other words."))
    assert program.run("forget", documents).code == 0
    with closing(BookmarkStore(program.library.bookmarks)) as store:
        assert [bookmark.passage.quote for bookmark in store.all()] == ["Other words."]
    left = [file.name for file in program.home.rglob("*") if file.is_file() and b"spruce" in file.read_bytes()]
    assert left == []
