"""Composing lines into blocks, and mapping the visible text back to its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, InlineMark, Line, LineKind, MarkKind
from desktop_rag.gui.viewer.clean.composing import Block, BlockComposer, BlockShape, Markup
from desktop_rag.gui.viewer.document_loading import LoadedLines
from desktop_rag.paths import resources
from tests.gui.viewer.clean.conftest import markdown, read

TEXT = """\
# The *boat* house

A paragraph that goes
on with a **bold
word** and ends.

- first
  more of it
    1. inner
- [x] done

> quoted
> twice

| a | b \\| c |
|:--|--:|
| 1 | 2 |

```py
x = 1

y = 2
```

***
"""


def composer(document: Document, *, markup: Markup = Markup.MARKDOWN) -> BlockComposer:
    lines = LoadedLines()
    lines.add(read(document), 1)
    return BlockComposer(document.kinds, document.structure, lines, markup)


def blocks(document: Document, *, markup: Markup = Markup.MARKDOWN) -> list[Block]:
    cut = composer(document, markup=markup)
    found, line = [], 1
    while line <= document.line_count:
        found.append(cut.compose(*cut.extent(line)))
        line = found[-1].last + 1
    return found


def shown(document: Document, *, markup: Markup = Markup.MARKDOWN) -> list[tuple[BlockShape, str]]:
    gaps = (BlockShape.GAP, BlockShape.NOTHING)
    return [(block.shape, block.text()) for block in blocks(document, markup=markup) if block.shape not in gaps]


def test_markdown_becomes_clean_blocks() -> None:
    assert shown(markdown(TEXT)) == [
        (BlockShape.HEADING, "The boat house"),
        (BlockShape.PARAGRAPH, "A paragraph that goes on with a bold word and ends."),
        (BlockShape.ITEM, "• first more of it"),
        (BlockShape.ITEM, "1. inner"),
        (BlockShape.ITEM, "☑ done"),
        (BlockShape.QUOTE, "quoted twice"),
        (BlockShape.ROW, "a\tb | c"),
        (BlockShape.ROW, "1\t2"),
        (BlockShape.CODE, "x = 1"),
        (BlockShape.CODE, ""),
        (BlockShape.CODE, "y = 2"),
        (BlockShape.RULE, ""),
    ]


def test_listings_and_tables_open_and_close_at_their_ends() -> None:
    found = blocks(markdown(TEXT))
    code = [(block.opens, block.closes) for block in found if block.shape is BlockShape.CODE]
    rows = [(block.opens, block.closes) for block in found if block.shape is BlockShape.ROW]
    assert code == [(True, False), (False, False), (False, True)]
    assert rows == [(True, False), (False, True)]


def test_adjacent_listings_stay_separate() -> None:
    found = blocks(markdown("```\na\n```\n\n```\nb\n```\n"))
    code = [(block.opens, block.closes) for block in found if block.shape is BlockShape.CODE]
    assert code == [(True, True), (True, True)]


def test_column_alignment_is_read_from_the_delimiter_row() -> None:
    document = markdown("| a | b | c |\n|:--|--:|:-:|\n| 1 | 2 | 3 |\n")
    assert composer(document).alignments(1) == "lrc"


def test_inline_marks_are_mapped_to_the_visible_text() -> None:
    strip = next(block for block in blocks(markdown(TEXT)) if block.shape is BlockShape.PARAGRAPH).strips[0]
    assert [strip.text[mark.start : mark.end] for mark in strip.marks] == ["bold word"]


def test_line_offsets_map_to_strip_offsets_and_back() -> None:
    block = next(block for block in blocks(markdown(TEXT)) if block.shape is BlockShape.PARAGRAPH)
    strip, line = block.strips[0], TEXT.split("\n")[3]
    part = strip.shown(4, line.index("with"), line.index("with") + 4)
    assert part is not None
    assert strip.text[slice(*part)] == "with"
    assert strip.line_at(part[0]) == 4
    whole = strip.lines_shown(4, 4)
    assert whole is not None
    assert strip.text[slice(*whole)] == "on with a bold"
    assert strip.shown(4, line.index("**"), line.index("**") + 2) is None


def test_formulas_are_readable_and_what_follows_keeps_its_place() -> None:
    line = r"The area is $\frac{a+b}{2} h$ of *rent* \(x_1 \le \alpha\) for $5 and $10; `$x^2$` stays"
    [block] = blocks(markdown(line))
    [strip] = block.strips
    assert strip.text == "The area is (a+b)/2 h of rent x₁ ≤ α for $5 and $10; $x^2$ stays"

    def place(words: str) -> str:
        at = line.index(words)
        start, end = strip.shown(1, at, at + len(words)) or (0, 0)
        return strip.text[start:end]

    assert [place(words) for words in ("area", "rent", "$10", "stays")] == ["area", "rent", "$10", "stays"]
    assert place("frac") == "(a+b)/2 h"  # what is searched for in a formula marks all of it
    assert place("alpha\\) for") == "x₁ ≤ α for"
    assert strip.lines_shown(1, 1) == (0, len(strip.text))
    [emphasis] = [mark for mark in strip.marks if mark.kind is MarkKind.EMPHASIS]
    assert strip.text[emphasis.start : emphasis.end] == "rent"
    listing = blocks(markdown("```\n$a^2$\n```"))
    assert "$a^2$" in [block.text() for block in listing]


def test_a_formula_over_several_lines_is_readable_and_all_its_lines_lead_to_it() -> None:
    lines = (
        "Energy is",
        "  $$",
        r"E = \frac{m}{2}",
        r"  v^2 \cdot *x*",
        "$$ and *rent*",
        r"\[ \alpha",
        r"\beta \] `$$` ends",
    )
    [block] = blocks(markdown("\n".join(lines)))
    [strip] = block.strips
    assert strip.text == "Energy is E = m/2 v² · *x* and rent α β $$ ends"

    def place(line: int, words: str) -> str:
        at = lines[line - 1].index(words)
        start, end = strip.shown(line, at, at + len(words)) or (0, 0)
        return strip.text[start:end]

    formula = "E = m/2 v² · *x*"
    assert [place(line, words) for line, words in ((2, "$$"), (3, "frac"), (4, "cdot"), (5, "$$"))] == [formula] * 4
    assert [place(5, "rent"), place(6, "alpha"), place(7, "beta"), place(7, "ends")] == ["rent", "α β", "α β", "ends"]
    first, last = strip.lines_shown(3, 4) or (0, 0)
    assert strip.text[first:last] == formula
    [open_] = blocks(markdown("costs $$\nand no end"))
    assert open_.text() == "costs $$ and no end"


def test_fields_are_names_and_values() -> None:
    builder = DocumentBuilder("mail")
    for text in ("From: Ada <ada@example.org>", "Subject: Rent: May", "no field at all"):
        builder.add(Line(text, LineKind.FIELD))
    strips = [[strip.text for strip in block.strips] for block in blocks(builder.build(), markup=Markup.NONE)]
    assert strips == [["From", "Ada <ada@example.org>"], ["Subject", "Rent: May"], ["no field at all"]]


def test_a_section_has_a_caption_unless_its_text_contains_the_label() -> None:
    builder = DocumentBuilder("slides")
    for number, title in enumerate(("Costs", "Slide 2"), 1):
        builder.begin_section(f"Slide {number}")
        builder.add(Line(title, LineKind.HEADING, 2))
        builder.add_blank()
    assert [block.caption for block in blocks(builder.build(), markup=Markup.NONE)] == ["Slide 1", "", "", ""]


def test_lines_that_are_not_loaded_are_absent_blocks() -> None:
    document = markdown(TEXT)
    lines = LoadedLines()
    cut = BlockComposer(document.kinds, document.structure, lines, Markup.MARKDOWN)
    assert cut.compose(*cut.extent(4)) == Block(BlockShape.ABSENT, 3, 5)


def test_office_lines_keep_their_ends_and_their_marks() -> None:
    builder = DocumentBuilder("word")
    builder.add(Line("• one two", LineKind.ITEM, 2), [InlineMark(6, 9, MarkKind.STRONG)])
    builder.add(Line("more", LineKind.PARAGRAPH, 2))
    builder.add_row(["a", "b"], header=True)
    found = blocks(builder.build(), markup=Markup.NONE)
    assert [(block.shape, block.label, block.level) for block in found] == [
        (BlockShape.ITEM, "•", 2),
        (BlockShape.PARAGRAPH, "", 2),
        (BlockShape.ROW, "", 1),
    ]
    (mark,) = found[0].strips[0].marks
    assert found[0].strips[0].text[mark.start : mark.end] == "two"


LINES = st.lists(
    st.sampled_from(
        ("", "words of *some* kind", "  more `code`", "# head", "- item", "> quote", "| a | b |", "|---|---|", "```")
    ),
    min_size=1,
    max_size=40,
)


@given(LINES)
def test_every_line_belongs_to_one_block_and_every_shown_word_to_its_line(lines: list[str]) -> None:
    text = "\n".join(lines) + "\nend"
    document = markdown(text)
    source = document.text.split("\n")
    line = 1
    for block in blocks(document):
        assert block.first == line
        line = block.last + 1
        for strip in block.strips:
            for piece in strip.pieces:
                assert block.first <= piece.line <= block.last
                words = source[piece.line - 1][piece.start : piece.start + piece.length]
                assert strip.text[piece.shown : piece.shown + piece.length] == words
    assert line == document.line_count + 1


@pytest.mark.parametrize("line", [1, 150, 1_000, 4_321])
def test_a_huge_paragraph_is_split_at_the_same_lines_from_any_start(line: int) -> None:
    document = markdown("\n".join("word" for _ in range(4_500)))
    cut = composer(document)
    first, last = cut.extent(line)
    assert first <= line <= last < first + 200
    assert {cut.extent(other) for other in range(first, last + 1)} == {(first, last)}


def test_mail_quotes_lose_their_markers_and_keep_their_level() -> None:
    builder = DocumentBuilder("mail")
    for text in ("> Dear Ada,", ">", "> > you wrote"):
        builder.add(Line(text, LineKind.QUOTE, 1))
    found = blocks(builder.build(), markup=Markup.NONE)
    assert [(block.level, block.text()) for block in found] == [(1, "Dear Ada,"), (1, ""), (2, "you wrote")]


def test_multi_level_numbers_are_labels_of_items() -> None:
    builder = DocumentBuilder("word")
    for text in ("1.2.3 words", "10.1. words", "(a) words", "[12] words", "Dr. words"):
        builder.add(Line(text, LineKind.ITEM, 1))
    found = blocks(builder.build(), markup=Markup.NONE)
    assert [block.label for block in found] == ["1.2.3", "10.1.", "(a)", "[12]", "Dr."]
    assert {block.strips[0].text for block in found} == {"words"}


def test_links_of_a_wiki_are_shown_by_their_text() -> None:
    [block] = blocks(
        markdown("See [[Lease: old]], ![[plan.png]] and [[notes/Rent#Due|the *rent*]]; a[[0]], `[[code]]`")
    )
    [strip] = block.strips
    assert strip.text == "See Lease: old, plan.png and the *rent*; a0, [[code]]"
    links = [(strip.text[mark.start : mark.end], mark.target) for mark in strip.marks if mark.kind is MarkKind.LINK]
    assert links == [
        ("Lease: old", "Lease%3A old"),
        ("plan.png", "plan.png"),
        ("the *rent*", "notes/Rent#Due"),
        ("0", "0"),
    ]


def test_the_fields_of_a_mail_are_named_in_the_language_of_the_window(
    qapp: QApplication, request: pytest.FixtureRequest
) -> None:
    builder = DocumentBuilder("mail")
    builder.add(Line("Subject: Rent", LineKind.FIELD))
    document, german = builder.build(), QTranslator(qapp)
    assert german.load("desktop_rag_de", str(resources() / "translations"))
    qapp.installTranslator(german)
    request.addfinalizer(lambda: qapp.removeTranslator(german))
    (block,) = blocks(document, markup=Markup.NONE)
    assert [strip.text for strip in block.strips] == ["Betreff", "Rent"]
    assert block.strips[0].pieces[0].length == len("Subject")
    (block,) = blocks(document)  # words of the user's own
    assert block.strips[0].text == "Subject"
