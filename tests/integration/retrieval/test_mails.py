"""Mail fields, own dates and the order of hits, on mails as files and in a mailbox."""

import os
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.retrieval.api import DocumentQuery, Mode, Order, Scope, SearchRequest, SearchResult, Sort
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary


def mail(sender: str, to: str, subject: str, date: str, text: str, cc: str = "") -> str:
    copies = f"Cc: {cc}\n" if cc else ""
    head = f"From: {sender}\nTo: {to}\n{copies}Subject: {subject}\nDate: {date}\n"
    return f"{head}Message-ID: <{len(text)}@x>\n\n{text}\n"


ANNA, BOB, CARL = "Anna Smith <anna@example.org>", "Bob Roe <bob@example.org>", "carl@example.net"
QUOTED = '"Smith, Anna" <anna@example.org>'
FIRST = mail(ANNA, BOB, "Lease of the flat", "Tue, 05 Mar 2024 14:30:00 +0100", "The flat has two rooms.", CARL)
SECOND = mail(BOB, f"{QUOTED}, {CARL}", "Re: Lease", "Wed, 06 Mar 2024 09:00:00 -0800", "I will sign it on Friday.")
BOX = [
    mail(ANNA, CARL, "Boat", "Mon, 01 Jan 2018 10:00:00 +0000", "The boat needs paint before the summer."),
    mail(CARL, ANNA, "Re: Boat", "Tue, 02 Jan 2018 10:00:00 +0000", "Paint costs forty euros a bucket."),
    mail(BOB, ANNA, "Mast", "Wed, 03 Jan 2018 10:00:00 +0000", "The mast needs paint as well, said the yard."),
]
FILES = {
    "mail/first.eml": FIRST,
    "mail/second.eml": SECOND,
    "mail/box.mbox": "".join(f"From x@y Mon Jan  1 10:00:00 2018\n{each}\n" for each in BOX),
    "mail/third.eml": mail(
        "Susanna Vale <susanna85@mail.example.com>",
        "QuayMaster <quay_master@example.com>",
        "Änderung der Verträge",
        "Thu, 07 Mar 2024 09:00:00 +0100",
        "Die neuen Häfen werden im Sommer von der Verwaltung geprüft.",
    ),
    "zebra.md": "# Paint\n\nPaint of all kinds.\n" + "More paint. " * 90,
    "apple.md": "# Colours\n\nNobody paints here, though paint is sold.\n",
}


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path_factory.mktemp("mails"))
    folder = library.add(FILES)
    for name, year in (("zebra.md", 2021), ("apple.md", 2022)):
        moment = datetime(year, 6, 1).timestamp()
        os.utime(library.files / "home" / name, (moment, moment))
        library.put(folder, name, library.files / "home" / name)
    library.commit()
    library.encode()
    yield library
    library.close()


@pytest.fixture(scope="module")
def asked(mails: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(mails.layout.folder)
    yield engine
    engine.close()


def found(engine: SearchEngine, query: str, mode: Mode = Mode.KEYWORD, sort: Sort = Sort.RELEVANCE) -> SearchResult:
    return engine.search(SearchRequest(query, mode, 30, sort=sort), Stop())


def texts(engine: SearchEngine, result: SearchResult) -> list[str]:
    chunks = engine.read_chunks(tuple(hit.chunk for hit in result.hits), Stop())
    return ["\n".join(chunk.lines) for chunk in chunks]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("from:anna", {"Lease of the flat", "Subject: Boat"}),
        ("from:example.net", {"Re: Boat"}),
        ('from:"Smith Anna"', {"Lease of the flat", "Subject: Boat"}),
        ("to:anna", {"Re: Lease", "Re: Boat", "Mast"}),
        ('to:"anna smith"', {"Re: Lease", "Re: Boat", "Mast"}),
        ('to:"anna carl"', set()),
        ("cc:carl", {"Lease of the flat"}),
        ("subject:lease", {"Lease of the flat", "Re: Lease"}),
        ('subject:"lease of"', {"Lease of the flat"}),
        ("sent:2018-01-02", {"Re: Boat"}),
        ("sent:[2018 TO 2024-03-05]", {"Subject: Boat", "Re: Boat", "Mast", "Lease of the flat"}),
        ("from:bob sent:>2020", {"Re: Lease"}),
        ("from:(bob OR carl) date:2018", {"Re: Boat", "Mast"}),
        ("subject:boat -from:anna", {"Re: Boat"}),
        ("from:nobody", set()),
    ],
)
def test_fields_find_mails_one_by_one_also_in_a_mailbox(query: str, expected: set[str], asked: SearchEngine) -> None:
    result = found(asked, query)
    assert len(result.hits) == len(expected)
    assert all(any(subject in text for text in texts(asked, result)) for subject in expected)


@pytest.mark.parametrize("mode", Mode)
def test_fields_and_words_hold_together_in_every_mode(mode: Mode, asked: SearchEngine) -> None:
    every = texts(asked, found(asked, "from:bob paint", mode))
    assert every
    assert all("From: Bob" in text for text in every)
    bound = texts(asked, found(asked, 'from:bob "needs paint"', mode))
    assert len(bound) == 1
    assert "The mast needs paint" in bound[0]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("subject:ease", set()),
        ("subject:leases", {"first.eml", "second.eml"}),  # inflected
        ('subject:"leases"', set()),
        ("subject:leas", set()),
        ("subject:leas*", {"first.eml", "second.eml"}),
        ('subject:"lease of the fl*"', {"first.eml"}),
        ("subject:vertrag", {"third.eml"}),  # folded, inflected in the language of the mail
        ('subject:"anderung der"', {"third.eml"}),
        ("subject:ander*", {"third.eml"}),
        ("from:usanna", set()),
        ("from:sus*", {"third.eml"}),
        ("from:example.com", {"third.eml"}),  # a domain, a local part, the whole address
        ("from:example.co", set()),
        ("from:susanna85", {"third.eml"}),
        ("from:susanna85@mail.example.com", {"third.eml"}),
        ("from:susanna8", set()),
        ("to:master", {"third.eml"}),
        ("to:aster", set()),
        ("cc:car", set()),
        ("cc:example.net", {"first.eml"}),
        ("name:irst ext:eml", set()),
        ("name:first.eml", {"first.eml"}),
        ("name:fir*", {"first.eml"}),
        ("from:@", set()),
    ],
)
def test_a_field_is_compared_word_by_word(query: str, names: set[str], mode: Mode, asked: SearchEngine) -> None:
    assert {hit.path.name for hit in found(asked, query, mode).hits} == names


def test_the_own_date_comes_before_that_of_the_file(asked: SearchEngine) -> None:
    (hit,) = found(asked, "cc:carl").hits
    assert hit.dated_ns == datetime.fromisoformat("2024-03-05T14:30:00+01:00").timestamp() * 1e9
    assert {hit.path.name for hit in found(asked, "date:2018 paint").hits} == {"box.mbox"}
    assert {hit.path.name for hit in found(asked, "date:2021").hits} == {"zebra.md"}
    assert found(asked, "modified:2018").hits == ()
    dates = asked.facets(SearchRequest("lease", Mode.KEYWORD), Stop()).dates
    assert [(each.label, each.filter.field) for each in dates] == [("2024-03", FileField.DATE)]
    chosen = SearchRequest("paint", Mode.KEYWORD, filters=(Filter(FileField.DATE, "2022"),))
    assert [hit.path.name for hit in asked.search(chosen, Stop()).hits] == ["apple.md"]


def test_documents_are_listed_by_their_own_date(asked: SearchEngine) -> None:
    cards = asked.documents(DocumentQuery(order=Order.NEWEST), Stop()).cards
    names = [Path(card.path or "").name for card in cards]
    assert names.index("second.eml") < names.index("first.eml") < names.index("apple.md") < names.index("zebra.md")


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        (Sort.DATE, ["apple.md", "zebra.md", "box.mbox"]),
        (Sort.NAME, ["apple.md", "box.mbox", "zebra.md"]),
        (Sort.SIZE, ["zebra.md", "box.mbox", "apple.md"]),
        (Sort.FOLDER, ["apple.md", "zebra.md", "box.mbox"]),
    ],
)
@pytest.mark.parametrize("query", ["paint", "+paint", "paint OR bucket"])
def test_hits_are_sorted(query: str, sort: Sort, order: list[str], asked: SearchEngine) -> None:
    result = found(asked, query, sort=sort)
    assert list(dict.fromkeys(hit.path.name for hit in result.hits)) == order
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))


def test_conditions_alone_are_sorted_by_date_unless_asked_otherwise(asked: SearchEngine) -> None:
    newest = [hit.path.name for hit in found(asked, "ext:(md OR eml)").hits]
    assert newest == ["third.eml", "second.eml", "first.eml", "apple.md", "zebra.md"]
    assert [hit.path.name for hit in found(asked, "ext:(md OR eml)", sort=Sort.NAME).hits] == sorted(newest)
    sent = [hit.dated_ns for hit in found(asked, "sent:2018").hits]
    assert sent == sorted(sent, reverse=True)
    assert len(sent) == 3


def test_a_sorted_search_takes_all_matches_into_account(asked: SearchEngine) -> None:
    request = SearchRequest("+paint", Mode.KEYWORD, 1, sort=Sort.DATE)
    (newest,) = asked.search(request, Stop()).hits
    assert newest.path.name == "apple.md"


def test_a_scope_still_holds(asked: SearchEngine, mails: SmallLibrary) -> None:
    scope = Scope(contents=(mails.content("mail/first.eml"),))
    assert asked.search(SearchRequest("from:bob", Mode.KEYWORD, scope=scope), Stop()).hits == ()


def test_a_library_without_mail_headers_finds_no_mails(mails: SmallLibrary, tmp_path: Path) -> None:
    older = SmallLibrary(tmp_path)
    older.add({"a.md": "# A\n\nSome paint.\n"})
    older.catalog.database.execute("DROP TABLE mail")
    engine = SearchEngine(older.layout.folder)
    assert found(engine, "from:anna").hits == ()
    assert [hit.path.name for hit in found(engine, "paint").hits] == ["a.md"]
    content = older.content("a.md")
    with closing(CatalogReader.open(older.layout.catalog)) as reader:
        assert reader.contents.is_intact(content)
    engine.close()
    older.close()
