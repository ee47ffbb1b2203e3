"""Spelling variants of numbers and identifiers: 1,234.5 is 1.234,5 and 1234.5, parseHttp is parse_http."""

import re

from desktop_rag.index.keywords.identifiers import identifier_parts

_NUMBER = re.compile(
    r"(?P<grouped>\d{1,3}(?:(?P<sign>[.,'’\u00a0\u202f])\d{3})(?:(?P=sign)\d{3})*)(?:[.,](?P<cents>\d+))?"
    r"|(?P<plain>\d{4,15})(?:[.,](?P<rest>\d+))?"
)
_CODE = re.compile(r"(?=.*[\d@_])(?=.*\w[^\w\s]|.*_)\S+")


def spelling_variants(word: str) -> list[tuple[str, ...]]:
    """Return other spellings of a number or identifier, each as adjacent words; none for other words."""
    if number := _NUMBER.fullmatch(word):
        digits = number["plain"] or re.sub(r"\D", "", number["grouped"])
        fraction = number["cents"] or number["rest"]
        head = len(digits) % 3
        groups = (*([digits[:head]] if head else []), *(digits[at : at + 3] for at in range(head, len(digits), 3)))
        decimals = (fraction,) if fraction else ()
        variants = [(digits, *decimals), (*groups, *decimals)]
        return [variant for variant in variants if variant != (word,)]
    found = tuple(part.text for part in identifier_parts(word))
    return [found] if found else []


def is_number(word: str) -> bool:
    """Return whether a word is a number with grouped digits, decimals, or at least four digits."""
    return _NUMBER.fullmatch(word) is not None


def is_code(word: str) -> bool:
    """Return whether a word of several parts is one code: an e-mail address, a part number, snake_case."""
    return _CODE.fullmatch(word) is not None
