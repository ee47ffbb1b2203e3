"""The words, amounts and results that recomputed figures are compared by."""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, word_set
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure
from desktop_rag.text.normalize import fold_quote, words
from desktop_rag.text.units import MeasureUnit

PERCENT = (MeasureUnit("%"),)
_CHANGE_WORDS = frozenset(
    stem(word)
    for word in word_set(
        "increased rose grew fell decreased declined dropped gained improved was were is had up down by from to of "
        "increase decrease rise change total approximately about fiscal year quarter percent percentage points billion "
        "million thousand dollars euros compared gestiegen stieg sank um auf betrug"
    )
)
MARGIN = frozenset(map(stem, ("margin", "margins", "marge")))
PROFIT = frozenset(map(stem, ("profit", "income", "earnings", "ergebnis", "gewinn", "bénéfice", "résultat")))


def subjects(text: str) -> frozenset[str]:
    """Return the stems that tell what a text is about: no “die”, and no “beträgt”, which occurs with any amount."""
    return stems(text) - FUNCTION_WORDS - stems("beträgt betrug betragen beläuft belief amounts comes importe monte")


@lru_cache(maxsize=1 << 10)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that say something by themselves."""
    folds = {word.text for word in words(fold_quote(text)) if len(word.text) > 1 and not word.text[0].isdigit()}
    return frozenset(map(stem, folds - STOP_WORDS)) - _CHANGE_WORDS


def amount(figure: Figure) -> Decimal:
    """Return the value of a figure with its scale word."""
    return figure.values[0] * (figure.scales[0] if figure.scales else 1)


def written(figure: Figure) -> str:
    """Return a figure as written in a sum, without its unit."""
    return figure.digits or figure.text


def change_written(change: Decimal, later: str, earlier: str) -> str:
    """Return the sum of a relative change; of a fall the terms are swapped, so that it yields its size."""
    return f"({later} − {earlier}) ÷ {earlier}" if change > 0 else f"({earlier} − {later}) ÷ {earlier}"


def is_result(
    target: Figure,
    value: Decimal,
    units: tuple[MeasureUnit, ...],
    operands: Sequence[Figure],
    said_scales: frozenset[int] = frozenset(),
    scales: frozenset[int] = frozenset(),
) -> bool:
    """Return whether a value, rounded as the figure is written, is the figure; `scales` are those of bare operands."""
    fixed = "%" in (unit.kind for unit in units) or any(each.scales for each in operands)
    computed = Figure("", values=(abs(value),), scales=(1,) if fixed else (), units=units)
    return agrees(target, computed, said_scales, frozenset() if fixed else scales)


def is_amount(figure: Figure) -> bool:
    """Return whether a figure can be computed with: no date, name, year or fraction."""
    usable = bool(figure.values) and not (figure.name or figure.when or figure.period or figure.fraction or figure.part)
    return usable and not figure.ordinal and not (figure.is_year and 1900 <= figure.values[0] <= 2100)
