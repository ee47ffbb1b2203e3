"""TeX becomes text that people can read where no formula is drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.text.readable_math import readable_math


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"E = mc^2", "E = mc²"),
        (r"\frac{a+b}{2}", "(a+b)/2"),
        (r"\sqrt{a^2 + b^2}", "√(a² + b²)"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"x_{n+1} \le \alpha \cdot x_n", "xₙ₊₁ ≤ α · xₙ"),
        (r"\sum_{i=1}^{n} i", "∑ᵢ₌₁ⁿ i"),
        (r"\left(\frac{1}{2}\right)^{kT}", "(1/2)^kT"),
        (r"\text{rate} = 3.5\,\%", "rate = 3.5 %"),
        (r"\{a, b\}", "{a, b}"),
        (r"90^\circ", "90°"),
        (r"\sin x", "sin x"),
        (r"\Lambda", "Λ"),
    ],
)
def test_formulas_are_readable(tex: str, text: str) -> None:
    assert readable_math(tex) == text


@given(st.lists(st.sampled_from([*r"ab1 \{}^_$()[]", r"\frac", r"\sqrt", r"\le"])).map("".join))
def test_anything_becomes_one_line_without_commands(tex: str) -> None:
    shown = readable_math(tex)
    assert "\n" not in shown
    assert "\\" not in shown
