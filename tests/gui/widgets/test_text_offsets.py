"""Highlights lie on their words, whatever characters come before them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.snippet_text import shown_quote, shown_snippet
from desktop_rag.gui.viewer.clean.composing import Strip
from desktop_rag.gui.viewer.clean.typesetting import PlacedStrip
from desktop_rag.gui.viewer.text.line_editor import LineEditor
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt, to_qt

TEXTS = st.text(st.sampled_from("ab é漢😀🇩👩\u200d𝔘 "), min_size=1, max_size=24)


@given(TEXTS, st.data())
def test_both_ways_of_counting_name_the_same_characters(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    units = text.encode("utf-16-le")
    assert units[2 * to_qt(text, start) : 2 * to_qt(text, end)].decode("utf-16-le") == text[start:end]
    assert from_qt(text, to_qt(text, start)) == start
    formatted = format_range(text, start, end, QTextCharFormat())
    assert formatted.start + formatted.length == to_qt(text, end)


@given(TEXTS, st.data())
def test_a_text_view_selects_the_marked_words(qapp: QApplication, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    editor = LineEditor()
    editor.set_lines(1, [text])
    assert editor.cursor_over(1, start, end).selectedText().replace("\u2029", "\n") == text[start:end]
    editor.deleteLater()


@pytest.mark.parametrize("before", ["", "😀😀😀 ", "👩\u200d👧 😀 "])
def test_a_laid_out_page_marks_the_word_after_an_emoji(qapp: QApplication, before: str) -> None:
    text = f"{before}rent"
    layout = QTextLayout(text)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1000)
    layout.endLayout()
    placed = PlacedStrip(Strip(text), layout, 0.0, 0.0, 1000.0, 20.0)
    (rect,) = placed.rects(len(before), len(text))
    assert rect.right() == pytest.approx(line.naturalTextWidth(), abs=2)
    assert placed.offset_at(rect.center()) in range(len(before), len(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("## 4. Ending the lease early", "4. Ending the lease early"),
        ("see [the act](https://a.b/c) and `code` of ~~old~~ *new* _it_", "see the act and code of old new it"),
        ("2 * 3 = 6 and snake_case_name", "2 * 3 = 6 and snake_case_name"),
        ("> quoted **words**", "quoted words"),
        ("a\x07bell\x00 and \u202ereversed", "abell and reversed"),
    ],
)
def test_markdown_and_control_characters_are_not_shown(text: str, shown: str) -> None:
    assert shown_quote(text, "markdown") == shown


def test_other_formats_keep_their_signs_and_lose_their_controls() -> None:
    assert shown_quote("a * b\x07 # c", "text") == "a * b # c"


@given(st.text(st.sampled_from("rent \x07*`#😀[]()"), max_size=40))
def test_marks_stay_on_their_words_whatever_is_left_out(text: str) -> None:
    places = tuple((at, at + 4) for at in range(len(text)) if text.startswith("rent", at))
    shown, marks = shown_snippet(text, places, "markdown")
    assert [shown[start:end] for start, end in marks] == ["rent"] * len(places)
    assert "\ufffd" not in shown


def test_a_control_character_is_not_shown_within_a_mark_either() -> None:
    text = "the re\x07nt is"
    shown, marks = shown_snippet(text, ((4, 9),), "text")
    assert shown == "the rent is"
    assert [shown[start:end] for start, end in marks] == ["rent"]
