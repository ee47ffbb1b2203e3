from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Box, InlineMark, Line, LineKind, MarkKind, OutlineEntry, Section


def test_marks_are_relative_to_their_line_when_added() -> None:
    builder = DocumentBuilder("html")
    builder.add(Line("The rent"))
    builder.add(
        Line("is due, see here."),
        [InlineMark(3, 6, MarkKind.STRONG), InlineMark(12, 16, MarkKind.LINK, "https://a.org")],
    )
    document = builder.build()
    marks = list(document.structure.each_mark())
    assert [(document.text[mark.start : mark.end], mark.kind, mark.target) for mark in marks] == [
        ("due", MarkKind.STRONG, ""),
        ("here", MarkKind.LINK, "https://a.org"),
    ]


def test_a_row_keeps_its_cells_apart_whatever_they_hold() -> None:
    builder = DocumentBuilder("csv")
    builder.add_row(["Name", "Notes\tand\nmore"], header=True)
    line = builder.build().line(1)
    assert (line.text.split("\t"), line.kind, line.level) == (["Name", "Notes and more"], LineKind.ROW, 1)


def test_a_section_covers_the_lines_that_follow_it() -> None:
    builder = DocumentBuilder("pptx")
    for label in ("Slide 1", "Slide 2", "Slide 2"):
        builder.begin_section(label)
        builder.add(Line(label))
    structure = builder.build().structure
    assert structure.sections == (Section(1, "Slide 1"), Section(2, "Slide 2"))
    assert [structure.section_of(line) for line in (1, 2, 3)] == ["Slide 1", "Slide 2", "Slide 2"]


def test_an_empty_section_is_replaced_by_the_next() -> None:
    builder = DocumentBuilder("pptx")
    builder.begin_section("Slide 1")
    builder.begin_section("Slide 2")
    builder.add(Line("Text"))
    assert builder.build().structure.sections == (Section(1, "Slide 2"),)


def test_an_included_document_keeps_its_marks_sections_and_headings() -> None:
    inner = DocumentBuilder("pptx")
    inner.begin_section("Slide 1")
    inner.add(Line("Plan", LineKind.HEADING, 1), [InlineMark(0, 4, MarkKind.EMPHASIS)])
    inner.begin_section("Slide 2")
    inner.add(Line("Costs"))
    outer = DocumentBuilder("zip")
    outer.add(Line("Before"))
    outer.include(inner.build(), "a.zip!/plan.pptx", deeper=1)
    document = outer.build()
    assert document.structure.sections == (
        Section(2, "a.zip!/plan.pptx · Slide 1"),
        Section(3, "a.zip!/plan.pptx · Slide 2"),
    )
    assert document.line(2).level == 2
    (mark,) = document.structure.each_mark()
    assert document.text[mark.start : mark.end] == "Plan"


def test_an_outline_entry_points_to_the_next_line() -> None:
    builder = DocumentBuilder("epub")
    builder.add(Line("Cover"))
    builder.add_outline_entry(1, "Chapter 1")
    builder.add(Line("It was a dark night."))
    assert builder.build().structure.outline == (OutlineEntry(2, 1, "Chapter 1"),)


def test_a_nested_section_label_does_not_repeat_its_parent() -> None:
    inner = DocumentBuilder("archive")
    inner.begin_section("a.zip!/b.zip!/c.txt")
    inner.add(Line("text"))
    outer = DocumentBuilder("archive")
    outer.include(inner.build(), "a.zip!/b.zip")
    assert outer.build().structure.sections == (Section(1, "a.zip!/b.zip!/c.txt"),)


def test_section_labels_are_one_line_without_bidi_controls() -> None:
    builder = DocumentBuilder("archive")
    builder.begin_section("invoice\u202efdp.exe\n\x1b[2J \udcff" + "x" * 1000)
    builder.add(Line("text"))
    label = builder.build().structure.sections[0].label
    assert label.startswith("invoicefdp.exe \ufffd[2J \ufffdxxx")
    assert len(label) == 300


def test_lines_without_a_box_keep_the_places_of_the_others() -> None:
    builder = DocumentBuilder("pdf")
    box = Box(1.0, 2.0, 3.0, 4.0)
    for place in (None, None, box, None, box, None):
        builder.add(Line("words", box=place))
    document = builder.build()
    assert [document.box(number) for number in range(1, 7)] == [None, None, box, None, box, None]
    assert len(document.boxes) == 6 * 16
    builder = DocumentBuilder("pdf")
    builder.add(Line("words"))
    assert builder.build().boxes == b""
