"""The inline text of one paragraph with its marks, and how it is appended to a document as lines."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import InlineMark, Line, LineKind, MarkKind
from desktop_rag.text.raised import lowered, plain_figures, raised

# Marks text that a document holds but does not show: a reader of the page cannot see it, a model would read it.

LEAST_SIZE = 2.0  # points; smaller letters are not read by anybody
BEGIN, END = "[hidden: ", "]"
DELETED = "[deleted: "  # before text that is struck out
HIDDEN_PART = " (hidden)"  # after the name of a slide or sheet
_PARTS = re.compile(r"\](\s*)\[hidden: ")
_HIDDEN = re.compile(r"\[hidden: [^\]]*\]")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\b.*\)")
_HEXADECIMAL = re.compile(
    r"#?(?:([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:[0-9a-f]{2})?)"
)
_NAMED = {
    "white": "ffffff", "snow": "fffafa", "ivory": "fffff0", "ghostwhite": "f8f8ff", "whitesmoke": "f5f5f5",
    "black": "000000", "gray": "808080", "silver": "c0c0c0", "red": "ff0000", "maroon": "800000", "yellow": "ffff00",
    "lime": "00ff00", "green": "008000", "blue": "0000ff", "navy": "000080", "teal": "008080", "purple": "800080",
    "orange": "ffa500", "transparent": "", "windowtext": "000000", "window": "ffffff",
}  # fmt: skip
_WHITE = re.compile(r"hsla?\([^,/]*[\s,]+[^,/]*[\s,]+(?:9[6-9]|100)(?:\.\d+)?%.*\)")
_WHITE_ELSEWHERE = re.compile(  # white in the other notations of CSS
    r"rgba?\(\s*(?:(?:9[6-9]|100)(?:\.\d+)?%[\s,]*){3}(?:[/,].*)?\)|(?:ok)?l(?:ab|ch)\(\s*(?:1|0?\.9[89]\d*|(?:98|99|100)(?:\.\d+)?%)"
    r"\s+0(?:\.00\d*)?%?\s+[^,]*\)|(?:lab|lch)\(\s*(?:98|99|100)(?:\.\d+)?\s+0(?:\.\d*)?%?\s+[^,]*\)"
    r"|hwb\([^,/()]*\s(?:9[6-9]|100)(?:\.\d+)?%?\s[^,]*\)"
)
_SAME = 10  # levels of a colour that the eye does not tell apart
_MOST_BASES = 20

Key = TypeVar("Key")
Style = TypeVar("Style")


class TextLook(NamedTuple):
    """How letters look and what is behind them; None where nothing is said of it."""

    hidden: bool | None = None
    tiny: bool | None = None
    clear: bool | None = None
    colour: str | None = None
    fill: str | None = None
    struck: bool | None = None
    moved: MarkKind | str | None = None  # up or down; empty for letters on the line

    def over(self, other: "TextLook") -> "TextLook":
        """Return this look, completed by another."""
        return TextLook._make(below if own is None else own for own, below in zip(self, other, strict=True))

    def is_unseen(self, behind: str) -> bool:
        """Return whether the letters are not seen, if `behind` is the colour behind a look without a fill."""
        if self.hidden or self.tiny or self.clear:
            return True
        return bool(self.colour) and are_alike(self.colour or "", self.fill or behind)


def with_bases(styles: Mapping[Key, Style], name: Key, base: Callable[[Style], Key]) -> Iterator[Style]:
    """Yield a style and those that it is based on, one on the other; they may go round in a circle."""
    for _ in range(_MOST_BASES):
        if name not in styles:
            return
        yield styles[name]
        name = base(styles[name])


def mark_hidden(text: str, begin: str = BEGIN) -> str:
    """Return `text` marked as hidden, without its outer white space; white space alone is not marked."""
    core = text.strip()
    start = text.find(core)
    return f"{text[:start]}{begin}{held(core)}{END}{text[start + len(core) :]}" if core else text


def mark_deleted(text: str) -> str:
    """Return `text` marked as struck out in the same way."""
    return mark_hidden(text, DELETED)


def held(text: str) -> str:
    """Return hidden text without what would end its mark: a look-alike that the search for quotations folds."""
    return text.replace("]", "⟧") if "]" in text else text


def join_hidden(text: str) -> str:
    """Return `text` with neighbouring hidden parts as one."""
    return _PARTS.sub(r"\1", text) if BEGIN in text else text


def without_hidden(text: str) -> str:
    """Return `text` without what is marked in it."""
    return _HIDDEN.sub(" ", text) if BEGIN in text else text


@lru_cache(4096)
def are_alike(first: str, second: str) -> bool:
    """Return whether two colours, as hexadecimal digits or in CSS, cannot be told apart; not if one is unknown."""
    levels, others = _levels(first), _levels(second)
    return bool(levels) and bool(others) and all(abs(a - b) <= _SAME for a, b in zip(levels, others, strict=True))


def _levels(colour: str) -> tuple[int, ...]:
    """Return red, green and blue up to 255; empty for what is not understood."""
    colour = colour.strip().lower()
    if found := _RGB.fullmatch(colour):
        return tuple(map(int, found.groups()))
    if found := _HEXADECIMAL.fullmatch(_NAMED.get(colour, colour)):
        return tuple(int(2 * digits if len(digits) == 1 else digits, 16) for digits in found.groups() if digits)
    return (255, 255, 255) if _WHITE.fullmatch(colour) or _WHITE_ELSEWHERE.fullmatch(colour) else ()


_MOVED = (MarkKind.SUPERSCRIPT, MarkKind.SUBSCRIPT)  # the characters themselves tell it

_Look = tuple[Sequence[MarkKind], str, bool]


class InlineText:
    """The text of one paragraph under construction: its lines, each with its marks."""

    __slots__ = ("_in_hidden", "_in_struck", "_is_apart", "_length", "_lines", "_look", "_moved")

    def __init__(self) -> None:
        self._lines: list[tuple[list[str], list[InlineMark]]] = [([], [])]
        self._length = 0
        self._in_hidden = False
        self._in_struck = False
        self._is_apart = False
        self._moved: list[str] = []  # raised or lowered text that may go on
        self._look: _Look = ((), "", False)  # of it

    def keep_apart(self) -> None:
        """Put a blank between what is before and what follows, a formula, where they would run together."""
        self._end_moved()
        self._is_apart = True

    def add(self, text: str, kinds: Sequence[MarkKind] = (), target: str = "", *, hidden: bool = False) -> None:
        """Append `text` to the current line; `target` makes it a link, and `hidden` marks that it is not shown."""
        if text and not (
            kinds or target or hidden or self._moved or self._is_apart or self._in_hidden or self._in_struck
        ):
            self._lines[-1][0].append(text)  # as most
            self._length += len(text)
            return
        is_moved = bool(kinds) and (MarkKind.SUPERSCRIPT in kinds or MarkKind.SUBSCRIPT in kinds)
        if self._moved and not (is_moved and _are_one(self._look, (kinds, target, hidden))):
            self._end_moved()
        if is_moved:
            self._look = self._look if self._moved else (tuple(kinds), target, hidden)
            self._moved.append(text)
        else:
            self._put(text, kinds, target, hidden=hidden)

    def _end_moved(self) -> None:
        """Append the raised or lowered text that is complete now."""
        if not self._moved:
            return
        text, (kinds, target, hidden) = "".join(self._moved), self._look
        self._moved = []
        before = "".join(self._lines[-1][0][-2:])
        if MarkKind.SUPERSCRIPT in kinds:
            moved = raised(text, before)
        else:
            moved = text if text.strip().isdecimal() and self._began_fraction() else lowered(text)
        self._put(moved, [kind for kind in kinds if moved == text or kind not in _MOVED], target, hidden=hidden)

    def _began_fraction(self) -> bool:
        """Return whether raised figures and a slash are before what is lowered, which become 5 1/2 then, not 5¹/₂."""
        pieces = self._lines[-1][0]
        above = pieces[-2] if len(pieces) > 1 and pieces[-1].strip() in tuple("/⁄") else ""
        if above == (plain := plain_figures(above)) or not plain.isdecimal():
            return False
        pieces[-2:] = [f"{' ' if pieces[-3:-2] and pieces[-3][-1:].isalnum() else ''}{plain}", "/"]
        self._length = sum(map(len, pieces))
        return True

    def _put(self, text: str, kinds: Sequence[MarkKind], target: str, *, hidden: bool) -> None:
        if hidden != self._in_hidden and (not hidden or text.strip()):
            self._in_hidden = hidden
            self._write(BEGIN if hidden else END)
        if self._is_apart and text:
            self._is_apart = False
            text = blank_between("".join(self._lines[-1][0][-1:]), text) + text
        struck = MarkKind.STRIKETHROUGH in kinds
        if struck != self._in_struck and (not struck or text.strip()):
            self._in_struck = struck
            self._write(DELETED if struck else END)
        if not text:
            return
        if hidden or struck:
            text = held(text)
        pieces, marks = self._lines[-1]
        start, self._length = self._length, self._length + len(text)
        pieces.append(text)
        for kind in kinds:
            _extend(marks, InlineMark(start, self._length, kind))
        if target:
            _extend(marks, InlineMark(start, self._length, MarkKind.LINK, target))

    def _write(self, mark: str) -> None:
        """Begin or end hidden or struck-out text."""
        self._lines[-1][0].append(mark)
        self._length += len(mark)

    def _end_line(self) -> None:
        self._end_moved()
        for _ in range(self._in_struck + self._in_hidden):
            self._write(END)
        self._in_struck = self._in_hidden = False

    def break_line(self) -> None:
        """Start the next line of the paragraph."""
        self._end_line()
        self._lines.append(([], []))
        self._length = 0

    def lines(self) -> list[tuple[str, list[InlineMark]]]:
        """Return the non-empty lines, stripped, with their marks."""
        if self._moved or self._in_struck or self._in_hidden:
            self._end_line()
        found: list[tuple[str, list[InlineMark]]] = []
        for pieces, marks in self._lines:
            whole = "".join(pieces).replace("\n", " ").replace("\r", " ")
            text = whole.strip()
            if text:
                found.append((text, shift_marks(marks, len(whole.rstrip()) - len(text), len(text)) if marks else []))
        return found

    def has_text(self) -> bool:
        """Return whether there are any lines."""
        return any(any(map(str.strip, pieces)) for pieces in (self._moved, *(pieces for pieces, _ in self._lines)))

    def text(self) -> str:
        """Return the whole text as one line."""
        return " ".join(text for text, _ in self.lines())


def _are_one(look: _Look, after: _Look) -> bool:
    """Return whether what is raised or lowered goes on, perhaps in another font."""
    apart = (*_MOVED, MarkKind.STRIKETHROUGH)
    return look[1:] == after[1:] and all((kind in look[0]) == (kind in after[0]) for kind in apart)


def blank_between(before: str, after: str) -> str:
    """Return a blank if a word or number and a formula beside it would be read as one."""
    is_word = before[-1:].isalnum() or before[-1:] in tuple(")]")
    return " " if is_word and (after[:1].isalnum() or after[:1] in tuple("([√")) else ""


def shift_marks(marks: Sequence[InlineMark], removed: int, length: int) -> list[InlineMark]:
    """Return the marks of a text after its first `removed` characters are removed and `length` are left."""
    shifted = (
        InlineMark(max(0, mark.start - removed), min(length, mark.end - removed), mark.kind, mark.target)
        for mark in marks
    )
    return [mark for mark in shifted if mark.start < mark.end]


def append_paragraph(
    builder: DocumentBuilder, inline: InlineText, kind: LineKind, level: int = 0, label: str = ""
) -> str:
    """Append a paragraph after a blank line (none between list items) and return its text.

    `label` is its number or bullet. A heading becomes one line; the further lines of an item become paragraphs.
    """
    lines = inline.lines()
    if not lines:
        return ""
    if kind is LineKind.HEADING:
        lines = [(" ".join(text for text, _ in lines), lines[0][1])]
    if kind is not LineKind.ITEM or builder.last_kind is not LineKind.ITEM:
        builder.add_blank()
    for number, (text, marks) in enumerate(lines):
        prefix = f"{label} " if label and not number else ""
        further = LineKind.PARAGRAPH if number and kind is LineKind.ITEM else kind
        placed = shift_marks(marks, -len(prefix), len(prefix) + len(text)) if prefix else marks
        builder.add(Line(prefix + text, further, level), placed)
    return " ".join(text for text, _ in lines)


def append_block(builder: DocumentBuilder, inline: InlineText, heading: int, label: str = "", depth: int = 0) -> None:
    """Append a heading of this level, the first one as title; else an item, if it has a label, or a paragraph."""
    if heading:
        title = append_paragraph(builder, inline, LineKind.HEADING, heading, label)
        builder.title = builder.title or title
    elif label:
        append_paragraph(builder, inline, LineKind.ITEM, depth + 1, label)
    else:
        append_paragraph(builder, inline, LineKind.PARAGRAPH)


def append_words(builder: DocumentBuilder, words: str, kind: LineKind, level: int = 0, label: str = "") -> str:
    """Append a paragraph without inline marks and return its text."""
    inline = InlineText()
    inline.add(words)
    return append_paragraph(builder, inline, kind, level, label)


def append_text(builder: DocumentBuilder, text: str) -> None:
    """Append a text of several lines unchanged, after a blank line."""
    builder.add_blank()
    for line in text.strip().split("\n"):
        builder.add(Line(line.rstrip(), LineKind.PARAGRAPH if line.strip() else LineKind.BLANK))


def comment_label(author: str) -> str:
    """Return the label in front of a reviewer's comment."""
    return f"Comment by {author}:" if author else "Comment:"


def _extend(marks: list[InlineMark], mark: InlineMark) -> None:
    if mark.start == mark.end:
        return
    for index in range(len(marks) - 1, max(-1, len(marks) - 4), -1):
        before = marks[index]
        if before.end == mark.start and before.kind is mark.kind and before.target == mark.target:
            marks[index] = InlineMark(before.start, mark.end, mark.kind, mark.target)
            return
    marks.append(mark)
