"""Finds the things that a question tells apart by a number or letter: “Year 8”, “flight TP 1328”, “the A team”."""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.check_words import word_set
from desktop_rag.index.keywords.analysis import fold_text
from desktop_rag.text.dates import MONTH_NAME, MONTHS

_NUMBERED = re.compile(
    r"(?<!^)\b(?P<noun>[^\W\d_]{2,})[  ](?:(?:no|nr)\.? )?(?P<number>\d{1,5}[a-z]?)\b(?![.,:/-]?\d|[  ]?[%€$£°])"
)
_LABELS = word_set(
    "section chapter article clause paragraph page room flat apartment unit floor gate platform line row table figure "
    "class grade year form group team level stage phase step version circular notice invoice order ticket case item "
    "lot flight train bus route motion point question week lesson part volume appendix annex exhibit "
    "abschnitt kapitel artikel ziffer seite zimmer raum wohnung klasse gruppe rechnung flug zug linie punkt woche teil"
)
_BETWEEN = r"(?:\s|,|–|-|/|\bno\.?|\bnr\.?|\bnumber|\band\b|\bor\b|\bto\b|\bund\b|\boder\b|\bbis\b|\b\d{1,4}\b)*"
# “I” is a pronoun, and “A” an article where a sentence begins.
_LETTERED = (
    re.compile(r"(?<!^)\b(?P<letter>[A-HJ-Z]) (?P<noun>[^\W\d_]{3,})\b"),
    re.compile(r"\b(?P<noun>[^\W\d_]{3,}) (?P<letter>[A-HJ-Z])\b(?![’'.-])"),
)
_CALENDAR_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def untold_numbers(question: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield the things named by a number or a letter, as the question writes them, that none of the texts has.

    A text has a letter that stands alone, and a number that stands beside the noun (“years 7 and 8”) or at its
    beginning (“9. Fees”).
    """
    folded = [fold_text(text) for text in texts]
    for found in _NUMBERED.finditer(question):
        noun, number = fold_text(found["noun"]), found["number"].lower()
        named = noun in _LABELS or (found["noun"][0].isupper() and noun not in MONTHS)
        if named and not _CALENDAR_YEAR.fullmatch(number) and not any(_has(text, noun, number) for text in folded):
            yield found[0]
    for found in (each for pattern in _LETTERED for each in pattern.finditer(question)):
        alone = re.compile(rf"(?<!^)(?<![.!?] )\b{found['letter']}\b")
        if fold_text(found["noun"]) in _LABELS and not any(map(alone.search, texts)):
            yield found[0]


def _has(text: str, noun: str, number: str) -> bool:
    end = rf"{number}(?!\w|[.,:]\d|\.? (?:{MONTH_NAME})\b)"
    beside = rf"{noun}\w*{_BETWEEN}{end}|(?<![\d.,:]){number}(?:st|nd|rd|th|\.)? {noun}"
    return re.search(beside, text, re.IGNORECASE) is not None or re.match(rf"\W*{end}", text, re.IGNORECASE) is not None
