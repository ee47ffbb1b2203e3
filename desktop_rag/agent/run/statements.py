"""The statements of an answer that can be shown to a model, apart from their links."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.sentences import split_sentences

STATEMENT = 600  # characters of a statement in a request
BEFORE = 200  # characters of what stands before it
_MARKS = " .,;:|\"“”'‘’*_`()"
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|\|)\s*")

Place = tuple[str, int, int]  # of cited lines: the document's checksum, the first and the last line
StatementKey = tuple[str, tuple[Place, ...]]  # the text without links, and what it cites


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement without its links, and the citations it is compared with, those of its operands among them."""

    text: str
    citations: tuple[Citation, ...]
    before: str = ""  # what stands before it in the answer
    cut: bool = False  # not all cited lines were shown
    shown: str = ""  # what was shown of the cited documents

    @property
    def key(self) -> StatementKey:
        """What the judgment belongs to: the same words with another source are another statement."""
        return self.text, tuple(map(_place, self.citations))


def statement_of(text: str, claim: Claim, citations: Sequence[Citation]) -> Statement:
    """Return a claim of an answer as a statement in one line, with the citations it names."""
    numbers = (*claim.citations, *(operand.citation for operand in claim.operands))
    cited = tuple(each for each in citations if each.number in numbers)
    words = one_line(LINK.sub("", text[claim.start : claim.end])).strip()
    return Statement(words, cited, _before(text, claim.start))


def statements_of(text: str, claims: Sequence[Claim], citations: Sequence[Citation]) -> tuple[Statement, ...]:
    """Return the statements of an answer that may be looked at: those with sources, without bare quotations.

    Words that stand nowhere get no second look.
    """
    found = (statement_of(text, claim, citations) for claim in claims if _may_be_judged(claim))
    return tuple({each.key: each for each in found if each.citations}.values())


def _may_be_judged(claim: Claim) -> bool:
    invented = claim.altered is not None and not claim.altered.found
    return bool(claim.citations) and not invented and claim.mark not in ("quoted", "uncited", "earlier")


def _before(text: str, start: int) -> str:
    """Return the sentence before a place in a text; before an item of a list, what leads to the list."""
    above, _, same = text[:start].rpartition("\n")
    if not _ITEM.sub("", same).strip(_MARKS):
        lines = [line for line in above.split("\n")[-40:] if line.strip()]
        while lines and _ITEM.match(same or " ") and _ITEM.match(lines[-1]):
            lines.pop()
        same = lines[-1] if lines else ""
    words = one_line(LINK.sub("", same)).strip()
    sentences = split_sentences(words[-2 * STATEMENT :])
    last = words[-2 * STATEMENT :][slice(*sentences[-1])] if sentences else words
    return shorten(last.strip(), BEFORE)


def _place(citation: Citation) -> Place:
    return citation.sha256, citation.first_line, citation.last_line
