from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.index.records import ContentId
from desktop_rag.text.locate import locate

BOOK = ContentId(1)


def test_lines_are_remembered_by_number() -> None:
    lines_read = CitableLines()
    lines_read.record(BOOK, 4, ["four", "five"])
    lines_read.record(BOOK, 9, ["nine"])
    assert lines_read.lines(BOOK) == {4: "four", 5: "five", 9: "nine"}
    assert lines_read.within(BOOK, 5, 9) == {5: "five", 9: "nine"}
    assert lines_read.within(BOOK, 1, 10**9) == lines_read.lines(BOOK)
    assert lines_read.lines(ContentId(2)) == {}
    assert lines_read.contents() == (BOOK,)


def test_parts_of_a_line_shown_apart_are_all_known() -> None:
    lines_read = CitableLines()
    lines_read.record(BOOK, 1, ["…The second sentence stands here.…"])
    lines_read.record(BOOK, 1, ["The first sentence is that one."])
    lines_read.record(BOOK, 1, ["second sentence"])
    for quote in ("The first sentence is that one", "The second sentence stands here"):
        assert locate(quote, lines_read.lines(BOOK))
    assert locate("stands here. The first sentence", lines_read.lines(BOOK)) is None
    assert [s.text for s in sentences(lines_read.lines(BOOK))] == [
        "The second sentence stands here.",
        "The first sentence is that one.",
    ]


def test_a_whole_line_replaces_its_parts() -> None:
    lines_read = CitableLines()
    lines_read.record(BOOK, 1, ["…sentence stands…"])
    lines_read.record(BOOK, 1, ["The second sentence stands here."])
    assert lines_read.lines(BOOK) == {1: "The second sentence stands here."}


def test_a_quotation_goes_on_in_the_next_line_whichever_part_of_a_line_was_shown_last() -> None:
    end, middle, beginning = (
        ["It rains. Bring a coat.", "The train is late."],
        ["Then it is noon."],
        ["One.", "At dawn it is dry."],
    )
    lines_read = CitableLines()
    lines_read.record(BOOK, 2, end)
    lines_read.record(BOOK, 2, middle)
    lines_read.record(BOOK, 1, beginning)
    assert lines_read.lines(BOOK)[2] == "At dawn it is dry. ⋯ Then it is noon. ⋯ It rains. Bring a coat."
    for quote in ("Bring a coat. The train is late.", "One. At dawn it is dry."):
        found = locate(quote, lines_read.lines(BOOK))
        assert found is not None
        assert found.verbatim
