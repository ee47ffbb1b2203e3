"""Words are found among the glyphs of a page, also where the page breaks them at the end of a line."""

import pytest
from PySide6.QtCore import QRectF

from desktop_rag.gui.viewer.pages.glyph_layout import GlyphLayout, GlyphRun


def _page(*lines: str) -> GlyphLayout:
    """Return a page with glyphs of 10 × 10 points, one run per line."""
    runs = []
    for number, text in enumerate(lines):
        boxes = tuple(QRectF(10 * at, 20 * number, 10, 10) for at in range(len(text)))
        runs.append(GlyphRun(text, boxes, QRectF(0, 20 * number, 10 * len(text), 10), number + 1))
    return GlyphLayout(runs)


def _places(areas: tuple[QRectF, ...]) -> list[tuple[int, int, int]]:
    """Return line (from 1), first glyph and number of glyphs of each area."""
    return [(round(a.top()) // 20 + 1, round(a.left()) // 10, round(a.width()) // 10) for a in areas]


def test_words_of_a_line_are_found_near_their_place() -> None:
    page = _page("rent and rent again")
    assert _places(page.areas_in_line(1, 9, 13, "Rent")) == [(1, 9, 4)]


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u00ad"])
@pytest.mark.parametrize(("line", "start"), [(1, 4), (2, 0)])  # the catalog may join the word in either line
def test_a_hyphenated_word_is_marked_in_both_lines(hyphen: str, line: int, start: int) -> None:
    page = _page(f"The con{hyphen} ", "tract ends in May")
    assert _places(page.areas_in_line(line, start, start + 8, "contract")) == [(1, 4, 4), (2, 0, 5)]


def test_a_compound_broken_at_its_hyphen_is_marked() -> None:
    page = _page("a half-", "time job")
    assert _places(page.areas_in_line(1, 2, 11, "half-time")) == [(1, 2, 5), (2, 0, 4)]


@pytest.mark.parametrize("words", ["contrast", "tract", "ends contract"])
def test_other_words_are_not_marked(words: str) -> None:
    page = _page("The con-", "tract ends in May")
    assert page.areas_in_line(1, 4, 4 + len(words), words) == ()
