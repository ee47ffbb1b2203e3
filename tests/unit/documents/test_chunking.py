from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document
from desktop_rag.documents.reading import read_document
from desktop_rag.documents.tokens import estimate_tokens
from tests.unit.documents.conftest import documents

LIMITS = st.sampled_from([16, 64, 1000])


@given(documents(), LIMITS)
def test_a_chunk_is_its_first_to_its_last_sentence(document: Document, limit: int) -> None:
    for chunk in split(document, limit):
        assert chunk.span.start == chunk.sentences[0][0]
        assert chunk.span.end == chunk.sentences[-1][1]
        assert chunk.span == document.span(chunk.span.start, chunk.span.end)
        assert all(before[1] <= after[0] for before, after in pairwise(chunk.sentences))


@given(documents(), LIMITS)
def test_chunks_never_overlap_and_hold_all_that_is_not_space(document: Document, limit: int) -> None:
    rest = []
    position = 0
    for chunk in split(document, limit):
        for start, end in chunk.sentences:
            assert position <= start < end
            rest.append(document.text[position:start])
            position = end
    rest.append(document.text[position:])
    assert "".join(rest).strip() == ""


@given(documents(), LIMITS)
def test_a_chunk_over_the_limit_is_one_sentence_or_has_a_tiny_rest(document: Document, limit: int) -> None:
    for chunk in split(document, limit):
        tokens = estimate_tokens(document.text_at(chunk.span))
        assert (
            tokens <= limit * 1.1 + 1
            or len(chunk.sentences) == 1
            or tokens - limit * 0.1 <= max(estimate_tokens(document.text[start:end]) for start, end in chunk.sentences)
        )


def test_an_empty_document_has_no_chunk() -> None:
    assert split(DocumentBuilder("text").build()) == []


def test_one_giant_line_becomes_chunks_of_the_limit() -> None:
    document = read_document("a.txt", b"The tenant pays the rent. " * 2000)
    sizes = [estimate_tokens(document.text_at(chunk.span)) for chunk in split(document)]
    assert len(sizes) == 12
    assert all(900 <= size <= 1100 for size in sizes)
    assert {chunk.span.first_line for chunk in split(document)} == {1}


def test_chinese_is_counted_by_characters() -> None:
    document = read_document("a.txt", ("解除合同的通知期为三个月。" * 400).encode())
    assert len(split(document)) == 6


def test_a_section_begins_a_new_chunk_and_names_its_path() -> None:
    body = "The tenant pays the rent. " * 60
    document = read_document(
        "a.md", f"# Lease\n\n## Rent\n\n{body}\n\n### When\n\nMonthly.\n\n## End\n\n{body}".encode()
    )
    first, second = split(document)
    assert (first.heading, second.heading) == ("Lease › Rent", "Lease › End")
    assert second.span.first_line == 11


def test_a_tiny_section_stays_with_its_neighbour() -> None:
    document = read_document("a.md", b"# A\n\nShort.\n\n# B\n\nShort too.\n")
    assert [chunk.heading for chunk in split(document)] == ["A"]


def test_a_heading_is_never_the_last_of_a_chunk() -> None:
    sections = "".join(f"#### Part {n}\n\n{'The tenant pays the rent. ' * 6}\n\n" for n in range(40))
    document = read_document("a.md", sections.encode())
    chunks = split(document, limit=100)
    assert len(chunks) > 5
    assert not any(document.text_at(chunk.span).splitlines()[-1].startswith("#") for chunk in chunks)


def test_a_full_chunk_ends_with_a_paragraph_if_one_ends_near() -> None:
    paragraph = "The tenant pays the rent. " * 20 + "\n\n"
    document = read_document("a.txt", (paragraph * 20).encode())
    assert all(
        document.text[chunk.span.end : chunk.span.end + 3].lstrip(" ").startswith("\n") or chunk is split(document)[-1]
        for chunk in split(document)[:-1]
    )


def test_headings_items_and_rows_are_sentences_of_their_own() -> None:
    document = read_document("a.md", b"# Rent\nDue monthly\n- by bank\n- in cash,\n  counted\n\n| a | b |\n|---|---|\n")
    (chunk,) = split(document)
    assert [document.text[start:end] for start, end in chunk.sentences] == [
        "# Rent",
        "Due monthly",
        "- by bank",
        "- in cash,\n  counted",
        "| a | b |\n|---|---|",
    ]


def test_short_lines_of_code_share_a_sentence_but_blocks_do_not() -> None:
    document = read_document("a.py", b"def f():\n    return 1\n\n\ndef g():\n    return 2\n}\n")
    (chunk,) = split(document)
    assert len(chunk.sentences) == 2
