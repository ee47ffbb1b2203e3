"""Finds the inflected forms of a word in other languages: words of the vocabulary with the same stem.

The index holds folded words and their English stems only; forms in other languages are looked up at query time among
the words with the same beginning. So adding a language or improving a stemmer requires no re-indexing.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop_rag.index.keywords.analysis import fold, stem

if TYPE_CHECKING:
    from Stemmer import Stemmer

# Snowball stemmers that also work on folded words; English stems are in the index itself.
STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
# Endings a stemmer does not know or recognises by an accent, which folding removed: respelled before stemming.
# Words are first asked whether they end so, in a fraction of the time of the pattern.
_RESPELLED: dict[str, tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...]] = {
    "ar": ((("",), re.compile("^[وف](?=(?:ال|لل)...)"), ""), (("ه",), re.compile("ه$"), "ة")),
    "ca": ((("io",), re.compile(r"(?<=[cs])io$"), "ió"),),
    "cs": (
        (("eho",), re.compile(r"(?<=[^\W\d_]{3})eho$"), "ého"),
        (("ych",), re.compile(r"(?<=[^\W\d_]{3})ych$"), "ých"),
    ),
    "es": ((("ion",), re.compile(r"(?<=[cgsx])ion$"), "ión"),),
    "fr": (
        (("ee", "ees"), re.compile(r"(?<=[^\W\d_]{2})ee(s?)$"), r"ée\1"),
        (("ite", "ites"), re.compile(r"(?<=[^\W\d_]{2})ite(s?)$"), r"ité\1"),
    ),
    "it": ((("ita",), re.compile(r"(?<=[^\W\d_]{2})ita$"), "ità"),),
    "pl": (
        (("ow",), re.compile(r"(?<=[^\W\d_]{3})ow$"), "ów"),
        (("ii",), re.compile(r"(?<=[^\W\d_]{3})ii$"), "ia"),
    ),
    "pt": ((("oes", "aes", "ao"), re.compile("(?:oes|aes|ao)$"), "ão"), (("cão",), re.compile("cão$"), "ção")),
    "ru": ((("и",), re.compile("(?<=[аеиоуыэюя])и$"), "й"),),
    "tr": ((("si", "su"), re.compile("(?<=[aeiou])s[iu]$"), ""),),
}
_TWICE = frozenset({"es", "fr"})  # stemmed twice, because one pass is not stable: ciudades, ciudad, ciud
_NOT_LATIN = frozenset({"ar", "el", "hi", "ru"})
# Prefixes a language writes as part of the word.
_PREFIXES = {"ar": ("", "ال", "وال", "بال", "كال", "فال", "لل", "و", "ب", "ل", "ك", "ف")}
_SHORTEST, _LONGEST = 3, 40  # letters of a word that has forms
_DIGIT = re.compile(r"\d")
_CERTAIN = 3  # letters that every form shares, at least

Vocabulary = Callable[[str], Iterable[str]]
"""Returns the folded words of the texts that begin with some letters."""


def inflected_forms(term: str, language: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the forms of a folded word in a language, always including the word itself."""
    if not _is_inflected(term) or (language in _NOT_LATIN and term.isascii()):
        return (term,)
    root = stem_in(term, language)
    known = root[: max(_CERTAIN, len(root) - (2 if len(root) > 2 * _CERTAIN else 1))]
    found = {term}
    for prefix in _PREFIXES.get(language, ("",)):
        found.update(_of_root(root, language, tuple(vocabulary(prefix + known))))
    return tuple(sorted(found))


@lru_cache(maxsize=1 << 10)  # a query that grows letter by letter has the words of the one before
def _of_root(root: str, language: str, words: tuple[str, ...]) -> tuple[str, ...]:
    inflected = _inflected_among(words)
    return tuple(word for word, its in zip(inflected, stems_in(inflected, language), strict=True) if its == root)


@lru_cache(maxsize=1 << 16)
def stem_in(term: str, language: str) -> str:
    """Return the folded stem of a folded word in one of the languages of `STEMMERS`, or in English."""
    if language not in STEMMERS:
        return stem(term)
    if not _is_inflected(term):
        return term
    spelled = term
    for _, known, respelled in _RESPELLED.get(language, ()):
        spelled = known.sub(respelled, spelled)
    found = _stemmer(language).stemWord(spelled)
    again = _stemmer(language).stemWord(found) if language in _TWICE else found
    return fold(again if len(again) >= _SHORTEST else found)  # else “lease” would be a form of “les”


def stems_in(terms: Sequence[str], language: str) -> list[str]:
    """Return `stem_in` of each of many terms that are inflected, in a fraction of its time."""
    if language not in STEMMERS:
        return list(map(stem, terms))
    spelled = list(terms)
    for ends, known, respelled in _RESPELLED.get(language, ()):
        spelled = [known.sub(respelled, term) if term.endswith(ends) else term for term in spelled]
    found = _stemmer(language).stemWords(spelled)
    if language in _TWICE:
        twice = zip(found, _stemmer(language).stemWords(found), strict=True)
        found = [again if len(again) >= _SHORTEST else once for once, again in twice]
    together = " ".join(found)
    folded = together.isascii() and together == together.lower()  # as nearly always
    return found if folded else list(map(fold, found))


@lru_cache(maxsize=1 << 8)  # the languages of a library look up the same beginnings
def _inflected_among(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(_is_inflected, words))


def _is_inflected(term: str) -> bool:
    return _SHORTEST <= len(term) <= _LONGEST and (term.isalpha() or not _DIGIT.search(term))


@lru_cache(maxsize=len(STEMMERS))
def _stemmer(language: str) -> "Stemmer":
    from Stemmer import Stemmer

    return Stemmer(STEMMERS[language], 0)
