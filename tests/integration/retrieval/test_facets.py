"""Filters, facets, unfinished queries and suggestions of the search page."""

import os
import threading
import time
from collections.abc import Iterable, Iterator
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.errors import QueryError, Stopped
from desktop_rag.gui.search.search_control import SearchWorker
from desktop_rag.gui.search.search_events import FacetsCounted, HitsFound, set_apart
from desktop_rag.index.catalog.content_table import ContentTable
from desktop_rag.index.records import Content, ContentId
from desktop_rag.retrieval.api import Facet, Facets, Mode, SearchRequest
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.reading import facets as counting
from desktop_rag.retrieval.retrievers import candidate_filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import CATS, SmallLibrary, names


def found(engine: SearchEngine, query: str, *filters: Filter, mode: Mode = Mode.KEYWORD) -> set[str]:
    return set(names(engine.search(SearchRequest(query, mode, filters=filters), Stop())))


def facets(engine: SearchEngine, query: str, *filters: Filter, mode: Mode = Mode.KEYWORD) -> Facets:
    return engine.facets(SearchRequest(query, mode, filters=filters), Stop())


def counts(listed: tuple[Facet, ...]) -> dict[str, int]:
    return {facet.label: facet.count for facet in listed}


MARKDOWN, PYTHON = Filter(FileField.EXT, ".md"), Filter(FileField.EXT, ".py")


def test_filters_narrow_the_query(engine: SearchEngine) -> None:
    assert found(engine, "rent") == {"lease.md", "rent.py"}
    assert found(engine, "rent", PYTHON) == {"rent.py"}
    assert found(engine, "rent OR budget", MARKDOWN, PYTHON) == {"lease.md", "rent.py"}
    assert found(engine, "", MARKDOWN) == {"lease.md", "cats.md"}


def test_filters_of_different_fields_are_joined_by_and(engine: SearchEngine, library: SmallLibrary) -> None:
    papers = Filter(FileField.FOLDER, str(library.files / "home" / "papers"))
    assert found(engine, "rent OR budget", papers) == {"lease.md", "minutes.txt"}
    assert found(engine, "rent OR budget", papers, MARKDOWN) == {"lease.md"}


def test_a_date_filter_takes_a_year_a_month_or_a_range(engine: SearchEngine) -> None:
    year = time.localtime().tm_year
    assert found(engine, "rent", Filter(FileField.MODIFIED, str(year)))
    assert not found(engine, "rent", Filter(FileField.MODIFIED, "1999"))
    assert found(engine, "rent", Filter(FileField.MODIFIED, f"1999 TO {year}"))
    with pytest.raises(QueryError, match="not a date"):
        found(engine, "rent", Filter(FileField.MODIFIED, "soon"))


def test_facets_count_documents_by_each_field(engine: SearchEngine) -> None:
    rent = facets(engine, "rent OR budget OR cat")
    assert rent.documents == 4
    assert counts(rent.types) == {".md": 2, ".txt": 1, ".py": 1}
    assert counts(rent.folders) == {"home": 4, "papers": 2, "src": 1}
    assert [facet.level for facet in rent.folders] == [0, 1, 1]
    assert sum(counts(rent.dates).values()) == 4
    assert facets(engine, "").documents == 4
    assert facets(engine, "xylophone") == Facets(0)


@pytest.mark.parametrize("mode", Mode)
def test_facets_work_in_every_mode(engine: SearchEngine, library: SmallLibrary, mode: Mode) -> None:
    library.encode()
    assert counts(facets(engine, "landlord", mode=mode).types)[".md"] >= 1


def test_a_facet_ignores_filters_of_its_own_field(engine: SearchEngine) -> None:
    rent = facets(engine, "rent", PYTHON)
    assert rent.documents == 1
    assert counts(rent.types) == {".md": 1, ".py": 1}
    assert counts(rent.folders) == {"home": 1, "papers": 0, "src": 1}


def test_a_filter_takes_no_value_of_the_query_away(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add(
        {f"mail{n}.eml": f"From: Ada{n} <a{n}@x.org>\nSubject: rent\n\nThe rent.\n" for n in range(2)}, root="mails"
    )
    before = facets(engine, "rent")
    after = facets(engine, "rent", PYTHON, Filter(FileField.EXT, ".docx"))
    assert counts(after.types) == {**counts(before.types), ".docx": 0}
    for earlier, later in (
        (before.folders, after.folders),
        (before.authors, after.authors),
        (before.dates, after.dates),
    ):
        assert len(earlier) > 0
        assert {facet.filter for facet in earlier} == {facet.filter for facet in later}
    assert set(counts(after.authors).values()) == {0}
    assert facets(engine, "rent") == before


def test_a_folder_with_a_filter_shows_its_subfolders(engine: SearchEngine, library: SmallLibrary) -> None:
    papers = Filter(FileField.FOLDER, str(library.files / "home" / "papers"))
    shown = facets(engine, "rent OR budget", papers).folders
    assert [(facet.label, facet.level) for facet in shown] == [("home", 0), ("papers", 1), ("old", 2), ("src", 1)]


def test_several_roots_start_collapsed(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add({"deep/er/rent.txt": "The rent of the second house."}, root="work")
    assert counts(facets(engine, "rent").folders) == {"home": 2, "work": 1}


def test_old_and_new_documents_are_counted_by_years(engine: SearchEngine, library: SmallLibrary) -> None:
    folder = library.add({}, root="archive")
    for year in (2015, 2019):
        path = library.files / "archive" / f"{year}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"The rent of {year}.")
        moment = time.mktime((year, 6, 1, 12, 0, 0, 0, 0, -1))
        os.utime(path, (moment, moment))
        library.put(folder, path.name, path)
    library.commit()
    dates = counts(facets(engine, "rent").dates)
    assert (dates["2015"], dates["2019"]) == (1, 1)
    assert list(dates) == sorted(dates)


def test_the_language_is_a_field_of_the_query_language(engine: SearchEngine) -> None:
    assert found(engine, "rent language:xx") == set()


def test_the_last_word_of_an_unfinished_query_is_a_prefix(engine: SearchEngine) -> None:
    def typed(query: str) -> set[str]:
        return set(names(engine.search(SearchRequest(query, Mode.KEYWORD, unfinished=True), Stop())))

    assert typed("bicy") == {"minutes.txt"}
    assert typed("rent AND landl") == {"lease.md"}
    assert typed("kitten bicy") == {"cats.md", "minutes.txt"}
    assert typed("bicy ") == set()
    assert typed('"house ru"') == set()
    assert typed("b") == set()


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.BEST])
@pytest.mark.parametrize("query", ["cat", "rent", "budget rent", "title:rent", "rent the"])
def test_a_whole_word_finds_the_same_while_it_is_typed(
    library: SmallLibrary, engine: SearchEngine, query: str, mode: Mode
) -> None:
    library.add({"catalogue.txt": "The catalogue of rental theories."}, "more")
    written = engine.search(SearchRequest(query, mode), Stop())
    typed = engine.search(SearchRequest(query, mode, unfinished=True), Stop())
    assert [hit.chunk for hit in typed.hits] == [hit.chunk for hit in written.hits]
    assert [hit.snippet.marks for hit in typed.hits] == [hit.snippet.marks for hit in written.hits]


@pytest.mark.parametrize("mode", list(Mode))
def test_signs_of_other_query_languages_get_a_suggestion_beside_the_hits(engine: SearchEngine, mode: Mode) -> None:
    found = engine.search(SearchRequest("rent && deposit", mode), Stop())
    assert found.suggestion == "rent AND deposit"
    assert found.hits


def test_a_misspelled_query_gets_a_suggestion(engine: SearchEngine) -> None:
    def better(query: str, mode: Mode = Mode.KEYWORD) -> str:
        return engine.search(SearchRequest(query, mode), Stop()).suggestion

    assert better("landlrod") == "landlord"
    assert better("bicycels AND deposit") == "bicycles AND deposit"
    assert better("kittne") == "kitten"  # two letters that changed places are one mistake
    assert better("bandlord") == "landlord"
    assert better("rent") == ""
    assert better("qqqqqq") == ""
    assert better("landlrod", Mode.EXACT) == ""


def test_words_that_ask_are_no_slips(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add({"note.txt": "That hat is there, and then the wine is warm.\n"}, root="notes")
    for query in ("what qqqq", "where qqqq", "when qqqq"):
        assert engine.search(SearchRequest(query, Mode.KEYWORD), Stop()).suggestion == ""
    assert engine.search(SearchRequest("winne", Mode.KEYWORD), Stop()).suggestion == "wine"


def test_a_word_that_asks_is_no_word_that_was_found(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add({"bicycle.txt": "Bicycles are insured when they are locked at night.\n"}, root="notes")
    library.encode()

    def words(query: str) -> dict[str, bool]:
        return {hit.path.name: hit.why.has_word for hit in engine.search(SearchRequest(query), Stop()).hits}

    assert not words("when do my bikes have full cover")["bicycle.txt"]
    assert words("when are bicycles covered")["bicycle.txt"]
    assert words("when")["bicycle.txt"]
    assert words("when AND insured")["bicycle.txt"]


def test_a_hit_tells_that_only_the_name_of_its_file_has_the_word(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add({"tolls.txt": "Ships pay at the lock.\n", "ships.txt": "Tolls are paid at the lock.\n"}, root="notes")
    hits = engine.search(SearchRequest("tolls", Mode.KEYWORD), Stop()).hits
    assert {hit.path.name: hit.why.by_name for hit in hits} == {"tolls.txt": True, "ships.txt": False}


def test_a_hit_names_the_language_of_its_document(library: SmallLibrary, engine: SearchEngine) -> None:
    german = "Der Mieter zahlt die Miete am Ersten des Monats, und die Katze bleibt in der Wohnung bei ihm.\n"
    english = "The tenant pays the Miete on the first day of the month, and that is what they have agreed.\n"
    library.add({"miete.txt": german, "rent.txt": english}, root="notes")
    hits = engine.search(SearchRequest("Miete", Mode.KEYWORD), Stop()).hits
    assert {hit.path.name: hit.language for hit in hits} == {"miete.txt": "de", "rent.txt": "en"}


@pytest.fixture
def client(library: SmallLibrary) -> Iterator[SearcherClient]:
    client = SearcherClient(library.layout.folder)
    yield client
    client.close()


@pytest.mark.processes
def test_the_searcher_process_counts_like_the_engine(client: SearcherClient, engine: SearchEngine) -> None:
    request = SearchRequest("rent", Mode.KEYWORD, filters=(MARKDOWN,))
    assert client.facets(request, Stop()) == engine.facets(request, Stop())
    assert client.search(request, Stop()).hits[0].path.name == "lease.md"


def test_the_window_counts_the_documents_that_it_lists(
    engine: SearchEngine, library: SmallLibrary, qtbot: QtBot
) -> None:
    shift = "Pump {0} was bought for the harbour; its afternoon shift is led by crew {0}.\n"
    library.add({f"p{n}.txt": shift.format(n) for n in range(20)}, root="pumps")
    library.encode()
    request = SearchRequest("feline kittens dozing afternoon", Mode.HYBRID, 30)
    seen: list[HitsFound] = []
    worker = SearchWorker(engine)
    worker.found.connect(seen.append)
    with qtbot.waitSignal(worker.counted, timeout=60_000) as counted:
        worker.ask(request, at_once=True)
    worker.close()
    event = (counted.args or [None])[0]
    assert isinstance(event, FacetsCounted)
    hits = set_apart(seen[-1]).hits
    assert not all(hit.why.by_words for hit in hits)  # one is better than those with a word
    assert event.facets.documents == len({hit.content for hit in hits})
    assert sum(counts(event.facets.types).values()) == event.facets.documents


def test_without_a_word_the_window_counts_the_similar_documents_that_it_shows(
    engine: SearchEngine, library: SmallLibrary, qtbot: QtBot
) -> None:
    library.add({f"cat{n}.txt": f"The cat number {n} sleeps on its cushion.\n" for n in range(20)}, root="cats")
    library.encode()
    seen: list[HitsFound] = []
    worker = SearchWorker(engine)
    worker.found.connect(seen.append)
    with qtbot.waitSignal(worker.counted, timeout=60_000) as counted:
        worker.ask(SearchRequest("felines resting", Mode.HYBRID, 30), at_once=True)
    worker.close()
    event = (counted.args or [None])[0]
    assert isinstance(event, FacetsCounted)
    shown = set_apart(seen[-1])
    assert not shown.hits
    assert len({hit.content for hit in shown.similar}) == event.facets.documents
    assert sum(counts(event.facets.types).values()) == event.facets.documents < len(seen[-1].result.hits)


class SlowToCount:
    """An explorer that counts until it is stopped."""

    def __init__(self, engine: SearchEngine) -> None:
        self.search = engine.search
        self.counting = threading.Event()

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        self.counting.set()
        assert stop.wait(60)
        raise Stopped


def test_counting_never_holds_up_hits(engine: SearchEngine, qtbot: QtBot) -> None:
    slow = SlowToCount(engine)
    found: list[HitsFound] = []
    worker = SearchWorker(cast("Explorer", slow))
    worker.found.connect(found.append)
    for query in ("rent", "budget"):
        worker.ask(SearchRequest(query, Mode.KEYWORD), at_once=True)
        qtbot.waitUntil(lambda: bool(found) and found[-1].request.query == query, timeout=60_000)  # noqa: B023
        qtbot.waitUntil(slow.counting.is_set, timeout=60_000)  # only now: the hits are there already
        slow.counting.clear()
    worker.close()


@pytest.mark.parametrize(
    "filters",
    [
        (),
        (MARKDOWN,),
        (MARKDOWN, PYTHON),
        (Filter(FileField.FOLDER, "old"), Filter(FileField.LANGUAGE, "en")),
        (Filter(FileField.TAG, "tax"),),
        (Filter(FileField.AUTHOR, "Ada"), MARKDOWN),
        (Filter(FileField.EXT, "tar.md"),),
        (Filter(FileField.EXT, "m?"),),
        (Filter(FileField.DATE, "2019"),),
        (Filter(FileField.NAME, "cats"),),
    ],
)
@pytest.mark.parametrize("query", ["", "rent OR budget OR cat", "ext:md", "rent -folder:src"])
def test_documents_that_are_alike_are_counted_as_one_by_one(
    engine: SearchEngine,
    library: SmallLibrary,
    query: str,
    filters: tuple[Filter, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {f"{n % 3}/rent{n}.md": f"The rent of house {n} is paid.\n" for n in range(9)}
    texts |= {f"more/2019-0{n % 2 + 1}-05 rent.x.tar.md": f"Rent {n} #tax\n" for n in range(3)}
    texts |= {f"mail/{n}.eml": f"From: Ada <a@x.org>\nSubject: rent\n\nThe rent {n}.\n" for n in range(2)}
    texts |= {
        "copy/cats.md": CATS,
        "rent": "The rent without an ending.\n",
        "md": "Rent of md.\n",
        ".md": "Rent, too.\n",
    }
    library.add(texts, root="more")
    expected = facets(engine, query, *filters)
    monkeypatch.setattr(counting, "_FEW", 0)
    monkeypatch.setattr(candidate_filter, "_ROWS", 2)
    assert facets(engine, query, *filters) == expected
    library.add({"new/rent.md": "The rent is new.\n"}, root="more2")
    after = facets(engine, query, *filters)
    monkeypatch.setattr(counting, "_FEW", 1_000)
    assert after == facets(engine, query, *filters)


def test_many_documents_of_a_removed_folder_are_not_counted(
    engine: SearchEngine, library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_FEW", 1)
    gone = library.add({f"rent{n}.md": f"The rent of house {n} is paid.\n" for n in range(5)}, root="gone")
    assert facets(engine, "rent").documents == 7
    library.catalog.folders.remove(gone)  # its texts are still in the keyword index
    assert facets(engine, "rent").documents == 2


def test_one_of_many_alike_is_read_for_all(
    engine: SearchEngine, library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add({f"rent{n}.md": f"The rent of house {n} is paid.\n" for n in range(60)}, root="many")
    monkeypatch.setattr(counting, "_FEW", 10)
    read: list[int] = []
    by_id = ContentTable.by_id

    def counted(self: ContentTable, ids: Iterable[ContentId]) -> dict[ContentId, Content]:
        ids = list(ids)
        read.append(len(ids))
        return by_id(self, ids)

    monkeypatch.setattr(ContentTable, "by_id", counted)
    assert facets(engine, "rent").documents == 62
    assert sum(read) < 10
