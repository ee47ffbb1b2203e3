"""Replaces citations by numbered links while an answer streams; unfinished brackets are buffered."""

import re
from collections.abc import Callable, Sequence

from desktop_rag.agent.citations.citation_syntax import (
    Bracket,
    RawCitation,
    parse_citations,
    read_bare_reference,
    read_bracket,
)
from desktop_rag.agent.citations.written.files_by_name import NamedFiles

_OPENER = re.compile(
    r"[\[【(［]|\\(?=[\[【(［]|$)|cite:(?=\d|$)|c(?:i(?:t(?:e)?)?)?$|(?<![\w/.-])t(?:u(?:r(?:n(?=\d|$)|$)|$)|$)",
    re.IGNORECASE,
)
_BROKEN_OFF = re.compile(r"[\[【(［]\s*(?:\^|cite:\s*)?t(?:urn[a-z\d]*|ur?)", re.IGNORECASE)  # of a reference
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"”’)*_]*\s+(?=\S)")
_MAX_CLAIM = 1_200


class CitationStream:
    """Turns [turn1search3 L12] into [1](cite:1); `resolve` returns the numbers, none to drop the citation.

    The model counts lines from `counts_from`; it may cite `files` by their names.
    """

    def __init__(
        self,
        resolve: Callable[[RawCitation, str], Sequence[int]],
        counts_from: int = 1,
        files: NamedFiles | None = None,
    ) -> None:
        self._resolve = resolve
        self._files = files
        self._counts_from = counts_from
        self._buffer = ""
        self._claim = ""  # the text since the last citation or line end
        self._last_claim = ""
        self._last_numbers: set[int] = set()
        self._blanks = ""  # at the end of what was shown so far, held back
        self._dropped = False  # the citation after them
        self._cited = False  # whether a citation was shown
        self.not_found = False

    def feed(self, text: str) -> str:
        """Take the next text of the model; return as much as can be shown now."""
        self._buffer += text
        return self._advance(ended=False)

    def end(self) -> str:
        """Flush the buffer at the end of the answer."""
        return self._advance(ended=True) + self._blanks

    def _advance(self, *, ended: bool) -> str:
        shown: list[str] = []
        while match := _OPENER.search(self._buffer):
            shown.append(self._spaced(self._emit(self._buffer[: match.start()])))
            self._buffer = self._buffer[match.start() :]
            part = self._part(ended=ended)
            if part is None:
                return "".join(shown)
            shown.append(self._spaced(part))
        shown.append(self._spaced(self._emit(self._buffer)))
        self._buffer = ""
        return "".join(shown)

    def _spaced(self, text: str) -> str:
        """Return a text after the blanks before it; a dropped citation takes those before a punctuation mark along."""
        if not text:
            return ""
        if self._dropped and text[0] in " .,;:!?":
            self._blanks = ""
        self._dropped = False
        whole = self._blanks + text
        shown = whole.rstrip(" ")
        self._blanks = whole[len(shown) :]
        return shown

    def _part(self, *, ended: bool) -> str | None:
        """Return the displayed text for the beginning of the buffer, None if more text is needed."""
        match self._buffer[0]:
            case "c" | "C":
                return self._break_forged_link(ended=ended)
            case "\\":
                return self._escaped(ended=ended)
            case "t" | "T":
                return self._bare_reference(ended=ended)
            case _:
                return self._bracket(ended=ended)

    def _bare_reference(self, *, ended: bool) -> str | None:
        """Link a reference without brackets: none is shown unchanged."""
        length = read_bare_reference(self._buffer, ended=ended)
        if length is None:
            return None
        part, self._buffer = self._buffer[: length or 1], self._buffer[length or 1 :]
        return self._links(parse_citations(part, self._counts_from)) if length else self._emit(part)

    def _break_forged_link(self, *, ended: bool) -> str | None:
        """Break up a forged link: only this stream may write `cite:` links."""
        if re.match(r"cite:\d", self._buffer, re.IGNORECASE):
            text, self._buffer = f"{self._buffer[:4]} :", self._buffer[5:]
            return self._emit(text)
        if not ended:
            return None
        text, self._buffer = self._buffer[0], self._buffer[1:]
        return self._emit(text)

    def _escaped(self, *, ended: bool) -> str | None:
        """Drop the backslash before a citation: it would end as a link that is none."""
        kind = read_bracket(self._buffer[1:])[0] if len(self._buffer) > 1 else Bracket.OPEN
        if kind is Bracket.OPEN and not ended:
            return None
        self._buffer = self._buffer[1:]
        return self._bracket(ended=ended) if kind is Bracket.CITATION else self._emit("\\")

    def _bracket(self, *, ended: bool) -> str | None:
        kind, length = read_bracket(self._buffer)
        if kind is Bracket.OPEN:
            if not ended:
                return None
            kind, length = Bracket.TEXT, 1
            if broken_off := re.match(
                r"[\[【(［]\s*turn\d+search\d+[^\n]*$", self._buffer
            ):  # the answer broke off inside a citation
                kind, length = Bracket.CITATION, broken_off.end()
            elif _BROKEN_OFF.fullmatch(self._buffer):
                self._buffer = ""
                return ""
        if kind is Bracket.TEXT and self._files and not self._in_quotation():
            found = self._files.citations(self._buffer, ended=ended)
            if found is None:
                return None
            if found[0]:
                self._buffer = self._buffer[found[0] :]
                return self._links(found[1])
        part, self._buffer = self._buffer[:length], self._buffer[length:]
        if kind is Bracket.TEXT:
            return self._emit(part)
        if kind is Bracket.NOT_FOUND and self._in_quotation():
            return self._emit(part)
        if kind is Bracket.NOT_FOUND and self._cited:  # of a part of the question
            return self._emit(part[1:-1].lower())
        if kind is Bracket.NOT_FOUND:
            self.not_found = True
            self._buffer = self._buffer.lstrip()
            return ""
        return self._links(parse_citations(part[1:].rstrip("]】)］"), self._counts_from))

    def _in_quotation(self) -> bool:
        """Return whether the current line is a block quotation, whose brackets belong to the source."""
        return self._claim.lstrip().startswith(">")

    def _links(self, citations: tuple[RawCitation, ...]) -> str:
        claim = self._take_claim()
        numbers = dict.fromkeys(number for citation in citations for number in self._resolve(citation, claim))
        fresh = [number for number in numbers if number not in self._last_numbers]
        self._last_numbers.update(fresh)
        self._dropped = not fresh
        self._cited = self._cited or bool(fresh)
        return " ".join(f"[{number}](cite:{number})" for number in fresh)

    def _take_claim(self) -> str:
        """Return the sentence before a citation; consecutive citations share it."""
        if re.search(r"\w", self._claim):
            self._last_claim = _SENTENCE_END.split(self._claim.strip())[-1]
        self._claim = ""
        return self._last_claim

    def _emit(self, text: str) -> str:
        if re.search(r"\w", text):
            self._last_numbers.clear()
        self._claim = (self._claim + text)[-_MAX_CLAIM:]
        if "\n" in self._claim.rstrip():
            self._claim = self._claim.rstrip().rpartition("\n")[2]
        return text
