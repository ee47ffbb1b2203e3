"""Finds the inline marks of Markdown lines: emphasis, code, links, and the markup to hide in the rendered view.

The lines stay as in the file; the marks are ranges over them (CommonMark 0.31).
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace

from desktop_rag.documents.document import KINDS, Document, InlineMark, LineKind, MarkKind
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached

_SPECIAL = re.compile(r"[\\`<!\[*_~]|https?://")
_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ADDRESS = re.compile(r"https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]*_~]")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>")
_TAG = re.compile(
    r"</?(?:a|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|"
    r"picture|pre|s|small|source|span|strong|sub|summary|sup|svg|table|tbody|td|th|thead|tr|u|ul|video)"
    r"(?:\s[^<>]*)?/?>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_LABEL = r"!?\[((?:[^\[\]\\]|\\.|!?\[[^\[\]]*\](?:\([^()\s]*\))?)*)\]"
_LINK = re.compile(_LABEL + r"\(\s*<?((?:[^\s<>()]|\([^\s<>()]*\))*)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
_WIKI_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{1,500}))?\]\]")
_REFERENCE = re.compile(_LABEL + r"(?:\[([^\[\]]*)\])?")
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]]+)\]:[ \t]*<?([^\s<>]+)", re.MULTILINE)
_PREFIX = {
    LineKind.HEADING: re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)"),
    LineKind.QUOTE: re.compile(r" {0,3}(?:>[ \t]?)+"),
}
_CLOSING = re.compile(r"[ \t]+#+[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_RULER = re.compile(r"(?:---|\+\+\+|\.\.\.)[ \t]*$", re.MULTILINE)
_MAX_LINES = 200  # of one paragraph within which emphasis is matched


@dataclass(slots=True)
class _Run:
    """A delimiter run of asterisks, underscores or tildes; `left` of them are not matched yet."""

    sign: str
    start: int
    left: int


def with_marks(document: Document, budget: ReadBudget) -> Document:
    """Return a Markdown document with its inline marks, or those found before the time limit."""
    marks, links = _Marker(document, budget).read()
    return replace(document, structure=replace(document.structure, marks=marks, links=links))


class _Marker:
    """Finds the marks of one document whose lines have their kinds already; lines count from 0."""

    def __init__(self, document: Document, budget: ReadBudget) -> None:
        self._budget = budget
        self._text = document.text
        self._starts = document.line_starts
        self._kinds = document.kinds
        self._markup_only = frozenset(self._markup_lines())
        self._found: list[InlineMark] = []
        self._definitions = {name.casefold(): target for name, target in _DEFINITION.findall(self._text)}

    def read(self) -> tuple[bytes, tuple[str, ...]]:
        try:
            for first, last in self._parts():
                self._mark_part(first, last)
        except ReadLimitReached:
            pass  # the text is complete without the marks
        self._found.sort(key=lambda mark: (mark.start, -mark.end))
        links: dict[str, int] = {}
        packed = array("i")
        for mark in self._found:
            link = links.setdefault(mark.target, len(links)) if mark.kind is MarkKind.LINK else -1
            packed.extend((mark.start, mark.end, int(mark.kind), link))
        return packed.tobytes(), tuple(links)

    def _kind(self, number: int) -> LineKind:
        return KINDS[self._kinds[number] & 15]

    def _extent(self, number: int) -> tuple[int, int]:
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        return self._starts[number], end

    def _markup_lines(self) -> Iterator[int]:
        """Yield the lines that are only markup: fences, heading underlines, rulers around the front matter."""
        fence = ""
        for number, packed in enumerate(self._kinds):
            kind = packed & 15
            if kind == LineKind.CODE:
                found = _FENCE.match(self._text, *self._extent(number))
                if found and (not fence or (found[1].startswith(fence) and not found[2].strip())):
                    fence = "" if fence else found[1]
                    yield number
            elif kind == LineKind.HEADING and not _PREFIX[LineKind.HEADING].match(self._text, *self._extent(number)):
                yield number + 1
            elif kind == LineKind.FIELD and _RULER.match(self._text, *self._extent(number)):
                yield number

    def _parts(self) -> Iterator[tuple[int, int]]:
        """Yield (first, last) line of each part within which emphasis may span lines."""
        first, count = 0, len(self._kinds)
        while first < count:
            last = first
            if first not in self._markup_only and self._kind(first) in (LineKind.PARAGRAPH, LineKind.ITEM):
                limit = min(count, first + _MAX_LINES) - 1
                while last < limit and self._kind(last + 1) is LineKind.PARAGRAPH and last + 1 not in self._markup_only:
                    last += 1
            yield first, last
            first = last + 1

    def _mark_part(self, first: int, last: int) -> None:
        kind = self._kind(first)
        start, end = self._extent(first)[0], self._extent(last)[1]
        if first in self._markup_only:
            self._hide(start, end)
        elif kind not in (LineKind.BLANK, LineKind.CODE, LineKind.FIELD):
            if (pattern := _PREFIX.get(kind)) and (prefix := pattern.match(self._text, start, end)):
                self._hide(start, prefix.end())
                start = prefix.end()
            if kind is LineKind.HEADING and (closing := _CLOSING.search(self._text, start, end)):
                self._hide(closing.start(), end)
                end = closing.start()
            self._mark_words(start, end)

    def _mark_words(self, start: int, end: int) -> None:
        runs: list[_Run] = []
        position = start
        while special := _SPECIAL.search(self._text, position, end):
            self._budget.check()
            begin = special.start()
            sign = self._text[begin]
            if sign in "*_~":
                position = self._emphasis(start, begin, end, runs)
            elif sign in "[!":
                position = self._link(begin, end)
            else:
                position = self._token(sign, begin, end)

    def _token(self, sign: str, begin: int, end: int) -> int:
        """Mark an escape, code span, address or tag; return the offset where to continue."""
        text = self._text
        if sign == "\\":
            if _ESCAPE.match(text, begin, end) or text.startswith("\n", begin + 1):
                self._hide(begin, begin + 1)
                return begin + 2
        elif sign == "`":
            if code := _CODE.match(text, begin, end):
                self._enclose(code, 2, MarkKind.CODE)
                return code.end()
            return begin + len(text[begin:end]) - len(text[begin:end].lstrip("`"))
        elif sign == "h":
            if address := _ADDRESS.match(text, begin, end):
                self._found.append(InlineMark(begin, address.end(), MarkKind.LINK, address[0]))
                return address.end()
        elif address := _AUTOLINK.match(text, begin, end):
            target = address[1] if ":" in address[1] else f"mailto:{address[1]}"
            self._enclose(address, 1, MarkKind.LINK, target)
            return address.end()
        elif tag := _TAG.match(text, begin, end):
            self._hide(begin, tag.end())
            return tag.end()
        return begin + 1

    def _link(self, begin: int, end: int) -> int:
        """Mark a link, or the alternative text of an image; return the offset where to continue."""
        if wiki := _WIKI_LINK.match(self._text, begin, end):
            target = wiki[1].strip().rstrip("\\").replace("%", "%25").replace(":", "%3A")  # a name, not an address
            self._enclose(wiki, 2 if wiki[2] else 1, MarkKind.LINK, target)
            return wiki.end()
        link = _LINK.match(self._text, begin, end)
        target = link[2] if link else ""
        if link is None and (link := _REFERENCE.match(self._text, begin, end)):
            target = self._definitions.get((link[2] or link[1]).casefold(), "")
            if not target or self._text.startswith(":", link.end()):
                return begin + 1
        if link is None:
            return begin + 1
        if self._text[begin] == "!":
            self._enclose(link, 1, MarkKind.EMPHASIS)
        else:
            self._enclose(link, 1, MarkKind.LINK, target)
            self._mark_words(*link.span(1))
        return link.end()

    def _emphasis(self, start: int, begin: int, end: int, runs: list[_Run]) -> int:
        """Match a delimiter run with earlier ones; return the offset where it ends (CommonMark, section 6.2)."""
        sign, after = self._text[begin], begin
        while after < end and self._text[after] == sign:
            after += 1
        opens, closes = _flanks(sign, self._text[begin - 1 : begin] if begin > start else "", self._text[after:end][:1])
        here = _Run(sign, begin, after - begin)
        while closes and here.left:
            opener = next((run for run in reversed(runs) if run.sign == sign), None)
            used = min(2, here.left, opener.left) if opener else 0
            if opener is None or (sign == "~" and used < 2):
                break
            inner = opener.start + opener.left
            kind = MarkKind.STRIKETHROUGH if sign == "~" else MarkKind.STRONG if used == 2 else MarkKind.EMPHASIS
            self._hide(inner - used, inner)
            self._hide(here.start, here.start + used)
            self._found.append(InlineMark(inner, here.start, kind))
            del runs[runs.index(opener) + 1 :]
            opener.left -= used
            if not opener.left:
                runs.pop()
            here.start, here.left = here.start + used, here.left - used
        if opens and here.left:
            runs.append(here)
        return after

    def _enclose(self, match: re.Match[str], group: int, kind: MarkKind, target: str = "") -> None:
        """Mark one group of a match and hide the rest of it."""
        start, end = match.span(group)
        self._hide(match.start(), start)
        self._hide(end, match.end())
        if start < end:
            self._found.append(InlineMark(start, end, kind, target))

    def _hide(self, start: int, end: int) -> None:
        if start < end:
            self._found.append(InlineMark(start, end, MarkKind.MARKUP))


def _flanks(sign: str, before: str, after: str) -> tuple[bool, bool]:
    """Return whether a delimiter run between two characters can open and can close emphasis."""
    spaced, spaced_after = not before.strip(), not after.strip()
    pointed, pointed_after = _is_punctuation(before), _is_punctuation(after)
    left = not spaced_after and (not pointed_after or spaced or pointed)
    right = not spaced and (not pointed or spaced_after or pointed_after)
    if sign != "_":
        return left, right
    return left and (not right or pointed), right and (not left or pointed_after)


def _is_punctuation(character: str) -> bool:
    return bool(character) and not character.isalnum() and not character.isspace()
