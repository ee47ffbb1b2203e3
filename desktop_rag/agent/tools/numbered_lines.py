"""Renders lines with their numbers: as many as the budget allows, or the preview of a search hit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.text.secrets import cut_outside

LINES = 6  # of a preview
CHARACTERS = 600  # of a preview
MARGIN = 60  # tokens reserved for the header and the note where to read on


@dataclass(frozen=True, slots=True)
class NumberedLines:
    """Shown lines: the text with numbers, and the lines themselves."""

    text: str
    lines: tuple[str, ...]
    cut: bool  # the budget did not suffice for all lines


def number_lines(
    lines: Sequence[str], first: int, budget: int, count_tokens: Callable[[str], int], *, numbers: bool = True
) -> NumberedLines:
    """Render `lines`, numbered from `first`, within `budget` tokens; a first line that is too long is truncated.

    Blank lines are left out of a numbered text: they cost tokens, and the next number tells them.
    """
    shown: list[str] = []
    written: list[str] = []
    left = budget
    for number, line in enumerate(lines, first):
        if numbers and not line.strip():
            shown.append(line)
            continue
        text = _as_numbered_line(number if numbers else None, line)
        cost = count_tokens(text) + 1
        if cost > left:
            if not shown and left > 0:
                part = _fitting(line, left, count_tokens)
                return NumberedLines(f"{_as_numbered_line(number if numbers else None, part)}…", (part,), cut=True)
            return NumberedLines("\n".join(written), tuple(shown), cut=True)
        left -= cost
        shown.append(line)
        written.append(text)
    return NumberedLines("\n".join(written), tuple(shown), cut=False)


def preview(lines: Sequence[str], first: int, focus: str, most: int = CHARACTERS) -> tuple[int, NumberedLines]:
    """Return the number of the first line shown and the lines, long ones cut around `focus`."""
    texts = list(lines)
    while texts and not texts[0].strip():
        texts.pop(0)
        first += 1
    shown: list[str] = []
    left = most
    for line in texts[:LINES]:
        part = around(line, focus, left) if len(line) > left else line
        shown.append(part)
        left -= len(part)
        if left < 80:
            break
    while shown and not shown[-1].strip():
        shown.pop()
    written = "\n".join(_as_numbered_line(number, line) for number, line in enumerate(shown, first) if line.strip())
    return first, NumberedLines(written, tuple(shown), cut=len(shown) < len(texts))


def _as_numbered_line(number: int | None, line: str) -> str:
    """Return a line with its number; other line separators inside it become spaces."""
    text = " ".join(line.splitlines())
    return text if number is None else f"{number}: {text}"


def _fitting(line: str, budget: int, count_tokens: Callable[[str], int]) -> str:
    """Return the start of `line` within about `budget` tokens."""
    length = min(len(line), budget * 8)
    while length > 16 and count_tokens(line[:length]) > budget:
        length = length * 3 // 4
    return line[: cut_outside(line, length)]


def around(line: str, focus: str, length: int) -> str:
    """Return about `length` characters of `line` around the start of `focus`, cut between words."""
    focus = focus.strip("…")
    at = next((found for size in (60, 24) if focus and (found := line.find(focus[:size])) >= 0), 0)
    start = max(0, min(at - length // 4, len(line) - length))
    if start:
        start = line.find(" ", start, start + 40) + 1 or start
    end = start + length
    if end < len(line):
        end = max(line.rfind(" ", start + length // 2, end), start + length // 2)
    start, end = cut_outside(line, start), cut_outside(line, end)
    before = "…" if start else ""
    after = "…" if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"
