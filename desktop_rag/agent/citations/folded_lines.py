"""Compares texts as a reader would: Unicode forms, ligatures, quotes, dashes, spaces, line-end hyphens are equal."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
        "…": " ",
        "*": None,  # a model's emphasis inside its quote
    }
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")  # inside a word: a line end may have put it there
_WORD = re.compile(r"\u22ef|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a folded text and where it stands in it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoldedLines:
    """Lines folded into one text; each piece of it knows its line."""

    text: str
    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        """Return the number of the line that holds the character at `offset` of the folded text."""
        return self.numbers[max(bisect_right(self.starts, offset) - 1, 0)]


def fold(text: str) -> str:
    """Return `text` without the differences that do not matter."""
    folded = unicodedata.normalize("NFKC", text.translate(_ALIKE)).casefold().translate(_ALIKE)
    return _HYPHEN.sub("", " ".join(folded.split()))


def fold_lines(lines: Mapping[int, str]) -> FoldedLines:
    """Fold numbered lines into one text, joining words that a line end divided."""
    text, starts, numbers = "", [], []
    parts: list[str] = []
    length = 0
    for number in sorted(lines):
        folded = fold(lines[number])
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
    return FoldedLines("".join(parts), tuple(starts), tuple(numbers))


def words(text: str) -> tuple[Word, ...]:
    """Return the words of a folded text; Chinese, Japanese and Korean count by character."""
    return tuple(Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(text))
