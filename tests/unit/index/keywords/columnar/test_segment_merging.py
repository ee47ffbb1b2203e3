"""A merge equals building a segment from the live documents."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.segments import segment_building, segment_merging
from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec, Segment
from desktop_rag.index.keywords.columnar.segments.segment_file import SegmentSeal, is_damaged, open_segment
from desktop_rag.index.keywords.columnar.segments.segment_merging import Merged, merge
from tests.unit.index.keywords.columnar.small_segments import build

SPECS = (
    FieldSpec("text", FieldKind.POSITIONS, scored=True),
    FieldSpec("title", FieldKind.COUNTS, scored=True),
    FieldSpec("id", FieldKind.PRESENCE, scored=False),
    FieldSpec("stem", FieldKind.COUNTS, scored=True, groups="text"),
)
Document = dict[str, list[str]]
words = st.lists(st.text("abcä", min_size=1, max_size=3), max_size=8)
documents = st.fixed_dictionaries({"text": words, "title": words, "id": st.lists(st.sampled_from("xyz"), max_size=1)})
# Each segment: its documents, and whether each is deleted.
segments = st.lists(st.lists(st.tuples(documents, st.booleans()), min_size=1, max_size=6), min_size=1, max_size=4)


def first_letter(term: bytes) -> bytes:
    return term.decode()[:1].encode()


def built(held: Sequence[tuple[Document, bool]], ids: Sequence[int]) -> Segment:
    gone = [number for number, (_, deleted) in enumerate(held) if deleted]
    return build("s", SPECS, [document for document, _ in held], {"chunk": ids}, first_letter, gone)


def merged(sources: Sequence[Segment], path: Path) -> Merged:
    steps = merge(sources, path)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Merged = end.value
            return found


def told(segment: Segment) -> object:
    """Everything a segment says, in plain values."""
    return (
        segment.size,
        {name: column.tolist() for name, column in segment.columns.items()},
        {
            name: (
                field.spec,
                field.total_length,
                field.lengths.tolist(),
                {
                    term: (
                        [part.tolist() for part in field.postings(number)],
                        field.document_frequencies(number, number + 1).tolist(),
                        field.positions(number).tolist() if field.spec.kind is FieldKind.POSITIONS else None,
                    )
                    for number, term in enumerate(field.vocabulary)
                },
            )
            for name, field in segment.fields.items()
        },
    )


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_merging, "STRETCH", 5)
    monkeypatch.setattr(segment_merging, "TERMS", 2)
    monkeypatch.setattr(segment_building, "PIECE", 3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(segments)
def test_a_merge_equals_a_rebuild(
    tmp_path_factory: pytest.TempPathFactory, held: list[list[tuple[Document, bool]]]
) -> None:
    ids = count(10)
    numbered = [[(document, deleted, next(ids)) for document, deleted in part] for part in held]
    sources = [built([(d, gone) for d, gone, _ in part], [id_ for *_, id_ in part]) for part in numbered]
    left = [(document, id_) for part in numbered for document, deleted, id_ in part if not deleted]
    path = tmp_path_factory.mktemp("merge") / "new.seg"
    found = merged(sources, path)
    anew = built([(document, False) for document, _ in left], [id_ for _, id_ in left])
    assert told(open_segment(path, found.seal)) == told(anew)
    assert found.size == len(left)
    assert not is_damaged(path, found.seal)
    assert [number for new in found.numbers for number in new.tolist() if number >= 0] == list(range(len(left)))


@pytest.mark.parametrize("size", [1 << 15, 40_000])
def test_document_numbers_have_the_width_that_a_merge_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.undo()  # long steps
    path = tmp_path / "new.seg"
    sources = [built([({"text": ["a"]}, False)] * size, range(first, first + size)) for first in (0, size)]
    segment = open_segment(path, merged(sources, path).seal)
    numbers = segment.fields["text"].postings(0).documents
    assert numbers.tolist() == list(range(2 * size))
    assert numbers.itemsize == (2 if 2 * size <= 1 << 16 else 4)


def test_a_cancelled_merge_leaves_no_file(tmp_path: Path) -> None:
    steps = merge([built([({"text": ["a", "b"]}, False)], [1])] * 2, tmp_path / "new.seg")
    next(steps)
    assert list(tmp_path.iterdir())
    steps.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", [0, 70, -60, -1])
def test_any_flipped_bit_is_detected(tmp_path: Path, place: int) -> None:
    path = tmp_path / "new.seg"
    seal = merged([built([({"text": ["a", "b"], "title": ["c"]}, False)], [7])], path).seal
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    assert is_damaged(path, seal)


def test_a_file_with_another_seal_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "new.seg"
    seal = merged([built([({"text": ["a"]}, False)], [1])], path).seal
    for wrong in (SegmentSeal(seal.length + 1, seal.checksum), SegmentSeal(seal.length, seal.checksum ^ 1)):
        with pytest.raises(LibraryError, match="damaged"):
            open_segment(path, wrong)
        assert is_damaged(path, wrong)
    path.write_bytes(b"")
    with pytest.raises(LibraryError, match="damaged"):
        open_segment(path, seal)
    path.unlink()
    assert is_damaged(path, seal)
