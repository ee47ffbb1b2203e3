"""Tells whether a question asks by names, so that links lead on to what it wants: the gate of the link boost.

Questions about somebody or something are answered by what the first passage names; questions about a subject are not:
there, the titles in a passage lead astray. Measured, see docs/evaluation.md.
"""

import re
from collections.abc import Iterable
from itertools import pairwise, starmap

from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms

_LEAST_SHARE = 0.05  # of words that are capitalised, though no sentence begins there
_WORD = re.compile(r"\S+")
_OPENING = "\"'“„«(["
_ENDS = frozenset('.!?:;"”“„«(')  # characters after which any word may be capitalised


def asks_by_name(question: str, titles: Iterable[str]) -> bool:
    """Return whether a question has names: capitalised words or, where case tells nothing, all words of a title."""
    if question in (question.lower(), question.upper()):
        asked = stems(question)
        return any(each and each <= asked for each in map(stems, titles))
    words = _WORD.findall(question)
    return sum(starmap(_is_name, pairwise(words))) > _LEAST_SHARE * len(words)


def _is_name(before: str, word: str) -> bool:
    bare = word.lstrip(_OPENING)
    return before[-1] not in _ENDS and len(bare) > 1 and bare[0].isupper()


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, without stop words."""
    return frozenset(stem(term.text) for term in terms(text, query=True) if term.text not in STOP_WORDS)
