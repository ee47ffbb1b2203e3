"""Other ways to write what a query asks for: 1,234.5 is 1.234,5 and 1234.5, parseHttpRequest is parse_http_request."""

import re

from desktop_rag.index.keywords.identifiers import parts

_NUMBER = re.compile(
    r"(?P<grouped>\d{1,3}(?:(?P<sign>[.,'’\u00a0\u202f])\d{3})(?:(?P=sign)\d{3})*)(?:[.,](?P<cents>\d+))?"
    r"|(?P<plain>\d{4,15})(?:[.,](?P<rest>\d+))?"
)
_CODE = re.compile(r"(?=.*[\d@_])(?=.*\w[^\w\s]|.*_)\S+")


def other_ways(word: str) -> list[tuple[str, ...]]:
    """Return the words, side by side, of each other way to write a number or a name of a program; none for others."""
    if number := _NUMBER.fullmatch(word):
        digits = number["plain"] or re.sub(r"\D", "", number["grouped"])
        fraction = number["cents"] or number["rest"]
        head = len(digits) % 3
        groups = (*([digits[:head]] if head else []), *(digits[at : at + 3] for at in range(head, len(digits), 3)))
        behind = (fraction,) if fraction else ()
        ways = [(digits, *behind), (*groups, *behind)]
        return [way for way in ways if way != (word,)]
    found = tuple(part.text for part in parts(word))
    return [found] if found else []


def is_number(word: str) -> bool:
    """Return whether a word is a number whose digits are grouped, or that has a fraction."""
    return _NUMBER.fullmatch(word) is not None


def is_code(word: str) -> bool:
    """Return whether a word of several parts is one name: an e-mail address, a part number, snake_case."""
    return _CODE.fullmatch(word) is not None
