"""Resolves links inside a document."""

import re
from urllib.parse import unquote

from desktop_rag.documents.document import Structure

_APART = re.compile(r"[^\w\- ]+")


def line_of_link(target: str, structure: Structure, line_count: int) -> int:
    """Return the line that `#target` refers to, or 0 if it is not in this document.

    A format reader that knows the line writes `#L12`; in Markdown the target is the slug of a heading.
    """
    if not target.startswith("#"):
        return 0
    name = unquote(target[1:])
    if name[:1] == "L" and name[1:].isdigit():
        return int(name[1:]) if 0 < int(name[1:]) <= line_count else 0
    wanted, seen = _name_of(name), dict[str, int]()
    for entry in structure.outline:
        title = _name_of(entry.title)
        count = seen[title] = seen.get(title, -1) + 1
        if wanted == (f"{title}-{count}" if count else title):
            return entry.line
    return 0


def _name_of(title: str) -> str:
    """Return the slug of a heading, built as code hosts do."""
    return _APART.sub("", title.strip().lower()).replace(" ", "-")
