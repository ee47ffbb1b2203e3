"""Compares the words of a condition with those of a subject, person, author or file name: never inside words.

A field is written as its words between spaces: once as they stand, then with letters and digits apart (“anna85”), then
the parts of camelCase names, each version behind two spaces, which no condition can span.
"""

import re
from functools import lru_cache

from desktop_rag.index.keywords.analysis import dense, fold, terms
from desktop_rag.index.keywords.identifiers import names_with_humps, parts_of
from desktop_rag.index.keywords.inflection import STEMMERS, stem_in

_PIECES = re.compile(r"\d+|[^\W\d_]+")
_PATTERN_WORD = re.compile(r"(?:[^\W_]|[*?])+")
_STARS = {"*": "[^ ]*", "?": "[^ ]"}
_CAPITALS = re.compile(r"(?<![^\W_])[^\W\d_a-zß-öø-ÿ]{7,}(?![^\W\d_])")
MIN_PART, MIN_REST = 4, 3  # letters of the start of a name in capitals, and of the rest
EVERY_LANGUAGE = ("en", *STEMMERS)


@lru_cache(maxsize=1 << 16)
def field_words(text: str) -> str:
    """Return the words of a field between spaces, in all its versions."""
    words = _words(text)
    apart = [piece for word in words for piece in _PIECES.findall(word)]
    humps = (" ".join(part for part, _, _ in parts_of(name)) for name, _ in names_with_humps(text))
    versions = dict.fromkeys((" ".join(words), " ".join(apart), *humps))
    return f" {'  '.join(version for version in versions if version)} "


@lru_cache(maxsize=1 << 16)
def field_stems(text: str, language: str) -> str:
    """Return the stems (in a language, ISO 639-1) of the words of a field between spaces."""
    return f" {' '.join(stem_in(word, language) for word in _words(text))} "


def has_words(text: str, wanted: str) -> bool:
    """Return whether a field has the wanted words in a row; in them, `*` is any letters and `?` is one."""
    pattern = word_pattern(wanted)
    if is_pattern(wanted):
        return re.search(pattern, field_words(text)) is not None
    if pattern.isspace() or (text.isascii() and not all(map(text.lower().__contains__, pattern.split()))):
        return False  # as most file names, in a tenth of the time
    return pattern in field_words(text)


def joined_names(name: str) -> tuple[str, ...]:
    """Return the words of a file name that are all in capitals, folded: joined names such as BESTBUY have no humps."""
    return tuple(map(fold, _CAPITALS.findall(name)))


def joined_start(wanted: str) -> str:
    """Return a condition's words as a joined name may start with them; "" if they are short or no plain words."""
    joined = "" if is_pattern(wanted) else "".join(_words(wanted))
    return joined if len(joined) >= MIN_PART and joined.isalpha() else ""


def starts_joined(name: str, wanted: str) -> bool:
    """Return whether a word in capitals is the wanted words, joined, or starts with them: LOCKHEEDMARTIN_2021."""
    start = joined_start(wanted)
    if not start or (name.isascii() and start not in name.lower()):
        return False
    return any(
        each == start or (each.startswith(start) and len(each) >= len(start) + MIN_REST) for each in joined_names(name)
    )


def has_inflected(text: str, wanted: str, language: str) -> bool:
    """Return whether a field has the wanted words in a row in any inflected form, English or of its language."""
    if is_pattern(wanted) or word_pattern(wanted).isspace():
        return False
    return any(field_stems(wanted, code) in field_stems(text, code) for code in {"en", language.partition("-")[0]})


def is_pattern(wanted: str) -> bool:
    """Return whether a condition has `*` or `?`."""
    return "*" in wanted or "?" in wanted


@lru_cache(maxsize=64)
def word_pattern(wanted: str) -> str:
    """Return what `field_words` has where the wanted words stand; a regular expression if they have `*` or `?`."""
    if not is_pattern(wanted):
        return f" {' '.join(_words(wanted))} "
    words = _PATTERN_WORD.findall(fold(wanted))
    return f" {' '.join(''.join(_STARS.get(char, char) for char in word) for word in words)} "


def _words(text: str) -> list[str]:
    """Return the folded words of a text, of scripts without spaces the single characters."""
    found = terms(text)
    return [each.text for each in found if each.end - each.start == 1 or not _is_dense(each.text)]


def _is_dense(text: str) -> bool:
    return not text.isascii() and dense().match(text) is not None
