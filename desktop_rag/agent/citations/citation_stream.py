"""Numbers citations while an answer streams: an unfinished bracket is held back until it is clear what it is."""

import re
from collections.abc import Callable

from desktop_rag.agent.citations.citation_syntax import Bracket, RawCitation, parse_citations, read_bracket

_OPENER = re.compile(r"[\[【(]|cite:(?=\d|$)|c(?:i(?:t(?:e)?)?)?$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"”’)*_]*\s+(?=\S)")
_LONGEST_CLAIM = 1_200


class CitationStream:
    """Turns [turn1search3 L12] into [1](cite:1); `resolve` gives the number, or None for what is dropped.

    The model counts lines from `counts_from`.
    """

    def __init__(self, resolve: Callable[[RawCitation, str], int | None], counts_from: int = 1) -> None:
        self._resolve = resolve
        self._counts_from = counts_from
        self._held = ""
        self._claim = ""  # what has been said since the last citation or line end
        self._last_claim = ""
        self._last_numbers: set[int] = set()
        self.not_found = False

    def feed(self, text: str) -> str:
        """Take the next piece of the model's text; return what can be shown now."""
        self._held += text
        return self._advance(ended=False)

    def end(self) -> str:
        """Return what was still held back; nothing more is coming."""
        return self._advance(ended=True)

    def _advance(self, *, ended: bool) -> str:
        shown: list[str] = []
        while match := _OPENER.search(self._held):
            shown.append(self._say(self._held[: match.start()]))
            self._held = self._held[match.start() :]
            piece = self._forged(ended=ended) if self._held[0] in "cC" else self._bracket(ended=ended)
            if piece is None:
                return "".join(shown)
            shown.append(piece)
        shown.append(self._say(self._held))
        self._held = ""
        return "".join(shown)

    def _forged(self, *, ended: bool) -> str | None:
        """Break up a link of the form that only this stream may write."""
        if re.match(r"cite:\d", self._held, re.IGNORECASE):
            text, self._held = f"{self._held[:4]} :", self._held[5:]
            return self._say(text)
        if not ended:
            return None
        text, self._held = self._held[0], self._held[1:]
        return self._say(text)

    def _bracket(self, *, ended: bool) -> str | None:
        kind, length = read_bracket(self._held)
        if kind is Bracket.OPEN:
            if not ended:
                return None
            kind, length = Bracket.TEXT, 1
            if cut := re.match(
                r"[\[【(]\s*turn\d+search\d+[^\n]*$", self._held
            ):  # the answer broke off inside a citation
                kind, length = Bracket.CITATION, cut.end()
        piece, self._held = self._held[:length], self._held[length:]
        if kind is Bracket.TEXT:
            return self._say(piece)
        if kind is Bracket.NOT_FOUND and self._quotes():
            return self._say(piece)
        if kind is Bracket.NOT_FOUND:
            self.not_found = True
            self._held = self._held.lstrip()
            return ""
        return self._links(parse_citations(piece[1:].rstrip("]】)"), self._counts_from))

    def _quotes(self) -> bool:
        """Return whether the line being written is a quotation: its marks are the source's."""
        return self._claim.lstrip().startswith(">")

    def _links(self, citations: tuple[RawCitation, ...]) -> str:
        claim = self._take_claim()
        numbers = dict.fromkeys(
            number for citation in citations if (number := self._resolve(citation, claim)) is not None
        )
        fresh = [number for number in numbers if number not in self._last_numbers]
        self._last_numbers.update(fresh)
        return " ".join(f"[{number}](cite:{number})" for number in fresh)

    def _take_claim(self) -> str:
        """Return the sentence a citation stands behind; citations in a row share one."""
        if re.search(r"\w", self._claim):
            self._last_claim = _SENTENCE_END.split(self._claim.strip())[-1]
        self._claim = ""
        return self._last_claim

    def _say(self, text: str) -> str:
        if re.search(r"\w", text):
            self._last_numbers.clear()
        self._claim = (self._claim + text)[-_LONGEST_CLAIM:]
        if "\n" in self._claim.rstrip():
            self._claim = self._claim.rstrip().rpartition("\n")[2]
        return text
