"""Finds a string within the terms of a vocabulary by its rarest group of three letters."""

import numpy as np
import numpy.typing as npt

LENGTH = 3  # bytes of a group
_PLACE_BITS = 16
_BLOCK = 1 << _PLACE_BITS  # bytes that are sorted together
_BITS, _LETTER = 5, 0b11111  # of each byte; others of equal bits are told apart when the string is compared


class LetterGroups:
    """The places of every group of three bytes in some text; 4 bytes for each byte, made in some 5 ms a megabyte.

    Blocks of the text are sorted apart: as numbers of 32 bits, in a third of the time of all together.
    """

    __slots__ = ("_blocks", "_counts", "_text")

    def __init__(self, text: npt.NDArray[np.uint8]) -> None:
        self._text = text
        self._counts = np.zeros(1 << LENGTH * _BITS, np.int64)
        self._blocks: list[npt.NDArray[np.uint32]] = []
        for first in range(0, len(text) - LENGTH + 1, _BLOCK):
            groups = _groups(text[first : first + _BLOCK + LENGTH - 1])
            self._counts += np.bincount(groups, minlength=len(self._counts))
            self._blocks.append(_sorted(groups))

    def find(self, wanted: bytes) -> npt.NDArray[np.int64]:
        """Return all places of a string of at least three bytes, in order."""
        letters = np.frombuffer(wanted, np.uint8)
        groups = _groups(letters)
        rarest = int(self._counts.take(groups).argmin())
        edges = np.array([0, _BLOCK], np.uint32) + (np.uint32(groups[rarest]) << np.uint32(_PLACE_BITS))
        parts = [np.empty(0, np.int64)]
        for number, keys in enumerate(self._blocks):
            begin, end = keys.searchsorted(edges).tolist()
            parts.append((keys[begin:end] & np.uint32(_BLOCK - 1)).astype(np.int64) + (number * _BLOCK - rarest))
        found = np.concatenate(parts)
        found = found[(found >= 0) & (found <= len(self._text) - len(wanted))]
        for place, letter in enumerate(wanted):
            found = found[self._text.take(found + place) == letter]
        return found


def _sorted(groups: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint32]:
    """Return each group with its place below it, in order."""
    keys = groups.astype(np.uint32) << np.uint32(_PLACE_BITS)
    keys |= np.arange(len(groups), dtype=np.uint32)
    keys.sort()
    return keys


def _groups(text: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    bits = text.astype(np.uint16) & np.uint16(_LETTER)
    groups: npt.NDArray[np.uint16] = bits[:-2] << np.uint16(2 * _BITS) | bits[1:-1] << np.uint16(_BITS) | bits[2:]
    return groups
