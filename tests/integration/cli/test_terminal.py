"""What a terminal shows besides lines: the pager, questions before a change, the progress of indexing."""

from pathlib import Path

import pytest

from tests.integration.cli.conftest import Program
from tests.integration.cli.terminal_session import TerminalSession

pytestmark = pytest.mark.processes


def shown(program: Program, *arguments: str, **environment: str) -> str:
    with TerminalSession(program.command(*arguments), {**program.environment, **environment}) as session:
        code = session.end()
        assert code == 0
        return session.shown


def test_hits_go_through_the_pager_with_their_colours(indexed: Program) -> None:
    text = shown(indexed, "search", "notice period", PAGER=r"sed 's/^/paged:/;s/\x1b/ESC/g'")
    assert "paged:" in text
    assert "ESC[1;33m" in text  # the words that were searched
    assert "lease.md" in text
    assert "ESC[1;33m" not in shown(indexed, "search", "notice", PAGER=r"sed 's/\x1b/ESC/g'", NO_COLOR="1")


@pytest.mark.parametrize("pager", ["", "no-such-pager", "'"])
def test_without_a_pager_hits_are_printed(indexed: Program, pager: str) -> None:
    assert "lease.md" in shown(indexed, "search", "notice period", PAGER=pager)


def test_the_pager_can_be_refused_and_left(indexed: Program) -> None:
    assert "paged" not in shown(indexed, "settings", "--no-pager", PAGER="sed s/^/paged:/")
    assert "theme" not in shown(indexed, "settings", PAGER="true")


def test_a_pipe_gets_no_pager_and_no_colours(indexed: Program) -> None:
    text = indexed.run("search", "notice period", PAGER="sed s/^/paged:/").out
    assert "paged" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize(("key", "added"), [("y", True), ("n", False), ("", False)])
def test_a_change_of_another_programs_settings_is_shown_and_asked_for(
    indexed: Program, tmp_path: Path, key: str, added: bool
) -> None:
    file = tmp_path / ".cursor" / "mcp.json"
    environment = {**indexed.environment, "HOME": str(tmp_path)}
    with TerminalSession(indexed.command("mcp", "--add", "cursor"), environment, width=200) as session:
        assert '+    "desktop-rag": {' in session.wait_for("[y/N]")
        assert not file.exists()
        session.type(f"{key}\r")
        session.wait_for("is changed" if added else "Nothing was changed")
        assert session.end() == (0 if added else 1)
    assert file.exists() == added
    if added:
        with TerminalSession(indexed.command("mcp", "--remove", "cursor"), environment, width=200) as session:
            session.wait_for("[y/N]")
            session.type("y\r")
            assert session.end() == 0
        assert not file.exists()  # it was made for the entry alone


def test_indexing_shows_bars_and_the_time_that_is_left(copied: Program, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(400):
        lines = (
            f"Note {number}, sentence {each}: the boat was painted in colour {each * number}." for each in range(40)
        )
        (folder / f"{number}.txt").write_text("\n".join(lines), encoding="utf-8")
    with TerminalSession(copied.command("index", str(folder)), copied.environment) as session:
        session.wait_for("of 403 files")
        session.wait_for("ready in ")
        session.wait_for("sentences")
        session.type("\x03")
        session.end()


def test_code_keeps_its_lines_and_the_words_of_a_hit_are_marked(copied: Program, tmp_path: Path) -> None:
    """Also where a terminal is so narrow that text is wrapped."""
    folder = tmp_path / "code"
    folder.mkdir()
    code = [
        "def keelson(mast):",
        "    if mast:",
        f"        return 2 * mast.height  # {'of the weight ' * 5}".rstrip(),
        "    return 0",
    ]
    (folder / "boat.py").write_text("\n".join(code) + "\n", encoding="utf-8")
    prose = "The garboard of the boat is made of larch, and all other planks below the water are made of old oak."
    (folder / "planks.txt").write_text(prose + "\n", encoding="utf-8")
    assert copied.run("index", folder).code == 0

    def rows(words: str) -> list[str]:
        command = copied.command("search", words, "--mode", "keyword", "--limit", "1", "--no-pager")
        with TerminalSession(command, copied.environment, width=60) as session:
            assert session.end() == 0
            return [row.rstrip() for row in session.raw.replace("\r", "").split("\n")]

    marked = [row.replace("\x1b[1;33m", "<").replace("\x1b[0m", ">") for row in rows("keelson")]
    begin = marked.index("   def <keelson>(mast):")
    assert marked[begin : begin + 4] == ["   def <keelson>(mast):", *(f"   {line}" for line in code[1:])]
    wrapped = [row for row in rows("garboard larch") if row.startswith("   ")]
    assert len(wrapped) == 2
    assert "\x1b[1;33mgarboard\x1b[0m" in wrapped[0]
