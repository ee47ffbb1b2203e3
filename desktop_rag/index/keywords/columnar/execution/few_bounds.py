"""Upper bounds of documents in the form in which they are cached."""

from typing import NamedTuple

import numpy as np

from desktop_rag.index.keywords.columnar.segments.posting_arrays import Documents, Scores


class FewBounds(NamedTuple):
    """The bounds above 0, with their documents; `documents` is None if the bounds of all are there."""

    documents: Documents | None
    values: Scores

    @classmethod
    def made(cls, bounds: Scores) -> "FewBounds":
        """Return the cached form of a bound for each document."""
        above = bounds.nonzero()[0]
        if len(above) * 2 > len(bounds):
            return cls(None, bounds.copy())
        return cls(above.astype(np.uint32), bounds.take(above))

    @property
    def bytes(self) -> int:
        """Return its size."""
        return self.values.nbytes + (0 if self.documents is None else self.documents.nbytes)

    def of_all(self, size: int) -> Scores:
        """Return the bound of each of `size` documents."""
        if self.documents is None:
            return self.values.copy()
        bounds = np.zeros(size, np.float32)
        bounds[self.documents] = self.values
        return bounds
