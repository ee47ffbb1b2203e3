"""Checks a claim against the lines of its citations, their context and the question; lexical, without a model call."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.support import CitedLines, missing_figures, shares_wording
from desktop_rag.agent.events import ClaimFault


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """The faults of a claim, none if its lines support it, and the sum from which a figure was computed."""

    faults: tuple[ClaimFault, ...] = ()
    computed: str = ""


def check_claim(claim: str, sources: Sequence[CitedLines], question: str) -> ClaimCheck:
    """Return what the cited lines, together with their context and the question, lack or contradict of a claim."""
    faults = [ClaimFault("figure", figure) for figure in missing_figures(claim, sources)]
    if not any(shares_wording(claim, source) for source in sources):
        faults.append(ClaimFault("wording", ""))
    return ClaimCheck(tuple(faults))
