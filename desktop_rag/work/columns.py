"""The columns of a table: a question, and the kind of its answers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.errors import LibraryRefused
from desktop_rag.text.display import one_line, shorten

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
