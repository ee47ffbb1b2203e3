"""Puts the names of a question in the form in which they were read: “Li Hua” as LiHua, “Shedlon” as Sheldon.

Sentences are found and chosen by the words of a question; a name that is written together, or mistyped by a letter or
two, would be a word that no sentence has.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence

MIN_MISTYPED = 5  # letters of a name that may be mistyped
MIN_JOINED = 5  # letters of two names written together


def as_read(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> AnalysedQuestion:
    """Return a question with the names that were not read as it spells them as they were, if there is one such form."""
    words = Counter(word for each in read for word in each.stems | each.place_words)
    forms: dict[str, str] = {}
    for name in question.names:
        forms |= _joined(name, words)
        forms |= {word: _mistyped(word, words) for word in stems(name) if word not in forms}
    forms = {word: form for word, form in forms.items() if form != word}
    if not forms:
        return question
    return replace(
        question,
        stems=_replaced(question.stems, forms),
        head=_replaced(question.head, forms),
        names=tuple(" ".join(_replaced(name.split(), _by_word(name, forms))) for name in question.names),
    )


def _joined(name: str, words: Mapping[str, int]) -> dict[str, str]:
    """Return the stem that stands for each of two neighbouring words of a name written together."""
    found: dict[str, str] = {}
    for one, other in pairwise(name.split()):
        together = stems(f"{one}{other}")
        parts = (*stems(one), *stems(other))
        if (
            together
            and len(one + other) >= MIN_JOINED
            and words[together[0]] > min((words[p] for p in parts), default=0)
        ):
            found |= dict.fromkeys(parts, together[0])
    return found


def _mistyped(word: str, words: Mapping[str, int]) -> str:
    """Return the one word that was read and differs by a letter, or by two swapped ones; the word itself if it was."""
    if len(word) < MIN_MISTYPED or words[word] or not word.isalpha():
        return word
    from rapidfuzz.distance import OSA

    near = [other for other in words if other[:1] == word[:1] and OSA.distance(word, other, score_cutoff=1) == 1]
    return near[0] if len(near) == 1 else word


def _by_word(name: str, forms: Mapping[str, str]) -> dict[str, str]:
    return {word: forms[stem] for word in name.split() for stem in stems(word)[:1] if stem in forms}


def _replaced(words: Sequence[str], forms: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms.get(word, word) for word in words))
