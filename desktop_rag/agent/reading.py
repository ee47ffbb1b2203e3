"""Remembers which lines of which content a run has shown the model: the only ground a citation may stand on."""

from collections.abc import Mapping, Sequence

from desktop_rag.index.records import ContentId


class Reading:
    """Lines by content and number, as they were shown; a line shown twice keeps its longer form."""

    def __init__(self) -> None:
        self._lines: dict[ContentId, dict[int, str]] = {}

    def record(self, content: ContentId, first_line: int, lines: Sequence[str]) -> None:
        """Note that these lines, counted from `first_line`, have been shown."""
        known = self._lines.setdefault(content, {})
        for number, text in enumerate(lines, first_line):
            if len(text) >= len(known.get(number, "")):
                known[number] = text

    def contents(self) -> tuple[ContentId, ...]:
        """Return the contents of which anything was shown, in the order they were first met."""
        return tuple(self._lines)

    def lines(self, content: ContentId) -> Mapping[int, str]:
        """Return the lines shown of one content by number."""
        return self._lines.get(content, {})

    def within(self, content: ContentId, first_line: int, last_line: int) -> dict[int, str]:
        """Return those shown lines of one content that lie between two line numbers, in order."""
        known = self.lines(content)
        if last_line - first_line > len(known):
            return {number: known[number] for number in sorted(known) if first_line <= number <= last_line}
        return {number: known[number] for number in range(first_line, last_line + 1) if number in known}
