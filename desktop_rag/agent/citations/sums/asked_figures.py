"""Reads what a claim asks of a figure that its lines do not write: operations, rates, periods, names."""

import re
from dataclasses import dataclass

from desktop_rag.agent.citations.sums.computed_pairs import is_amount, subjects
from desktop_rag.agent.citations.sums.computed_rates import TIME_OF
from desktop_rag.index.keywords.analysis import stem
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.units import UNITS, MeasureUnit

MAX_COUNT = 100
_MONTHS_OF = {"Q": 3, "H": 6}
_SHORT = 4  # letters of a word that is sought in compounds, and of the rest
_PER = re.compile(
    r"\b(?:an?|per|each|every|one|single|pro|je|jede[rs]?|die|eine?)\s(?P<unit>[^\W\d_]{3,})(?:\s(?P<second>[^\W\d_]{3,}))?|"
    r"\b(?P<often>monthly|weekly|yearly|annual(?:ly)?|quarterly|hourly|daily|monatlich|jährlich|wöchentlich|täglich)\b|"
    r"(?P<together>\w+)(?:stunde|preis)\b",
    re.IGNORECASE,
)
_CUES = {
    "change": re.compile(
        r"\b(?:surplus|profit|deficit|above|below|further|farther|hotter|colder|cheaper|dearer|older|younger|longer|shorter|taller|"
        r"heavier|lighter|faster|slower|ahead|withdrew|free|deduct\w*|minus|teurer|"
        r"billiger|günstiger|abgenommen|zugenommen|länger|kürzer|älter|jünger|"
        r"größer|kleiner|schwerer|leichter|Abzug|abzüglich|spart\w*|noch|übrig\w*|frei)\b",
        re.IGNORECASE,
    ),
    "total": re.compile(
        r"\b(?:in all|amounts? to|bill|Rechnung|beläuft sich|all told|between them|with|plus|including|needs?|come to|"
        r"bring in|whole|as well as|mit|samt|braucht)\b",
        re.IGNORECASE,
    ),
}
_NAMED_RATIO = re.compile(r"\b(?:\w+ ratio|\w*margins?|turnover|return on|marge|quote)\b", re.IGNORECASE)
_GENDER = re.compile(r"\b(?:women|men|females?|males?|girls|boys|frauen|männer|femmes|hommes)\b", re.IGNORECASE)
_PART_OF = re.compile(r"\s(?:out )?of (?:the |its |all )?\d")  # 75 of the 84
_BY = re.compile(r"\b(?:by|um|de|en)\s(?:(?:about|around|roughly|nearly|almost|some|etwa|rund|fast|a)\s)*$", re.I)
_OF = re.compile(r"\s(?:of|der|des|von|aller|du|de)\b")
JOINED = re.compile(r"\b(?:and|und|et|y|plus)\b|&", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """The figure of a claim and what its words ask for."""

    target: Figure
    said: FigureText
    named: frozenset[str]
    cues: frozenset[str]
    per: frozenset[str]  # times and things of “a month”, “each session”
    units: tuple[MeasureUnit, ...]  # of them: hours, kilograms
    periods: frozenset[str]  # times that it names
    counts: tuple[Figure, ...]
    months: range  # of the quarter or half of a year that it names

    def names(self, label: frozenset[str], common: frozenset[str] = frozenset()) -> bool:
        """Return whether the claim names what a quantity is of, by a word that not all of its collection have.

        A German compound names its parts: “Meisterstunde” the “Meister”.
        """
        own = label - common
        if own & self.named:
            return True
        return any(
            one in other for one in own if len(one) > _SHORT for other in self.named if len(other) > len(one) + _SHORT
        )


def read_asked(target: Figure, claim: str, cues: frozenset[str]) -> Asked:
    """Return what a claim asks of its figure; `cues` are the operations that were found already."""
    said = read_figures(claim)
    words = [match.groupdict() for match in _PER.finditer(said.plain)]
    units = [word.casefold() for each in words for word in each.values() if word]
    periods = frozenset(TIME_OF[word] for word in re.findall(r"[^\W\d_]+", claim.casefold()) if word in TIME_OF)
    counts = tuple(
        each
        for each in said.figures
        if is_amount(each)
        and not each.units
        and each.is_whole
        and each.text != target.text
        and 1 < each.values[0] <= MAX_COUNT
    )
    per = frozenset(TIME_OF.get(word, stem(word)) for word in units)
    measures = tuple(UNITS[word][0] for word in dict.fromkeys(units) if word in UNITS and len(UNITS[word]) == 1)
    cues |= {name for name, cue in _CUES.items() if cue.search(claim)}
    if _months(said) and "change" not in cues:
        cues |= {"total"}  # “the first quarter cost 36,000” over the rows of its months
    cues |= {"change"} if _PART_OF.match(said.plain, target.end) else frozenset()
    if _NAMED_RATIO.search(claim) or _GENDER.search(claim):  # whose operands other rules know
        cues = cues - {"share", "growth", "change", "total"} | {"ratio"}
    elif target.fraction or "%" in target.kinds:
        cues -= {"share"} if _BY.search(said.plain, 0, target.start) else frozenset()
        cues -= {"change", "growth"} if _OF.match(said.plain, target.end) else frozenset()
    return Asked(target, said, subjects(claim), cues, per, measures, periods, counts, _months(said))


def _months(said: FigureText) -> range:
    periods = [each.period for each in said.figures if each.period and each.period[0] in _MONTHS_OF]
    if len(periods) != 1:
        return range(0)
    kind, number = periods[0]
    return range((number - 1) * _MONTHS_OF[kind] + 1, number * _MONTHS_OF[kind] + 1)
