"""Reads untrusted JSON: a wrong type yields an empty value, never an exception."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

JsonObject: TypeAlias = dict[str, object]


def as_object(value: object) -> Mapping[str, object]:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> Sequence[object]:
    """Return `value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return `value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int:
    """Return `value` if it is a number above zero, else 0; some servers write numbers as text."""
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else 0
