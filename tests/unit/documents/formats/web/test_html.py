import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Document, MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.documents.formats.web import hidden_elements
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown, texts


def _read(body: str) -> Document:
    return read_document("page.html", body.encode())


def _marks(document: Document) -> list[tuple[MarkKind, str, str]]:
    return [(mark.kind, document.text[mark.start : mark.end], mark.target) for mark in document.structure.each_mark()]


def test_headings_paragraphs_and_quotes_keep_their_levels() -> None:
    page = "<h1>Lease</h1><p>Rent is\n due.</p><h3>Notice <em>period</em></h3><blockquote>a<blockquote>b</blockquote>"
    assert shown(_read(page)) == [
        ("HEADING", 1, "Lease"),
        ("PARAGRAPH", 0, "Rent is due."),
        ("HEADING", 3, "Notice period"),
        ("QUOTE", 1, "a"),
        ("QUOTE", 2, "b"),
    ]


def test_lists_count_nest_and_keep_the_further_paragraphs_of_an_item() -> None:
    page = "<ol start=3><li><p>three</p><p>more</p><ul><li>inside</ul><li>four</ol>"
    assert shown(_read(page)) == [
        ("ITEM", 1, "3. three"),
        ("PARAGRAPH", 1, "more"),
        ("ITEM", 2, "• inside"),
        ("ITEM", 1, "4. four"),
    ]


def test_code_keeps_its_lines_and_indentation() -> None:
    page = "<p>Run:</p><pre><code>if x:\n    go()\n\nend\n</code></pre>"
    document = _read(page)
    assert [line.text for line in document.lines()] == ["Run:", "", "if x:", "    go()", "", "end"]
    assert shown(document)[1] == ("CODE", 0, "if x:")


def test_data_tables_become_rows_with_aligned_columns() -> None:
    page = """<table><caption>Costs</caption><tr><th>Item<th>2023<th>2024<tr><td rowspan=2>Rent<td>100<td>110
    <tr><td colspan=2>see <a href="https://example.org/x">annex</a></table>"""
    document = _read(page)
    assert shown(document) == [
        ("PARAGRAPH", 0, "Costs"),
        ("ROW", 1, "Item\t2023\t2024"),
        ("ROW", 0, "Rent\t100\t110"),
        ("ROW", 0, "Rent\tsee annex\tsee annex"),
    ]
    assert _marks(document) == [(MarkKind.LINK, "annex", "https://example.org/x")]


def test_merged_cells_belong_to_their_rows_and_columns() -> None:
    page = """<table><tr><th rowspan=2>Region<th colspan=2>2023<th colspan=2>2024<tr><th>H1<th>H2<th>H1<th>H2
    <tr><td rowspan=2>North<td>1<td>2<td>3<td>4<tr><td>5<td>6<td>7<td>8<tr><td colspan=5>All in crowns
    <tr><td>South<td colspan=2>20<td>3<td>4</table>"""
    assert shown(_read(page)) == [
        ("ROW", 0, "Region\t2023\t2023\t2024\t2024"),
        ("ROW", 0, "Region\tH1\tH2\tH1\tH2"),
        ("ROW", 0, "North\t1\t2\t3\t4"),
        ("ROW", 0, "North\t5\t6\t7\t8"),
        ("ROW", 0, "All in crowns"),
        ("ROW", 0, "South\t20\t\t3\t4"),
    ]


@pytest.mark.parametrize(
    ("page", "items"),
    [
        ("<ol type=a start=3><li>x<li value=7>y<li>z</ol>", ["c. x", "g. y", "h. z"]),
        ("<ol type=I><li>x<li type=i>y</ol>", ["I. x", "ii. y"]),
        ("<ol type=A start=27><li>x</ol>", ["AA. x"]),
        ("<ol reversed><li>x<li>y</ol>", ["2. x", "1. y"]),
        ("<ol start=-1><li>x<li>y<li>z</ol>", ["-1. x", "0. y", "1. z"]),
        ("<ol start=soon><li>x</ol>", ["1. x"]),
    ],
)
def test_lists_are_numbered_as_they_say(page: str, items: list[str]) -> None:
    assert [text for _, _, text in shown(_read(page))] == items


def test_layout_tables_are_read_as_text() -> None:
    page = "<table><tr><td><h2>News</h2><p>One.</p></td><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>"
    assert shown(_read(page)) == [
        ("HEADING", 2, "News"),
        ("PARAGRAPH", 0, "One."),
        ("ROW", 0, "a\tb"),
        ("ROW", 0, "c\td"),
    ]


def test_labelled_rows_of_a_layout_table_stay_rows() -> None:
    page = """<table><tr><th>Founded<td>April 4, 1975<tr><th>Divisions<td><table><tr><td>a<td>b<tr><td>c<td>d</table>
    <tr><th>Owner<td>Anna</table>"""
    assert shown(_read(page)) == [
        ("ROW", 0, "Founded\tApril 4, 1975"),
        ("PARAGRAPH", 0, "Divisions"),
        ("ROW", 0, "a\tb"),
        ("ROW", 0, "c\td"),
        ("ROW", 0, "Owner\tAnna"),
    ]


def test_marks_cover_formatted_text_and_external_links_only() -> None:
    page = """<base href="https://example.org/a/"><p>See <b>this <a href="b.html">page</a></b>, H<sub>2</sub>O,
    <a href="javascript:alert(1)">not this</a></p>"""
    assert _marks(_read(page)) == [
        (MarkKind.STRONG, "this page", ""),
        (MarkKind.LINK, "page", "https://example.org/a/b.html"),
    ]


def test_marks_inside_equal_marks_count_once() -> None:
    document = _read("<b>" * 300 + "word" + "</b>" * 300 + "<i>x <b>y</b></i>")
    assert _marks(document) == [
        (MarkKind.STRONG, "word", ""),
        (MarkKind.EMPHASIS, "x y", ""),
        (MarkKind.STRONG, "y", ""),
    ]


def test_menus_scripts_and_cookie_notices_are_left_out() -> None:
    page = """<nav><a href=/a>Home</a> <a href=/b>About</a></nav><script>var x = "code"</script>
    <div class="cookie-banner">We value your privacy</div><div role=navigation><a>Next</a></div>
    <noscript>Switch on JavaScript</noscript><main><p>The text.</p></main>"""
    assert texts("a.html", page.encode()) == ["The text."]


def test_elements_with_a_menu_class_are_menus_if_they_are_only_links() -> None:
    links = "<li><a href=/a>Deutsch</a><li><a href=/b>Suomi</a><li><a href=/c>Norsk</a>"
    assert texts("a.html", f"<ul class='lang-menu'>{links}</ul><p>The text.".encode()) == ["The text."]
    page = f"<ul class='menu'>{links}<li>Soup of the day, bread and butter, and a glass of water</ul><p>The text."
    assert len(texts("a.html", page.encode())) == 5


def test_nested_menus_are_examined_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_elements, "_MAX_VISITED", 100)
    page = "<div class=menu><p>some text</p>" * 50 + "<ul class=menu><li><a>a</a><li><a>b</a><li><a>c</a></ul>"
    assert texts("a.html", page.encode())[-1] == "• c"  # kept, because the limit of visited elements was reached


def test_text_is_kept_where_it_only_looks_like_a_menu() -> None:
    page = '<nav><p>In this chapter we look at <a href="#1">leases</a>, and at what ends them.</p></nav><p>Text</p>'
    assert texts("a.html", page.encode())[0] == "In this chapter we look at leases, and at what ends them."


def test_menus_are_read_if_a_page_has_no_other_text() -> None:
    assert texts("a.html", b"<nav><ul><li><a href=/a>Contracts</a></ul></nav>") == ["• Contracts"]


def test_text_that_the_parser_moves_into_the_head_is_read() -> None:
    page = b"<!DOCTYPE html><meta charset=utf-8><title>T</title><section><h1>Talk</h1></section>"
    assert texts("a.html", page) == ["Talk"]


def test_title_author_dates_and_language_come_from_the_head() -> None:
    page = """<html lang="de-AT"><head><title> Der  Mietvertrag </title><meta name="author" content="A. Huber">
    <meta property="article:published_time" content="2024-03-05T10:00:00+01:00">
    <meta property="article:modified_time" content="2024-04-01"></head><body><h1>Miete</h1></body></html>"""
    document = _read(page)
    assert (document.title, document.author, document.language) == ("Der Mietvertrag", "A. Huber", "de-AT")
    assert (document.created, document.modified) == ("2024-03-05T10:00:00", "2024-04-01")


def test_the_first_heading_is_the_title_of_a_page_without_one() -> None:
    assert _read("<p>x</p><h2>Annex</h2>").title == "Annex"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("<p>naïve €".encode(), "naïve €"),
        ("<meta charset=windows-1251><p>Договор".encode("cp1251"), "Договор"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>契約'.encode("cp932"), "契約"),
        ("<meta charset=iso-8859-1><p>“quoted”".encode("cp1252"), "“quoted”"),
        ("<meta charset=iso-8859-1><p>bytes say Größe".encode(), "bytes say Größe"),
        ("<meta charset=iso-2022-jp><p>契約".encode("iso2022_jp"), "契約"),
        ("<p>契約".encode("utf-16"), "契約"),
        (b"<meta charset=utf-16><p>plain", "plain"),
        ("<meta charset=zip><p>Größe".encode("cp1252"), "Größe"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html><body><p>\xb3\xf3d\xbc', "łódź"),
    ],
)
def test_the_encoding_is_the_one_the_bytes_are_in(data: bytes, expected: str) -> None:
    assert texts("a.html", data) == [expected]


def test_xhtml_with_empty_elements_loses_nothing() -> None:
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head>'
    assert texts("a.xhtml", f'{page}<body><a id="x"/><p/>text<br/>line</body></html>'.encode()) == ["text", "line"]


def test_white_space_and_invisible_characters_do_not_get_into_words() -> None:
    assert texts("a.html", "<p>Miet\xadvertrag&nbsp;&#8203;von &#x1b;[1m2024</p>".encode()) == ["Mietvertrag von 2024"]


def test_entities_of_a_page_are_not_expanded() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "AAAAAAAAAA"><!ENTITY b "&a;&a;&a;&a;">]><p>x &b; y</p>'
    assert "AAAAAAAA" not in _read(bomb).text


def test_a_page_nested_too_deeply_is_marked_partial() -> None:
    document = _read("<p>start</p>" + "<div>" * 5000 + "deep")
    assert document.text == "start"
    assert document.partial == "This page is nested too deeply; the rest of it was left out."


def test_text_up_to_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_CHARACTERS", 500)
    document = _read("<p>word</p>" * 1000)
    assert document.partial == "This file contains more text than can be read; the rest of it was left out."
    assert 80 < document.text.count("word") < 120


@pytest.mark.parametrize("page", ["<html><body> </body></html>", "<script>x</script>", "<"])
def test_a_page_without_text_is_refused_with_the_reason(page: str) -> None:
    if page == "<":
        assert _read(page).text == "<"
        return
    with pytest.raises(DocumentError, match="contains no text"):
        _read(page)


_SOUP = (
    "<p> </p> <li> <ul> <ol> </ul> <table> <tr> <td> <th|colspan=3> <th|rowspan=99> </table> <pre> </pre> <b> </b> "
    "<a|href=x> </a> <h2> </h2> <blockquote> <br> <nav> </nav> &nbsp; &#0; &bogus; word <![CDATA[ <!-- --> <svg> <math>"
)
_PIECES = st.sampled_from([piece.replace("|", " ") for piece in _SOUP.split()])


@given(st.lists(_PIECES, max_size=40).map(" ".join))
def test_any_soup_of_tags_becomes_a_sound_document_or_a_reason(soup: str) -> None:
    try:
        document = _read(soup)
    except DocumentError:
        return
    assert document.line_count == document.text.count("\n") + 1
    assert document.line(document.line_count).text
    for mark in document.structure.each_mark():
        assert 0 <= mark.start < mark.end <= len(document.text)


def test_the_page_inside_an_inline_frame_is_read_where_it_stands() -> None:
    inner = "&lt;h2>Annex&lt;/h2>&lt;p>Notice: &amp;quot;two months&amp;quot;&lt;script>x()&lt;/script>&lt;/p>"
    page = f'<p>Before.</p><iframe srcdoc="{inner}">No frames.</iframe><p>After.</p>'
    assert shown(_read(page)) == [
        ("PARAGRAPH", 0, "Before."),
        ("HEADING", 2, "Annex"),
        ("PARAGRAPH", 0, 'Notice: "two months"'),
        ("PARAGRAPH", 0, "After."),
    ]


def test_frames_within_frames_end() -> None:
    page = "<p>the innermost</p>"
    for number in range(9):
        page = f"<p>level {number}</p><iframe srcdoc='{html.escape(page)}'></iframe>"
    document = _read(page)
    assert "level 4" in document.text
    assert "innermost" not in document.text
    assert document.partial


def test_an_empty_frame_adds_nothing() -> None:
    assert texts("page.html", b"<p>Rent</p><iframe srcdoc=''></iframe><iframe srcdoc='  '></iframe>") == ["Rent"]


def test_a_line_end_between_chinese_letters_is_no_blank() -> None:
    page = "<p>违约金按日计\n  算，共 <b>三个\n</b>月 and\nmore</p>"
    assert read_document("a.html", f"<main>{page}</main>".encode()).text == "违约金按日计算，共 三个 月 and more"


def test_elements_that_are_declared_alike_are_hidden_by_what_is_around_each() -> None:
    text = read_document(
        "a.html",
        b"<style>.pale { color: #fff } .dark { background: #000 }</style><body><p class=pale>White on white.</p>"
        b"<div class=dark><p class=pale>White on black, seen.</p></div><p class=pale>White again, unseen.</p>"
        b"<p><font color=white>White letters, unseen.</font></p><p style='top: 0' color=white>White, unseen too.</p>",
    ).text
    assert text.count("[hidden: ") == 4
    assert "\nWhite on black, seen." in text
