from decimal import Decimal

import pytest

from desktop_rag.text.figure_names import spelled_numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-five thousand", "25000"),
        ("one hundred and fifty", "150"),
        ("five hundred and twenty-one thousand two hundred and six", "521206"),
        ("a hundred and one", "101"),
        ("a dozen", "12"),
        ("two and a half", "2.5"),
        ("zweieinhalb", "2.5"),
        ("dreihundertfünfzig", "350"),
        ("fünfundzwanzigtausend", "25000"),
        ("vingt-cinq mille", "25000"),
        ("quatre-vingt-dix-sept", "97"),
        ("soixante et onze", "71"),
        ("treinta y cinco mil", "35000"),
        ("dos mil quinientos", "2500"),
        ("三十五", "35"),
        ("两百", "200"),
    ],
)
def test_a_number_in_words_is_read_as_a_whole(text: str, value: str) -> None:
    assert [number.value for number in spelled_numbers(f"They are {text}.")] == [Decimal(value)]


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("half of them", (1, 2)),
        ("a third of it", (1, 3)),
        ("two-thirds majority", (2, 3)),
        ("three quarters", (3, 4)),
        ("one in four", (1, 4)),
        ("die Hälfte", (1, 2)),
        ("zwei Drittel", (2, 3)),
        ("trois quarts", (3, 4)),
        ("dos tercios", (2, 3)),
    ],
)
def test_a_fraction_in_words_is_read(text: str, fraction: tuple[int, int]) -> None:
    assert [number.fraction for number in spelled_numbers(text)] == [fraction]


@pytest.mark.parametrize("text", ["a third party", "the third quarter", "second half", "of course", "per se", ""])
def test_no_fraction_is_read_into_other_words(text: str) -> None:
    assert not any(number.fraction for number in spelled_numbers(text))


def test_neighbours_that_make_no_number_stay_apart() -> None:
    assert [number.value for number in spelled_numbers("six five, ten and four")] == [6, 5, 10, 4]
