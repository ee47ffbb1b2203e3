"""Where quoted words stand in lines, whatever became of white space, punctuation and markup between them."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from desktop_rag.gui.viewer.viewer_events import Mark

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 300


def find_quote(quote: str, lines: Sequence[str], first: int) -> tuple[Mark, ...]:
    """Return the marks of `quote` in `lines`, the first of which has number `first`; none if it is not there."""
    words = _WORD.findall(quote)[:_MOST_WORDS]
    if not words:
        return ()
    found = re.search(r"[\W_]*".join(map(re.escape, words)), "\n".join(lines), re.IGNORECASE)
    return _marks(found.start(), found.end(), lines, first) if found else ()


def _marks(start: int, end: int, lines: Sequence[str], first: int) -> tuple[Mark, ...]:
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    marks = []
    for index in range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1)):
        left, right = max(0, start - starts[index]), min(len(lines[index]), end - starts[index])
        if right > left:
            marks.append((first + index, left, right))
    return tuple(marks)
