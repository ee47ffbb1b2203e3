"""Which tags of a document count as one that is wanted."""

import pytest

from desktop_rag.text.normalize import has_tag


@pytest.mark.parametrize(
    ("tag", "wanted", "expected"),
    [
        ("Diary", "diary", True),
        ("diary", "#Diary", True),
        ("people/ines", "people", True),
        ("people", "people/ines", False),
        ("diaries", "diary", False),
        ("Müll", "mull", True),
        ("Tagebuch 2026", "tagebuch*", True),
        ("a.b", "a?b", True),
        ("axb", "a.b", False),
    ],
)
def test_a_tag_is_wanted_whole_or_from_above(tag: str, wanted: str, *, expected: bool) -> None:
    assert has_tag(("other", tag), ("none", wanted)) is expected
    assert not has_tag((tag,), ())
