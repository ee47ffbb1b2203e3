"""Merge policy: keeps the number of segments low, merging in short steps between other work."""

import time
from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np

from desktop_rag.index.keywords.columnar.codec import ColumnarSegment
from desktop_rag.index.keywords.columnar.columnar_index import ColumnarIndex
from desktop_rag.index.keywords.columnar.columnar_writer import fresh_name, writing
from desktop_rag.index.keywords.columnar.segments.segment_file import SUFFIX
from desktop_rag.index.keywords.columnar.segments.segment_merging import Merged, merge
from desktop_rag.index.keywords.columnar.segments.segment_table import SegmentEntry, bitmap

MOST = 12  # segments; with more, indexing waits until there are fewer
BUSY = 10  # segments that are not merged while files are waiting …
AT_REST = 4  # … and in idle times, …
_ALIKE = 5  # … when segments up to this many times as large as all smaller ones together are merged with these, too


class SegmentWeight(NamedTuple):
    """The live bytes of a segment, which a merge must copy, and their share of its file."""

    name: str
    live: int
    share: float


def choose_merge(weights: Sequence[SegmentWeight], most: int) -> tuple[str, ...]:
    """Return the segments to merge next, none if there are at most `most` and none is half deleted.

    The smallest are merged, and with them each one no larger than those together: so a document is copied only when
    its segment at least doubles, that is a logarithmic number of times. At rest, a query's time counts more than that
    of merging: segments of like size are merged however few there are, a document when its segment grows by a fifth.
    """
    lightest = sorted(weights, key=lambda weight: weight.live)
    at_rest = most <= AT_REST
    count = len(lightest) - most + 1 if len(lightest) > most else int(at_rest)
    total = sum(weight.live for weight in lightest[:count])
    while 0 < count < len(lightest) and lightest[count].live <= (_ALIKE if at_rest else 1) * total:
        total += lightest[count].live
        count += 1
    if count > 1:
        return tuple(weight.name for weight in lightest[:count])
    return next(((weight.name,) for weight in lightest if weight.share < 0.5), ())


class SegmentMerger:
    """Merges the segments of one index; used by its one writer only."""

    def __init__(self, index: ColumnarIndex) -> None:
        self._index = index
        self._name = ""
        self._sources: Sequence[ColumnarSegment] = ()
        self._steps: Generator[None, None, Merged] | None = None
        self._few = MOST + 1  # with at least this limit there is nothing to merge since the last commit

    def committed(self) -> None:
        """Note that a commit has added segments."""
        self._few = MOST + 1

    def run(self, most: int, seconds: float) -> bool:
        """Merge for about `seconds` if there are more than `most` segments; return whether there is more to do."""
        until = time.monotonic() + seconds
        while self._steps is not None or self._begin(most):
            while self._step():
                if time.monotonic() >= until:
                    return True
        return False

    def is_overdue(self) -> bool:
        """Return whether there are too many segments to go on indexing."""
        return len(self._index.contents().segments) > MOST

    def rewrite(self) -> None:
        """Rewrite every segment that has deleted documents without them."""
        self.stop()
        _, segments = self._index.current()
        for segment in segments:
            if segment.arrays.deleted is not None:
                self._start([segment])
                while self._step():
                    pass

    def stop(self) -> None:
        """Cancel an unfinished merge."""
        if self._steps is not None:
            self._steps.close()
        self._forget()

    def _begin(self, most: int) -> bool:
        if most >= self._few:
            return False
        _, segments = self._index.current()
        names = choose_merge([_weight_of(segment) for segment in segments], most)
        if names:
            self._start([segment for segment in segments if segment.entry.name in names])
        else:
            self._few = most
        return bool(names)

    def _start(self, sources: Sequence[ColumnarSegment]) -> None:
        self._name = fresh_name()
        self._index.growing.add(self._name + SUFFIX)
        self._sources = sources
        path = self._index.folder / (self._name + SUFFIX)
        self._steps = merge([source.arrays for source in sources], path)

    def _step(self) -> bool:
        """Take one step of the merge; return whether there are more."""
        if self._steps is None:
            return False
        try:
            next(self._steps)
        except StopIteration as end:
            self._finish(end.value)
            self._forget()
            return False
        except BaseException:
            self._forget()
            raise
        return True

    def _finish(self, merged: Merged) -> None:
        """Replace the sources by the new segment, with the deletions they have had meanwhile."""
        with writing(self._index) as writer:
            now = {segment.entry.name: segment.arrays.deleted for segment in writer.columnar_segments()}
            deleted = np.zeros(merged.size, np.bool_)
            for source, numbers in zip(self._sources, merged.numbers, strict=True):
                # A source is missing if its last documents have been deleted.
                mask = now.get(source.entry.name, np.ones(source.arrays.size, np.bool_))
                if mask is not None:
                    deleted[numbers[mask & (numbers >= 0)]] = True
            # Without a live document there is no segment: an empty one would be merged with itself for ever.
            entry = None if deleted.all() else SegmentEntry(self._name, merged.size, merged.seal, bitmap(deleted))
            writer.replace({source.entry.name for source in self._sources}, entry)
            writer.commit()

    def _forget(self) -> None:
        self._index.growing.discard(self._name + SUFFIX)
        self._steps = None
        self._sources = ()


def _weight_of(segment: ColumnarSegment) -> SegmentWeight:
    share = segment.arrays.live / max(1, segment.arrays.size)
    return SegmentWeight(segment.entry.name, int(segment.entry.seal.length * share), share)
