"""`desktop-rag ask -i` in a real terminal, and `export` of what it saved."""

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.endpoint import ScriptedEndpoint
from tests.endpoint import Turn as Reply
from tests.integration.cli.conftest import Program
from tests.integration.cli.terminal_session import TerminalSession
from tests.integration.cli.test_ask_command import ANSWER, QUESTION, with_profile

pytestmark = pytest.mark.processes

SCREEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


@pytest.fixture
def session(copied: Program) -> Iterator[TerminalSession]:
    plain = {name: value for name, value in copied.environment.items() if name not in SCREEN}
    with TerminalSession(copied.command("ask", "-i"), plain) as session:
        session.wait_for("> ")
        yield session


def test_a_conversation_is_asked_shown_saved_and_exported(
    session: TerminalSession, copied: Program, tmp_path: Path
) -> None:
    session.type(f"{QUESTION}\r")
    session.wait_for("Sources")
    session.wait_for("steps")
    session.type("/sources\r")
    assert "lease.md" in session.wait_for("line 9")
    session.type("/history\r")
    session.wait_for(f"1  {QUESTION}")
    session.type("/open 7\r")
    session.wait_for("no such source")
    session.type("/open 1\r")
    session.wait_for("There is no screen for the window")
    session.type("/what\r")
    session.wait_for("/save FILE")
    note = tmp_path / "note.md"
    session.type(f"/save {note}\r")
    session.wait_for("Saved as")
    assert "[^1]: lease.md, line 9" in note.read_text(encoding="utf-8")
    session.type(f"/save {note.with_suffix('.odt')}\r")
    session.wait_for("Nothing was saved")
    assert not note.with_suffix(".pdf").exists()
    session.type("/save\r")
    session.wait_for("Saved as conversation 1")
    session.wait_for("\n> ")  # an end of input before the line editor takes keys would be lost
    session.type("\x04")
    assert session.end() == 0
    (listed,) = copied.run("export", "--json").objects
    assert (listed["id"], listed["title"], listed["questions"]) == (1, QUESTION, 1)
    markdown = copied.run("export", "1").out
    assert f"# {QUESTION}" in markdown.splitlines()
    assert "[^1]: lease.md, line 9" in markdown
    cited = copied.run("cite", note, "--json").object
    assert [each["verdict"] for each in cited["citations"]] == ["verbatim"]  # type: ignore[attr-defined]
    assert (cited["claims"]["total"], cited["claims"]["quoted"]) == (1, 1)  # type: ignore[index]
    assert json.loads(copied.run("export", "last", "--format", "csl").out)[0]["title"] == "Lease"
    assert copied.run("export", "last", "--format", "bib").out.startswith("@misc{lease,")
    assert copied.run("export", "1", "--format", "html").out.startswith("<!DOCTYPE html>")
    assert copied.run("export", "1", "--format", "bib", "--json").object["format"] == "bib"
    out = tmp_path / "sources.ris"
    assert copied.run("export", "1", "--format", "ris", "--out", out).code == 0
    assert out.read_text(encoding="utf-8").startswith("TY  - ")


def test_ctrl_c_stops_the_answer_and_keeps_the_conversation(copied: Program) -> None:
    hold = threading.Event()
    with ScriptedEndpoint([*ANSWER, Reply(text=["One ", "moment"], hold_text=hold)]) as endpoint:
        program = with_profile(copied, endpoint.base_url)
        with TerminalSession(program.command("ask", "-i", QUESTION), program.environment) as session:
            session.wait_for("Sources")
            session.wait_for("> ")
            session.type("And how high is the rent?\r")
            session.wait_for("One")
            session.type("\x03")
            session.wait_for("Stopped.")
            hold.set()
            session.type("/history\r")
            session.wait_for("2  And how high")
            session.wait_for("\n> ")
            session.settle()  # a signal before the line editor waits for keys shows with the next key only
            session.type("\x03")
            session.wait_for("Ctrl+D ends")
            session.type("/quit\r")
            assert session.end() == 0


def test_an_attached_file_is_searched_for_this_question_only(copied: Program, tmp_path: Path) -> None:
    offer = tmp_path / "offer.txt"
    offer.write_text("The offer of the shipyard is 48,200 euros.\n", encoding="utf-8")
    last = copied.run("ask", "How high is the offer of the shipyard?", "--attach", offer, "--json").objects[-1]
    assert last["citations"][0]["path"] == os.path.realpath(offer)  # type: ignore[index]
    assert copied.run("search", "shipyard", "--mode", "keyword").code == 1


def test_an_attachment_that_cannot_be_read_is_named(copied: Program, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing follows")
    assert "broken.pdf" in copied.run("ask", QUESTION, "--attach", broken).err
    assert copied.run("ask", QUESTION, "--attach", tmp_path / "nowhere").code == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("export",), 1),
        (("export", "7"), 1),
        (("ask", "-i", "--json"), 2),
        (("ask",), 2),
        (("export", "1", "--format", "x"), 2),
    ],
)
def test_what_cannot_be_done_is_said(copied: Program, arguments: tuple[str, ...], code: int) -> None:
    ran = copied.run(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err
