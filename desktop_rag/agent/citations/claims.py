"""Finds the claims of an answer and grades each by its citations.

Headings, titles in bold, questions, lead-ins (“as follows:”), code, the program's notes, and sentences that only
report what the run searched, read or missed are no claims. A sentence without a citation shares those of the
paragraph's next cited sentence if their lines support it, as models often cite several sentences at once.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from desktop_rag.agent.citations.claim_check import ClaimCheck
from desktop_rag.agent.events import Citation, Claim, ClaimStanding
from desktop_rag.text.sentences import split_sentences

LINK = re.compile(r"\[(\d+)\]\(cite:\1\)")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)")
_RULE = re.compile(r"^[\s|:*_=+-]*$")
_MARKER = re.compile(r"^\s*(?:(?:>|[-*+•]|\d{1,3}[.)])\s+)+(?:\[[ xX]\]\s+)?|^\s*>\s*")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_WORD = re.compile(r"[^\W_]+")
_TITLE = re.compile(r"^\s*(?:\*\*|__)(?:(?!\*\*|__)[^\d.!?]){1,60}(?:\*\*|__)\s*$")  # a title line
_REPORT = re.compile(
    r"not found|(?:do(?:es)?|did|is|are|was|were|could|can)(?: not|n't|n’t|not) (?:\w+ ){0,2}"
    r"(?:say|state|mention|contain|specify|give|include|tell|answer|describe|find|found|list|provide|cover|hold)|"
    r"no (?:\w+ ){0,3}(?:mention|information|passage|document|source|evidence|record)|"
    r"(?:I|we) (?:have )?(?:searched|looked|read)\b|searched for|^Read: \d|^nothing\b|still being indexed|"
    r"\b(?:nicht|kein\w*)\b.{0,60}\b(?:gefunden|erwähnt|genannt|angegeben|enthalten|hervor|Angaben?|Informationen?)|"
    r"\bgesucht\b|\bne .{0,40}\bpas\b.{0,40}\b(?:mention|trouv|indiqu|précis)|aucun\w* (?:mention|information)|"
    r"\bno (?:se )?(?:menciona|indica|encuentra|especifica)|ninguna (?:mención|información)",
    re.IGNORECASE,
)
_REPORT_SUBJECT = re.compile(
    r"\b(?:documents?|passages?|librar\w*|files?|sources?|texts?|excerpts?|I|we|searched|Dokument\w*|Unterlage\w*|Bibliothek|"
    r"Datei\w*|Quelle\w*|Text\w*|Passage\w*|gesucht|fichiers?|textes?|documentos?|archivos?)\b|^not found|^nothing\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement's offsets in the answer, and the citation numbers after it."""

    start: int
    end: int
    numbers: tuple[int, ...]


def find_claims(
    text: str,
    citations: Sequence[Citation],
    check: Callable[[str, tuple[int, ...]], ClaimCheck],
    notes: Sequence[tuple[int, int]] = (),
) -> tuple[Claim, ...]:
    """Return the claims of an answer, in order; `check` compares a sentence with the lines of its citations.

    `notes` are the spans of the text that the program wrote: they make no claims.
    """
    verdicts = {citation.number: citation.verdict for citation in citations}
    claims: list[Claim] = []
    for start, end in _paragraphs(_blank(text, notes)):
        statements = list(_statements(text, start, end))
        next_numbers: tuple[int, ...] = ()
        graded: list[Claim] = []
        for statement in reversed(statements):
            numbers = statement.numbers or next_numbers
            checked = check(LINK.sub(" ", text[statement.start : statement.end]), numbers) if numbers else ClaimCheck()
            if not statement.numbers and checked.faults:
                numbers, checked = (), ClaimCheck()
            next_numbers = statement.numbers or next_numbers
            standing = _standing([verdicts[number] for number in numbers if number in verdicts], checked)
            graded.append(Claim(statement.start, statement.end, standing, numbers, checked.faults, checked.computed))
        claims += reversed(graded)
    return tuple(claims)


def _standing(verdicts: Sequence[str], checked: ClaimCheck) -> ClaimStanding:
    if not verdicts:
        return "uncited"
    if checked.faults:
        return "unsupported"
    if checked.computed:
        return "computed"
    return "relocated" if all(verdict == "misattributed" for verdict in verdicts) else "supported"


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return `text` with spaces instead of the letters in `spans`; all offsets and line breaks stay."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each block of lines: a paragraph, a list item, a table row."""
    for _, group in groupby(_numbered_lines(text), key=lambda line: line[0]):
        lines = list(group)
        yield lines[0][1], lines[-1][2]


def _numbered_lines(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield block number, start and end of each line that can hold a statement."""
    offset = number = 0
    fenced = continues = False
    lines = text.split("\n")
    for index, line in enumerate(lines):
        start, offset = offset, offset + len(line) + 1
        if _FENCE.match(line):
            fenced, continues = not fenced, False
        elif _TITLE.match(line) and "".join(lines[index + 1 :]).strip():
            continues = False
        elif not fenced and not _HEADING.match(line) and _WORD.search(line):
            row = line.lstrip().startswith("|")
            header = row and index + 1 < len(lines) and "-" in lines[index + 1] and bool(_RULE.match(lines[index + 1]))
            if header:
                continues = False
                continue
            if row or _ITEM.match(line) or not continues:
                number += 1
            continues = not row
            yield number, start, start + len(line)
        else:
            continues = False


def _statements(text: str, start: int, end: int) -> Iterator[_Statement]:
    """Yield the statements of a block; a link belongs to the last statement that starts before it."""
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
        if numbers or not _makes_no_claim(bare[first:last]):
            yield _Statement(start + first, start + last, numbers)


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _makes_no_claim(sentence: str) -> bool:
    """Return whether a sentence makes no claim and so needs no citation."""
    bare = sentence.strip(" *_>|")
    if bare.endswith((":", "?", "？", "：")) or len(_WORD.findall(bare)) < 2:
        return True
    return bool(_REPORT.search(bare) and _REPORT_SUBJECT.search(bare))
