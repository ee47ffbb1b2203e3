"""Remembers which lines of which content a run has shown the model: the only ground a citation may stand on."""

from collections.abc import Mapping, Sequence

from desktop_rag.index.records import ContentId

GAP = " ⋯ "  # between parts of one line that were shown apart; no quotation reaches over it


class Reading:
    """Lines by content and number, as they were shown; of a long line perhaps only parts."""

    def __init__(self) -> None:
        self._lines: dict[ContentId, dict[int, str]] = {}

    def record(self, content: ContentId, first_line: int, lines: Sequence[str]) -> None:
        """Note that these lines, counted from `first_line`, have been shown."""
        known = self._lines.setdefault(content, {})
        for number, text in enumerate(lines, first_line):
            known[number] = _joined(known[number], text.strip("…")) if number in known else text.strip("…")

    def drop(self, content: ContentId, first_line: int, last_line: int) -> None:
        """Forget lines: the person does not want them cited."""
        known = self._lines.get(content, {})
        for number in [number for number in known if first_line <= number <= last_line]:
            del known[number]

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


def _joined(known: str, text: str) -> str:
    """Return what is known of a line with another part of it, each part once."""
    parts = known.split(GAP)
    if any(text in part for part in parts):
        return known
    return GAP.join([*(part for part in parts if part not in text), text])
