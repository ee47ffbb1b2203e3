"""The formats benchmark tries real files with our reader and with Recoll, where that is installed."""

import argparse
import shutil
from pathlib import Path

import pytest

from benchmarks.libraries.pipeline import COMMAND, PEER
from benchmarks.readers import formats
from benchmarks.report import OURS
from tests.integration.documents.conftest import PROSE


def said(text: str) -> None:
    assert text


def test_words_are_taken_from_the_whole_length_of_a_text() -> None:
    text = " ".join(f"{letter * 5} it's x_long_name {letter * 30}" for letter in "abcdef")
    assert list(formats.words_of(text)) == ["bbbbb", "ddddd", "fffff"]
    assert list(formats.words_of("none at all")) == []


def test_files_are_chosen_by_suffixes_that_are_read(tmp_path: Path) -> None:
    for name in ("a.TXT", "b.txt", "c.txt", "d.unknown", "e.ps", "f.md"):
        (tmp_path / name).write_text(PROSE if name != "f.md" else "")
    chosen = formats.chosen(sorted(tmp_path.iterdir()), 2)
    assert {suffix: [file.name for file in files] for suffix, files in chosen.items()} == {"txt": ["a.TXT", "b.txt"]}


@pytest.mark.skipif(shutil.which(COMMAND) is None, reason="recollindex is not installed")
def test_each_side_is_asked_for_the_words_of_both(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(PROSE, encoding="utf-8")
    (tmp_path / "cells.ipynb").write_text(
        '{"cells": [{"cell_type": "markdown", "source": ["marvellous"]}], "nbformat": 4, "nbformat_minor": 5}'
    )
    parser = argparse.ArgumentParser()
    formats.add_arguments(parser)
    report = formats.run(parser.parse_args(["--corpus", str(tmp_path)]), said)
    found = {(row.what, row.subject): row.median for row in report.rows}
    assert found[".txt: words found, of 3", OURS] == found[".txt: words found, of 3", PEER] == 3
    assert found[".ipynb: words found, of 1", OURS] == 1
    assert found[f"suffixes whose words only {PEER} finds", OURS] == 0
