import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.tools.arguments import ArgumentError, choice, integer, parse_arguments, strings


@pytest.mark.parametrize("text", ["", "  ", "null", "{}"])
def test_empty_arguments_are_an_empty_object(text: str) -> None:
    assert parse_arguments(text, ("queries",)) == {}


@pytest.mark.parametrize("text", ['{"queries": [', "{'queries': 1}", "queries=rent", "[" * 5000])
def test_invalid_json_is_an_error(text: str) -> None:
    with pytest.raises(ArgumentError, match="not valid JSON"):
        parse_arguments(text, ("queries",))


def test_huge_arguments_are_rejected() -> None:
    with pytest.raises(ArgumentError, match="too long"):
        parse_arguments('{"queries": ["' + "a" * 50_000 + '"]}', ("queries",))


def test_an_object_inside_a_string_is_unpacked() -> None:
    assert parse_arguments('"{\\"queries\\": \\"rent\\"}"', ("queries",)) == {"queries": "rent"}


def test_a_bare_value_is_the_first_parameter() -> None:
    assert parse_arguments('["rent"]', ("queries",)) == {"queries": ["rent"]}
    assert parse_arguments('"rent"', ("queries",)) == {"queries": "rent"}


@pytest.mark.parametrize(
    "value", ["rent", ["rent"], '["rent"]', [" rent ", "rent"], [{"query": "rent"}], ["rent", None, "", {"n": 1}]]
)
def test_one_text_or_a_list_of_them_is_read_alike(value: object) -> None:
    assert strings({"queries": value}, ("queries",), 5) == ("rent",)


def test_other_names_of_a_parameter_are_understood() -> None:
    assert strings({"query": "rent"}, ("queries", "query"), 5) == ("rent",)


def test_more_texts_than_allowed_are_left_out() -> None:
    assert strings({"queries": [str(n) for n in range(200)]}, ("queries",), 5) == ("0", "1", "2", "3", "4")


@pytest.mark.parametrize("value", [None, [], "", {}, [[]], True])
def test_a_missing_list_names_itself(value: object) -> None:
    with pytest.raises(ArgumentError, match='"queries" is missing'):
        strings({"queries": value}, ("queries",), 5)


def test_a_text_with_half_a_character_becomes_valid() -> None:
    assert strings({"queries": "\ud800rent"}, ("queries",), 5) == ("�rent",)


@pytest.mark.parametrize(
    ("value", "number"), [(3, 3), ("3", 3), (" L3 ", 3), (3.0, 3), (None, 7), ("", 7), (-4, 1), (10**30, 9)]
)
def test_a_number_is_coerced_and_kept_in_range(value: object, number: int) -> None:
    assert integer({"line": value}, ("line",), 7, 1, 9) == number


@pytest.mark.parametrize("value", ["three", "+-3", 2.5, [3], float("nan"), float("inf"), "9" * 5000])
def test_a_non_number_is_an_error(value: object) -> None:
    with pytest.raises(ArgumentError, match="whole number"):
        integer({"line": value}, ("line",), 7, 1, 9)


def test_a_choice_ignores_case_and_names_what_is_allowed() -> None:
    assert choice({"mode": "Exact"}, ("mode",), ("exact", "hybrid"), "hybrid") == "exact"
    assert choice({}, ("mode",), ("exact", "hybrid"), "hybrid") == "hybrid"
    with pytest.raises(ArgumentError, match="exact, hybrid"):
        choice({"mode": "fuzzy"}, ("mode",), ("exact", "hybrid"), "hybrid")


@given(st.text(max_size=200))
def test_no_text_ever_raises_anything_else(text: str) -> None:
    try:
        arguments = parse_arguments(text, ("queries",))
        strings(arguments, ("queries",), 5)
        integer(arguments, ("line",), 1, 1, 9)
    except ArgumentError:
        pass


def test_what_is_missing_is_described_in_its_shape() -> None:
    with pytest.raises(ArgumentError, match=r'"question" is missing: send a text, such as {"question": "…"}'):
        strings({}, ("question",), 1)
    with pytest.raises(ArgumentError, match=r'send a list of texts, such as {"queries": \["…"\]}'):
        strings({"queries": []}, ("queries",), 5)
