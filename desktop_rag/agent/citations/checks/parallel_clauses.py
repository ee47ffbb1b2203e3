"""Finds what a claim exchanges between parallel clauses: “A leads X and B leads Y” over “A leads Y”.

Two neighbouring clauses are parallel if all that differs between them stands in the same places around words that both
have. A claim that takes one place from the first and another from the second, and no clause has both, is a mixture.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from desktop_rag.agent.citations.check_words import PRONOUNS, word_set
from desktop_rag.agent.citations.check_words import words as words_of
from desktop_rag.agent.citations.checks.claim_clauses import CLAUSE_BREAK
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import ClaimWord, is_content, is_negation, split_words
from desktop_rag.agent.events import ClaimFault, FaultKind

LONGEST = 16  # words of a clause
MOST_PLACES = 6
QUOTED = 0.75  # share of a claim's words that a sentence has in the same order
PIECE = 4  # words of the pieces of a quotation, on average
_COMPARES = words_of("comparing")
_JOINING = word_set("and but while whereas und aber wahrend sondern et mais tandis y pero mientras")
_THEREAFTER = re.compile(r"\bthereafter\b", re.IGNORECASE)
_AFTER_FIRST = re.compile(r"\bafter (?:the |this )?(?:first|initial) [^\W\d_]+", re.IGNORECASE)
_ARTICLES = word_set("the a an der die das den dem des ein eine einen einem einer le la les l un une el los las una")


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands in one place of two parallel clauses.

    `whole` if the first may have the verb of both, `loose` if the words beside it differ, too.
    """

    first: tuple[ClaimWord, ...]
    second: tuple[ClaimWord, ...]
    whole: bool = False
    loose: bool = False

    def side(self, said: frozenset[str]) -> int | None:
        """Return the clause from which a claim has this place; None if from both or neither."""
        first, second = _stems(self.first), _stems(self.second)
        if said & second:
            return None if not self.whole and said & first else 1
        return 0 if (first <= said if self.whole else said & first) else None


def mixed_clauses(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the word of a claim that its lines have in the one of two parallel clauses, the rest in the other."""
    if statement.sums:
        return
    claim, lines = statement.text, evidence.prose
    if _THEREAFTER.search(lines):
        claim = _AFTER_FIRST.sub("thereafter", claim)
    words = split_words(claim)
    if any(map(is_negation, words)) or any(word.fold in _COMPARES for word in words):
        return
    clauses = _clauses(lines)
    parallels = _parallels(lines)
    if not parallels or any(_quotes(words, split_words(line)) for line in lines.split("\n")):
        return
    vocabulary = [_stems(clause) for clause in clauses]
    for piece in _pieces(claim, parallels):
        said = _stems(piece)
        for places in parallels:
            sides = [place.side(said) for place in places]
            if {0, 1} <= set(sides):
                mixed = [(place, side) for place, side in zip(places, sides, strict=True) if side is not None]
                if fault := _fault(claim, piece, mixed, said, vocabulary):
                    yield fault
                    return


def _quotes(words: Sequence[ClaimWord], others: Sequence[ClaimWord]) -> bool:
    """Return whether a claim is made of long pieces of a sentence."""
    matcher = SequenceMatcher(None, [word.fold for word in words], [word.fold for word in others], autojunk=False)
    blocks = [block.size for block in matcher.get_matching_blocks() if block.size]
    return sum(blocks) >= QUOTED * len(words) and sum(blocks) >= PIECE * len(blocks)


def _fault(
    claim: str,
    piece: Sequence[ClaimWord],
    mixed: Sequence[tuple[_Place, int]],
    said: frozenset[str],
    vocabulary: Sequence[frozenset[str]],
) -> ClaimFault | None:
    """Return the fault of a place that fewer words of a claim take, unless a clause has words of both."""
    sides = [side for _, side in mixed]
    fewer = min((0, 1), key=sides.count)
    ones = [said & _stems(place.second if side else place.first) for place, side in mixed]
    here, there = ([one for one, side in zip(ones, sides, strict=True) if side == each] for each in (fewer, 1 - fewer))
    if any(one & clause and other & clause for clause in vocabulary for one in here for other in there):
        return None
    place, side = next((place, side) for place, side in mixed if side == fewer)
    at, *_ = [word for word in piece if word.stem in _stems(place.second if side else place.first)]
    if place.loose and sides.count(fewer) == 1 and not (at.is_capital or at.fold[:1].isdigit()):
        return None  # a verb: “provides” for “delivers”
    if place.whole:
        other = next(word for word in piece if any(word.stem in one for one in there))
        first, last = sorted((at, other), key=lambda word: word.start)
        return ClaimFault("direction", claim[first.start : last.end])
    kind: FaultKind = "figure" if at.fold[:1].isdigit() else "name" if at.is_capital else "wording"
    return ClaimFault(kind, at.text, (place.first if side else place.second)[0].text)


def _pieces(claim: str, parallels: Sequence[Sequence[_Place]]) -> list[list[ClaimWord]]:
    """Return the clauses of a claim; one that fills a single place belongs to its neighbour: “Jonas and Miriam”."""
    found: list[list[ClaimWord]] = []
    alone = False
    for clause in _clauses(claim):
        filled = max(
            (sum(place.side(_stems(clause)) is not None for place in places) for places in parallels), default=0
        )
        if found and (filled < 2 or alone):
            found[-1] += clause
        else:
            found.append([*clause])
        alone = filled < 2
    return found


@lru_cache(maxsize=256)
def _clauses(text: str) -> tuple[tuple[ClaimWord, ...], ...]:
    words = [word for word in split_words(text) if word.fold not in _JOINING]
    ends = [match.start() for match in CLAUSE_BREAK.finditer(text) if match[0] != ":"] + [len(text)]  # “Bergen: 310”
    pieces = (tuple(word for word in words if start <= word.start < end) for start, end in pairwise((0, *ends)))
    return tuple(filter(None, pieces))


@lru_cache(maxsize=256)
def _parallels(lines: str) -> tuple[tuple[_Place, ...], ...]:
    found = (_places(one, other) for one, other in pairwise(_clauses(lines)))
    return tuple(places for places in found if len(places) > 1)


def _places(one: Sequence[ClaimWord], other: Sequence[ClaimWord]) -> tuple[_Place, ...]:
    """Return the places in which two clauses differ; none if they are not parallel."""
    if max(len(one), len(other)) > LONGEST or any(map(is_negation, (*one, *other))):
        return ()
    left, right = ([_form(word) for word in clause] for clause in (one, other))
    shared = frozenset(word.stem for word in one) & frozenset(word.stem for word in other)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.find_longest_match().size == 0:
        return ()
    found: list[_Place] = []
    for kind, first, last, begin, end in matcher.get_opcodes():
        mine = [word for word in one[first:last] if _tells(word) and word.stem not in shared]
        theirs = [word for word in other[begin:end] if _tells(word) and word.stem not in shared]
        if kind == "insert" and theirs:
            return ()
        if kind != "replace" or not theirs or not mine:
            continue
        if len(mine) == len(theirs):
            loose = len(mine) > 1
            found += (_Place((a,), (b,), loose=loose) for a, b in zip(mine, theirs, strict=True))
        elif len(mine) > len(theirs) > 1:  # the verb stands between them
            found += (_Place((mine[0],), (theirs[0],)), _Place((mine[-1],), (theirs[-1],)))
        else:
            found.append(_Place(tuple(mine), tuple(theirs), whole=len(mine) > len(theirs)))
    return tuple(found) if len(found) <= MOST_PLACES else ()


def _form(word: ClaimWord) -> str:
    return "article" if word.fold in _ARTICLES and not _is_label(word) else word.stem


def _tells(word: ClaimWord) -> bool:
    return (is_content(word) and word.fold not in PRONOUNS) or word.fold[:1].isdigit() or _is_label(word)


def _is_label(word: ClaimWord) -> bool:
    """Return whether a word is a letter that tells things apart: group A."""
    return len(word.text) == 1 and word.is_capital and not word.starts


def _stems(words: Sequence[ClaimWord]) -> frozenset[str]:
    return frozenset(word.stem for word in words if _tells(word))
