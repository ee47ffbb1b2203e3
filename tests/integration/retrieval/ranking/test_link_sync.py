"""The keys of many chunks are stored in one transaction, soon or when nothing else comes."""

import pytest

from desktop_rag.index.links import link_sync
from desktop_rag.index.links.link_sync import LinkSync
from tests.integration.retrieval.conftest import SmallLibrary

FILES = {f"{number}.md": f"# Harbour {number}\n\nMara Lindqvist sailed to Kvikkjokk.\n" for number in range(8)}


@pytest.fixture
def library_of_trips(library: SmallLibrary) -> SmallLibrary:
    library.add(FILES, root="trips")
    return library


def stored(library: SmallLibrary) -> int:
    return library.catalog.database.number("SELECT count(*) FROM mention")


def run(links: LinkSync, *, eager: bool) -> None:
    while links.sync(eager=eager):
        pass


def test_while_more_is_coming_nothing_is_stored_until_it_is_much(library_of_trips: SmallLibrary) -> None:
    library = library_of_trips
    links = LinkSync(library.catalog)
    last = library.catalog.change_log.last_sequence()
    run(links, eager=False)
    assert stored(library) == 0
    assert not links.has_reached(last)
    run(links, eager=True)
    assert stored(library) > 0
    assert links.has_reached(last)
    assert not links.sync(eager=True)


@pytest.mark.parametrize(("name", "value"), [("MOST_KEYS", 3), ("LONGEST_WAIT", 0.0)])
def test_much_or_old_is_stored_at_once(
    library_of_trips: SmallLibrary, monkeypatch: pytest.MonkeyPatch, name: str, value: float
) -> None:
    monkeypatch.setattr(link_sync, name, value)
    links = LinkSync(library_of_trips.catalog)
    run(links, eager=False)
    assert stored(library_of_trips) > 0
    assert links.has_reached(library_of_trips.catalog.change_log.last_sequence())


def test_what_is_removed_before_it_was_stored_leaves_no_key(library_of_trips: SmallLibrary) -> None:
    library = library_of_trips
    links = LinkSync(library.catalog)
    run(links, eager=False)
    contents = [library.content(name, "trips") for name in FILES]
    library.catalog.database.execute("UPDATE file SET content = NULL")
    library.catalog.contents.discard(contents)
    while library.catalog.contents.erase_some():
        pass
    run(links, eager=True)
    known = library.catalog.chunks.all_ids()
    assert set(library.catalog.database.values(int, "SELECT chunk FROM mention")) <= set(known)
    assert set(library.catalog.database.values(int, "SELECT chunk FROM mentioning")) <= set(known)


def test_an_end_before_storing_loses_nothing(library_of_trips: SmallLibrary) -> None:
    library = library_of_trips
    run(LinkSync(library.catalog), eager=False)
    run(LinkSync(library.catalog), eager=True)
    listed = library.catalog.database.values(int, "SELECT chunk FROM mentioning")
    assert set(listed) == library.catalog.chunks.all_ids()


def test_a_name_leads_to_no_text_that_no_file_holds(library_of_trips: SmallLibrary) -> None:
    library = library_of_trips
    run(LinkSync(library.catalog), eager=True)
    names = library.catalog.database.values(int, "SELECT DISTINCT key FROM called")
    kept, replaced = library.content("1.md", "trips"), library.content("2.md", "trips")
    library.catalog.database.execute("UPDATE file SET content = ? WHERE content = ?", (kept, replaced))
    assert library.catalog.files.has_replaced()
    found = {content for contents in library.catalog.links.documents_named(names).values() for content in contents}
    assert kept in found
    assert replaced not in found
