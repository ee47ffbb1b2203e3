"""Collections in their published layouts; errors name the file and line."""

from pathlib import Path

import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import CollectionPassage, CollectionQuestion, collections_below, read_collection

CORPUS = '{"id": "p1", "title": "Cats", "text": "They sleep."}\n\n{"id": "p2", "text": "Rent is due."}\n'
ASKED = '{"id": "q", "text": "Who sleeps?"}'


def folder_with(place: Path, **files: str) -> Path:
    for name, text in files.items():
        file = place / f"{name.replace('__', '/')}.{'tsv' if name.startswith('qrels') else 'jsonl'}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return place


def test_questions_come_with_their_graded_passages(tmp_path: Path) -> None:
    queries = '{"id": "q1", "text": "Who sleeps?"}\n{"id": "q2", "text": "Nobody knows?"}\n'
    grades = "query-id\tcorpus-id\tscore\nq1\tp1\t2\nq1\tp2\t0\nq2\tp2\t0\n"
    collection = read_collection(folder_with(tmp_path / "cats", corpus=CORPUS, queries=queries, qrels=grades))
    assert collection.name == "cats"
    assert collection.passages == (
        CollectionPassage("p1", "Cats", "They sleep."),
        CollectionPassage("p2", "", "Rent is due."),
    )
    assert collection.questions == (CollectionQuestion("q1", "Who sleeps?"),)  # no passage answers q2
    assert collection.judged == {"q1": {"p1": 2, "p2": 0}}
    assert not collection.multi_hop


def test_questions_may_name_the_passages_they_need(tmp_path: Path) -> None:
    queries = '{"id": "q1", "question": "Both?", "answer": "yes", "gold": ["p1", "p2"]}\n'
    collection = read_collection(folder_with(tmp_path, corpus=CORPUS, queries=queries))
    assert collection.judged == {"q1": {"p1": 1, "p2": 1}}
    assert collection.questions == (CollectionQuestion("q1", "Both?"),)
    assert collection.multi_hop


def test_the_layout_of_beir_is_read(tmp_path: Path) -> None:
    corpus = '{"_id": 7, "title": "", "text": "Seven.", "metadata": {}}\n'
    queries = '{"_id": 1, "text": "Which number?"}\n'
    grades = "query-id\tcorpus-id\tscore\n1\t7\t1\n"
    collection = read_collection(folder_with(tmp_path, corpus=corpus, queries=queries, qrels__test=grades))
    assert collection.passages == (CollectionPassage("7", "", "Seven."),)
    assert collection.judged == {"1": {"7": 1}}
    grades += "1\t8\t0\n2\t9\t1\n"  # a passage that is not relevant, and a question of another part
    assert read_collection(folder_with(tmp_path, qrels__test=grades)).judged == {"1": {"7": 1, "8": 0}}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"queries": ASKED}, r"No question"),
        ({"queries": f'{ASKED}\n{{"id": '}, r"queries\.jsonl, line 2"),
        ({"queries": '{"id": "q", "text": 5}'}, r"queries\.jsonl, line 1: .*str"),
        ({"queries": ASKED, "qrels": "q\tp1\t1\nq p1 1\n"}, r"qrels\.tsv, line 2"),
        ({"queries": f'{ASKED}\n{{"id": "r", "text": " "}}'}, r"queries\.jsonl, line 2: there is no question"),
        ({"queries": f"{ASKED}\n\n{ASKED}"}, r"queries\.jsonl, line 3: line 1 has the same id “q”"),
        ({"queries": ASKED, "corpus": CORPUS * 2}, r"corpus\.jsonl, line 4: line 1 has the same id “p1”"),
        (
            {"queries": ASKED, "qrels": "q\tp9\t1\n"},
            r"qrels\.tsv: question “q” needs the passage “p9”, which is not in",
        ),
        ({"queries": ASKED[:-1] + ', "gold": ["p1", 9]}'}, r"queries\.jsonl: question “q” needs the passage “9”"),
        ({}, r"queries\.jsonl cannot be read"),
    ],
)
def test_an_invalid_collection_raises(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(BenchError, match=message):
        read_collection(folder_with(tmp_path, **{"corpus": CORPUS} | files))


def test_all_collections_below_a_folder_are_found(tmp_path: Path) -> None:
    for name in ("b", "a/x"):
        folder_with(tmp_path / name, corpus=CORPUS, queries="{}")
    folder_with(tmp_path / "only texts", corpus=CORPUS)
    assert collections_below(tmp_path) == [tmp_path / "a" / "x", tmp_path / "b"]
