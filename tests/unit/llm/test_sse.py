import itertools

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.llm.exchange import EventParser


def parse(*blocks: bytes) -> list[str]:
    parser = EventParser()
    return [*(data for block in blocks for data in parser.feed(block)), *parser.end()]


def test_comments_and_other_fields_are_dropped() -> None:
    assert parse(b": keep-alive\n\nevent: x\nid: 1\nretry: 5\ndata: one\n\n\n\ndata:two\n\n") == ["one", "two"]


def test_several_data_lines_are_one_event() -> None:
    assert parse(b"data: {\ndata: }\n\n") == ["{\n}"]


def test_the_last_event_needs_no_blank_line() -> None:
    assert parse(b"data: one\n\ndata: two") == ["one", "two"]


def test_unicode_line_separators_do_not_end_a_line() -> None:
    assert parse("data: a\u2028b\u0085c\x0bd\n\n".encode()) == ["a\u2028b\u0085c\x0bd"]


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(0, 200), max_size=8),
)
def test_blocks_may_be_split_anywhere(texts: list[str], end: str, cuts: list[int]) -> None:
    stream = "".join(f"data: {text}{end}{end}" for text in texts).encode()
    places = sorted({min(cut, len(stream)) for cut in cuts} | {0, len(stream)})
    blocks = [stream[a:b] for a, b in itertools.pairwise(places)]
    assert parse(*blocks) == [text for text in texts if text.strip()]
