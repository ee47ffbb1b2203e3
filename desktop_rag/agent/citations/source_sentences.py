"""Splits read lines into sentences with their line numbers, their shape and the heading above them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from desktop_rag.agent.citations.citable_lines import GAP
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.text.language_profiles import LATIN
from desktop_rag.text.sentences import split_sentences

_CACHED = 48  # texts: every statement of an answer is compared with the same lines
WRAPPED = 45  # a shorter line without a full stop ends its paragraph: it was not wrapped at the page's width
WIDEST = 160  # characters of a wrapped line
MAX_AROUND = 8  # lines of a paragraph before and after cited ones
MAX_PARAGRAPH = 4_000  # characters of a paragraph joined from lines
HEADING_WORDS = 12
TABLE_GAP = 3  # lines between rows: the rule under the header, or the rest of a cell
_ENDS = ".!?:;。！？"
_CLOSED = tuple(f"{_ENDS}\"'”’»)]…")  # how a text ends that is not broken off
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:(?:page|seite)\s+)?\d{1,4}(?:\s*(?:of|von|/)\s*\d{1,4})?[-–—\s]*", re.IGNORECASE)
_LAST_WORD = re.compile(r"[^\W\d_]+$")
# Words of a clause that goes on, and of no name.
LEADS_ON = STOP_WORDS.union(*(map(fold, LATIN[code].words) for code in ("de", "en", "es", "fr")))
BLANK = 2  # lines at most between a page's number and the text before and after it
_MARKER = re.compile(r"^(?:#{1,6}|[-*•–>]|\(?\d{1,3}[.)])\s+")
_HASHES = re.compile(r"#{1,6}\s+\S")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,4}\.?\s+[^\W\d]\D*")
_LABEL = re.compile(r"[^\W\d_][\w .'’-]{0,30}:\s+\S")  # "Present: …", "LiHua: …"
STAMPED = re.compile(  # a message of a chat, a line of a log
    r"\[?\d{1,4}[./-](?:\d{1,2}|[A-Z][a-z]{2})[./-]\d{2,4}(?:,? |T|:)\d{1,2}:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d "
)
_RULE = re.compile(r"[\s|:+=-]*")  # the line below a table's header
_CELLS = re.compile(r"(?!(?<=\d),\d{3}\b)[,;](?=\S)")  # commas between cells, not between clauses or in thousands
_CODE = re.compile(
    r"[{};]$|^(?:def|class|return|import|from|if|for|while|elif|else)\b.*[:;({]$|^(?:import|from|return)\s+[\w.]+(?:\s+import\b.*)?$|"
    r"[\w\]]\(.*\)\s*[:{;]?$|->|=>|[\"']{3}|^\w+\s=\s"
)


_GERMAN_ORDINAL = re.compile(
    r"\b(?:der|die|das|dem|den|des|am|im|vom|zum|zur|bis|ab|seit|jede[rnms]?|diese[rnms]?)\s\d{1,3}\.$", re.IGNORECASE
)


class SentenceShape(Enum):
    """What kind of text a sentence is."""

    PROSE = "prose"
    HEADING = "heading"
    ROW = "row of a table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of the source on one line; `under` is its heading, `columns` the header of its table."""

    text: str
    first_line: int
    last_line: int
    shape: SentenceShape = SentenceShape.PROSE
    under: str = ""
    columns: str = ""

    @property
    def above(self) -> str:
        """Its heading and the header of its table."""
        return f"{self.under} {self.columns}".strip()


@dataclass(slots=True)
class _Paragraph:
    """The joined lines of a paragraph; `starts` are the offsets of each line."""

    text: str
    numbers: list[int]
    shape: SentenceShape = SentenceShape.PROSE
    starts: list[int] = field(default_factory=lambda: [0])

    def add(self, number: int, line: str) -> None:
        divided = self.text.endswith("-") and self.text[-2:-1].isalpha() and line[0].isalpha()
        if divided and line[0].islower():
            self.text = self.text[:-1]
        elif not divided:  # a hyphen before a capital belongs to the word: non-GAAP
            self.text += " "
        self.starts.append(len(self.text))
        self.numbers.append(number)
        self.text += line

    def line_at(self, offset: int) -> int:
        return self.numbers[max(bisect_right(self.starts, offset) - 1, 0)]


def sentences(lines: Mapping[int, str]) -> tuple[SourceSentence, ...]:
    """Return the sentences of numbered lines in order; none spans a gap in the numbers."""
    return _sentences(tuple(sorted(lines.items())))


@lru_cache(maxsize=_CACHED)
def _sentences(numbered: tuple[tuple[int, str], ...]) -> tuple[SourceSentence, ...]:
    lines = dict(numbered)
    found: list[SourceSentence] = []
    heading = header = ""
    last_row, last = -TABLE_GAP, 0
    for paragraph in _paragraphs(lines):
        if any(number not in lines for number in range(last + 1, paragraph.numbers[0])):
            heading = header = ""  # another one may stand where no line was read
        last = paragraph.numbers[-1]
        if paragraph.shape is SentenceShape.ROW:
            first = paragraph.numbers[0]
            if first > last_row + TABLE_GAP:
                names = not any(character.isdigit() for character in paragraph.text)
                header = paragraph.text if names else ""
                paragraph.shape = SentenceShape.HEADING if names else SentenceShape.ROW
            last_row = first
            found += _split(paragraph, heading, header if paragraph.shape is SentenceShape.ROW else "")
        else:
            found += _split(paragraph, "" if paragraph.shape is SentenceShape.HEADING else heading)
            heading = paragraph.text if paragraph.shape is SentenceShape.HEADING else heading
    return tuple(found)


def paragraph_around(lines: Mapping[int, str], first: int, last: int) -> str:
    """Return the lines before and after a range that are wrapped lines of the same paragraph."""
    low, high = first, last
    while first - low < MAX_AROUND and _is_wrapped(lines.get(low - 1, ""), lines.get(low, "")):
        low -= 1
    while high - last < MAX_AROUND and _is_wrapped(lines.get(high, ""), lines.get(high + 1, "")):
        high += 1
    return "\n".join(lines[number] for number in range(low, high + 1) if not first <= number <= last)


def _is_wrapped(before: str, line: str) -> bool:
    """Return whether a line continues the paragraph of the line before it, which was wrapped at the page's width."""
    before, line = before.strip(), line.strip()
    if not WRAPPED <= len(before) <= WIDEST or not line or "\t" in before + line or before.startswith("|"):
        return False
    return not (_HASHES.match(before) or _MARKER.match(line) or _LABEL.match(line))


def _split(paragraph: _Paragraph, under: str, columns: str = "") -> Iterator[SourceSentence]:
    whole = paragraph.shape in (SentenceShape.ROW, SentenceShape.HEADING)
    for start, end in ((0, len(paragraph.text)),) if whole else sentence_ranges(paragraph.text):
        if text := paragraph.text[start:end].strip():
            first, last = paragraph.line_at(start), paragraph.line_at(end - 1)
            yield SourceSentence(text, first, last, paragraph.shape, under, columns)


def sentence_ranges(text: str) -> list[tuple[int, int]]:
    """Return the sentences of a text; a German ordinal before its noun (“in der 23. Woche”) ends none."""
    found: list[tuple[int, int]] = []
    for start, end in split_sentences(text):
        if found and _GERMAN_ORDINAL.search(text, *found[-1]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _paragraphs(lines: Mapping[int, str]) -> Iterator[_Paragraph]:
    current: _Paragraph | None = None
    page_numbers, turned = _page_turns(lines)
    for number in sorted(lines.keys() - page_numbers):
        line, *apart = (part.strip().strip("…").strip() for part in lines[number].split(GAP))
        shape = _shape(line, number, lines)
        before = turned.get(number, number - 1)
        if current and not (before == current.numbers[-1] and _continues(current, lines[before], line, shape)):
            yield current
            current = None
        if not line or (shape is SentenceShape.ROW and _RULE.fullmatch(line)):
            continue
        if current:
            current.add(number, line)
        else:
            current = _Paragraph(_MARKER.sub("", line, count=1) or line, [number], shape)
        for part in apart:
            yield current
            current = _Paragraph(part, [number])
    if current:
        yield current


def is_cut(text: str) -> bool:
    """Return whether a text is broken off for sure: it ends with a comma or a word that leads on, such as “the”."""
    last = _LAST_WORD.search(text)
    return text.endswith(",") or (last is not None and last[0].islower() and fold(last[0]) in LEADS_ON)


def is_cut_at_end(sentence: SourceSentence, lines: Mapping[int, str]) -> bool:
    """Return whether prose is broken off: by the end of what was read or of the page, or before its next line."""
    if sentence.shape is not SentenceShape.PROSE or sentence.text.endswith(_CLOSED):
        return False
    last = sentence.last_line
    below = next((text for each in range(last + 1, last + BLANK + 2) if (text := lines.get(each, "").strip())), "")
    ends = last + 1 not in lines or below[:1].islower() or _PAGE_NUMBER.fullmatch(below) is not None
    wrapped = sentence.first_line < sentence.last_line and len(lines.get(sentence.last_line, "")) >= WRAPPED
    return is_cut(sentence.text) or (ends and wrapped)


def _page_turns(lines: Mapping[int, str]) -> tuple[frozenset[int], dict[int, int]]:
    """Return the lines between a sentence and its rest on the next page, and the line before each line with a rest.

    They are the number at the foot of the page, and blank lines. Without a rest, only the number is between.
    """
    between: set[int] = set()
    turned: dict[int, int] = {}
    for number in (each for each, text in lines.items() if text.strip() and _PAGE_NUMBER.fullmatch(text)):
        above = next((each for each in range(number - 1, number - BLANK - 2, -1) if lines.get(each, "").strip()), 0)
        text = lines.get(above, "").rstrip()
        if not WRAPPED <= len(text) <= WIDEST or "\t" in text or text.endswith(_CLOSED):
            continue
        between.add(number)
        below = next((each for each in range(number + 1, number + BLANK + 2) if lines.get(each, "").strip()), 0)
        rest = lines.get(below, "").strip()
        goes_on = rest[:1].islower() or (is_cut(text) and len(rest) >= WRAPPED)
        if goes_on and all(each in lines for each in range(above, below)):
            between.update(range(above + 1, below))
            turned[below] = above
    return frozenset(between), turned


def _continues(paragraph: _Paragraph, previous: str, line: str, shape: SentenceShape) -> bool:
    """Return whether `line` continues the paragraph."""
    if (
        not line
        or paragraph.shape is not shape
        or shape is not SentenceShape.PROSE
        or len(paragraph.text) > MAX_PARAGRAPH
    ):
        return False
    if _MARKER.match(line) or _LABEL.match(line) or STAMPED.match(line):
        return False
    before = previous.rstrip()
    return len(before) >= WRAPPED or (not before.endswith(tuple(_ENDS)) and line[0].islower())


def _shape(line: str, number: int, lines: Mapping[int, str]) -> SentenceShape:
    if _HASHES.match(line) and not _CODE.search(lines.get(number + 1, "").strip()):  # else a remark
        return SentenceShape.HEADING
    if "\t" in line or line.startswith("|") or len(_CELLS.findall(line)) >= 2:
        return SentenceShape.ROW
    if _CODE.search(line):
        return SentenceShape.CODE
    alone = lines.get(number - 1, "-").strip() == "" == lines.get(number + 1, "-").strip() or number == 1
    if not alone or line.endswith((*_ENDS, ",")) or len(line.split()) > HEADING_WORDS or len(split_sentences(line)) > 1:
        return SentenceShape.PROSE
    if _LABEL.match(line) and any(_LABEL.match(lines.get(each, "")) for each in (number - 2, number + 2)):
        return SentenceShape.PROSE  # one of several fields
    digits = any(character.isdigit() for character in line)
    return SentenceShape.PROSE if digits and not _NUMBERED.fullmatch(line) else SentenceShape.HEADING
