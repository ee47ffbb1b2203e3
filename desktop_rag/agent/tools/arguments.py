"""Parses the arguments of a tool call as models really write them: nearly JSON, nearly the right types.

Values are coerced where possible; otherwise an `ArgumentError` tells the model what to send.
"""

import json
import re
from collections.abc import Mapping, Sequence

from desktop_rag.paths import valid_text

MAX_CHARACTERS = 20_000

Arguments = Mapping[str, object]


class ArgumentError(Exception):
    """Invalid arguments; the message tells the model what to send instead."""


def parse_arguments(text: str, known: Sequence[str]) -> Arguments:
    """Return the JSON object in `text`; a bare value becomes the first of the `known` parameters."""
    if len(text) > MAX_CHARACTERS:
        raise ArgumentError(f"The arguments are too long ({len(text):,} characters). Send a short JSON object.")
    value = _decode(text)
    if isinstance(value, str):  # some models send the object as a JSON string
        inner = _decode_or_none(value)
        value = inner if isinstance(inner, dict) else value
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    if value is None:
        return {}
    if known and isinstance(value, str | list | int):
        return {known[0]: value}
    raise ArgumentError(f"The arguments must be one JSON object with: {', '.join(known)}.")


def strings(arguments: Arguments, names: Sequence[str], at_most: int, longest: int = 1_000) -> tuple[str, ...]:
    """Return the list under the first of `names` present, deduplicated; one string counts as a list of one."""
    value = _value(arguments, names)
    if isinstance(value, str) and value.lstrip().startswith("["):
        decoded = _decode_or_none(value)
        value = decoded if isinstance(decoded, list) else value
    items = value if isinstance(value, list) else [value]
    texts = dict.fromkeys(text for item in items if (text := _text(item)))
    if not texts:
        shape = '"…"' if at_most == 1 else '["…"]'
        what = "a text" if at_most == 1 else "a list of texts"
        raise ArgumentError(f'"{names[0]}" is missing: send {what}, such as {{"{names[0]}": {shape}}}.')
    for text in texts:
        if len(text) > longest:
            raise ArgumentError(f'One of "{names[0]}" has {len(text):,} characters; at most {longest:,} are allowed.')
    return tuple(texts)[:at_most]


def integer(arguments: Arguments, names: Sequence[str], default: int, low: int, high: int) -> int:
    """Return the integer under the first of `names` present, clamped to `low`..`high`."""
    value = _value(arguments, names)
    if value is None or value == "":
        return default
    if isinstance(value, str):
        digits = re.fullmatch(r"\s*[Ll]?\s*([+-]?\d{1,11})\s*", value)
        value = int(digits[1]) if digits else value
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, float) and value == value // 1 and abs(value) < 1e12:
        value = int(value)
    if not isinstance(value, int):
        raise ArgumentError(f'"{names[0]}" must be a whole number, not {_shown(value)}.')
    return min(max(value, low), high)


def choice(arguments: Arguments, names: Sequence[str], allowed: Sequence[str], default: str) -> str:
    """Return the word under the first of `names` present; it must be one of `allowed`."""
    value = _value(arguments, names)
    if value is None or value == "":
        return default
    word = _text(value).lower()
    if word not in allowed:
        raise ArgumentError(f'"{names[0]}" must be one of {", ".join(allowed)}, not {_shown(value)}.')
    return word


def _value(arguments: Arguments, names: Sequence[str]) -> object:
    return next((arguments[name] for name in names if arguments.get(name) is not None), None)


def _text(value: object) -> str:
    if isinstance(value, dict):  # {"query": "…"} inside a list of queries
        value = next((item for item in value.values() if isinstance(item, str)), None)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(valid_text(str(value)).split())


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _decode(text: str) -> object:
    if not text.strip():
        return {}
    try:
        value: object = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"The arguments are not valid JSON ({error}). Send the call again.") from error
    return value


def _decode_or_none(text: str) -> object:
    try:
        return _decode(text)
    except ArgumentError:
        return None
