"""Backups of the conversations' file: damaged, lost, foreign and newer files."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.errors import ConversationError
from tests.integration.agent.conversations.conftest import damage, fill, titles


def test_three_copies_are_kept_and_none_is_made_without_a_change(path: Path) -> None:
    fill(path, *(f"question {n}" for n in range(6)))
    copies = sorted(path.parent.glob("*.backup"))
    assert len(copies) == 3
    assert titles(path)[0] == "question 5"
    newest = sorted(path.parent.glob("*.backup"))
    assert len(newest) == 3
    titles(path)
    assert sorted(path.parent.glob("*.backup")) == newest


def test_conversations_open_even_if_no_backup_can_be_made(path: Path) -> None:
    fill(path, "one")
    path.with_name("conversations.sqlite.unfinished").mkdir()
    with closing(ConversationStore(path)) as store:
        assert store.notice.startswith("The conversations could not be backed up")
        assert [summary.title for summary in store.summaries()] == ["one"]


def test_a_damaged_file_is_restored_from_the_newest_sound_copy(path: Path) -> None:
    fill(path, "one", "two", "three")
    titles(path)
    damage(path)
    with closing(ConversationStore(path)) as store:
        assert "restored from the last good copy" in store.notice
        assert [summary.title for summary in store.summaries()] == ["three", "two", "one"]
    assert path.with_name("conversations.sqlite.damaged-1").exists()
    with closing(ConversationStore(path)) as store:
        assert store.notice == ""


def test_a_damaged_copy_is_skipped(path: Path) -> None:
    fill(path, "one", "two", "three")
    damage(path)
    damage(max(path.parent.glob("*.backup")))
    with closing(ConversationStore(path)) as store:
        assert "restored" in store.notice
        assert [summary.title for summary in store.summaries()] == ["one"]


def test_without_a_sound_copy_a_new_file_is_started_with_a_notice(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 1000)
    with closing(ConversationStore(path)) as store:
        assert "there is no good copy" in store.notice
        assert store.summaries() == ()
    assert path.with_name("conversations.sqlite.damaged-1").read_bytes().startswith(b"this is no")


@pytest.mark.parametrize("how", ["emptied", "removed"])
def test_a_lost_file_is_restored_from_the_newest_sound_copy(path: Path, how: str) -> None:
    fill(path, "one", "two")
    titles(path)
    if how == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    with closing(ConversationStore(path)) as store:
        assert store.notice == "The stored conversations were lost. They were restored from the last good copy."
        assert [summary.title for summary in store.summaries()] == ["two", "one"]


def test_a_truncated_file_is_damaged(path: Path) -> None:
    fill(path, *(f"{number} {'question ' * 12}" for number in range(60)))
    titles(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with closing(ConversationStore(path)) as store:
        assert "damaged" in store.notice
        assert len(store.summaries()) == 60


def test_a_foreign_database_is_moved_aside(path: Path) -> None:
    fill(path, "one")
    titles(path)
    path.unlink()
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    with closing(ConversationStore(path)) as store:
        assert "damaged" in store.notice
        assert [summary.title for summary in store.summaries()] == ["one"]


def test_a_file_of_a_newer_version_is_opened_read_only(path: Path) -> None:
    fill(path, "one")
    with closing(apsw.Connection(str(path))) as db:
        db.execute("PRAGMA user_version = 99")
    with closing(ConversationStore(path)) as store:
        assert "newer version" in store.notice
        assert [summary.title for summary in store.summaries()] == ["one"]
        with pytest.raises(ConversationError):
            store.begin("two")
