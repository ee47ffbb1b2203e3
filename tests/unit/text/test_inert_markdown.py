"""Markdown for other programs loads nothing, however its parts are mixed."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.text.inert_markdown import inert_markdown

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
