from pathlib import Path

import msgspec
import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.qa.question_records import SYSTEM, QaSystem, Record, RecordFile, write_system
from tests.unit.evaluation.qa.values import record


def test_an_incomplete_last_line_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "some" / "records.jsonl"
    first, second = record("first"), msgspec.structs.replace(record("second"), question="r")
    RecordFile(file, Record).add(first)
    whole = file.read_bytes()
    file.write_bytes(whole + msgspec.json.encode(second)[:40])
    lines = RecordFile(file, Record)
    assert lines.all() == {"q": first}
    lines.add(second)
    assert RecordFile(file, Record).all() == {"q": first, "r": second}
    assert file.read_bytes().startswith(whole)


def test_the_last_record_of_a_question_counts(tmp_path: Path) -> None:
    lines = RecordFile(tmp_path / "records.jsonl", Record)
    lines.add(record("", error="No connection"))
    lines.add(record("now"))
    assert lines["q"].text == RecordFile(tmp_path / "records.jsonl", Record)["q"].text == "now"


def test_a_damaged_file_raises(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_bytes(b"{}\n")
    with pytest.raises(BenchError, match="delete it"):
        RecordFile(tmp_path / "records.jsonl", Record)


def test_a_folder_records_its_system(tmp_path: Path) -> None:
    system = QaSystem("a/b", "model", "full", steps=5, effort="high", without_gold=True)
    assert system.name == "a_b, full, 5 steps, effort high, without gold"
    write_system(tmp_path / "x", system)
    assert msgspec.json.decode((tmp_path / "x" / SYSTEM).read_bytes(), type=QaSystem) == system
