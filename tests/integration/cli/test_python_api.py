"""`from desktop_rag import Library` on a real library: the page of the documentation, errors, asyncio."""

import asyncio
import doctest
import json
import math
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag import AsyncLibrary, Library
from desktop_rag.agent.run.cited_text import CheckedText
from desktop_rag.errors import (
    ArgumentTypeError,
    DesktopRagError,
    LibraryError,
    LibraryRefused,
    QueryError,
    SettingsError,
    Stopped,
)
from desktop_rag.python_api.whole_passages import PassageSearch
from desktop_rag.settings import PrivacyOptions, Profile, Settings, save
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.cli.conftest import Program, write_documents

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[3]
QUESTION = "What is the rent?"


@pytest.fixture
def at_home(indexed: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(indexed.home))


@pytest.fixture
def library(at_home: None) -> Generator[Library]:
    with Library.open() as library:
        yield library


def test_the_examples_of_the_page_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_documents(tmp_path / "documents")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    results = doctest.testfile(str(ROOT / "docs" / "python-api.md"), module_relative=False, raise_on_error=False)
    assert results.attempted > 15
    assert results.failed == 0


def test_the_cells_of_the_notebook_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_documents(tmp_path / "documents")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    notebook = json.loads((ROOT / "examples" / "library.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        assert not cell.get("outputs")  # nothing of anybody's documents
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "cell", "exec"), names)
    assert "lease.md" in capsys.readouterr().out


def test_importing_the_package_loads_nothing(tmp_path: Path) -> None:
    program = "import sys, desktop_rag; print([m for m in sys.modules if m.startswith('desktop_rag')])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.strip() == "['desktop_rag']"


@pytest.mark.slow
def test_a_program_of_a_user_is_type_checked(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from desktop_rag import Library\n"
        "with Library.open() as library:\n"
        "    reveal_type(library.search('x')[0].path)\n"
        "    reveal_type(library.ask('x').answer().citations[0].quote)\n"
        "    library.search(1)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", str(program)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    shown = [line for line in ran.stdout.splitlines() if "program.py" in line]
    assert "pathlib.Path" in shown[0]
    assert "str" in shown[1]
    assert "incompatible type" in shown[2]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda each: each.search("rent", mode="best"), QueryError, "There is no mode “best”"),
        (lambda each: each.search("rent", sort="taste"), QueryError, "There is no order “taste”"),
        (lambda each: each.search("rent", limit=0), QueryError, "limit must be from 1"),
        (lambda each: each.search("rent", limit=10**9), QueryError, "limit must be from 1"),
        (lambda each: each.search("rent", limit="5"), ArgumentTypeError, "“limit” must be a whole number, not str"),
        (lambda each: each.search(None), TypeError, "“query” must be a text, not NoneType"),
        (lambda each: each.ask(7), ArgumentTypeError, "“question” must be a text, not int"),
        (lambda each: each.find("lease.md", None), ArgumentTypeError, "“patterns” must be a text, not NoneType"),
        (lambda each: each.add(""), LibraryRefused, "is no path"),
        (
            lambda each: each.read("lease.md", lines=(1.0, 2.0)),
            ArgumentTypeError,
            "“lines” must be a whole number, not float",
        ),
        (lambda each: each.search("rent", scope="md"), ArgumentTypeError, "“scope” must be conditions"),
        (lambda each: PassageSearch(each.path), ArgumentTypeError, "“library” must be a Library"),
        (lambda _: Library.open("x" * 100_000), LibraryError, "cannot be opened"),
        (lambda each: each.search("rent", scope={"colour": "red"}), QueryError, "no condition “colour”"),
        (lambda each: each.search("(rent AND"), QueryError, "."),
        (lambda each: each.read("0" * 64), LibraryRefused, "has no document"),
        (lambda each: each.read("/etc/passwd"), LibraryRefused, "has no document"),
        (lambda each: each.read("../secret\0"), LibraryRefused, "is no path"),
        (lambda each: each.find("/etc/passwd", "root"), LibraryRefused, "has no document"),
        (lambda each: each.ask(" "), QueryError, "question is empty"),
        (lambda each: each.ask(QUESTION, toolkit="none").answer(), SettingsError, "no toolkit “none”"),
        (lambda each: each.ask(QUESTION, profile="none").answer(), SettingsError, "no model called"),
        (lambda each: each.ask(QUESTION, scope={"ext": "xyz"}).answer(), LibraryRefused, "No document"),
        (lambda each: each.verify("x" * 300_000), QueryError, "at most"),
        (lambda each: each.remove("/nowhere"), LibraryRefused, "not a folder of the library"),
        (lambda each: each.add("/nowhere"), LibraryRefused, "/nowhere"),
    ],
)
def test_a_wrong_call_is_a_sentence(library: Library, call: object, error: type[Exception], says: str) -> None:
    assert callable(call)
    with pytest.raises(error, match=says):
        call(library)


class _NoPath:
    def __fspath__(self) -> int:
        return 5


WRONG: tuple[object, ...] = (
    *(5, -1, 10**30, 1.5, math.nan, True, None, b"x", "", "\0", "\ud800", "x" * 100_000, object(), _NoPath(), float),
    *([], ["a"], (), (1,), (1.0, 2.0), ("1", "2"), (True, 2), (2, 1), (1, 2, 3), range(3), iter(()), {1, 2}),
    *({"a": 1}, {5: "x"}, {"ext": 5}, {"ext": [5]}, {"ext": None}, {"ext": b"md"}, {"date": "nonsense"}),
)
CALLS: dict[str, Callable[[Any, Any], object]] = {
    "open": lambda _, value: Library.open(value).close(),
    "add": lambda each, value: each.add(value),
    "remove": lambda each, value: each.remove(value),
    "search": lambda each, value: each.search(value),
    "mode": lambda each, value: each.search("rent", mode=value),
    "limit": lambda each, value: each.search("rent", limit=value),
    "sort": lambda each, value: each.search("rent", sort=value),
    "reverse": lambda each, value: each.search("rent", reverse=value),
    "scope": lambda each, value: each.search("rent", scope=value),
    "sendable": lambda each, value: each.search("rent", sendable=value),
    "stop": lambda each, value: each.search("rent", stop=value),
    "documents": lambda each, value: list(each.documents(value)),
    "scope of documents": lambda each, value: list(each.documents(scope=value)),
    "document": lambda each, value: each.document(value),
    "read": lambda each, value: each.read(value),
    "lines": lambda each, value: each.read(next(each.documents()).id, lines=value),
    "find": lambda each, value: each.find(value, "rent"),
    "patterns": lambda each, value: each.find(next(each.documents()).id, "rent", value),
    "limit of find": lambda each, value: each.find(next(each.documents()).id, "rent", limit=value),
    "ask": lambda each, value: next(each.ask(value, profile="built-in")),
    "profile": lambda each, value: next(each.ask(QUESTION, profile=value)),
    "toolkit": lambda each, value: next(each.ask(QUESTION, profile="built-in", toolkit=value)),
    "scope of ask": lambda each, value: next(each.ask(QUESTION, profile="built-in", scope=value)),
    "verify": lambda each, value: each.verify(value),
    "sync": lambda each, value: each.sync(stop=value),
}


def test_whatever_is_passed_the_answer_is_an_error_of_ours_or_a_result(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, call in CALLS.items():
        refused = [str(error) for value in WRONG if (error := _refusal(call, library, value))]
        assert len(refused) > 15, name
        assert all(" " in said for said in refused), name
    assert tmp_path not in [folder.path for folder in library.folders]


def _refusal(call: Callable[[Any, Any], object], library: Library, value: object) -> DesktopRagError | None:
    try:
        call(library, value)
    except DesktopRagError as error:
        return error
    return None


def test_files_without_text_are_found_by_name_and_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_documents(tmp_path / "documents")
    for name, size in (("passport.psd", 10), ("passport old.psd", 30)):
        (tmp_path / "documents" / name).write_bytes(b"x" * size)
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    with Library.open() as library:
        library.add(tmp_path / "documents")
        library.sync()
        named = library.search("passport", sort="size").named
        assert [(each.path.name, each.size) for each in named] == [("passport old.psd", 30), ("passport.psd", 10)]
        assert all(each.reason for each in named)
        smallest = library.search("passport", sort="size", reverse=True).named
        assert smallest == named[::-1]
        newest = library.search("ext:md OR ext:txt", sort="date")
        assert len(newest) > 1
        dates = [hit.date for hit in newest if hit.date]
        assert len(dates) == len(newest)
        assert dates == sorted(dates, reverse=True)
        assert asyncio.run(_names_of(library)) == [hit.path.name for hit in library.search("ext:md", sort="name")]


async def _names_of(library: Library) -> list[str]:
    return [hit.path.name for hit in await AsyncLibrary(library).search("ext:md", sort="name", reverse=True)][::-1]


def test_characters_that_no_file_can_have_are_replaced(library: Library) -> None:
    """Python's own file names have such surrogates for bytes that are no UTF-8."""
    assert [hit.path.name for hit in library.search("rent \udcff", mode="keyword", limit=1)] == ["lease.md"]
    assert len(tuple(library.documents("lease \udcff"))) == 1
    assert not library.search("rent", mode="keyword", scope={"name": "\udcff"}).hits
    assert not library.find(library.search("rent")[0].document, "\udcff")
    assert library.ask("What is the rent? \udcff", profile="built-in").answer().text
    assert library.verify("The rent \udcff is due.").claims
    with pytest.raises(LibraryRefused, match="no document"):
        library.read("\udcff")


def test_a_path_is_understood_as_it_is_written(
    copied: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "tree.txt").write_text("The linden tree is old.\n")
    (tmp_path / "link").symlink_to(tmp_path / "new", target_is_directory=True)
    with Library.open() as library:
        library.add(f"{tmp_path}/link/../new")
        library.sync()
        for written in (f"{tmp_path}/new/../new/tree.txt", tmp_path / "link" / "tree.txt"):
            assert "linden" in str(library.read(written))
        library.remove(f"{tmp_path}/link/.")
        assert tmp_path / "new" not in [folder.path for folder in library.folders]


def test_a_closed_library_says_so(at_home: None) -> None:
    library = Library.open()
    library.close()
    with pytest.raises(LibraryRefused, match="was closed"):
        library.search("rent")
    library.close()
    for call in (lambda: library.folders, lambda: library.add("."), lambda: library.remove("."), library.sync):
        with pytest.raises(LibraryRefused, match="was closed"):
            call()


def test_asyncio_has_the_same_methods(at_home: None) -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Library) <= public(AsyncLibrary) | {"ask"}

    async def run() -> None:
        async with await AsyncLibrary.open() as library:
            [lease] = await library.documents("lease")
            assert await library.document(lease.id) == lease
            assert library.path == library.sync_library.path

    asyncio.run(run())


def test_a_condition_needs_a_value_and_knows_the_home_folder(
    library: Library, indexed: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(QueryError, match="“ext” has no value"):
        library.search("rent", scope={"ext": []})
    monkeypatch.setenv("HOME", str(indexed.home.parent))
    for folder in ("~/documents", f"{indexed.home}/../documents"):
        assert library.search("rent", mode="keyword", scope={"folder": folder}).hits, folder


def test_lines_are_read_and_asked_for_within_the_document(library: Library) -> None:
    [document] = library.documents("lease")
    assert library.read(document.id).total == len(library.read(document.id).lines) == document.lines
    assert library.read(document.id, lines=(500, 600)).lines == ()
    with pytest.raises(QueryError):
        library.read(document.id, lines=(0, 3))
    with pytest.raises(QueryError):
        library.read(document.id, lines=(5, 3))


def test_a_library_that_does_not_exist_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))
    with Library.open() as library, pytest.raises(LibraryError):
        library.search("rent")
    with pytest.raises(LibraryRefused, match="no library called"):
        Library.open("Nothing")
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_run_is_stopped_from_another_thread(library: Library) -> None:
    run = library.ask(QUESTION, profile="built-in")
    next(iter(run))
    stopping = threading.Thread(target=run.stop)
    stopping.start()
    stopping.join()
    with pytest.raises(Stopped):
        run.answer()


def test_a_folder_is_added_and_removed_beside_another_user(
    copied: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "tree.txt").write_text("The linden tree is old.\n")
    with Library.open() as one, Library.open() as other:
        one.add(tmp_path / "new")
        assert [progress.done for progress in other.progress()][-1]
        assert [hit.path.name for hit in other.search("linden", mode="keyword")] == ["tree.txt"]
        other.remove(tmp_path / "new")
        assert not one.search("linden", mode="keyword")
        assert tmp_path / "new" not in [folder.path for folder in one.folders]


def test_asyncio_searches_at_once_and_the_loop_is_never_blocked(at_home: None) -> None:
    async def run() -> None:
        async with await AsyncLibrary.open() as library:
            beats = 0

            async def beat() -> None:
                nonlocal beats
                while True:
                    await asyncio.sleep(0.01)
                    beats += 1

            beating = asyncio.create_task(beat())
            found = await asyncio.gather(*(library.search(word) for word in ("rent", "mast", "audit", "notice") * 5))
            assert all(len(hits) for hits in found)
            answer = await library.ask(QUESTION, profile="built-in")
            assert answer.citations
            events = [type(event).__name__ async for event in library.events(QUESTION, profile="built-in")]
            assert (events[0], events[-1]) == ("RunStarted", "Answered")
            assert beats > 3
            beating.cancel()
            assert [each.path.name for each in await library.documents("boat") if each.path] == ["boat.txt"]

    asyncio.run(run())


def test_a_cancelled_task_stops_its_work(at_home: None, monkeypatch: pytest.MonkeyPatch) -> None:
    started, stopped = threading.Event(), threading.Event()

    async def run() -> None:
        async with await AsyncLibrary.open() as library:

            def waiting(query: str, *, stop: Stop, **_: object) -> None:
                started.set()
                if stop.wait(20):
                    stopped.set()
                stop.check()

            monkeypatch.setattr(library.sync_library, "search", waiting)
            task = asyncio.create_task(library.search("rent"))
            assert await asyncio.to_thread(started.wait, 20)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert stopped.is_set()

    asyncio.run(run())


def test_retrievers_for_models_leave_out_what_is_never_sent(copied: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    with Library.open() as library:
        search = PassageSearch(library)
        [lease] = [each for each in search.passages("rent a month") if "1,200 euros" in each.text]
        rules = PrivacyOptions(never_words=("1,200 euros",))
        save(copied.home / "settings.json", Settings(privacy=rules))
        assert any("{{word_1}}" in each.text for each in search.passages("rent a month"))
        save(
            copied.home / "settings.json", Settings(privacy=replace(rules, never_send=(str(lease.metadata["source"]),)))
        )
        assert not any("lease" in str(each.metadata) for each in search.passages("rent a month"))
        assert any(hit.path.name == "lease.md" for hit in library.search("rent a month"))
        assert not any(hit.path.name == "lease.md" for hit in library.search("rent a month", sendable=True))


def test_a_model_looks_at_a_text_only_if_asked(copied: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    text = "Each month 1,200 euros are owed [lease.md, line 5]."
    looks = [Turn(text='1. says "1,200 euros a month"'), Turn(status=400, body="{}")]
    with ScriptedEndpoint(looks, scripted_looks=True) as endpoint, Library.open() as library:
        with pytest.raises(SettingsError, match="No model is"):
            library.verify(text, look=True)
        profile = Profile("test", endpoint.base_url, "scripted")
        save(copied.home / "settings.json", Settings(profiles=(profile,)))
        assert [claim.mark for claim in library.verify(text).claims] == ["unchecked"]
        assert endpoint.all_requests == []
        checked = library.verify(text, look=True, profile="test")
        assert [(claim.mark, claim.judgment and claim.judgment.words) for claim in checked.claims] == [
            ("read", "1,200 euros a month")
        ]
        assert checked.trouble == ""
        assert "1,200 euros a month" in endpoint.requests[0].last_text
        failed = asyncio.run(_verified(text))
        assert [claim.mark for claim in failed.claims] == ["unchecked"]
        assert failed.trouble


async def _verified(text: str) -> CheckedText:
    async with await AsyncLibrary.open() as library:
        return await library.verify(text, look=True, profile="test")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
def test_a_file_whose_name_is_no_utf8_is_read_by_its_path(
    copied: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "yak\udcff\udcfe.md").write_text("The yak herd grazes on the hill.\n")
    assert copied.run("index", tmp_path / "more").code == 0
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    with Library.open() as library:
        [yak] = [each.path for each in library.documents() if each.path and "yak" in each.path.name]
        assert "yak herd" in str(library.read(yak))


def test_retrievers_mask_what_only_its_surroundings_show(
    copied: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "\n".join(f"| user{n:03} | host{n} | Zk{n:03}vbQ7mmx{n} |" for n in range(200))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "table.md").write_text(f"| user | host | password |\n|---|---|---|\n{rows}\n")
    assert copied.run("index", tmp_path / "more").code == 0
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    with Library.open() as library:
        found = [each.text for each in PassageSearch(library, mode="keyword", limit=3).passages("user150 host150")]
    assert any("host150" in text and "{{password_" in text for text in found)
    assert not any("vbQ7" in text for text in found)


def test_langchain_retrieves_passages_with_their_places(library: Library) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is optional")
    from desktop_rag.python_api.langchain_retriever import LibraryRetriever

    [first, *_] = LibraryRetriever(library=library, limit=3).invoke("rent a month")
    assert "1,200 euros" in first.page_content
    assert first.metadata["lines"] == [3, 9]
    assert str(first.metadata["source"]).endswith("lease.md")
    assert LibraryRetriever(library=library, scope={"ext": "txt"}).invoke("mast")[0].metadata["title"] == "boat.txt"


def test_haystack_runs_the_retriever_in_a_pipeline(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")
    haystack = pytest.importorskip("haystack", reason="haystack-ai is optional")
    from desktop_rag.python_api.haystack_retriever import LibraryDocumentRetriever

    pipeline = haystack.Pipeline()
    pipeline.add_component("library", LibraryDocumentRetriever(library, limit=3))
    [first, *_] = pipeline.run({"library": {"query": "rent a month"}})["library"]["documents"]
    assert "1,200 euros" in first.content
    assert (first.meta["lines"], first.meta["source"].endswith("lease.md")) == ([3, 9], True)


def test_llama_index_retrieves_nodes_with_their_places(library: Library) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is optional")
    from desktop_rag.python_api.llama_index_retriever import LibraryNodeRetriever

    [first, *_] = LibraryNodeRetriever(library, limit=3).retrieve("rent a month")
    assert "1,200 euros" in first.node.get_content()
    assert first.node.metadata["lines"] == [3, 9]
    assert first.score
