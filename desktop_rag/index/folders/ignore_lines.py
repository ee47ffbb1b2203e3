"""Writes the gitignore line that leaves out one file, or all files of one suffix."""

import re

from desktop_rag.index.folders.name_rules import SEPARATOR

_SPECIAL = re.compile(r"([\\*?\[\]])")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def line_of_file(path: bytes) -> str:
    """Return the line that ignores the file at `path`, relative to its root folder.

    A character that no line can hold (a line break, a byte that is not text) becomes `?`, which matches any one.
    """
    text = path.replace(SEPARATOR, b"/").decode("utf-8", "surrogateescape")
    line = "/" + _UNWRITABLE.sub("?", _SPECIAL.sub(r"\\\1", text))
    return line[:-1] + "\\ " if line.endswith(" ") else line


def line_of_suffix(suffix: str) -> str:
    """Return the line that ignores every file with `suffix` (without its dot), in any case."""
    letters = (f"[{c.lower()}{c.upper()}]" if c.lower() != c.upper() else _SPECIAL.sub(r"\\\1", c) for c in suffix)
    return f"*.{''.join(letters)}"
