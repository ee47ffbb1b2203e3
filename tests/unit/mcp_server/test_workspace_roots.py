"""The folders that a client tells, as filters of the library."""

import sys
from pathlib import Path

import pytest

from desktop_rag.mcp_server.workspace_roots import MOST_ROOTS, root_filters
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import FakeRetriever, document

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")


def folders(*roots: str, holds: str = "") -> list[str]:
    retriever = FakeRetriever(("lease.md", document("The rent.")))
    retriever.holds = lambda filters: any(holds in each.text for each in filters)
    return [each.text for each in root_filters(roots, retriever, Stop())]


@pytest.mark.parametrize("name", ["plain", "with space", "100%", "a%20b", "Straße", "#1", "what?"])
def test_every_name_of_a_folder_is_read_back(name: str) -> None:
    folder = Path("/home/anna") / name
    assert folders(folder.as_uri(), f"{folder.as_uri()}/") == [str(folder)]


@pytest.mark.parametrize("root", ["", "file://", "file:///", "https://a/b", "file://server/share", "file://[", "/home"])
def test_what_is_no_folder_of_this_computer_is_ignored(root: str) -> None:
    assert folders(root) == []


def test_folders_without_documents_of_the_library_do_not_count() -> None:
    assert folders("file:///home/code", "file:///home/papers", holds="papers") == ["/home/papers"]


def test_a_flood_of_folders_is_cut() -> None:
    assert len(folders(*(f"file:///home/{n}" for n in range(500)))) == MOST_ROOTS
