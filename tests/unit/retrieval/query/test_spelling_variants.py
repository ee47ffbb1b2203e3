import pytest

from desktop_rag.retrieval.query.spelling_variants import is_code, is_number, other_ways


@pytest.mark.parametrize("number", ["1,234.5", "1.234,5", "1234.5", "1234,5", "1'234.5"])
def test_a_number_is_the_same_however_its_digits_are_grouped(number: str) -> None:
    assert is_number(number)
    assert other_ways(number) == [("1234", "5"), ("1", "234", "5")]


def test_other_words_have_no_other_way() -> None:
    for word in ("rent", "12", "1,23", "co-op", "10.0.0.1", "1,2,3"):
        assert other_ways(word) == []


def test_the_name_of_a_program_is_also_its_parts() -> None:
    assert other_ways("parseHttpRequest") == [("parse", "http", "request")]


@pytest.mark.parametrize(
    ("word", "code"),
    [("a@b.de", True), ("AB-1234/5", True), ("snake_case", True), ("IL-6", True), ("co-op", False), ("2024", False)],
)
def test_codes_are_told_from_compounds(word: str, code: bool) -> None:
    assert is_code(word) == code
