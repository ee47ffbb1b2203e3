"""Finds a claim whose subject is another one than that of its lines: what they say of B, said of A."""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.claim_words import ClaimEvidence, ClaimWord, is_ordinary, split_words
from desktop_rag.agent.events import ClaimFault

_MARKER = re.compile(r"^\s*(?:[-*+•>]|\d{1,3}[.)])\s+")


def other_subject(claim: str, sentence: str, sources: ClaimEvidence) -> Iterator[ClaimFault]:
    """Yield a full name of a claim that only the question has, if the cited sentence begins with another full name.

    `sources` are the lines and their context without the question.
    """
    begun = _MARKER.sub("", sentence)
    subject = next(iter(_full_names(begun)), ())
    if not subject or subject[0].start or {word.fold for word in subject} & {word.fold for word in split_words(claim)}:
        return
    for name in _full_names(claim):
        if not any(word.fold in sources.folds or word.stem in sources.stems for word in name):
            yield ClaimFault("name", _written(claim, name), _written(begun, subject))
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
