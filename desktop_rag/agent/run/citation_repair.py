"""What becomes of an answer whose citations do not hold: it is asked for once more, marked, or partly left out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from desktop_rag.agent.citations.citations import CitationFailure
from desktop_rag.agent.events import Answered, Claim, ClaimStanding
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.tools.tool import shorten

LEFT_OUT = "*[left out: no source was named]*"
ALL_LEFT_OUT = "*The model named no source in your documents for its answer, so it was left out.*"
LISTED = 12  # failures told to the model
CLAIM = 200  # characters of a claim told to the model


def mending(failures: Sequence[CitationFailure]) -> str:
    """Return what asks a model to correct citations that prove nothing."""
    lines = [f"- {shorten(f.claim, CLAIM)} {f.citation}: {f.reason}." for f in failures[:LISTED]]
    listed = "\n".join(lines)
    return (
        "These citations were compared with what you have read, and prove nothing:\n\n"
        f"{listed}\n\n"
        "Write your whole answer again: correct each of these claims and its citation, or leave the claim out. "
        "Keep everything else as it is. Say nothing about this message."
    )


def is_better(second: AnswerStream, first: AnswerStream) -> bool:
    """Return whether an answer written again proves as much and leaves less open; dropping a citation is no help."""
    if not second.text.strip() or len(second.failures) >= len(first.failures):
        return False
    before, after = _counts(first.claims), _counts(second.claims)
    less_open = after["unverified"] + after["uncited"] < before["unverified"] + before["uncited"]
    return second.says_not_found or (less_open and after["verified"] >= before["verified"])


def withhold(answered: Answered) -> Answered:
    """Return an answer without the statements for which no source was named; each leaves a note in its place."""
    bare = [claim for claim in answered.claims if claim.standing == "uncited"]
    if not bare:
        return answered
    if len(bare) == len(answered.claims):
        return replace(answered, text=ALL_LEFT_OUT, claims=(), citations=(), found=False)
    pieces: list[str] = []
    end = 0
    notes = {claim: _note(answered.text[claim.start : claim.end]) for claim in bare}
    for claim in bare:
        pieces += (answered.text[end : claim.start], notes[claim])
        end = claim.end
    grown = [len(notes[claim]) - (claim.end - claim.start) if claim in notes else 0 for claim in answered.claims]
    shifts = accumulate(grown, initial=0)
    claims = tuple(
        replace(claim, start=claim.start + shift, end=claim.end + shift + growth)
        for claim, growth, shift in zip(answered.claims, grown, shifts, strict=False)
    )
    return replace(answered, text="".join((*pieces, answered.text[end:])), claims=claims)


def _note(left_out: str) -> str:
    """Return what stands in the place of a statement; a table keeps its columns."""
    columns = left_out.strip().strip("|").count("|")
    return f"| {LEFT_OUT} |{' |' * columns}" if left_out.startswith("|") else LEFT_OUT


def _counts(claims: Sequence[Claim]) -> Counter[ClaimStanding]:
    return Counter(claim.standing for claim in claims)


def proves_something(answered: Answered) -> bool:
    """Return whether an answer holds a statement that the documents bear out."""
    return answered.found and any(claim.standing in ("verified", "corrected") for claim in answered.claims)
