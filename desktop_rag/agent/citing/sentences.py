"""Puts shown lines back together into sentences that know their lines."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from desktop_rag.agent.citing.reading import GAP
from desktop_rag.documents.sentences import split_sentences

WRAPPED = 45  # a shorter line without a full stop was ended by its writer, not by the page's width
LONGEST = 4_000  # characters of a paragraph put together from lines
_ENDS = ".!?:;。！？"
_BULLETS = ("-", "*", "•", "–", "#", ">", "|")


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence as its source has it, line ends turned into spaces."""

    text: str
    first_line: int
    last_line: int


@dataclass(slots=True)
class _Paragraph:
    """Lines that belong together; `starts` are the offsets at which each of them begins."""

    text: str
    starts: list[int]
    numbers: list[int]

    def add(self, number: int, line: str) -> None:
        if self.text.endswith("-") and self.text[-2:-1].isalpha() and line[0].islower():
            self.text = self.text[:-1]
        else:
            self.text += " "
        self.starts.append(len(self.text))
        self.numbers.append(number)
        self.text += line

    def line_at(self, offset: int) -> int:
        return self.numbers[max(bisect_right(self.starts, offset) - 1, 0)]


def sentences(lines: Mapping[int, str]) -> list[SourceSentence]:
    """Return the sentences of numbered lines in order; none reaches over a gap in the numbers."""
    found: list[SourceSentence] = []
    for paragraph in _paragraphs(lines):
        for start, end in split_sentences(paragraph.text):
            text = paragraph.text[start:end].strip()
            if text:
                found.append(SourceSentence(text, paragraph.line_at(start), paragraph.line_at(end - 1)))
    return found


def _paragraphs(lines: Mapping[int, str]) -> Iterator[_Paragraph]:
    current: _Paragraph | None = None
    for number in sorted(lines):
        line, *apart = (part.strip().strip("…").strip() for part in lines[number].split(GAP))
        if current and not (number == current.numbers[-1] + 1 and _goes_on(current, lines[number - 1], line)):
            yield current
            current = None
        if not line:
            continue
        if current:
            current.add(number, line)
        else:
            current = _Paragraph(line, [0], [number])
        for part in apart:
            yield current
            current = _Paragraph(part, [0], [number])
    if current:
        yield current


def _goes_on(paragraph: _Paragraph, previous: str, line: str) -> bool:
    """Return whether `line` is the next line of the same paragraph."""
    if not line or line.startswith(_BULLETS) or len(paragraph.text) > LONGEST:
        return False
    before = previous.rstrip()
    return len(before) >= WRAPPED or (not before.endswith(tuple(_ENDS)) and line[0].islower())
