"""Finds what a claim states more strongly than its lines: as a fact, as done, without their limits.

“The roof was repaired” for “must be repaired”, “fortified” for “no evidence that they fortified”, “causes” for “may
cause”, “always” for “often”. Silent where the lines have the verb without such a frame, too.
"""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.check_words import (
    CONDITIONS,
    EXCEPTIONS,
    LIMITS,
    PASTS,
    WEAK_MODALS,
    base_stem,
    word_set,
)
from desktop_rag.agent.citations.check_words import words as word_list
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault, FaultKind
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    content_stems,
    is_content,
    is_negation,
    split_words,
    without_idioms,
)

REACH = 4  # words between “must” and its verb
TO_REACH = 6  # words between “asked” and its “to”
THAT_REACH = 14  # words between “proposed” and a verb after its “that”
ABOUT = 0.4  # share of a claim's other content words in the sentence of the verb
_MEANT = frozenset(map(base_stem, word_list("meant") | word_list("owed") | word_list("refused"))) - {
    "want"
}  # “I just wanted to confirm”
_REPORTED = frozenset(map(base_stem, word_list("reported")))
_DOUBTFULLY = word_list("doubtfully")
_PROPOSED = frozenset(map(base_stem, word_list("proposed")))
_TOLD = word_set("according hypothesis legend say says sources theory")
_AHEAD = word_set("must should shall will going due")
_CAUSES = word_set("have has get gets")
_HAVE_TO = word_set("is are has have was were")
_AUXILIARIES = word_set("be been being have has had is are was were")
_NO_VERB_AFTER = word_set("a an the of be being by")
_OPENS, _SETTLED = word_list("opens"), word_list("settled")
_PRESENT = word_set("is are to")
_BREAK = re.compile(r"[.!?](?=\s|$)|\n\n")
_IF = word_set("if unless provided falls sofern si")
_MAY = word_set("may might")  # what “can” happen does
_TURNS = word_set("but however while whereas although though")  # to another clause
_EVERY = word_list("every")
_EVERY_HERE = _EVERY | word_set("both total whole throughout must shall no none nobody nothing not only")
_IDIOM = re.compile(
    r"\b(?:at|in|of|after|above|first of) all\b|\ball (?:in all|together|over|along)\b|\bany (?:more|longer)\b|"
    r"\bif any\b",
    re.IGNORECASE,
)


def unsettled(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the verb of a claim that its lines only deny, doubt, report or plan."""
    claim = split_words(without_idioms(statement.text))
    if statement.language not in ("en", "") or any(
        is_negation(word) or _softens(claim, at) for at, word in enumerate(claim)
    ):
        return
    pieces = [split_words(piece) for piece in _BREAK.split(without_idioms(evidence.lines)) if piece]
    folds = {word.fold for word in claim}
    for at, word in enumerate(claim):
        if not _may_be_verb(claim, at):
            continue
        rest = content_stems(claim) - {word.stem}
        found = [(piece, index) for piece in pieces for index, other in enumerate(piece) if other.stem == word.stem]
        frames = [_frame(piece, index, past=_is_past(claim, at)) for piece, index in found]
        shared = rest & frozenset().union(*(content_stems(piece) for piece, _ in found))
        said = any(frame.fold in folds for frame in frames if frame)
        if frames and all(frames) and not said and len(shared) >= ABOUT * len(rest):
            frame = next(filter(None, frames))
            kind: FaultKind = "negation" if is_negation(frame) else "extent"
            yield ClaimFault(kind, word.text, f"{frame.text} … {found[0][0][found[0][1]].text}")
            return


def unlimited(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “always” of a claim whose lines have nothing like it, but a limit in the sentence most like it."""
    words = split_words(_IDIOM.sub(lambda match: " " * len(match[0]), statement.text))
    if any(word.fold in _EVERY_HERE or is_negation(word) for word in evidence.known.words):
        return
    limit = next((word.text for word in split_words(evidence.nearest) if _limits(word)), "")
    if not limit or any(_limits(word) for word in words):
        return
    for at, word in enumerate(words):
        counted = any(other.fold[:1].isdigit() for other in words[at + 1 : at + 4])
        if word.fold in _EVERY and not counted:
            yield ClaimFault("extent", word.text, limit)
            return


def _limits(word: ClaimWord) -> bool:
    return word.fold in LIMITS | WEAK_MODALS | CONDITIONS | EXCEPTIONS | _DOUBTFULLY


def _softens(words: Sequence[ClaimWord], at: int) -> bool:
    """Return whether a word of a claim keeps it from being a plain fact."""
    word, after = words[at], {other.fold for other in words[at + 1 : at + TO_REACH]}
    framed = word.stem in _MEANT | _REPORTED | _PROPOSED and not after.isdisjoint(("to", "that"))
    return framed or word.fold in _TOLD | _AHEAD | WEAK_MODALS | _DOUBTFULLY | _OPENS | _IF


def _may_be_verb(words: Sequence[ClaimWord], at: int) -> bool:
    word, before = words[at], words[max(0, at - 1)].fold
    said = word.text[0].islower() and is_content(word) and not word.fold.endswith(("ing", "ly"))
    return at > 0 and said and before not in _NO_VERB_AFTER


def _is_past(words: Sequence[ClaimWord], at: int) -> bool:
    """Return whether a verb is in the past: after “was” or “has”, or after its subject; “have it taken” is not."""
    if is_content(words[at - 1]) and any(word.fold in _CAUSES for word in words[max(0, at - 4) : at - 1]):
        return False
    return (words[at].fold.endswith("ed") or words[at].fold in PASTS) and words[at - 1].fold not in _PRESENT


def _frame(words: Sequence[ClaimWord], at: int, *, past: bool) -> ClaimWord | None:
    """Return the word that keeps a verb from being a fact: “may”, “never”, “offered” before “to”, “whether”.

    What is ahead is settled for a claim that is not in the past: “will open” for “opens”.
    """
    excepts = any(word.fold in EXCEPTIONS | _IF or word.fold == "until" for word in words)
    near = range(at - 1, max(-1, at - 1 - REACH), -1)
    for index in near:
        word = words[index]
        if is_negation(word) and excepts:  # “not admitted except”
            return None
        unsure = word.fold in _MAY | _DOUBTFULLY and word.text != "May"  # the month
        if is_negation(word) or unsure or (past and word.fold in _AHEAD):
            return word
        if word.fold == "to" and (meant := _meant(words, index, past=past)):
            return meant
        if _ends_phrase(word):
            break
    turn = next((index for index in range(at - 1, -1, -1) if words[index].fold in _TURNS), 0)
    return _proposed(words[turn:at]) or (None if excepts else _left_open(words[turn:at]))


def _ends_phrase(word: ClaimWord) -> bool:
    """Return whether a word ends what a modal verb may belong to; “soon” and “however” do not."""
    return is_content(word) and not (word.fold.endswith("ly") or word.fold in _AUXILIARIES | _TURNS)


def _meant(words: Sequence[ClaimWord], at: int, *, past: bool) -> ClaimWord | None:
    """Return the word whose “to” stands at an index: “asked Anna to”, “is thought to”."""
    for word in reversed(words[max(0, at - TO_REACH) : at]):
        if word.stem in _REPORTED or (past and word.stem in _MEANT):
            return word
    return words[at - 1] if past and at and words[at - 1].fold in _HAVE_TO else None


def _proposed(before: Sequence[ClaimWord]) -> ClaimWord | None:
    """Return “proposed” of “proposed that the people be” before a verb."""
    near = before[-THAT_REACH:]
    that = next((index for index in range(len(near) - 1, -1, -1) if near[index].fold == "that"), 0)
    return next((word for word in reversed(near[:that]) if word.stem in _PROPOSED), None)


def _left_open(before: Sequence[ClaimWord]) -> ClaimWord | None:
    """Return the first word of what leaves all after it open: “no evidence that”, “not known if”."""
    for word, *after in zip(before, before[1:], before[2:], strict=False):
        if word.fold in _OPENS or (is_negation(word) and any(other.fold in _SETTLED for other in after)):
            return word
    return None
