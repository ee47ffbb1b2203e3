"""Compares a clause of a claim with the one clause of its lines that is about the same: “covers fire, excludes floods”.

A sentence that has both words of a pair of opposites contradicts nothing as a whole; its clauses do. A clause without a
subject of its own, or with a pronoun, is about the subject of the clause before it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop_rag.agent.citations.check_words import (
    EXCEPTIONS,
    EXTENTS,
    ONLY,
    OPPOSITES,
    PRONOUNS,
    SWITCHES,
    WITHOUT,
    word_set,
)
from desktop_rag.agent.citations.check_words import words as words_of
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_roles import CONVERSE, is_name
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    is_content,
    is_negation,
    split_words,
    stems_of,
    without_idioms,
)
from desktop_rag.text.figures import read_figures

MIN_KNOWN = 0.6  # share of the words of a clause that the clause compared with it, or its subject, has
INHERITED = 0.5  # what a word of the subject counts beside one of the clause itself
SUBJECT = 3  # words at the beginning of a sentence that are its subject where no opposite stands in it
CLAUSE_BREAK = re.compile(
    r"[;:–—](?=\s)|,(?!\d)|\s-\s|\n|\s(?:and|or|but|while|whereas|although|though|und|oder|aber|während|"
    r"sondern|obwohl|"
    r"as(?= (?:the|it|they|he|she|there|its|his|her|their)\b)|et|ou|mais|tandis|alors|y|o|pero|mientras|aunque)\s",
    re.IGNORECASE,
)
_WEAK = re.compile(r",|\s(?:and|or|und|oder|et|ou|y|o)\s", re.IGNORECASE)  # may join words as well as clauses
_MORE, _LESS = word_set("more plus mehr mas"), word_set("less fewer moins weniger menos")
_EXCEPT = re.compile(
    r"\b(?i:every(?:one|body|thing)?|all|alle|tous|toutes|todos|todas)(?: \w+){0,2}? "
    r"(?:but|except(?: for)?|außer|sauf|excepto|salvo) (?:(?:the|dem|der|den|le|la|el) )?"
    r"(?P<names>[A-ZÀ-Þ]\w*\.?(?: [A-ZÀ-Þ]\w+){0,2}) (?P<rest>[^.;\n]+)"
)
_LABEL = re.compile(r"^\W*[^\W\d_]+: ", re.MULTILINE)  # “Removed: support for 8”
_SUBORDINATE = re.compile(r"\s(?:why|how|whether|because|warum|weil|pourquoi|porque)\s", re.IGNORECASE)
_BUT_NOT = re.compile(r"\bbut not (?:at|in|on|for) (?P<but>[^,;\n]+?)(?=[.,;]?(?:\s|$))", re.IGNORECASE)
_IF = word_set("if wenn falls si")  # such a clause states nothing
_THAN = word_set("than als que qu denn")
_ELSEWHERE, _TIMES = words_of("other events"), words_of("times and places")


_RANKS = frozenset(("first", "last", "erste", "ersten", "erster", "letzte", "letzten", "letzter"))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause around a word that has an opposite: its subject, which may be in the clause before, and the rest."""

    word: ClaimWord
    side: int  # of the pair, the other one if the clause is negated
    before: frozenset[str]
    after: frozenset[str]
    than: frozenset[str]  # of `after`, what it is compared with
    inherited: frozenset[str]
    denied: ClaimWord | None = None
    near: frozenset[str] = frozenset()  # of the words beside it up to the next breaks, also weak ones

    @property
    def own(self) -> frozenset[str]:
        return self.before | self.after

    @property
    def rest(self) -> frozenset[str]:
        """All but what it is compared with."""
        return self.before | (self.after - self.than) | self.inherited


def opposed_clauses(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word of a claim whose opposite is in the clause of the lines that is most like the claim's."""
    claim, lines = statement.text, evidence.prose
    if any(stems_of(each["but"]) <= stems_of(claim) for each in _BUT_NOT.finditer(lines)):
        return  # “stronger at 8 % and 12 %, but not at 20 %”
    folds = {word.fold for word in split_words(claim)}
    for pair in sorted({pair for fold in folds for pair in _pairs().get(fold, ())}):
        theirs = _clauses(lines, pair)
        if {clause.side for clause in theirs}:
            for mine in _clauses(claim, pair):
                if mine.word.stem in CONVERSE and sum(map(is_name, split_words(claim))) > 1:
                    continue  # “B bought it from A” over “A sold it to B”: `crossed_roles` compares who did it
                if (other := _contrary(mine, theirs)) is not None and not _is_left_out(other.denied, lines, claim):
                    yield _fault(mine, other, lines)
                    return


def _is_left_out(denied: ClaimWord | None, lines: str, claim: str) -> bool:
    """Return whether a negation denies only what a claim does not mention: “sold as seen, without any warranty”."""
    if denied is None or denied.fold not in WITHOUT or not lines[: denied.start].rstrip().endswith(","):
        return False
    added = CLAUSE_BREAK.split(lines[denied.end :], maxsplit=1)[0]
    return stems_of(added).isdisjoint(stems_of(claim))


def confirms(claim: str, lines: str, word: str) -> bool:
    """Return whether the clause most like that of a claim says the same with an opposite: A is larger, B smaller."""
    for pair in _pairs().get(next((each.fold for each in split_words(word)), ""), {}):
        mine = next((each for each in _clauses(claim, pair) if each.word.text == word), None)
        if mine is not None and mine.than:
            theirs = _clauses(lines, pair)
            alike = any(_is_same_side(mine, other) and _likeness(mine, other) >= 1 for other in theirs)
            return alike and _contrary(mine, theirs) is None
    return False


def only_excepted(claim: str, lines: str) -> bool:
    """Return whether a claim denies of “only” somebody what the lines say of everybody but them."""
    words = split_words(claim)
    named = {word.stem for word in words if word.is_capital and not word.starts}
    only = any(word.fold in EXTENTS[ONLY] for word in words) and any(map(is_negation, words))
    return only and any(
        named & {word.stem for word in split_words(match["names"])} for match in _EXCEPT.finditer(lines)
    )


def _fault(mine: _Clause, other: _Clause, lines: str) -> ClaimFault:
    if mine.denied is None and other.denied is not None:
        start, end = min(other.denied.start, other.word.start), max(other.denied.end, other.word.end)
        return ClaimFault("negation", mine.word.text, lines[start:end])
    if mine.denied is not None and other.denied is None:
        return ClaimFault("negation", mine.denied.text, other.word.text)
    return ClaimFault("direction", mine.word.text, other.word.text)


def _contrary(mine: _Clause, theirs: Sequence[_Clause]) -> _Clause | None:
    """Return the clause most like that of a claim if it says the opposite, and no other is as like it."""
    scored = [(_likeness(mine, other), _is_same_side(mine, other), other) for other in theirs]
    same = max((score for score, agrees, _ in scored if agrees), default=0.0)
    best, _, other = max(
        ((*each,) for each in scored if not each[1]), key=lambda each: each[0], default=(0.0, True, None)
    )
    said = mine.own | mine.inherited
    apart = bool(mine.near) and other is not None and mine.near.isdisjoint(other.own | other.inherited)
    if other is None or best <= same or best < 1 or not said & other.own or apart:
        return None
    return other if len(said & (other.own | other.inherited)) >= MIN_KNOWN * len(said) else None


def _likeness(mine: _Clause, other: _Clause) -> float:
    said = mine.own | mine.inherited
    return len(said & other.own) + INHERITED * len(said & (other.inherited - other.own))


def _is_same_side(mine: _Clause, other: _Clause) -> bool:
    """Return whether two clauses say the same: “A is larger than B” and “B is smaller than A” do."""
    said, read = mine.than - mine.rest, other.than - other.rest
    crossed = said & other.rest, mine.rest & read
    return (mine.side == other.side) == (not any(crossed) or bool(said & read))


@lru_cache(maxsize=512)
def _clauses(text: str, pair: int) -> tuple[_Clause, ...]:
    """Return the clauses of a text that have one word of a pair of opposites."""
    text = without_idioms(_LABEL.sub(lambda match: match[0].replace(":", " "), text))
    amounts = frozenset(each.start for each in read_figures(text).figures)
    found: list[_Clause] = []
    subject: frozenset[str] = frozenset()
    for words, new in _groups(text, pair):
        sided = [(at, side) for at in range(len(words)) if (side := _side(words, at, pair)) is not None]
        if len(sided) != 1:
            subject = _stems(words[:SUBJECT]) if new and not sided else subject
            continue
        if any(word.fold in _ELSEWHERE for word in words) or words[0].fold in _IF:
            continue
        at, side = sided[0]
        than = next((index for index in range(at + 1, len(words)) if words[index].fold in _THAN), len(words))
        bounds = than + 1 < len(words) and words[than + 1].start in amounts  # “no more than six weeks”
        if bounds and than == at + 1:
            continue
        compares = not bounds and _is_comparative(words, at)
        own, piece = _stems(words[:at]), _piece(text, words, at)
        denials = [word for word in words if is_negation(word) and word.fold != "non"]
        if words[at].fold in _RANKS:  # “the first without emissions”
            denials = [word for word in denials if word.start < words[at].start]
        if any(word is words[-1] and word not in piece for word in denials):
            continue  # “A is included, B not”
        denials = [word for word in denials if word in piece or word.fold in EXCEPTIONS]
        if at + 1 < len(words) and is_content(words[at + 1]):  # “the small lens could not show”
            denials = [word for word in denials if word.start < words[at].start or not _denies_verb(word)]
        less = at > 0 and words[at - 1].fold in _LESS
        clause = _Clause(
            words[at],
            side ^ (len(denials) + less) % 2,
            own,
            _stems(words[at + 1 :]),
            _stems(words[than:]) if compares else frozenset(),
            subject if _has_pronoun(words) or not (new or own) else frozenset(),
            denials[0] if denials else None,
            _stems([word for word in piece if word is not words[at]]),
        )
        found.append(clause)
        subject = own or subject
    return tuple(found)


def _denies_verb(word: ClaimWord) -> bool:
    """Return whether an English negation denies the verb after it."""
    return word.fold in ("not", "never") or word.fold.startswith("n't") or word.fold.endswith(("n't", "n’t"))


def _piece(text: str, words: Sequence[ClaimWord], at: int) -> list[ClaimWord]:
    """Return the words between the breaks around one: “closes on Mondays and takes no money” does not deny that."""
    breaks = [match.start() for each in (CLAUSE_BREAK, _SUBORDINATE) for match in each.finditer(text)]
    start = max((each for each in breaks if each < words[at].start), default=0)
    end = min((each for each in breaks if each >= words[at].end), default=len(text))
    return [word for word in words if start <= word.start < end]


def _is_comparative(words: Sequence[ClaimWord], at: int) -> bool:
    fold = words[at].fold
    return fold.endswith("er") or fold in _MORE | _LESS or (at > 0 and words[at - 1].fold in _MORE | _LESS)


def _has_pronoun(words: Sequence[ClaimWord]) -> bool:
    return any(word.fold in PRONOUNS for word in words)


def _groups(text: str, pair: int) -> Iterator[tuple[list[ClaimWord], bool]]:
    """Yield the words of each clause, with those of weaker breaks beside it, and whether it begins a sentence."""
    words = split_words(text)
    held: list[ClaimWord] = []
    new = True
    start = 0
    ends = [(match.start(), match.end(), match[0]) for match in CLAUSE_BREAK.finditer(text)]
    for end, after, mark in (*ends, (len(text), len(text), "\n")):
        piece = [word for word in words if start <= word.start < end]
        has = _has_side(held, pair)
        if has and _has_side(piece, pair):
            yield held, new
            held, new = [], False
        held = [*held, *piece]
        if not _WEAK.fullmatch(mark):
            if held:
                yield held, new
            new = mark == "\n"
            held = []
        start = after if mark.strip() else end
    if held:
        yield held, new


def _stems(words: Sequence[ClaimWord]) -> frozenset[str]:
    return frozenset(
        word.stem for word in words if (is_content(word) and word.fold not in PRONOUNS) or word.fold[:1].isdigit()
    )


def _has_side(words: Sequence[ClaimWord], pair: int) -> bool:
    return any(_side(words, at, pair) is not None for at in range(len(words)))


def _side(words: Sequence[ClaimWord], at: int, pair: int) -> int | None:
    """Return the side of a word; “plus” of “plus petit” belongs to the adjective."""
    fold = words[at].fold
    if at and words[at - 1].fold == "at":  # at most six: a bound
        return None
    if fold in _MORE | _LESS and at + 1 < len(words) and words[at + 1].fold in _pairs():
        return None
    named = words[at].is_capital and not words[at].starts  # South Africa, May
    return None if named else _pairs().get(fold, {}).get(pair)


@cache
def _pairs() -> dict[str, dict[int, int]]:
    """Return the sides of each word by the number of its pair."""
    found: dict[str, dict[int, int]] = {}
    for pair, sides in enumerate(OPPOSITES):
        for side, words in enumerate(sides):
            for word in words - SWITCHES - _TIMES - _ELSEWHERE - EXCEPTIONS:
                found.setdefault(word, {})[pair] = side
    return found
