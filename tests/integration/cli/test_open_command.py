"""`desktop-rag open` finds the document and hands its line to the window."""

import hashlib
from pathlib import Path

import pytest

from desktop_rag.cli.search_command import place_in_file
from desktop_rag.text.desktop_links import OpenLink, parse_link
from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.md:12", ("a.md", 12, 12)),
        ("a.md:12-14", ("a.md", 12, 14)),
        ("dir/a.md#L12-L14", ("dir/a.md", 12, 14)),
        ("a.md#L3", ("a.md", 3, 3)),
        ("a.md", ("a.md", 0, 0)),
        ("a.md:x", ("a.md:x", 0, 0)),
        ("C:\\a.md:7", ("C:\\a.md", 7, 7)),
        ("a.md:9-3", ("a.md", 3, 9)),
    ],
)
def test_a_place_is_read(text: str, place: tuple[str, int, int]) -> None:
    assert place_in_file(text) == place


def test_a_name_that_ends_like_a_place_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "notes:12"
    file.write_text("x", encoding="utf-8")
    assert place_in_file(str(file)) == (str(file), 0, 0)


@pytest.mark.parametrize("written", ["{}/lease.md:5-9", "lease.md#L5-L9", "LEASE.md:5-9"])
def test_a_document_is_found_by_path_and_by_name(indexed: Program, documents: Path, written: str) -> None:
    link = indexed.run("open", written.format(documents), "--json").object["link"]
    assert parse_link(str(link)) == OpenLink(str(documents / "lease.md"), 5, 9, sha256(documents / "lease.md"))


def test_a_path_is_understood_as_it_is_written(
    indexed: Program, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "linked").symlink_to(documents, target_is_directory=True)
    monkeypatch.setenv("HOME", str(documents.parent))
    name = documents.name
    for written in (f"{documents}/../{name}/./lease.md", f"{tmp_path}/linked/lease.md", f"~/{name}/lease.md"):
        link = indexed.run("open", f"{written}:5", "--json").object["link"]
        assert parse_link(str(link)) == OpenLink(str(documents / "lease.md"), 5, 5, sha256(documents / "lease.md"))


@pytest.mark.parametrize("written", ["nothing.md:3", "{}/deep:1", "/etc/hostname:1"])
def test_what_is_not_in_the_library_is_refused(indexed: Program, documents: Path, written: str) -> None:
    ran = indexed.run("open", written.format(documents))
    assert ran.code == 1
    assert "of this library" in ran.err or "in this library" in ran.err


def test_a_file_without_text_is_no_stranger(copied: Program, documents: Path) -> None:
    picture = documents / "blueprint.dwg"
    picture.write_bytes(b"AC1032\0")
    copied.run("index")
    ran = copied.run("open", str(picture))
    picture.unlink()  # other tests have the same folder
    assert ran.code == 1
    assert "blueprint.dwg has no text to show." in ran.err


@pytest.mark.parametrize(
    ("place", "sentence"),
    [("lease.md:99999", "lease.md has 9 lines; there is no line 99999."), ("lease.md:0", "Lines count from 1.")],
)
def test_a_line_that_is_not_there_is_told(indexed: Program, documents: Path, place: str, sentence: str) -> None:
    for written in (place, f"{documents}/{place}"):
        ran = indexed.run("open", written, "--json")
        assert ran.code == 1
        assert str(ran.object["message"]).endswith(sentence)


def test_a_range_ends_with_its_document(indexed: Program) -> None:
    link = parse_link(str(indexed.run("open", "lease.md:5-99", "--json").object["link"]))
    assert isinstance(link, OpenLink)
    assert (link.first_line, link.last_line) == (5, 9)


def test_without_a_screen_a_sentence_says_so(indexed: Program) -> None:
    ran = indexed.run("open", "lease.md:5", DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert ran.code == 1
    assert "There is no screen here" in ran.err
