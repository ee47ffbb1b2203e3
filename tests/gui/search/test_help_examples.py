"""Every example of the help, in every mode, on a real library that holds its words, and passages only similar."""

import os
import re
import time
from collections.abc import Callable, Iterator

import pymupdf
import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.search_start import SearchHelp
from desktop_rag.retrieval.api import Hit, Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

LEASE = """# Lease

Either side may end the contract; the notice period is three months. The landlord sends the rent notice by letter.
"""
HOUSE = """# House rules

Rent is due on the first day. The house has no lift, and the tenant will receive two keys. See AB-1234/5.
"""
DEPOSIT = "# Money\n\nThe rent and the deposit were part of the budget 2023, and contracts were signed.\n"
BOAT = "# On the water\n\nA boat is for rent at the lake, with two oars. #travel\n"
GERMAN = """# Wohnung

Die Wohnung liegt im dritten Stock und hat zwei Zimmer, eine Küche und ein Bad mit Fenster zum Hof.
Der Mieter zahlt die Miete am ersten Tag des Monats auf das Konto des Vermieters.
"""
SIMILAR = {
    "ending.md": "# Leaving\n\nWhoever moves out of a flat has to say so three months earlier, in writing.\n",
    "moving.md": "# Moving out\n\nA tenancy ends ninety days after the letter; the owner pays back the security.\n",
    "getting.md": "# Post\n\nYou will get a parcel when you sign the paper for the flat of your homeowner.\n",
}
LONG = """# Flat

A tenancy of a home costs money every month, which goes to the owner of the building and not to the bank.
The kitchen was painted in a warm yellow last spring, and the windows of the hall were sealed before the winter.
A carpenter repaired the stairs, and the cellar was dried and cleared of the boxes that had stood there for years.
The list on the door names who sweeps when; the last word on it is rent.
"""
MAIL = """From: Anna Roe <anna@example.org>
Subject: The lease
Date: Tue, 05 Mar 2024 14:30:00 +0100

The paper is in the hall.
"""
DAY = 86_400


class Found:
    """A hit with the text and title it can be checked by."""

    def __init__(self, hit: Hit, text: str) -> None:
        self.path = hit.path
        self.title = hit.title
        self.text = text
        self.words = re.findall(r"\w+", text.lower())


def has(*words: str) -> Callable[[Found], bool]:
    return lambda found: all(word in found.text.lower() for word in words)


def any_of(*words: str) -> Callable[[Found], bool]:
    return lambda found: any(word in found.text.lower() for word in words)


HOLDS: dict[str, Callable[[Found], bool]] = {
    '"notice period"': has("notice period"),
    "rent AND landlord": has("rent", "landlord"),
    "rent -deposit": lambda found: "rent" in found.text.lower() and "deposit" not in found.text.lower(),
    '"rent notice"~5': has("rent notice"),
    "+rent deposit": has("rent"),
    "(rent OR lease) NOT boat": lambda found: any_of("rent", "lease")(found) and "boat" not in found.text.lower(),
    "contract*": any_of("contract"),
    "recieve~1": has("receive"),
    "=Rent": lambda found: "Rent" in found.text,
    "title:lease": lambda found: "lease" in found.title.lower(),
    "ext:pdf folder:contracts": lambda found: found.path.suffix == ".pdf" and "contracts" in found.path.parts,
    "author:smith": lambda found: found.path.name == "signed.pdf",
    "tag:travel": lambda found: found.path.name == "boat.md",
    "language:de": lambda found: found.path.name == "wohnung.md",
    "name:budget": lambda found: found.path.name == "budget_2022.md",
    "from:anna subject:lease": lambda found: found.path.name == "anna.eml",
    "sent:2024-03": lambda found: found.path.name == "anna.eml",
    'date:"last week"': lambda found: found.path.name == "boat.md",
    "date:[2023 TO 2024-03]": lambda found: found.path.name in ("deposit.md", "anna.eml"),
    "modified:today": lambda found: time.time() - found.path.stat().st_mtime < DAY,
}
PLAIN = {
    "rent^3 house": "house.md",
    "budget 2023": "deposit.md",
    "AB-1234/5": "house.md",
    'how long is the "notice period"?': "lease.md",
}  # words only rank


def _last_week() -> float:
    now = time.localtime()
    return time.mktime((now.tm_year, now.tm_mon, now.tm_mday - now.tm_wday - 4, 12, 0, 0, 0, 0, -1))


def _pdf(text: str) -> bytes:
    file = pymupdf.open()
    file.new_page().insert_text((72, 72), text)
    file.set_metadata({"author": "Jane Smith"})
    data: bytes = file.tobytes()
    return data


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library = SmallLibrary(tmp_path_factory.mktemp("examples"))
    texts = {"house.md": HOUSE, "deposit.md": DEPOSIT, "boat.md": BOAT, "wohnung.md": GERMAN, **SIMILAR}
    texts |= {"long.md": LONG}
    texts |= {"anna.eml": MAIL, "budget_2022.md": "# Plan\n\nMuch was spent on shelves.\n"}
    folder = library.add({"lease.md": LEASE, **texts})
    home = library.files / "home"
    (home / "contracts").mkdir()
    (home / "contracts/signed.pdf").write_bytes(_pdf("The rent was agreed with the landlord."))
    os.utime(home / "boat.md", (_last_week(), _last_week()))
    os.utime(home / "deposit.md", (1_690_000_000, 1_690_000_000))
    for name in ("contracts/signed.pdf", "boat.md", "deposit.md"):
        library.put(folder, name, home / name)
    library.commit()
    library.encode()
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()
    library.close()


def checked(engine: SearchEngine, hits: tuple[Hit, ...]) -> list[Found]:
    texts = engine.read_chunks(tuple(hit.chunk for hit in hits), Stop())
    return [Found(hit, "\n".join(text.lines)) for hit, text in zip(hits, texts, strict=True)]


def test_every_example_has_a_check(qtbot: QtBot) -> None:
    page = SearchHelp()
    qtbot.addWidget(page)
    assert {button.example for button in page.examples()} == HOLDS.keys() | PLAIN.keys()


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("example", HOLDS)
def test_every_hit_fulfils_the_example(example: str, mode: Mode, engine: SearchEngine) -> None:
    result = engine.search(SearchRequest(example, mode, 30), Stop())
    found = checked(engine, result.hits)
    assert found
    assert [each.path.name for each in found if not HOLDS[example](each)] == []
    similar = checked(engine, result.similar)
    assert [each.path.name for each in similar if HOLDS[example](each)] == []
    counted = engine.facets(SearchRequest(example, mode), Stop()).documents
    assert counted == len({hit.content for hit in result.hits})


SHOWS = {
    '"notice period"': "notice period", "rent AND landlord": "rent", "rent -deposit": "rent", "contract*": "contract",
    "(rent OR lease) NOT boat": "rent", "recieve~1": "receive", "=Rent": "Rent",
}  # fmt: skip


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("example", SHOWS)
def test_a_snippet_shows_and_marks_the_words_that_were_demanded(example: str, mode: Mode, engine: SearchEngine) -> None:
    hits = engine.search(SearchRequest(example, mode, 30), Stop()).hits
    assert hits
    for hit in hits:
        marked = {hit.snippet.text[start:end].lower() for start, end in hit.snippet.marks}
        assert any(SHOWS[example].lower() in text or "lease" in text or "landlord" in text for text in marked), hit


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("example", PLAIN)
def test_plain_words_rank_what_holds_them_first(example: str, mode: Mode, engine: SearchEngine) -> None:
    result = engine.search(SearchRequest(example, mode, 30), Stop())
    assert result.similar == ()
    assert mode is Mode.SEMANTIC or result.hits[0].path.name == PLAIN[example]


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode.by_meaning])
def test_similar_passages_stand_apart(mode: Mode, engine: SearchEngine) -> None:
    result = engine.search(SearchRequest('"notice period"', mode, 30), Stop())
    assert [hit.path.name for hit in result.hits] == ["lease.md"]
    assert {"ending.md", "moving.md"} <= {hit.path.name for hit in result.similar}
    full = engine.search(SearchRequest('"notice period"', mode, 1), Stop())
    assert full.similar == ()  # the list may go on


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode.by_meaning])
def test_excluded_words_are_not_among_the_similar(mode: Mode, engine: SearchEngine) -> None:
    result = engine.search(SearchRequest('"end of tenancy" -parcel', mode, 30), Stop())
    assert result.hits == ()
    assert result.similar
    assert "getting.md" not in {hit.path.name for hit in result.similar}


@pytest.mark.parametrize("query", ['"notices period"', "=NOTICE"])
def test_similar_passages_may_have_a_word_in_another_form(query: str, engine: SearchEngine) -> None:
    similar = engine.search(SearchRequest(query, Mode.SEMANTIC, 30), Stop()).similar
    assert "lease.md" in {hit.path.name for hit in similar if hit.why.by_words}
    assert "ending.md" in {hit.path.name for hit in similar if not hit.why.by_words}


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT])
def test_searches_by_letters_have_nothing_similar(mode: Mode, engine: SearchEngine) -> None:
    assert engine.search(SearchRequest('"notice period"', mode, 30), Stop()).similar == ()
