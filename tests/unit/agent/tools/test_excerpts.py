from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.tools.a_rag_tools import MAX_SENTENCE, of_span, with_keywords
from desktop_rag.documents.document import Span
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import ChunkText


def chunk(text: str, first_line: int = 1, start: int = 0) -> ChunkText:
    lines = tuple(text.split("\n"))
    span = Span(first_line, first_line + len(lines) - 1, start, start + len(text))
    return ChunkText(ChunkId(1), ContentId(1), 1, 1, span, "", None, lines)


TEXT = "Rent is due monthly. Pets are allowed.\nThe deposit is 900 euros. Late rent costs 15 euros."


def test_only_sentences_with_a_keyword_are_shown_and_gaps_are_marked() -> None:
    excerpt = with_keywords(chunk(TEXT), ["RENT"])
    assert excerpt.text == "Rent is due monthly. ... Late rent costs 15 euros."
    assert [(run.first_line, run.lines) for run in excerpt.runs] == [
        (1, ("Rent is due monthly.",)),
        (2, ("Late rent costs 15 euros.",)),
    ]


def test_omitted_text_at_the_ends_is_marked() -> None:
    assert with_keywords(chunk(TEXT), ["pets"]).text == "... Pets are allowed. ..."


def test_sentences_in_a_row_are_one_run_over_lines() -> None:
    excerpt = with_keywords(chunk(TEXT, first_line=7), ["pets", "deposit"])
    assert excerpt.text == "... Pets are allowed. The deposit is 900 euros. ..."
    assert [(run.first_line, run.lines) for run in excerpt.runs] == [
        (7, ("Pets are allowed.", "The deposit is 900 euros."))
    ]


def test_a_keyword_may_be_inside_a_word_and_span_lines() -> None:
    text = "The landlords\nagent keeps the keys. Nothing else."
    assert with_keywords(chunk(text), ["lords agent"]).text == "The landlords agent keeps the keys. ..."


def test_a_keyword_in_no_single_sentence_leaves_the_marks() -> None:
    excerpt = with_keywords(chunk(TEXT), ["monthly. Pets"])
    assert (excerpt.text, excerpt.runs) == ("...", ())


def test_an_endless_sentence_is_cut_around_the_keyword() -> None:
    excerpt = with_keywords(chunk("word " * 400 + "needle " + "word " * 400), ["needle"])
    assert "needle" in excerpt.text
    assert len(excerpt.text) < MAX_SENTENCE + 20
    assert excerpt.text.startswith("... word")


def test_a_span_of_the_document_is_a_part_of_its_chunk() -> None:
    excerpt = of_span(chunk(TEXT, first_line=3, start=100), Span(3, 4, 121, 164))
    assert excerpt.text == "... Pets are allowed. The deposit is 900 euros. ..."
    assert excerpt.runs[0].first_line == 3


@given(st.text(alphabet="ab. \n!", max_size=200), st.text(alphabet="ab", min_size=1, max_size=3))
def test_runs_have_the_right_lines(text: str, keyword: str) -> None:
    lines = text.split("\n")
    for run in with_keywords(chunk(text), [keyword]).runs:
        assert keyword in " ".join(run.lines).lower()
        for number, line in enumerate(run.lines, run.first_line):
            assert line in lines[number - 1]
