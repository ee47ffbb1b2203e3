"""The inline marks of Markdown, and the markup hidden in the rendered view."""

import pytest

from desktop_rag.documents.document import Document, MarkKind
from desktop_rag.documents.format_registry import read_document

Found = list[tuple[MarkKind, str, str]]


def read(text: str) -> Document:
    return read_document("a.md", text.encode())


def shown(text: str) -> str:
    """Return a text without its hidden markup."""
    document = read(text)
    hidden = {
        offset
        for mark in document.structure.each_mark()
        if mark.kind is MarkKind.MARKUP
        for offset in range(mark.start, mark.end)
    }
    return "".join(char for offset, char in enumerate(document.text) if offset not in hidden)


def found(text: str) -> Found:
    document = read(text)
    return [
        (mark.kind, document.text[mark.start : mark.end], mark.target)
        for mark in document.structure.each_mark()
        if mark.kind is not MarkKind.MARKUP
    ]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("## Rent ##", "Rent"),
        ("Rent\n====\nis due", "Rent\n\nis due"),
        ("> quoted **word**", "quoted word"),
        ("a **bold _and_** b", "a bold and b"),
        ("***all***", "all"),
        ("**over\na line end**", "over\na line end"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("~~gone~~ ~kept~", "gone ~kept~"),
        ("``a ` b`` and `*c*`", "a ` b and *c*"),
        (r"\*no\* \a", r"*no* \a"),
        ("[words](https://a.b/c_(d) 'title') after", "words after"),
        ("[![badge](a.png)](https://a.b)", "badge"),
        ("<b>bold</b><br> but <name>", "bold but <name>"),
        ("<https://a.b> <ada@example.org>", "https://a.b ada@example.org"),
        ("[open [brackets", "[open [brackets"),
        ("```py\n*x* = '#'\n```\n", "\n*x* = '#'\n"),
        ("~~~\n```\n~~~", "\n```\n"),
        ("---\ntitle: a\n---\n\nText", "\ntitle: a\n\n\nText"),
    ],
)
def test_markup_is_marked_to_be_hidden_in_the_rendered_view(text: str, clean: str) -> None:
    assert shown(text) == clean


def test_words_keep_their_inline_marks() -> None:
    assert found("a **b** *c* `d` ~~e~~") == [
        (MarkKind.STRONG, "b", ""),
        (MarkKind.EMPHASIS, "c", ""),
        (MarkKind.CODE, "d", ""),
        (MarkKind.STRIKETHROUGH, "e", ""),
    ]


def test_links_have_absolute_targets() -> None:
    text = "[a](b.md#c) https://d.e/f. [g][h] [h] ![i](j.png)\n\n[h]: <https://k.l>\n"
    assert found(text)[:5] == [
        (MarkKind.LINK, "a", "b.md#c"),
        (MarkKind.LINK, "https://d.e/f", "https://d.e/f"),
        (MarkKind.LINK, "g", "https://k.l"),
        (MarkKind.LINK, "h", "https://k.l"),
        (MarkKind.EMPHASIS, "i", ""),
    ]


def test_emphasis_does_not_reach_from_one_paragraph_into_the_next() -> None:
    assert found("**a\n\nb**") == []


def test_marks_are_in_text_order() -> None:
    starts = [mark.start for mark in read("*a* **b *c*** [d](e) `f`").structure.each_mark()]
    assert starts == sorted(starts)


def test_many_unmatched_delimiters_stay_within_the_time_limit() -> None:
    document = read_document("a.md", b"`".join(b"`" * (n % 700) + b" " for n in range(3_000)) + b"*_" * 20_000)
    assert document.line_count == 1
