"""Recomputes a figure whose operands are next to each other: in the claim itself, or in one sentence of the lines.

“From 831 to 1072, 241 years”; 160,000 over “40 % of the 400,000”; 280 billion over “of 960 billion, 680 are private”.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise

from desktop_rag.agent.citations.check_words import FALLS, RISES
from desktop_rag.agent.citations.claim_words import content_stems, share_of, split_words
from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.sums.computed_pairs import is_amount, is_result
from desktop_rag.agent.citations.sums.source_rows import scaled_amount
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.sentences import split_sentences

MOST = 3  # amounts in a sentence: with more of them one fits by chance
LIKE = Decimal("0.4")  # share of the claim's words in the sentence
ROUGHLY = Decimal("0.1")  # of a fraction in words
YEARS = Decimal(12)
PERCENT = "%"
_SPAN = re.compile(r"(?<!\d)(\d{3,4})(?:\s?[–-]\s?|\s(?:to|and|until|till|bis|und|à|et|a|y)\s)(\d{3,4})(?!\d)")
_OF_SCALE = re.compile(
    r"\s*(?:of a|einer|de un|d['’]un)\s+(?P<scale>million|billion|Million|Milliarde|millón|milliard)\b"
)
_SCALES = {"million": 10**6, "millón": 10**6, "billion": 10**9, "milliarde": 10**9, "milliard": 10**9}
_PAYMENT = re.compile(r"['’]?s?\s(?:\w+\s)?(?:rents?|pay|salar\w+|wages?|fees?|instal\w+|premiums?)\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\s*([-+−–×*x÷/:=])\s*")
_YEARLY = re.compile(
    r"\b(?:(?:a|per|the|each|every|one) year|yearly|annual(?:ly)?|Jahr\w*|jährlich\w*|par an|annuel\w*|anual)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"\s*(?:of|von|der|des|de|du)\b", re.IGNORECASE)
_OF_WHICH = re.compile(r"\b(?:of which|of them|including|davon|darunter|dont|de l[oa]s cuales)\b", re.IGNORECASE)
_TABLE = re.compile(r"[\t|]")
_BY = re.compile(
    r"\b(?:by|um|de|en)\s(?:(?:about|around|roughly|nearly|almost|some|etwa|rund|fast)\s)?$", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|von|de)\s(?:[^\W\d]+\s){0,4}[$€£]?$", re.IGNORECASE)
_TO = re.compile(
    r"(?:\s(?:in|im)?\s?(?:19|20|18|17)\d\d)?\s(?:to|auf|à|a)\s(?:(?:only|just|about|nur|etwa|rund)\s)?[$€£]?",
    re.IGNORECASE,
)
_PREFIXES = ("kilo", "mega", "giga", "tera", "peta", "exa")


def recompute_stated(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the sum that yields a figure of the claim from two figures that stand together, or None."""
    if not target.values or not target.values[0] or target.when or target.name:
        return None
    written = (*_equations(target, claim, sources), *_spans(target, claim), *_growth(target, claim))
    sums = (*written, *_of_scale(target, claim, sources), *_of_period(target, claim, sources))
    return next(iter((*sums, *_of_step(target, claim, sources), *_in_sentence(target, claim, sources))), None)


def _equations(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield a true equation that the claim writes if its lines have the rest: “2 × 410 = 820”, “12 × 1,940 = 23,280”.

    What they lack is the result, the factor of a result that they have, or the months of a year.
    """
    read = read_figures(claim)
    runs: list[list[Figure]] = [[]]
    for one, other in pairwise((*read.figures, Figure("", len(claim), len(claim)))):
        runs[-1].append(one)
        if not _OPERATOR.fullmatch(read.plain[one.end : other.start]):
            runs.append([])
    for terms in (each for each in runs if len(each) > 2 and target in each):
        signs = "".join(_OPERATOR.fullmatch(read.plain[a.end : b.start])[1] for a, b in pairwise(terms))  # type: ignore[index]
        value = _value([scaled_amount(each) for each in terms[:-1]], signs[:-1])
        lacking = [each for each in terms if figures_not_in(each.text, sources)]
        if signs[-1] != "=" or value is None or not is_result(terms[-1], value, terms[-1].units, terms[:-1]):
            continue
        counts = [each for each in lacking if set(signs[:-1]) <= set("×*x") and each.is_whole and not each.units]
        rest = [each for each in lacking if each not in counts or each.values != (YEARS,) or not _YEARLY.search(claim)]
        if len(lacking) < len(terms) and (rest in ([], [terms[-1]]) or (len(rest) == 1 and rest[0] in counts)):
            yield claim[terms[0].start : terms[-1].end]


def _of_step(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield the change “from 599 m to 396 m” as an amount, or as a share of what it was: “by about three quarters”."""
    moves = any(word.fold in RISES | FALLS for word in split_words(claim))
    for source in sources if moves and _BY.search(claim, 0, target.start) else ():
        read = read_figures(source)
        amounts = [each for each in read.figures if is_amount(each) and not each.is_year]
        for one, other in pairwise(amounts):
            between = read.plain[one.end : other.start]
            if not (_FROM.search(read.plain, 0, one.start) and _TO.fullmatch(between)) or one.kinds != other.kinds:
                continue
            before, after = scaled_amount(one), scaled_amount(other)
            high, low = (one, other) if before > after else (other, one)
            change = abs(after - before)
            if target.fraction and before > 0 and abs(change / before - target.values[0]) <= ROUGHLY * target.values[0]:
                yield f"({high.digits} − {low.digits}) ÷ {one.digits} = {target.text}"
            elif not target.fraction and is_result(target, change, one.units or target.units, (one, other)):
                yield f"{high.digits} − {low.digits} = {target.text}"


def _value(terms: Sequence[Decimal], signs: str) -> Decimal | None:
    """Return the value of a sum or of a product; None if it mixes both or divides by zero."""
    value = terms[0]
    for sign, term in zip(signs, terms[1:], strict=True):
        if sign in "+−–-" and set(signs) <= set("+−–-"):
            value += term if sign == "+" else -term
        elif sign in "×*x÷/:" and set(signs) <= set("×*x÷/:") and (term or sign in "×*x"):
            value = value * term if sign in "×*x" else value / term
        else:
            return None
    return value


def _spans(target: Figure, claim: str) -> Iterator[str]:
    """Yield the years between the first and the last that the claim writes."""
    in_years = any(unit.kind == "months" and unit.factor == YEARS for unit in target.units)
    for first, last in _SPAN.findall(claim) if in_years else ():
        if int(last) - int(first) == target.values[0]:
            yield f"{last} − {first} = {target.text}"


def _growth(target: Figure, claim: str) -> Iterator[str]:
    """Yield the fraction that one of the two amounts of a claim is of the other, or by which the second differs."""
    amounts = [each for each in read_figures(claim).figures if is_amount(each) and each.text != target.text]
    if len(amounts) == 2 and target.fraction and amounts[0].kinds == amounts[1].kinds:
        one, other = map(scaled_amount, amounts)
        texts = [each.text for each in amounts]
        (less, small), (more, large) = sorted(zip((one, other), texts, strict=True))
        is_share = _OF.match(claim, claim.find(target.text) + len(target.text)) or target.text.endswith(" of")
        if is_share and less > 0 and abs(less / more - target.values[0]) <= ROUGHLY * target.values[0]:
            yield f"{small} ÷ {large} = {target.text}"
        elif one > 0 and abs(abs(other - one) / one - target.values[0]) <= ROUGHLY * target.values[0]:
            yield f"({large} − {small}) ÷ {texts[0]} = {target.text}"


def _of_scale(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield what is “two thirds of a million” or 0.039 peta in the lines: 667,000, 39 tera."""
    end = claim.find(target.text) + len(target.text)
    scale = _OF_SCALE.match(claim, end) if target.fraction else None
    for each in (each for source in sources for each in read_figures(source).figures if is_amount(each)):
        if scale:
            whole = _SCALES[scale["scale"].lower()]
            if abs(scaled_amount(each) / whole - target.values[0]) <= ROUGHLY / 2 * target.values[0]:
                yield f"{each.text} ÷ {whole:,} = {target.text}"
        elif (steps := _prefix_steps(target.noun, each.noun)) and target.values[0] * 1000**steps == each.values[0]:
            yield f"{each.text} ÷ {1000**steps:,} = {target.text}"


def _of_period(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield “820 ÷ 410” of two months' rent if the lines have the rent of a month, and that amount."""
    if "months" not in target.kinds or not _PAYMENT.match(claim, claim.find(target.text) + len(target.text)):
        return
    amounts = [each for source in sources for each in read_figures(source).figures if is_amount(each) and each.kinds]
    for one, other in combinations(amounts, 2):
        less, more = sorted((scaled_amount(one), scaled_amount(other)))
        if one.kinds == other.kinds and less > 0 and more == less * target.values[0]:
            first, second = (one, other) if scaled_amount(one) == more else (other, one)
            yield f"{first.text} ÷ {second.text} = {target.text}"


def _prefix_steps(one: str, other: str) -> int:
    """Return by how many thousands the prefix of a unit exceeds that of another: peta and tera; 0 if units differ."""
    (step, unit), (other_step, other_unit) = _without_prefix(one), _without_prefix(other)
    return step - other_step if unit and unit == other_unit else 0


def _without_prefix(noun: str) -> tuple[int, str]:
    found = ((at, noun.removeprefix(each)) for at, each in enumerate(_PREFIXES, 1) if noun.startswith(each))
    return next(found, (0, ""))


def _in_sentence(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield a share of an amount and what remains of one, of a sentence with few amounts."""
    wanted = content_stems(split_words(claim))
    lines = "\n".join(sources).split("\n")
    for sentence in (line[start:end] for line in lines for start, end in split_sentences(line)):
        amounts = [each for each in read_figures(sentence).figures if is_amount(each)]
        if not 2 <= len(amounts) <= MOST or _TABLE.search(sentence) or share_of(wanted, sentence) < LIKE:
            continue
        for one, other in pairwise(amounts):
            between = read_figures(sentence).plain[one.end : other.start]
            if PERCENT in one.kinds and PERCENT not in other.kinds and _OF.match(between):
                value, text = scaled_amount(other) * one.values[0] / 100, f"{other.text} × {one.text}"
            elif one.units and one.units == other.units and _OF_WHICH.search(between):
                value, text = scaled_amount(one) - scaled_amount(other), f"{one.text} − {other.text}"
            else:
                continue
            if is_result(target, value, other.units, (one, other)):
                yield f"{text} = {target.text}"
