import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import StreamCut
from desktop_rag.llm.exchange import MAX_EVENT_BYTES, EventParser


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


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_any_bytes_end(blocks: list[bytes]) -> None:
    split = [bytes([byte]) for block in blocks for byte in block]
    assert parse(*blocks) == parse(*split) == parse(b"".join(blocks))


@pytest.mark.parametrize("block", [b"x" * 1000, b"data: " + b"x" * 1000 + b"\n", b"data:\n" * 200])
def test_a_line_or_event_without_end_is_cut(block: bytes) -> None:
    with pytest.raises(StreamCut, match="without end"):
        parse(*[block] * (2 * MAX_EVENT_BYTES // len(block)))


def test_a_byte_order_mark_is_dropped() -> None:
    assert parse(b"\xef\xbb\xbfdata: one\n\n") == ["one"]
