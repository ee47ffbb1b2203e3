"""`bench lies --statements`: a list of statements about files of a folder."""

import argparse
import json
from pathlib import Path

import pytest

from benchmarks.lies import bench
from desktop_rag.errors import BenchError

BRIDGE = "Survey of the bridge\n\nThe bridge is 84.6 metres long. Rosa Tan designed it.\n"
HONEST: dict[str, object] = {
    "statement": "The bridge is 84.6 metres long.",
    "file": "bridge.txt",
    "lines": [3, 3],
    "truth": "H",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("north/bridge.txt", "north/lease.txt", "south/lease.txt"):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BRIDGE, encoding="utf-8")
    return tmp_path / "data"


def judged(folder: Path, *statements: dict[str, object], show: int = 9) -> tuple[dict[str, float], list[str]]:
    """Return the shares of the report, and the wrong verdicts shown."""
    file = folder.parent / "list.jsonl"
    file.write_text("\n".join(map(json.dumps, statements)), encoding="utf-8")
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    shown: list[str] = []
    options = parser.parse_args(["--statements", str(file), "--data", str(folder), "--show", str(show)])
    report = bench.run(options, shown.append)
    return {row.what.strip(): row.median for row in report.rows}, shown


def test_honest_statements_and_lies_are_counted_by_kind(folder: Path) -> None:
    shares, shown = judged(
        folder,
        HONEST | {"kind": "fact"},
        {"statement": "It is 846 metres long", "file": "north/bridge.txt", "truth": "L", "kind": "digit"},
        {"statement": "Ada Okafor designed it.", "file": "bridge.txt", "lines": [3, 3], "truth": "H", "kind": "name"},
        {"statement": "Rosa Tan designed it.", "file": "bridge.txt", "lines": [3, 3], "truth": "L", "kind": "other"},
    )
    assert shares["honest: in red"] == shares["lies: in red"] == 0
    assert shares["honest: quoted"] == shares["honest: missing"] == 0.5
    assert shares["lies: missing"] == shares["lies: quoted"] == 0.5
    assert [each.partition(":")[0] for each in shown] == ["L digit", "L other"]


def test_an_altered_copy_is_red(folder: Path) -> None:
    long = HONEST | {"statement": "The bridge is 48.6 metres long"}
    shares, [shown] = judged(folder, long | {"file": "north/bridge.txt"})
    assert shares["honest: in red"] == 1
    assert shown.endswith("altered: The lines seem to say otherwise: “84.6 metres”, not “48.6 metres”.")


def test_no_statement_is_printed_unless_asked_for(folder: Path) -> None:
    assert judged(folder, HONEST | {"statement": "The bridge is 48.6 metres long."}, show=0)[1] == []


def test_a_name_must_mean_one_file(folder: Path) -> None:
    for name, why in (("lease.txt", "2 files"), ("ridge.txt", "no files"), ("bridge.txt", "does not have the lines")):
        with pytest.raises(BenchError, match=why):
            judged(folder, HONEST | {"file": name, "lines": [3, 90]})


def test_a_line_that_cannot_be_read_is_named(folder: Path) -> None:
    with pytest.raises(BenchError, match=r"list.jsonl, line 2: .*truth"):
        judged(folder, HONEST, HONEST | {"truth": "maybe"})


def test_the_files_must_be_named(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    with pytest.raises(BenchError, match="--data"):
        bench.run(parser.parse_args(["--statements", str(tmp_path / "none.jsonl")]), lambda _: None)
