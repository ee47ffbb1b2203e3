"""`eval retrieval` with the real indexer and engine."""

import json
import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.cli.program import run_verb
from desktop_rag.evaluation.datasets import CollectionPassage, read_collection
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary, fingerprint, write
from desktop_rag.index.catalog.catalog_reader import CatalogReader

for module in ("bm25s", "Stemmer", "ir_measures"):
    pytest.importorskip(module)

CORPUS = [
    {"_id": "cats", "title": "Cats", "text": "A cat sleeps most of the day. It hunts at night."},
    {"_id": "rent", "title": "Lease", "text": "Rent is due on the third. The deposit is paid back after six months."},
    {"_id": "again", "title": "Lease", "text": "Rent is due on the third. The deposit is paid back after six months."},
    {"_id": "rocket", "title": "", "text": "The rocket left the launch pad. It was never seen again."},
]
QUERIES = [{"_id": "1", "text": "cat sleeps"}, {"_id": "2", "text": "When is rent due?"}]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    for name, records in (("corpus", CORPUS), ("queries", QUERIES)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\tcats\t1\n2\trent\t1\n2\tagain\t1\n")
    return folder


def test_hits_are_mapped_back_to_passages(collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep, out = tmp_path / "keep", tmp_path / "out"
    assert run_verb(["eval", "retrieval", str(collection), "--keep", str(keep), "--out", str(out), "--baselines",
                     "--mode", "keyword", "--mode", "hybrid", "--json"]) == 0  # fmt: skip
    found = {line["mode"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert set(found) == {"keyword", "hybrid", "BM25 (bm25s)", "MiniLM, whole passages"}
    for mode in ("keyword", "hybrid"):
        assert found[mode]["queries"] == 2
        assert found[mode]["recall@5"] == found[mode]["all_gold@10"] == 1.0  # texts that are alike count both
        assert found[mode]["p50_ms"] > 0
        assert found[mode]["encoder"] == "all-MiniLM-L6-v2"
    kept = json.loads((out / "small.json").read_text(encoding="utf-8"))
    assert kept["engine"] == "columnar"
    keyword = next(outcome for outcome in kept["outcomes"] if outcome["system"] == "keyword")
    assert keyword["answers"]["1"]["ranked"][0][0] == "cats"
    assert run_verb(["eval", "report", str(out), "--out", str(tmp_path / "page.html")]) == 0
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_plain_questions_have_no_phrases(collection: Path, tmp_path: Path) -> None:
    quoted = [{"_id": "1", "text": 'cat that sleeps in "the launch pad"'}, QUERIES[1]]
    (collection / "queries.jsonl").write_text("\n".join(map(json.dumps, quoted)), encoding="utf-8")
    out = tmp_path / "out"
    asked = ["eval", "retrieval", str(collection), "--keep", str(tmp_path), "--mode", "keyword", "--out", str(out)]
    told = []
    for options in ([], ["--plain"]):
        assert run_verb([*asked, *options]) == 0
        told.append(json.loads((out / "small.json").read_text(encoding="utf-8"))["questions"]["1"])
    assert told == ['cat that sleeps in "the launch pad"', "cat that sleeps in the launch pad"]


def test_a_library_of_moved_documents_is_rebuilt(collection: Path, tmp_path: Path) -> None:
    asked = ["eval", "retrieval", str(collection), "--mode", "keyword", "--json", "--keep"]
    assert run_verb([*asked, str(tmp_path / "keep")]) == 0
    shutil.copytree(tmp_path / "keep", tmp_path / "moved")
    assert run_verb([*asked, str(tmp_path / "moved")]) == 0
    (place,) = (tmp_path / "moved").iterdir()
    with closing(CatalogReader.open(place / "library" / "catalog.sqlite")) as catalog:
        assert [os.fsdecode(folder.path) for folder in catalog.folders.all()] == [str(place / "documents")]


def test_single_files_may_be_named(collection: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ["--corpus", str(collection / "corpus.jsonl"), "--queries", str(collection / "queries.jsonl")]
    qrels = ["--qrels", str(collection / "qrels.tsv")]
    assert run_verb(["eval", "retrieval", *named, *qrels, "--mode", "keyword", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["collection"] == "small"
    assert run_verb(["eval", "retrieval", *named, "--mode", "keyword"]) == 1
    assert "has a passage that answers it" in capsys.readouterr().err


def test_boolean_forms_are_read_before_anything_is_indexed(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "tother"
    shutil.copytree(collection, other)
    for folder, form in ((collection, "#and ('cat')"), (other, "#and ('cat'")):
        (folder / "queries.jsonl").write_text(json.dumps(QUERIES[0] | {"boolean": form}), encoding="utf-8")
    asked = ["eval", "retrieval", str(collection), str(other), "--keep", str(tmp_path / "keep"), "--boolean"]
    assert run_verb([*asked, "--mode", "keyword"]) == 1
    assert "tother, question “1”: A Boolean question cannot be understood" in capsys.readouterr().err
    assert not (tmp_path / "keep").exists()


def test_a_missing_collection_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["eval", "retrieval", str(tmp_path)]) == 1
    assert "corpus.jsonl" in capsys.readouterr().err
    assert run_verb(["eval", "report", str(tmp_path), "--out", str(tmp_path / "page.md")]) == 1
    assert "There is no result" in capsys.readouterr().err


def test_passages_keep_their_number_and_other_passages_get_another_library(tmp_path: Path) -> None:
    passages = (CollectionPassage("p", "A\ntitle", "Text."), CollectionPassage("q", "", "More."))
    write(tmp_path, passages)
    assert (tmp_path / "000" / "000000.md").read_text(encoding="utf-8") == "# A title\n\nText.\n"
    assert (tmp_path / "000" / "000001.md").read_text(encoding="utf-8") == "More.\n"
    made = PassageLibrary(tmp_path, ("p", "q"))
    assert made.passage_at(Path("/anywhere/000001.md")) == "q"
    assert fingerprint(passages) != fingerprint(passages[:1])


def test_language_folders_are_named_after_their_set(collection: Path) -> None:
    assert read_collection(collection.rename(collection.parent / "de")).name == f"{collection.parent.name}-de"
