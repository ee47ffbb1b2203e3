from desktop_rag.documents.document import LineKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.markup.markdown_reader import plain

TEXT = """\
---
title: "The lease"
author: Ada
date: 2024-05-01
---

# Rent
Rent is due
monthly.

Deposit
-------

- first
  more of it
    - inner
> quoted
> more

| a | b |
|---|---|
| 1 | 2 |

```python
# no heading
```

    indented code

***
"""


def kinds(text: str) -> list[tuple[str, LineKind, int]]:
    return [(line.text.strip(), line.kind, line.level) for line in read_document("a.md", text.encode()).lines()]


def test_every_line_has_the_kind_its_markup_gives_it() -> None:
    by_text = {text: (kind, level) for text, kind, level in kinds(TEXT)}
    assert by_text["author: Ada"] == (LineKind.FIELD, 0)
    assert by_text["# Rent"] == (LineKind.HEADING, 1)
    assert by_text["Deposit"] == (LineKind.HEADING, 2)
    assert by_text["monthly."] == (LineKind.PARAGRAPH, 0)
    assert by_text["- first"] == (LineKind.ITEM, 1)
    assert by_text["more of it"] == (LineKind.PARAGRAPH, 0)
    assert by_text["- inner"] == (LineKind.ITEM, 3)
    assert by_text["> quoted"] == (LineKind.QUOTE, 1)
    assert by_text["| 1 | 2 |"] == (LineKind.ROW, 0)
    assert by_text["# no heading"] == (LineKind.CODE, 0)
    assert by_text["indented code"] == (LineKind.CODE, 0)
    assert by_text[""] == (LineKind.BLANK, 0)


def test_the_lines_are_the_lines_of_the_file() -> None:
    document = read_document("a.md", TEXT.encode())
    assert [line.text for line in document.lines()] == TEXT.removesuffix("\n").split("\n")


def test_the_front_matter_names_title_author_and_date() -> None:
    document = read_document("a.md", TEXT.encode())
    assert (document.title, document.author, document.created) == ("The lease", "Ada", "2024-05-01")


def test_without_front_matter_the_highest_heading_is_the_title() -> None:
    assert read_document("a.md", b"## Notes\n\n# The *real* [title](x.md) #\n").title == "The real title"


def test_an_unclosed_front_matter_is_a_ruler() -> None:
    document = read_document("a.md", b"---\ntext\n")
    assert [line.kind for line in document.lines()] == [LineKind.PARAGRAPH, LineKind.PARAGRAPH]


def test_a_hash_without_a_space_is_not_a_heading() -> None:
    assert read_document("a.md", b"#hashtag\n").line(1).kind is LineKind.PARAGRAPH


def test_an_unclosed_fence_lasts_to_the_end() -> None:
    assert {line.kind for line in read_document("a.md", b"~~~\na\n# b\n").lines()} == {LineKind.CODE}


def test_plain_text_of_a_line_has_no_marks() -> None:
    assert plain("**Rent** is `due` [monthly](a.md), 2 * 3") == "Rent is due monthly, 2 * 3"
