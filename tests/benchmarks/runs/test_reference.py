"""The same search over stock Whoosh and float32 vectors finds the same."""

import argparse
import json
from pathlib import Path

import pytest

from benchmarks import reference
from benchmarks.report import OURS
from desktop_rag.errors import EncoderError
from desktop_rag.paths import encoder_folder

PASSAGES = {
    "cats": "A cat sleeps most of the day. It hunts at night.",
    "rent": "Rent is due on the third. The deposit is paid back after six months.",
    "rocket": "The rocket left the launch pad. It was never seen again.",
}

pytestmark = [pytest.mark.processes, pytest.mark.slow]


def said(text: str) -> None:
    assert text


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    passages = [json.dumps({"_id": name, "text": text}) for name, text in PASSAGES.items()]
    (folder / "corpus.jsonl").write_text("\n".join(passages), encoding="utf-8")
    asked = {"_id": "1", "text": "When is rent due?", "gold": ["rent"]}
    (folder / "queries.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    return folder


def test_each_mode_is_measured_over_both_engines(small: Path) -> None:
    parser = argparse.ArgumentParser()
    reference.add_arguments(parser)
    asked = [str(small), "--keep", str(small.parent / "keep"), "--mode", "hybrid", "--mode", "semantic"]
    options = parser.parse_args([*asked, "--float32", str(encoder_folder())])
    rows = {(row.what, row.subject): row.median for row in reference.run(options, said).rows}
    subjects = [("hybrid", OURS), ("hybrid", reference.STOCK)]
    subjects += [("semantic", subject) for subject in (OURS, reference.STOCK, reference.FLOAT32)]
    assert rows == {(f"small, {mode}", subject): 1.0 for mode, subject in subjects}
    with pytest.raises(EncoderError, match="There is none in"):
        reference.run(parser.parse_args([*asked, "--float32", str(small.parent / "nothing")]), said)
