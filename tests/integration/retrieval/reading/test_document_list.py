"""The document list and the diff of two documents, over a real library."""

from pathlib import Path

import pytest

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Order, Scope
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import LEASE, SmallLibrary

REPORTS = {
    f"filings/{name}.txt": f"Annual report of {name}.\n"
    for name in (
        "BOEING_2021_10K",
        "BOEING_2022_10K",
        "BOEING_2022Q3_10Q",
        "LOCKHEEDMARTIN_2021_10K",
        "3M_2022_10K",
        "AMCOR_2022_8K",
    )
}


def file_names(cards: tuple[DocumentCard, ...]) -> list[str]:
    return [card.path.name for card in cards if card.path]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("What was the revenue of Boeing in the 2022 10-K?", "BOEING_2022_10K.txt"),
        ("3M 2022", "3M_2022_10K.txt"),
        ("Amcor's 8K", "AMCOR_2022_8K.txt"),
        ("boeing 2021", "BOEING_2021_10K.txt"),
        ("Lockheed Martin 2021", "LOCKHEEDMARTIN_2021_10K.txt"),
        ("3M's report of 2021", "3M_2022_10K.txt"),
        ("the minutes", "minutes.txt"),
    ],
)
def test_a_file_is_found_by_the_words_of_its_name(
    engine: SearchEngine, library: SmallLibrary, words: str, name: str
) -> None:
    library.add(REPORTS, root="filings")
    found = engine.documents(DocumentQuery(words), Stop())
    assert file_names(found.cards)[0] == name
    assert found.fits[0] == max(found.fits)


def test_a_title_and_a_folder_name_a_document_too(engine: SearchEngine, library: SmallLibrary) -> None:
    assert file_names(engine.documents(DocumentQuery("keeping cats"), Stop()).cards) == ["cats.md"]
    assert file_names(engine.documents(DocumentQuery("old papers"), Stop()).cards)[0] == "minutes.txt"


@pytest.mark.parametrize("words", ["Müller", "muller", "MÜLLER", "Straße", "договор", "company"])
def test_a_title_and_a_folder_are_found_with_any_accents_and_case(
    engine: SearchEngine, library: SmallLibrary, words: str
) -> None:
    titled = "# Company law: Müller, Große STRASSE, Straße, Договор\n\nText.\n"
    library.add({"Case Müller, Straße, Договор, Company/a.txt": "Text.", "b.md": titled}, root="cases")
    assert set(file_names(engine.documents(DocumentQuery(words), Stop()).cards)) == {"a.txt", "b.md"}


def test_words_without_a_match_are_reported(engine: SearchEngine) -> None:
    found = engine.documents(DocumentQuery("lease xylophone"), Stop())
    assert file_names(found.cards)[0] == "lease.md"
    assert found.unmatched == ("xylophon",)
    assert engine.documents(DocumentQuery("xylophone"), Stop()).total == 0


def test_without_words_all_documents_are_paged(engine: SearchEngine) -> None:
    first = engine.documents(DocumentQuery(order=Order.NAME, limit=3, with_facets=True), Stop())
    rest = engine.documents(DocumentQuery(order=Order.NAME, skip=3, limit=3), Stop())
    assert first.total == rest.total == 4
    assert file_names(first.cards + rest.cards) == ["cats.md", "lease.md", "minutes.txt", "rent.py"]
    assert {facet.label: facet.count for facet in first.facets.types} == {".md": 2, ".txt": 1, ".py": 1}


def test_the_order_follows_a_change(engine: SearchEngine, library: SmallLibrary) -> None:
    every = DocumentQuery(order=Order.NAME)
    assert file_names(engine.documents(every, Stop()).cards)[0] == "cats.md"
    library.add({"ants.md": "# Ants\n\nThey carry leaves.\n"}, root="home")
    found = engine.documents(every, Stop())
    assert file_names(found.cards)[:2] == ["ants.md", "cats.md"]
    assert found.facets.types == ()  # nobody asked for them


def test_filters_and_scope_narrow_the_list(engine: SearchEngine, library: SmallLibrary) -> None:
    markdown = DocumentQuery(filters=(Filter(FileField.EXT, "md"),))
    assert file_names(engine.documents(markdown, Stop()).cards) == ["cats.md", "lease.md"]
    alone = DocumentQuery("lease", Scope(contents=(library.content("cats.md"),)))
    assert engine.documents(alone, Stop()).total == 0
    with pytest.raises(QueryError, match="not a date"):
        engine.documents(DocumentQuery(filters=(Filter(FileField.MODIFIED, "someday"),)), Stop())


def test_an_empty_library_lists_nothing(tmp_path: Path) -> None:
    assert SearchEngine(tmp_path).documents(DocumentQuery("anything"), Stop()).total == 0


def test_changes_have_their_lines(engine: SearchEngine, library: SmallLibrary) -> None:
    later = LEASE.replace("first day", "third working day").replace("# Lease agreement", "# Lease\n\nSigned in May.")
    library.add({"lease2.md": later}, root="later")
    one, other = library.content("papers/lease.md"), library.content("lease2.md", root="later")
    found = engine.difference(one, other, 10, Stop())
    assert 0 < found.alike < 1
    raised = next(change for change in found.changes if "first day" in " ".join(change.lines))
    assert LEASE.split("\n")[raised.first - 1] == raised.lines[0]
    assert "third working day" in " ".join(raised.other_lines)
    assert later.split("\n")[raised.other_first - 1] == raised.other_lines[0]


def test_different_line_breaks_are_not_a_change(engine: SearchEngine, library: SmallLibrary) -> None:
    text = "The tenant pays the rent on the first day. The landlord may raise it once a year.\n"
    library.add({"a.txt": text, "b.txt": text.replace(" on the", "\non the")}, root="same")
    found = engine.difference(library.content("a.txt", "same"), library.content("b.txt", "same"), 10, Stop())
    assert (found.total, found.alike) == (0, 1.0)


def test_only_the_longest_changes_are_kept_when_there_are_many(engine: SearchEngine, library: SmallLibrary) -> None:
    lines = [f"Clause number {n} says something of its own." for n in range(40)]
    changed = [line if n % 2 else f"{line[:-1]}{' and more' * n}." for n, line in enumerate(lines)]
    library.add({"a.txt": "\n\n".join(lines), "b.txt": "\n\n".join(changed)}, root="many")
    found = engine.difference(library.content("a.txt", "many"), library.content("b.txt", "many"), 3, Stop())
    assert found.total == 19
    assert [change.first for change in found.changes] == [69, 73, 77]
