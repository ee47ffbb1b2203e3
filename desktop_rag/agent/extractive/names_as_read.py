"""Replaces words of a question by the forms that were read: “Shedlon” by Sheldon, “Halle” by Lagerhalle.

Sentences are chosen by the words of a question; a mistyped name or a part of a compound would be a word that none has.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_rag.agent.extractive.content_words import ENGLISH, stems, stop_words_of
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.index.keywords.analysis import stem

MIN_MISTYPED = 5  # letters of a name that may be mistyped
MIN_PART, MIN_OTHER_PART = 4, 3  # letters of a noun of a German question and of what a compound has before it
LONG = "lager"  # any first part


def as_read(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> AnalysedQuestion:
    """Return a question in which a name or German noun that nothing read has is the one form of it that was read."""
    words = Counter(word for each in read for word in each.stems | each.place_words)
    form_of = _mistyped if stop_words_of(question.text.split()) is ENGLISH else _compound
    forms: dict[str, str] = {}
    for name in question.names:
        forms |= {word: form_of(word, words) for word in stems(name)}
    forms = {word: form for word, form in forms.items() if form != word}
    if not forms:
        return question
    return replace(
        question,
        stems=_replaced(question.stems, forms),
        head=_replaced(question.head, forms),
        names=tuple(" ".join(_replaced(name.split(), _by_word(name, forms))) for name in question.names),
    )


def _mistyped(word: str, words: Mapping[str, int]) -> str:
    """Return the word that was read with a letter less, one more or two swapped, if it is the only one; else the word.

    With another letter it is rather another name: Martin, Marvin.
    """
    if len(word) < MIN_MISTYPED or words[word] or not word.isalpha():
        return word
    from rapidfuzz.distance import OSA

    close = (other for other in words if other[:1] == word[:1] and OSA.distance(word, other, score_cutoff=1) == 1)
    near = [other for other in close if len(other) != len(word) or sorted(other) == sorted(word)]
    return near[0] if len(near) == 1 else word


def _compound(word: str, words: Mapping[str, int]) -> str:
    """Return the most frequent compound that was read and ends with a word; else as if the word were mistyped."""
    if len(word) < MIN_PART or words[word]:
        return word
    ends = (word, stem(f"{LONG}{word}").removeprefix(LONG))  # a longer word is stemmed more: Kaution, Mietkaut
    longer = (other for other in words if other.endswith(ends) and len(other) >= len(ends[1]) + MIN_OTHER_PART)
    return max(longer, key=words.__getitem__, default="") or _mistyped(word, words)


def _by_word(name: str, forms: Mapping[str, str]) -> dict[str, str]:
    return {word: forms[stem] for word in name.split() for stem in stems(word)[:1] if stem in forms}


def _replaced(words: Sequence[str], forms: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms.get(word, word) for word in words))
