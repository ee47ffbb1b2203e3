"""Finds a word of a claim in whose place its source has another one of a small closed class.

Autumn for spring, at least for at most, tripled for doubled; words of no class are not compared.
"""

import re
from collections.abc import Container, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from desktop_rag.agent.citations.check_words import word_classes, word_sides
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    content_stems,
    is_content,
    is_negation,
    split_words,
    stems_of,
)
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.agent.citations.sums.computed_pairs import amount
from desktop_rag.text.figures import Figure, read_figures

_CLASSES = word_classes("classes")  # their words are compared in lower case only
_GERMAN = word_classes("german classes")
_MULTIPLES = dict(zip((Decimal(2), Decimal(3), Decimal(4), Decimal("0.5")), word_sides("multiples"), strict=True))
_MULTIPLE_OF = {word: multiple for multiple, words in _MULTIPLES.items() for word in words}
_SMALL_COUNT = 20
_TWO_WORDS = re.compile(r"\s[^\W\d_]+\s[^\W\d_]+\b")
_PART_OF = re.compile(
    r"\b(?:other|another|more|additional|further|next|first|last|these|those|both|of|of the)\s$", re.I
)
_PAIR = re.compile(
    r"(?<![\d.,])(?P<one>\d[\d.,]*)(?:\s?[^\W\d]+)?\s*(?:to|:|zu|gegen|auf|against|contre|contra|à|a)\s*(?P<other>\d+(?:[.,]\d+)*)"
    r"(?!\d)"
)
_NUMBER = r"\d+(?:[.,]\d+)*(?!\d)"
_FROM_TO = re.compile(rf"\b(?:from|von|de)\s(?P<one>{_NUMBER})\s?\S{{0,12}}\s(?:to|auf|à|a)\s(?P<other>{_NUMBER})")
_IS_WAS = re.compile(rf"\b(?:is|are|now)\s(?P<other>{_NUMBER})[^\d;.]{{0,15}}\b(?:was|were)\s(?P<one>{_NUMBER})")
_GOAL = re.compile(
    rf"\b(?:chang\w+|rais\w+|r[io]se\w*|rising|reduc\w+|lower\w+|increas\w+|decreas\w+|f[ae]ll\w*|drop\w*|erhöh\w*|"
    rf"st(?:ei|ie)g\w*|ge(?:stiegen|senkt|sunken|ändert)|s[ai]nk\w*|senk\w*)\b[^;.\n]*?(?<!up )\b"
    rf"(?:to|auf)\s(?P<goal>{_NUMBER})",
    re.IGNORECASE,
)
_VOTES = re.compile(r"\b(?:votes?|voted|scores?|Stimmen|voix|votos)\b")
_UNANIMOUS = re.compile(r"\bunanim\w*|\bunánim\w*|\beinstimmig\w*|\b(?:without|ohne) (?:dissent|Gegenstimmen?)\b", re.I)
_EVERYBODY = re.compile(
    r"\b(?:all|every(?:one|body)?|each|nobody|alle|jede\w*|niemand|tous|toutes|todos|todas)\b", re.I
)
_VOTED = re.compile(
    r"\b(?:vot\w+|(?:re|ob)ject\w+|approv\w+|accept\w+|adopt\w+|carried|support\w*|oppos\w+|agreed?|stimm\w+|lehn\w+|abgelehnt|"
    r"angenommen|rejet\w+|approuv\w+|rechaz\w+|aprob\w+)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?=\s?[:–-]|.*\b(?:to|for|against|favou?r|zu|für|dafür|gegen|dagegen|contre|pour|contra)\b)[^.;\d\n]{1,40}", re.I
)
_PART = re.compile(r"[,;.]\s|\s(?:and|und|et|y)\s")  # of a sentence that names who is what
_TOLERANCE = Decimal("0.1")  # of a ratio that is called a multiple
_BOUNDS = tuple(
    (bound, re.compile(rf"(?:{pattern})\s*(?:[$€£¥]|EUR|USD|GBP|CHF)?\s?$", re.IGNORECASE))
    for bound, pattern in (
        (
            "most",
            r"\b(?:at most|up to|(?:no|not) more than|(?:not|never) (?:to )?(?:exceed\w*|above|over)|"
            r"a?\s?maximum of|höchstens|bis zu|maximal|au plus|como máximo)",
        ),
        ("least", r"\b(?:at least|(?:no|not) (?:less|fewer) than|minimum of|mindestens|au moins|al menos)"),
        ("exact", r"\b(?:exactly|precisely|genau|exactement|exactamente)"),
        ("above", r"\b(?:over|above|more than|exceed(?:ed|s|ing)?|in excess of|über|mehr als|plus de|más de)"),
        ("below", r"\b(?:under|below|(?:less|fewer|lower) than|unter|weniger als|moins de|menos de)"),
        ("until", r"\b(?:until|till|within|no later than|bis|innerhalb von|binnen|jusqu['’]à|hasta)"),
        ("after", r"\b(?:from|after|since|ab|nach|après|dès|desde|después de)"),
        ("about", r"\b(?:about|around|roughly|approximately|almost|nearly|etwa|rund|ungefähr|fast)"),
    )
)
_MONEY = re.compile(r"\s*(?:[$€£¥]|EUR|USD|GBP|CHF)?\s*$")
_UNLESS = frozenset(("unless", "except", "ausser"))
_BEFORE = 18  # characters before a figure that may bound it
_CONTRARY = {
    "most": {"least", "above"},
    "least": {"most", "below"},
    "above": {"most", "below"},
    "below": {"least", "above"},
    "until": {"after"},
    "after": {"until"},
    "exact": {"most", "least", "about", "above", "below"},
}


def alternatives(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a word of a claim in whose place the sentence most like it has another of its class.

    A class is silent where lines, context or question have a word of the same sense.
    """
    words, best, everything = statement.words, split_words(evidence.nearest), evidence.known.folds
    mine, theirs = ({w.fold: w for w in each if not w.is_capital or w.starts} for each in (words, best))
    yield from _other(mine, theirs, _CLASSES, everything)
    yield from _other({w.fold: w for w in words}, {w.fold: w for w in best}, _GERMAN, everything)


def other_count(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “one” of “one stable isotope” where the sentence says “five stable isotopes”, and no line counts one."""
    own = {each.values for each in read_figures(evidence.nearest).figures}
    written, everywhere = _counts(evidence.nearest), _counts(evidence.known.text)
    for things, figure in () if statement.sums else _counts(statement.text):
        others = [other for held, other in written if held == things]
        known = any(held == things and other.values == figure.values for held, other in everywhere)
        if len(others) == 1 and not known and figure.values not in own:
            yield ClaimFault("figure", figure.text, others[0].text)
            return


def _counts(text: str) -> list[tuple[tuple[str, ...], Figure]]:
    """Return the small numbers that count something, with the stems of its two words: stable isotopes."""
    read = read_figures(text)
    found: list[tuple[tuple[str, ...], Figure]] = []
    for figure in read.figures:
        plain = not (figure.units or figure.scales or figure.ordinal or figure.fraction or figure.when or figure.name)
        if (
            plain
            and figure.values
            and figure.values[0] <= _SMALL_COUNT
            and not _PART_OF.search(read.plain[: figure.start])
        ):
            counted = _TWO_WORDS.match(read.plain, figure.end)
            words = split_words(counted[0]) if counted else ()
            if len(words) == 2 and all(map(is_content, words)):
                found.append((tuple(word.stem for word in words), figure))
    return found


def reversed_pair(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “2 votes to 7” where the sentence says “7 votes to 2”, and “from 41 to 38” for “from 38 to 41”."""
    changes = [change for each in (_FROM_TO, _IS_WAS) for change in each.finditer(evidence.nearest)]
    found = (*_PAIR.finditer(evidence.nearest), *changes)
    written = {(pair["one"], pair["other"]): pair[0] for pair in found}
    for pair in _PAIR.finditer(statement.text):
        reverse = written.get((pair["other"], pair["one"]))
        if reverse and (pair["one"], pair["other"]) not in written:
            yield ClaimFault("direction", pair[0], reverse)
            return
    goal = _GOAL.search(statement.text)
    for change in changes if goal else ():
        if goal and goal["goal"] == change["one"] != change["other"] and change["other"] not in statement.text:
            yield ClaimFault("direction", goal[0], change[0])
            return


def split_vote(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “unanimously” or “all” of a claim about a vote if the sentence counts two sides."""
    claim = statement.text
    whole = _UNANIMOUS.search(claim) or (_VOTED.search(claim) and _EVERYBODY.search(claim))
    told = frozenset(each for each in content_stems(statement.words) if not _VOTES.match(each))
    sentence = next((each for each in evidence.alike if _VOTES.search(each) and told & stems_of(each)), "")
    if whole is None or not sentence or _UNANIMOUS.search(sentence):
        return
    read = read_figures(sentence)
    counts = [each for each in read.figures if each.values and each.values[0] >= 1 and not each.is_year]
    for one, other in pairwise(counts):
        if _AGAINST.fullmatch(read.plain[one.end : other.start]):
            match = _UNANIMOUS.search(claim) or _EVERYBODY.search(claim)
            yield ClaimFault("extent", match[0] if match else claim, read.plain[one.start : other.end])
            return


def _other(
    mine: dict[str, ClaimWord],
    theirs: dict[str, ClaimWord],
    classes: Sequence[Sequence[frozenset[str]]],
    everything: Container[str],
) -> Iterator[ClaimFault]:
    said, written = frozenset(mine), frozenset(theirs)
    for group in classes:
        if all(map(said.isdisjoint, group)):
            continue
        for own, other in permutations(group, 2):
            if own.isdisjoint(said) or other.isdisjoint(written) or not other.isdisjoint(said):
                continue
            if not any(word in everything for word in own):
                yield ClaimFault("name", mine[min(own & said)].text, theirs[min(other & written)].text)
                return


def other_bound(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “over” before a figure that the sentence has after “under”, and “exactly” where it has either.

    Of “not … unless it is below 1,240” and “not … if it is above 1,240” neither contradicts the other.
    """
    claim = statement.text
    for figure in read_figures(claim).figures:
        sentence = next((each for each in (evidence.nearest, evidence.prose) if _has(each, figure)), "")
        bounded = [(each, _bound(sentence, each)) for each in read_figures(sentence).figures]
        kind, text = _bound(claim, figure)
        timed = bool(figure.when or figure.period or figure.is_year or figure.kinds & {"months", "seconds"})
        if kind in ("until", "after") and not timed:
            continue
        denied = _denials(claim, figure)
        equal = [(each, bound) for each, bound in bounded if is_same(figure, each) and _size(figure) == _size(each)]
        same = [bound for each, bound in equal if denied == _denials(sentence, each)]
        contrary = [words for bound, words in same if bound in _CONTRARY.get(kind, ())]
        if contrary and not any(bound == kind for bound, _ in same):
            yield ClaimFault("extent" if kind == "exact" else "direction", text, contrary[0])
            return


def _size(figure: Figure) -> Decimal | None:
    """Return the amount of a figure in the least unit; None of a date."""
    factor = figure.units[0].factor if figure.units else Decimal(1)
    return amount(figure) * factor if figure.values else None


def _has(text: str, figure: Figure) -> bool:
    return any(is_same(figure, each) for each in read_figures(text).figures)


def _bound(text: str, figure: Figure) -> tuple[str, str]:
    """Return the kind of the bound before a figure and its words."""
    plain = read_figures(text).plain
    before = plain[max(0, figure.start - _BEFORE) : figure.start]
    return next(
        ((kind, _MONEY.sub("", found[0]).strip()) for kind, bound in _BOUNDS if (found := bound.search(before))),
        ("", ""),
    )


def _denials(text: str, figure: Figure) -> int:
    """Return whether the clause before a figure denies something, as 0 or 1; two denials are none."""
    before = _MONEY.sub("", read_figures(text).plain[: figure.start])
    before = before.removesuffix(_bound(text, figure)[1])
    return sum(is_negation(word) or word.fold in _UNLESS for word in split_words(_PART.split(before)[-1])) % 2


def other_multiple(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “tripled” where the sentence says “doubled”, or has two figures and neither is three times the other."""
    best = split_words(evidence.nearest)
    words = ((word.text, _MULTIPLE_OF[word.fold]) for word in statement.words if word.fold in _MULTIPLE_OF)
    times = (
        (each.text, each.values[0])
        for each in read_figures(statement.text).figures
        if each.spelled and each.noun == "times"
    )
    said, multiple = next(iter((*words, *times)), ("", Decimal(1)))
    if not said or statement.sums:
        return
    written = {_MULTIPLE_OF[word.fold]: word for word in best if word.fold in _MULTIPLE_OF}
    amounts = next((each for each in map(_amounts, (evidence.nearest, evidence.prose)) if len(each) > 1), [])
    ratios = [one.values[0] / other.values[0] for one, other in permutations(amounts, 2)]
    fits = multiple in written if written else any(abs(ratio / multiple - 1) <= _TOLERANCE for ratio in ratios)
    if not fits and (written or len(amounts) > 1):
        yield ClaimFault("figure", said, next((word.text for word in written.values()), ""))


def _amounts(text: str) -> list[Figure]:
    """Return the figures of a text that may be multiples of each other: those of one kind if two are."""
    found = [each for each in read_figures(text).figures if each.values and each.values[0] and not each.is_year]
    found = [each for each in found if not (each.ordinal or each.when)]
    paid = [each for each in found if each.kinds and sum(each.kinds == other.kinds for other in found) > 1]
    return paid or found
