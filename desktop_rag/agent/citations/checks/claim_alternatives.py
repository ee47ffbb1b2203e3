"""Finds a word of a claim in whose place its source has another one of a small closed class.

Autumn for spring, at least for at most, tripled for doubled; what stands in no class is not compared.
"""

import re
from collections.abc import Container, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, ROLES, TITLES_AND_FORMS, word_classes, word_sides
from desktop_rag.agent.citations.check_words import words as words_of
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import ClaimWord, is_content, is_negation, split_words
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, read_figures

_CLASSES = word_classes("classes")  # their words are compared in lower case only
_GERMAN = word_classes("german classes")
_PREFIX = re.compile(r"(?:un|non-?|(?:in|im|ir|il)(?=\w+(?:ble|ent|ant|ive|al|ful|te|ly)$))(?=\w{5})")
_SMALL = frozenset(map(stem, STOP_WORDS | FUNCTION_WORDS))
_EVERY = re.compile(
    r"\b(?:each|all|every|none|alle|sämtliche|jede\w*|tous|toutes|todos|todas)\W+(?:of\W+|de\W+)?"
    r"(?:the\W+|der\W+|die\W+|les\W+|los\W+|las\W+)?$",
    re.IGNORECASE,
)
_OF_THE = re.compile(r"\s(?:of (?:the |its |all )?|der |von den |des |de los |de las )$", re.IGNORECASE)
_MULTIPLES = dict(zip((Decimal(2), Decimal(3), Decimal(4), Decimal("0.5")), word_sides("multiples"), strict=True))
_MULTIPLE_OF = {word: multiple for multiple, words in _MULTIPLES.items() for word in words}
_SMALL_COUNT = 20
_TWO_WORDS = re.compile(r"\s[^\W\d_]+\s[^\W\d_]+\b")
_PART_OF = re.compile(
    r"\b(?:other|another|more|additional|further|next|first|last|these|those|both|of|of the)\s$", re.I
)
_MOST, _SOME = words_of("most of all"), words_of("some of all")
_COUNTED = 3  # words after “most” that say of what
_VOTE = re.compile(
    r"(?P<one>\d+)(?:\s+(?:votes?|Stimmen|voix|votos))?\s*(?:to|:|–|-|zu|gegen|against|contre|contra)\s*(?P<other>\d+)"
    r"(?!\d|\s*%)"
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
_FROM_TO = re.compile(
    r"\b(?:from|von|de|desde)\s+(?P<one>[$€£]?\d[\d.,]*)(?:\s?\w+)?\s+(?:to|auf|à|a)\s+(?P<other>[$€£]?\d[\d.,]*)",
    re.IGNORECASE,
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


def denied_prefix(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “valid” where the sentence has “invalid” only, and the reverse, unless one of both is negated."""
    words, best = statement.words, split_words(evidence.nearest)
    mine, theirs = ({word.fold: word for word in each} for each in (words, best))
    if sum(map(is_negation, words)) % 2 != sum(map(is_negation, best)) % 2:
        return
    for said, instead in ((mine, theirs), (theirs, mine)):
        for fold, word in said.items():
            positive = _PREFIX.sub("", fold, count=1)
            if positive != fold and positive in instead and fold not in instead and positive not in said:
                yield ClaimFault(
                    "negation", mine.get(fold, mine.get(positive, word)).text, theirs.get(positive, word).text
                )
                return


def part_of_all(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “nine” of “nine of the ten” where the sentence says “each of the ten” or “none of the ten”."""
    claim, sentence = statement.text, evidence.nearest
    said, read = read_figures(claim), read_figures(sentence)
    for part, whole in pairwise(said.figures):
        if not (part.values and whole.values and part.values[0] < whole.values[0]):
            continue
        between = said.plain[part.end : whole.start]
        same = [each for each in read.figures if each.values == whole.values]
        if _OF_THE.match(between) and any(_EVERY.search(read.plain[: each.start]) for each in same):
            yield ClaimFault("figure", part.text)
            return


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


def overstated_share(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “most” of “most members” where the sentence says “some members”."""
    words, best, everything = statement.words, split_words(evidence.nearest), evidence.known.folds
    for at, word in enumerate(words):
        if word.fold in _MOST and not any(each in everything for each in _MOST):
            counted = {each.stem for each in words[at + 1 : at + 1 + _COUNTED]} - _SMALL
            for other, some in enumerate(best):
                if some.fold in _SOME and counted & {each.stem for each in best[other + 1 : other + 1 + _COUNTED]}:
                    yield ClaimFault("extent", word.text, some.text)
                    return


def reversed_vote(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “2 votes to 7” where the sentence says “7 votes to 2”."""
    claim, sentence = statement.text, evidence.nearest
    if not (_VOTES.search(claim) or _VOTES.search(sentence)):
        return
    written = {(vote["one"], vote["other"]) for vote in _VOTE.finditer(sentence)}
    for vote in _VOTE.finditer(claim):
        said = (vote["one"], vote["other"])
        if said not in written and said[::-1] in written:
            yield ClaimFault("figure", vote[0], " : ".join(said[::-1]))
            return


def split_vote(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “unanimously” or “all” of a claim about a vote of which the sentence counts two sides."""
    claim, sentence = statement.text, evidence.nearest
    whole = _UNANIMOUS.search(claim) or (_VOTED.search(claim) and _EVERYBODY.search(claim))
    if whole is None or not _VOTES.search(sentence) or _UNANIMOUS.search(sentence):
        return
    read = read_figures(sentence)
    counts = [each for each in read.figures if each.values and each.values[0] >= 1 and not each.is_year]
    for one, other in pairwise(counts):
        if _AGAINST.fullmatch(read.plain[one.end : other.start]):
            match = _UNANIMOUS.search(claim) or _EVERYBODY.search(claim)
            yield ClaimFault("extent", match[0] if match else claim, read.plain[one.start : other.end])
            return


def reversed_change(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “from 41 to 38” where the sentence says “from 38 to 41”."""
    claim, sentence = statement.text, evidence.nearest
    written = {(change["one"], change["other"]) for change in _FROM_TO.finditer(sentence)}
    for change in _FROM_TO.finditer(claim):
        said = (change["one"], change["other"])
        if said not in written and said[::-1] in written:
            yield ClaimFault("direction", change[0])
            return


def exchanged_role(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “the landlord” of a claim about a name that the sentence calls the tenant, and nowhere the landlord."""
    claim, sentence = statement.text, evidence.nearest
    words = split_words(claim)
    folds = {word.fold for word in words}
    for one, other in ROLES:
        for same, opposite in ((one, other), (other, one)):
            names = {
                word.fold
                for word in words
                if word.is_capital and word.fold not in same | FUNCTION_WORDS | TITLES_AND_FORMS
            }
            if not folds & same or folds & opposite or not names:
                continue
            parts = [{word.fold: word for word in split_words(part)} for part in _PART.split(sentence)]
            about = [part for part in parts if names <= part.keys()]
            if about and all(opposite & part.keys() and not same & part.keys() for part in about):
                role = next(word for word in words if word.fold in same)
                yield ClaimFault(
                    "direction", role.text, next(about[0][each].text for each in opposite & about[0].keys())
                )
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
    claim, sentence = statement.text, evidence.nearest
    bounded = [(each, _bound(sentence, each)) for each in read_figures(sentence).figures]
    for figure in read_figures(claim).figures:
        kind, text = _bound(claim, figure)
        timed = bool(figure.when or figure.period or figure.is_year or figure.kinds & {"months", "seconds"})
        if kind in ("until", "after") and not timed:
            continue
        denied = _denials(claim, figure)
        same = [bound for each, bound in bounded if is_same(figure, each) and denied == _denials(sentence, each)]
        contrary = [words for bound, words in same if bound in _CONTRARY.get(kind, ())]
        if contrary and not any(bound == kind for bound, _ in same):
            yield ClaimFault("extent" if kind == "exact" else "direction", text, contrary[0])
            return


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
    """Yield “tripled” where the sentence says “doubled”, or has two figures of which none is the triple of another."""
    sentence, best = evidence.nearest, split_words(evidence.nearest)
    said = next((word for word in statement.words if word.fold in _MULTIPLE_OF), None)
    if said is None:
        return
    multiple = _MULTIPLE_OF[said.fold]
    written = {_MULTIPLE_OF[word.fold]: word for word in best if word.fold in _MULTIPLE_OF}
    amounts = [each for each in read_figures(sentence).figures if each.values and each.values[0] and not each.is_year]
    ratios = [one.values[0] / other.values[0] for one, other in permutations(amounts, 2)]
    fits = multiple in written if written else any(abs(ratio / multiple - 1) <= _TOLERANCE for ratio in ratios)
    if not fits and (written or len(amounts) > 1):
        yield ClaimFault("figure", said.text, next((word.text for word in written.values()), ""))
