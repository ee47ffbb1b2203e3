"""Finds what a claim takes from the wrong one of parallel clauses: rebuilt in 1894 over built in 1894, rebuilt in 1931.

Silent unless only one clause has the figure of the claim, the other words of the claim that only one clause has
only all are in another, and that one has a figure of the same kind.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from desktop_rag.agent.citations.check_words import FALLS, FORMS_OF_ADDRESS, JOINING, LIMITS, RISES
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_names import NOUNS_ARE_CAPITAL
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    is_content,
    is_ordinary,
    split_words,
    stems_of,
)
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.index.keywords.analysis import STOP_WORDS
from desktop_rag.text.figures import Figure, read_figures

MAX_SEGMENTS = 8  # of a sentence; longer ones are lists
_BREAK = re.compile(
    r"[;:]|\s-\s|,(?!\d)|\s(?:and(?! an? (?:half|quarter))|but|while|whereas|und|aber|sondern|während|et(?! demi)|mais|"
    r"y(?! medi)|pero)\s",
    re.IGNORECASE,
)
_COMPARES = re.compile(  # a claim that relates two clauses to each other
    r"\b(?:respectively|each|both|than|from|compared|versus|after|before|since|until|jeweils|beziehungsweise|bzw|als|von|"
    r"seit|bis|gegenüber|nach|vor|respectivement|qu(?=['’])|que|chacun|depuis|respectivamente|desde|para)\b",
    re.IGNORECASE,
)
_TABLE = re.compile(r"[|\t]")
_MOVES = RISES | FALLS
_VOTER = re.compile(r"(?P<vote>[^,;.()\n]+)\((?P<names>[^()\d]+)\)")
_VOTED = re.compile(r"\b(?:vot|stimm)\w+", re.IGNORECASE)


_SIDES = tuple(
    re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    for pattern in (
        r"for|in favou?r|dafür|für|pour",
        r"against|dagegen|gegen|contre|en contra",
        r"abstain\w*|enthielt\w*|enthalt\w*",
    )
)  # of a vote


@dataclass(frozen=True, slots=True)
class _Segment:
    """A clause: its words that are no names, with those it shares with the clause before; its figures and names."""

    stems: frozenset[str]
    figures: tuple[Figure, ...]
    names: tuple[str, ...]  # their stems

    side: int | None = None  # in a vote
    bare: bool = False  # it has a figure only: “1 % of the value, at most 8 %”

    def has(self, figure: Figure) -> bool:
        return any(is_same(figure, other) for other in self.figures)


def from_other_clause(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a figure that the sentences most like the claim bind to other words, and these to another figure."""
    claim, lines, nouns_are_capital = statement.text, evidence.lines, statement.language in NOUNS_ARE_CAPITAL
    if statement.denies or statement.sums or _COMPARES.search(claim):
        return
    mine = [each for each in _segments(claim, nouns_are_capital=nouns_are_capital) if each.figures]
    for sentence in evidence.alike:
        theirs = () if _TABLE.search(sentence) else _segments(sentence, nouns_are_capital=nouns_are_capital)
        if 1 < len(theirs) <= MAX_SEGMENTS:
            rest = lines.replace(sentence, " ", 1)
            faults = (fault for each in mine for fault in _misplaced(each, theirs, rest))
            found = next((each for each in faults if not _has_both(each, mine, theirs)), None)
            if found:
                yield found
                return


def _misplaced(mine: _Segment, theirs: Sequence[_Segment], rest: str) -> Iterator[ClaimFault]:
    elsewhere = read_figures(rest).figures
    for figure in mine.figures:
        at = _only([each.has(figure) for each in theirs])
        other = _meant(at, theirs, mine.stems.union(mine.names), [each for each in mine.figures if each is not figure])
        other = _voted(at, theirs, mine.side) if other is None else other
        alone = all(each is figure or _kind(each) not in (_kind(figure), "") for each in mine.figures)
        if other is None or not alone or figure.fraction or any(is_same(figure, each) for each in elsewhere):
            continue
        instead = [each for each in theirs[other].figures if _kind(each) in (_kind(figure), "")]
        instead = [each for each in instead if each.is_year or not figure.is_year]
        if instead:
            yield ClaimFault("figure", figure.text, instead[0].text if len(instead) == 1 else "")


def _has_both(fault: ClaimFault, mine: Sequence[_Segment], theirs: Sequence[_Segment]) -> bool:
    """Return whether a figure stands alone in its clause, and the claim has the other one, too."""
    [*said] = (each for segment in mine for each in segment.figures if each.text != fault.text)
    [*bare] = (each for segment in theirs if segment.bare for each in segment.figures)
    figures = read_figures(fault.text).figures
    alone = any(is_same(one, other) for one in figures for other in bare)
    return alone and any(is_same(one, other) for one in read_figures(fault.found).figures for other in said)


def _voted(at: int | None, theirs: Sequence[_Segment], side: int | None) -> int | None:
    """Return the clause of a vote that has the side of the claim, if the one with its figure has another."""
    if at is None or side is None or theirs[at].side in (side, None):
        return None
    return _only([each.side == side for each in theirs])


def other_vote(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the vote of each name that the lines have in brackets after another vote: “one against (Anna Berg)”."""
    for vote in _VOTER.finditer(evidence.lines):
        theirs = {side for side, pattern in enumerate(_SIDES) if pattern.search(vote["vote"])}
        for clause in _BREAK.split(statement.text) if len(theirs) == 1 else ():
            found = [(side, match) for side, each in enumerate(_SIDES) if (match := each.search(clause))]
            named = {word.stem for word in split_words(clause) if word.is_capital} & stems_of(vote["names"])
            voted = found and (_VOTED.search(clause) or found[0][0] == len(_SIDES) - 1)
            if voted and named and len(found) == 1 and found[0][0] not in theirs:
                yield ClaimFault("direction", found[0][1][0], vote[0].strip())
                return


def _only(holds: Sequence[bool]) -> int | None:
    """Return the index of the only clause that holds something."""
    return holds.index(True) if sum(holds) == 1 else None


def _meant(at: int | None, theirs: Sequence[_Segment], stems: frozenset[str], figures: Sequence[Figure]) -> int | None:
    """Return the one other clause than `at` that has words or figures which no other clause has, if all point there."""
    if at is None:
        return None
    places = [_only([stem in each.stems or stem in each.names for each in theirs]) for stem in stems]
    places += [_only([each.has(figure) for each in theirs]) for figure in figures]
    found = {place for place in places if place is not None}
    return found.pop() if len(found) == 1 and at not in found else None


def _kind(figure: Figure) -> str:
    if figure.when:
        return "date" if figure.when.days else "time"
    if figure.is_year:
        return "date"
    return min(figure.kinds) if figure.kinds else figure.name and "name"


@lru_cache(maxsize=256)
def _segments(sentence: str, *, nouns_are_capital: bool) -> tuple[_Segment, ...]:
    read = read_figures(sentence)
    sentence, words = read.plain, split_words(read.plain)
    found: list[_Segment] = []
    shared: list[str] = []
    named: tuple[str, ...] = ()
    for start, end in _pieces(sentence, words, read.figures, nouns_are_capital=nouns_are_capital):
        figures = tuple(each for each in read.figures if start <= each.start < end and not each.ordinal)
        here = [word for word in words if start <= word.start < end and is_content(word) and word.text[0].isalpha()]
        here = [word for word in here if not any(each.start <= word.start < each.end for each in figures)]
        addressed = {after.start for one, after in pairwise(words) if one.fold in FORMS_OF_ADDRESS}
        names = tuple(
            word.stem for word in here if word.start in addressed or (not nouns_are_capital and _is_proper(word))
        )
        others = [word for word in here if word.stem not in names]
        first = min((each.start for each in figures), default=end)
        own = frozenset(word.stem for word in others)
        head = [word.stem for word in here if word.start < first and word.stem in own.union(names)]
        if found and not head:  # “8 euros for adults and 4 for children”
            own |= frozenset(shared)
        elif found and here[0].fold in _MOVES:  # “fell in Europe but rose in Asia”
            moved = {word.stem for word in words if word.fold in _MOVES}
            own |= frozenset(shared) - moved - frozenset(named)
        elif found and len(head) == 1 and sentence[start] != ";":  # “was built … and rebuilt …”
            own |= frozenset(shared if not shared or shared[-1] in named else shared[:-1])
        else:
            shared, named = head, names
        bare = all(word.fold in LIMITS for word in here)
        sides = [side for side, pattern in enumerate(_SIDES) if pattern.search(sentence, start, end)]
        found.append(_Segment(own, figures, names, sides[0] if len(sides) == 1 else None, bare))
    return tuple(found)


def _is_proper(word: ClaimWord) -> bool:
    return word.is_capital and not is_ordinary(word)


def _joins_names(words: Sequence[ClaimWord], at: int) -> bool:
    """Return whether a break stands between two names that share their verb: “by Marie and Pierre Curie in 1898”."""
    before = [word for word in words if word.end <= at]
    after = [word for word in words if word.start >= at and word.fold not in JOINING]
    first = next((index for index, word in enumerate(after) if not word.is_capital), len(after))
    follows = after[first].fold if first < len(after) else ""
    names = bool(before) and _is_proper(before[-1]) and first > 0 and _is_proper(after[0])
    return names and (not follows or follows in STOP_WORDS or follows[0].isdigit())


def _pieces(
    sentence: str, words: Sequence[ClaimWord], figures: Sequence[Figure], *, nouns_are_capital: bool
) -> list[tuple[int, int]]:
    """Return the clauses of a sentence; what has only names or only figures belongs to the clause before it."""
    ends = [match.start() for match in _BREAK.finditer(sentence)] + [len(sentence)]
    pieces: list[tuple[int, int]] = []
    start = 0
    for end in ends:
        here = [word for word in words if start <= word.start < end and is_content(word) and word.text[0].isalpha()]
        valued = any(start <= figure.start < end for figure in figures)
        tells = any(valued or nouns_are_capital or not _is_proper(word) for word in here)
        if pieces and (not tells or _joins_names(words, start)):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
        start = end
    return pieces
