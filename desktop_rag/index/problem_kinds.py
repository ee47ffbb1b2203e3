"""Sorts the reasons why files are not, or only partly, searchable into the kinds that have the same remedy."""

import re
from enum import StrEnum


class ProblemKind(StrEnum):
    """A kind of problem; everything in it is solved in the same way."""

    PROTECTED = "protected"
    DAMAGED = "damaged"
    SCANS = "scans"
    ACCESS = "access"
    CRASHED = "crashed"
    INTERRUPTED = "interrupted"
    LIMIT = "limit"
    EMPTY = "empty"
    TOO_LARGE = "too large"
    TYPE = "type"
    OTHER = "other"


# The first that matches decides: an archive may be “damaged or protected”, a crash quotes its reason.
_PATTERNS = (
    (ProblemKind.INTERRUPTED, r"^Reading this file was interrupted"),
    (ProblemKind.CRASHED, r"is quarantined until|crashed"),
    (ProblemKind.TYPE, r"not read yet|inside other files|unsupported kind|unsupported method"),
    (ProblemKind.TOO_LARGE, r"^Larger than|files over \d+ MB|too large"),
    (ProblemKind.PROTECTED, r"password|protected|DRM"),
    (ProblemKind.SCANS, r"without text|[Pp]icture|scan|recognised: it"),
    (ProblemKind.ACCESS, r"[Pp]ermission|cannot be read:|not permitted|Input/output error"),
    (ProblemKind.DAMAGED, r"damaged and was left out"),
    (ProblemKind.LIMIT, r"left out|more memory|too long|nested too deep|only the first|unpacks to"),
    (ProblemKind.EMPTY, r"is empty|no text|no metadata|only white space|no pages"),
    (ProblemKind.DAMAGED, r"damaged|cannot be (opened|unpacked|read)|binary file|not a text file|character encoding"),
)
_KNOWN = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)


def problem_kind(reason: str) -> ProblemKind:
    """Return the kind of a reason."""
    return next((kind for kind, pattern in _KNOWN if pattern.search(reason)), ProblemKind.OTHER)
