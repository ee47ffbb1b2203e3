"""Reads untrusted JSON: a wrong type yields an empty value, never an exception."""

import json
import re
from typing import TypeAlias

JsonObject: TypeAlias = dict[str, object]

_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST = 10**12  # a count above is no count
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_MOST_PARTS = 20_000  # lists and objects of one event
_DIGITS = 12
_LONGEST_NUMBER = 100  # digits


def decode_json(text: str | bytes) -> object:
    """Return the decoded JSON text; raises `ValueError`, also for nesting that the decoder does not follow."""
    try:
        value: object = json.loads(text, parse_int=_whole)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else float(digits)  # `int` refuses thousands of digits


def decode_turn(text: str) -> object:
    """Decode what an endpoint sent for a turn; raises `ValueError`, also for more parts than any turn has.

    Building hundreds of thousands of lists would hold up every thread, the window's too.
    """
    if _parts(text) > _MOST_PARTS and _parts(_STRING.sub("", text)) > _MOST_PARTS:  # in strings they build nothing
        raise ValueError("it has too many parts")
    return decode_json(text)


def _parts(text: str) -> int:
    return text.count("[") + text.count("{")


def object_in(text: str) -> JsonObject:
    """Return the JSON object that `text` is, else an empty one."""
    try:
        return as_object(decode_json(text))
    except ValueError:
        return {}


def well_formed(text: str) -> str:
    """Return `text` with surrogate pairs joined and lone surrogates replaced: these cannot be encoded as UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _SURROGATE.search(text) else text


def as_object(value: object) -> JsonObject:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return `value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_piece(value: object) -> str:
    """Return `value` if it is a string, else an empty one; half a surrogate pair at its ends stays."""
    return value if isinstance(value, str) else ""


def as_text(value: object) -> str:
    """Return `value` as text that can be encoded if it is a string, else an empty one."""
    return well_formed(as_piece(value))


def as_count(value: object) -> int:
    """Return `value` if it is a plausible number above zero, else 0; some servers write numbers as text."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _DIGITS:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _MOST:
        return 0
    return int(value)
