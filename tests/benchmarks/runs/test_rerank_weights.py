"""The weights of re-ranking are fitted on small collections from end to end."""

import argparse
import json
import shutil
from pathlib import Path

import pytest

from benchmarks import rerank_weights
from benchmarks.report import OURS

PASSAGES = {
    "cats": "A cat sleeps most of the day. It hunts at night.",
    "rent": "Rent is due on the third. The deposit is paid back after six months.",
    "rocket": "The rocket left the launch pad. It was never seen again.",
}


def said(text: str) -> None:
    assert text


@pytest.mark.processes
@pytest.mark.slow
def test_weights_are_fitted_and_tested_on_the_other_collection(tmp_path: Path) -> None:
    small = tmp_path / "sets" / "small"
    small.mkdir(parents=True)
    passages = [json.dumps({"_id": name, "text": text}) for name, text in PASSAGES.items()]
    (small / "corpus.jsonl").write_text("\n".join(passages), encoding="utf-8")
    asked = [
        {"_id": "1", "text": "cat that sleeps beside a rocket", "gold": ["cats"]},
        {"_id": "2", "text": "rent for a rocket", "gold": ["rent"]},
    ]
    (small / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    shutil.copytree(small, tmp_path / "sets" / "other")
    parser = argparse.ArgumentParser()
    rerank_weights.add_arguments(parser)
    report = rerank_weights.run(parser.parse_args([str(tmp_path / "sets"), "--keep", str(tmp_path / "keep")]), said)
    rows = {(row.what, row.subject): row.median for row in report.rows}
    for name in ("small", "other"):
        assert rows[name, "hybrid"] > 0.5
        assert rows[name, OURS] > 0.5
        assert abs(rows[name, "weights of the others"] - rows[name, "hybrid"]) < 0.5
    assert report.notes[-1].startswith("Fitted on all: words ")
