from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.text.sentences import estimate_tokens
from tests.unit.documents.conftest import documents

LIMITS = st.sampled_from([16, 64, 1000])


@given(documents(), LIMITS)
def test_a_chunk_spans_its_first_to_its_last_sentence(document: Document, limit: int) -> None:
    for chunk in split(document, limit):
        assert chunk.span.start == chunk.sentences[0][0]
        assert chunk.span.end == chunk.sentences[-1][1]
        assert chunk.span == document.span(chunk.span.start, chunk.span.end)
        assert all(before[1] <= after[0] for before, after in pairwise(chunk.sentences))


@given(documents(), LIMITS)
def test_chunks_never_overlap_and_contain_all_text(document: Document, limit: int) -> None:
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
def test_a_chunk_over_the_limit_is_one_sentence_or_has_a_tiny_remainder(document: Document, limit: int) -> None:
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


def test_a_function_starts_a_chunk_and_is_its_heading() -> None:
    body = "".join(f"        total = total + rent_of_month({n})\n" for n in range(28))
    methods = "".join(f"    # What month {n} costs.\n    def rent_{n}(self):\n{body}\n" for n in range(4))
    document = read_document("a.py", f"class Lease:\n{methods}".encode())
    chunks = split(document)
    assert [chunk.heading for chunk in chunks] == ["Lease", *(f"Lease › rent_{n}" for n in range(1, 4))]
    assert all(document.text_at(chunk.span).startswith("# What month") for chunk in chunks[1:])


def test_small_functions_share_a_chunk_and_none_is_split() -> None:
    source = "".join(f"def rent_{n}(month):\n    return base + {n} * month\n\n\n" for n in range(200))
    document = read_document("a.py", source.encode())
    chunks = split(document)
    assert len(chunks) > 5
    assert all(document.text_at(chunk.span).startswith("def ") for chunk in chunks)
    assert all(estimate_tokens(document.text_at(chunk.span)) > 250 for chunk in chunks[:-1])


@pytest.mark.parametrize(
    ("name", "head", "row"),
    [
        ("a.csv", "Name,Rent,Due\n", "Tenant {0},{0} Euro,monthly and in advance\n"),
        ("a.md", "| Name | Rent | Due |\n|---|---|---|\n", "| Tenant {0} | {0} Euro | monthly and in advance |\n"),
        ("a.org", "| Name | Rent | Due |\n|-+-+-|\n", "| Tenant {0} | {0} Euro | monthly and in advance |\n"),
        (
            "a.tex",
            "\\begin{{tabular}}{{lll}}\nName & Rent & Due \\\\ \\hline\n",
            "Tenant {0} & {0} Euro & monthly and in advance \\\\\n",
        ),
    ],
)
def test_chunks_of_a_long_table_have_its_column_names_as_heading(name: str, head: str, row: str) -> None:
    text = head.replace("{{", "{").replace("}}", "}") + "".join(row.format(n) for n in range(300))
    document = read_document(name, text.encode())
    first, *others = split(document)
    assert len(others) > 1
    assert first.heading == ""
    assert {chunk.heading for chunk in others} == {"Name · Rent · Due"}
    assert all(document.text_at(chunk.span).startswith(("Tenant", "| Tenant")) for chunk in others)


def test_the_header_context_ends_with_its_table() -> None:
    text = "| Name | Rent |\n|---|---|\n| A | 1 |\n\n" + "The tenant pays the rent. " * 400
    assert {chunk.heading for chunk in split(read_document("a.md", text.encode()))} == {""}


def parted(*labels: str) -> Document:
    builder = DocumentBuilder("slides")
    for label in labels:
        builder.begin_section(label)
        for _ in range(6):
            builder.add(Line("The tenant pays the rent in advance, and the landlord repairs the roof. " * 4))
            builder.add_blank()
    return builder.build()


def test_a_chunk_ends_where_a_slide_or_a_member_ends_if_it_is_not_tiny() -> None:
    document = parted("Slide 1", "Slide 2", "a.zip!/b.txt")
    assert [document.structure.section_of(chunk.span.first_line) for chunk in split(document)] == [
        "Slide 1",
        "Slide 2",
        "a.zip!/b.txt",
    ]


def test_cell_ranges_and_times_do_not_end_a_chunk() -> None:
    assert len(split(parted("Budget!A1:C1", "Budget!A2:C2", "Budget!A3:C3"))) == 2
    assert len(split(parted("0:00:01", "0:00:05", "0:01:00"))) == 2


def test_headings_do_not_carry_over_to_the_next_member() -> None:
    builder = DocumentBuilder("archive")
    for label, kind in (("a.zip!/a.md", LineKind.HEADING), ("a.zip!/b.txt", LineKind.PARAGRAPH)):
        builder.begin_section(label)
        builder.add(Line("Rent and other things", kind, 1))
        builder.add(Line("The tenant pays the rent in advance. " * 60))
    assert [chunk.heading for chunk in split(builder.build())] == ["Rent and other things", ""]


MARKUP = (
    *("= A", "* B", "# C", "\\section{D}", "Title", "=====", "----", "", "  in", "- i", "|x|y|", "|===", "+-+-+"),
    *('a,"b', 'c",d', "def f():", "::", ".. code::", "#+BEGIN_SRC", "\\begin{verbatim}", '"k": {', "{", "}", "k:"),
    *("\\end{verbatim}", "00:00:01,000 --> 00:00:02,000", "Rent is due. It is high.", "....", "```", ":A: b", "\\item"),
)
KINDS = ("a.rst", "a.adoc", "a.org", "a.tex", "a.md", "a.csv", "a.json", "a.py", "a.srt", "a.yaml")


@given(st.sampled_from(KINDS), st.lists(st.sampled_from(MARKUP), min_size=1, max_size=30))
def test_files_of_all_kinds_keep_their_lines_and_lose_nothing_in_chunks(name: str, lines: list[str]) -> None:
    data = "\n".join(["First", *lines, "last"])
    document = read_document(name, data.encode())
    assert document.line_count == len(lines) + 2
    assert all(1 <= entry.line <= document.line_count for entry in document.structure.outline)
    covered = "".join(document.text_at(chunk.span) for chunk in split(document, 16))
    assert "".join(covered.split()) == "".join(document.text.split())


def test_a_language_with_more_tokens_per_word_has_shorter_chunks() -> None:
    english = read_document("a.txt", b"The tenant pays the rent, and it is due every month. " * 1000)
    german = read_document("a.txt", "Der Mieter zahlt die Miete, und sie ist jeden Monat fällig. ".encode() * 1000)
    sizes = [split(document)[0].span.end for document in (english, german)]
    assert (english.language, german.language) == ("en", "de")
    assert sizes[1] < 0.8 * sizes[0]
