"""Finds the 8-bit code page of a text by the words it makes: the right one yields a language, the others noise.

Statistics of bytes confuse the neighbours among code pages: half of Polish is the same in cp1250 and cp1252.
"""

import re
from collections import Counter
from collections.abc import Mapping

from desktop_rag.documents.language import word_scores
from desktop_rag.documents.languages import ARABIC, CYRILLIC, GREEK, HEBREW, LATIN, Tongue

_SAMPLE = 8 * 1024
_LEAST_WORDS = 0.03  # of the words common ones, and …
_LEAST_FITTING = 0.9  # … of the characters beyond ASCII those of the language, before a code page is believed
_LETTERS = re.compile(rb"[A-Za-z]")
_TYPOGRAPHY = frozenset("–—‘’‚“”„‹›«»…•§°€·¡¿ªº\u00a0")

_LATIN_LETTERS = "".join(sorted(frozenset[str]().union(*(tongue.letters for tongue in LATIN.values()))))
_CAPITALS = "А-ЯA-Z" + "".join(filter(str.isupper, _LATIN_LETTERS))
_SMALL = "а-яa-z" + "".join(filter(str.islower, _LATIN_LETTERS))
_MISPLACED = re.compile(f"(?<=[{_SMALL}])[{_CAPITALS}](?=[{_SMALL}])")  # capitals inside words

_ALPHABETS = (  # code pages by how common they are, the languages written in them, and the letters all of these have
    (
        ("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257", "cp850", "cp852", "mac_roman", "mac_latin2"),
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


def code_page_of(data: bytes) -> str:
    """Return the code page in which `data` is words of a language, or an empty text if there is none."""
    sample = _sample(data)
    is_latin = 2 * len(_LETTERS.findall(sample)) > sum(byte >= 0x80 for byte in sample)
    best, found = 0.0, ""
    for pages, tongues, common in _ALPHABETS[:1] if is_latin else _ALPHABETS[1:]:
        for page in pages:
            score = _score(sample.decode(page, "replace"), tongues, common)
            if score > best:
                best, found = score, page
    return found


def _sample(data: bytes) -> bytes:
    """Return the lines around the first bytes beyond ASCII."""
    first = next((place for place, byte in enumerate(data) if byte >= 0x80), 0)
    return data[max(0, first - _SAMPLE // 4) :][:_SAMPLE]


def _score(text: str, tongues: Mapping[str, Tongue], common: frozenset[str]) -> float:
    signs = Counter(sign for sign in text if sign > "\x7f")
    total = signs.total() - sum(count for sign, count in signs.items() if sign in _TYPOGRAPHY)
    if not signs:
        return 0.0
    own = {code: sum(signs[sign] for sign in tongue.letters) for code, tongue in tongues.items()}
    shared = sum(signs[sign] for sign in common)
    misplaced = len(_MISPLACED.findall(text))
    best = 0.0
    for code, words in word_scores(text, tongues).items():
        overlap = sum(signs[sign] for sign in tongues[code].letters & common)
        fitting = (shared + own[code] - overlap - misplaced) / total if total else 1.0
        if fitting >= _LEAST_FITTING and words >= _LEAST_WORDS:
            best = max(best, words * fitting**8)
    return best
