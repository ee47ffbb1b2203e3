"""Finds a claim whose subject is another one than that of its lines: what they say of B, said of A.

So is a name from a list of those absent, given to the question who was present.
"""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.check_words import word_set
from desktop_rag.agent.citations.claim_alterations import is_negation
from desktop_rag.agent.citations.claim_words import ClaimEvidence, ClaimWord, is_ordinary, split_words
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import fold

_PRESENCE = (
    word_set("present attended attending attendees anwesend anwesende anwesenden teilnehmer presents presentes"),
    word_set("absent apologies excused abwesend abwesende entschuldigt excuses absents ausentes"),
)
_PRONOUNS = word_set("he she him her his hers they them their er sie ihn ihr ihm seine seiner elle il lui leur ella")
_LIST = re.compile(r"(?P<label>[^\W\d_]+) ?: (?P<names>[^:;.\n]+)")
_MARKER = re.compile(r"^\s*(?:[-*+•>]|\d{1,3}[.)])\s+")


def other_subject(claim: str, sentence: str, sources: ClaimEvidence) -> Iterator[ClaimFault]:
    """Yield a full name of a claim that only the question has, if the cited sentence begins with another full name.

    `sources` are the lines and their context without the question.
    """
    begun = _MARKER.sub("", sentence)
    subject = next(iter(_full_names(begun)), ())
    if not subject or subject[0].start or {word.fold for word in subject} & {word.fold for word in split_words(claim)}:
        return
    if any(word.fold in _PRONOUNS for word in split_words(begun)):
        return  # who “she” is stands elsewhere
    for name in _full_names(claim):
        if not any(word.fold in sources.folds or word.stem in sources.stems for word in name):
            yield ClaimFault("name", _written(claim, name), _written(begun, subject))
            return


def other_list(claim: str, question: str, lines: str) -> Iterator[ClaimFault]:
    """Yield the word of a claim or its question for presence, if the lines list its names under the opposite."""
    words = split_words(claim)
    names = {word.fold for name in _full_names(claim) for word in name}
    bare = names.issuperset(word.fold for word in words)  # it answers the question without its words
    asked = {word.fold: word.text for word in (*words, *(split_words(question) if bare else ()))}
    if any(map(is_negation, words)):
        return
    for side, label in enumerate(_PRESENCE):
        said = [asked[word] for word in asked.keys() & label]
        if names and said and asked.keys().isdisjoint(_PRESENCE[1 - side]):
            theirs = {
                match["label"]: {word.fold for word in split_words(match["names"])}
                for match in _LIST.finditer(lines)
                if any(fold(match["label"]) in each for each in _PRESENCE)
            }
            same = [each for word, each in theirs.items() if fold(word) in label]
            opposite = [word for word, each in theirs.items() if fold(word) not in label and names <= each]
            if same and opposite and not any(names & each for each in same):
                yield ClaimFault("direction", said[0], opposite[0])
                return


def _full_names(text: str) -> Iterator[tuple[ClaimWord, ...]]:
    """Yield runs of two to four capitalised words that are no ordinary words: given name and surname."""
    run: list[ClaimWord] = []
    for word in split_words(text):
        is_part = word.is_capital and not word.is_acronym and word.fold.isalpha() and not is_ordinary(word)
        if run and (not is_part or text[run[-1].end : word.start] != " "):
            yield from _complete(run)
            run = []
        if is_part:
            run.append(word)
    yield from _complete(run)


def _complete(run: Sequence[ClaimWord]) -> Iterator[tuple[ClaimWord, ...]]:
    if 2 <= len(run) <= 4:
        yield tuple(run)


def _written(text: str, name: Sequence[ClaimWord]) -> str:
    return text[name[0].start : name[-1].end]
