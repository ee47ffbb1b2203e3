"""Chooses the few lines of a hit that a search result shows."""

from collections.abc import Sequence

from desktop_rag.agent.numbered import Numbered

LINES = 6
CHARACTERS = 600


def preview(lines: Sequence[str], first: int, focus: str) -> tuple[int, Numbered]:
    """Return the number of the first line shown and the lines, long ones cut around the words of `focus`."""
    texts = list(lines)
    while texts and not texts[0].strip():
        texts.pop(0)
        first += 1
    shown: list[str] = []
    left = CHARACTERS
    for line in texts[:LINES]:
        part = _around(line, focus, left) if len(line) > left else line
        shown.append(part)
        left -= len(part)
        if left < 80:
            break
    while shown and not shown[-1].strip():
        shown.pop()
    written = "\n".join(f"{number}: {line}" for number, line in enumerate(shown, first))
    return first, Numbered(written, tuple(shown), cut=len(shown) < len(texts))


def _around(line: str, focus: str, length: int) -> str:
    """Return about `length` characters of `line` that hold the beginning of `focus`, cut between words."""
    focus = focus.strip("…")
    at = next((found for size in (60, 24) if focus and (found := line.find(focus[:size])) >= 0), 0)
    start = max(0, min(at - length // 4, len(line) - length))
    if start:
        start = line.find(" ", start, start + 40) + 1 or start
    end = start + length
    if end < len(line):
        end = max(line.rfind(" ", start + length // 2, end), start + length // 2)
    before = "…" if start else ""
    after = "…" if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"
