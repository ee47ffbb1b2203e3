"""The folders that a client tells, as filters of the library."""

import sys
from pathlib import Path

import pytest

from desktop_rag.mcp_server.protocol_clients import MOST_ROOTS, root_filters

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")


def folders(*roots: str, library: tuple[str, ...] = ("/home/anna",)) -> list[str]:
    return [each.text for each in root_filters(roots, library)]


@pytest.mark.parametrize("name", ["plain", "with space", "100%", "a%20b", "Straße", "#1", "what?"])
def test_every_name_of_a_folder_is_read_back(name: str) -> None:
    folder = Path("/home/anna") / name
    assert folders(folder.as_uri(), f"{folder.as_uri()}/") == [str(folder)]


@pytest.mark.parametrize(
    "root", ["", "file://", "file:///", "https://a/b", "file://server/share", "file://[", "/home", "file:///home/a%00"]
)
def test_what_is_no_folder_of_this_computer_is_ignored(root: str) -> None:
    assert folders(root) == []


def test_folders_outside_of_the_library_do_not_count() -> None:
    library = ("/home/papers", "/home/notes/mine")
    assert folders("file:///home/code", "file:///home/papers", "file:///home/paper", library=library) == [
        "/home/papers"
    ]
    assert folders("file:///home/notes", library=library) == ["/home/notes/mine"]


def test_a_flood_of_folders_is_cut_and_hides_none_of_the_library() -> None:
    assert len(folders(*(f"file:///home/anna/{n}" for n in range(500)))) == MOST_ROOTS
    assert folders(*(f"file:///tmp/{n}" for n in range(500)), "file:///home/anna/x") == ["/home/anna/x"]


def test_a_root_binds_by_whatever_way_it_is_written(tmp_path: Path) -> None:
    indexed, empty, file = tmp_path / "indexed", tmp_path / "indexed" / "new", tmp_path / "indexed" / "a.md"
    empty.mkdir(parents=True)
    file.write_text("A.")
    (tmp_path / "link").symlink_to(indexed)
    library = (str(indexed),)
    for root in (f"{tmp_path}/link", f"/{tmp_path}//indexed", f"{indexed}/new/.."):
        assert folders(f"file://{root}", library=library) == [str(indexed)], root
    assert folders(indexed.as_uri(), library=(str(tmp_path / "link"),)) == [str(tmp_path / "link")]
    assert folders(empty.as_uri(), library=library) == [str(empty)]
    assert folders(file.as_uri(), empty.as_uri(), library=library) == [str(file), f"{empty}/"]
