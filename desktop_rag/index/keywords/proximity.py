"""Which positions of words are side by side or near each other, for one text at a time.

The columnar engine compares the positions of all documents at once (`columnar/execution/positions`); this is for
highlights.
"""

from collections.abc import Collection, Sequence

WordPositions = Sequence[Collection[int]]
"""The positions of each word in one text."""


def side_by_side(places: WordPositions) -> list[tuple[int, int]]:
    """Return (first, last) of every run in which word 1 directly follows word 0 and so on."""
    others = [frozenset(positions) for positions in places[1:]]
    return [
        (first, first + len(others))
        for first in places[0]
        if all(first + step in positions for step, positions in enumerate(others, start=1))
    ]


def windows(places: WordPositions, needed: Sequence[int], slop: int) -> list[tuple[int, int]]:
    """Return (first, last) of the shortest runs of positions that hold every word `needed` times.

    A run may hold at most `slop` positions of other words.
    """
    events = sorted((position, word) for word, positions in enumerate(places) for position in positions)
    widest = sum(needed) + slop
    missing = sum(needed)
    held = [0] * len(needed)
    found: list[tuple[int, int]] = []
    left = 0
    for position, word in events:
        held[word] += 1
        missing -= held[word] <= needed[word]
        while not missing:
            first, leaving = events[left]
            if position - first < widest:
                found.append((first, position))
            held[leaving] -= 1
            missing += held[leaving] < needed[leaving]
            left += 1
    return found
