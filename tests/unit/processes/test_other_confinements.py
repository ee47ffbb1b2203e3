"""What macOS and Windows are told to deny: the profiles decide as those systems would, the structures have their form.

Neither system runs here. The profiles are evaluated by their documented rule, that the last rule that matches decides.
"""

import re
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.processes.confinement import confine, seatbelt, windows_limits
from desktop_rag.processes.confinement.seccomp import Access, Allowed

Profile = Callable[..., str]
_RULE = re.compile(r"\((allow|deny) ((?:[a-z-]+\*? ?)+)(.*)\)|\(version 1\)")
_PATH = re.compile(r'\((?:subpath|literal) "([^"]*)"\)')


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the profiles that this process would enter on macOS."""
    texts: list[str] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(seatbelt, "enter", texts.append)
    monkeypatch.setenv("SQLITE_TMPDIR", "")
    return texts


def test_a_reader_reads_no_file_of_a_user_and_changes_nothing(entered: list[str], tmp_path: Path) -> None:
    confine.confine_this_process(tmp_path / "encoder")
    [text] = entered
    assert not _allows(text, "file-read-data", "/Users/ada/lease.pdf")
    assert not _allows(text, "file-read-data", "/Volumes/archive/lease.pdf")
    assert _allows(text, "file-read-data", "/usr/lib/libobjc.dylib")
    assert _allows(text, "file-read-data", str(tmp_path / "encoder" / "model.onnx"))
    for operation in ("file-write-data", "process-exec", "process-fork", "appleevent-send", "lsopen"):
        assert not _allows(text, operation, "/Users/ada/lease.pdf")
    for operation in ("network-outbound", "network-bind", "network-inbound"):
        assert not _allows(text, operation, "/private/var/run/mDNSResponder")


def test_a_searcher_changes_its_library_alone(entered: list[str], tmp_path: Path) -> None:
    confine.confine_searcher(tmp_path / "library", tmp_path / "encoder")
    [text] = entered
    assert _allows(text, "file-write-data", str(tmp_path / "library" / "copy.db"))
    assert not _allows(text, "file-write-data", str(tmp_path / "library2" / "copy.db"))
    assert not _allows(text, "file-write-data", str(tmp_path / "encoder" / "model.onnx"))
    assert f'(allow network-outbound (remote unix-socket (subpath "{tmp_path / "library"}")))' in text
    assert "remote ip" not in text
    assert "network-bind" not in text


def test_a_team_searcher_connects_to_its_server_only(entered: list[str], tmp_path: Path) -> None:
    confine.confine_team_searcher(tmp_path, [9200])
    assert '(allow network-outbound (remote ip "*:9200"))' in entered[0]
    assert entered[0].count("remote ip") == 1
    assert _allows(entered[0], "file-read-data", "/Users/ada/Library/Keychains/login.keychain-db")


def test_an_indexer_reads_everything_and_starts_readers_without_network(entered: list[str], tmp_path: Path) -> None:
    confine.confine_indexer(tmp_path)
    [text] = entered
    assert _allows(text, "file-read-data", "/Users/ada/lease.pdf")
    assert not _allows(text, "file-write-data", "/Users/ada/lease.pdf")
    assert _allows(text, "process-fork")
    assert "remote ip" not in text
    assert "local ip" not in text


def test_a_model_server_answers_on_loopback_and_connects_to_nothing(entered: list[str], tmp_path: Path) -> None:
    confine.confine_model_server(tmp_path / "model.gguf")
    assert '(allow network-bind network-inbound (local ip "localhost:*"))' in entered[0]
    assert "network-outbound" not in entered[0]


def test_a_path_cannot_end_its_rule(tmp_path: Path) -> None:
    evil = str(tmp_path / 'a") (allow network*) ("')
    text = seatbelt.profile([(evil, Access.CHANGE)], Allowed.CHANGE_FILES)
    assert "(allow network*)" not in re.sub(r'"(?:\\.|[^"\\])*"', "", text)


def test_without_a_path_to_allow_no_rule_allows_everything() -> None:
    text = seatbelt.profile([], Allowed.NOTHING)
    assert not _allows(text, "file-write-data", "/Users/ada/lease.pdf")
    assert not _allows(text, "file-read-data", "/Users/ada/lease.pdf")


def test_a_job_on_windows_has_one_process_unless_it_starts_others() -> None:
    limits = windows_limits.basic_limits(Allowed.NOTHING)
    assert len(limits) == 64  # JOBOBJECT_BASIC_LIMIT_INFORMATION on 64-bit Windows
    assert struct.unpack_from("=I", limits, 16) == (8,)  # LimitFlags: JOB_OBJECT_LIMIT_ACTIVE_PROCESS
    assert struct.unpack_from("=I", limits, 40) == (1,)  # ActiveProcessLimit
    assert struct.unpack_from("=I", windows_limits.basic_limits(Allowed.PROCESSES), 16) == (0,)


def test_all_privileges_but_passing_folders_are_removed() -> None:
    held = struct.pack("=I", 3) + b"".join(struct.pack("=IiI", number, 0, 3) for number in (19, 23, 33))
    assert windows_limits.removing(held + bytes(100)) == struct.pack("=IIiIIiI", 2, 19, 0, 4, 33, 0, 4)


def _allows(text: str, operation: str, path: str = "") -> bool:
    """Return what the last rule says that matches an operation on a path; rules for sockets are skipped."""
    return [decision for decision, matches in _decisions(text, operation, path) if matches][-1]


def _decisions(text: str, operation: str, path: str) -> Iterator[tuple[bool, bool]]:
    for line in text.splitlines():
        found = _RULE.fullmatch(line)
        assert found, line
        decision, operations, filters = found.groups()
        if decision is None or "unix-socket" in line or " ip " in line:
            continue
        named = operations.split()
        below = _PATH.findall(filters or "")
        matches = any(
            name in (operation, "default") or (name.endswith("*") and operation.startswith(name[:-1])) for name in named
        )
        inside = not below or any(path == each or path.startswith(f"{each}/") for each in below)
        yield decision == "allow", matches and inside and "(target" not in line
