import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.text.figure_names import header_scales
from desktop_rag.text.figures import read_figures


def _values(text: str) -> list[str]:
    return [str(value) for figure in read_figures(text).figures for value in figure.values]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("328.1", ["328.1"]),
        ("1,234,567", ["1234567"]),
        ("1.234.567,5", ["1234567.5"]),
        ("12,34,567", ["1234567"]),
        ("1.234", ["1.234", "1234"]),
        ("Der Umsatz der Firma stieg auf 1.234 und die Kosten sanken.", ["1234"]),
        ("The revenue of the company rose to 1.234 and its costs fell.", ["1.234"]),
        ("12,5 und 1.234", ["12.5", "1234"]),
        ("12.5 and 1,234", ["12.5", "1234"]),
        ("0,125", ["0.125"]),
        ("1,2,3", ["1", "2", "3"]),
        ("2½", ["2.5"]),
        ("[1] growth¹", ["1"]),
    ],
)
def test_a_separator_groups_digits_in_threes(text: str, values: list[str]) -> None:
    assert _values(text) == values


@pytest.mark.parametrize(
    "name",
    ["SST-2", "GLM-130B", "COVID-19", "10-K", "F-16", "8-K", "GPT-3.5", "B12", "+49 30 1234567", "192.168.0.1", "5G"],
)
def test_a_name_with_digits_is_no_number(name: str) -> None:
    assert [figure.name for figure in read_figures(f"as in {name} here").figures] == [name]


@pytest.mark.parametrize("text", ["5kg", "1.2k", "3rd", "12-month", "20-year-old", "mid-2021", "EUR12.5", "7B"])
def test_letters_of_a_unit_make_no_name(text: str) -> None:
    (figure,) = read_figures(f"a {text} thing").figures
    assert figure.values
    assert not figure.name


def test_a_page_number_is_no_figure() -> None:
    assert read_figures("on page 12, lines 5-7").figures == ()


@pytest.mark.parametrize(
    ("header", "scale"),
    [
        ("(in thousands)", 10**3),
        ("(Dollars in millions, except per share data)", 10**6),
        ("In millions 2019 2018", 10**6),
        ("Amounts in U.S. dollars, in thousands", 10**3),
        ("in Mio. EUR", 10**6),
        ("TEUR", 10**3),
        ("£'000", 10**3),
        ("€m", 10**6),
        ("en millions d'euros", 10**6),
        ("(₹ in crore)", 10**7),
    ],
)
def test_a_header_declares_its_scale(header: str, scale: int) -> None:
    assert header_scales(header) == {scale}


@pytest.mark.parametrize(
    "text", ["It cost $5 million.", "thousands of people came", "in 2,000 homes", "one in a million"]
)
def test_prose_declares_no_scale(text: str) -> None:
    assert not header_scales(text)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    read = read_figures(text)
    assert all(0 <= figure.start <= figure.end <= len(read.plain) for figure in read.figures)


def test_a_percentage_in_brackets_keeps_its_unit() -> None:
    [share] = [figure for figure in read_figures("Found in most samples (67%).").figures if figure.digits]
    assert share.kinds == {"%"}


def test_a_figure_with_a_sign_before_it_leaves_the_next_sign_to_the_next_figure() -> None:
    assert [figure.text for figure in read_figures("Net sales $ 3,226.8 $ 2,729.4").figures] == [
        "$ 3,226.8",
        "$ 2,729.4",
    ]
