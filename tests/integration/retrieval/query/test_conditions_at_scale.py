"""Conditions on files read few records of a library, and find what looking at every file would find."""

from collections.abc import Iterable, Iterator

import pytest

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.content_table import ContentTable
from desktop_rag.index.catalog.file_table import FileTable
from desktop_rag.index.records import Content, ContentId
from desktop_rag.retrieval.api import Mode, Scope, SearchRequest
from desktop_rag.retrieval.query import file_conditions
from desktop_rag.retrieval.query.file_conditions import fulfils
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.retrievers import candidate_filter
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

MANY = 1_200
NAMES = (
    "papers/Lease 2023_finalVersion.pdf.txt",
    "papers/old/BESTBUY_2021Q4.txt",
    "papers/old.d/anna85.md",
    "Verträge/Übersicht STRASSE.txt",
    "Verträge/straße (alt).md",
    "法务/年度_报告 2024.txt",
    "src/archive.tar.gz.txt",
    "src/a_b-c.d.e.md",
    "src/100% done?.txt",
    "no_extension",
)
CONDITIONS = (
    *("name:lease", "name:final", "name:2023", "name:txt", 'name:"best buy"', "name:bestbuy", "name:anna", "name:85"),
    *("name:strasse", "name:STRAßE", "name:ubersicht", "name:报告", "name:年度报告", "name:*version*", "name:?85*"),
    *("name:100%", "name:_", "ext:txt", "ext:md", "ext:TAR.GZ.TXT", "ext:gz.txt", "ext:d.e.md", "ext:m?", "ext:*d"),
    *("folder:papers", "folder:old", "folder:old.d", "folder:papers/old", "folder:vertrage", "folder:home"),
    *("folder:files/home/src", "folder:法务", "folder:o*", "folder:pap*/old", 'path:"papers/old"', "path:ome/src"),
    *("path:Vertr", "path:*Lease*", "path:年度", "path:done", "path:a_b", "path:\\src\\"),
    *("ext:md name:85", "(ext:md OR name:lease)", "NOT ext:md", "tag:tax", "(tag:tax OR folder:src)", "language:en"),
)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path_factory.mktemp("odd"))
    library.add({name: f"The rent of house {number} is paid. #tax\n" for number, name in enumerate(NAMES)})
    library.encode()
    yield library
    library.close()


def fulfilling(library: SmallLibrary, condition: str) -> frozenset[ContentId]:
    node = parse(condition).files
    assert node is not None
    places = library.catalog.files.places(library.catalog.files.visible_contents())
    known = library.catalog.contents.by_id(places)
    return frozenset(one for one, found in places.items() if any(fulfils(node, known[one], each) for each in found))


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_is_likely_has_all_that_fulfils_a_condition(odd: SmallLibrary, condition: str) -> None:
    node, expected = parse(condition).files, fulfilling(odd, condition)
    assert node is not None
    likely = file_conditions.likely_files(node, odd.catalog)
    assert likely is None or expected <= likely
    assert Candidates(odd.catalog, Scope(), node, Stop()).contents == expected


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT, Mode.SEMANTIC, Mode.HYBRID])
@pytest.mark.parametrize("words", ["rent", '"is paid"', "rent AND house", "=rent"])
@pytest.mark.parametrize("condition", ["ext:txt", "NOT ext:md", "language:en -folder:src", "modified:today"])
def test_what_is_checked_is_what_a_restricted_search_finds(
    odd: SmallLibrary, condition: str, words: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> set[str]:
        engine = SearchEngine(odd.layout.folder)
        result = engine.search(SearchRequest(f"{condition} {words}", mode, 3), Stop())
        engine.close()
        return {hit.path.name for hit in result.hits}

    restricted = found()
    monkeypatch.setattr(file_conditions, "MOST", 0)
    monkeypatch.setattr(candidate_filter, "_SAMPLE", 3)
    monkeypatch.setattr(candidate_filter, "_OFTEN", 0)
    assert found() == restricted


@pytest.mark.parametrize("condition", ["ext:txt", "NOT ext:md", "modified:today", "language:en -folder:src"])
def test_a_list_of_many_is_the_same_list(odd: SmallLibrary, condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(limit: int) -> list[str]:
        engine = SearchEngine(odd.layout.folder)
        result = engine.search(SearchRequest(condition, Mode.KEYWORD, limit), Stop())
        engine.close()
        return [hit.path.name for hit in result.hits]

    restricted = listed(20), listed(2)
    monkeypatch.setattr(file_conditions, "MOST", 0)
    monkeypatch.setattr(candidate_filter, "_SAMPLE", 3)
    monkeypatch.setattr(candidate_filter, "_OFTEN", 0)
    assert (listed(20), listed(2)) == restricted


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path_factory.mktemp("many"))
    folder = library.catalog.folders.add(bytes(library.files), is_file=False)
    library.files.mkdir()
    with library.catalog.transaction():
        for number in range(MANY):
            name = f"part {number // 100}/{number:04}.{('txt', 'md')[number % 2]}"
            (library.files / name).parent.mkdir(exist_ok=True)
            (library.files / name).write_text(f"Number {number} of the harbour.\n")
            library.put(folder, name, library.files / name)
    library.commit()
    while library.catalog.file_names.index_some():
        pass
    yield library
    library.close()


@pytest.mark.parametrize(
    "query",
    [
        *("name:0042", 'path:"part 3/"', "ext:md harbour", 'folder:"part 7" number', "date:today harbour", "0042.txt"),
        *("someone@harbour.org", "C:/letters/0007.md", "harbour -ext:txt", "ext:pdf", "lease.pdf number 5.txt"),
    ],
)
@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT])
def test_no_query_reads_the_record_of_every_file(
    many: SmallLibrary, query: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = set[ContentId]()

    def counting(method: object) -> object:
        def counted(self: object, ids: Iterable[ContentId], *rest: object) -> object:
            listed = list(ids)
            read.update(listed)
            return method(self, listed, *rest)  # type: ignore[operator]

        return counted

    monkeypatch.setattr(file_conditions, "MOST", 110)
    monkeypatch.setattr(ContentTable, "by_id", counting(ContentTable.by_id))
    monkeypatch.setattr(FileTable, "places", counting(FileTable.places))
    engine = SearchEngine(many.layout.folder)
    engine.search(SearchRequest(query, mode), Stop())
    engine.close()
    assert len(read) < MANY / 2


def test_what_all_files_were_looked_through_for_is_known_until_the_next_change(
    odd: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    by_id = ContentTable.by_id

    def counted(self: ContentTable, ids: Iterable[ContentId]) -> dict[ContentId, Content]:
        listed = list(ids)
        asked.append(len(listed))
        return by_id(self, listed)

    monkeypatch.setattr(ContentTable, "by_id", counted)
    node = parse("language:en").files
    reader = CatalogReader.open(odd.layout.catalog)
    first = Candidates(reader, Scope(), node, Stop()).contents
    assert sum(asked) == len(NAMES)
    assert Candidates(reader, Scope(), node, Stop()).contents == first
    assert sum(asked) == len(NAMES)
    reader.close()
