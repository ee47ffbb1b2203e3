"""Finds two clauses of a claim that exchange what two clauses of a sentence say: monocots form a group, dicots do not.

Only words count that are in one clause of the claim and in one clause of the sentence. Two clauses of the
sentence hold all of them, each some of either clause of the claim.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import content_stems, is_negation, split_words

_DENIED = "¬"  # a negation as a word
_STRONG = re.compile(r";|,?\s(?:but|while|whereas|während|aber|tandis que|mais|mientras|pero)\s", re.IGNORECASE)
_AND = re.compile(rf"{_STRONG.pattern}|,?\s(?:and|und|et|y)\s", re.IGNORECASE)
_COMMA = re.compile(rf"{_AND.pattern}|,(?!\d)(?!\s*(?:which|who|whose|whom|that|with|and|und|et|y)\b)", re.IGNORECASE)


def exchanged_pairs(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the word of a claim's second clause that the sentence has beside the first one's."""
    for mine, theirs in ((_STRONG, _STRONG), (_AND, _COMMA)):
        said = _clauses(statement.text, mine)
        for sentence in evidence.alike:
            written = _clauses(sentence, theirs)
            for one, other in pairwise(said) if len(written) > 1 else ():
                if found := _exchanged(one - other, other - one, written):
                    words = [each for each in split_words(statement.text) if each.stem in found]
                    word = max(words, key=lambda each: (each.is_capital, len(each.text)))
                    yield ClaimFault("direction", word.text)
                    return


def _exchanged(one: frozenset[str], other: frozenset[str], written: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the words of the second clause that are next to words of the first."""
    everything = [stem for clause in written for stem in clause]
    known = {stem for stem in one | other if everything.count(stem) == 1}
    holding = [clause & known for clause in written if clause & known]
    if len(holding) != len((one, other)):
        return frozenset()
    mixed = all(clause & one and clause & other for clause in holding)
    return holding[0] & other if mixed else frozenset()


def _clauses(text: str, pattern: re.Pattern[str]) -> list[frozenset[str]]:
    found = []
    for piece in pattern.split(text):
        words = split_words(piece)
        stems = content_stems(words) | {word.stem for word in words if word.fold[:1].isdigit()}
        stems |= {_DENIED} if any(map(is_negation, words)) else frozenset()
        if stems:
            found.append(stems)
    return found
