"""The lines that a run has shown the model, by content: only these can be cited."""

from collections.abc import Mapping, Sequence

from desktop_rag.index.records import ContentId

GAP = " ⋯ "  # between separately shown parts of one line; no quotation may span it


class CitableLines:
    """Lines by content and number, as shown; of a long line possibly only parts."""

    def __init__(self) -> None:
        self._lines: dict[ContentId, dict[int, str]] = {}

    def record(self, content: ContentId, first_line: int, lines: Sequence[str]) -> None:
        """Record shown lines, counted from `first_line`."""
        known = self._lines.setdefault(content, {})
        for number, text in enumerate(lines, first_line):
            known[number] = _joined(known[number], text.strip("…")) if number in known else text.strip("…")

    def drop(self, content: ContentId, first_line: int, last_line: int) -> None:
        """Remove lines that the user does not want cited."""
        known = self._lines.get(content, {})
        for number in [number for number in known if first_line <= number <= last_line]:
            del known[number]

    def contents(self) -> tuple[ContentId, ...]:
        """Return the contents with shown lines, in the order of their first line."""
        return tuple(self._lines)

    def lines(self, content: ContentId) -> Mapping[int, str]:
        """Return the shown lines of a content by number."""
        return self._lines.get(content, {})

    def within(self, content: ContentId, first_line: int, last_line: int) -> dict[int, str]:
        """Return the shown lines of a content in a range of line numbers, in order."""
        known = self.lines(content)
        if last_line - first_line > len(known):
            return {number: known[number] for number in sorted(known) if first_line <= number <= last_line}
        return {number: known[number] for number in range(first_line, last_line + 1) if number in known}


def _joined(known: str, text: str) -> str:
    """Merge another part of a line into its known parts, without duplicates."""
    parts = known.split(GAP)
    if any(text in part for part in parts):
        return known
    return GAP.join([*(part for part in parts if part not in text), text])
