"""Finds sentences and rows of tables in documents, with their lines: what statements are made of."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from benchmarks.lies.cases import Place
from benchmarks.lies.documents import StoredDocument
from desktop_rag.text.sentences import split_sentences

SHORT, LONG = 7, 38  # words of a sentence
NEAR = 60  # lines around the cited ones in which no altered word may stand
HEADER_LINES = 30  # between a table's header and its rows
_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"[A-Z][^\[\]{}<>|=\t\\“”\"*_`#@~^]+[a-z0-9%)]\.")
_PRONOUN = re.compile(
    r"(?:He|She|It|They|This|These|That|Those|His|Her|Its|Their|We|Our|I|You|Such|There|Here|See|Refer|As used|"
    r"Table|Figure|Note|And|But|Or|So|Also|However|Both|Another|Other)\b"
)
_SPEECH = re.compile(r"\A([A-Z]\w+): (.+)\Z")
_LABEL = re.compile(
    r"(?:Total |Net |Consolidated )*(?:sales|revenues?|earnings|income|gross profit|assets|current assets|liabilities|"
    r"current liabilities|goodwill|(?:merchandise )?inventories|accounts payable|income tax expense|equity|"
    r"depreciation and amortization|operating income|earnings from operations|research and development|"
    r"cash and cash equivalents|cost of sales|interest expense|long-term debt|stock-based compensation|"
    r"deferred revenue|earnings before income taxes|income taxes paid|operating expenses|advertising expense|"
    r"capital expenditures|property and equipment|inventories, net)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\(?\d{1,3}(?:,\d{3})*(?:\.\d+)?\)?")
_YEAR = re.compile(r"\b20[012]\d\b")
_UNIT = re.compile(r"\bin (millions|thousands)\b", re.IGNORECASE)
_PLURAL = re.compile(r"(?:s|payable|net)$")


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a document; `nearby` is all text near it in which its words could also stand."""

    document: StoredDocument
    place: Place
    text: str
    nearby: str

    @cached_property
    def nearby_words(self) -> frozenset[str]:
        """The words near it, in lower case."""
        return frozenset(_WORD.findall(self.nearby.lower()))

    def is_near(self, words: str) -> bool:
        """Return whether any of these words stands near it, in any case."""
        return not self.nearby_words.isdisjoint(_WORD.findall(words.lower()))

    @property
    def nearby_lines(self) -> str:
        """The cited lines themselves."""
        return "\n".join(self.document.lines(self.place.first, self.place.last))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of amounts by year, newest first, in `unit` (“millions”) of dollars."""

    document: StoredDocument
    place: Place
    label: str
    years: tuple[int, ...]
    amounts: tuple[Decimal, ...]
    unit: str
    nearby: str
    header: int  # the line of the years

    @property
    def subject(self) -> str:
        """The label as the subject of a sentence."""
        return self.label[0] + self.label[1:].lower()

    @property
    def plural(self) -> bool:
        """Whether the label takes a plural verb."""
        return bool(_PLURAL.search(self.label))

    @property
    def scale(self) -> str:
        """The unit as the word after a number: “million”."""
        return self.unit.removesuffix("s")


def sentences_of(document: StoredDocument) -> list[SourceSentence]:
    """Return the complete sentences of a document that can be understood alone."""
    lines = document.lines()
    found = []
    for first, block in _blocks(lines):
        text, starts = "", []
        for line in block:
            starts.append(len(text))
            text += f"{line.strip()} "
        for start, end in split_sentences(text):
            sentence = text[start:end].strip()
            if _is_usable(sentence):
                numbers = [n for n, at in enumerate(starts, first) if at < end]
                place = Place(document.name, max(n for n in numbers if starts[n - first] <= start), numbers[-1])
                found.append(SourceSentence(document, place, sentence, nearby(document, lines, place)))
    return found


def rows_of(document: StoredDocument) -> list[TableRow]:
    """Return the rows of amounts below a header of different years, of a table that names its unit."""
    lines = document.lines()
    found = []
    for number, line in enumerate(lines, 1):
        label, _, cells = line.partition("\t")
        label = label.strip()
        amounts = [_amount(text) for text in _AMOUNT.findall(cells)]
        rest = re.sub(r"[\s$()—]", "", _AMOUNT.sub("", cells))
        if not _LABEL.fullmatch(label) or len(amounts) < 2 or rest or min(amounts) < 100 or "(" in cells:
            continue
        header = _header(lines, number, len(amounts))
        if header and len(set(amounts)) == len(amounts):
            place = Place(document.name, number, number)
            found.append(
                TableRow(
                    document,
                    place,
                    label,
                    header[1],
                    tuple(amounts),
                    header[2],
                    nearby(document, lines, place),
                    header[0],
                )
            )
    return found


def turns_of(document: StoredDocument) -> list[tuple[Place, str, str]]:
    """Return place, speaker and first sentence of each turn of a chat."""
    found = []
    for number, line in enumerate(document.lines(), 1):
        if match := _SPEECH.match(line):
            found.append((Place(document.name, number, number), match[1], match[2]))
    return found


def nearby(document: StoredDocument, lines: Sequence[str], place: Place) -> str:
    """Return the text around a place, with the title and the file name."""
    around = lines[max(place.first - 1 - NEAR, 0) : place.last + NEAR]
    return "\n".join([*around, document.source.title, document.document.title, document.name.replace("_", " ")])


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield runs of prose lines with the number of their first line."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip() and "\t" not in line and not line.startswith(("#", "|", "- ", "•")):
            block.append(line)
            continue
        if block:
            yield number - len(block), block
        block = []


def _is_usable(sentence: str) -> bool:
    words = sentence.split()
    return (
        SHORT <= len(words) <= LONG
        and bool(_PLAIN.fullmatch(sentence))
        and not _PRONOUN.match(sentence)
        and sentence.count("(") == sentence.count(")")
        and sum(word[:1].isupper() for word in words) <= len(words) * 0.6
        and not re.search(
            r"[a-z]- [a-z]|\b(?:e\.g|i\.e|et al|Fig|No)\.|\.\.|https?:|www\.|[�]|\s[.,]\s|\b[A-Z]\.$", sentence
        )
    )


def _header(lines: Sequence[str], row: int, columns: int) -> tuple[int, tuple[int, ...], str] | None:
    """Return line, years and unit of the header above a row; None unless all of them are certain."""
    for number in range(row - 1, max(row - HEADER_LINES, 0), -1):
        line = lines[number - 1]
        years = tuple(int(year) for year in _YEAR.findall(line))
        if not years:
            continue
        short = len(re.sub(r"[\W\d]", "", line)) < 60
        consecutive = all(a == b + 1 for a, b in itertools.pairwise(years))
        if len(years) != columns or not consecutive or not short:
            return None
        around = "\n".join(lines[max(number - 6, 0) : number + 2])
        unit = _UNIT.search(around)
        quarterly = re.search(r"three months|thirteen weeks|quarter|six months|26 weeks", around, re.IGNORECASE)
        return (number, years, unit[1].lower()) if unit and not quarterly else None
    return None


def _amount(text: str) -> Decimal:
    value = Decimal(text.strip("()").replace(",", ""))
    return -value if text.startswith("(") else value
