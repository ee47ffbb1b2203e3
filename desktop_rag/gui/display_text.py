"""Words that come from outside (paths, titles, model names) made safe and short enough to show."""

import html
import os
import unicodedata
from pathlib import Path

_UNSHOWN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, direction overrides, lone surrogates, line breaks
_KEPT = "\u200c\u200d"  # joiners that scripts and emoji need


def one_line(text: str) -> str:
    """Return `text` on one line, with whatever could break the line or reverse its direction replaced."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if char in "\n\t\r" else "\ufffd" if unicodedata.category(char) in _UNSHOWN and char not in _KEPT else char
        for char in text
    )


def shown_path(path: bytes) -> str:
    """Return a path as a person writes it: the home folder is `~`, bytes that are no text are replaced."""
    text = os.fsdecode(path)
    home = str(Path.home())
    if text == home or text.startswith(home + os.sep):
        text = "~" + text[len(home) :]
    return one_line(text)


def shown_name(path: bytes) -> str:
    """Return the last part of a path, or the whole of it for a drive or the root."""
    return one_line(Path(os.fsdecode(path)).name) or shown_path(path)


def tool_tip(text: str) -> str:
    """Return `text` as a tool tip that shows every character as it is; Qt would read some of it as rich text."""
    return f"<qt>{html.escape(text, quote=False).replace(chr(10), '<br>')}</qt>" if text else ""
