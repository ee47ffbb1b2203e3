"""Finds the statements of an answer and says of each how its citations bear it out.

Headings, titles in bold, questions, lead-ins (“as follows:”), code, what the loop adds, and sentences that only say
what was searched, read or not found claim nothing. A sentence without a citation of its own is borne out by those of
the paragraph's next cited one if their lines carry it, as models often prove several sentences at once.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from desktop_rag.agent.events import Citation, Claim, ClaimStanding
from desktop_rag.text.sentences import split_sentences

LINK = re.compile(r"\[(\d+)\]\(cite:\1\)")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r"^[\s|:*_=+-]*$")
_MARKER = re.compile(r"^\s*(?:(?:>|[-*+•]|\d{1,3}[.)])\s+)+(?:\[[ xX]\]\s+)?|^\s*>\s*")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_WORD = re.compile(r"[^\W_]+")
_TITLE = re.compile(r"^\s*(?:\*\*|__)(?:(?!\*\*|__)[^\d.!?]){1,60}(?:\*\*|__)\s*$")  # heads what follows
_NOTHING_SAID = re.compile(
    r"not found|(?:do(?:es)?|did|is|are|was|were|could|can)(?: not|n't|n’t|not) (?:\w+ ){0,2}"
    r"(?:say|state|mention|contain|specify|give|include|tell|answer|describe|find|found|list|provide|cover|hold)|"
    r"no (?:\w+ ){0,3}(?:mention|information|passage|document|source|evidence|record)|"
    r"(?:I|we) (?:have )?(?:searched|looked|read)\b|searched for|^Read: \d|^nothing\b|still being indexed|"
    r"\b(?:nicht|kein\w*)\b.{0,60}\b(?:gefunden|erwähnt|genannt|angegeben|enthalten|hervor|Angaben?|Informationen?)|"
    r"\bgesucht\b|\bne .{0,40}\bpas\b.{0,40}\b(?:mention|trouv|indiqu|précis)|aucun\w* (?:mention|information)|"
    r"\bno (?:se )?(?:menciona|indica|encuentra|especifica)|ninguna (?:mención|información)",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"\b(?:documents?|passages?|librar\w*|files?|sources?|texts?|excerpts?|I|we|searched|Dokument\w*|Unterlage\w*|Bibliothek|"
    r"Datei\w*|Quelle\w*|Text\w*|Passage\w*|gesucht|fichiers?|textes?|documentos?|archivos?)\b|^not found|^nothing\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement's place in the answer, and the numbers that stand behind it."""

    start: int
    end: int
    numbers: tuple[int, ...]


def find_claims(
    text: str,
    citations: Sequence[Citation],
    supports: Callable[[str, tuple[int, ...]], bool],
    notes: Sequence[tuple[int, int]] = (),
) -> tuple[Claim, ...]:
    """Return the claims of an answer, in order; `supports(sentence, numbers)` checks the lines of these citations.

    `notes` are the spans of the text that the program wrote: they make no claims.
    """
    verdicts = {citation.number: citation.verdict for citation in citations}
    claims: list[Claim] = []
    for start, end in _paragraphs(_blank(text, notes)):
        statements = list(_statements(text, start, end))
        ahead: tuple[int, ...] = ()
        judged: list[Claim] = []
        for statement in reversed(statements):
            numbers = statement.numbers
            if not numbers and ahead and supports(text[statement.start : statement.end], ahead):
                numbers = ahead
            ahead = statement.numbers or ahead
            standing = _standing([verdicts[number] for number in numbers if number in verdicts])
            judged.append(Claim(statement.start, statement.end, standing, numbers))
        claims += reversed(judged)
    return tuple(claims)


def _standing(verdicts: Sequence[str]) -> ClaimStanding:
    if not verdicts:
        return "uncited"
    if "not found" in verdicts:
        return "unverified"
    return "corrected" if all(verdict == "misattributed" for verdict in verdicts) else "verified"


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return `text` with spaces instead of the letters in `spans`; all offsets and line breaks stay."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where lines that belong together begin and end: a paragraph, a list item, a row of a table."""
    for _, group in groupby(_numbered_lines(text), key=lambda line: line[0]):
        lines = list(group)
        yield lines[0][1], lines[-1][2]


def _numbered_lines(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the number of the paragraph, the start and the end of each line that can hold a statement."""
    offset = number = 0
    fenced = goes_on = False
    lines = text.split("\n")
    for index, line in enumerate(lines):
        start, offset = offset, offset + len(line) + 1
        if _FENCE.match(line):
            fenced, goes_on = not fenced, False
        elif _TITLE.match(line) and "".join(lines[index + 1 :]).strip():
            goes_on = False
        elif not fenced and not _HEADING.match(line) and _WORD.search(line):
            row = line.lstrip().startswith("|")
            header = row and index + 1 < len(lines) and "-" in lines[index + 1] and bool(_RULE.match(lines[index + 1]))
            if header:
                goes_on = False
                continue
            if row or _ITEM.match(line) or not goes_on:
                number += 1
            goes_on = not row
            yield number, start, start + len(line)
        else:
            goes_on = False


def _statements(text: str, start: int, end: int) -> Iterator[_Statement]:
    """Yield the statements of a paragraph; a link belongs to the last one that begins before it."""
    links = [(start + link.start(), int(link[1])) for link in LINK.finditer(text[start:end])]
    bare = LINK.sub(lambda link: " " * len(link[0]), text[start:end])
    marker = _MARKER.match(bare)
    begin = marker.end() if marker else 0
    row = bare.lstrip().startswith("|")
    spans = [(begin, len(bare))] if row else [(begin + a, begin + b) for a, b in split_sentences(bare[begin:])]
    spans = [_trimmed(bare, span) for span in spans if _WORD.search(bare[slice(*span)])]
    for index, (first, last) in enumerate(spans):
        low = start + first if index else start
        high = start + spans[index + 1][0] if index + 1 < len(spans) else end
        numbers = tuple(dict.fromkeys(number for at, number in links if low <= at < high))
        if numbers or not _claims_nothing(bare[first:last]):
            yield _Statement(start + first, start + last, numbers)


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _claims_nothing(sentence: str) -> bool:
    """Return whether a sentence without a citation needs none."""
    bare = sentence.strip(" *_>|")
    if bare.endswith((":", "?", "？", "：")) or len(_WORD.findall(bare)) < 2:
        return True
    return bool(_NOTHING_SAID.search(bare) and _WHERE.search(bare))
