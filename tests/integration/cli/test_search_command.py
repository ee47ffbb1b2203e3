"""`desktop-rag search`, as text and as JSON."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from desktop_rag.retrieval.retrievers.vector import UNREADY
from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes

RESULT = {
    "query",
    "mode",
    "took_ms",
    "coverage",
    "note",
    "suggestion",
    "without_words",
    "troubles",
    "more",
    "hits",
    "similar",
    "named",
}
HIT = {
    "rank",
    "path",
    "also",
    "title",
    "page",
    "section",
    "date",
    "size",
    "language",
    "away",
    "lines",
    "score",
    "snippet",
    "further",
    "chunk",
    "content",
}


def test_json_has_the_documented_shape_and_nothing_else_is_printed(indexed: Program, documents: Path) -> None:
    ran = indexed.run("search", "rent", "--json", "-k", "2")
    assert (ran.code, ran.err) == (0, "")
    found = ran.object
    assert set(found) == RESULT
    assert (found["query"], found["mode"], found["coverage"], found["note"]) == ("rent", "hybrid", 1.0, "")
    hits = found["hits"]
    assert isinstance(hits, list)
    assert 1 <= len(hits) <= 2
    assert set(hits[0]) == HIT
    assert (hits[0]["rank"], hits[0]["path"], hits[0]["page"]) == (1, str(documents / "lease.md"), None)
    assert "rent" in hits[0]["snippet"]
    assert hits[0]["lines"][0] <= 5 <= hits[0]["lines"][1]


def test_every_mode_finds_the_word(indexed: Program) -> None:
    for mode in ("keyword", "exact", "semantic", "hybrid"):
        assert "lease.md" in indexed.run("search", "rent", "--mode", mode).out


def test_hits_are_printed_with_path_location_and_snippet(indexed: Program, documents: Path) -> None:
    ran = indexed.run("search", "spruce", "--mode", "keyword")
    boat = documents / "deep" / "boat.txt"
    day = datetime.fromtimestamp(boat.stat().st_mtime).date()
    assert ran.out == f"1. {boat}  lines 1–2  {day}\n   The mast is made of spruce. The keel is oak.\n\n"
    assert ran.err == ""


def test_more_passages_are_offered_only_if_there_are_some(indexed: Program) -> None:
    assert indexed.run("search", "spruce", "--mode", "keyword", "-k", "1").err == ""
    assert "The best 1 passage; -k shows more." in indexed.run("search", "the", "--mode", "semantic", "-k", "1").err


def test_nothing_found_is_reported_and_exits_with_1(indexed: Program) -> None:
    ran = indexed.run("search", "okapi", "--mode", "keyword")
    assert (ran.code, ran.out) == (1, "")
    assert "Nothing found for: okapi" in ran.err
    assert indexed.run("search", "okapi", "--mode", "keyword", "--json").object["hits"] == []


def test_hits_are_sorted_as_asked(indexed: Program) -> None:
    by_size = indexed.run("search", "ext:md OR ext:txt", "--sort", "size", "--json").object["hits"]
    assert isinstance(by_size, list)
    sizes = [hit["size"] for hit in by_size]
    assert len(sizes) > 1
    assert sizes == sorted(sizes, reverse=True)
    smallest = indexed.run("search", "ext:md OR ext:txt", "--sort", "size", "--reverse", "--json").object["hits"]
    assert isinstance(smallest, list)
    assert [hit["size"] for hit in smallest] == sizes[::-1]
    best = indexed.run("search", "rent OR spruce").out.splitlines()
    last = indexed.run("search", "rent OR spruce", "--reverse").out.splitlines()
    numbered = [line for line in best if line[:1].isdigit()]
    assert len(numbered) > 1
    assert [line for line in last if line[:1].isdigit()] == numbered[::-1]
    assert indexed.run("search", "rent", "--sort", "taste").code == 2


def test_passages_without_the_words_stand_apart(indexed: Program, documents: Path) -> None:
    ran = indexed.run("search", '"end of the lease" months')
    told_why = "No passage has “end of the lease” word for word."
    assert (ran.code, ran.err) == (1, f'Nothing found for: "end of the lease" months\n{told_why}\n')
    assert ran.out.startswith(f"Similar passages that do not fulfil your query:\n\n1. {documents / 'lease.md'}")
    told = indexed.run("search", '"notice period"', "--json").object
    assert isinstance(told["hits"], list)
    assert isinstance(told["similar"], list)
    assert [hit["path"] for hit in told["hits"]] == [str(documents / "lease.md")]
    assert all(set(hit) == HIT and "notice period" not in hit["snippet"] for hit in told["similar"])


def test_vector_files_that_are_gone_are_told(copied: Program) -> None:
    assert copied.run("search", "dwelling fee", "--json").object["note"] == ""
    shutil.rmtree(copied.library.vectors)
    assert copied.run("search", "dwelling fee", "--json").object["note"] == UNREADY


def test_hits_by_meaning_alone_are_marked(indexed: Program) -> None:
    assert indexed.run("search", "dwelling fee", "--json").object["without_words"] is True
    assert indexed.run("search", "rent", "--json").object["without_words"] is False


def test_an_invalid_query_is_marked_at_its_position(indexed: Program) -> None:
    ran = indexed.run("search", "rent AND (oak")
    assert (ran.code, ran.out) == (1, "")
    assert "\n  rent AND (oak\n           ^\n" in ran.err
    told = indexed.run("search", "rent AND (oak", "--json").object
    assert set(told) == {"type", "error", "message", "position", "suggestion"}
    assert (told["type"], told["position"], told["suggestion"]) == ("error", 9, "rent AND (oak)")


def test_wrong_usage_exits_with_2(indexed: Program) -> None:
    for arguments in (("search",), ("search", " "), ("search", "-k", "0", "x"), ("search", "x", "--mode", "magic")):
        ran = indexed.run(*arguments, "--json")
        assert (ran.code, ran.out) == (2, "")
        assert "usage: desktop-rag search" in ran.err


def test_a_mistyped_verb_opens_no_window(indexed: Program) -> None:
    ran = indexed.run("serch", "rent")
    assert ran.code == 2
    assert "did you mean `desktop-rag search`?" in ran.err
    assert "options follow the verb" in indexed.run("--library", "x", "search", "rent").err


def test_without_a_library_every_verb_says_how_to_create_one(tmp_path: Path) -> None:
    program = Program(tmp_path / "nothing")
    for verb in (("search", "x"), ("ask", "x"), ("status",), ("check",)):
        ran = program.run(*verb, "--json")
        assert ran.code == 1
        assert "desktop-rag index FOLDER" in str(ran.object["message"])
    assert not program.home.exists()


def test_a_closed_pipe_ends_the_program_quietly(indexed: Program) -> None:
    for json in ((), ("--json",)):
        running = indexed.start("search", "rent", *json)
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        said = running.stderr.read()
        assert (running.wait(60), said) == (141, "")
        running.stderr.close()


def test_a_full_disk_behind_the_output_is_reported(indexed: Program) -> None:
    full = Path("/dev/full")
    if not full.exists():
        return
    with full.open("w") as out:
        done = subprocess.run(
            indexed.command("search", "rent"), stdout=out, stderr=subprocess.PIPE, text=True, env=indexed.environment
        )
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_unencodable_output_shows_question_marks(indexed: Program) -> None:
    ran = indexed.run("search", "spruce", "--mode", "keyword", PYTHONIOENCODING="ascii")
    assert (ran.code, ran.err) == (0, "")
    assert "lines 1?2" in ran.out


def test_a_damaged_catalog_is_one_clear_error(copied: Program) -> None:
    copied.library.catalog.write_bytes(b"not a database at all" * 500)
    for verb in (("search", "x"), ("status",)):
        told = copied.run(*verb, "--json").object
        assert told["error"] == "The library is damaged"
        assert "`desktop-rag index`" in str(told["message"])


@pytest.mark.parametrize("lose", [Path.unlink, lambda catalog: catalog.write_bytes(b"")], ids=["removed", "emptied"])
def test_a_lost_catalog_is_not_an_empty_library(copied: Program, lose: Callable[[Path], object]) -> None:
    lose(copied.library.catalog)
    for arguments in (["search", "rent"], ["status"], ["why", "lease.md"], ["ask", "What is the rent?"]):
        ran = copied.run(*arguments)
        assert ran.code == 1
        assert "The library is damaged" in ran.err
        assert "`desktop-rag index`, or opening the window, reads your folders again" in ran.err
    assert copied.run("index").code == 0
    assert "lease.md" in copied.run("search", "rent").out


def test_a_scope_restricts_the_hits_and_is_named_when_nothing_is_found(indexed: Program) -> None:
    assert indexed.run("search", "rent", "--type", "md", "--type", "txt").code == 0
    ran = indexed.run("search", "rent", "--mode", "keyword", "--until", "1999")
    assert (ran.code, ran.out) == (1, "")
    assert "Nothing found for: rent in date:[* TO 1999]" in ran.err


def test_a_search_loads_nothing_that_only_other_verbs_and_requests_need(indexed: Program) -> None:
    script = (
        "import gc, sys; from desktop_rag.__main__ import main; sys.argv = ['', 'search', 'rent', '--mode', 'keyword'];"
        "code = main(); print(code, gc.isenabled(), *sys.modules, sep='\\n')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=indexed.environment
    )
    hits, _, loaded = ran.stdout.partition("\n0\nTrue\n")
    assert "lease.md" in hits
    needless = (
        "asyncio",
        "desktop_rag.documents.chunking",
        "desktop_rag.index.catalog.file_listing",
        "desktop_rag.index.file_rows",
        "desktop_rag.index.indexer_api",
        "desktop_rag.llm",
        "desktop_rag.processes.service",
        "desktop_rag.retrieval.explain",
        "desktop_rag.retrieval.reading.facets",
        "desktop_rag.team.access.team_joining",
        "http",
        "onnxruntime",
        "rich",
    )
    assert [name for name in loaded.splitlines() if name.startswith(needless)] == []
