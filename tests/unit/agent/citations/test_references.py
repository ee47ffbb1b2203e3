import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from desktop_rag.agent.citations.calculations import Sum
from desktop_rag.agent.citations.references import References, readable
from desktop_rag.agent.events import Source
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Hit, SearchRequest
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import FakeRetriever


def hits(library: FakeRetriever, query: str) -> tuple[Hit, ...]:
    return library.search(SearchRequest(query), Stop()).hits


def test_names_count_up_and_the_same_chunk_keeps_its_name(library: FakeRetriever) -> None:
    references = References(2)
    rent, valve = hits(library, "rent")[0], hits(library, "valve")[0]
    assert [references.of_hit(hit).name for hit in (rent, valve, rent)] == [
        "turn2search1",
        "turn2search2",
        "turn2search1",
    ]


def test_a_later_turn_continues_counting_and_keeps_old_names(library: FakeRetriever) -> None:
    source = Source("turn1search7", ContentId(1), "Lease", "/library/lease.txt", 1, 4, None, "", ChunkId(99))
    references = References(2, [source])
    assert references.of_hit(hits(library, "rent")[0]).name == "turn2search8"
    kept = references.get("turn1search7")
    assert kept is not None
    assert kept.chunk == 99


def test_a_reference_is_found_in_any_spelling(library: FakeRetriever) -> None:
    references = References(1)
    references.of_hit(hits(library, "rent")[0])
    for spelling in ("turn1search1", "Turn1Search1", "[turn1search1]", "turn01search01", "turn1search1 L3"):
        assert references.get(spelling) is not None
    for wrong in ("turn1search2", "lease.txt", "", "/etc/passwd"):
        assert references.get(wrong) is None


def test_documents_that_share_a_title_are_called_by_their_files() -> None:
    def source(number: int, content: int, title: str, path: str) -> Source:
        return Source(f"turn1search{number}", ContentId(content), title, path, 1, 4, None, "")

    sources = [
        source(1, 1, "Lease", "/a/one.md"),
        source(2, 2, "Lease", "/a/two.md"),
        source(3, 3, "Audit", "/a/x.pdf"),
    ]
    references = References(2, [*sources, source(4, 3, "Audit", "/a/x.pdf")])
    called = [
        references.display_title(reference) for reference in map(references.get, references.all_names()) if reference
    ]
    assert called == ["one.md", "two.md", "Audit", "Audit"]


def test_names_are_read_while_other_threads_find_passages(library: FakeRetriever) -> None:
    references = References(1)
    hit = hits(library, "rent")[0]
    found = [replace(hit, chunk=ChunkId(n), content=ContentId(n), title=f"Lease {n % 50}") for n in range(2_000)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(1) as pool:
            adding = pool.submit(lambda: [references.of_hit(each) for each in found])
            while not adding.done():
                references.documents()
                references.copy()
    finally:
        sys.setswitchinterval(interval)
    assert len(adding.result()) == len(references) == 2_000
    assert references.documents() == references.copy().documents()
    first = references.of_content(ContentId(7))
    assert first is not None
    assert references.display_title(first) == first.file


def test_a_file_name_that_is_no_unicode_becomes_readable() -> None:
    assert readable(Path("/a/b\udcff.txt")) == "/a/b\ufffd.txt"


def test_a_passage_and_a_calculation_are_found_by_the_name_of_their_tool(library: FakeRetriever) -> None:
    references = References(2)
    passage = references.of_hit(hits(library, "rent")[0])
    name = references.of_calculation([Sum("1 + 2", "3")])
    assert references.get("turn2open1") is passage
    assert references.calculation("turn2calculate1") == references.calculation(name) == (Sum("1 + 2", "3"),)
    assert references.calculation("turn1calculate1") == references.calculation("turn2calculate9") == ()
