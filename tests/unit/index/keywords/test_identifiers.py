import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.identifiers import identifier_parts, indexed_terms


def words(text: str) -> list[str]:
    return [part.text for part in identifier_parts(text)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("parseHttpRequest", ["parse", "http", "request"]),
        ("HTTPServerError", ["http", "server", "error"]),
        ("getURL", ["get", "url"]),
        ("parseX509Cert", ["parse", "x", "509", "cert"]),
        ("my.parseRequest(x)", ["parse", "request"]),
        ("mRNA", []),
        ("iPhone", []),
        ("LaTeX", []),
        ("Hello", []),
        ("USA", []),
        ("aGVsbG8gd29ybGQaGVsbG8", []),
        ("x" * 200 + "Y" + "z" * 200, []),
    ],
)
def test_identifiers_are_split(name: str, found: list[str]) -> None:
    assert words(name) == found


def test_a_part_has_its_offsets() -> None:
    text = "see parseRequest"
    assert [text[part.start : part.end] for part in identifier_parts(text)] == ["parse", "Request"]


def test_no_phrase_matches_across_identifier_parts() -> None:
    places = {term.text: term.position for term in indexed_terms("getFoo barBaz end")}
    assert places["foo"] == places["get"] + 1
    assert places["bar"] > places["foo"] + 1
    assert places["get"] > places["end"] + 1


@given(st.text("aBcD eF_1.é京", max_size=40))
def test_terms_of_the_text_are_unchanged(text: str) -> None:
    whole = list(terms(text))
    assert list(indexed_terms(text))[: len(whole)] == whole
