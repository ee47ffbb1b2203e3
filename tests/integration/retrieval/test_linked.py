"""Mode `linked`: what the best passages name comes forward, by titles, links, file names and rare names."""

import pytest

from desktop_rag.index.links.gathering import Links
from desktop_rag.retrieval.hits import Mode, Scope
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

ROOT = "trip"
FILES = {
    "film.md": "# The Silent Harbour\n\nThe Silent Harbour is a film. It was directed by Mara Lindqvist in a hurry.\n",
    "person.md": "# Mara Lindqvist\n\nShe was born in Oulu and keeps bees.\n",
    "cafe.md": "# A café\n\nThe bees of Mara Lindqvist give honey to this café near Kvikkjokk.\n",
    "hut.md": "# A hut\n\nNobody sleeps in the hut at Kvikkjokk any more.\n",
    "plan.txt": "The plan of the tour is in [[packing list]], and the costs are in [a table](sums/costs%202024.csv).\n",
    "packing list.md": "Socks, a lamp, a knife.\n",
    "sums/costs 2024.csv": "what,euros\nferry,80\n",
}


@pytest.fixture
def linked(library: SmallLibrary) -> SmallLibrary:
    library.add(FILES, root=ROOT)
    library.encode()
    follow(library)
    return library


def follow(library: SmallLibrary) -> None:
    links = Links(library.catalog.database, library.ledger)
    while links.follow():
        pass


def rank(ask: Ask, query: str, name: str, mode: Mode) -> int:
    return names(ask(query, mode, 30)).index(name)


def test_a_document_named_by_the_best_passage_comes_second(ask: Ask, linked: SmallLibrary) -> None:
    query = "director of The Silent Harbour birthplace"
    assert names(ask(query, Mode.LINKED))[:2] == ["film.md", "person.md"]


def test_a_title_is_recognised_wherever_it_stands_in_a_text(ask: Ask, linked: SmallLibrary) -> None:
    linked.add(
        {
            "song.md": "# A song\n\nThis song of lanterns was sung in Winter, rain and a borrowed coat.\n",
            "play.md": "# Winter, rain and a borrowed coat\n\nFirst shown in a barn before forty people.\n",
        },
        root="stage",
    )
    linked.encode()
    follow(linked)
    query = "who wrote the song of lanterns"
    assert names(ask(query, Mode.LINKED))[:2] == ["song.md", "play.md"]
    assert rank(ask, query, "play.md", Mode.HYBRID) > 2


def test_links_lead_to_files(ask: Ask, linked: SmallLibrary) -> None:
    for target in ("packing list.md", "costs 2024.csv"):
        query = "Where is the plan of the tour?"
        assert rank(ask, query, target, Mode.LINKED) < rank(ask, query, target, Mode.HYBRID) or (
            rank(ask, query, target, Mode.LINKED) <= 2
        )
    assert set(names(ask("plan of the tour", Mode.LINKED))[1:3]) == {"packing list.md", "costs 2024.csv"}


def test_a_rare_name_leads_to_others_that_hold_it(ask: Ask, linked: SmallLibrary) -> None:
    hits = names(ask("honey café", Mode.LINKED))
    assert hits[0] == "cafe.md"
    assert set(hits[1:3]) == {"hut.md", "person.md"}


def test_a_title_that_comes_later_is_linked_too(ask: Ask, library: SmallLibrary) -> None:
    library.add({"film.md": FILES["film.md"]}, root=ROOT)
    follow(library)
    library.add({"person.md": FILES["person.md"]}, root="later")
    library.encode()
    follow(library)
    assert names(ask("director of The Silent Harbour birthplace", Mode.LINKED))[1] == "person.md"


def test_what_is_removed_leads_nowhere(ask: Ask, linked: SmallLibrary) -> None:
    database = linked.catalog.database
    content = linked.content("person.md", ROOT)
    linked.catalog.read_again([content])
    while linked.catalog.erase_some():
        pass
    follow(linked)
    assert database.number("SELECT count(*) FROM called WHERE content = ?", (content,)) == 0
    orphans = "SELECT count(*) FROM mention WHERE chunk NOT IN (SELECT id FROM chunk)"
    assert database.number(orphans) == 0
    assert "person.md" not in names(ask("director of The Silent Harbour birthplace", Mode.LINKED))


def test_a_renamed_file_is_found_by_its_new_name(ask: Ask, linked: SmallLibrary) -> None:
    database = linked.catalog.database
    database.execute(
        "UPDATE file SET path = CAST('what to pack.md' AS BLOB) WHERE path = CAST('packing list.md' AS BLOB)"
    )
    follow(linked)
    assert "what to pack.md" not in names(ask("plan of the tour", Mode.LINKED))[1:2]
    database.execute(
        "UPDATE file SET path = CAST('packing list.md' AS BLOB) WHERE path = CAST('what to pack.md' AS BLOB)"
    )
    follow(linked)
    assert "packing list.md" in names(ask("plan of the tour", Mode.LINKED))[1:3]


def test_scope_and_demands_hold_for_links(ask: Ask, linked: SmallLibrary) -> None:
    only = linked.content("film.md", ROOT)
    query = "director of The Silent Harbour birthplace"
    assert names(ask(query, Mode.LINKED, scope=Scope(contents=(only,)))) == ["film.md"]
    assert "person.md" not in names(ask("+harbour director", Mode.LINKED))


def test_without_links_it_is_hybrid(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert names(ask("deposit paid back", Mode.LINKED)) == names(ask("deposit paid back", Mode.HYBRID))


def test_names_found_in_another_way_are_gathered_anew(linked: SmallLibrary) -> None:
    database = linked.catalog.database
    before = database.number("SELECT count(*) FROM mention")
    database.execute("UPDATE meta SET value = '0:1' WHERE key = 'linked'")
    links = Links(database, linked.ledger)
    assert database.number("SELECT count(*) FROM mention") == 0
    while links.follow():
        pass
    assert database.number("SELECT count(*) FROM mention") == before > 0
    assert links.has_come_to(linked.ledger.last_removal())
