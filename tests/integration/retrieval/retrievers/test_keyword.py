import os
from pathlib import Path

import pytest

from desktop_rag.errors import QueryError, Stopped
from desktop_rag.index.records import ContentId, FolderId
from desktop_rag.retrieval.api import Mode, Scope, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import CATS, LEASE, Ask, SmallLibrary, names


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("deposit", {"lease.md"}),
        ("deposits", {"lease.md"}),
        ("meeting AND budget", {"minutes.txt"}),
        ("budget OR kitten", {"minutes.txt", "cats.md"}),
        ("rent NOT landlord NOT deposit", {"rent.py"}),
        ("rent -src -landlord -deposit -percent", set()),
        ('"house rules"', {"minutes.txt"}),
        ('"rules house"', set()),
        ('"rules house"~0', set()),
        ('"rules house"~1', {"minutes.txt"}),
        ('"nobody budget"~2', set()),
        ('"budget nobody"~3', {"minutes.txt"}),
        ('"meeting opened chair"~1', {"minutes.txt"}),
        ("bicy*", {"minutes.txt"}),
        ("b?cycles", {"minutes.txt"}),
        ("bicycels~2", {"minutes.txt"}),
        ("bicyclez~1", {"minutes.txt"}),
        ("bixyzlez~2", set()),
        ("title:lease", {"lease.md"}),
        ("title:rent", {"rent.py"}),  # without a title of its own
        ("title:zurich", set()),
        ("zurich facade", {"cats.md"}),
        ("content:cats", {"cats.md"}),
        ("NOT rent NOT cats", {"minutes.txt"}),
        ("+cat rent", {"cats.md"}),
        ("the", {"lease.md", "minutes.txt", "cats.md"}),
    ],
)
def test_operators_of_the_query_language(ask: Ask, query: str, found: set[str]) -> None:
    assert set(names(ask(query))) == found


def test_a_question_in_plain_language_finds_its_answer_first(ask: Ask) -> None:
    assert names(ask("How often may the landlord raise the rent?"))[0] == "lease.md"


def test_the_default_operator_can_be_and(ask: Ask) -> None:
    assert set(names(ask("rent budget"))) == {"lease.md", "rent.py", "minutes.txt"}
    assert names(ask("rent budget", default_and=True)) == []
    assert names(ask("the budget", default_and=True)) == ["minutes.txt"]


def test_a_boost_changes_the_order(ask: Ask) -> None:
    assert names(ask("kitten^20 budget"))[0] == "cats.md"
    assert names(ask("kitten budget^20"))[0] == "minutes.txt"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("rent ext:py", {"rent.py"}),
        ("rent -ext:py", {"lease.md"}),
        ("rent ext:(py OR md)", {"lease.md", "rent.py"}),
        ("rent folder:papers", {"lease.md"}),
        ("the folder:old", {"minutes.txt"}),
        ("the folder:pap", set()),
        ("the folder:papers/old", {"minutes.txt"}),
        ("rent path:src", {"rent.py"}),
        ("rent path:*.md", {"lease.md"}),
        ("kitten OR ext:py", {"cats.md", "rent.py"}),
        ("rent NOT (landlord OR deposit OR ext:py)", set()),
        ("modified:[2000 TO 2001] rent", set()),
        ("modified:[2020 TO *] deposit", {"lease.md"}),
        ("author:nobody rent", set()),
    ],
)
def test_conditions_on_files_narrow_the_search(ask: Ask, query: str, found: set[str]) -> None:
    assert set(names(ask(query))) == found


def test_conditions_alone_list_documents_newest_first(ask: Ask, library: SmallLibrary) -> None:
    folder = library.catalog.folders.all()[0].id
    for name, seconds in (("cats.md", 2_000_000_000), ("papers/lease.md", 1_900_000_000)):
        path = library.files / "home" / name
        os.utime(path, (seconds, seconds))
        library.put(folder, name, path)
    result = ask("ext:md")
    assert names(result) == ["cats.md", "lease.md"]
    assert "cat" in result.hits[0].snippet.text.lower()


def test_an_invalid_query_raises_with_a_suggestion(ask: Ask) -> None:
    with pytest.raises(QueryError) as caught:
        ask('"rent')
    assert caught.value.suggestion == '"rent"'


def test_an_empty_query_finds_nothing(ask: Ask) -> None:
    assert ask("").hits == ()
    assert ask("??").hits == ()
    assert ask("rent", limit=0).hits == ()


def test_a_hit_has_its_location_and_ranks(ask: Ask, library: SmallLibrary) -> None:
    hit = ask("deposit").hits[0]
    assert hit.path == library.files / "home" / "papers/lease.md"
    assert (hit.rank, hit.why.keyword_rank, hit.why.semantic_rank) == (1, 1, None)
    assert hit.title == "Lease agreement"
    assert hit.content == library.content("papers/lease.md")
    assert hit.dated_ns == hit.path.stat().st_mtime_ns
    span = hit.snippet.span
    assert hit.snippet.text == LEASE[span.start : span.end].replace("\n", " ")
    assert LEASE[: span.start].count("\n") + 1 == span.first_line
    assert LEASE[: span.end].count("\n") + 1 == span.last_line
    assert {hit.snippet.text[a:b].lower() for a, b in hit.snippet.marks} == {"deposit"}


def test_equal_files_are_deduplicated(ask: Ask, library: SmallLibrary) -> None:
    library.add({"a/very/long/way/copy.md": CATS, "z.md": CATS}, root="backup")
    result = ask("kitten")
    assert [hit.path.name for hit in result.hits] == ["cats.md"]
    assert [path.name for path in result.hits[0].also] == ["z.md", "copy.md"]


def test_equal_texts_in_different_files_are_deduplicated(ask: Ask, library: SmallLibrary) -> None:
    library.add({"lynx.md": "The lynx is shy."})
    library.add({"again.md": "The lynx is shy.\n"})
    result = ask("lynx")
    assert len(result.hits) == 1
    assert len(result.hits[0].also) == 1


def test_a_removed_folder_disappears_at_once_and_can_be_restored(ask: Ask, library: SmallLibrary) -> None:
    other = library.add({"lynx.md": "The lynx hunts hares."}, root="other")
    assert names(ask("lynx")) == ["lynx.md"]
    library.catalog.folders.remove(other)
    assert names(ask("lynx")) == []
    library.catalog.folders.restore(other)
    assert names(ask("lynx")) == ["lynx.md"]


def test_a_path_in_scope_comes_first(ask: Ask, library: SmallLibrary) -> None:
    other = library.add({"copy.md": CATS}, root="other")
    assert ask("kitten").hits[0].path.name == "cats.md"
    hit = ask("kitten", scope=Scope(folders=(other,))).hits[0]
    assert hit.path.name == "copy.md"
    assert [path.name for path in hit.also] == ["cats.md"]
    assert ask("kitten path:copy").hits[0].path.name == "copy.md"


def test_a_scope_of_contents_excludes_all_others(ask: Ask, library: SmallLibrary) -> None:
    only = library.content("src/rent.py")
    assert names(ask("rent", scope=Scope(contents=(only,)))) == ["rent.py"]
    assert names(ask("rent", scope=Scope(contents=(ContentId(10_000),)))) == []
    assert names(ask("rent", scope=Scope(folders=(FolderId(-1),)))) == []


def test_hits_per_file_are_capped(ask: Ask, library: SmallLibrary) -> None:
    section = "\n\n".join(f"## Badger {n}\n\n" + f"The badger digs burrow {n}. " * 20 for n in range(12))
    others = {f"b{n}.md": f"A badger was seen in garden number {n}, digging." for n in range(8)}
    library.add({"badgers.md": section, **others}, root="zoo")
    hits = ask("badger").hits
    assert len(hits) == 10
    assert [hit.path.name for hit in hits].count("badgers.md") <= 3
    only = ask("badger", scope=Scope(contents=(library.content("badgers.md", "zoo"),))).hits
    assert len(only) == 10


def test_removed_files_do_not_shorten_the_list(ask: Ask, library: SmallLibrary) -> None:
    gone = library.add({f"{n}.md": f"otter otter otter {n}" for n in range(120)}, root="gone")
    library.add({"kept.md": "One otter swims among many other animals in a long and winding river."}, root="kept")
    library.catalog.folders.remove(gone)
    assert names(ask("otter", limit=1)) == ["kept.md"]


def test_chinese_and_german_words_are_found(ask: Ask, library: SmallLibrary) -> None:
    library.add({"zh.md": "猫每天睡十六个小时。房东每年可以涨一次房租。", "de.md": "Die Straße ist naß."})
    assert names(ask("房租")) == ["zh.md"]
    assert names(ask("房东什么时候可以涨房租?")) == ["zh.md"]
    assert names(ask("strasse")) == ["de.md"]


def test_a_path_that_is_not_valid_unicode_is_found(ask: Ask, library: SmallLibrary) -> None:
    folder = library.catalog.folders.all()[0].id
    path = Path(os.fsdecode(os.fsencode(library.files / "home") + b"/\xff\xfe.txt"))
    path.write_text("The wombat digs.")
    library.put(folder, path.name, path)
    library.commit()
    assert ask("wombat").hits[0].path == path


class StopAfter(Stop):
    """Is set once it has been looked at `looks` times."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = looks

    def check(self) -> None:
        self._looks -= 1
        if self._looks < 0:
            self.set()
        super().check()


@pytest.mark.parametrize(
    ("query", "mode"),
    [
        ("animal", Mode.KEYWORD),
        ("an*", Mode.KEYWORD),
        ("animol~2", Mode.KEYWORD),
        ('"animal number"', Mode.KEYWORD),
        ('"number animal"~5', Mode.KEYWORD),
        ("animal OR ext:md", Mode.KEYWORD),
        ("animal", Mode.EXACT),
        ("animal", Mode.HYBRID),
    ],
)
def test_a_search_checks_the_stop_repeatedly(
    engine: SearchEngine, library: SmallLibrary, query: str, mode: Mode
) -> None:
    library.add({f"{n}.md": f"animal number {n} is the animals{n}" for n in range(40)}, root="zoo")
    for looks in (0, 1, 3, 5):
        with pytest.raises(Stopped):
            engine.search(SearchRequest(query, mode), StopAfter(looks))
    assert engine.search(SearchRequest(query, mode), Stop()).hits


def test_parts_of_a_compound_rank(ask: Ask) -> None:
    assert names(ask("purple house-boat")) == ["minutes.txt"]
    assert names(ask("house-boat")) == []  # alone, a stop word is searched
    assert names(ask("purple e.g.")) == []


def test_question_words_are_ignored_among_others(ask: Ask, library: SmallLibrary) -> None:
    library.add(
        {
            "asking.md": "Which one? What for? Where and when? Who was it, how and why?\n",
            "bees.md": "The swarm left the hive in May.\n",
        },
        root="more",
    )
    assert names(ask("where and when did the swarm leave, who saw it and how")) == ["bees.md"]
    assert names(ask("who, when and where")) == ["asking.md"]
