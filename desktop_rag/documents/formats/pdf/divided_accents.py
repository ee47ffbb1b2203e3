"""Puts accents to their letters: TeX draws both with its older fonts, the accent first (caf´e, na¨ıve)."""

import re
import unicodedata

_ABOVE = dict(zip("`´ˆ˜¯˘˙¨˚˝ˇ", "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c", strict=True))
_DIVIDED = re.compile(rf"([{''.join(_ABOVE)}])([^\W\d_])|([^\W\d_])¸")
_DOTLESS = {"ı": "i", "ȷ": "j"}


def with_accents(text: str) -> str:
    """Return a text with each accent joined with the letter behind it, and each cedilla with that before it."""
    return _DIVIDED.sub(_joined, text)


def _joined(found: re.Match[str]) -> str:
    letter = found[2] or found[3]
    mark = _ABOVE[found[1]] if found[1] else "\u0327"
    whole = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + mark)
    return whole if len(whole) == 1 else found[0]
