"""Writes lines with their numbers, cut where the budget ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MARGIN = 60  # tokens left for the header and the note that says where to go on


@dataclass(frozen=True, slots=True)
class Numbered:
    """Lines as shown: their text with numbers, and the lines themselves as far as they were shown."""

    text: str
    lines: tuple[str, ...]
    cut: bool  # the budget ended before the lines did


def number_lines(lines: Sequence[str], first: int, budget: int, count_tokens: Callable[[str], int]) -> Numbered:
    """Number `lines` from `first` until `budget` tokens are used; a first line too long is shown in part."""
    shown: list[str] = []
    written: list[str] = []
    left = budget
    for number, line in enumerate(lines, first):
        text = f"{number}: {line}"
        cost = count_tokens(text) + 1
        if cost > left:
            if not shown and left > 0:
                part = _fitting(line, left, count_tokens)
                return Numbered(f"{number}: {part}…", (part,), cut=True)
            return Numbered("\n".join(written), tuple(shown), cut=True)
        left -= cost
        shown.append(line)
        written.append(text)
    return Numbered("\n".join(written), tuple(shown), cut=False)


def _fitting(line: str, budget: int, count_tokens: Callable[[str], int]) -> str:
    """Return a beginning of `line` that takes at most about `budget` tokens."""
    length = min(len(line), budget * 8)
    while length > 16 and count_tokens(line[:length]) > budget:
        length = length * 3 // 4
    return line[:length]
