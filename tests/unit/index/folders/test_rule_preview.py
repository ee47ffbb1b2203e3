"""What changed rules would do to the files of a folder, and what a folder would bring into the library."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.errors import Stopped
from desktop_rag.index.folders import rule_preview
from desktop_rag.index.folders.folder_survey import survey
from desktop_rag.index.folders.rule_preview import line_trouble
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, walked
from desktop_rag.index.indexer_api import RulePreview
from desktop_rag.index.records import FolderRules
from desktop_rag.stop import Stop

USED = FolderRules()


def preview(root: bytes, used: FolderRules, rules: FolderRules, stop: Stop, most: int = 1_000) -> RulePreview:
    """Return the last, complete preview."""
    *_, last = rule_preview.preview(root, used, rules, stop, most)
    assert last.complete
    return last


FILES = (
    "lease.md",
    "drafts/plan.md",
    "drafts/keep.md",
    "drafts/old/first.md",
    "log/app.log",
    "log/week.log",
    ".notes/secret diary.md",
    "node_modules/package/readme.md",
    "disk.dmg",
)


@pytest.fixture
def root(tmp_path: Path) -> bytes:
    for name in FILES:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("text\n")
    return os.fsencode(tmp_path)


def test_each_line_is_told_with_the_files_it_decides_about(root: bytes) -> None:
    found = preview(root, USED, replace(USED, ignore=("*.log", "/drafts/*", "!/drafts/keep.md", "*.xyz")), Stop())
    logs, drafts, keep, nothing = found.lines
    assert (logs.hidden, set(logs.examples)) == (2, {b"log/app.log", b"log/week.log"})
    assert (drafts.hidden, drafts.included) == (2, 0)
    assert (keep.hidden, keep.included, keep.examples) == (0, 1, (b"drafts/keep.md",))
    assert (nothing.hidden, nothing.included, nothing.trouble) == (0, 0, "")
    assert (found.before, found.after, found.lost, found.gained) == (6, 2, 4, 0)
    assert any(path == b"log/app.log" and "Line 1" in reason for path, reason in found.lost_examples)


def test_what_becomes_readable_is_told_too(root: bytes) -> None:
    found = preview(root, replace(USED, ignore=("*.log",)), replace(USED, include_hidden=True), Stop())
    assert (found.lost, found.gained) == (0, 3)
    assert b".notes/secret diary.md" in found.gained_examples


def test_a_preview_agrees_with_the_explanation_of_each_file(root: bytes) -> None:
    rules = replace(USED, ignore=("drafts/", "*.log", "!week.log"), include_hidden=True)
    found = preview(root, USED, rules, Stop())
    read = [entry for entry in walked(root, (FolderFilter(root, rules),), Stop()) if entry.decisions[0].included]
    explained = [entry for entry in read if FolderFilter(root, rules).explain(entry.path).included]
    assert found.after == len(read) == len(explained) == 3


@pytest.mark.parametrize(("line", "words"), [("[z-a]", "bracket"), ("!", "no file"), ("a\\", "backslash"), ("/", "no")])
def test_a_broken_pattern_is_told_in_a_sentence(root: bytes, line: str, words: str) -> None:
    assert words in line_trouble(line).lower()
    assert preview(root, USED, replace(USED, ignore=("*.log", line)), Stop()).lines[1].trouble


@pytest.mark.parametrize("line", ["", "  ", "# a comment", "*.log", "!keep.md", "\\[x\\]", "a/**/b"])
def test_a_valid_line_has_no_trouble(line: str) -> None:
    assert line_trouble(line) == ""


def test_lines_of_a_missing_folder_are_still_checked(tmp_path: Path) -> None:
    found = preview(os.fsencode(tmp_path / "gone"), USED, replace(USED, ignore=("[",)), Stop())
    assert found.missing
    assert found.lines[0].trouble


def test_a_preview_is_capped_and_can_be_stopped(root: bytes) -> None:
    assert preview(root, USED, USED, Stop(), most=2).capped
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        preview(root, USED, USED, stop)


def test_a_large_folder_is_previewed_while_it_is_counted(root: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_preview, "REPORT_SECONDS", 0.0)
    *some, last = rule_preview.preview(root, USED, replace(USED, ignore=("*.log",)), Stop())
    assert [each.complete for each in some] == [False] * len(some)
    assert [each.before for each in (*some, last)] == sorted(each.before for each in (*some, last))
    assert some[0].after < last.after
    assert last.complete


def test_a_survey_counts_what_is_read_and_what_is_left_out(root: bytes) -> None:
    *_, last = survey(root, Stop())
    assert last.complete
    assert not last.capped
    assert (last.files, last.bytes) == (6, 30)
    assert last.left_out == {FolderRule.SYSTEM: 1, FolderRule.HIDDEN: 1, FolderRule.UNREADABLE_TYPE: 1}
    assert 0 < last.words_seconds < last.meaning_seconds < 1


def test_pictures_and_documents_hold_less_text_than_plain_files(tmp_path: Path) -> None:
    for name in ("a.txt", "b.pdf", "c.jpg"):
        (tmp_path / name).write_bytes(b"x" * 1_000)
    *_, last = survey(os.fsencode(tmp_path), Stop())
    assert (last.files, last.bytes, last.text_bytes) == (3, 3_000, 1_250)


def test_a_large_folder_is_surveyed_as_far_as_the_cap(root: bytes) -> None:
    *_, last = survey(root, Stop(), most=3)
    assert last.capped
    assert last.files <= 3


def test_a_survey_of_no_folder_is_empty(tmp_path: Path) -> None:
    *_, last = survey(os.fsencode(tmp_path / "gone"), Stop())
    assert (last.files, last.complete) == (0, True)


def test_links_are_not_walked(root: bytes, tmp_path: Path) -> None:
    try:
        (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    assert len(_paths(root)) == 7


def _paths(root: bytes) -> set[bytes]:
    entries: Iterator[bytes] = (e.path for e in walked(root, (FolderFilter(root, USED),), Stop()) if not e.is_folder)
    return set(entries)
