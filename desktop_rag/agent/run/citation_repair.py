"""Repair of an ungrounded answer: ask the model to correct failed citations, or remove statements without a source.

Grounding is checked by `agent.citations`; `loop` decides when to repair.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from desktop_rag.agent.citations.wording import SUPPORTED, describe_faults
from desktop_rag.agent.events import Answered, Claim, ClaimStanding
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.text.display import shorten

LEFT_OUT = "*[left out: no source was named]*"
ALL_LEFT_OUT = "*The model named no source in your documents for its answer, so it was left out.*"
MAX_FAILURES = 12  # listed for the model
CLAIM = 400  # characters of a statement and its reason in the message to the model


def failing(stream: AnswerStream) -> tuple[str, ...]:
    """Return the statements of an answer that failed the check, each with the reason."""
    text = stream.text
    dropped = {each.claim: each.citation for each in stream.dropped}
    unsupported = (
        f"{text[claim.start : claim.end]}: {'; '.join(describe_faults(claim.faults))}"
        for claim in stream.claims
        if claim.standing == "unsupported"
    )
    nowhere = (f"{claim} {citation}: it points at nothing that you have read" for claim, citation in dropped.items())
    return (*unsupported, *nowhere)


def repair_prompt(failures: Sequence[str]) -> str:
    """Return the message that asks the model to correct its failed statements."""
    listed = "\n".join(f"- {shorten(failure, CLAIM)}." for failure in failures[:MAX_FAILURES])
    return (
        "These statements were compared with the lines that they cite, and are not supported:\n\n"
        f"{listed}\n\n"
        "Write your whole answer again: correct each of these statements and its citation, or leave it out. "
        "Keep everything else as it is. Say nothing about this message."
    )


def is_improvement(second: AnswerStream, first: AnswerStream) -> bool:
    """Return whether the second answer has fewer open claims and no fewer supported ones."""
    if not second.text.strip():
        return False
    if second.says_not_found:
        return not second.dropped
    before, after = _counts(first.claims), _counts(second.claims)
    fewer = after["unsupported"] + after["uncited"] < before["unsupported"] + before["uncited"]
    return fewer and _supported(after) >= _supported(before)


def remove_uncited(answered: Answered) -> Answered:
    """Replace every uncited statement of an answer by a note."""
    uncited = [claim for claim in answered.claims if claim.standing == "uncited"]
    if not uncited:
        return answered
    if len(uncited) == len(answered.claims):
        return replace(answered, text=ALL_LEFT_OUT, claims=(), citations=(), found=False)
    pieces: list[str] = []
    end = 0
    notes = {claim: _note(answered.text[claim.start : claim.end]) for claim in uncited}
    for claim in uncited:
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
    """Return the note for a removed statement; a table row keeps its columns."""
    columns = left_out.strip().strip("|").count("|")
    return f"| {LEFT_OUT} |{' |' * columns}" if left_out.startswith("|") else LEFT_OUT


def _counts(claims: Sequence[Claim]) -> Counter[ClaimStanding]:
    return Counter(claim.standing for claim in claims)


def _supported(counts: Counter[ClaimStanding]) -> int:
    return sum(counts[standing] for standing in SUPPORTED)


def has_supported_claim(answered: Answered) -> bool:
    """Return whether at least one statement of the answer is supported by the documents."""
    return answered.found and any(claim.standing in SUPPORTED for claim in answered.claims)
