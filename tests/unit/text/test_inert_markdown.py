"""Markdown for other programs loads nothing, however its parts are mixed."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.text.hidden_characters import inert_markdown

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
IMAGE, HTML = "![x](http://e.example/?d=1)", "<img src='http://e.example/'>"
PIECES = (
    *(
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "\n",
        "\n\n",
        "    ",
        "  ",
        "> ",
        "- ",
        "1. ",
        "# ",
        "|",
        "|-|\n",
        "\\",
        "a",
        "*",
    ),
    *(IMAGE, HTML, "![z][r]", "\n[r]: http://e.example/r.png\n", '<a href="`">', "<!--", "-->", "<div>", "</div>"),
    *("[1](cite:1)", "![", "](http://e.example/)", "!", "<", "<?", "```html\n", "~~~ a`b\n", "``` a`b\n"),
)


FOREIGN = (
    *("javascript:alert(1)", "JavaScript:x", "java&#115;cript:x", "jav\tascript:x", "file:///etc/passwd", "vbscript:x"),
    *(
        "data:text/html,x",
        "desktop-rag://ask?q=x",
        "smb://e.example/x",
        "ms-msdt:/id",
        "//e.example/x",
        r"\\\\e.example\x",
    ),
    *("< javascript:x>", "javascript&colon;x", "%6aavascript:x", r"javascript\:x", "\n javascript:x"),
)


class Willing(MarkdownIt):
    """Links to whatever it is told."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of the library
        return True


def addresses(text: str) -> list[str]:
    found = []
    for token in Willing("commonmark", {"html": True}).enable("table").parse(text):
        found += [str(each.attrs["href"]) for each in token.children or () if each.type == "link_open"]
    return found


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("form", ["[x]({})", "[x][r]\n\n[r]: {}", "[r]\n\n> [r]: {}", "[x]({} 'title')", "`a` [x]({})"])
def test_no_link_leads_to_another_scheme(target: str, form: str) -> None:
    shown = inert_markdown(form.format(target))
    assert addresses(shown) == []


@pytest.mark.parametrize(
    "text",
    ["[x](https://e.example/a?b=c:d)", "[x](mailto:a@e.example)", "[1](cite:1)", "[x](a.md#L3 'of: it')", "[r]: #a"],
)
def test_links_to_the_web_stay(text: str) -> None:
    assert inert_markdown(text) == text


@given(
    st.lists(st.sampled_from((*PIECES, "[x](javascript:x)", "[x][r]", "\n[r]: file:///x\n")), max_size=12).map("".join)
)
def test_no_mixture_leads_to_another_scheme(text: str) -> None:
    assert [each for each in addresses(inert_markdown(text)) if each.startswith(("javascript", "file"))] == []


def loading(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield from (
            each for each in (token, *(token.children or ())) if each.type in {"image", "html_inline", "html_block"}
        )


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_mixture_loads_anything(text: str) -> None:
    assert list(loading(inert_markdown(text))) == []


@pytest.mark.parametrize("text", [IMAGE, HTML, "- ```\n  ```\n" + IMAGE, f"\\` {IMAGE} `", f"```a`b\n{IMAGE}\n```"])
def test_what_would_load_is_found_by_this_test(text: str) -> None:
    assert list(loading(text))
    assert list(loading(inert_markdown(text))) == []


def test_code_and_ordinary_text_stay_as_they_are() -> None:
    text = f"a < b, 1 <2 and `{HTML}` [x](http://e.example)\n\n```html\n{HTML}\n{IMAGE}\n```\n\n| a |\n|---|\n| 1! |"
    assert inert_markdown(text) == text
    assert inert_markdown(f"see {IMAGE}") == "see \\![x](http://e.example/?d=1)"
    assert inert_markdown("x\u202e\U000e0041y") == "x\ufffdy"
