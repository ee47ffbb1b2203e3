"""Finds the names that other lines of a document give to what its cited lines call otherwise.

A contract names its parties above (Rosa Berg, “the Employee”), a letter its patient, minutes the full names of those
present: a claim may use them for “the Employee”, “she” or “Tom”.
"""

import re
from collections.abc import Iterator, Mapping

from desktop_rag.agent.citations.check_words import ROLES, word_set

MAX_LINES = 2_000  # of a document that are read
MAX_LINE = 300  # characters of a line with full names: a list of those present, not a paragraph
TOP_LINES = 30  # that may introduce a document's parties
_NAME = r"[A-ZÀ-Þ][\w’'-]+(?: (?:[A-ZÀ-Þ]\. ?)?(?:(?:van|von|de|der|den|di|la) )*[A-ZÀ-Þ][\w’'-]+){0,3}"
_FULL_NAME = re.compile(rf"(?<![\w’'-]){_NAME}")
_DEFINED = re.compile(
    rf"(?P<name>{_NAME})[^“”\"„\n]{{0,80}}?(?:\(|here(?:in)?after |referred to as |nachstehend |im Folgenden )"
    r"(?:the |der |die |das |[\"“„«])"
)
_LABELLED = re.compile(r"^[\W_]*(?P<role>[^\W\d_]+)[\W_]*: ?[\W_]*(?=[A-ZÀ-Þ])")
_ROLES = frozenset[str]().union(*(side for pair in ROLES for side in pair))
_SUBJECTS = word_set(
    "patient patientin tenant tenants employee client customer candidate applicant pupil student member insured name "
    "pet guest passenger mieter mieterin kunde kundin arbeitnehmer arbeitnehmerin locataire salarié cliente inquilino"
)


def names_from_elsewhere(known: Mapping[int, str], cited: Mapping[int, str]) -> str:
    """Return the names that lines read of a document give to those whom its `cited` lines mean."""
    text = "\n".join(cited.values())
    words = set(re.findall(r"\w[\w-]*", text))
    lowered = {word.casefold() for word in words if word.islower() or word.casefold() in _ROLES}
    others = [(number, known[number]) for number in sorted(known)[:MAX_LINES] if number not in cited]
    capitals = {word for word in words if word[0].isupper() and len(word) > 2}
    found = (*_extended(others, capitals), *_parties(others, lowered))
    return ", ".join(dict.fromkeys(found))


def _extended(lines: list[tuple[int, str]], names: set[str]) -> Iterator[str]:
    """Yield the longer forms of names: Petra Nowak."""
    for line in (line for _, line in lines if len(line) <= MAX_LINE):
        for match in _FULL_NAME.finditer(line):
            parts = match[0].split()
            if len(parts) > 1 and not names.isdisjoint(parts):
                yield match[0]


def _parties(lines: list[tuple[int, str]], words: set[str]) -> Iterator[str]:
    """Yield the parties that a document defines, whom it is about, and who has a role of the cited lines."""
    for number, line in lines:
        if number > TOP_LINES:
            return
        yield from (match["name"] for match in _DEFINED.finditer(line))
        labelled = _LABELLED.match(line)
        if labelled and (labelled["role"].casefold() in _SUBJECTS | words):
            yield line[labelled.end() :][:MAX_LINE].strip()
