"""The background jobs of the viewer, without widgets: their events and the order of these."""

import threading
from array import array
from collections.abc import Generator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import LineKind, Page
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.formatting import markdown_quotation, quotation
from desktop_rag.gui.theme.theme_colors import TokenKind
from desktop_rag.gui.viewer.document_loading import find_in, open_target
from desktop_rag.gui.viewer.pages.page_painting import (
    PageGeometry,
    areas_of_lines,
    fit_page,
    fit_text,
    fit_width,
    runs,
    text_edges,
)
from desktop_rag.gui.viewer.text.line_highlights import color_code, color_prose
from desktop_rag.gui.viewer.viewer_events import (
    DocumentFound,
    LinesLoaded,
    LinesTokenized,
    MatchesFound,
    QuoteFound,
    Staleness,
    target_of_citation,
)
from desktop_rag.index.records import DocumentLayout
from desktop_rag.stop import Stop
from desktop_rag.text.locate import mark_quote
from tests.gui.viewer.conftest import cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever


def test_an_excerpt_that_is_cut_at_its_end_says_so(retriever: MemoryRetriever, tmp_path: Path) -> None:
    for name, rest, end in (("long.txt", " circumstances indicate" * 20, "…"), ("short.txt", " the end", "end")):
        file = retriever.add_text(tmp_path / name, f"The carrier{rest}\n")
        (event,) = find_in(file.content, "carrier", retriever, Stop())
        assert isinstance(event, MatchesFound)
        assert event.places[0].words.endswith(end)


def test_the_cited_lines_are_read_first(retriever: MemoryRetriever, lease: MemoryFile) -> None:
    citation = cite(lease, "It is raised once a year,")
    found, quote, head, *rest = open_target(target_of_citation(citation), retriever, Stop())
    assert isinstance(found, DocumentFound)
    assert found.staleness is Staleness.SAME
    assert isinstance(quote, QuoteFound)
    assert quote.marks == ((citation.first_line, 23, 47),)
    assert quote.words == ("It is raised once a year",)
    assert isinstance(head, LinesLoaded)
    assert head.first <= citation.first_line < head.first + len(head.lines)
    assert all(isinstance(event, LinesLoaded) for event in rest)


def test_an_indexed_text_without_a_file_is_gone(retriever: MemoryRetriever, lease: MemoryFile) -> None:
    citation = cite(lease, "It is raised once a year,")
    lease.path = None
    found = next(open_target(target_of_citation(citation), retriever, Stop()))
    assert isinstance(found, DocumentFound)
    assert found.staleness is Staleness.GONE
    assert found.first_line == citation.first_line


def test_another_file_at_the_path_counts_as_changed(retriever: MemoryRetriever, lease: MemoryFile) -> None:
    citation = cite(lease, "It is raised once a year,")
    path, lease.path = lease.path, None
    assert path is not None
    retriever.add_text(path, "Something else entirely.\n")
    found = next(open_target(target_of_citation(citation), retriever, Stop()))
    assert isinstance(found, DocumentFound)
    assert found.staleness is Staleness.CHANGED
    assert found.card is not None
    assert found.card.content != lease.content
    assert found.first_line == 0


def test_a_match_across_a_line_end_is_one_match(retriever: MemoryRetriever, lease: MemoryFile) -> None:
    (event,) = find_in(lease.content, "once a year, but never", retriever, Stop())
    assert isinstance(event, MatchesFound)
    (match,) = event.matches
    assert [line for line, _, _ in match] == [match[0][0], match[0][0] + 1]


@pytest.mark.parametrize(
    ("quote", "marks"),
    [
        ("raised once a year", ((7, 4, 22),)),
        ("RAISED  once\na year!", ((7, 4, 22),)),
        ("a year but never", ((7, 16, 23), (8, 0, 11))),
        ("twice a year", ()),
        ("  ", ()),
    ],
)
def test_a_quote_is_located_despite_white_space_and_line_ends(
    quote: str, marks: tuple[tuple[int, int, int], ...]
) -> None:
    lines = ("is: raised once a year,", "but **never** by more")
    assert mark_quote(quote, dict(enumerate(lines, 7))) == marks


def test_a_string_over_several_lines_is_coloured_on_each() -> None:
    lines = ("x = 1", '"""Say', "", 'it."""', "y = x")
    (colored,) = color_code("a.py", lines, 3, 2, Stop())
    assert colored.first == 3
    assert colored.tokens[0] == ()
    assert colored.tokens[1] == ((0, 6, TokenKind.STRING),)


def test_an_unknown_language_has_no_colours() -> None:
    assert list(color_code("a.unknown-thing", ("words",), 1, 0, Stop())) == []


def test_prose_tokens_follow_the_line_kinds() -> None:
    lines = ("# Title", "- an **item** with `code`", "plain")
    kinds = bytes((LineKind.HEADING, LineKind.ITEM, LineKind.PARAGRAPH))
    assert color_prose(lines, 1, kinds) == LinesTokenized(
        1,
        (
            ((0, 7, TokenKind.HEADING),),
            ((0, 1, TokenKind.MARKER), (5, 13, TokenKind.STRONG), (19, 25, TokenKind.CODE)),
            (),
        ),
    )


def test_pages_are_stacked_and_centred() -> None:
    geometry = PageGeometry([(100, 200), (50, 200)], 2.0, 400)
    first, second = geometry.page(1), geometry.page(2)
    assert first.center().x() == second.center().x() == 200
    assert second.top() > first.bottom()
    assert geometry.page_at(first.center().y()) == 1
    assert geometry.page_at(second.top()) == 2
    assert list(geometry.pages_between(first.top(), second.top() + 1)) == [1, 2]
    assert fit_width([(100, 200)], 232) == 2.0
    assert fit_page((100, 200), 1_000, 224) == 1.0


def test_the_width_that_is_fitted_is_that_of_the_text() -> None:
    boxes = array("f", (150, 10, 400, 20, 100, 24, 500, 34, 0, 0, 0, 0)).tobytes()
    edges = text_edges(DocumentLayout(bytes(3), (), boxes))
    assert edges == (100, 500)
    assert text_edges(DocumentLayout(bytes(1), (), bytes(16))) is None
    a4 = [(600.0, 800.0)] * 2
    assert fit_text(a4, edges, 428) == 1.0 > fit_width(a4, 428)
    assert fit_text(a4, (290, 310), 428) == 1.5, "a narrow text is not blown up"
    assert fit_text([*a4, (900.0, 600.0)], edges, 428) == fit_width([*a4, (900.0, 600.0)], 428)


def test_marks_of_neighbouring_lines_touch_and_others_do_not() -> None:
    boxes = array("f", (10, 10, 90, 20, 10, 24, 70, 34, 0, 0, 0, 0, 10, 80, 90, 90))
    layout = DocumentLayout(bytes(4), (Page(1, 1, 100, 100),), boxes.tobytes())
    areas = areas_of_lines(layout, 1, 4)[1]
    assert len(areas) == 3
    assert areas[0].bottom() == areas[1].top()
    assert len(runs(areas)) == 2


def test_a_quotation_names_title_file_and_place() -> None:
    text = quotation(" The rent. ", "Lease", "/home/ada/lease.pdf", 3, 12, 14)
    assert text == "“The rent.”\n— Lease (lease.pdf), page 3, lines 12–14\n/home/ada/lease.pdf"
    path = str(Path("a") / "b.txt")
    assert quotation("x", "", path, None, 1, 1) == f"“x”\n— b.txt, line 1\n{path}"


def test_a_quotation_in_markdown_is_a_block_of_its_own() -> None:
    text = markdown_quotation("The rent.\n\nIt is paid.", "Lease", "/home/ada/lease.pdf", 3, 12, 14)
    assert text.split("\n") == [
        "> The rent.",
        ">",
        "> It is paid.",
        ">",
        "> — **Lease (lease.pdf)**, page 3, lines 12–14  ",
        "> [lease.pdf#L12-L14](desktop-rag://open?file=/home/ada/lease.pdf&line=12-14&words=The%20rent.%20It%20is%20paid.)",
    ]


def test_events_of_an_older_job_are_dropped(qapp: QObject, qtbot: QtBot) -> None:
    begun = threading.Event()
    heard: list[str] = []
    asker: LatestOnlyWorker[str] = LatestOnlyWorker("test", heard.append)

    def old(stop: Stop) -> Generator[str]:
        yield "old, in time"
        begun.set()
        assert stop.wait(30)
        yield "old, too late"

    def new(stop: Stop) -> Generator[str]:
        yield "new"

    asker.ask(old)
    qtbot.waitUntil(begun.is_set)
    qtbot.waitUntil(lambda: bool(heard))
    with qtbot.waitSignal(asker.finished):
        asker.ask(new)
    asker.close()
    assert heard == ["old, in time", "new"]
