from desktop_rag.agent.citations.lines_read import LinesRead
from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.index.records import ContentId
from desktop_rag.text.locate import locate

BOOK = ContentId(1)


def test_lines_are_remembered_by_number() -> None:
    reading = LinesRead()
    reading.record(BOOK, 4, ["four", "five"])
    reading.record(BOOK, 9, ["nine"])
    assert reading.lines(BOOK) == {4: "four", 5: "five", 9: "nine"}
    assert reading.within(BOOK, 5, 9) == {5: "five", 9: "nine"}
    assert reading.within(BOOK, 1, 10**9) == reading.lines(BOOK)
    assert reading.lines(ContentId(2)) == {}
    assert reading.contents() == (BOOK,)


def test_parts_of_a_line_shown_apart_are_all_known() -> None:
    reading = LinesRead()
    reading.record(BOOK, 1, ["…The second sentence stands here.…"])
    reading.record(BOOK, 1, ["The first sentence is that one."])
    reading.record(BOOK, 1, ["second sentence"])
    for quote in ("The first sentence is that one", "The second sentence stands here"):
        assert locate(quote, reading.lines(BOOK))
    assert locate("stands here. The first sentence", reading.lines(BOOK)) is None
    assert [s.text for s in sentences(reading.lines(BOOK))] == [
        "The second sentence stands here.",
        "The first sentence is that one.",
    ]


def test_a_whole_line_replaces_its_parts() -> None:
    reading = LinesRead()
    reading.record(BOOK, 1, ["…sentence stands…"])
    reading.record(BOOK, 1, ["The second sentence stands here."])
    assert reading.lines(BOOK) == {1: "The second sentence stands here."}
