"""Matches words of a question with other forms that were read: “Shedlon” with Sheldon, “Kaution” with Mietkaution.

Sentences are chosen by the words of a question; a mistyped name, a part of a compound, “Geschaeftsfuehrer” or
“gekündigt” for kündigen would be a word that none has.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from desktop_rag.agent.extractive.content_words import ENGLISH, stems, stop_words_of, without_umlaut_e
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.index.keywords.analysis import stem
from desktop_rag.text.language_detection import detect, language_of_query

MIN_MISTYPED = 5  # letters of a name that may be mistyped
MIN_PART, MIN_OTHER_PART = 5, 3  # letters of a word that is a part of a compound, and of the rest of that
LONG = "lager"  # any first part
MIN_ROOT = 4  # letters of what two forms of a German word share
_SUFFIX = re.compile(r"(?:ungen|ung|eten|etet|test|tet|ten|est|te|et|en|st|e|t|n)$")
_PARTICIPLE = re.compile(r"((?:ab|an|auf|aus|bei|ein|fest|her|hin|mit|nach|vor|weg|zu|zuruck)?)ge(\w{3,}(?:t|en))")


def is_english(question: AnalysedQuestion) -> bool:
    """Return whether a capital letter marks a name in a question: in German it marks every noun."""
    return stop_words_of(question.text.split()) is ENGLISH


def is_foreign(question: AnalysedQuestion, own: CandidateSentence) -> bool:
    """Return whether a sentence is surely in another language than the question, and has no name or code of it."""
    asked, told = language_of_query(question.text), detect(f"{own.before} {own.text} {own.after}")
    if not asked or not told or asked == told:
        return False
    kept = frozenset(each for name in (*question.names, *question.codes) for each in stems(name))
    return kept.isdisjoint(own.stems | own.place_words)


def with_forms(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """Return the sentences, each also with the words of the question of which it has another form."""
    vocabulary = frozenset[str]().union(*(each.stems | each.place_words for each in read))
    named = frozenset(each for name in question.names for each in stems(name))
    forms = {word: _forms(word, vocabulary, is_name=word in named) for word in question.stems}
    if not is_english(question):
        forms = {word: found | _german(word, vocabulary) for word, found in forms.items()}
    for name in map(stems, question.names):
        if len(name) > 1 and (joined := "".join(name)) in vocabulary:  # LiHua
            forms |= {word: forms.get(word, frozenset()) | {joined} for word in name}
    forms = {word: found for word, found in forms.items() if found and word in question.stems}
    if not forms:
        return list(read)
    parts = ((each, frozenset(word for word in forms if not forms[word].isdisjoint(each.stems))) for each in read)
    return [replace(each, parts=own) if own else each for each, own in parts]


def _forms(word: str, vocabulary: Collection[str], *, is_name: bool) -> frozenset[str]:
    """Return the only word that differs by a letter from a name that was not read."""
    if word in vocabulary or not word.isalpha():
        return frozenset()
    return _mistyped(word, vocabulary) if is_name else frozenset()


def _mistyped(word: str, vocabulary: Collection[str]) -> frozenset[str]:
    """Return the word with a letter less, one more or two swapped; another letter rather makes another name."""
    if len(word) < MIN_MISTYPED:
        return frozenset()
    from rapidfuzz.distance import OSA

    close = (other for other in vocabulary if other[:1] == word[:1] and OSA.distance(word, other, score_cutoff=1) == 1)
    near = [other for other in close if len(other) != len(word) or sorted(other) == sorted(word)]
    return frozenset(near) if len(near) == 1 else frozenset()


def _german(word: str, vocabulary: Collection[str]) -> frozenset[str]:
    """Return the inflected forms of a word, and the compounds that it is a part of or that are a part of it."""
    bare, root = without_umlaut_e(word), _root(word)
    return frozenset(
        other
        for other in vocabulary
        if other != word and (other == bare or (root and _root(other) == root) or _is_part(bare, other))
    )


def _is_part(one: str, other: str) -> bool:
    part, whole = sorted((one, other), key=len)
    end = stem(f"{LONG}{part}").removeprefix(LONG)  # Kaution, but Mietkaut
    long_enough = min(len(part), len(end) + 1) >= MIN_PART and len(whole) - len(end) >= MIN_OTHER_PART
    return long_enough and whole.isalpha() and (whole.startswith(part) or whole.endswith((part, end)))


@lru_cache(maxsize=1 << 14)
def _root(word: str) -> str:
    """Return what the forms of a German word share: “erstatt”."""
    participle = _PARTICIPLE.fullmatch(word)
    root = _SUFFIX.sub("", f"{participle[1]}{participle[2]}" if participle else word)
    return root if len(root) >= MIN_ROOT and word.isalpha() else ""
