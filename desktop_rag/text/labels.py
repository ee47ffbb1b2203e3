"""Names out of files as something to show: in one line, of characters that turn nothing around."""

import re

_LONGEST = 300
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # hides what a name ends with
_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def label_of(name: str) -> str:
    """Return `name` as a label: without controls and marks of direction, and not endless."""
    label = " ".join(_UNSHOWN.sub("\ufffd", _TURNING.sub("", " ".join(name.split()))).split())
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
