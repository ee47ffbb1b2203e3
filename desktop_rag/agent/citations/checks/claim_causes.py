"""Compares what a claim gives as the reason of something with the reasons in the cited lines.

“Closed because of a dispute” over “closed because of the fire” and over “the fire closed it”; “the gas escaped because
of the fire” over “the fire broke out because of gas”.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import content_stems, is_content, split_words, stems_of

BEGINNING = 5  # letters that two words of one family share
MIN_EFFECT = 0.5  # share of the words of an effect that the lines give the reason of
_REASON_AFTER = re.compile(
    r"\b(?:because of|because|due to|owing to|caused by|as a result of|on account of|thanks to|wegen|aufgrund|"
    r"infolge|weil|dank|à cause d[eu]|en raison d[eu]|parce que|debido a|a causa de|porque)\s",
    re.IGNORECASE,
)
_REASON_BEFORE = re.compile(
    r"\b(?:caus(?:es?|ed)(?! by)|(?:leads?|led) to|result(?:s|ed|ing)? in|brought about|trigger(?:s|ed)|prompt(?:s|ed)|"
    r"führten? (?:zu|dazu)|verursachten?|entraîn(?:e|a)|provoca|provocó)\s",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\n|(?<=[.!?;])\s")
_COMMA = re.compile(r",\s")


@dataclass(frozen=True, slots=True)
class _Reason:
    """What happened and why."""

    effect: str
    cause: str


def other_cause(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the reason that a claim gives if the lines have none of its words, or another reason of the same."""
    held, folds = stems_of(evidence.lines), " ".join(word.fold for word in split_words(evidence.lines))
    theirs = [reason for sentence in _SENTENCE.split(evidence.lines) for reason in _reasons(sentence)]
    for mine in () if statement.denies else _reasons(statement.text):
        told = [word for word in split_words(mine.cause) if is_content(word) and word.fold.isalpha()]
        if told and not any(word.stem in held or word.fold[:BEGINNING] in folds for word in told):
            yield ClaimFault("wording", mine.cause)
            return
        effect, cause = _stems(mine.effect), _stems(mine.cause)
        known = [each for each in theirs if len(effect & _stems(each.effect)) >= MIN_EFFECT * len(effect) > 0]
        if known and cause and all(cause.isdisjoint(_stems(each.cause)) for each in known):
            yield ClaimFault("wording", mine.cause, known[0].cause)
            return
        if any(_is_turned(effect, cause, each) for each in theirs):
            yield ClaimFault("direction", mine.cause)
            return


def _is_turned(effect: frozenset[str], cause: frozenset[str], other: _Reason) -> bool:
    """Return whether the cause of a claim is the effect of the lines, and its effect the cause."""
    written, reason = _stems(other.effect), _stems(other.cause)
    crossed = len(effect & (reason - written)), len(cause & (written - reason))
    straight = len(effect & (written - reason)), len(cause & (reason - written))
    return all(one > other for one, other in zip(crossed, straight, strict=True))


def _stems(text: str) -> frozenset[str]:
    return content_stems(split_words(text))


def _reasons(sentence: str) -> Iterator[_Reason]:
    for match in _REASON_AFTER.finditer(sentence):
        before, after = sentence[: match.start()].strip(" ,"), sentence[match.end() :]
        if before:
            yield _Reason(before, _COMMA.split(after)[0].strip(" ."))
        elif len(parts := _COMMA.split(after, maxsplit=1)) > 1:
            yield _Reason(parts[1], parts[0])
    for match in _REASON_BEFORE.finditer(sentence):
        yield _Reason(sentence[match.end() :].strip(" ."), sentence[: match.start()].strip(" ,"))
