"""What is open in the window is open again after a restart or a crash, without the text of a document on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.open_documents import OpenDocuments, StoredDocuments, load, store
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever

NOTES = "\n".join(f"Note {number}." for number in range(1, 200))


@pytest.fixture
def documents(panel: ViewerPanel) -> Iterator[OpenDocuments]:
    documents = OpenDocuments(panel)
    yield documents
    documents.close()


def restart(panel: ViewerPanel, retriever: MemoryRetriever, folder: Path, qtbot: QtBot) -> OpenDocuments:
    """Close everything in the window and open the library again, without storing what is open then."""
    panel.show_library(retriever)
    again = OpenDocuments(panel)
    again.show_library(folder)
    return again


def test_documents_are_back_at_their_lines_without_their_text_on_disk(
    panel: ViewerPanel, retriever: MemoryRetriever, lease: MemoryFile, opened: Opened,
    documents: OpenDocuments, tmp_path: Path, qtbot: QtBot,
) -> None:  # fmt: skip
    folder = tmp_path / "library"
    folder.mkdir()
    notes = retriever.add_text(tmp_path / "notes.txt", NOTES)
    documents.show_library(folder)
    qtbot.waitUntil(documents._timer.isActive)
    opened(cite(notes, "Note 150."))
    opened(cite(lease, "It is raised once a year,"))
    panel.set_text_zoom(3)
    panel._strip.setCurrentIndex(0)
    qtbot.waitUntil(lambda: len(load(folder).places) == 2 and load(folder).text_zoom == 3)  # while it runs: a crash
    documents._timer.stop()
    written = (folder / "documents.json").read_text()
    assert "Note" not in written
    assert "raised" not in written
    documents._folder = None
    again = restart(panel, retriever, folder, qtbot)
    qtbot.waitUntil(lambda: panel.tab_count() == 2)
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy())
    assert tab.name == "notes.txt"
    assert tab.highlighted_text() == "Note 150."
    assert tab.body.marked == ((NOTES.index("Note 150."), NOTES.index("Note 150.") + len("Note 150")),)
    assert panel.text_zoom == 3
    again.close()


def test_a_damaged_file_opens_nothing_and_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "documents.json").write_bytes(b"{not json")
    assert load(tmp_path) == StoredDocuments()
    store(tmp_path / "gone", StoredDocuments(current=1))
    assert not (tmp_path / "gone").exists()


def test_what_was_opened_meanwhile_stays(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, documents: OpenDocuments, tmp_path: Path, qtbot: QtBot
) -> None:
    opened(cite(lease, "It is raised once a year,"))
    documents.show_library(tmp_path)
    qtbot.waitUntil(documents._timer.isActive)
    assert panel.tab_count() == 1


def test_without_documents_nothing_is_left_of_them(
    panel: ViewerPanel, lease: MemoryFile, opened: Opened, documents: OpenDocuments, tmp_path: Path, qtbot: QtBot
) -> None:
    documents.show_library(tmp_path)
    qtbot.waitUntil(documents._timer.isActive)
    opened(cite(lease, "It is raised once a year,"))
    qtbot.waitUntil(lambda: len(load(tmp_path).places) == 1)
    panel.close_tab(0)  # as when its folder is forgotten
    qtbot.waitUntil(lambda: load(tmp_path).places == ())
