"""When following the progress may end, and how long it takes in words."""

from dataclasses import replace

import pytest

from desktop_rag.cli.index_command import duration, is_settled
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderId, FolderRules, FolderState

FOLDER = FolderStatus(FolderId(1), b"/home/me", False, FolderState.ACTIVE, FolderRules(), 9, 8, 8, 1, 0, scanning=False)
AT_REST = LibraryStatus((FOLDER,), IndexingPhase.IDLE)


def test_a_library_at_rest_is_settled_also_with_work_nobody_can_do() -> None:
    offline = replace(FOLDER, state=FolderState.OFFLINE, searchable=3, ready=2)
    assert is_settled(AT_REST)
    assert is_settled(replace(AT_REST, folders=(offline,)))
    assert is_settled(replace(AT_REST, phase=IndexingPhase.PAUSED))


def test_a_folder_that_waits_for_its_scan_is_not_settled() -> None:
    assert not is_settled(replace(AT_REST, folders=(replace(FOLDER, scanning=True),)))


@pytest.mark.parametrize("phase", [IndexingPhase.SCANNING, IndexingPhase.READING, IndexingPhase.ENCODING])
def test_a_library_at_work_is_not_settled(phase: IndexingPhase) -> None:
    assert not is_settled(replace(AT_REST, phase=phase))


def test_durations_read_as_people_say_them() -> None:
    assert [duration(seconds) for seconds in (0.2, 40, 720, 10_800)] == ["1 s", "40 s", "12 min", "3 h"]
