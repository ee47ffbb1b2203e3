from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Page
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Passage
from desktop_rag.retrieval.reading.find import CONTEXT_LINES, Finder
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold

TEXT = "\n".join(f"line {n}" + (" Zürich" if n in (5, 6, 20, 40) else "") for n in range(1, 51))


def find(text: str, *patterns: str, per_pattern: int = 2, pages: tuple[Page, ...] = ()) -> tuple[Passage, ...]:
    return Finder(ContentId(1), text, pages).find(patterns, per_pattern, Stop())


def test_case_and_accents_do_not_matter() -> None:
    (passage,) = find(TEXT, "ZURICH", per_pattern=1)
    assert passage.first == 5 - CONTEXT_LINES
    assert passage.marks == ((5, 7, 13), (6, 7, 13))


def test_close_matches_share_a_passage_and_passages_are_capped() -> None:
    passages = find(TEXT, "zürich")
    assert [passage.marks[0][0] for passage in passages] == [5, 20]
    assert len(find(TEXT, "zürich", per_pattern=9)) == 3


def test_a_match_may_span_lines() -> None:
    (passage,) = find("one two\nthree four", "TWO  three")
    assert passage.marks == ((1, 4, 7), (2, 0, 5))


def test_equal_patterns_are_deduplicated_and_empty_ones_ignored() -> None:
    assert [passage.pattern for passage in find("a cat", "Cat", "cat", " ", "")] == ["Cat"]


def test_a_pattern_is_not_a_regular_expression() -> None:
    assert find("a.c abc", "a.c")[0].marks == ((1, 0, 3),)


def test_a_passage_has_its_page() -> None:
    pages = (Page(1, 1, 1, 1), Page(2, 20, 1, 1))
    assert [passage.page for passage in find(TEXT, "zürich", pages=pages)] == [1, 2]


@given(st.text("ab \n", max_size=60), st.text("ab ", min_size=1, max_size=3))
def test_every_mark_is_inside_its_passage_and_equals_the_pattern(text: str, pattern: str) -> None:
    lines = text.split("\n")
    for passage in find(text, pattern, per_pattern=99):
        assert passage.lines == tuple(lines[passage.first - 1 : passage.first - 1 + len(passage.lines)])
        for line, start, end in passage.marks:
            assert passage.first <= line < passage.first + len(passage.lines)
            assert " ".join(fold(lines[line - 1][start:end]).split()) in " ".join(fold(pattern).split())


@given(st.text("ab\n", max_size=60), st.text("ab", min_size=1, max_size=3))
def test_every_line_with_the_pattern_is_marked(text: str, pattern: str) -> None:
    marked = {mark[0] for passage in find(text, pattern, per_pattern=99) for mark in passage.marks}
    assert marked == {number for number, line in enumerate(text.split("\n"), start=1) if pattern in line}
