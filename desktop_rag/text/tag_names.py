"""Compares the tags of documents with those that are wanted; stars and question marks are wildcards."""

import re
from collections.abc import Iterable

from desktop_rag.text.normalize import fold


def has_tag(tags: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether one of the tags is wanted, or below one: `character/ines` is a `character`; case is ignored."""
    patterns = [_pattern(each) for each in wanted]
    return bool(patterns) and any(pattern.fullmatch(fold(tag)) for tag in tags for pattern in patterns)


def _pattern(wanted: str) -> re.Pattern[str]:
    parts = ({"*": ".*", "?": "."}.get(char) or re.escape(char) for char in fold(wanted).lstrip("#"))
    return re.compile(f"{''.join(parts)}(?:/.*)?")
