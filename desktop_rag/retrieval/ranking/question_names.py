"""Tells whether a question asks by names, so that links lead on to what it wants: the gate of the link boost.

Questions about somebody or something are answered by what the first passage names; questions about a subject are not:
there, the titles in a passage lead astray. Measured, see docs/evaluation.md.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.text.question_words import ASKING

_LEAST_SHARE = 0.05  # of words that are capitalised, though no sentence begins there
_WORD = re.compile(r"\S+")
_OPENING = "\"'“„«(["
_ENDS = frozenset('.!?:;"”“„«(')  # characters after which any word may be capitalised


def asks_by_name(question: str, titles: Iterable[str]) -> bool:
    """Return whether a question has names: capitalised words or, where case tells nothing, all words of a title.

    Abbreviations (MTV, IL-6) count only where the text asks: in statements of a science they are subjects.
    """
    if question in (question.lower(), question.upper()):
        asked = stems(question)
        return any(each and each <= asked for each in map(stems, titles))
    words = _WORD.findall(question)
    asks = question.rstrip().endswith(tuple(ASKING))
    names = [word for before, word in pairwise(words) if _is_name(before, word) and (asks or not _is_short(word))]
    return len(names) > _LEAST_SHARE * len(words)


def _is_name(before: str, word: str) -> bool:
    bare = word.lstrip(_OPENING)
    return before[-1] not in _ENDS and len(bare) > 1 and bare[0].isupper()


def _is_short(word: str) -> bool:
    """Return whether a capitalised word is an abbreviation: its next letter is a capital, too, or a digit."""
    second = word.lstrip(_OPENING)[1]
    return second.isupper() or second.isdigit() or second in "-‐‑"


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, without stop words."""
    return frozenset(stem(term.text) for term in terms(text, query=True) if term.text not in STOP_WORDS)
