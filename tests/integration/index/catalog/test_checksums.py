"""A bit that flips in the catalog is noticed: by who reads the text, by `check`, and by the next indexer."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.faults.kills import recovery_faults
from benchmarks.faults.notes_library import NotesLibrary
from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.records import ContentId
from tests.integration.index.conftest import Put


@pytest.mark.parametrize(
    "read",
    [
        lambda catalog, content: catalog.texts.whole(content),
        lambda catalog, content: catalog.texts.between(content, 0, 5),
        lambda catalog, content: catalog.texts.lines(content, 1, 1),
        lambda catalog, content: catalog.chunks.of_content(content),
        lambda catalog, content: catalog.texts.of_chunks(catalog.chunks.ids_of_content(content)),
    ],
    ids=["whole", "between", "lines", "chunks", "texts of chunks"],
)
def test_a_changed_letter_is_never_shown(
    catalog: Catalog, put: Put, read: Callable[[Catalog, ContentId], object]
) -> None:
    content = put(catalog.folders.add(b"/f", is_file=False), b"a.txt", "The rent is 1,200 euros.")
    read(catalog, content)
    catalog.database.execute("UPDATE segment SET body = replace(body, '1,200', '1,300')")
    with pytest.raises(LibraryDamaged):
        read(catalog, content)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE segment SET body = replace(body, 'rent', 'sent')",
        "UPDATE segment SET start = 1",
        "UPDATE chunk SET heading = 'Other'",
        "UPDATE chunk SET end = end - 1",
        "UPDATE chunk SET last_line = 2",
        "UPDATE content SET title = 'Other'",
        "UPDATE content SET created = '1999'",
        "UPDATE layout SET kinds = x'02'",
        "DELETE FROM segment",
        "DELETE FROM chunk",
    ],
)
def test_whatever_changes_in_a_content_is_told(catalog: Catalog, put: Put, damage: str) -> None:
    content = put(catalog.folders.add(b"/f", is_file=False), b"a.txt", "The rent is 1,200 euros.")
    assert catalog.contents.is_intact(content)
    catalog.database.execute(damage)
    assert not catalog.contents.is_intact(content)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["text", "vector"])
def test_what_changed_on_the_disk_is_made_again_by_itself(tmp_path: Path, part: str) -> None:
    with NotesLibrary(tmp_path, seed=9) as notes:
        for number in range(3):
            notes.put(f"note {number}.md")
        with notes.client() as client:
            notes.settle(client)
        notes.stop_indexer()
        if part == "text":
            change = "UPDATE segment SET body = replace(body, 'waits', 'wants')"
        else:
            change = "UPDATE vector SET data = substr(data, 1, 60) || x'55' || substr(data, 62)"
        with closing(Catalog.open(notes.library.catalog)) as catalog:
            catalog.database.execute(change)
        assert recovery_faults(notes) == ""


def test_a_damaged_content_of_a_drive_that_is_away_is_kept(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/drive", is_file=False)
    content = put(folder, b"a.txt", "The rent is 1,200 euros.")
    catalog.folders.set_offline(folder)
    catalog.contents.read_again([content])
    assert catalog.files.of_folder(folder)[b"a.txt"].content == content
    catalog.folders.set_online(folder)
    catalog.contents.read_again([content])
    assert catalog.files.of_folder(folder)[b"a.txt"].content is None
    assert [file.path for file in catalog.files.next_queued(5)] == [b"/drive/a.txt"]
    while catalog.contents.erase_some():
        pass
    assert catalog.contents.by_id([content]) == {}
