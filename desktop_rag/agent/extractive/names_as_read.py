"""Matches words of a question with other forms that were read: “Shedlon” with Sheldon, “Halle” with Lagerhalle.

Sentences are chosen by the words of a question; a mistyped name, a part of a compound, “Geschaeftsfuehrer” or
“gekündigt” for kündigen would be a word that none has.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.content_words import ENGLISH, related, stems, stop_words_of, without_umlaut_e
from desktop_rag.agent.extractive.quantities.validity import periods
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.index.keywords.analysis import stem

MIN_MISTYPED = 5  # letters of a name that may be mistyped
MIN_PART, MIN_OTHER_PART = 4, 3  # letters of a noun of a German question and of what a compound has before it
MIN_FIRST_PART = 5  # letters of the first part of a compound of which only the parts were read
LONG = "lager"  # any first part
MIN_ENGLISH_ROOT = 5  # letters of what forms of an English word share
_DERIVED = re.compile(r"(?:ment|anc|enc|ant|ent|ist|ic|ion|iv|al|er|or|ee|e|i|y)$")
MIN_ROOT = 4  # letters of what two forms of a German word share
MIN_STRONG = 8  # letters of a strong participle or infinitive: widersprochen, widersprechen
_BEGIN = frozenset(stems("begin start commence beginnt startet anfang beginn"))
_END = frozenset(stems("end expire finish endet ende läuft auslaufen"))
_ADDRESS = frozenset(stems("address email mail adresse"))
_SUFFIX = re.compile(r"(?:ungen|ung|eten|etet|test|tet|ten|est|te|et|en|st|e|t|n)$")
_PARTICIPLE = re.compile(r"((?:ab|an|auf|aus|bei|ein|fest|her|hin|mit|nach|vor|weg|zu|zuruck)?)ge(\w{3,}(?:t|en))")
_VOWELS = re.compile(r"(?<!^)[aeiou]+")


def as_read(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> AnalysedQuestion:
    """Return a question with the forms that were read of words that nothing read has.

    Those are names that differ from a single one that was read by a letter; unless the question is English also words
    with ae, oe or ue for an umlaut, and the first parts of compounds: “Urlaubstage” for Urlaub.
    """
    words = Counter(word for each in read for word in each.stems | each.place_words)
    forms = {word: _mistyped(word, words) for name in question.names for word in stems(name)}
    if not _is_english(question):
        forms = {word: _german(word, words) for word in question.stems} | {
            word: form for word, form in forms.items() if form != word
        }
    forms = {word: form for word, form in forms.items() if form != word}
    if not forms:
        return question
    return replace(
        question,
        stems=_replaced(question.stems, forms),
        words=tuple(word for word in question.words if forms.keys().isdisjoint(stems(word))),
        head=_replaced(question.head, forms),
        names=tuple(" ".join(_replaced(name.split(), _by_word(name, forms))) for name in question.names),
    )


def _is_english(question: AnalysedQuestion) -> bool:
    return stop_words_of(question.text.split()) is ENGLISH


def _german(word: str, words: Mapping[str, int]) -> str:
    """Return the form of a word that was read without ae, oe or ue, or its first part if others end with its second."""
    if words[word] or words[bare := without_umlaut_e(word)]:
        return word if words[word] else bare
    for end in range(len(bare) - MIN_OTHER_PART, MIN_FIRST_PART - 1, -1):
        rest = bare[end:].removeprefix("s")
        if words[bare[:end]] and len(rest) >= MIN_OTHER_PART and any(other.endswith(rest) for other in words):
            return bare[:end]
    return word


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


def with_parts(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """Return the sentences, those with a compound also with the noun of a German question that it ends with.

    Those with another form of a word of the question also have that word: erstatten, erstattet.
    """
    read = [_with_labels(question, each) for each in _with_ends(question, read)]
    if _is_english(question):
        akin = {word: root for word in question.stems if (root := _english_root(word))}
        return [_with_akin(each, akin) for each in read] if akin else list(read)
    roots = {word: _roots(word) for word in question.stems}
    nouns = {word for name in question.names for word in stems(name) if len(word) >= MIN_PART}
    ends = {noun: (noun, stem(f"{LONG}{noun}").removeprefix(LONG)) for noun in nouns}  # Kaution, but Mietkaut
    found: list[CandidateSentence] = []
    for each in read:
        parts = {noun for noun in nouns - each.stems if any(_is_end(ends[noun], word) for word in each.stems)}
        parts |= {noun for noun in nouns - each.stems if _is_told_in_parts(noun, each.stems)}
        parts |= _inflected(roots, each.stems) | each.parts
        found.append(replace(each, parts=frozenset(parts)) if parts else each)
    return found


def _is_told_in_parts(noun: str, words: Collection[str]) -> bool:
    """Return whether a compound is told by two words: Kündigungsfrist by “mit einer Frist … kündigen”."""
    for last in words:
        first = noun.removesuffix(last).removesuffix("s")
        if len(last) >= MIN_PART and noun.endswith(last) and len(first) >= MIN_FIRST_PART:
            roots = _roots(first)
            if any(not roots.isdisjoint(_roots(word)) for word in words if word != last):
                return True
    return False


def _with_labels(question: AnalysedQuestion, each: CandidateSentence) -> CandidateSentence:
    """Return a sentence also with the words of a question that its label means, or its address: “Apologies: …”."""
    parts = _ADDRESS.intersection(question.stems) if "@" in each.text else frozenset[str]()
    if each.is_label:
        label = {word for stem in stems(each.text.partition(":")[0]) for word in related(stem)}
        parts |= label.intersection(question.stems if question.asks is AnswerType.PERSON else question.thing)
    return replace(each, parts=each.parts | parts) if parts else each


def _with_akin(each: CandidateSentence, asked: Mapping[str, str]) -> CandidateSentence:
    """Return a sentence also with the words of an English question that one of its own shares the root with."""
    missing = asked.keys() - each.stems
    roots = {_english_root(word) for word in each.order} if missing else set()
    parts = frozenset(word for word in missing if asked[word] in roots)
    return replace(each, parts=each.parts | parts) if parts else each


@lru_cache(maxsize=1 << 16)
def _english_root(word: str) -> str:
    """Return what the nouns and adjectives of an English word share: allergic, allergies; attend, attendees."""
    root = _DERIVED.sub("", word)
    return root if len(root) >= MIN_ENGLISH_ROOT and word.isascii() and word.isalpha() else ""


def _with_ends(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> Sequence[CandidateSentence]:
    """Return the sentences, those with a period also with the word of a “when” that asks for its beginning or end."""
    asked = question.stems if question.asks is AnswerType.TIME else ()
    begins, ends = _BEGIN.intersection(asked), _END.intersection(asked)
    if not (begins or ends):
        return read
    found: list[CandidateSentence] = []
    for each in read:
        told = periods(each.text)
        parts = begins if any(one.begins for one in told) else frozenset[str]()
        parts |= ends if any(one.ends for one in told) else frozenset[str]()
        found.append(replace(each, parts=parts) if parts else each)
    return found


def _inflected(roots: Mapping[str, Collection[str]], words: Collection[str]) -> set[str]:
    """Return those words with these roots that have a root in common with one of the others."""
    read = {root for word in words for root in _roots(word)}
    return {word for word, own in roots.items() if word not in words and not read.isdisjoint(own)}


@lru_cache(maxsize=1 << 14)
def _roots(word: str) -> frozenset[str]:
    """Return what the forms of a German word share: “erstatt”, and the consonants of a long strong participle."""
    participle = _PARTICIPLE.fullmatch(word)
    root = _SUFFIX.sub("", f"{participle[1]}{participle[2]}" if participle else word)
    if len(root) < MIN_ROOT or not word.isalpha():
        return frozenset()
    strong = len(word) >= MIN_STRONG and word.endswith("en")
    return frozenset((root, _VOWELS.sub("·", root)) if strong else (root,))


def _is_end(ends: tuple[str, str], word: str) -> bool:
    return len(word) >= len(ends[1]) + MIN_OTHER_PART and word.endswith(ends)


def _by_word(name: str, forms: Mapping[str, str]) -> dict[str, str]:
    return {word: forms[stem] for word in name.split() for stem in stems(word)[:1] if stem in forms}


def _replaced(words: Sequence[str], forms: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms.get(word, word) for word in words))
