"""Finds where a claim contradicts the source sentence most like it: negations, extents, directions, swapped roles.

Lexical, and only about the same words: a fault needs the negated, compared or swapped word in both sentences.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from desktop_rag.agent.citations.check_words import (
    ALL,
    CONDITIONS,
    EXCEPTIONS,
    EXTENTS,
    IMPLIED_NEGATIONS,
    LIMITS,
    ONLY,
    word_set,
)
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    content_stems,
    is_content,
    is_negation,
    split_words,
    stems_of,
    without_idioms,
)
from desktop_rag.text.figures import read_figures

REACH = 5  # words after a negation or a modal verb that it may belong to
NEAR = 5  # words around a direction that say what it is about
EXCEPTED = 4  # content words of an exception
SHORTEST = 6  # words of a sentence that may say more than a denial
APART, APART_SHARE = 2, 0.6  # content words of a claim, and their share, that a clause without the negation has
_CONTRASTED = re.compile(r",? (?:and|but) not (?:from|in|by|to|for|with|of|on|at|through)\b[^,.;]*", re.IGNORECASE)
_NONE_BEFORE = re.compile(
    r"\b(?:no|none|nobody|kein\w*|niemand|aucun\w*|ning[uú]n\w*)\b.*\b(?:before|earlier|other|else|vor|zuvor|andere\w*|avant|autre|antes)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:first|only|erste\w*|einzige\w*|premi[eè]re?|seule?|primer[oa]?|únic[oa])\b", re.IGNORECASE)
_CORRECTED = re.compile(  # what is denied now was said or so before
    r"\b(?:by mistake|mistaken\w*|wrongly|incorrect\w*|in error|erroneous\w*|replac\w+|took over|"
    r"used to|formerly|previously|irrtümlich|fälschlich\w*|par erreur|remplac\w+|por error|reemplaz\w+)\b",
    re.IGNORECASE,
)
_ANY = frozenset(("yet", "any", "anyone", "anything", "ever", "irgendein", "irgendeine", "je"))
_EXCEPT = frozenset(("except", "ausser", "sauf", "salvo"))
NEARLY_EQUAL = 0.75  # share from which an added “always” is an overstatement

_AUXILIARIES = word_set("will would shall should may might can could must is are was were be been has have had")
DONE = 2  # words from a negation to its verb: “not be repeated”
_MUST_NOT = re.compile(
    r"\b(?:(?:must|may|can|could|should|shall) not|cannot|can[’']t|mustn[’']t) (?P<verb>\w+)", re.IGNORECASE
)
_MAY = re.compile(
    r"\b(?:may|can|(?:is|are) (?:allowed|permitted|free) to) (?:also )?(?P<verb>(?!not\b)\w+)", re.IGNORECASE
)
_LIMITED = re.compile(  # there are things that may be done
    r"\b(?:without|unless|except|more|over|above|than|only|alone|if|while|when|but|both|if|longer|further)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:once|after\w*|when|from|as soon as|if|unless|only|with|following|not|no|never|before)\b", re.IGNORECASE
)
_TOO = re.compile(  # slight to be seen; “if they were larger, they would”
    r"\btoo \w+ (?:for \w+ )?to\b|\bzu \w+, um\b|\bif\b[^.;]*\bwere\b[^.;]*\bwould\b", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[;:()—–]|[.!?](?=\s)|,(?!\d)|\b(?:but|whereas|while|although|though|however|why|how|whether|"
    r"because|aber|sondern|jedoch|warum|wieso|weil|mais|pourquoi|pero|porque)\b",
    re.I,
)


def other_negation(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word that exactly one of both sentences negates."""
    unlike = _CORRECTED.search(statement.text) or (
        _NONE_BEFORE.search(statement.text) and _FIRST.search(evidence.nearest)
    )
    if not unlike:
        claim = _CONTRASTED.sub("", statement.text)
        yield from _negation(without_idioms(claim), without_idioms(evidence.nearest))


def _negation(claim: str, source: str) -> Iterator[ClaimFault]:
    mine, theirs = split_words(claim), split_words(source)
    negated_here, negated_there = _negated(claim, mine), _negated(source, theirs)
    implied_here = any(map(_is_implied, mine)) or bool(_TOO.search(claim))
    implied_there = any(map(_is_implied, theirs)) or bool(_TOO.search(source))
    if _is_excepted(mine, theirs):
        if again := negated_here.keys() & negated_there.keys():
            yield ClaimFault("negation", negated_here[again.pop()].text)
        return
    plain_here = {word.stem: word for word in mine if word.stem not in negated_here}
    plain_there = {word.stem for word in theirs if word.stem not in _negated(source, theirs, REACH)}
    if negated_here and not negated_there and not implied_there:
        # “Eight of nine islands were inhabited; one had no inhabitants” counts other things.
        stems = [stem_ for stem_ in negated_here if stem_ in plain_there]
        if stems and _counted(claim) <= _counted(source):
            yield ClaimFault("negation", negated_here[stems[0]].text)
    elif negated_here and negated_there and not implied_there:
        if negated_here.keys() <= plain_there and negated_there.keys().isdisjoint(word.stem for word in mine):
            yield ClaimFault("negation", next(iter(negated_here.values())).text)
    elif negated_there and not negated_here and not implied_here:
        excepts = any(word.fold in EXCEPTIONS for word in theirs) or sum(map(is_negation, theirs)) % 2 == 0
        if excepts and any(word.fold in CONDITIONS for word in mine):
            return
        often = Counter(word.stem for word in theirs)  # “Jonas packs it; nobody packs the rest”
        for stem_, negation in negated_there.items():
            if stem_ in plain_here and often[stem_] == 1 and not _is_said_apart(mine, stem_, source, negation):
                other = next(word for word in theirs if word.stem == stem_)
                start, end = min(negation.start, other.start), max(negation.end, other.end)
                yield ClaimFault("negation", plain_here[stem_].text, source[start:end])
                return


def _is_said_apart(mine: Sequence[ClaimWord], denied: str, source: str, negation: ClaimWord) -> bool:
    """Return whether another clause says the rest of a claim: “I do not pay for the boards: they stood outside”."""
    if _is_done(mine, denied) and _is_done(split_words(source[negation.end :])[:DONE], denied):
        return False  # “will be repeated because of rain” over “cancelled because of rain and will not be repeated”
    breaks = [0, *(match.end() for match in _CLAUSE.finditer(source)), len(source)]
    rest = content_stems(mine) - {denied}
    for start, end in pairwise(breaks):
        if start <= negation.start < end and not any(is_content(w) for w in split_words(source[negation.end : end])):
            return False  # “Dogs are allowed, cats are not”
    others = (source[start:end] for start, end in pairwise(breaks) if not start <= negation.start < end)
    return any(len(rest & stems_of(each)) >= max(APART, APART_SHARE * len(rest)) for each in others)


def _is_done(words: Sequence[ClaimWord], denied: str) -> bool:
    """Return whether a word stands behind an auxiliary verb, or begins the words."""
    at = next((at for at, word in enumerate(words) if word.stem == denied), None)
    return at is not None and (words[at - 1].fold in _AUXILIARIES if at else len(words) <= DONE)


def forbidden(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “may drive” of a claim over “must not drive until …” if it does not say when that ends."""
    denied = _MUST_NOT.search(evidence.nearest)
    if denied is None or _LIMITED.search(evidence.nearest) or _ENDED.search(statement.text):
        return
    for said in _MAY.finditer(statement.text):
        if said["verb"].casefold() == denied["verb"].casefold():
            yield ClaimFault("negation", said[0], denied[0])
            return


def _counted(text: str) -> set[Decimal]:
    return {value for figure in read_figures(text).figures for value in figure.values}


def _is_excepted(mine: Sequence[ClaimWord], theirs: Sequence[ClaimWord]) -> bool:
    """Return whether a claim is only about what its source excepts at its end: “no animals, except guide dogs”."""
    at = [index for index, word in enumerate(theirs) if word.fold in _EXCEPT]
    if len(at) != 1 or any(word.fold in EXCEPTIONS for word in mine):
        return False
    excepted = content_stems(theirs[at[0] + 1 :])
    denied = next((index for index, word in enumerate(theirs) if is_negation(word)), at[0])
    subject = content_stems(theirs[:denied]) - excepted
    return 0 < len(excepted) <= EXCEPTED and excepted <= content_stems(mine) and subject.isdisjoint(content_stems(mine))


def _is_implied(word: ClaimWord) -> bool:
    return word.fold in IMPLIED_NEGATIONS or word.fold.startswith(("un", "refus", "n'", "n’"))


def _negated(text: str, words: Sequence[ClaimWord], reach: int = 2) -> dict[str, ClaimWord]:
    """Return the negated content stems, each with its negation."""
    found: dict[str, ClaimWord] = {}
    ends = [match.start() for match in _CLAUSE.finditer(text)] + [len(text)]
    for at, word in enumerate(words):
        if not is_negation(word):
            continue
        end = next(end for end in ends if end >= word.start)
        begin = max((each for each in (0, *ends) if each <= word.start), default=0)
        after = [other for other in words[at + 1 : at + 1 + REACH] if other.end <= end and is_content(other)]
        after = [other for other in after if other.fold not in _ANY]  # “not given any powers”
        before = [other for other in words[max(0, at - 2) : at] if other.start >= begin and is_content(other)]
        scope = after[:reach] or before[-1:]
        if word.fold in ("nicht", "pas", "niet"):
            scope = [*([] if len(after) > 1 else before[-1:]), *after[:reach]]
        for other in scope:
            found.setdefault(other.stem, word)
    return found


def other_extent(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield an extent that the lines limit about the same words."""
    words, best, everything = statement.words, split_words(evidence.nearest), evidence.known.folds
    folds = {word.fold for word in best}
    limits = [at for at, word in enumerate(best) if word.fold in LIMITS]
    exclusive = [at for at, word in enumerate(best) if word.fold in EXTENTS[ONLY]]
    hedged = any(word.fold in LIMITS for word in words)
    if statement.sums or (hedged and not exclusive):
        return
    for number, group in enumerate(EXTENTS):
        for at, word in enumerate(words):
            counted = any(each.fold[:1].isdigit() for each in words[at + 1 : at + 3])  # “only 340” is an emphasis
            if word.fold not in group or counted or not folds.isdisjoint(group) or word.fold in everything:
                continue
            near = _around(words, at)
            held = [*([] if hedged else limits), *(exclusive if number == ALL else [])]
            limit = next((best[each].text for each in held if near & _around(best, each)), "")
            if limit:
                yield ClaimFault("extent", word.text, limit)
                return


def _around(words: Sequence[ClaimWord], at: int) -> set[str]:
    near = (*words[max(0, at - NEAR) : at], *words[at + 1 : at + 1 + NEAR])
    return {word.stem for word in near if is_content(word) or word.fold[:1].isdigit()}
