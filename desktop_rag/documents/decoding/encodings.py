"""Detects the encoding of bytes and decodes them to clean text, or refuses binary files.

UTF-8 is tried first and strictly: it is almost always right, and hardly ever valid by chance.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from desktop_rag.documents import file_types
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.text.language_detection import word_scores
from desktop_rag.text.language_profiles import ARABIC, CYRILLIC, GREEK, HEBREW, LATIN, LanguageProfile

# Detects the 8-bit code page of a text by its words: the right one yields words of a language, the others noise.
#
# Byte statistics confuse related code pages: half of Polish is the same in cp1250 and cp1252.

_PAGE_SAMPLE = 8 * 1024
_MIN_WORDS = 0.03  # fraction of common words, and …
_MIN_FITTING = 0.9  # … of non-ASCII characters that the language uses, required to accept a code page
_BEFORE = 200  # bytes
_NON_ASCII, _HIGH = re.compile(rb"[^\n]{0,%d}[\x80-\xff][^\n]{0,400}" % _BEFORE), re.compile(rb"[\x80-\xff]")
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
    end = 0
    while length <= _PAGE_SAMPLE and (high := _HIGH.search(data, end)) is not None:
        at = high.start()
        found = _NON_ASCII.match(data, max(end, data.rfind(b"\n", end, at) + 1, at - _BEFORE))
        assert found is not None
        pieces.append(found[0])
        length, end = length + len(found[0]), found.end()
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


# Finds the code page of short names by their characters: in East Asian pages, those in daily use are together.
#
# A name that is read in the wrong page has characters from all over it, or no characters at all.

_LEAST, _FEWEST = 0.9, 2  # share and number of characters in daily use
_NOT_RUSSIAN = re.compile("[^\\x00-\\x7fА-Яа-яЁё№–]|[а-яё][А-ЯЁ]|[А-ЯЁ]{2}[а-яё]|[A-Za-z][А-я]|[А-я][A-Za-z]")
_IN_WORDS = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[A-Za-z])")
_DOUBLE = range(0xA1, 0xFF)


def _is_shift_jis(lead: int, trail: int) -> bool:
    kana = (lead == 0x82 and trail >= 0x9F) or (lead == 0x83 and trail <= 0x96)
    return kana or lead in range(0x88, 0x98) or (lead == 0x98 and trail <= 0x72)


def _is_gbk(lead: int, trail: int) -> bool:
    return lead in range(0xB0, 0xD8) and trail in _DOUBLE


def _is_big5(lead: int, trail: int) -> bool:
    return lead in range(0xA4, 0xC7)


def _is_korean(lead: int, trail: int) -> bool:
    return lead in range(0xB0, 0xC9) and trail in _DOUBLE


def _is_euc_jp(lead: int, trail: int) -> bool:
    return lead in (0xA4, 0xA5) or (lead in range(0xB0, 0xD0) and trail in _DOUBLE)


# Those that more of their pages' other readers would also accept come last.
_PAGES: tuple[tuple[str, Callable[[int, int], bool], frozenset[int]], ...] = (
    ("cp932", _is_shift_jis, frozenset((0x81,))),
    ("cp949", _is_korean, frozenset((0xA1, 0xA3))),
    ("gb18030", _is_gbk, frozenset((0xA1, 0xA3))),
    ("big5", _is_big5, frozenset((0xA1, 0xA2, 0xA3))),
)


def is_western(names: bytes) -> bool:
    """Return whether bytes beyond ASCII stand alone between Latin letters."""
    return 2 * len(_IN_WORDS.findall(names)) >= sum(byte >= 0x80 for byte in names)


def page_of_names(names: bytes) -> str:
    """Return the code page in which nearly all characters of `names` are in daily use; "" if that is none of these."""
    if _is_russian(names, "cp1251"):
        return "cp1251"
    best, found = 0.0, ""
    for page, is_usual, signs in _PAGES:
        if (share := _share(names, page, is_usual, signs)) >= max(_LEAST, best + 0.001):
            best, found = share, page
    if found in ("cp949", "gb18030") and any(lead in names for lead in (b"\xa4", b"\xa5")):
        kana = _share(names, "euc_jp", _is_euc_jp, frozenset((0xA1, 0xA3)))
        return "euc_jp" if kana >= _LEAST else found
    return found or ("euc_jp" if _page_has_kana(names) else "cp866" if _is_russian(names, "cp866") else "")


def _is_russian(names: bytes, page: str) -> bool:
    return sum(byte >= 0x80 for byte in names) > _FEWEST and not _NOT_RUSSIAN.search(names.decode(page, "replace"))


def _page_has_kana(names: bytes) -> bool:
    share = _share(names, "euc_jp", _is_euc_jp, frozenset((0xA1, 0xA3)))
    return share >= _LEAST and any(0xA4 <= byte <= 0xA5 for byte in names)


def _share(names: bytes, page: str, is_usual: Callable[[int, int], bool], signs: frozenset[int]) -> float:
    """Return the share of characters in daily use among the double-byte ones, signs aside; 0 if it is no such text."""
    try:
        text = names.decode(page)
    except UnicodeDecodeError:
        return 0.0
    usual = others = 0
    for char in text:
        coded = char.encode(page)
        if len(coded) == 2 and coded[0] not in signs:
            usual += is_usual(*coded)
            others += not is_usual(*coded)
        elif len(coded) != 2 and coded[0] >= 0x80:
            others += 1  # half-width kana
    return usual / (usual + others) if usual >= _FEWEST else 0.0


_BOMS = (  # the longer ones first: UTF-32 LE begins like UTF-16 LE
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (file_types.ZIP, "a ZIP archive or an Office file"),
    (file_types.OLE, "an old Office file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xfd7zXZ", "a compressed file"),
    (b"7z\xbc\xaf", "an archive"),
    (b"Rar!", "an archive"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a Rich Text file"),
)
_CODE_PAGES = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "iso8859_2",
    "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "cp866", "cp850", "cp437", "mac_roman", "cp874", "cp932",
    "euc_jp", "gb18030", "big5", "cp949", "johab",
)  # fmt: skip
_OF_NAMES = frozenset(("cp932", "euc_jp", "gb18030", "big5", "cp949", "cp866", "cp1251"))
_SAMPLE = 64 * 1024
_FEW = 2  # bytes: a letter or two of a Western name
_KANA = 5  # one of so many characters of a Japanese text at least
_CERTAIN_CHAOS = 0.15  # charset-normalizer's mess ratio; above it the guess is noise
_WESTERN_HIGH_BYTES = 48  # with fewer, statistics say too little about an encoding

_LETTERS = re.compile(rb"[A-Za-z]")
_TERMINAL_CODES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_LINE_ENDS = re.compile(r"\r\n?")
_BLANKED = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
_CAPITAL_INSIDE = re.compile("[a-zß-ÿ][À-ÖØ-ÞŠŸŽŒ†‡][a-zß-ÿ]")
_BROKEN = re.compile("[\x00\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_ASCII_CLEANED = dict.fromkeys((*range(1, 9), 11, 12, *range(14, 32), 127), " ") | {0: "\ufffd"}


def decode(data: bytes) -> str:
    """Return the clean text of `data`; raises `DocumentError` if it is binary or in an unknown encoding."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return clean(data[len(bom) :].decode(encoding, "replace"))
    _refuse_known_binary(data)
    if wide := _wide_encoding(data):
        return clean(data.decode(wide, "replace"))
    if _has_controls(data):
        raise DocumentError("This is a binary file, not a text file.", ProblemKind.DAMAGED)
    if data.isascii():
        japanese = b"\x1b$" in data and b"\x1b(" in data
        return clean(data.decode("iso2022_jp_2" if japanese else "ascii", "replace"))
    try:
        return clean(data.decode("utf-8"))
    except UnicodeDecodeError:
        return clean(_decode_legacy(data))


def clean(text: str) -> str:
    """Return `text` with newlines as the only line ends and without characters that cannot be displayed.

    Carriage returns end a line as in editors; other characters that some programs treat as line ends become
    spaces, so that all programs count the same lines; invalid characters become U+FFFD.
    """
    if "\x1b" in text:
        text = _TERMINAL_CODES.sub("", text)
    if "\r" in text:
        text = _LINE_ENDS.sub("\n", text)
    if "\b" in text:
        text = "\n".join(_typed_over(line) if "\b" in line else line for line in text.split("\n"))
    if text.isascii():
        return text.translate(_ASCII_CLEANED)
    return _BROKEN.sub("\ufffd", _BLANKED.sub(" ", text))


def _typed_over(line: str) -> str:
    """Return a line as a terminal shows it: behind backspaces, letters stand in place of those that were there."""
    shown, at = list[str](), 0
    for letter in line:
        if letter == "\b":
            at = max(0, at - 1)
        else:
            if letter != "_" or at == len(shown):  # else it underlines
                shown[at : at + 1] = letter
            at += 1
    return "".join(shown)


def _refuse_known_binary(data: bytes) -> None:
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise DocumentError(f"This is {what}, not a text file.", ProblemKind.DAMAGED)


def _has_controls(data: bytes) -> bool:
    """Return whether there are too many control characters for a text; those of terminals, as in logs, do not count."""
    sample = data[:_SAMPLE] + data[-4096:]
    controls = len(sample) - len(sample.translate(None, bytes((*range(7), *range(14, 27), 28, 29, 30, 31))))
    return controls > len(sample) // 50 or (b"\x00" in sample and controls > 4)


def _wide_encoding(data: bytes) -> str:
    """Return the UTF-16 or UTF-32 codec of a text without a byte order mark, or an empty string."""
    sample = data[:_SAMPLE]
    if len(data) % 4 == 0 and not any(sample[3::4]) and max(sample[2::4], default=255) <= 0x10:
        return "utf-32-le" if _reads_as_text(sample, "utf-32-le") else ""
    if len(data) % 4 == 0 and not any(sample[0::4]) and max(sample[1::4], default=255) <= 0x10:
        return "utf-32-be" if _reads_as_text(sample, "utf-32-be") else ""
    if b"\x00" not in sample and not _has_controls(data):
        return ""
    return next((wide for wide in ("utf-16-le", "utf-16-be") if _reads_as_text(sample, wide)), "")


def _reads_as_text(sample: bytes, encoding: str) -> bool:
    """Return whether `sample` decodes to letters with spaces or East Asian punctuation between them.

    In the wrong byte order a text has other letters and no spaces.
    """
    text = sample[: len(sample) & ~3].decode(encoding, "replace")
    kinds = Counter(map(unicodedata.category, text))
    gaps = sum(text.count(gap) for gap in " \n\r\t。、，")
    strange = kinds["Cn"] + kinds["Co"] + kinds["Cs"] + text.count("\ufffd")
    strange += kinds["Cc"] - sum(map(text.count, "\n\r\t\f"))
    words = sum(count for kind, count in kinds.items() if kind[0] in "LMN")
    return gaps * 80 > len(text) and strange * 50 < len(text) and words * 2 > len(text)


def _decode_legacy(data: bytes) -> str:
    damaged = data.decode("utf-8", "replace")
    bad = damaged.count("\ufffd")
    good = len(damaged.encode("utf-8", "replace")) - len(damaged) - 2 * bad
    if bad * 20 <= good:  # UTF-8 with a few invalid bytes, such as a log truncated inside a character
        return damaged
    if page := detect_code_page(data):
        return data.decode(page, "replace")
    high = [byte for byte in data[:_SAMPLE] if byte >= 0x80]
    letters = len(_LETTERS.findall(data[:_SAMPLE]))
    if len(high) < min(letters, _WESTERN_HIGH_BYTES) and _reads_western(data[:_SAMPLE]):
        return data.decode("cp1252", "replace")
    encoding = _guess(data)
    if not encoding:
        raise DocumentError(
            "The character encoding of this file is not recognised; save it as UTF-8.", ProblemKind.DAMAGED
        )
    return data.decode(encoding, "replace")


def _reads_western(sample: bytes) -> bool:
    """Return whether bytes above 127 decode to Western letters and punctuation."""
    text = sample.decode("cp1252", "replace")
    if _CAPITAL_INSIDE.search(text):  # umlauts of another code page
        return False
    marks = [character for character in text if character > "\x7f"]
    usual = sum(1 for character in marks if character.isalpha() or character in "–—‘’“”„…•€§°«»·©®™¿¡´ ²³½¼±×")
    return usual >= 0.9 * len(marks)


def name_encoding(names: bytes) -> str:
    """Return the encoding of names in an archive, of those that programs write without naming it; else ""."""
    if page := page_of_names(names):
        return page
    guessed = "" if is_western(names) or sum(byte >= 0x80 for byte in names) <= _FEW else _guess(names)
    return guessed if guessed in _OF_NAMES else ""


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    first = max(0, next((i for i, byte in enumerate(data) if byte >= 0x80), 0) - 2048)
    sample = data[first : first + _SAMPLE]
    border = max(sample.rfind(b"\n"), sample.rfind(b" "), 0) if len(data) > first + _SAMPLE else 0
    for end in (border, *range(len(sample), len(sample) - 4, -1)):  # not inside a multi-byte character
        matches = from_bytes(sample[:end], cp_isolation=list(_CODE_PAGES)) if end else ()
        best = next((each for each in matches if not _is_half_width(sample[:end], each.encoding)), None)
        if best is not None and best.chaos <= _CERTAIN_CHAOS:
            return "euc_jp" if best.encoding != "cp932" and _has_kana(sample[:end], "euc_jp") else best.encoding
    return ""


def _is_half_width(sample: bytes, encoding: str) -> bool:
    """Return whether a text would be mostly of half-width kana, which stand for single bytes of other pages."""
    wide = [char for char in sample.decode(encoding, "replace") if char > "\x7f"] if encoding == "cp932" else ()
    return 2 * sum("\uff61" <= char <= "\uff9f" for char in wide) > len(wide)


def _has_kana(sample: bytes, encoding: str) -> bool:
    """Return whether bytes are valid and have the share of kana that Japanese has: as Korean they are valid, too."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    wide = [char for char in text if char > "\x7f"]
    return sum("\u3041" <= char <= "\u30fe" for char in wide) * _KANA >= len(wide)
