"""Writes the figures of cited lines that measure alike in one unit and scale, so that sums of them are true as shown.

“800 g” and “1.5 kg” make no 801.5 of anything, nor do “£940 million” and “£1.2 billion” make 941.2.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext

from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.units import CURRENCIES, JOINED_SCALES

MAX_FIGURES = 200  # of all sources; tables of more have one unit a column
_OPERAND = re.compile(r"\d+(?:\.\d+)?")
_DIGITS = 12  # of a converted number
_MEASURES = CURRENCIES | {
    "months", "seconds", "metres", "grams", "litres", "bytes", "watts", "watt hours", "volts", "hertz",
    "square metres", "km/h",
}  # fmt: skip


@dataclass(slots=True)
class CommonUnits:
    """Sources in common units, and what they wrote for each number that was converted, with its factor."""

    sources: list[str]
    originals: dict[str, tuple[str, Decimal]] = field(default_factory=dict)

    def as_written(self, computed: str | None) -> str | None:
        """Return a sum with the numbers of the sources if all its operands were converted from one unit."""
        if not computed:
            return None
        terms, equals, result = computed.rpartition(" = ")
        operands = [self.originals.get(each, ("", Decimal(0))) for each in _OPERAND.findall(terms)]
        if not all(digits for digits, _ in operands) or len({factor for _, factor in operands}) != 1:
            return computed
        return _OPERAND.sub(lambda match: self.originals[match[0]][0], terms) + equals + result


def in_common_units(sources: Sequence[str], target: Figure) -> CommonUnits:
    """Return the sources with the figures of each kind in one unit: that of `target`, else their largest one."""
    texts = [read_figures(source) for source in sources]
    declared = any(text.scales for text in texts)
    units: dict[str, dict[Decimal, str]] = {}
    for text in texts if sum(len(text.figures) for text in texts) <= MAX_FIGURES else ():
        for figure in _convertible(text, declared=declared):
            units.setdefault(_kind(figure), {}).setdefault(_factor(figure), _tail(figure))
    mixed = {kind: tails for kind, tails in units.items() if len(tails) > 1}
    common = CommonUnits([] if mixed else list(sources))
    for text in texts if mixed else ():
        plain = text.plain
        for figure in reversed(list(_convertible(text, declared=declared))):
            if tails := mixed.get(_kind(figure)):
                is_alike = len(target.units) <= 1 and _kind(figure) == _kind(target)
                wanted = _factor(target) if is_alike else max(tails)
                number, tail = _number(figure, wanted), tails.get(wanted, _tail(target))
                if _factor(figure) != wanted:
                    common.originals[number] = figure.digits, _factor(figure)
                    plain = f"{plain[: figure.start]}{number}{tail}{plain[figure.end :]}"
        common.sources.append(plain)
    return common


def _convertible(text: FigureText, *, declared: bool) -> Iterator[Figure]:
    for each in text.figures:
        measured = len(each.units) == 1 and each.units[0].kind in _MEASURES
        usable = each.values and not (each.when or each.name or each.fraction or each.part or each.ordinal)
        if not usable or not (measured or (each.scales and not each.units)):
            continue
        if declared and each.kinds & CURRENCIES and not each.scales:
            continue  # its scale is that of the header
        yield each


def _kind(figure: Figure) -> str:
    if figure.scales == JOINED_SCALES["m"] and not figure.units:  # metres, beside other lengths
        return "metres"
    return figure.units[0].kind if figure.units else ""


def _factor(figure: Figure) -> Decimal:
    return (figure.units[0].factor if figure.units else Decimal(1)) * (figure.scales[0] if figure.scales else 1)


def _tail(figure: Figure) -> str:
    """Return the scale and unit after a number as written: “ kg”, “ million”."""
    return figure.text.rpartition(figure.digits)[2] if figure.digits else f" {figure.text.split()[-1]}"


def _number(figure: Figure, factor: Decimal) -> str:
    """Return a number for another factor; it has one reading: “0.5400”, as three decimals might be thousands."""
    with localcontext(prec=_DIGITS):
        text = f"{(figure.values[0] * _factor(figure) / factor).normalize():f}"
    return f"{text}0" if len(text.partition(".")[2]) == 3 else text
