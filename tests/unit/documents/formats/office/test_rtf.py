import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown, texts


def _rtf(body: str) -> bytes:
    return (r"{\rtf1\ansi\ansicpg1252\deff0" + body + "}").encode("cp1252")


def test_paragraphs_keep_their_lines_and_their_characters() -> None:
    fonts = r"{\fonttbl{\f0 Arial;}{\f1\fcharset204 Cyr;}}"
    body = fonts + r"Caf\'e9 \u8364?5\par \f1\'cc\'e8\'f0\f0  one\line two\par\u-10179?\u-8704?"
    assert texts("a.rtf", _rtf(body)) == ["Café €5", "Мир one", "two", "😀"]


@pytest.mark.parametrize(("page", "byte", "letter"), [("10000", "8a", "ä"), ("99999", "e4", "ä"), ("-1", "e4", "ä")])
def test_an_unknown_code_page_is_no_reason_to_refuse_a_file(page: str, byte: str, letter: str) -> None:
    assert texts("a.rtf", rf"{{\rtf1\ansi\ansicpg{page} K\'{byte}se\par}}".encode()) == [f"K{letter}se"]


def test_headings_come_from_styles_and_outline_levels() -> None:
    styles = r"{\stylesheet{\s0 Normal;}{\s7 \'dcberschrift 2;}{\s9\outlinelevel2 Own;}}"
    body = styles + r"\pard\s7 Named\par\pard\s9 Outlined\par\pard\outlinelevel0 Itself\par\pard Text\par"
    assert shown(read_document("a.rtf", _rtf(body))) == [
        ("HEADING", 2, "Named"),
        ("HEADING", 3, "Outlined"),
        ("HEADING", 1, "Itself"),
        ("PARAGRAPH", 0, "Text"),
    ]


def test_items_have_the_number_that_was_written_beside_them() -> None:
    body = (
        r"{\listtext\pard 1.\tab}\pard\ls1 one\par{\listtext\pard a)\tab}\pard\ls1\ilvl1 inner\par"
        r"{\listtext\pard b)\tab}more\par\pard after\par"
    )
    assert shown(read_document("a.rtf", _rtf(body))) == [
        ("ITEM", 1, "1. one"),
        ("ITEM", 2, "a) inner"),
        ("ITEM", 2, "b) more"),
        ("PARAGRAPH", 0, "after"),
    ]


def test_tables_are_rows_with_a_marked_header() -> None:
    header = r"\trowd\trhdr\pard\intbl Name\cell Rent\cell\row"
    body = header + r"\trowd\pard\intbl Anna\par Ben\cell 900\cell\row\pard after\par"
    assert shown(read_document("a.rtf", _rtf(body))) == [
        ("ROW", 1, "Name\tRent"),
        ("ROW", 0, "Anna Ben\t900"),
        ("PARAGRAPH", 0, "after"),
    ]


def test_notes_follow_their_paragraph_and_headers_stand_at_the_end() -> None:
    body = (
        r"{\header Letterhead\par}Rent.{\super\chftn{\footnote\chftn Monthly.}}"
        r"{\*\annotation Sure?} Due.\par Next\par"
    )
    assert texts("a.rtf", _rtf(body)) == ["Rent.[1] Due.", "[1] Monthly.", "Comment: Sure?", "Next", "Letterhead"]


def test_links_and_emphasis_are_marked() -> None:
    body = r'{\field{\*\fldinst HYPERLINK "x:y"}{\fldrslt go}} {\b bold} plain'
    document = read_document("a.rtf", _rtf(body))
    assert document.text == "go bold plain"
    assert [(document.text[m.start : m.end], m.kind, m.target) for m in document.structure.each_mark()] == [
        ("go", MarkKind.LINK, "x:y"),
        ("bold", MarkKind.STRONG, ""),
    ]


def test_metadata_is_read_and_pictures_and_unknown_parts_are_skipped() -> None:
    body = (
        r"{\info{\title Lease}{\author Anna}{\creatim\yr2024\mo3\dy1}}{\pict\wmetafile8 0102ff}"
        r"{\*\unheard of}{\pict\bin4 {{{{}Text"
    )
    document = read_document("a.rtf", _rtf(body))
    assert (document.text, document.title, document.author, document.created) == ("Text", "Lease", "Anna", "2024-03-01")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello", "This file is damaged or not in Rich Text Format."),
        (b"{\\rtf1 \\par}", "This file contains no text."),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document("a.rtf", data)
    assert str(refused.value) == reason


def test_text_before_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_CHARACTERS", 10)
    document = read_document("a.rtf", _rtf(r"Kept for long\par unfinished" + r"\b x" * 2000))
    assert document.text.startswith("Kept for long\n\nunfinished")
    assert "more text than can be read" in document.partial


_PIECES = st.sampled_from(
    [
        r"{",
        r"}",
        r"\par",
        r"\b",
        r"\f1",
        r"\u-10179?",
        r"\u56832?",
        r"\uc2",
        r"\'ff",
        r"\cell",
        r"\row",
        r"\footnote",
        r"\annotation",
        r"\listtext",
        r"\fldinst",
        r"\fldrslt",
        r"\*",
        r"\bin3",
        r"\header",
        r"\stylesheet",
        r"\s3",
        r"\pard",
        r"text",
        r"\pict",
        r"\shptxt",
        r"\info",
        r"\title",
        r"\creatim",
    ]
)


@given(st.lists(_PIECES, max_size=40))
@example(["}", r"\footnote", "}", "}"])
def test_any_sequence_of_control_words_becomes_text_or_a_reason(pieces: list[str]) -> None:
    try:
        document = read_document("a.rtf", b"{\\rtf1 " + " ".join(pieces).encode())
    except DocumentError:
        return
    document.text.encode("utf-8")
