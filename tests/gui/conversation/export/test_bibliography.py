"""BibTeX, RIS and CSL-JSON as programs for references read them, with hostile titles.

Their readers are installed for a job of CI alone (`packaging/requirements-adapters.txt`).
"""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.gui.conversation.export.exported_conversation import (
    CitedWork,
    ExportedConversation,
    as_bibtex,
    as_csl_json,
    as_ris,
    cited_work,
    copied_work,
)
from desktop_rag.text.display import one_line
from tests.examples import examples
from tests.gui.conversation.conftest import citation

some = settings(max_examples=examples(100))
PLAIN = CitedWork("lease", "lease.pdf", "Lease", "/lease.pdf", "Ada Byron; Émile Zola", "2024", "pdf", "ab" * 32)
HOSTILE = (
    "Rent {100 %} & more",
    "}, author = {Mallory}, title = {x",
    "a\nER  - \nTY  - BOOK\nTI  - b",
    "TI  - x",
    "\\input{/etc/passwd} $x^2$ ~ # _",
    'a"b\\"c\u2028d\x00',
    "@misc{other, title = {y}}",
    "<b>bold</b> <script>alert(1)</script>",
)
TITLES = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=60).filter(lambda text: bool(one_line(text))))


def exported(*works: CitedWork) -> ExportedConversation:
    return ExportedConversation("", (), works)


def works(title: str) -> tuple[CitedWork, CitedWork]:
    return replace(PLAIN, title=title, name=title, path=f"/{title}"), replace(PLAIN, key="other")


def bibtex_entries(text: str) -> list[str]:
    """Split BibTeX as the program itself does: it counts every brace, also an escaped one."""
    entries, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char == "@" and not depth:
            start = place
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
        if char == "}" and not depth:
            entries.append(text[start : place + 1])
    assert not depth
    return entries


@some
@given(title=TITLES)
def test_no_title_ends_its_field(title: str) -> None:
    first, second = bibtex_entries(as_bibtex(exported(*works(title))))
    assert (first[:12], second[:12]) == ("@misc{lease,", "@misc{other,")
    assert first.count("\n  author = {Ada Byron and Émile Zola},\n") == 1
    assert second.endswith("},\n}")


@some
@given(title=TITLES)
def test_bibtex_is_read_back(title: str) -> None:
    bibtexparser = pytest.importorskip("bibtexparser", reason="bibtexparser is optional")
    read = bibtexparser.parse_string(as_bibtex(exported(*works(title))))
    assert not read.failed_blocks
    assert [entry.key for entry in read.entries] == ["lease", "other"]
    first, second = ({field.key: field.value for field in entry.fields} for entry in read.entries)
    assert set(first) | {"file"} == set(second) == {"title", "author", "year", "howpublished", "url", "file"}
    assert first["author"] == second["author"] == "Ada Byron and Émile Zola"
    assert second["title"] == "Lease"


@some
@given(title=TITLES)
def test_ris_is_read_back(title: str) -> None:
    rispy = pytest.importorskip("rispy", reason="rispy is optional")
    first, second = rispy.loads(as_ris(exported(*works(title))))
    assert (first["title"].strip(), second["title"]) == (one_line(title).strip(), "Lease")
    assert first["authors"] == second["authors"] == ["Ada Byron", "Émile Zola"]
    assert (first["type_of_reference"], first["id"], first["year"]) == ("GEN", "lease", "2024")


@some
@given(title=TITLES)
def test_csl_json_is_cited(title: str) -> None:
    citeproc_json = pytest.importorskip("citeproc.source.json", reason="citeproc-py is optional")
    text = as_csl_json(exported(*works(title)))
    read = citeproc_json.CiteProcJSON(json.loads(text))
    assert set(read) == {"lease", "other"}
    assert json.loads(text)[0]["title"] == title
    assert read["lease"]["issued"]["year"] == 2024
    assert [str(name.literal) for name in read["other"]["author"]] == ["Ada Byron", "Émile Zola"]


@pytest.mark.parametrize(
    ("written", "authors"),
    [
        ("Smith & Sons GmbH", ["{Smith \\& Sons GmbH}"]),
        ("Department of Health and Human Services", ["{Department of Health and Human Services}"]),
        ("Jane Doe, John Smith", ["Jane Doe", "John Smith"]),
        ("Jane Doe, John Smith, and Ann Lee", ["Jane Doe", "John Smith", "Ann Lee"]),
        ("Doe, Jane; Smith, John", ["Doe, Jane", "Smith, John"]),
        ("Doe, Jane and Smith, John", ["Doe, Jane", "Smith, John"]),
        ("Jane Doe, Ph. D", ["Jane Doe, Ph. D"]),
        ("Jane Doe <jane@example.org>", ["Jane Doe"]),
        ('"Doe, Jane" <jane@example.org>', ["Doe, Jane"]),
        ("<jane@example.org>", ["<jane@example.org>"]),
        ("Jane Doe & Bank of Examples", ["{Jane Doe \\& Bank of Examples}"]),
    ],
)
def test_authors_are_divided_and_organisations_stay_whole(written: str, authors: list[str]) -> None:
    text = as_bibtex(exported(replace(PLAIN, author=written)))
    assert f"  author = {{{' and '.join(authors)}}},\n" in text
    assert as_ris(exported(replace(PLAIN, author=written))).count("AU  - ") == len(authors)


def test_keys_of_titles_without_letters_of_ascii_differ() -> None:
    titled = [replace(citation(1), title=title, sha256=digit * 64) for title, digit in (("契約", "1"), ("領収書", "2"))]
    assert [cited_work(each, None).key for each in titled] == ["document-11111111", "document-22222222"]
    alike = [copied_work(replace(citation(1), sha256=digit * 64), None) for digit in "12"]
    assert [each.key for each in alike] == ["lease-agreement-111111", "lease-agreement-222222"]
    assert alike[0].place == "p. 3, lines 11–14"
    assert "note = {p. 3, lines 11–14}" in as_bibtex(exported(alike[0]))
    assert "N1  - p. 3, lines 11–14" in as_ris(exported(alike[0]))
    assert json.loads(as_csl_json(exported(alike[0])))[0]["note"].endswith(", p. 3, lines 11–14")
