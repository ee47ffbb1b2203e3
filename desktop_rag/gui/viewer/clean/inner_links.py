"""Where a link leads inside its own document."""

import re
from urllib.parse import unquote

from desktop_rag.documents.document import Structure

_APART = re.compile(r"[^\w\- ]+")


def line_of_link(target: str, structure: Structure, line_count: int) -> int:
    """Return the line to which `#target` leads, or 0 if it leads elsewhere.

    A reader that knows the line names it (`#L12`); in Markdown it is the heading of this name.
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
    """Return the name that a heading has as a target, as code hosts make it."""
    return _APART.sub("", title.strip().lower()).replace(" ", "-")
