"""Names in a text: of a passage by its title, those that a question lacks, countries and nationalities."""

import re
from collections.abc import Sequence

from desktop_rag.agent.citations.names import place_groups
from desktop_rag.agent.extractive.content_words import ENGLISH
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.dates import ENGLISH_MONTHS

MAX_COUNTRY = 3  # words
INITIALS = 3  # letters of an acronym
SPREAD = 80  # characters within which the words of a title are one name
ROUGHLY = 0.7  # strength of a name by scattered words or initials

_PARENTHESES = re.compile(r"\s*\([^()]*\)\s*$")
_FILE = re.compile(r"(\w+(?: \w+)+)\.[a-z][a-z\d]{1,4}")  # a file of several words; “Oxygen.txt” is named too often
_WORD = re.compile(r"\w+")


def title_words(title: str) -> list[str]:
    """Return the words of a title without what follows in brackets, of a file's name without its suffix."""
    named = _FILE.fullmatch(title)
    return _WORD.findall(named[1] if named else _PARENTHESES.sub("", title))


def is_asked(title: str, question: str) -> float:
    """Return how surely a padded question names a passage by its title or what stands before its first comma."""
    found = [0.0]
    for words in (title_words(title), title_words(title.partition(",")[0])):
        literal = f" {' '.join(words)} ".lower() in question.lower() if words else False
        found.append(1.0 if literal else name_in(words, question)[0])
    return max(found)


def padded(text: str) -> str:
    """Return the words of a text, with one space before and after each."""
    return f" {' '.join(_WORD.findall(text))} "


def name_in(words: Sequence[str], text: str) -> tuple[float, int]:
    """Return how surely a padded text has a name (1 literally, 0 not at all), and where."""
    if not words or (len(words) == 1 and not words[0][0].isupper()):
        return 0.0, -1
    if (at := text.find(f" {' '.join(words)} ")) >= 0:
        return 1.0, at
    capitals = [word for word in words if word[0].isupper() and word not in ENGLISH_MONTHS]
    places = [text.find(f" {word} ") for word in capitals]
    if len(capitals) > 1 and min(places) >= 0 and max(places) - min(places) < SPREAD:
        return ROUGHLY, min(places)
    initials = "".join(word[0] for word in capitals)
    at = text.find(f" {initials} ") if len(initials) >= INITIALS else -1
    return (ROUGHLY, at) if at >= 0 else (0.0, -1)


def origins(text: str) -> list[tuple[str, int]]:
    """Return the countries and nationalities in a text, in order: as written, and the number of the country.

    Those that are only a part of another name are none: New Mexico, American Airlines.
    """
    found: list[tuple[str, int]] = []
    words = list(_WORD.finditer(text))
    capital = [word[0][0].isupper() and fold(word[0]) not in ENGLISH for word in words]
    at = 0
    while at < len(words):
        spans = (words[at : at + size] for size in range(MAX_COUNTRY, 0, -1) if all(capital[at : at + size]))
        named = ((span, place_groups(countries=True).get("-".join(fold(word[0]) for word in span))) for span in spans)
        span, country = next((each for each in named if each[1] is not None), (words[at : at + 1], None))
        first, last = at, at + len(span) - 1
        before = first > 0 and capital[first - 1] and text[words[first - 1].end() : span[0].start()] == " "
        after = last + 1 < len(words) and capital[last + 1] and text[span[-1].end() : words[last + 1].start()] == " "
        if country is not None and not (before or after):
            found.append((text[span[0].start() : span[-1].end()], country))
        at = last + 1
    return found
