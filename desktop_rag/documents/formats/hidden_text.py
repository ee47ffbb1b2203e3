"""Marks text that a document holds but does not show: a person cannot see it on the page, a model would read it."""

import re

LEAST_SIZE = 2.0  # points; smaller letters are not read by anybody
_PARTS = re.compile(r"\](\s*)\[hidden: ")
_WHITE = re.compile(r"#?f[0-9a-f](?:f|f[0-9a-f]f[0-9a-f])|white|rgb\(\s*2[45]\d\s*,\s*2[45]\d\s*,\s*2[45]\d\s*\)", re.I)


def mark_hidden(text: str) -> str:
    """Return `text` marked as hidden, its outer white space outside; white space alone stays as it is."""
    core = text.strip()
    start = text.find(core)
    return f"{text[:start]}[hidden: {core}]{text[start + len(core) :]}" if core else text


def join_hidden(text: str) -> str:
    """Return `text` with neighbouring hidden parts as one."""
    return _PARTS.sub(r"\1", text) if "[hidden: " in text else text


def is_white(colour: str) -> bool:
    """Return whether a colour, as hexadecimal digits or in CSS, is white or nearly so."""
    return bool(_WHITE.fullmatch(colour.strip()))
