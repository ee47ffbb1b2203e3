"""Property: exactly the characters of the cited lines are shaded."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.gui.viewer.clean.rendered_view import RenderedView
from tests.examples import examples
from tests.gui.viewer.clean.conftest import found, markdown, read

WORDS = (
    "rent",
    "is due",
    "840 euros",
    "**bold** and `code`",
    "[a link](https://a.b) here",
    "ελληνικά",
    "שלום עולם",
    "日本語",
)
PREFIXES = ("", "", "", "# ", "- ", "> ", "1. ", "  ", "| a | ", "```")
MARKDOWN = st.lists(st.tuples(st.sampled_from(PREFIXES), st.sampled_from((*WORDS, ""))), min_size=2, max_size=14).map(
    lambda lines: markdown("\n".join(prefix + words for prefix, words in lines) + "\nend")
)
KINDS = st.sampled_from(
    (LineKind.PARAGRAPH, LineKind.HEADING, LineKind.ITEM, LineKind.ROW, LineKind.CODE, LineKind.FIELD)
)


def _built(lines: list[tuple[LineKind, str]]) -> Document:
    builder = DocumentBuilder("word")
    for kind, words in lines:
        if kind is LineKind.ROW:
            builder.add_row([words, "cell", words])
        else:
            builder.add(Line(words or "x", kind, 1))
    return builder.build()


OFFICE = st.lists(st.tuples(KINDS, st.sampled_from(WORDS)), min_size=2, max_size=14).map(_built)


@pytest.fixture
def view(qtbot: QtBot) -> RenderedView:
    view = RenderedView()
    qtbot.addWidget(view)
    view.resize(420, 1_400)
    view.show()
    return view


def characters(view: RenderedView) -> Iterator[tuple[int, str, QRectF]]:
    """Yield line, character and rectangle of each visible character that is shown as it is in its line."""
    for one in view._flow.visible_blocks():
        for placed in one.laid.placed:
            for piece in placed.strip.pieces:
                for offset in range(piece.shown, piece.shown + piece.length):
                    rects = list(placed.rects(offset, offset + 1))
                    if rects and rects[0].width() > 1:
                        area = rects[0].translated(view._left(), one.y)
                        yield piece.line, placed.strip.text[offset], area


@given(st.one_of(MARKDOWN, OFFICE), st.data())
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_shaded_letters_are_those_of_the_cited_lines(
    view: RenderedView, document: Document, data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, document.line_count))
    last = data.draw(st.integers(first, document.line_count))
    view.begin(found(document, first, last))
    view.show_citation(first, last)
    view.add_lines(read(document))
    areas = view.cited_areas()
    for line, letter, area in characters(view):
        shaded = any(part.contains(area.center()) for part in areas)
        assert shaded == (first <= line <= last), (line, letter)


def test_a_cited_right_to_left_item_is_shaded_beside_other_text(view: RenderedView) -> None:
    document = markdown("rent\n- שלום עולם\nend")
    view.begin(found(document, 1, 2))
    view.show_citation(1, 2)
    view.add_lines(read(document))
    areas = view.cited_areas()
    for line, letter, area in characters(view):
        assert any(part.contains(area.center()) for part in areas) == (line <= 2), (line, letter)
