"""Split numbers are what was put in, whole, in runs, one by one and after a merge."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.segments.segment import (
    FieldKind,
    FieldSpec,
    PostedField,
    Segment,
    Unsigned,
    segment_of,
)
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_postings
from desktop_rag.index.keywords.columnar.segments.segment_file import SegmentSeal, is_damaged, open_segment
from desktop_rag.index.keywords.columnar.segments.segment_merging import merge
from desktop_rag.index.keywords.columnar.segments.split_numbers import BLOCK, SplitNumbers, split
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary

small = st.integers(0, 255)
numbers = st.lists(small | st.integers(0, 1 << 20) | st.sampled_from((255, 256, 65_535, 65_536)), max_size=40)
WORDS = FieldSpec("words", FieldKind.POSITIONS, scored=True)


def column(values: list[int], gap: int) -> tuple[Unsigned, SplitNumbers]:
    """Numbers with `gap` small ones between, and the same split."""
    spread = np.zeros(len(values) * (gap + 1), np.uint32)
    spread[:: gap + 1] = values
    return spread, SplitNumbers("n", split("n", spread))


@given(numbers, st.integers(0, BLOCK + 3), st.data())
def test_runs_and_single_numbers_are_those_put_in(values: list[int], gap: int, data: st.DataObject) -> None:
    spread, found = column(values, gap)
    assert len(found) == len(spread)
    first = data.draw(st.integers(0, len(spread)))
    last = data.draw(st.integers(first, len(spread)))
    assert found.run(first, last).tolist() == spread[first:last].tolist()
    assert found.take(np.arange(first, last)[::-1]).tolist() == spread[first:last][::-1].tolist()
    begins, ends = np.array([0, first]), np.array([first // 2, last])
    wanted = [*spread[: first // 2].tolist(), *spread[first:last].tolist()]
    assert found.runs(begins, ends).tolist() == wanted
    assert found.count_large() == np.count_nonzero(spread > 255)


def test_numbers_below_256_take_a_byte_and_are_not_copied() -> None:
    arrays = split("n", np.arange(256, dtype=np.uint32))
    assert list(arrays) == ["n"]
    assert np.shares_memory(SplitNumbers("n", arrays).run(3, 9), arrays["n"])


def test_a_large_number_takes_a_byte_more_and_a_bit_for_each_number() -> None:
    arrays = split("n", np.array([1, 300, *[7] * (16 * BLOCK - 2)], np.uint32))
    assert sum(values.nbytes for values in arrays.values()) == 16 * BLOCK + 1 + 2 * BLOCK + 16 * 4


def long_text(length: int, times: int, *, split_up: bool) -> Segment:
    """A document of `length` different words, then one word so many times; not `split_up` as before format 4."""
    vocabulary = [b"%06d" % number for number in range(length)]
    order = np.array([*range(length), *[length - 1] * times], np.uint32)
    tokens = Tokens(
        Vocabulary.of(vocabulary),
        order,
        np.zeros(len(order), np.uint32),
        np.arange(len(order), dtype=np.uint32),
    )
    arrays: dict[str, Unsigned] = build_postings(WORDS, tokens, 1)
    if not split_up:
        arrays = {name: values for name, values in arrays.items() if not name.startswith(("words/c", "words/p"))} | {
            "words/counts": np.array([*[1] * (length - 1), times + 1], np.uint16),
            "words/positions": np.arange(len(order), dtype=np.uint16),
            "words/position_starts": arrays["words/position_starts"],
        }
    return segment_of("s", 1, {WORDS: len(order)}, arrays)


def told(segment: Segment) -> Mapping[bytes, list[list[int]]]:
    field = segment.fields["words"]
    return {
        term: [field.postings(number).counts.tolist(), field.positions(number).tolist()]
        for number, term in enumerate(field.vocabulary)
    }


def merged_seal(sources: Sequence[Segment], file: Path) -> SegmentSeal:
    steps = merge(sources, file)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value.seal  # type: ignore[no-any-return]


def test_all_positions_are_read_after_a_merge_that_leaves_out_a_long_text(tmp_path: Path) -> None:
    left_out = long_text(900, 0, split_up=True).with_deleted(np.array([True]))
    seal = merged_seal([long_text(700, 300, split_up=True), left_out], tmp_path / "new.seg")
    field = open_segment(tmp_path / "new.seg", seal).fields["words"]
    assert isinstance(field, PostedField)
    starts = field.position_starts
    begins, ends = np.asarray(starts[:-1], np.int64), np.asarray(starts[1:], np.int64)
    one_by_one = [field.positions(number).tolist() for number in range(len(begins))]
    assert field.all_positions.runs(begins[::2], ends[::2]).tolist() == [at for some in one_by_one[::2] for at in some]


@pytest.mark.parametrize("split_up", [True, False])
def test_segments_of_the_format_before_are_read_and_merged(tmp_path: Path, split_up: bool) -> None:
    sources = [long_text(300, 400, split_up=split_up), long_text(900, 0, split_up=True)]
    last = sources[0].fields["words"].vocabulary.find(b"%06d" % 299)
    assert sources[0].fields["words"].postings(last).counts.tolist() == [401]
    assert sources[0].fields["words"].positions(last).tolist() == list(range(299, 700))
    seal = merged_seal(sources, tmp_path / "new.seg")
    assert not is_damaged(tmp_path / "new.seg", seal)
    merged, before = told(open_segment(tmp_path / "new.seg", seal)), [told(source) for source in sources]
    for term, found in merged.items():
        parts = [each[term] for each in before if term in each]
        assert found == [[number for part in parts for number in part[kind]] for kind in (0, 1)]
