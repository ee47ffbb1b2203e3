"""Compares the sign of a figure of a table: “grew 5.4 %” over (5.4)%, “a profit of 2,902” over Loss | (2,902)."""

import re
from collections.abc import Iterator

from desktop_rag.agent.citations.check_words import FALLS, RISES
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import split_words
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.text.figures import Figure, read_figures

_BEFORE = 40  # characters before a figure that say what it is
_GAIN = re.compile(
    r"\b(?:profits?|earnings|income|gains?|surplus|Gewinn\w*|Überschuss\w*|bénéfices?|beneficios?)\b", re.IGNORECASE
)
_LOSS = re.compile(r"\b(?:loss(?:es)?|deficits?|Verlust\w*|Fehlbetr\w*|pertes?|déficits?|pérdidas?)\b", re.IGNORECASE)
_BY = re.compile(r"(?: by| um| de| en)?\W{0,3}", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|from|auf|von|à|de|a)\W{0,3}$", re.IGNORECASE)  # “rose to 7” says nothing of its sign


def other_sign(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield what a claim calls a gain or a loss if every row with its figure has the other sign."""
    if statement.denies or statement.sums:
        return
    read = read_figures(statement.text)
    for figure in filter(is_amount, read.figures):
        said = _said(read.plain[: figure.start])
        rows = [row for row in evidence.lines.split("\n") if "\t" in row or "|" in row]
        signs = {sign for row in rows if (sign := _sign(row, figure)) is not None}
        if said and signs == {said[1] < 0}:
            yield ClaimFault("direction", said[0])
            return


def _said(before: str) -> tuple[str, int] | None:
    """Return the word before a figure that says whether it is a gain or a loss, and its sign."""
    near = "" if _TO.search(before) else before[-_BEFORE:]
    moved = [word for word in split_words(before) if word.fold in RISES | FALLS and _BY.fullmatch(before, word.end)]
    words = [(word.text, 1 if word.fold in RISES else -1) for word in moved]
    words += [(match[0], 1) for match in _GAIN.finditer(near)] + [(match[0], -1) for match in _LOSS.finditer(near)]
    return words[0] if len({sign for _, sign in words}) == 1 else None


def _sign(row: str, figure: Figure) -> bool | None:
    """Return whether a row has a figure above zero, None without it or if its label calls a number above a loss."""
    read = read_figures(row)
    same = [each for each in read.figures if each.values and each.values[0] == figure.values[0]]
    same = [each for each in same if each.kinds == figure.kinds or not each.kinds or not figure.kinds]
    if len(same) != 1:
        return None
    around = row[max(same[0].start - 2, 0) : same[0].end + 2]
    negative = same[0].negative or bool(re.search(r"[(−-]\s?\D?$", row[: same[0].start]) and ")" in around)
    label = row[: same[0].start]
    if not negative and (_LOSS.search(label) or any(word.fold in FALLS for word in split_words(label))):
        return None
    return not negative
