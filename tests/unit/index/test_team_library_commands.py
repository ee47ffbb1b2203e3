"""What the commands say of a team library, whose catalog is not on this computer."""

from pathlib import Path

import pytest

from desktop_rag.cli.folder_commands import retry
from desktop_rag.cli.libraries_command import check
from desktop_rag.cli.output import FOUND, Output
from desktop_rag.cli.status_command import status
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.team_status import TeamStatus, note_team_status
from desktop_rag.retrieval.service.open_catalog import ReadableLibrary
from desktop_rag.stop import Stop


@pytest.fixture
def team(tmp_path: Path) -> Library:
    library = Library(tmp_path)
    library.team.write_text("{}")
    note_team_status(library, TeamStatus("https://server.example:9200/team", 44))
    return library


def test_its_status_is_what_its_searcher_noted(team: Library, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(team, Output(as_json=False), Stop(), listed=True) == FOUND
    shown = capsys.readouterr().out
    assert "https://server.example:9200/team" in shown
    assert "44" in shown


def test_retry_and_check_are_refused_with_the_reason(team: Library) -> None:
    with pytest.raises(LibraryRefused, match="on the computer that writes it"):
        retry(team, (), Output(as_json=False), Stop())
    with pytest.raises(LibraryRefused, match="on the computer that writes it"):
        check(team, Output(as_json=False), Stop(), deep=False, repair=False)


def test_programs_may_ask_it(team: Library) -> None:
    readable = ReadableLibrary(team)
    readable.require()
    assert readable.folders() == ()


def test_a_window_without_attachments_is_not_refused(team: Library) -> None:
    client = LibraryClient(team)
    try:
        added = client.keep_attached((), Stop())
        assert (added.folders, added.refused) == ((), ())
        with pytest.raises(LibraryRefused):
            client.keep_attached((b"/tmp/a.txt",), Stop())
    finally:
        client.close()
