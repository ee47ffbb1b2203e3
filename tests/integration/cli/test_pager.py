"""Long lists go through the user's pager, on a terminal only."""

import pytest

from tests.integration.cli.conftest import Program
from tests.integration.cli.terminal_session import TerminalSession


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
