import pytest

from desktop_rag.agent.extractive.content_words import base, stems


@pytest.mark.parametrize(
    "forms",
    [
        ("write", "wrote", "written", "writing"),
        ("pay", "paid", "pays"),
        ("child", "children"),
        ("four", "4"),
        ("tenth", "10th"),
    ],
)
def test_inflected_forms_have_the_same_base(forms: tuple[str, ...]) -> None:
    assert len({base(form) for form in forms}) == 1


def test_different_words_stay_different() -> None:
    assert len({base(word) for word in ("right", "write", "rite", "house", "home")}) == 5


def test_a_date_in_digits_is_a_date_in_words() -> None:
    assert set(stems("2 March 2026")) <= set(stems("2026-03-02,A,larch"))
    assert stems("05 March") == stems("5 March")
