"""What a folder leaves out by name alone, without a file system."""

import os
from pathlib import Path

import pytest

from desktop_rag.errors import ProblemKind
from desktop_rag.index.folders.name_rules import SECRET_MARKERS
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, chosen
from desktop_rag.index.records import FolderRules

MEGABYTE = 1_000_000

DEFAULT = FolderRules()


def decide(name: str, rules: FolderRules = DEFAULT, *, size: int = 10, folder: bool = False) -> FolderRule:
    root = b"/nowhere/at/all"
    filtered = FolderFilter(root, rules)
    raw = name.encode()
    top = filtered.top(())
    hidden = name.startswith(".")
    decision = filtered.folder(top, raw, hidden=hidden) if folder else filtered.file(top, raw, size, hidden=hidden)
    assert decision.reason
    assert decision.included == (decision.rule in {FolderRule.INCLUDED, FolderRule.OWN_LINE} and decision.included)
    return decision.rule


@pytest.mark.parametrize("name", ["notes.md", "Report 2024.pdf", "Makefile", "main.py", "noname"])
def test_ordinary_files_are_read(name: str) -> None:
    assert decide(name) is FolderRule.INCLUDED


SECRETS = """.env .env.local prod.env server.PEM id_rsa id_ed25519.pub Safe.kdbx .netrc ca.key my.p12 my.pfx my.jks
wallet.dat logins.json terraform.tfstate terraform.tfstate.backup client_secret_1.json passwords.csv office.ovpn"""


@pytest.mark.parametrize("name", SECRETS.split())
def test_files_that_may_hold_secrets_are_left_out(name: str) -> None:
    assert decide(name) is FolderRule.SECRET
    assert decide(name, FolderRules(include_hidden=True)) is FolderRule.SECRET


def test_a_presentation_of_keynote_is_no_key(tmp_path: Path) -> None:
    filtered = FolderFilter(b"/nowhere/at/all", FolderRules())
    decided = {
        (name, size): filtered.file(filtered.top(()), name, size, hidden=False).rule
        for name in (b"Talk.KEY", b"id_rsa_new.key", b"ca.pem")
        for size in (1_700, 90_000)
    }
    assert [place for place, rule in decided.items() if rule is FolderRule.INCLUDED] == [(b"Talk.KEY", 90_000)]
    talk, key = tmp_path / "talk.key", tmp_path / "server.key"
    talk.write_bytes(bytes(90_000))
    key.write_bytes(bytes(1_700))
    assert chosen(os.fsencode(talk)) == ""
    assert "may hold passwords or keys" in chosen(os.fsencode(key))
    (tmp_path / "folder.key").mkdir()
    assert "may hold passwords or keys" in chosen(os.fsencode(tmp_path / "folder.key"))


@pytest.mark.parametrize(
    "name", [".ssh", ".gnupg", ".password-store", ".aws", ".kube", ".mozilla", "keyrings", ".electrum"]
)
def test_folders_of_secrets_are_left_out(name: str) -> None:
    assert decide(name, FolderRules(include_hidden=True), folder=True) is FolderRule.SECRET


@pytest.mark.parametrize("name", ["chromium", "google-chrome", "BraveSoftware"])
def test_folder_named_like_a_browser_is_no_profile(name: str) -> None:
    """A profile is told by its files; where browsers keep it, it is hidden too."""
    assert decide(name, folder=True) is FolderRule.INCLUDED
    assert b"Login Data" in SECRET_MARKERS


@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__", "$RECYCLE.BIN", ".venv", "lost+found"])
def test_folders_of_programs_are_left_out(name: str) -> None:
    assert decide(name, FolderRules(include_hidden=True), folder=True) is FolderRule.SYSTEM


@pytest.mark.parametrize(
    "name", ["~$letter.docx", "Thumbs.db", ".DS_Store", "a.txt~", ".a.txt.swp", "4913", ".~lock.a.odt#"]
)
def test_litter_of_programs_is_left_out(name: str) -> None:
    assert decide(name) is FolderRule.SYSTEM


def test_hidden_files_are_left_out_unless_wanted() -> None:
    assert decide(".profile.txt") is FolderRule.HIDDEN
    assert decide(".profile.txt", FolderRules(include_hidden=True)) is FolderRule.INCLUDED


def test_a_line_of_the_folder_leaves_out() -> None:
    rules = FolderRules(ignore=("*.log", "/drafts/"))
    assert decide("today.log", rules) is FolderRule.OWN_LINE
    assert decide("drafts", rules, folder=True) is FolderRule.OWN_LINE
    assert decide("drafts", rules) is FolderRule.INCLUDED


def test_a_line_with_an_exclamation_mark_takes_back_in() -> None:
    rules = FolderRules(ignore=("!.github/", "!.env"))
    filtered = FolderFilter(b"/nowhere/at/all", rules)
    top = filtered.top(())
    assert filtered.folder(top, b".github", hidden=True).included
    assert filtered.file(top, b".env", 10, hidden=True).included
    inside = filtered.below(top, b".github", ())
    assert filtered.file(inside, b"workflow.yml", 10, hidden=False).included
    assert filtered.file(inside, b"id_rsa", 10, hidden=False).rule is FolderRule.SECRET


def test_lines_that_are_no_pattern_do_no_harm() -> None:
    rules = FolderRules(ignore=("", "# a remark", "!", "[", "/", "*.log"))
    assert decide("today.log", rules) is FolderRule.OWN_LINE
    assert decide("notes.md", rules) is FolderRule.INCLUDED


def test_big_files_and_unread_types_are_told_with_a_reason() -> None:
    filtered = FolderFilter(b"/nowhere/at/all", FolderRules(max_megabytes=2))
    top = filtered.top(())
    big = filtered.file(top, b"big.txt", 2 * MEGABYTE + 1, hidden=False)
    assert (big.rule, big.is_reported, big.included) == (FolderRule.TOO_BIG, True, False)
    assert "2 MB" in big.reason
    picture = filtered.file(top, b"cat.psd", 10, hidden=False)
    assert (picture.rule, picture.is_reported, picture.included) == (FolderRule.UNREADABLE_TYPE, True, False)
    assert "psd" in picture.reason
    assert (big.kind, picture.kind) == (ProblemKind.TOO_LARGE, ProblemKind.TYPE)


def test_left_out_by_name_is_not_told() -> None:
    filtered = FolderFilter(b"/nowhere/at/all", FolderRules())
    assert not filtered.file(filtered.top(()), b".hidden.txt", 10, hidden=True).is_reported


def test_our_own_data_is_never_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "documents" / "ours"))
    filtered = FolderFilter(str(tmp_path).encode(), FolderRules())
    documents = filtered.below(filtered.top(()), b"documents", ())
    assert filtered.folder(documents, b"ours", hidden=False).rule is FolderRule.SYSTEM
    assert filtered.folder(documents, b"theirs", hidden=False).included


def test_names_that_are_no_text_are_decided_too() -> None:
    filtered = FolderFilter(b"/nowhere/at/all", FolderRules(ignore=("*.log",)))
    assert filtered.file(filtered.top(()), b"caf\xe9.txt", 10, hidden=False).included
    assert not filtered.file(filtered.top(()), b"caf\xe9.log", 10, hidden=False).included


def test_a_folder_that_holds_the_keys_of_a_browser_is_left_out() -> None:
    filtered = FolderFilter(b"/nowhere/at/all", FolderRules())
    for marker in (b"key4.db", b"Login Data", b"wallet.dat"):
        decision = filtered.marked(b"profile", {marker, b"notes.txt"})
        assert decision is not None
        assert (decision.rule, decision.detail) == (FolderRule.SECRET, "profile")


@pytest.mark.parametrize(
    "path", ["/home/me/.ssh/config", "/home/me/Project/.env", "/home/me/Safe.kdbx", "/home/me/.gnupg", "/a/id_rsa.pub"]
)
def test_a_secret_is_not_taken_in_even_when_it_is_chosen(path: str) -> None:
    reason = chosen(os.fsencode(path.replace("/", os.sep)))
    assert "may hold passwords or keys" in reason
    assert "“!" in reason


@pytest.mark.parametrize("path", ["/home/me/Documents", "/home/me/.config/notes.txt", "/home/me/Keys.md", "/a/b.txt"])
def test_anything_else_is_taken_in_when_it_is_chosen(path: str) -> None:
    assert chosen(os.fsencode(path.replace("/", os.sep))) == ""


def test_lines_of_all_folders_count_in_each_and_its_own_outrank_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))
    (tmp_path / "ignore").write_text("# everywhere\n*.log\n*.bak\n", encoding="utf-8")
    filtered = FolderFilter(b"/nowhere/at/all", FolderRules(ignore=("!keep.log",)))
    top = filtered.top(())
    left_out = filtered.file(top, b"x.log", 1, hidden=False)
    assert (left_out.included, left_out.source, left_out.line) == (False, os.fsencode(tmp_path / "ignore"), 2)
    assert "Line 2 of the rules of all folders, “*.log”, leaves it out" in left_out.reason
    kept = filtered.file(top, b"keep.log", 1, hidden=False)
    assert kept.reason == "Line 1 of this folder's rules, “!keep.log”, takes it in."
