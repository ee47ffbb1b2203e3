"""A fault that a check finds in a statement."""

from dataclasses import dataclass, field
from typing import Literal

FaultKind = Literal["quote", "figure", "name", "negation", "direction", "extent", "wording", "source"]


@dataclass(frozen=True, slots=True)
class ClaimFault:
    """A word or figure of a claim, as written, that the cited lines lack or contradict; `found` is what they say."""

    kind: FaultKind
    text: str
    found: str = ""
    elsewhere: bool = False
    check: str = field(default="", compare=False)
