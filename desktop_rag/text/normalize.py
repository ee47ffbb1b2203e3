"""Folds texts so that differences a reader would not see compare equal, and maps the result back to its source.

There are two strengths. `fold` is for searching: case, accents, ligatures and widths do not matter. `fold_quote` is for
proving a quotation: accents do matter, but the kind of quotes and dashes, emphasis, spaces and hyphens in words do not.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.text.raised import RAISED, comparable

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
        **dict.fromkeys(map(chr, (*range(0x202A, 0x202F), *range(0x2061, 0x2070), *range(0xE0000, 0xE0080))), None),
        **dict.fromkeys("\u061c\u200e\u200f\ufffd", None),  # marks of direction, and what stands for hidden text
        **dict(zip("⟨⟩⟦⟧", "<>[]", strict=True)),  # see `hidden_characters.as_data`
        "…": " ",
        "*": None,  # emphasis that a model adds inside its quote
    }
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")  # inside a word: perhaps inserted at a line end
_WORD = re.compile(r"\u22ef|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")


class FoldedText:
    """A text folded by `fold`, with a map from its characters to the original."""

    __slots__ = ("_changed", "_ends", "_last", "text")

    def __init__(self, original: str) -> None:
        self._last = len(original) - 1
        self._ends: list[int] = []  # in `text`, of each character whose folded form has another length …
        self._changed: list[tuple[int, int]] = []  # … with its place in the original and the length of that form
        table = {} if original.isascii() else _table(original)
        self.text = original.translate(table) if table else original.lower() if original.isascii() else original
        if odd := "".join(char for char in map(chr, table) if len(table[ord(char)]) != 1):
            shift = 0
            for match in re.finditer(f"[{re.escape(odd)}]", original):
                length = len(table[ord(match.group())])
                self._changed.append((match.start(), length))
                self._ends.append(match.start() + shift + length)
                shift += length - 1

    def original_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original for the characters `start` to `end` of `text`."""
        return next(iter(self.original_ranges([(start, end)])))

    def original_ranges(self, ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """Return the range of the original for each range of `text`, the ends excluded."""
        return map(self._original_range, ranges) if self._ends else ranges

    def _original_range(self, span: tuple[int, int]) -> tuple[int, int]:
        start, end = span
        first = self._original(start)
        return first, self._original(end - 1) + 1 if end > start else first

    def _original(self, position: int) -> int:
        after = bisect_right(self._ends, position)  # the changed characters that end before it
        if after < len(self._ends) and position >= self._ends[after] - self._changed[after][1]:
            return self._changed[after][0]
        shift = self._ends[after - 1] - self._changed[after - 1][0] - 1 if after else 0
        return min(position - shift, self._last)


@dataclass(frozen=True, slots=True)
class FoldedWord:
    """A word of a folded text and its offsets."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoldedLines:
    """Lines folded by `fold_quote` into one text, with words joined across line ends."""

    text: str
    starts: tuple[int, ...]  # offset of each line in `text`; lines without text are omitted
    numbers: tuple[int, ...]
    lines: Mapping[int, str]

    def line_at(self, offset: int) -> int:
        """Return the number of the line that contains the character at `offset` of the folded text."""
        return self.numbers[max(bisect_right(self.starts, offset) - 1, 0)]

    def original_ranges(self, start: int, end: int) -> tuple[tuple[int, int, int], ...]:
        """Return the original ranges of the characters `start` to `end` as (line, start, end), the end excluded."""
        first, left, _ = self._source(start)
        last, _, right = self._source(end - 1)
        within = sorted(number for number in self.lines if first <= number <= last)
        found = ((n, left if n == first else 0, right if n == last else len(self.lines[n])) for n in within)
        return tuple((number, begin, finish) for number, begin, finish in found if finish > begin)

    def _source(self, offset: int) -> tuple[int, int, int]:
        index = max(bisect_right(self.starts, offset) - 1, 0)
        number = self.numbers[index]
        return number, *_sources(self.lines[number])[offset - self.starts[index]]


def fold(text: str) -> str:
    """Return `text` without case, accents, ligatures and widths, for searching."""
    return FoldedText(text).text


def fold_quote(text: str) -> str:
    """Return `text` without the differences that do not matter in a quotation."""
    return _HYPHEN.sub("", " ".join(_fold_characters(comparable(text)).split()))


def fold_lines(lines: Mapping[int, str]) -> FoldedLines:
    """Fold numbered lines into one text, joining words that a line end divided."""
    text, starts, numbers = "", [], []
    parts: list[str] = []
    length = 0
    for number in sorted(lines):
        folded = fold_quote(lines[number])
        if not folded:
            continue
        if parts:
            divided = text.endswith("-") and text[-2:-1].isalpha() and folded[0].isalpha()
            if divided:
                parts[-1] = parts[-1][:-1]
                length -= 1
            else:
                parts.append(" ")
                length += 1
        starts.append(length)
        numbers.append(number)
        parts.append(folded)
        length += len(folded)
        text = folded
    return FoldedLines("".join(parts), tuple(starts), tuple(numbers), lines)


def words(text: str) -> tuple[FoldedWord, ...]:
    """Return the words of a folded text; Chinese, Japanese and Korean count by character."""
    return tuple(FoldedWord(match.group(), match.start(), match.end()) for match in _WORD.finditer(text))


def _table(text: str) -> dict[int, str]:
    return {ord(char): folded for char in set(text) if (folded := _fold_char(char)) != char}


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    if char in "’‘ʼ":
        return "'"
    if char in RAISED:
        return char  # 320¹ is no 3201
    if char in "\u00ad\u2060":
        return ""  # invisible in a word
    decomposed = unicodedata.normalize("NFKD", char)
    bare = "".join(part for part in decomposed if not unicodedata.combining(part))
    folded = bare.casefold()
    return folded if folded or unicodedata.combining(char) else char


def _fold_characters(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_ALIKE)).casefold().translate(_ALIKE)


def _sources(text: str) -> list[tuple[int, int]]:
    """Return, for each character of `fold_quote(text)`, its range in `text`."""
    folded: list[str] = []
    ranges: list[tuple[int, int]] = []
    text = comparable(text)
    for start, end in _clusters(text):
        for char in _fold_characters(text[start:end]):
            if char.isspace():
                if not folded or folded[-1] == " ":
                    continue
                char = " "
            folded.append(char)
            ranges.append((start, end))
    hyphens = {match.start() for match in _HYPHEN.finditer("".join(folded).rstrip())}
    return [place for index, place in enumerate(ranges) if index not in hyphens]


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of characters that normalisation may merge; dropped characters are between or inside them."""
    start = end = 0
    for index, char in enumerate(text):
        kept = _ALIKE.get(ord(char), char)
        if kept is None:
            continue
        if end and _continues(str(kept)):
            end = index + 1
            continue
        if end:
            yield start, end
        start, end = index, index + 1
    if end:
        yield start, end


@lru_cache(maxsize=8192)
def _continues(char: str) -> bool:
    """Return whether a character may merge with the one before it: a combining mark, or a Hangul vowel or final."""
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.category(first).startswith("M") or "\u1160" <= first <= "\u11ff"


# Compares the tags of documents with those that are wanted; stars and question marks are wildcards.


def has_tag(tags: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether one of the tags is wanted, or below one: `character/ines` is a `character`; case is ignored."""
    patterns = [_pattern(each) for each in wanted]
    return bool(patterns) and any(pattern.fullmatch(fold(tag)) for tag in tags for pattern in patterns)


def _pattern(wanted: str) -> re.Pattern[str]:
    parts = ({"*": ".*", "?": "."}.get(char) or re.escape(char) for char in fold(wanted).lstrip("#"))
    return re.compile(f"{''.join(parts)}(?:/.*)?")
