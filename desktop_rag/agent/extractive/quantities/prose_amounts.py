"""Compares the amounts that sentences state of two things: “the plumber or the electrician”, “higher than the rent”.

Each side needs one sentence with all its words and one amount of one kind, and every other word of the question must
stand there or in the document's title; what is stated twice must agree.
"""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.content_words import stems, stop_words_of
from desktop_rag.agent.extractive.quantities.compared_dimension import Dimension, compared_dimension
from desktop_rag.agent.extractive.quantities.labelled_amounts import LabelledAmount, QuantityAnswer
from desktop_rag.agent.extractive.quantities.quantity_question import LESS, MORE, Operation, QuantityQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.units import CURRENCIES

_THAN = rf"(?:{LESS}|{MORE})"
_IS = r"(?:is|are|was|were|do|does|did|ist|sind|war|waren|kosten)"
_SIDES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:[,:]|\bof\b|\bvon\b)\s*([^,:]+?)\s*,?\s+(?:or|oder)\s+([^,:?]+)",
        r"between\s+(.+?)\s+and\s+([^,?]+)",
        r"zwischen\s+(.+?)\s+und\s+([^,?]+)",
        rf"^(?:(?:how much|how many|wie ?viel)\s+{_THAN}\s+)?{_IS}\s+(.+?)\s+"
        rf"(?:{_THAN}\b.*?\s+)?(?:than|als)\s+([^,?]+)",
        rf"{_IS}\s+([^,]+?)\s+(?:and|und)\s+([^,?]+?)\s+(?:\w+\s+)?"
        r"(?:altogether|in total|together|combined|insgesamt|zusammen)",
    )
)
_WHICH = re.compile(r"^(?:which|what|welche\w*)\s+(\w+)\s+(?:is|are|was|were|ist|sind|war|waren)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:he|she|it|they|his|her|its|their|er|sie|es|ihr|sein)e?r?\b", re.IGNORECASE)
_OF = re.compile(r".+?\s(?:of|in|for|des|der|im|für)\s", re.IGNORECASE)
_THAT = re.compile(r"(?:that|those|the ones?|die|der|das|jene[rs]?)\s(?:of|in|for|des|der|im|für)\s", re.IGNORECASE)
_COMPARING = frozenset(stems(_THAN.replace("|", " ") + " cost costs charge price pay"))


def compared_amounts(asked: QuantityQuestion, read: Sequence[CandidateSentence]) -> QuantityAnswer | None:
    """Return the amounts of the two things that a question names; None unless each has one, of the same unit."""
    sides = _sides(asked.text)
    stop_words = stop_words_of(asked.text.split())
    words = [frozenset(stems(side, stop_words)) - _COMPARING for side in sides]
    if len(sides) != 2 or asked.operation is Operation.AVERAGE or not (words[0] - words[1] and words[1] - words[0]):
        return None
    rest = asked.stems.intersection(stems(asked.text, stop_words)) - words[0] - words[1] - _COMPARING
    dimension = compared_dimension(asked.text)
    if dimension and dimension.words and (kind := _WHICH.match(asked.text)):  # which boat is longer
        rest = rest.difference(stems(kind[1]))
    operands = [
        amount
        for side, mine, others in ((sides[0], words[0], words[1]), (sides[1], words[1], words[0]))
        if (amount := _amount(side, mine, others, rest, read, dimension, money=asked.money))
    ]
    if len(operands) != 2 or not (dimension or operands[0].figure.units == operands[1].figure.units):
        return None
    return QuantityAnswer(asked.operation, tuple(operands), asked.of_which)


def _sides(question: str) -> tuple[str, ...]:
    found = next((found for pattern in _SIDES if (found := pattern.search(question))), None)
    sides = tuple(side.strip() for side in found.groups() if side) if found else ()
    head = _OF.match(sides[0]) if len(sides) == 2 else None
    if head and (meant := _THAT.match(sides[1])):  # than that of the lease
        return sides[0], f"{head[0]}{sides[1][meant.end() :]}"
    return sides


def _amount(
    side: str,
    words: frozenset[str],
    others: frozenset[str],
    rest: frozenset[str],
    read: Sequence[CandidateSentence],
    dimension: Dimension | None,
    *,
    money: bool,
) -> LabelledAmount | None:
    """Return the one amount (of a dimension) that sentences state of a thing."""
    own, others = words - others, others - words
    found: dict[object, LabelledAmount] = {}
    for sentence in read:
        told = words & sentence.stems or (words <= sentence.place_words and _PRONOUN.match(sentence.text))
        if told and words <= sentence.stems | sentence.place_words and rest <= sentence.stems | sentence.place_words:
            part = part_about(sentence.text, own, others) if others <= sentence.stems else sentence.text
            amounts = _amounts(part, dimension, money=money)
            if len(amounts) > 1:
                return None
            for each in amounts:
                label = side[0].upper() + side[1:]
                found.setdefault((each.values, each.units), LabelledAmount(sentence, label, each.text, each))
    return next(iter(found.values())) if len(found) == 1 else None


def part_about(text: str, words: frozenset[str], others: frozenset[str]) -> str:
    """Return the part of a sentence about two things from the one thing to the other or to the end; "" if mixed."""
    places = [(match.start(), stems(match[0])) for match in re.finditer(r"[^\W\d_][\w-]*", text)]
    mine = [at for at, word in places if words.intersection(word)]
    theirs = [at for at, word in places if others.intersection(word)]
    if not mine or not theirs or min(theirs) < min(mine) < max(theirs) or min(mine) < min(theirs) < max(mine):
        return ""
    end = min(theirs) if min(mine) < min(theirs) else len(text)
    return text[min(mine) : end]


def _amounts(text: str, dimension: Dimension | None, *, money: bool) -> list[Figure]:
    """Return the amounts of a text: of money if that is asked for, else of a dimension, or with any unit or none."""
    read = read_figures(text)
    found = [
        each
        for each in read.figures
        if each.values and each.digits and not (each.when or each.period or each.name or each.ordinal or each.part)
        and not (each.is_year and 1900 <= each.values[0] <= 2100) and not each.scales
        and not (each.is_year and read.plain[: each.start].endswith((" in ", " im ")))
    ]  # fmt: skip
    priced = [each for each in found if each.kinds & CURRENCIES]
    if money or (priced and not (dimension and dimension.words)):
        return priced
    return dimension.chosen(read.plain, found) if dimension else found
