"""Makes faults that are true as a sentence: what the lines have is not missing, and no word excludes itself."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from desktop_rag.agent.citations.checks.claim_evidence import is_dense
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.text.normalize import fold_quote

_AROUND = " .,;:"
_ABBREVIATED = re.compile(r"(?:\b\w\.){2}$")
_TIME = re.compile(r"\d\s?[ap]\.?m\b|\d:\d\d", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def true_faults(faults: Iterable[ClaimFault], lines: str, claim: str) -> Iterator[ClaimFault]:
    """Yield faults without a `found` that says nothing against the text; one that the lines have stands elsewhere."""
    folded = fold_quote(lines)
    for fault in faults:
        found = _trimmed(fault.found)
        stands = _has(folded, fold_quote(fault.text))
        both = stands and fault.kind == "name" and _has(fold_quote(claim), fold_quote(found))  # in claim and lines
        is_exchanged = _excludes(fault, found) and not both
        told = replace(fault, found=found if is_exchanged else "")
        yield replace(told, elsewhere=not told.found and stands)


def _trimmed(found: str) -> str:
    """Return words of the lines without the marks of their sentence: “14)”, “9pm.”."""
    found = found if _ABBREVIATED.search(found) else found.strip(_AROUND)
    return found.rstrip(")") if "(" not in found else found


def _excludes(fault: ClaimFault, found: str) -> bool:
    """Return whether what was found is another word than the text, and of its class: no adjective for a name."""
    if fold_quote(found) == fold_quote(fault.text).strip(_AROUND):
        return False
    if fault.kind == "name" and fault.text[:1].isupper():
        return not found[:1].islower() or bool(_DIGIT.search(found))
    marks = {"wording": _DIGIT, "figure": _TIME}.get(fault.kind)
    return marks is None or bool(marks.search(found)) == bool(marks.search(fault.text))


def _has(lines: str, text: str) -> bool:
    if not text or is_dense(text):
        return bool(text) and text in lines
    return bool(re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(text)}(?!\w)(?![.,]\d)", lines))
