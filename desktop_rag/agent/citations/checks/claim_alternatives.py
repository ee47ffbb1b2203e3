"""Finds a word of a claim in whose place its source has another one of a small closed class.

Autumn for spring, at least for at most, tripled for doubled; what stands in no class is not compared.
"""

import re
from collections.abc import Container, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, TITLES_AND_FORMS, word_set
from desktop_rag.agent.citations.checks.claim_alterations import is_negation
from desktop_rag.agent.citations.claim_words import ClaimWord, split_words
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, read_figures

# Words of one line are one thing, lines of one group exclude each other; all are compared in lower case only.
_CLASSES = tuple(
    tuple(word_set(words) for words in group.split("|"))
    for group in (
        "spring springtime|summer summertime|autumn fall|winter wintertime",
        "printemps|ete|automne|hiver",
        "primavera|verano|otono|invierno",
        "montags|dienstags|mittwochs|donnerstags|freitags|samstags sonnabends|sonntags",
        "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
        "lunes|martes|miercoles|jueves|viernes|sabado|domingo",
        "morning mornings|noon midday|afternoon afternoons|evening evenings|night nights midnight",
        "morgens vormittags|mittags|nachmittags|abends|nachts",
        "black|white|red|green|blue|yellow|brown|grey gray|orange|purple violet|pink",
        "schwarz|weiss|rot|grun|blau|gelb|braun|grau",
        "mother mothers|father fathers|sister sisters|brother brothers|son sons|daughter daughters|uncle|aunt",
        "husband husbands widower|wife wives widow",
        "gold|silver|bronze",
        "advance|arrears",
        "fruhestens|spatestens",
        "taglich|wochentlich|monatlich|vierteljahrlich|halbjahrlich|jahrlich",
        "quotidien quotidienne|hebdomadaire|mensuel mensuelle|trimestriel trimestrielle|annuel annuelle",
        "diario diaria|semanal|mensual|trimestral|anual",
        "mindestens|hochstens",
        "either|only solely",
        "working business|calendar",
        "written|verbal oral",
        "adults|children|infants",
        "chair chairman chairwoman chairperson|treasurer|secretary|deputy vice|curator|mayor|captain",
    )
)
# German capitalises these, too.
_GERMAN = tuple(
    tuple(word_set(words) for words in group.split("|"))
    for group in (
        "fruhling fruhjahr|sommer|herbst|winter",
        "montag|dienstag|mittwoch|donnerstag|freitag|samstag sonnabend|sonntag",
        "morgen vormittag|mittag|nachmittag|abend|nacht",
        "mutter|vater|schwester|bruder|sohn|tochter",
        "vorsitzende vorsitzender|kassenwart kassenwartin schatzmeister|schriftfuhrer schriftfuhrerin|stellvertreter",
    )
)
_PREFIX = re.compile(r"(?:un|non-?|(?:in|im|ir|il)(?=\w+(?:ble|ent|ant|ive|al|ful|te|ly)$))(?=\w{5})")
_SMALL = frozenset(map(stem, STOP_WORDS | FUNCTION_WORDS))
_EVERY = re.compile(
    r"\b(?:each|all|every|none|alle|sämtliche|jede\w*|tous|toutes|todos|todas)\W+(?:of\W+|de\W+)?"
    r"(?:the\W+|der\W+|die\W+|les\W+|los\W+|las\W+)?$",
    re.IGNORECASE,
)
_OF_THE = re.compile(r"\s(?:of (?:the |its |all )?|der |von den |des |de los |de las )$", re.IGNORECASE)
_MULTIPLES = {
    Decimal(2): word_set("double doubled doubles doubling twice twofold verdoppelt verdoppelte verdoppeln doppelt"),
    Decimal(3): word_set("triple tripled triples tripling thrice threefold verdreifacht verdreifachte dreifach"),
    Decimal(4): word_set("quadruple quadrupled quadruples fourfold vervierfacht vervierfachte vierfach"),
    Decimal("0.5"): word_set("halve halved halves halving halbiert halbierte halbieren"),
}
_MULTIPLE_OF = {word: multiple for multiple, words in _MULTIPLES.items() for word in words}
_MOST = word_set("most meisten mehrheit plupart mayoria majority")
_SOME = word_set("some several few einige wenige manche quelques algunos")
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
_ROLES = tuple(
    (word_set(one), word_set(other))
    for one, other in (
        (
            "landlord landlady lessor vermieter vermieterin bailleur bailleresse arrendador arrendadora",
            "tenant lessee mieter mieterin locataire arrendatario arrendataria inquilino inquilina",
        ),
        (
            "buyer purchaser kaufer kauferin acheteur acheteuse comprador compradora",
            "seller vendor verkaufer verkauferin vendeur vendeuse vendedor vendedora",
        ),
        ("employer arbeitgeber arbeitgeberin employeur", "employee arbeitnehmer arbeitnehmerin salarie salariee"),
    )
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
_UNLESS = word_set("unless except ausser")
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


def alternatives(
    words: Sequence[ClaimWord], best: Sequence[ClaimWord], everything: Container[str]
) -> Iterator[ClaimFault]:
    """Yield a word of a claim in whose place the sentence most like it has another of its class.

    `everything` are the folded words that the claim may rely on: a class with a word of the same sense there is silent.
    """
    mine, theirs = ({w.fold: w for w in each if not w.is_capital or w.starts} for each in (words, best))
    yield from _other(mine, theirs, _CLASSES, everything)
    yield from _other({w.fold: w for w in words}, {w.fold: w for w in best}, _GERMAN, everything)


def denied_prefix(words: Sequence[ClaimWord], best: Sequence[ClaimWord]) -> Iterator[ClaimFault]:
    """Yield “valid” where the sentence has “invalid” only, and the reverse, unless one of both is negated."""
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


def part_of_all(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “nine” of “nine of the ten” where the sentence says “each of the ten” or “none of the ten”."""
    said, read = read_figures(claim), read_figures(sentence)
    for part, whole in pairwise(said.figures):
        if not (part.values and whole.values and part.values[0] < whole.values[0]):
            continue
        between = said.plain[part.end : whole.start]
        same = [each for each in read.figures if each.values == whole.values]
        if _OF_THE.match(between) and any(_EVERY.search(read.plain[: each.start]) for each in same):
            yield ClaimFault("figure", part.text)
            return


def overstated_share(
    words: Sequence[ClaimWord], best: Sequence[ClaimWord], everything: Container[str]
) -> Iterator[ClaimFault]:
    """Yield “most” of “most members” where the sentence says “some members”."""
    for at, word in enumerate(words):
        if word.fold in _MOST and not any(each in everything for each in _MOST):
            counted = {each.stem for each in words[at + 1 : at + 1 + _COUNTED]} - _SMALL
            for other, some in enumerate(best):
                if some.fold in _SOME and counted & {each.stem for each in best[other + 1 : other + 1 + _COUNTED]}:
                    yield ClaimFault("extent", word.text, some.text)
                    return


def reversed_vote(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “2 votes to 7” where the sentence says “7 votes to 2”."""
    if not (_VOTES.search(claim) or _VOTES.search(sentence)):
        return
    written = {(vote["one"], vote["other"]) for vote in _VOTE.finditer(sentence)}
    for vote in _VOTE.finditer(claim):
        said = (vote["one"], vote["other"])
        if said not in written and said[::-1] in written:
            yield ClaimFault("figure", vote[0], " : ".join(said[::-1]))
            return


def split_vote(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “unanimously” or “all” of a claim about a vote of which the sentence counts two sides."""
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


def reversed_change(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “from 41 to 38” where the sentence says “from 38 to 41”."""
    written = {(change["one"], change["other"]) for change in _FROM_TO.finditer(sentence)}
    for change in _FROM_TO.finditer(claim):
        said = (change["one"], change["other"])
        if said not in written and said[::-1] in written:
            yield ClaimFault("direction", change[0])
            return


def exchanged_role(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “the landlord” of a claim about a name that the sentence calls the tenant, and nowhere the landlord."""
    words = split_words(claim)
    folds = {word.fold for word in words}
    for one, other in _ROLES:
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


def other_bound(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “over” before a figure that the sentence has after “under”, and “exactly” where it has either.

    Of “not … unless it is below 1,240” and “not … if it is above 1,240” neither contradicts the other.
    """
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


def other_multiple(words: Sequence[ClaimWord], best: Sequence[ClaimWord], sentence: str) -> Iterator[ClaimFault]:
    """Yield “tripled” where the sentence says “doubled”, or has two figures of which none is the triple of another."""
    said = next((word for word in words if word.fold in _MULTIPLE_OF), None)
    if said is None:
        return
    multiple = _MULTIPLE_OF[said.fold]
    written = {_MULTIPLE_OF[word.fold]: word for word in best if word.fold in _MULTIPLE_OF}
    amounts = [each for each in read_figures(sentence).figures if each.values and each.values[0] and not each.is_year]
    ratios = [one.values[0] / other.values[0] for one, other in permutations(amounts, 2)]
    fits = multiple in written if written else any(abs(ratio / multiple - 1) <= _TOLERANCE for ratio in ratios)
    if not fits and (written or len(amounts) > 1):
        yield ClaimFault("figure", said.text, next((word.text for word in written.values()), ""))
