"""`desktop-rag search -i` in a real terminal, key by key."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Program
from tests.integration.cli.terminal_session import TerminalSession

pytestmark = pytest.mark.processes

NO_SCREEN = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"


def started(program: Program, *options: str) -> TerminalSession:
    command = program.command("search", "-i", *options)
    return TerminalSession(command, {**program.environment, **NO_SCREEN}, width=80, height=24)


@pytest.fixture
def session(indexed: Program) -> Iterator[TerminalSession]:
    with started(indexed) as session:
        session.wait_for("Type to search")
        yield session


def test_hits_appear_as_one_types_and_are_chosen_and_read(session: TerminalSession) -> None:
    for letter in "spru":
        session.type(letter)
    session.wait_for("boat.txt")
    assert "spruce" in session.wait_for("keel")  # the unfinished word is enough
    session.type(RIGHT)
    session.wait_for("     1 ▌ The mast is made of spruce.")
    session.type("\x1b")
    session.wait_for("↑↓ choose")
    session.type("\x15rent\t")
    session.wait_for("linked › rent")
    session.wait_for("lease.md")
    session.type("\r")  # without a screen Enter reads here, too
    session.wait_for("     5 ▌ The rent is 1,200 euros a month.")
    session.type("\x03")
    assert session.end() == 0


def test_what_was_typed_can_be_asked_and_searched_again(indexed: Program) -> None:
    with started(indexed, "When is the rent due?") as session:
        session.wait_for("lease.md")
        session.type("\x11")
        session.wait_for("No language model wrote this.")
        session.type("And what is the mast made of?\r")
        session.wait_for("The mast is made of spruce.")
        session.wait_for(" steps")
        session.wait_for("\n> ")  # an end of input before the line editor takes keys would be lost
        session.type("\x04")
        session.wait_for("hybrid › When is the rent due?")
        session.type("\x15")
        session.wait_for("Type to search")
        session.type("\x11")  # nothing to ask
        session.type("mast")
        session.wait_for("hybrid › mast")
        session.type("\x03")
        assert session.end() == 0


@pytest.mark.slow
def test_the_terminal_is_as_before_whatever_ends_the_program(indexed: Program) -> None:
    for ending in ("\x03", "\x04", "\x1b", signal.SIGTERM, signal.SIGHUP):
        with started(indexed, "rent") as session:
            before = session.echoes
            session.wait_for("lease.md")
            assert (before, session.echoes) == (True, False)
            if isinstance(ending, str):
                session.type(ending)
            else:
                session.send(ending)
            assert session.end() == 0
            assert session.echoed_at_end
            assert session.raw.endswith("\x1b[?2004l\x1b[?1049l\x1b[?25h")


def test_a_signal_ends_the_program_whichever_thread_takes_it(indexed: Program) -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        with started(indexed, "rent") as session:
            session.wait_for("lease.md")
            session.settle()
            session.send_to_a_thread(number)
            assert session.end() == 0


def test_what_is_typed_may_be_wide_pasted_or_wrong(session: TerminalSession) -> None:
    session.type("契約 ü🦎")
    session.wait_for("契約 ü🦎")
    session.type("\x15\x1b[200~rent\n AND\tlease\x1b[201~")
    session.wait_for("rent AND lease")
    session.wait_for("lease.md")
    session.type(" AND (")
    session.wait_for("never closed")
    session.type("\x7f" * 6 + "\x17\x17")
    session.wait_for("› rent ")
    session.type("\x1b[99;5u\x1bOP\x00")  # keys that mean nothing here
    session.type("month")
    session.wait_for("rent month")


def test_a_filter_of_the_chosen_hit_is_set_and_lifted(session: TerminalSession) -> None:
    session.type("the")
    session.wait_for("lease.md")
    session.type(f"{DOWN}{UP}\x14")
    session.wait_for("ext: ")
    session.type("\x14\x0f")
    session.wait_for("folder: ")


def test_options_restrict_and_a_small_terminal_is_filled_anew(indexed: Program, documents: Path) -> None:
    with started(indexed, "the", "--mode", "keyword", "--type", "txt") as session:
        session.wait_for("ext: txt")
        session.wait_for("audit.txt")
        session.resize(40, 8)
        session.wait_for("keyword › the")
        assert "lease.md" not in session.shown
        session.type("\x03")
        assert session.end() == 0


def test_only_rows_that_change_are_written(session: TerminalSession) -> None:
    session.type("rent")
    session.wait_for("lease.md")
    session.type("\x05")
    session.settle()
    written = len(session.raw)
    session.type(LEFT)  # moves the cursor only
    session.settle()
    assert len(session.raw) - written < 60


def test_without_a_terminal_it_says_so(indexed: Program) -> None:
    ran = indexed.run("search", "-i", "rent")
    assert (ran.code, "needs a terminal" in ran.err) == (2, True)
    assert indexed.run("search", "-i", "--json").code == 2


def test_a_lost_searcher_is_started_again(session: TerminalSession) -> None:
    session.type("rent")
    session.wait_for("lease.md")
    for child in session.children():
        os.kill(child, signal.SIGKILL)
    session.type("s")
    session.wait_for("rents")
    session.type("\x7f mast")
    session.wait_for("boat.txt")
