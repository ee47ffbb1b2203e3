"""The lines that a run has shown the model, by content: only these can be cited."""

from collections.abc import Mapping, Sequence

from desktop_rag.index.records import ContentId

GAP = " ⋯ "  # between separately shown parts of one line; no quotation may span it


class CitableLines:
    """Lines by content and number, as shown; of a long line possibly only parts."""

    def __init__(self) -> None:
        self._lines: dict[ContentId, dict[int, str]] = {}
        self._ended: set[tuple[ContentId, int]] = set()  # lines whose last part is their end

    def record(self, content: ContentId, first_line: int, lines: Sequence[str]) -> None:
        """Record shown lines, counted from `first_line`; the first may be the end of a line, the last its beginning.

        Each part has its place in the line, so that a quotation may go on in the next line.
        """
        known = self._lines.setdefault(content, {})
        for number, text in enumerate(lines, first_line):
            begins = number > first_line and not text.startswith("…")
            ended = (content, number) in self._ended
            known[number] = _joined(known.get(number, ""), text.strip("…"), begins=begins, ended=ended)
            ends = number < first_line + len(lines) - 1 and not text.endswith("…")
            if ends and known[number].endswith(text.strip("…")):
                self._ended.add((content, number))

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


def _joined(known: str, text: str, *, begins: bool, ended: bool) -> str:
    """Merge another part of a line into its known parts, without duplicates; the last one stays if the line `ended`."""
    parts = known.split(GAP) if known else []
    if any(text in part for part in parts):
        return known
    others = [part for part in parts if part not in text]
    stays = ended and others[-1:] == parts[-1:]
    others.insert(0 if begins else len(others) - stays, text)
    return GAP.join(others)
