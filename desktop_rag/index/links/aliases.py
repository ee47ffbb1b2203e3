"""Other names of a document, as its opening gives them: “World Health Organization (WHO)”, “also known as Prince”.

Only names that the text itself introduces count: in brackets after the title, or after words such as “also known as”;
and a title's part before a comma (“Jacksonville, Florida”).
"""

import re
from collections.abc import Iterator

from desktop_rag.index.links.mentions import NAME_RUN, normal_name, title_name

OPENING = 600  # characters of a text that are looked through
_INTRODUCED = re.compile(
    r"\b(?:(?:also|better|best|formerly|commonly|popularly|professionally|simply|now)\s+)+"
    r"(?:known\s+(?:simply\s+|professionally\s+)?as|called|named|abbreviated(?:\s+(?:as|to))?|titled)\s+(?:the\s+)?|"
    r"\b(?:known\s+professionally\s+as|abbreviated\s+(?:as|to)|nicknamed|a\.?k\.?a\.?|alias|or\s+simply|short\s+for|"
    r"auch\s+bekannt\s+als|auch|kurz|abgekürzt|aussi\s+appelée?|dit|también\s+(?:conocid[oa]\s+como|llamad[oa]))[:,]?\s+"
)
_QUOTED = re.compile(r"[\"“„«]\s?([^\"“”„«»\n]{3,60}?)\s?[\"”“»]")
_BRACKETS = re.compile(r"\(([^()\n]{2,80})\)")
_ABBREVIATION = re.compile(r"(?:[A-Z][a-z]{0,2}[.&-]?){2,7}")
_SHORTEST_TITLE = 4  # letters before a comma


def aliases(title: str, opening: str) -> set[str]:
    """Return the other names of a document with a title, normalised like the names in texts."""
    own = title_name(title)
    found = {normal_name(name) for name in (*_introduced(opening), *_abbreviations(own, opening))}
    head, comma, _ = title.partition(",")
    if comma and len(head) >= _SHORTEST_TITLE:
        found.add(normal_name(head))
    return found - {own, ""}


def _introduced(opening: str) -> Iterator[str]:
    for words in _INTRODUCED.finditer(opening):
        name = _QUOTED.match(opening, words.end())
        run = NAME_RUN.match(opening, words.end())
        if name is not None:
            yield name[1]
        elif run is not None:
            yield run[0]


def _abbreviations(title: str, opening: str) -> Iterator[str]:
    """Yield the text in brackets directly after the title."""
    for brackets in _BRACKETS.finditer(opening):
        before = normal_name(opening[: brackets.start()][-120:].rpartition("\n")[2])
        if title and before.endswith(title):
            yield from (part for part in re.split(r"[;,:\s]+", brackets[1]) if _ABBREVIATION.fullmatch(part))
