"""Turns filters, which stand beside a query, into conditions like those inside it."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import Either, FileFact, FileField, Modified, Node, join_all


def condition(filters: Sequence[Filter], today: date) -> Node | None:
    """Return what must hold of a file: one filter of each field, at least; None for no filters."""
    ordered = sorted(filters, key=lambda each: each.field)
    groups = (tuple(node_of(each, today) for each in same) for _, same in groupby(ordered, lambda each: each.field))
    return join_all(tuple(group[0] if len(group) == 1 else Either(group) for group in groups))


def node_of(each: Filter, today: date) -> FileFact | Modified:
    """Return the condition of one filter; raise `QueryError` for a date that is none."""
    if each.field is not FileField.MODIFIED:
        return FileFact(each.field, each.text)
    days = period(each.text, today)
    if days is None:
        raise QueryError(f"“{each.text}” is not a date; write 2024, 2024-03-15, today or last week.", 0)
    return Modified(days.since_ns, days.until_ns)
