"""A team's library is added in a terminal only when its server has answered."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.cli.team_commands import add_team_library, require_roots, sources_of
from desktop_rag.cli.verb_parsers import verb_parser
from desktop_rag.errors import LibraryRefused, TeamError, TeamMisconfigured
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.team_status import TEAM_PASSWORD
from desktop_rag.team.access.team_address import team_address
from tests.team_server import TeamServer, team_server

CA, NO_FILE = "https://127.0.0.1:9/team", Path("/no/such.pem")
OPTIONS = argparse.Namespace(
    user="ada",
    ca_file=None,
    certificate=None,
    token=False,
    mount=["//server/share=/mnt/team"],
    store="https://files.example.org/office",
    store_key="ADA",
)


@pytest.fixture
def server() -> Iterator[TeamServer]:
    with team_server("secret") as server:
        yield server


def test_a_library_is_added_with_the_password_of_the_environment(
    server: TeamServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Libraries(tmp_path)
    monkeypatch.setenv(TEAM_PASSWORD, "wrong")
    with pytest.raises(TeamError, match="does not accept"):
        add_team_library(known, "Office", server.url, OPTIONS, Output(as_json=False))
    assert len(known.all()) == 1
    monkeypatch.setenv(TEAM_PASSWORD, "secret")
    assert add_team_library(known, "Office", server.url, OPTIONS, Output(as_json=False)) == FOUND
    office = known.named("Office")
    assert office is not None
    address = team_address(office.library)
    assert address is not None
    assert (address.url, address.user) == (server.url, "ada")
    assert (address.files_url, address.files_key) == (OPTIONS.store, "ADA")
    assert address.mounts == (("//server/share", "/mnt/team"),)


def test_without_a_terminal_and_a_password_nothing_is_asked(
    server: TeamServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add_team_library(Libraries(tmp_path), "Office", server.url, OPTIONS, Output(as_json=False)) == NOTHING
    assert TEAM_PASSWORD in capsys.readouterr().err
    assert server.paths == []


def test_a_space_is_a_whole_root_of_the_library(tmp_path: Path) -> None:
    roots = [os.fsencode(tmp_path / name) for name in ("hr", "public")]
    hr = f"hr={tmp_path / 'hr'}"
    assert require_roots(sources_of("files", []), roots) == ()  # all of them in one space
    assert require_roots(sources_of("files", [hr, f"all={tmp_path / 'public'}"]), roots) == ()
    assert require_roots(sources_of("files", [hr]), roots) == (roots[1],)
    with pytest.raises(LibraryRefused, match=r"no root folder.*public"):
        require_roots(sources_of("files", [hr, f"all={tmp_path / 'public' / 'sub'}"]), roots)
    with pytest.raises(LibraryRefused, match="NAME=FOLDER"):
        sources_of("files", ["hr"])


@pytest.mark.parametrize(("verb", "purpose"), [("serve-index", "keep files"), ("libraries", "fetch the files")])
def test_the_help_says_what_a_store_of_files_is_for(
    capsys: pytest.CaptureFixture[str], verb: str, purpose: str
) -> None:
    with pytest.raises(SystemExit):
        verb_parser().parse_args([verb, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert purpose in shown.partition("--store URL ")[2].partition("--store-key")[0]


@pytest.mark.parametrize(
    ("url", "more"),
    [("http://127.0.0.1:9", {}), ("http://127.0.0.1:9/team", {"mount": ["nonsense"]}), (CA, {"ca_file": NO_FILE})],
)
def test_what_cannot_be_used_is_not_called_unreachable(tmp_path: Path, url: str, more: dict[str, object]) -> None:
    plain: dict[str, object] = {"user": "", "ca_file": None, "mount": [], "store": "", "store_key": ""}
    options = argparse.Namespace(**{**vars(OPTIONS), **plain, **more})
    with pytest.raises(TeamMisconfigured) as refused:
        add_team_library(Libraries(tmp_path), "Office", url, options, Output(as_json=False))
    assert refused.value.title == "These settings of a team's library cannot be used"
