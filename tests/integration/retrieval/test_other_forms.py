"""Codes, wrapped words and letters of other keyboards are found, marked, and shown at their line and page."""

import os

import pymupdf
import pytest

from tests.integration.retrieval.conftest import Ask, SmallLibrary

TEXTS = {
    "codes.txt": (
        "The firmware is in C++.\nContact +358 40 123 4567 about the invoice.\nThe part is 6178-4B40-40B2.\n"
        "The amount is 12'500 francs.\nISBN 978-3-16-148410-0, IBAN FI21 1234 5600 0007 85.\nVersion v2.10.3-rc1.\n"
    ),
    "joined.txt": "The stock number 61999B4040C7 is written without signs.\n",
    "plain.txt": "Account DE89370400440532013000, phone +493012345678, 78500 francs, card 4111111111111111.\n",
    "hyphens.txt": "The selfemployed skipper knows the op\u00ad\nerational rules.\n",
    "wrapped.txt": "We met near the river bank at the inter-\nnational airport of Oslo.\n",
    "lease.txt": "租赁合同规定押金为三个月租金，违约金按日计\n算。\n",
    "halves.txt": "They bought twenty-\u2060five boats in a long\u2060term plan.\n",
    "notes.txt": "The deposit is 7320¹ euros, the span 1987¹⁴ by monks and the load 10⁹ tonnes.\n",
    "library.txt": "علي يملك كتابا في المكتبة.\n",
}


@pytest.fixture(autouse=True)
def filled(library: SmallLibrary) -> None:
    library.add(TEXTS, root="forms")


@pytest.mark.parametrize(
    ("query", "file", "marked"),
    [
        ("9783161484100", "codes.txt", "978-3-16-148410-0"),
        ("FI2112345600000785", "codes.txt", "FI21 1234 5600 0007 85"),
        ("358401234567", "codes.txt", "358 40 123 4567"),
        ("61784B4040B2", "codes.txt", "6178-4B40-40B2"),
        ("12500", "codes.txt", "12'500"),
        ("2.10.3", "codes.txt", "2.10.3"),
        ("6199-9B40-40C7", "joined.txt", "61999B4040C7"),
        ("DE89 3704 0044 0532 0130 00", "plain.txt", "DE89370400440532013000"),
        ("+49 (0)30 12345678", "plain.txt", "493012345678"),
        ("78 500", "plain.txt", "78500"),
        ("4111 1111 1111 1111", "plain.txt", "4111111111111111"),
        ("self-employed", "hyphens.txt", "selfemployed"),
        ("operational", "hyphens.txt", "op\u00ad erational"),
        ("international", "wrapped.txt", "inter- national"),
        ("twenty-five", "halves.txt", "twenty"),
        ("twentyfive", "halves.txt", "twenty-\u2060five"),
        ("longterm", "halves.txt", "long\u2060term"),
        ("term", "halves.txt", "term"),
        ("按日计算", "lease.txt", "按日计 算"),
        ('"7320 euros"', "notes.txt", "7320¹ euros"),
        ('"1987¹⁴ by monks"', "notes.txt", "1987¹⁴ by monks"),
        ('"10⁹ tonnes"', "notes.txt", "10⁹ tonnes"),
        ("علی", "library.txt", "علي"),
    ],
)
def test_it_is_found_and_marked(ask: Ask, query: str, file: str, marked: str) -> None:
    hit = ask(query).hits[0]
    assert hit.path.name == file
    assert marked in [hit.snippet.text[start:end] for start, end in hit.snippet.marks]


def test_a_hit_is_under_the_heading_of_its_line(library: SmallLibrary, ask: Ask) -> None:
    parts = ("# Northwind", "Intro.", "## Budget", "The catamaran is dear.", "### Later", "Sold.", "## Risks ##")
    library.add({"plan.md": "\n\n".join((*parts, "The jetty sinks."))}, root="plan")
    found = {word: ask(word).hits[0].heading for word in ("intro", "catamaran", "sold", "jetty")}
    assert found == {
        "intro": "Northwind",
        "catamaran": "Northwind › Budget",
        "sold": "Northwind › Budget › Later",
        "jetty": "Northwind › Risks",
    }


def test_a_hit_is_on_the_page_of_the_word(library: SmallLibrary, ask: Ask) -> None:
    document = pymupdf.open()
    for number, text in enumerate(("The crane takes 12 tonnes.", "Call the office.", "The policy covers storms."), 1):
        document.new_page().insert_text((72, 100), [f"Slide {number}", text])
    path = library.files / "forms" / "slides.pdf"
    path.write_bytes(document.tobytes())
    folder = library.catalog.folders.add(os.fsencode(path.parent), is_file=False)
    library.put(folder, path.name, path)
    library.commit()
    assert [hit.page for hit in ask("policy").hits] == [3]
