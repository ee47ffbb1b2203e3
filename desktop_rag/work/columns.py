"""The columns of a table: a question, and the kind of its answers."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from desktop_rag.errors import LibraryRefused
from desktop_rag.text.dates import mentions
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.figures import read_figures

MOST_COLUMNS = 20
LONGEST_NAME = 300  # characters
MOST_OPTIONS = 30


class Kind(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    DATE = "date"
    AMOUNT = "amount"
    YES_NO = "yes/no"
    ONE_OF = "one of"


@dataclass(frozen=True, slots=True)
class Column:
    """A question asked of every document; `id` stays when others are added or removed. `options` are of `ONE_OF`."""

    name: str
    kind: Kind = Kind.TEXT
    options: tuple[str, ...] = ()
    id: int = 0


_KINDS = {
    "text": Kind.TEXT,
    "date": Kind.DATE,
    "amount": Kind.AMOUNT,
    "number": Kind.AMOUNT,
    "yes/no": Kind.YES_NO,
    "yesno": Kind.YES_NO,
}
_ONE_OF = re.compile(r"one[ -]of\b\s*(.*)", re.IGNORECASE | re.DOTALL)


def read_column(written: str) -> Column:
    """Return a column written as `Rent: amount`, `Law: one of German, English`; without a kind a text.

    Raises `LibraryRefused`.
    """
    name, colon, kind = written.rpartition(":")
    if colon and (known := _KINDS.get("".join(kind.split()).lower())):
        return Column(_name(name), known)
    if colon and (chosen := _ONE_OF.fullmatch(kind.strip())):
        options = tuple(dict.fromkeys(filter(None, map(str.strip, re.split(r"[,;|]", chosen[1])))))
        return checked(Column(_name(name), Kind.ONE_OF, options))
    if colon and kind.strip().isalpha():
        raise LibraryRefused(
            f"“{shorten(one_line(kind))}” is no kind of answers. They are: text, date, amount, yes/no, one of A, B. "
            f"“{shorten(one_line(written))}: text” asks it as it is."
        )
    return Column(_name(written))


def checked(column: Column) -> Column:
    """Return a column; raises `LibraryRefused` if it cannot be filled."""
    named = shorten(column.name)
    if column.kind is Kind.ONE_OF and not 2 <= len(column.options) <= MOST_OPTIONS:
        raise LibraryRefused(f"“{named}” needs 2 to {MOST_OPTIONS} values to choose from: Law: one of German, English")
    if len({option.casefold() for option in column.options}) < len(column.options):
        raise LibraryRefused(f"Two of the values of “{named}” are the same.")
    return column


def checked_columns(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return columns that fit together; raises `LibraryRefused`, also for two that contradict each other."""
    every = tuple(map(checked, columns))
    if not every:
        raise LibraryRefused("A table needs at least one column: a question such as “Rent per month”.")
    if len(every) > MOST_COLUMNS:
        raise LibraryRefused(f"These are {len(every):,} columns; a table has at most {MOST_COLUMNS}.")
    seen: dict[str, Column] = {}
    for column in every:
        if not column.name:
            raise LibraryRefused("A column has no question.")
        other = seen.setdefault(" ".join(column.name.casefold().split()).rstrip("?"), column)
        if other is not column:
            raise LibraryRefused(
                f"Two columns ask “{shorten(column.name)}”, as {_kind_text(other)} and as {_kind_text(column)}. "
                "Remove one of them."
            )
    return every


def read_columns(written: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of a table from their written forms; raises `LibraryRefused`."""
    return checked_columns(map(read_column, written))


def _kind_text(column: Column) -> str:
    return f"one of {', '.join(column.options)}" if column.kind is Kind.ONE_OF else column.kind.value


def _name(written: str) -> str:
    name = " ".join(one_line(written).split())
    if len(name) > LONGEST_NAME:
        raise LibraryRefused(f"A question has at most {LONGEST_NAME} characters: “{shorten(name)}”.")
    return name


# What the value of a cell means by the kind of its column: its normal form, its order, and what a column adds up to.
#
# The normal form is what is sorted, grouped and added up: `2024-03-31`, `1200|EUR`, `yes`; empty where the words of a
# value say nothing of the kind. What is shown stays as it was written.

_YES = frozenset(("yes", "true", "ja", "oui", "sí", "si", "是", "1", "x", "✓"))
_NO = frozenset(("no", "false", "nein", "non", "否", "不", "0"))
_LONGEST = 2_000  # characters of a value that are read


def normal_form(column: Column, value: str) -> str:
    """Return the normal form of a value, "" if it is none of the column's kind."""
    text = value[:_LONGEST].strip()
    match column.kind:
        case Kind.DATE:
            return _date(text)
        case Kind.AMOUNT:
            return _amount(text)
        case Kind.YES_NO:
            word = text.casefold().strip(" .!")
            return "yes" if word in _YES else "no" if word in _NO else ""
        case Kind.ONE_OF:
            known = {option.casefold(): option for option in column.options}
            return known.get(text.casefold().strip(" ."), "")
        case Kind.TEXT:
            return " ".join(text.casefold().split())


def is_of_kind(column: Column, value: str) -> bool:
    """Return whether a value is one that the column can have."""
    return not value or column.kind is Kind.TEXT or bool(normal_form(column, value))


def _date(text: str) -> str:
    found = next((each.days[0] for each in mentions(text) if each.days), None)
    if found is None:
        return next((each.digits for each in read_figures(text).figures if each.is_year), "")
    if not found.year:
        return ""
    parts = (f"{found.year:04}", f"{found.month:02}" if found.month else "", f"{found.day:02}" if found.day else "")
    return "-".join(filter(None, parts))


def _amount(text: str) -> str:
    figure = next(
        (each for each in read_figures(text).figures if each.values and not each.when and not each.name), None
    )
    if figure is None:
        return ""
    factor = figure.units[0].factor if figure.units else Decimal(1)
    value = figure.values[0] * (figure.scales[0] if figure.scales else 1) * factor
    unit = "/".join(dict.fromkeys(each.kind for each in figure.units))  # “kr” may be of three countries
    return f"{-value if figure.negative else value:f}|{unit}"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and its unit, empty if it has none."""

    number: Decimal
    unit: str


def amount_of(normal: str) -> Amount | None:
    """Return the amount of a normal form."""
    number, bar, unit = normal.partition("|")
    try:
        return Amount(Decimal(number), unit) if bar else None
    except InvalidOperation:
        return None


SortKey = tuple[bool, str, Decimal, str]


def sort_key(column: Column, value: str, normal: str) -> SortKey:
    """Return the key by which the values of a column are sorted; empty ones come last."""
    if column.kind is Kind.AMOUNT and (amount := amount_of(normal)):
        return False, amount.unit, amount.number, ""
    return not (normal or value), "", Decimal(0), normal or value.casefold()


def number_text(number: Decimal) -> str:
    """Return a number with grouped digits and without zeros at its end."""
    text = f"{number:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def summary(column: Column, normals: Iterable[str]) -> str:
    """Return what the values of a column give together: sums by unit, first and last date, counts; of texts nothing."""
    found = [each for each in normals if each]
    if not found:
        return ""
    match column.kind:
        case Kind.AMOUNT:
            sums: dict[str, Decimal] = {}
            for amount in filter(None, map(amount_of, found)):
                sums[amount.unit] = sums.get(amount.unit, Decimal(0)) + amount.number
            return "Σ " + ", ".join(f"{number_text(number)} {unit}".strip() for unit, number in sorted(sums.items()))
        case Kind.DATE:
            return min(found) if min(found) == max(found) else f"{min(found)} – {max(found)}"
        case Kind.YES_NO | Kind.ONE_OF:
            return ", ".join(f"{value} {count:,}" for value, count in Counter(found).most_common())
        case Kind.TEXT:
            return ""
