"""`desktop-rag why`: the deciding rule with its file and line, and the state of a file."""

import io
import os
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from tests.integration.cli.conftest import Object, Program
from tests.integration.cli.test_documented import examples

pytestmark = pytest.mark.processes

WHY = {"path", "folder", "included", "rule", "detail", "source", "line", "state", "sentence", "set_aside"}
WHY |= {"coverage", "said", "search"}
SEARCH = {
    "query",
    "mode",
    "place",
    "shown",
    "capped",
    "instead",
    "excluded",
    "clauses",
    "ranks",
    "led_by",
    "best",
    "note",
}


@pytest.fixture
def library(tmp_path: Path) -> tuple[Program, Path]:
    program = Program(tmp_path / "home")
    documents = tmp_path / "documents"
    files = {
        ".gitignore": "# nothing of this\n*.log\n",
        "lease.md": "The rent is due monthly.",
        "today.log": "line",
        ".env": "KEY=1",
        "empty.txt": "",
        "private/.noindex": "",
        "private/diary.txt": "Dear diary.",
        "caf\udce9.txt": "bytes",
    }
    for name, text in files.items():
        path = documents / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert program.run("index", documents).code == 0
    return program, documents


def test_json_contains_the_deciding_rule(library: tuple[Program, Path]) -> None:
    program, documents = library

    def why(name: str) -> tuple[int, Object]:
        ran = program.run("why", documents / name, "--json")
        assert set(ran.object) == WHY
        return ran.code, ran.object

    code, ready = why("lease.md")
    assert (code, ready["included"], ready["rule"], ready["state"]) == (0, True, "included", "ready")
    assert ready["folder"] == str(documents)
    code, ignored = why("today.log")
    assert (code, ignored["rule"], ignored["line"], ignored["state"]) == (1, "gitignore", 2, None)
    assert ignored["source"] == str(documents / ".gitignore")
    assert why(".env")[1]["rule"] == "secret"
    assert why("private/diary.txt")[1]["rule"] == "marker"
    code, empty = why("empty.txt")
    assert (code, empty["included"], empty["state"]) == (1, False, "skipped")
    assert empty["sentence"] == "This file is empty."
    assert why("nowhere.txt")[1]["sentence"] == "It is not there."
    assert why("today2.log")[1]["rule"] == "gitignore"


def test_the_explanation_is_one_sentence(library: tuple[Program, Path]) -> None:
    program, documents = library
    ran = program.run("why", documents / "today.log")
    assert ran.out.splitlines() == [
        str(documents / "today.log"),
        f"  Line 2 of {documents / '.gitignore'}, “*.log”, leaves it out.",
    ]
    assert program.run("why", documents / "lease.md").out.splitlines()[1].startswith("  It can be found by")
    assert "lies in no folder" in program.run("why", documents.parent).out


@pytest.mark.skipif(os.name != "posix", reason="names are bytes there")
def test_a_name_that_is_not_utf8_is_explained(library: tuple[Program, Path]) -> None:
    program, documents = library
    ran = program.run("why", documents / "caf\udce9.txt", "--json")
    assert (ran.code, ran.object["path"]) == (0, f"{documents}/caf\\xe9.txt")


def test_a_secret_file_is_refused_with_advice(library: tuple[Program, Path]) -> None:
    program, documents = library
    inside = program.run("index", documents / ".env", "--json").objects[0]
    assert inside["type"] == "refused"
    assert "may hold passwords or keys" in str(inside["reason"])
    key = documents.parent / "id_rsa"
    key.write_text("key", encoding="utf-8")
    outside = program.run("index", key, "--json").objects[0]
    assert "add the folder around it and the line “!id_rsa”" in str(outside["reason"])


def test_a_search_is_explained_for_a_file(library: tuple[Program, Path]) -> None:
    program, documents = library
    ran = program.run("why", documents / "lease.md", "--query", "rent AND xylophone", "--mode", "keyword", "--json")
    search = ran.object["search"]
    assert ran.code == 1
    assert isinstance(search, dict)
    assert set(search) == SEARCH
    assert search["place"] is None
    assert [(clause["text"], clause["matches"], clause["elsewhere"]) for clause in search["clauses"]] == [
        ("rent", 1, True),
        ("xylophone", 0, False),
    ]
    ran = program.run("why", documents / "lease.md", "--query", "when is rent due")
    assert ran.code == 0
    assert "  Found: place 1 of the list." in ran.out.splitlines()
    assert "  Nearest: The rent is due monthly.  line 1" in ran.out.splitlines()
    ran = program.run("why", documents / "lease.md", "--query", "(rent")
    assert (ran.code, "never closed" in ran.err) == (1, True)


def test_why_is_documented_with_all_its_fields() -> None:
    searches = [example["search"] for example in examples() if set(example) == WHY]
    assert any(isinstance(search, dict) and set(search) == SEARCH for search in searches)


def test_scan_without_text_is_not_said_to_be_found_by_its_words(tmp_path: Path) -> None:
    program, documents = Program(tmp_path / "home"), tmp_path / "documents"
    documents.mkdir()
    buffer = io.BytesIO()
    Image.new("RGB", (40, 40), "grey").save(buffer, "PNG")
    with pymupdf.open() as scan, pymupdf.open() as mixed:
        scan.new_page().insert_image(pymupdf.Rect(0, 0, 300, 300), stream=buffer.getvalue())
        scan.save(str(documents / "scan.pdf"))
        mixed.insert_pdf(scan)
        mixed.new_page().insert_text((72, 72), "The rent is 950 euros.")
        mixed.save(str(documents / "mixed.pdf"))
    program.run("index", documents, PATH=str(tmp_path))  # without Tesseract
    scanned = program.run("why", documents / "scan.pdf", "--json").object["sentence"]
    assert str(scanned).startswith("Its pages are pictures: it can be found by its name only")
    part = program.run("why", documents / "mixed.pdf", "--json").object["sentence"]
    assert str(part).startswith("It can be found by its words")
    assert "Only a part of it was read: page 1 without text (a scan?) – OCR is not installed" in str(part)
