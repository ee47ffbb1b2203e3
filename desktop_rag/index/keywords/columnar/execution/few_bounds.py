"""Upper bounds of documents in the form in which they are cached."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import Documents, Scores

_INFINITE = np.iinfo(np.int16).max  # stands for this and all greater bounds


class FewBounds(NamedTuple):
    """Whole bounds other than 0, with their documents; `documents` is None if the bounds of all are there."""

    documents: Documents | None
    values: npt.NDArray[np.int16]

    @classmethod
    def made(cls, bounds: Scores) -> "FewBounds":
        """Return the cached form of a bound for each document."""
        values = np.minimum(bounds, _INFINITE).astype(np.int16)
        others = values.nonzero()[0]
        if len(others) * 3 > len(bounds):
            return cls(None, values)
        return cls(others.astype(np.uint32), values.take(others))

    @property
    def bytes(self) -> int:
        """Return its size."""
        return self.values.nbytes + (0 if self.documents is None else self.documents.nbytes)

    def of_all(self, size: int) -> Scores:
        """Return the bound of each of `size` documents."""
        values = self.values.astype(np.float32)
        values[self.values == _INFINITE] = np.inf
        if self.documents is None:
            return values
        bounds = np.zeros(size, np.float32)
        bounds[self.documents] = values
        return bounds
