import pytest

from desktop_rag.agent.extractive.words import base


@pytest.mark.parametrize(
    "forms", [("write", "wrote", "written", "writing"), ("pay", "paid", "pays"), ("child", "children"), ("four", "4")]
)
def test_forms_of_one_word_are_compared_as_one(forms: tuple[str, ...]) -> None:
    assert len({base(form) for form in forms}) == 1


def test_different_words_stay_different() -> None:
    assert len({base(word) for word in ("right", "write", "rite", "house", "home")}) == 5
