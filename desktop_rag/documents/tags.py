"""Tags that a document gives itself: keywords of its metadata, and the #tags of notes."""

import re
from collections.abc import Iterable, Iterator

MOST_TAGS = 256  # of one document
LONGEST_TAG = 50  # characters
_SEPARATOR = re.compile(r"[,;\n]")
_INLINE = re.compile(rf"(?:^|(?<=[\s(]))#([\w/-]{{1,{LONGEST_TAG}}})(?![\w/#-])")
_COLOR = re.compile(r"(?=.*\d)(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_MOST_DIGITS = 8  # of a tag without letters, as a date has; longer numbers identify a filing or an order
_QUOTES = " \t\r\"'[]#"


def listed_tags(text: str) -> Iterator[str]:
    """Yield the tags of a list as metadata hold it, separated by commas, semicolons or lines: `[rent, "Mill Lane"]`."""
    for part in _SEPARATOR.split(text):
        if any(map(str.isalpha, part)) or sum(map(str.isdigit, part)) <= _MOST_DIGITS:
            yield part.strip(_QUOTES)


def inline_tags(text: str) -> Iterator[str]:
    """Yield the #tags in a text, without numbers (#12) and colours (#ff8800)."""
    for found in _INLINE.findall(text):
        if any(map(str.isalpha, found)) and not _COLOR.fullmatch(found):
            yield found.strip("/-")


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the first tags of reasonable length, each once in its first spelling; upper and lower case are equal."""
    found: dict[str, str] = {}
    for tag in tags:
        one = " ".join(tag.split())
        if one and len(one) <= LONGEST_TAG:
            found.setdefault(one.casefold(), one)
        if len(found) == MOST_TAGS:
            break
    return tuple(found.values())
