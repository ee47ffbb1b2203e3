"""Detects the 8-bit code page of a text by its words: the right one yields words of a language, the others noise.

Byte statistics confuse related code pages: half of Polish is the same in cp1250 and cp1252.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from desktop_rag.text.language_detection import word_scores
from desktop_rag.text.language_profiles import ARABIC, CYRILLIC, GREEK, HEBREW, LATIN, LanguageProfile

_SAMPLE = 8 * 1024
_MIN_WORDS = 0.03  # fraction of common words, and …
_MIN_FITTING = 0.9  # … of non-ASCII characters that the language uses, required to accept a code page
_NON_ASCII = re.compile(rb"[^\n]{0,200}[\x80-\xff][^\n]{0,400}")
_LETTERS = re.compile(rb"[A-Za-z]")
_ALL_FITTING, _FEW_LETTERS, _RARER = 0.97, 8, 0.15
_TYPOGRAPHY = frozenset("–—‘’‚“”„‹›«»…•§°€·¡¿ªº\u00a0")

_LATIN_LETTERS = "".join(sorted(frozenset[str]().union(*(profile.letters for profile in LATIN.values()))))
_CAPITALS = "А-ЯA-Z" + "".join(filter(str.isupper, _LATIN_LETTERS))
_SMALL = "а-яa-z" + "".join(filter(str.islower, _LATIN_LETTERS))
_MISPLACED = re.compile(f"(?<=[{_SMALL}])[{_CAPITALS}](?=[{_SMALL}])")  # capitals inside words

_ALPHABETS = (  # code pages by frequency of use, the languages written in them, and the letters these share
    (
        ("cp1252", "cp1250", "iso8859_2", "mac_roman", "cp1254", "cp1257", "cp850", "cp852", "mac_latin2"),
        LATIN,
        frozenset[str](),
    ),
    (
        ("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic"),
        CYRILLIC,
        frozenset("абвгдежзийклмнопрстуфхцчшщьюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЬЮЯ№"),
    ),
    (("cp1253", "iso8859_7", "cp737"), GREEK, frozenset("αβγδεζηθικλμνξοπρσςτυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ")),
    (("cp1255", "cp862"), HEBREW, frozenset("אבגדהוזחטיךכלםמןנסעףפץצקרשת")),
    (("cp1256", "iso8859_6"), ARABIC, frozenset("ابتثجحخدذرزسشصضطظعغفقلمنهوؤئءأإآةىي،؛؟ًٌٍَُِّْـ")),
)


def detect_code_page(data: bytes) -> str:
    """Return the code page in which `data` reads as words of a language, or an empty string."""
    sample = _sample(data)
    is_latin = 2 * len(_LETTERS.findall(sample)) > sum(byte >= 0x80 for byte in sample)
    best, found = 0.0, ""
    named, by_letters = 0.0, ""
    for pages, profiles, common in _ALPHABETS[:1] if is_latin else _ALPHABETS[1:]:
        for rank, page in enumerate(pages):
            for fit in _fits(sample.decode(page, "replace"), profiles, common):
                if fit.by_words > best:
                    best, found = fit.by_words, page
                if is_latin and fit.by_letters / (1 + _RARER * rank) > named:
                    named, by_letters = fit.by_letters / (1 + _RARER * rank), page
    return found or by_letters


def _sample(data: bytes) -> bytes:
    """Return the first lines, or pieces of lines, with non-ASCII bytes, which may be rare, as in lists of names."""
    pieces: list[bytes] = []
    length = 0
    for piece in _NON_ASCII.finditer(data):
        pieces.append(piece[0])
        length += len(piece[0])
        if length > _SAMPLE:
            break
    return b"\n".join(pieces)


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well a text fits one language."""

    words: float  # fraction of its words that are common in the language
    fitting: float  # fraction of its non-ASCII characters that are letters of the language
    letters: int  # number of non-ASCII letters of the language: the fewer, the less likely all fit by chance

    @property
    def by_words(self) -> float:
        return self.words * self.fitting**8 if self.words >= _MIN_WORDS and self.fitting >= _MIN_FITTING else 0.0

    @property
    def by_letters(self) -> float:
        """Return the score for lists of names, which have no common words."""
        return self.fitting / (_FEW_LETTERS + self.letters) if self.fitting >= _ALL_FITTING else 0.0


def _fits(text: str, profiles: Mapping[str, LanguageProfile], common: frozenset[str]) -> Iterator[_Fit]:
    signs = Counter(sign for sign in text if sign > "\x7f")
    if not signs:
        return
    total = signs.total() - sum(count for sign, count in signs.items() if sign in _TYPOGRAPHY)
    shared = sum(signs[sign] for sign in common)
    misplaced = len(_MISPLACED.findall(text))
    for code, words in word_scores(text, profiles).items():
        letters = profiles[code].letters
        own = sum(signs[sign] for sign in letters) - sum(signs[sign] for sign in letters & common)
        yield _Fit(words, (shared + own - misplaced) / total if total else 1.0, len(letters))
