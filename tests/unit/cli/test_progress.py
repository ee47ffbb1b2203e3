"""When the progress display ends, and the text of durations."""

from dataclasses import replace

import pytest

from desktop_rag.cli.index_command import duration, is_settled
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderId, FolderRules, FolderState

FOLDER = FolderStatus(FolderId(1), b"/home/me", False, FolderState.ACTIVE, FolderRules(), 9, 8, 8, 1, 0, scanning=False)
AT_REST = LibraryStatus((FOLDER,), IndexingPhase.IDLE)


def test_an_idle_library_is_settled_even_with_failed_files() -> None:
    offline = replace(FOLDER, state=FolderState.OFFLINE, searchable=3, ready=2)
    assert is_settled(AT_REST)
    assert is_settled(replace(AT_REST, folders=(offline,)))
    assert is_settled(replace(AT_REST, phase=IndexingPhase.PAUSED))


def test_a_folder_waiting_for_its_scan_is_not_settled() -> None:
    assert not is_settled(replace(AT_REST, folders=(replace(FOLDER, scanning=True),)))


@pytest.mark.parametrize("phase", [IndexingPhase.SCANNING, IndexingPhase.READING, IndexingPhase.ENCODING])
def test_a_busy_library_is_not_settled(phase: IndexingPhase) -> None:
    assert not is_settled(replace(AT_REST, phase=phase))


def test_durations_are_rounded() -> None:
    assert [duration(seconds) for seconds in (0.2, 40, 720, 10_800)] == ["1 s", "40 s", "12 min", "3 h"]
