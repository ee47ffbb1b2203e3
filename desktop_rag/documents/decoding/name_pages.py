"""Finds the code page of short names by their characters: in East Asian pages, those in daily use are together.

A name that is read in the wrong page has characters from all over it, or no characters at all.
"""

import re
from collections.abc import Callable

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
    return found or ("euc_jp" if _has_kana(names) else "cp866" if _is_russian(names, "cp866") else "")


def _is_russian(names: bytes, page: str) -> bool:
    return sum(byte >= 0x80 for byte in names) > _FEWEST and not _NOT_RUSSIAN.search(names.decode(page, "replace"))


def _has_kana(names: bytes) -> bool:
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
