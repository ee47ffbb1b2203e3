"""What a `desktop-rag://` link may ask for, and how hostile ones are refused."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from desktop_rag.errors import LinkError
from desktop_rag.text.desktop_links import AskLink, OpenLink, SearchLink, is_link, link_to, markdown_link, parse_link

ROOT = Path("/").resolve()
SHA256 = "0123456789abcdef" * 4


@pytest.mark.parametrize("name", ["lease.txt", "a b+c&d=e?f#g%41.txt", "Mietvertrag für 房子.pdf", "\udcff.txt"])
@pytest.mark.parametrize("lines", [(0, 0), (12, 12), (12, 14)])
def test_a_link_leads_back_to_where_it_was_made(name: str, lines: tuple[int, int]) -> None:
    path = str(ROOT / "home" / "anna" / name)
    link = link_to(path, *lines, SHA256)
    assert link.isascii()
    assert parse_link(link) == OpenLink(path, *lines, SHA256)


def test_words_are_read_as_forms_and_programs_write_them() -> None:
    assert parse_link("desktop-rag://search?q=rent+and%20%22deposit%22") == SearchLink('rent and "deposit"')
    assert parse_link("DESKTOP-RAG://Ask/?q=Wie+hoch+ist+die+Miete%3F") == AskLink("Wie hoch ist die Miete?")
    assert parse_link("desktop-rag:///search?q=房租&later=1") == SearchLink("房租")


def test_a_path_is_normalised_before_it_is_looked_up() -> None:
    link = parse_link(link_to(str(ROOT / "letters" / ".." / "secret.txt")))
    assert link == OpenLink(str(ROOT / "secret.txt"))


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("https://search?q=a", "no desktop-rag"),
        ("desktop-rag://delete?file=/a", "does not do"),
        ("desktop-rag://open", "names no file"),
        ("desktop-rag://open?file=", "names no file"),
        ("desktop-rag://open?file=letters/a.txt", "no full path"),
        ("desktop-rag://open?file=/a&file=/b", "twice"),
        ("desktop-rag://open?file=/a%0Ab", "cannot be shown"),
        ("desktop-rag://open?file=/a%00", "cannot be shown"),
        ("desktop-rag://open?file=/gpj%E2%80%AE.exe", "cannot be shown"),
        ("desktop-rag://open?file=/" + "a" * 5_000, "names no file"),
        ("desktop-rag://open?file=/a&line=-1", "not a number"),
        ("desktop-rag://open?file=/a&line=9999999999999", "not a number"),
        ("desktop-rag://open?file=/a&line=٣", "not a number"),
        ("desktop-rag://open?file=/a&sha256=../x", "cannot be read"),
        ("desktop-rag://search?q=", "no words"),
        ("desktop-rag://search?q=%20", "no words"),
        ("desktop-rag://search?q=%FF", "cannot be read"),
        ("desktop-rag://ask?q=a%0D%0Ab", "cannot be shown"),
        ("desktop-rag://ask?q=rent%F3%A0%81%B3end", "cannot be shown"),
        ("desktop-rag://ask?q=re%E2%80%8Bnt", "cannot be shown"),
        ("desktop-rag://search?q=x%F3%A0%84%81%F3%A0%84%82", "cannot be shown"),
        ("desktop-rag://ask?q=" + "a" * 2_001, "too long"),
        ("desktop-rag://ask?q=" + "a" * 100_000, "too long"),
        ("desktop-rag://ask?q=a\nb", "no desktop-rag"),
        ("desktop-rag://[?q=a", "cannot be read"),
    ],
)
def test_a_hostile_link_is_refused_with_a_sentence(link: str, why: str) -> None:
    with pytest.raises(LinkError, match=why):
        parse_link(link)


def test_a_folder_with_a_similar_name_is_no_link() -> None:
    assert is_link("Desktop-RAG:x")
    assert not is_link("desktop-rag")
    assert not is_link("./desktop-rag://open")


@pytest.mark.parametrize(
    "name", ["lease.md", "a (1)] [b](c) `d` <e> 100%.md", "Vertrag – ü & #4.pdf", "two\nlines.txt"]
)
def test_a_link_in_a_note_leads_a_reader_of_markdown_to_the_lines(name: str) -> None:
    (inline,) = (token for token in MarkdownIt().parse(markdown_link(f"/home/ada/{name}", 40, 46)) if token.children)
    begin, *words, end = inline.children or []
    assert (begin.type, end.type) == ("link_open", "link_close")
    assert "".join(word.content for word in words) == f"{name}#L40-L46".replace("\n", " ")
    if "\n" not in name:  # which a link may not have
        target = str(begin.attrs["href"])
        assert parse_link(target) == OpenLink(f"/home/ada/{name}", 40, 46)


def test_the_name_of_a_link_has_one_line_or_none() -> None:
    assert markdown_link("/a.md", 3, 3) == "[a.md#L3](desktop-rag://open?file=/a.md&line=3)"
    assert markdown_link("/a.md", 0, 0) == "[a.md](desktop-rag://open?file=/a.md)"


def test_the_words_of_a_link_are_read_back() -> None:
    link = link_to("/home/me/lease.md", 3, 5, "0" * 64, "The rent is\n 840 euros & more.")
    assert parse_link(link) == OpenLink("/home/me/lease.md", 3, 5, "0" * 64, "The rent is 840 euros & more.")
    hidden = link_to("/home/me/lease.md", 3, words="rent\u202e840\u200b")
    assert parse_link(hidden) == OpenLink("/home/me/lease.md", 3, 3)
    assert len(link_to("/a", words="word " * 1_000)) < 600
