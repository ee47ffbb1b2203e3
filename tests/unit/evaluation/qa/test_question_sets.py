import json
from pathlib import Path

import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.qa.question_sets import Choice, Gold, QaQuestion, question_sets_below, read_set


def written(folder: Path, records: list[dict[str, object]]) -> Path:
    (folder / "docs" / "deep").mkdir(parents=True)
    (folder / "docs" / "a.txt").write_text("First line\nThe key is\nunder the mat.\nLast\n", encoding="utf-8")
    (folder / "docs" / "deep" / "b.pdf").write_bytes(b"%PDF-")
    (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return folder


def test_evidence_is_found_in_every_format_of_a_set(tmp_path: Path) -> None:
    text = "The key is\nunder the mat."
    folder = written(
        tmp_path / "set",
        [
            {"id": 1, "question": "place?", "answer": ["mat"], "file": "a.txt", "char": 11, "paragraph": text},
            {"id": 2, "question": "page?", "answer": "7", "docs": ["b"], "evidence": [{"doc": "b", "page0": 4}] * 2},
            {"id": 3, "question": "path?", "answer": "x", "gold_files": ["docs/deep/b.pdf"], "type": "Single"},
            {"id": 4, "question": "name?", "answer": "x", "filepaths": "b.pdf"},
            {"id": 5, "question": "nowhere?", "answer": None, "aliases": None, "type": "Null"},
            {"id": 6, "question": "gone?", "answer": "x", "filepaths": "c.pdf"},
        ],
    )
    found = read_set(folder, tmp_path / "keep")
    a, b = folder.resolve() / "docs" / "a.txt", folder.resolve() / "docs" / "deep" / "b.pdf"
    assert [question.gold for question in found.questions] == [
        (Gold(a, 2, 3),), (Gold(b, page=5),), (Gold(b),), (Gold(b),), ()
    ]  # fmt: skip
    assert [question.answerable for question in found.questions] == [True, True, True, True, False]
    assert found.absent == 1


def test_halves_and_samples_are_deterministic() -> None:
    asked = [QaQuestion(str(n), "?", (), "", (), answerable=True) for n in range(40)]
    first, second = Choice(half=1).of(asked), Choice(half=2).of(asked)
    assert {*first} | {*second} == {*asked}
    assert not {*first} & {*second}
    drawn = Choice(limit=5, seed=7).of(asked)
    assert len(drawn) == 5
    assert drawn == Choice(limit=5, seed=7).of(asked) != Choice(limit=5, seed=8).of(asked)
    assert Choice(limit=50).of(asked) == tuple(asked)


def test_an_invalid_question_set_raises(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="questions"):
        question_sets_below([tmp_path])
    (tmp_path / "questions.jsonl").write_text("{}\n")
    with pytest.raises(BenchError, match="folders next to"):
        read_set(tmp_path, tmp_path / "keep")
    (tmp_path / "docs").mkdir()
    (tmp_path / "questions.jsonl").write_text('{"question": "?"}\n{"question": 7}\n')
    with pytest.raises(BenchError, match="line 2"):
        read_set(tmp_path, tmp_path / "keep")
    (tmp_path / "questions.jsonl").write_text('{"id": 1, "question": "?"}\n\n{"id": "1", "question": "!"}\n')
    with pytest.raises(BenchError, match="line 3: line 1 has the same id “1”"):
        read_set(tmp_path, tmp_path / "keep")


def test_questions_of_beir_need_no_answer_and_a_line_without_a_question_is_a_fault(tmp_path: Path) -> None:
    records: list[dict[str, object]] = [{"_id": "q7", "text": "Where is the key? ", "docs": ["b"]}, {"_id": "q8"}]
    folder = written(tmp_path / "set", records[:1])
    (question,) = read_set(folder, tmp_path / "keep").questions
    assert (question.id, question.text, question.answers, question.answerable) == ("q7", "Where is the key?", (), True)
    with pytest.raises(BenchError, match="line 2: there is no question"):
        read_set(written(tmp_path / "other", records), tmp_path / "keep")
