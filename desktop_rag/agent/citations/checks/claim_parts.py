"""Compares what a claim joins with the parts of its lines: what they exclude, which clause has which half, who does it.

“The rent includes electricity” over “without electricity”, “the shoes remain the Company's” over “the notebook remains
the Company's; the shoes become the Employee's”, “Owen takes over” over “Farid takes over”.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from desktop_rag.agent.citations.check_words import PERMITS, SYMMETRIC, TITLES_AND_FORMS
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_names import NO_NAMES
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    content_stems,
    is_content,
    is_negation,
    is_ordinary,
    split_words,
)
from desktop_rag.text.figures import read_figures

MAX_LINES = 400  # characters of lines whose every clause a claim may be about
MAX_SENTENCE = 180  # characters of a sentence of two clauses
REACH = 6  # words after a name up to “by”
MIN_SHARED = 2  # words of a claim in the sentence that excludes what it says
_DENIED = (
    re.compile(r"\b(?:without|excluding|no|ohne|kein\w*|sans|sin) (?:\w+ )??(?P<thing>[^\W\d_]{3,})", re.IGNORECASE),
    re.compile(r"(?:^|[,.;:] |\b(?:but|and) )(?P<thing>[^,.;:]{3,40}?) (?:is|are|was|were) not (?=\w)", re.IGNORECASE),
    re.compile(
        r"\bd(?:o|oes|id)(?: not|n['’]t) (?:include|cover|contain|comprise) (?P<thing>[^.;:]{3,80})", re.IGNORECASE
    ),
)
_UNLIKE = re.compile(
    r"\b(?:\w+n['’]t|without|exclu\w+|except\w*|extra|separate\w*|additional\w*|on top|instead|rather|forbid\w*|banned|"
    r"prohibited|un\w+ed|lack\w*|miss\w+|only|besides|apart|stop\w*|refus\w+|reject\w*|avoid\w*|free|off limits|vacant|"
    r"closed|denied|ceased?|end(?:s|ed)?|drop\w*|frei\w*|untersagt|verboten)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:with|unless|if|provided|only|mit|wenn|nur)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|unless|except\w*|before|bis|außer)\b", re.IGNORECASE)  # it is so then
_LIMIT = re.compile(
    r"\b(?:up to|at most|no more than|not more than|at least|half of|part of|some of|most of|only|except\w*|but not|"
    r"höchstens|bis zu|nur)\b|\b(?:one|two|three|four|five|\d+) of (?:the|them|these)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:number|page|part|chapter|section|volume|day|week|year|phase|step|article) $", re.IGNORECASE
)
_ALL = re.compile(
    r"^\W*(?:all|every|any|alle|jede[rs]?|tous|toutes|todos|todas)\b|\b(?:on any|at any time|always|immer)\b", re.I
)
_QUANTITY = re.compile(r"\b(?:all|every|each|any|always|both|alle|jede\w*|immer)\b", re.IGNORECASE)
_CLAUSES = re.compile(
    r"[;:.]\s|,\s(?:(?:and|but|while|whereas|und|aber|während)\s)?|\s(?:and|but|while|whereas|und|aber|während|wohingegen)\s",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:before|after|than|both|later|earlier|until|from|between|together|respectively|not|vor|nach|als|beide)\b",
    re.I,
)
_SIDE = re.compile(r"\b(left|right)[ -](?P<thing>[^\W\d_]{3,})", re.IGNORECASE)
_ITEM = re.compile(r"\b(?P<label>[A-Z][a-z]+ \d{1,2})\b")
_LINKS = frozenset(("is", "was", "has", "will", "can", "must", "had", "also", "then"))


def excluded(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield what a claim states and its lines say is not so or not included."""
    if statement.denies or _UNLIKE.search(statement.text) or statement.sums:
        return
    wanted = {word.stem: word for word in statement.words if is_content(word) and not word.fold[:1].isdigit()}
    for sentence in evidence.alike:
        stems = [word.stem for word in split_words(sentence) if is_content(word)]
        if len(wanted.keys() & set(stems)) < MIN_SHARED or _UNTIL.search(sentence):
            continue
        for pattern in _DENIED:
            for match in pattern.finditer(sentence):
                things = content_stems(split_words(match["thing"]))
                said = [each for each in things if each in wanted and stems.count(each) == 1]
                rest = sentence.replace(match[0], " ")
                if _UNLIKE.search(rest) or any(map(is_negation, split_words(rest))):
                    continue
                if said and (len(said) == len(things) or pattern is _DENIED[-1]):
                    yield ClaimFault("negation", wanted[said[0]].text, match[0].strip(" ,.;:"))
                    return


def other_side(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “left” of a thing that the lines only call right."""
    theirs = {(match[1].lower(), match["thing"].lower()) for match in _SIDE.finditer(evidence.lines)}
    for match in _SIDE.finditer(statement.text):
        side, thing = match[1].lower(), match["thing"].lower()
        if ("right" if side == "left" else "left", thing) in theirs and (side, thing) not in theirs:
            yield ClaimFault("negation", match[0])
            return


def beyond_limit(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “all” of a claim whose sentence has a limit instead: “up to five days may be carried over”."""
    said, limit = _ALL.search(statement.text), _LIMIT.search(evidence.nearest)
    if limit and _NUMBERED.search(evidence.nearest, 0, limit.start()):  # “page 2 of the report”
        return
    if said and limit and not _QUANTITY.search(evidence.nearest) and not _LIMIT.search(statement.text):
        yield ClaimFault("extent", said[0].strip(), limit[0])


def other_lead_in(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “allowed” of an item of a list that begins with “The following are forbidden:”, and the reverse."""
    lead, colon, item = evidence.nearest.partition(": ")
    stems = content_stems(split_words(item))
    if not colon or not stems or statement.denies or _CONDITION.search(statement.text):
        return
    for mine, theirs in (PERMITS, PERMITS[::-1]):
        said = next((word.text for word in statement.words if word.fold in mine), "")
        led = next((word.text for word in split_words(lead) if word.fold in theirs), "")
        about = content_stems(statement.words) & stems
        if said and led and len(about) >= MIN_SHARED and not any(word.fold in mine for word in split_words(lead)):
            yield ClaimFault("direction", said, led)
            return


def crossed_clauses(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a claim that joins the beginning of each of two clauses with the rest of the other one."""
    if statement.denies or statement.sums:
        return
    mine = _clauses(statement.text)
    for sentence in (each for each in evidence.alike[:2] if len(each) <= MAX_SENTENCE):
        theirs = [] if any(map(is_negation, split_words(sentence))) else _clauses(sentence)
        for one, other in (theirs, theirs[::-1]) if len(theirs) == 2 else ():
            rest = set(one[1:]) - set(other)
            for here, there in (*pairwise(mine), *pairwise(mine[::-1])):
                begins = other[0] in here and one[0] in there and one[0] not in here and other[0] not in there
                if begins and len(rest & set(here)) >= MIN_SHARED and rest.isdisjoint(there):
                    yield ClaimFault("direction", statement.text, sentence)
                    return


def _clauses(text: str) -> list[list[str]]:
    """Return the content stems of each clause in order."""
    parts = ([word.stem for word in split_words(part) if is_content(word)] for part in _CLAUSES.split(text))
    return [each for each in parts if each]


def other_date(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the date of a claim that the lines give to another label: “Year 3 … on 19 May, Year 5 … on 21 May”."""
    labels = {match["label"] for match in _ITEM.finditer(statement.text)}
    dates = [each for each in read_figures(statement.text).figures if each.when]
    if len(labels) != 1 or len(dates) != 1 or _COMPARES.search(statement.text):
        return
    [label], [mine] = labels, dates
    for sentence in evidence.alike[:2]:
        items = sorted(
            [(match.start(), match["label"], "") for match in _ITEM.finditer(sentence)]
            + [(each.start, "", each.text) for each in read_figures(sentence).figures if each.when]
        )
        items = [each for each in items if not any(each[1] and each[1] in other[2] for other in items)]
        if len(items) < 4 or any(bool(one[1]) == bool(two[1]) for one, two in pairwise(items)):
            continue
        step = 0 if items[0][1] else 1
        given = {items[at + step][1]: items[at + 1 - step][2] for at in range(0, len(items) - 1, 2)}
        values = [each for each in given.values() if each in mine.text or mine.text in each]
        if label in given and values and not (given[label] in mine.text or mine.text in given[label]):
            yield ClaimFault("figure", mine.text, given[label])
            return


def other_doer(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the person of a claim before a verb that short lines have after another person only."""
    if len(evidence.lines) > MAX_LINES or statement.language not in ("en", ""):
        return
    theirs = [each for sentence in evidence.alike for each in _done(sentence)]
    known, before = {word.stem for word in evidence.nearby.words if word.is_capital}, set[str]()
    for name, verb in _done(statement.text):
        doers = [each for each, does in theirs if does == verb]
        same = name.stem in {each.stem for each in doers} or name.stem not in known
        same = same or any(_are_one(name.text, each.text, evidence.nearby.text) for each in doers)
        if doers and not same and before.isdisjoint(each.stem for each in doers):
            yield ClaimFault("name", name.text, doers[0].text)
            return
        before.add(name.stem)


def _are_one(one: str, other: str, text: str) -> bool:
    """Return whether a text has two names as parts of one: Gwen Parry."""
    pair = rf"{re.escape(one)} (?:\w+ )?{re.escape(other)}|{re.escape(other)} (?:\w+ )?{re.escape(one)}"
    return bool(re.search(rf"\b(?:{pair})\b", text))


def _done(text: str) -> Iterator[tuple[ClaimWord, str]]:
    """Yield names of a word, with or without a title, and the verb right behind each, if it is in the active."""
    words = split_words(text)
    for at, word in enumerate(words[:-1]):
        before = words[at - 1] if at else word
        surname = before is not word and before.is_capital and before.fold not in TITLES_AND_FORMS
        joined = surname or text[word.end] in "'’-"
        if not word.is_capital or joined or word.fold in NO_NAMES or is_ordinary(word) or not word.text[1:].islower():
            continue
        verb = next((each for each in words[at + 1 : at + 4] if each.fold not in _LINKS), words[at])
        passive = any(each.fold == "by" for each in words[at + 1 : at + REACH])
        if (
            verb.text.islower()
            and verb.stem not in SYMMETRIC
            and is_content(verb)
            and not is_negation(verb)
            and not passive
        ):
            yield word, verb.stem
