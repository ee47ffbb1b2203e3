"""A team's library is added in a terminal only when its server has answered."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends import fail

from desktop_rag.cli import team_commands
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.cli.team_commands import (
    add_team_library,
    copying_text,
    edit_team_library,
    require_roots,
    sources_of,
)
from desktop_rag.cli.verb_parsers import verb_parser
from desktop_rag.credentials import SERVICE, Credentials
from desktop_rag.errors import CredentialError, LibraryRefused, TeamError, TeamMisconfigured
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.team_status import TEAM_PASSWORD
from desktop_rag.team.access.team_joining import TeamAddress, leave_team_library, team_address
from desktop_rag.team.writer.team_worker import CopyProgress
from tests.team_server import TeamServer, team_server
from tests.unit.test_credentials import MemoryKeychain

CA, NO_FILE = "https://127.0.0.1:9/team", "/no/such.pem"
OPTIONS = argparse.Namespace(
    user="ada",
    ca_file=None,
    certificate=None,
    token=False,
    mount=["//server/share=/mnt/team"],
    store="https://files.example.org/office",
    store_key="ADA",
)


def options(url: str = "", /, **changes: object) -> argparse.Namespace:
    """The options of `libraries --team Office URL`; without an address those of `--team Office --edit`."""
    team = ["Office", *([url] if url else [])]
    return argparse.Namespace(**{**vars(OPTIONS), "team": team, **changes})


NOTHING_GIVEN: dict[str, object] = {"user": None, "mount": None, "store": None, "store_key": None}


@pytest.fixture
def keychain() -> Iterator[MemoryKeychain]:
    before, chain = keyring.get_keyring(), MemoryKeychain()
    keyring.set_keyring(chain)
    yield chain
    keyring.set_keyring(before)


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
        add_team_library(known, options(server.url), Output(as_json=False))
    assert len(known.all()) == 1
    monkeypatch.setenv(TEAM_PASSWORD, "secret")
    assert add_team_library(known, options(server.url), Output(as_json=False)) == FOUND
    office = known.named("Office")
    assert office is not None
    address = team_address(office.library)
    assert address is not None
    assert (address.url, address.user) == (server.url, "ada")
    assert (address.files_url, address.files_key) == (OPTIONS.store, "ADA")
    assert address.mounts == (("//server/share", "/mnt/team"),)


def test_without_a_terminal_and_a_password_nothing_is_asked(
    server: TeamServer, tmp_path: Path, keychain: MemoryKeychain, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add_team_library(Libraries(tmp_path), options(server.url), Output(as_json=False)) == NOTHING
    assert TEAM_PASSWORD in capsys.readouterr().err
    assert server.paths == []


def office_of(known: Libraries) -> TeamAddress:
    office = known.named("Office")
    assert office is not None
    address = team_address(office.library)
    assert address is not None
    return address


@pytest.fixture
def office(server: TeamServer, tmp_path: Path, keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch) -> Libraries:
    """A team library of ada, whose password is in the keychain."""
    known = Libraries(tmp_path)
    typed(monkeypatch, "secret")
    assert add_team_library(known, options(server.url, store=None, store_key=None), Output(as_json=False)) == FOUND
    return known


def typed(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    left = list(answers)
    monkeypatch.setattr(team_commands, "_asked", lambda what: left.pop(0))


def edit(known: Libraries, *url: str, **changes: object) -> int:
    given = options(**{**NOTHING_GIVEN, **changes})
    given.team += url
    return edit_team_library(known, given, Output(as_json=False))


def test_the_parts_of_an_address_are_edited_and_the_rest_stays(
    office: Libraries, server: TeamServer, keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "")
    assert edit(office, server.url.replace("/team", "/team/"), mount=[]) == FOUND
    assert office_of(office) == TeamAddress(f"{server.url}/", "ada")
    assert keychain.passwords == {(SERVICE, f"team library {server.url}/ ada"): "secret"}, "moved with the address"
    typed(monkeypatch, "secret")
    assert edit(office, user="", token=True) == FOUND
    assert (office_of(office).user, office_of(office).token) == ("", True)
    assert keychain.passwords == {(SERVICE, f"team library {server.url}/ token"): "secret"}
    server.password = "renewed"
    typed(monkeypatch, "")
    with pytest.raises(TeamError, match="does not accept"):
        edit(office)
    typed(monkeypatch, "renewed")
    assert edit(office) == FOUND
    assert list(keychain.passwords.values()) == ["renewed"]


def test_a_change_that_fails_changes_nothing(
    office: Libraries, server: TeamServer, keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, passwords = office_of(office), dict(keychain.passwords)
    for url, answer, error in (
        ("http://127.0.0.1:9/team", "secret", "does not answer"),
        ("nonsense", "", "https://SERVER:9200/NAME"),
        (server.url, "wrong", "does not accept"),
        ("", "", "needs its password"),
    ):
        typed(monkeypatch, answer)
        changes: dict[str, object] = {} if url else {"user": "grace"}
        with pytest.raises(TeamError, match=error):
            edit(office, *filter(None, [url]), **changes)
        assert (office_of(office), keychain.passwords) == (before, passwords)


def test_another_server_does_not_get_the_password(
    office: Libraries, keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    with team_server("secret") as other:
        typed(monkeypatch, "")
        with pytest.raises(TeamMisconfigured, match="needs its password"):
            edit(office, other.url)
        assert other.paths == []
        typed(monkeypatch, "secret")
        assert edit(office, other.url) == FOUND
        assert list(keychain.passwords) == [(SERVICE, f"team library {other.url} ada")]


def test_without_a_keychain_the_password_is_not_asked_for(
    office: Libraries, server: TeamServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]  # keyring left it without annotations
    monkeypatch.setattr(team_commands, "_asked", lambda what: pytest.fail("it asks"))
    asked = len(server.paths)
    with pytest.raises(CredentialError, match="offers no keychain"):
        edit(office)
    with pytest.raises(CredentialError, match="offers no keychain"):
        add_team_library(Libraries(tmp_path / "other"), options(server.url), Output(as_json=False))
    with pytest.raises(TeamMisconfigured, match=r"no keychain.*DESKTOP_RAG_TEAM_PASSWORD"):
        office_of(office).connect()
    assert len(server.paths) == asked, "nothing is sent without a password"


def test_a_keychain_without_the_password_is_told(office: Libraries, keychain: MemoryKeychain) -> None:
    keychain.passwords.clear()
    with pytest.raises(TeamMisconfigured, match=r"keychain has no password.*--team NAME --edit"):
        office_of(office).connect()


def test_a_removed_library_leaves_nothing_and_one_with_notes_is_taken_up_again(
    office: Libraries, server: TeamServer, keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = office.all()[1].folder
    leave_team_library(office, "Office", Credentials())
    assert (folder.exists(), keychain.passwords) == (False, {})
    for notes in (b"", b"notes"):
        typed(monkeypatch, "secret", "of ada")
        assert add_team_library(office, options(server.url), Output(as_json=False)) == FOUND
        assert [known.folder for known in office.all()[1:]] == [folder]
        if notes:
            assert (folder / "bookmarks.sqlite").read_bytes() == b"of ada"
        (folder / "bookmarks.sqlite").write_bytes(b"of ada")
        leave_team_library(office, "Office", Credentials())
        assert folder.exists()
    assert list(folder.parent.glob("office*")) == [folder]


def test_what_is_no_team_library_has_no_address(office: Libraries) -> None:
    with pytest.raises(LibraryRefused, match="is no team library"):
        edit_team_library(office, options(team=["My library"], **NOTHING_GIVEN), Output(as_json=False))


def test_the_progress_of_a_copy_tells_the_time_left() -> None:
    assert copying_text(CopyProgress(0, 4_000, 0, None)) == "0% copied, 0 documents on the server"
    told = copying_text(CopyProgress(1_000, 4_000, 1_250, 600))
    assert told == "25% copied, 1,250 documents on the server, about 10 min left"


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
    with pytest.raises(TeamMisconfigured) as refused:
        add_team_library(Libraries(tmp_path), options(url, **{**plain, **more}), Output(as_json=False))
    assert refused.value.title == "These settings of a team's library cannot be used"
