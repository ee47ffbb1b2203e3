"""Recomputes a figure whose operands stand beside each other: in the claim itself, or in one sentence of the lines.

“From 831 to 1072, 241 years”; 160,000 over “40 % of the 400,000”; 280 billion over “of 960 billion, 680 are private”.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from desktop_rag.agent.citations.claim_words import content_stems, share_of, split_words
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
_OF = re.compile(r"\s*(?:of|von|der|des|de|du)\b", re.IGNORECASE)
_OF_WHICH = re.compile(r"\b(?:of which|of them|including|davon|darunter|dont|de l[oa]s cuales)\b", re.IGNORECASE)
_TABLE = re.compile(r"[\t|]")
_PREFIXES = ("kilo", "mega", "giga", "tera", "peta", "exa")


def recompute_stated(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the sum that yields a figure of the claim from two figures that stand together, or None."""
    if not target.values or not target.values[0] or target.when or target.name:
        return None
    sums = (*_spans(target, claim), *_growth(target, claim), *_of_scale(target, claim, sources))
    return next(iter((*sums, *_in_sentence(target, claim, sources))), None)


def _spans(target: Figure, claim: str) -> Iterator[str]:
    """Yield the years between the first and the last that the claim writes."""
    in_years = any(unit.kind == "months" and unit.factor == YEARS for unit in target.units)
    for first, last in _SPAN.findall(claim) if in_years else ():
        if int(last) - int(first) == target.values[0]:
            yield f"{last} − {first} = {target.text}"


def _growth(target: Figure, claim: str) -> Iterator[str]:
    """Yield the fraction of the first of the two amounts of a claim by which the second differs."""
    amounts = [each for each in read_figures(claim).figures if is_amount(each) and each.text != target.text]
    if len(amounts) == 2 and target.fraction and amounts[0].kinds == amounts[1].kinds:
        one, other = map(scaled_amount, amounts)
        texts = [each.text for each in amounts]
        if one > 0 and abs(abs(other - one) / one - target.values[0]) <= ROUGHLY * target.values[0]:
            yield f"({texts[1]} − {texts[0]}) ÷ {texts[0]} = {target.text}"


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
