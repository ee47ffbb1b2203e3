"""Finds the names and addresses of a statement that its lines, their headings, title and paragraph do not write.

A name counts as written in any inflection, compound, transcription or abbreviation. Where it is doubtful whether a word
is a name at all, nothing is said: the first word of a sentence, a noun in a language that capitalises every noun.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache

from desktop_rag.agent.citations.statement_words import StatementWord, is_ordinary, split_words
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, fold_text, stem
from desktop_rag.paths import resources
from desktop_rag.text.dates import MONTHS as MONTH_NAMES
from desktop_rag.text.figure_names import CURRENCIES, SCALES, UNITS, spelled_numbers
from desktop_rag.text.language_detection import detect, language_of_query

MONTHS = {fold(name): number for name, number in MONTH_NAMES.items()}
SAMPLE = 1_000  # characters of the lines that show their language
SHORTEST = 3  # letters of a name
PREFIX = 4  # letters that a name and another form of it share at least, and …
SAME = 0.6  # … their share of the longer form
ALIKE = 0.8  # share of equal letters of a name in two transcriptions
INSIDE = 5  # letters of a name that may stand inside a longer word: Lockheed in LOCKHEEDMARTIN
LOUD = 0.5  # share of words in capital letters of a text that has no acronyms
MAX_LINES = 2_000  # of a document in which the full form of a name is sought
MAX_LINE = 300  # characters of a line with full names: a list of those present, not a paragraph
_FULL_NAME = re.compile(
    r"(?<![\w’'-])[A-ZÀ-Þ][\w’'-]+(?: (?:[A-ZÀ-Þ]\. ?)?(?:(?:van|von|de|der|den|di|la) )*[A-ZÀ-Þ][\w’'-]+){1,3}"
)
_CAPITAL_NOUNS = frozenset(("de", "lb"))
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s<>()\[\]]*[^\s<>()\[\].,;:!?]")
_INITIALS = re.compile(r"\b[^\W\d_]\.")
_NO_LETTERS = re.compile(r"[\W_]+")
_MEASURES = frozenset(map(fold, (*UNITS, *SCALES, *CURRENCIES, "celsius", "fahrenheit")))
_PERIOD = re.compile(r"(?:fy|[qh][1-4]|s|p|pp|l)\W?\d*")


@dataclass(frozen=True, slots=True)
class _Written:
    """The words of a text, folded: all, by stem, its letters without spaces, the capitalised ones, their initials."""

    folds: frozenset[str]
    stems: frozenset[str]
    letters: str
    capitals: frozenset[str]
    initials: str
    places: frozenset[int]


def missing_names(claim: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names and addresses of a statement, as written, that none of the texts has."""
    text = "\n".join(texts)
    addresses = [each for each in _ADDRESS.findall(claim) if each.casefold() not in text.casefold()]
    claim = _ADDRESS.sub(lambda address: " " * len(address[0]), claim)
    words, written = split_words(claim), _written(text)
    if not written.capitals:  # another script, or one that does not distinguish names
        return tuple(dict.fromkeys(addresses))
    language = detect(claim) or language_of_query(claim) or detect(text[:SAMPLE])
    scripts = {word.isascii() for word in written.capitals}
    counted = [(each.start, each.end) for each in spelled_numbers(claim)]
    loud = sum(word.is_acronym for word in words) > LOUD * len(words)
    lacking = [
        _may_be_name(word, loud=loud)
        and word.fold.isascii() in scripts
        and not any(start <= word.start < end for start, end in counted)
        and not _is_written(at, words, written)
        for at, word in enumerate(words)
    ]
    sure = [lacks and _is_surely_name(at, words, lacking, language, claim) for at, lacks in enumerate(lacking)]
    return tuple(dict.fromkeys((*addresses, *_grouped(claim, words, sure))))


def full_names(known: Mapping[int, str], cited: Mapping[int, str]) -> str:
    """Return the full forms that other lines read of a document give to names of its `cited` lines: Petra Nowak."""
    capitals = {word.text for line in cited.values() for word in split_words(line) if word.is_capital}
    others = (known[number] for number in sorted(known)[:MAX_LINES] if number not in cited)
    found = (name[0] for line in others if len(line) <= MAX_LINE for name in _FULL_NAME.finditer(line))
    return ", ".join(dict.fromkeys(name for name in found if not capitals.isdisjoint(name.split())))


def is_code(word: StatementWord) -> bool:
    """Return whether a word is a code or an identifier: SST-2, F-16, 10-K, required_keys, readLines."""
    text = word.text
    if re.search(r"[a-z][A-Z]|_", text) and not text.istitle():
        return len(text) > SHORTEST
    letters, digits = re.search(r"[^\W\d_]", text), re.search(r"\d", text)
    if not letters or not digits or _PERIOD.fullmatch(word.fold):
        return False
    return text[0].isalpha() or bool(re.fullmatch(r"\d+-[A-Z]\w?", text))


def _may_be_name(word: StatementWord, *, loud: bool) -> bool:
    if is_code(word):
        return True
    if not word.is_capital or word.fold in STOP_WORDS or word.fold in MONTHS or word.fold in _MEASURES:
        return False
    if any(map(str.isdigit, word.text)):
        return False
    return not loud if word.is_acronym else len(word.fold) >= SHORTEST


def _is_surely_name(
    at: int, words: Sequence[StatementWord], lacking: Sequence[bool], language: str, claim: str
) -> bool:
    """Return whether a capitalised word that is not written is a name for sure."""
    word = words[at]
    if is_code(word) or word.is_acronym:
        return True
    beside = [
        index
        for index in (at - 1, at + 1)
        if 0 <= index < len(words) and lacking[index] and not claim[slice(*_between(words, at, index))].strip()
    ]
    named = [index for index in beside if not words[index].starts and not is_ordinary(words[index])]
    if word.starts and language in _CAPITAL_NOUNS:  # “Ihr Bericht”, but “Nordlicht Immobilien GmbH”
        return any(_is_surely_name(index, words, lacking, language, claim) for index in named)
    if word.starts or len(word.fold) <= SHORTEST or not language or language in _CAPITAL_NOUNS:
        return bool(named) and not is_ordinary(word)
    return language != "en" or not is_ordinary(word)


def _between(words: Sequence[StatementWord], one: int, other: int) -> tuple[int, int]:
    first, last = sorted((one, other))
    return words[first].end, words[last].start


def _is_written(at: int, words: Sequence[StatementWord], written: _Written) -> bool:
    """Return whether a text has a word, as such, in another form, or as a part of a longer or shorter name."""
    word = words[at]
    if word.fold in written.folds or word.stem in written.stems or _places(words, at) & written.places:
        return True
    letters = _NO_LETTERS.sub("", word.fold)
    if len(letters) >= INSIDE and letters in written.letters:
        return True
    if is_code(word):
        return letters in written.letters
    if len(word.parts) > 1:
        telling = [part for part in word.parts if len(part) > 1]
        return all(part in written.folds or stem(part) in written.stems for part in telling)
    if word.is_acronym:
        return letters in written.initials or any(fold.startswith(letters) for fold in written.folds)
    run = _initials(words, at)
    if len(run) > 1 and run in written.folds:
        return True
    return any(_are_alike(word.fold, other) for other in written.capitals)


def _initials(words: Sequence[StatementWord], at: int) -> str:
    """Return the initials of the capitalised words around one."""
    first = last = at
    while first > 0 and (words[first - 1].is_capital or words[first - 1].fold in STOP_WORDS):
        first -= 1
    while last + 1 < len(words) and (words[last + 1].is_capital or words[last + 1].fold in STOP_WORDS):
        last += 1
    return "".join(word.fold[:1] for word in words[first : last + 1] if word.is_capital)


def _are_alike(one: str, other: str) -> bool:
    """Return whether two folded words may be forms of one name."""
    common = next((at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs), None)
    shared = min(len(one), len(other)) if common is None else common
    if shared >= max(PREFIX, SAME * max(len(one), len(other))):
        return True
    return len(one) >= INSIDE and SequenceMatcher(None, one, other).ratio() >= ALIKE


@lru_cache(maxsize=64)
def _written(text: str) -> _Written:
    words = split_words(text)
    joined = {fold_text(part) for word in words for part in re.findall(r"[A-ZÀ-Þ][a-zß-ÿ]{2,}", word.text)}
    folds = frozenset(part for word in words for part in (word.fold, *word.parts)) | joined
    capitals = [word for word in words if any(map(str.isupper, word.text))]
    return _Written(
        folds,
        frozenset(map(stem, folds)),
        _NO_LETTERS.sub("", fold_text(text)),
        frozenset(part for word in capitals for part in (word.fold, *word.parts)),
        "".join(word.fold[0] for word in words if word.fold not in STOP_WORDS or word.is_capital),
        frozenset(group for at, word in enumerate(words) if word.is_capital for group in _places(words, at)),
    )


@cache
def place_groups(*, countries: bool = False) -> dict[str, int]:
    """Return the group of each name of a place, or only of `countries`: adjectives, and names in other languages."""
    text = (resources() / "places.txt").read_text(encoding="utf-8")
    lines = (text.partition("\n\n")[0] if countries else text).splitlines()
    return {name: number for number, line in enumerate(lines) for name in line.split()}


def _places(words: Sequence[StatementWord], at: int) -> set[int]:
    """Return the groups of a place name of up to three words that contains the word at `at`."""
    groups = place_groups()
    spans = ((first, last) for first in range(max(0, at - 2), at + 1) for last in range(at, min(len(words), at + 3)))
    names = ("-".join(word.fold for word in words[first : last + 1]) for first, last in spans if last - first < 3)
    return {groups[name] for name in names if name in groups}


def _grouped(claim: str, words: Sequence[StatementWord], missing: Sequence[bool]) -> Iterator[str]:
    """Yield missing names; neighbours are one name."""
    start = end = -1
    for word, lacks in zip(words, missing, strict=True):
        if end >= 0 and len(word.text) == 1 and word.is_capital:  # Richard A. Johnson
            continue
        if lacks and end >= 0 and not _INITIALS.sub("", claim[end : word.start]).strip():
            end = word.end
        elif lacks:
            if end >= 0:
                yield claim[start:end]
            start, end = word.start, word.end
        elif end >= 0:
            yield claim[start:end]
            start = end = -1
    if end >= 0:
        yield claim[start:end]
