"""Whoosh matcher over the postings of one term."""

from collections.abc import Iterator, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt
from whoosh.formats import Format
from whoosh.matching import LeafMatcher, ReadTooFar
from whoosh.scoring import BaseScorer

from desktop_rag.index.keywords.columnar.segments.segment import Field, FieldKind, Unsigned

_VALUES = {
    FieldKind.PRESENCE: ("weight", "frequency"),
    FieldKind.COUNTS: ("weight", "frequency"),
    FieldKind.POSITIONS: ("weight", "frequency", "positions", "position_boosts"),
}


class ColumnarMatcher(LeafMatcher):
    """Iterates over the postings of one term."""

    def __init__(
        self, field: Field, place: int, term: tuple[str, bytes], format_: Format, scorer: BaseScorer | None, at: int = 0
    ) -> None:
        self._field = field
        self._place = place
        self._term = term
        self.format = format_
        self.scorer = scorer
        self._postings = field.postings(place)
        self._documents: Sequence[int] = self._postings.documents.tolist()
        self._counts: Sequence[int] = self._postings.counts.tolist()
        self._ends: npt.NDArray[np.int64] | None = None
        self._at = at

    def is_active(self) -> bool:
        """Return whether there is a current document."""
        return self._at < len(self._documents)

    def reset(self) -> None:
        """Go to the first document."""
        self._at = 0

    def copy(self) -> "ColumnarMatcher":
        """Return the same matcher at the same document."""
        return ColumnarMatcher(self._field, self._place, self._term, self.format, self.scorer, self._at)

    def id(self) -> int:
        """Return the current document."""
        return self._documents[self._at]

    def weight(self) -> float:
        """Return how often the current document holds the term."""
        return float(self._counts[self._at])

    def next(self) -> bool:
        """Go to the next document."""
        if not self.is_active():
            raise ReadTooFar
        self._at += 1
        return False

    def skip_to(self, id: int) -> None:  # noqa: A002 - Whoosh's name
        """Go to the first document that is not smaller."""
        if not self.is_active():
            raise ReadTooFar
        left = self._postings.documents[self._at :]
        self._at += int(np.searchsorted(left, id))

    def all_ids(self) -> Iterator[int]:
        """Return all documents."""
        return iter(self._documents)

    def positions(self) -> list[int]:
        """Return the positions of the term in the current document."""
        if self._ends is None:
            self._ends = np.cumsum(self._postings.counts, dtype=np.int64)
        end = self._ends.item(self._at)
        found: list[int] = self._field.positions(self._place)[end - self._counts[self._at] : end].tolist()
        return found

    def supports(self, astype: str) -> bool:
        """Return whether a posting has a value of this kind."""
        return astype in _VALUES[self._field.spec.kind]

    def value_as(self, astype: str) -> float | list[int] | list[tuple[int, float]]:
        """Return the value of the current posting."""
        match astype:
            case "weight":
                return self.weight()
            case "frequency":
                return self._counts[self._at]
            case "positions":
                return self.positions()
            case "position_boosts":
                return [(position, 1.0) for position in self.positions()]
        raise ValueError(f"The field {self._term[0]} has no {astype}.")

    def value(self) -> NoReturn:
        """Raise `NotImplementedError`: our postings have no encoded values."""
        raise NotImplementedError

    # Whoosh skips blocks of postings that cannot reach the top-k; here all postings of a term are one block.

    def block_min_length(self) -> int:
        """Return the least length of the documents."""
        return int(self._lengths().min())

    def block_max_length(self) -> int:
        """Return the greatest length of the documents."""
        return int(self._lengths().max())

    def block_max_weight(self) -> float:
        """Return the greatest count."""
        return float(max(self._counts))

    def skip_to_quality(self, minquality: float) -> int:
        """Skip the block if nothing in it can score more."""
        if self.block_quality() > minquality:
            return 0
        self._at = len(self._documents)
        return 1

    def _lengths(self) -> Unsigned:
        lengths = self._field.lengths
        return lengths[self._postings.documents] if len(lengths) else np.zeros(1, np.uint32)
