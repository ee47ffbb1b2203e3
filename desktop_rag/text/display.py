"""Text from outside (file names, titles, answers of a server) made safe and short enough to show."""

import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

LONGEST_LABEL = 300

_UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, direction overrides, lone surrogates, line breaks
_JOINERS = "\u200c\u200d\u2060"  # scripts and emoji need them; the last stands where a line end divided a word
_BIDI_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # they hide how a file name ends
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN_BYTES = re.compile(  # a text in variation selectors; single ones belong to emoji and Chinese names
    f"(?<=[\x00-\x7f])[\ufe00-\ufe0d\U000e0100-\U000e01ef][{_SELECTORS}]*|(?<=[{_SELECTORS}])[{_SELECTORS}]+"
)
_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_UPRIGHT = "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"


def has_italics(text: str) -> bool:
    """Return whether text can be slanted: Chinese, Japanese and Korean letters have no italics."""
    return text.isascii() or re.search(_UPRIGHT, text) is None


def one_line(text: str) -> str:
    """Return `text` on one line, of the same length; characters that hide, break or reverse it become U+FFFD."""
    return _replace_unsafe(text, "\n\t\r", "")


def terminal_safe(text: str) -> str:
    """Return `text`, of the same length, without characters that control a terminal; newlines and tabs stay."""
    return _replace_unsafe(text, "", "\n\t")


def _replace_unsafe(text: str, spaces: str, kept: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    safe = "".join(
        " "
        if char in spaces
        else "\ufffd"
        if char not in kept and char not in _JOINERS and unicodedata.category(char) in _UNSAFE
        else char
        for char in text
    )
    return _HIDDEN_BYTES.sub(lambda found: "\ufffd" * len(found[0]), safe)


def shorten(text: str, length: int = 60) -> str:
    """Return `text` with its white space collapsed, cut to at most `length` characters, "…" included."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def shorten_middle(text: str, length: int) -> str:
    """Return the beginning and the end of `text`, about `length` characters, with "…" between them."""
    half = length // 2
    return text if len(text) <= length else f"{text[:half]}…{text[-half:]}"


def label_of(name: str) -> str:
    """Return a name found in a document as a label: no controls, no bidi marks, at most `LONGEST_LABEL` characters."""
    collapsed = " ".join(name.split())
    return shorten(_UNSHOWN.sub("\ufffd", _BIDI_MARKS.sub("", collapsed)), LONGEST_LABEL)


def printable(path: object) -> str:
    r"""Return a path as text for terminals and JSON; bytes that are not UTF-8 become `\xNN`."""
    if isinstance(path, bytes):
        return path.decode("utf-8", "backslashreplace")
    try:
        data = str(path).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # Windows allows lone surrogates in names
        data = str(path).encode("utf-8", "surrogatepass")
    return data.decode("utf-8", "backslashreplace")


def shown_path(path: bytes | str) -> str:
    """Return a path on one line, the home folder as `~`; undecodable bytes become U+FFFD."""
    text = os.fsdecode(path)
    home = str(Path.home())
    if text == home or text.startswith(home + os.sep):
        text = "~" + text[len(home) :]
    return one_line(text)


def shown_name(path: bytes) -> str:
    """Return the last component of a path, or the whole path for a drive or the root."""
    return one_line(Path(os.fsdecode(path)).name) or shown_path(path)


def distinct_names(paths: Sequence[bytes]) -> list[str]:
    """Return the last component of each path, with as many folders before it as tell it from the others: work/notes."""
    parts = [Path(os.fsdecode(path)).parts for path in paths]
    names: list[str] = []
    for at, own in enumerate(parts):
        same = [other for index, other in enumerate(parts) if index != at and other[-1:] == own[-1:]]
        count = next((n for n in range(1, len(own)) if all(other[-n:] != own[-n:] for other in same)), len(own))
        longer = one_line("/".join(own[-count:])) if count < len(own) else shown_path(paths[at])
        names.append(longer if count > 1 else shown_name(paths[at]))
    return names


def location_text(page: int | None, first: int, last: int, section: str = "") -> str:
    """Return a location as text: `page 3, lines 5–7` or `Slide 3, lines 5–7`."""
    lines = f"line {first}" if first == last else f"lines {first}–{last}"
    named = f"page {page}" if page else printable(section)
    return f"{named}, {lines}" if named else lines


def plural(count: int, noun: str) -> str:
    """Return a count with its English noun: 1 file, 2,000 files."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
