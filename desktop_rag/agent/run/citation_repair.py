"""Repair of an ungrounded answer: the model is asked once for other words for the statements that failed the check.

The replies replace these statements in the answer; a whole answer is accepted instead. Grounding is checked by
`agent.citations`; `loop` decides when to repair.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from desktop_rag.agent.citations.marks import REFUSED, UNFOUNDED, describe_claim
from desktop_rag.agent.events import Answered, Claim, Mark
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.run.ungrounded import NOT_FOUND_MARK, told_claims
from desktop_rag.text.display import shorten

LEFT_OUT = "*[left out: no source was named]*"
ALL_LEFT_OUT = "*The model named no source in your documents for its answer, so it was left out.*"
MAX_FAILURES = 12  # listed for the model
STATEMENT = 400  # characters of a statement in the message to the model
_LINKS_AFTER = re.compile(r"(?:\s*\[(\d+)\]\(cite:\1\))+[.!?]?")
_NUMBERED = re.compile(r"\s*(?:\*\*)?(\d{1,2})[.):](?:\*\*)?\s+(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_WORD = re.compile(r"[^\W_]")
_NOTHING = re.compile(r"\W*(?:left? out|leave out|none|nothing|n/a|remove|delete)?\W*", re.IGNORECASE)
_DOTS = re.compile(r"[\s.…]*")
_EMPTY_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]*$\n?", re.MULTILINE)
_NO_SOURCE = "it names no source"
_LINES_SAY = "the lines say “{words}”"
_NOWHERE = "{citation} points at nothing that you have read"


@dataclass(frozen=True, slots=True)
class FailedStatement:
    """A statement that failed the check: its offsets in the text shown, its citations included, and the reason."""

    start: int
    end: int
    reason: str


def failed_statements(stream: AnswerStream) -> tuple[FailedStatement, ...]:
    """Return the statements to be repaired: those not supported; those without a source only beside such ones.

    An answer without any citation has failed as well, unless it is that nothing was found.
    """
    text, claims = stream.text, told_claims(stream, found=not stream.says_not_found)
    unproven = not (stream.citations or stream.says_not_found)
    if not (stream.dropped or unproven or any(claim.mark in REFUSED for claim in claims)):
        return ()
    failed: list[FailedStatement] = []
    for claim in claims:
        if claim.mark not in UNFOUNDED or len(failed) == MAX_FAILURES:
            continue
        nowhere = stream.dropped_after(claim)
        reason = _NOWHERE.format(citation=nowhere.citation) if nowhere else describe_claim(claim).rstrip(".")
        if claim.judgment and claim.judgment.words:
            reason = _LINES_SAY.format(words=shorten(claim.judgment.words, STATEMENT))
        links = _LINKS_AFTER.match(text, claim.end)
        failed.append(FailedStatement(claim.start, links.end() if links else claim.end, reason or _NO_SOURCE))
    return tuple(failed)


def repair_prompt(stream: AnswerStream, failed: Sequence[FailedStatement]) -> str:
    """Return the message that asks the model for each failed statement again."""
    listed = "\n".join(
        f"{number}. {shorten(stream.as_written(each.start, each.end), STATEMENT)}\n   Wrong: {each.reason}."
        for number, each in enumerate(failed, 1)
    )
    return (
        "These statements of your answer were compared with the lines that you have read, and are not supported:\n\n"
        f"{listed}\n\n"
        "Write each of them again under its number, corrected and with its citation; write “-” where nothing that you "
        "have read says it. Write nothing else; the rest of your answer stays."
    )


def repaired_text(stream: AnswerStream, failed: Sequence[FailedStatement], reply: str) -> str:
    """Return the answer, as the model writes it, with the replaced statements; a reply without numbers is an answer.

    It is [not found] if nothing is left.
    """
    lines = [line for line in reply.strip().splitlines() if line.strip() and not _FENCE.match(line)]
    replacements = _replacements(stream, failed, lines)
    if not replacements:
        return "\n".join(lines) if _FENCE.match(reply.strip()) else reply
    pieces: list[str] = []
    end = 0
    for number, each in enumerate(failed, 1):
        if number in replacements:
            goes_on = stream.text[each.end : each.end + 2].lstrip()[:1] in (",", ";")
            pieces += (stream.as_written(end, each.start), replacements[number].rstrip("." if goes_on else ""))
            end = each.end
    pieces.append(stream.as_written(end, len(stream.text)))
    text = _EMPTY_ITEM.sub("", "".join(pieces)).strip()
    if not _WORD.search(text):
        return NOT_FOUND_MARK
    return f"{NOT_FOUND_MARK} {text}" if stream.says_not_found else text


def _replacements(stream: AnswerStream, failed: Sequence[FailedStatement], reply: Sequence[str]) -> Mapping[int, str]:
    """Return the replacements by number; empty if the lines of the reply are no list of them."""
    found: dict[int, list[str]] = {}
    number = 0
    has_lead_in = len(reply) > 1 and reply[0].rstrip(" *_").endswith(":") and _NUMBERED.match(reply[1])
    lines = reply[1:] if has_lead_in else reply
    if len(failed) == len(lines) == 1 and not _NUMBERED.match(lines[0]):
        alone = len(stream.claims) == 1 or len(lines[0]) <= 2 * STATEMENT
        alone = alone and not _DOTS.fullmatch(lines[0])
        lines = [f"1. {lines[0].strip()}"] if alone else []
    for line in lines:
        if (match := _NUMBERED.match(line)) and int(match[1]) not in found:
            number = int(match[1])
            found[number] = [match[2].strip()]
        elif number:
            found[number].append(line.strip())
        else:
            return {}
    if not all(1 <= number <= len(failed) for number in found):
        return {}
    return {number: _statement(texts) for number, texts in found.items()}


def _statement(lines: Sequence[str]) -> str:
    text = " ".join(line for line in lines if not line.startswith("Wrong:"))
    return "" if _NOTHING.fullmatch(text) else text


def is_improvement(second: AnswerStream, first: AnswerStream) -> bool:
    """Return whether the second answer has fewer failures and no fewer supported statements."""
    before, after = _counts(first.claims), _counts(second.claims)
    if second.says_not_found:
        kept = _supported(after) if first.says_not_found else 0
        return _supported(before) <= kept and not _failures(after)
    if not second.claims or len(second.dropped) > len(first.dropped):
        return False  # nothing is stated any more: an apology, an empty message
    fewer = _failures(after) < _failures(before)
    return fewer and _supported(after) >= _supported(before)


def remove_uncited(answered: Answered) -> Answered:
    """Replace every uncited statement of an answer by a note."""
    uncited = [claim for claim in answered.claims if claim.mark == "uncited"]
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


def _counts(claims: Sequence[Claim]) -> Counter[Mark]:
    return Counter(claim.mark for claim in claims)


def _failures(counts: Counter[Mark]) -> int:
    return sum(counts[mark] for mark in UNFOUNDED)


def _supported(counts: Counter[Mark]) -> int:
    return sum(count for mark, count in counts.items() if mark not in UNFOUNDED)


def has_supported_claim(answered: Answered) -> bool:
    """Return whether at least one statement of the answer is supported by the documents."""
    return answered.found and any(claim.mark not in UNFOUNDED for claim in answered.claims)
