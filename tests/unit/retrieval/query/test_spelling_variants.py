import pytest

from desktop_rag.retrieval.query.to_index import spelling_variants
from desktop_rag.retrieval.query.tokenizer import is_code, is_number


@pytest.mark.parametrize("number", ["1,234.5", "1.234,5", "1234.5", "1234,5", "1'234.5"])
def test_digit_grouping_does_not_matter(number: str) -> None:
    assert is_number(number)
    assert spelling_variants(number) == [("1234", "5"), ("1", "234", "5")]


def test_plain_words_have_no_variants() -> None:
    for word in ("rent", "12", "1,23", "co-op", "10.0.0.1", "1,2,3"):
        assert spelling_variants(word) == []


def test_an_identifier_is_also_split_into_its_parts() -> None:
    assert spelling_variants("parseHttpRequest") == [("parse", "http", "request")]


@pytest.mark.parametrize(
    ("word", "code"),
    [("a@b.de", True), ("AB-1234/5", True), ("snake_case", True), ("IL-6", True), ("co-op", False), ("2024", False)],
)
def test_codes_are_distinguished_from_compounds(word: str, code: bool) -> None:
    assert is_code(word) == code


def test_a_short_number_with_decimals_has_one_spelling() -> None:
    assert is_number("64.90")
    assert spelling_variants("64.90") == []
