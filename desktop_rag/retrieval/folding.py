"""Compares texts the way a person does: without case, accents, ligatures or widths, and finds the way back."""

import unicodedata
from array import array
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate


class Folded:
    """A folded text that knows where each of its characters stands in the original."""

    __slots__ = ("_starts", "text")

    def __init__(self, original: str) -> None:
        table = _table(original)
        self.text = original.translate(table) if table else original
        self._starts: array[int] | None = None
        if any(len(folded) != 1 for folded in table.values()):
            # starts[i] is where the folded form of original[i] begins
            lengths = (len(table.get(ord(char), char)) for char in original)
            self._starts = array("q", accumulate(lengths, initial=0))

    def original_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original that became the characters `start` to `end` of `text`."""
        if self._starts is None:
            return start, end
        first = self._original(start)
        return first, self._original(end - 1) + 1 if end > start else first

    def _original(self, position: int) -> int:
        starts = self._starts
        assert starts is not None
        index = bisect_right(starts, position) - 1
        return min(index, len(starts) - 2)


def fold(text: str) -> str:
    """Return `text` as it is compared."""
    table = _table(text)
    return text.translate(table) if table else text


def _table(text: str) -> dict[int, str]:
    return {ord(char): folded for char in set(text) if (folded := _fold_char(char)) != char}


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    if char in "’‘ʼ":
        return "'"
    decomposed = unicodedata.normalize("NFKD", char)
    bare = "".join(part for part in decomposed if not unicodedata.combining(part))
    folded = bare.casefold()
    return folded if folded or unicodedata.combining(char) else char
