"""Repair of an answer: the model is asked once for other words for the statements that are refused.

It gets these statements and a few lines, nothing else. Each new statement replaces its own, if the lines that it cites
do not refuse it, too; the rest of the answer stays as it is.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.marks import REFUSED, UNFOUNDED, describe_claim
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.events import Answered, Citation, Claim
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.run.look.shown_lines import HEADER, CountTokens, ShownLines
from desktop_rag.agent.run.statements import statement_of
from desktop_rag.agent.run.ungrounded import NOT_FOUND_MARK, told_claims
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.llm.chat import UserMessage
from desktop_rag.text.display import shorten
from desktop_rag.text.normalize import FoldedText, words

LEFT_OUT = "*[left out: no source was named]*"
ALL_LEFT_OUT = "*The model named no source in your documents for its answer, so it was left out.*"
MAX_FAILURES = 12  # listed for the model
STATEMENT = 400  # characters of a statement in the message to the model
MOST_TOKENS = 4_000  # of the message
MOST_NEAR = 3  # lines shown for a statement without a source that no line read supports well
_LINKS_AFTER = re.compile(r"(?:\s*\[(\d+)\]\(cite:\1\))+[.!?]?")
_NUMBERED = re.compile(r"\s*(?:\*\*)?(\d{1,2})[.):](?:\*\*)?\s+(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_NOTHING = re.compile(r"\W*(?:left? out|leave out|none|nothing|n/a|remove|delete)?\W*", re.IGNORECASE)
_DOTS = re.compile(r"[\s.…]*")
_NO_SOURCE = "it names no source"
_LINES_SAY = "the lines say “{words}”"
_SILENT = "the lines do not say it"
_NOWHERE = "{citation} points at nothing that you have read"


@dataclass(frozen=True, slots=True)
class FailedStatement:
    """A statement to be repaired: its offsets in the text shown, its citations included, the claim, and the reason."""

    start: int
    end: int
    claim: Claim
    reason: str


def failed_statements(stream: AnswerStream) -> tuple[FailedStatement, ...]:
    """Return the statements that the model, an altered copy or a quotation that stands nowhere refuses.

    Those whose citation points at nothing that was read are among them, and all of an answer without any citation,
    unless it is that nothing was found.
    """
    text, claims = stream.text, told_claims(stream, found=not stream.says_not_found)
    bare = not (stream.citations or stream.says_not_found)
    failed: list[FailedStatement] = []
    for claim in claims:
        unsourced = claim.mark == "uncited" and (bare or claim.nowhere is not None)
        if not (claim.mark in REFUSED or unsourced) or len(failed) == MAX_FAILURES:
            continue
        links = _LINKS_AFTER.match(text, claim.end)
        end = links.end() if links else claim.end
        failed.append(FailedStatement(claim.start, end, claim, _reason(stream, claim)))
    return tuple(failed)


def _reason(stream: AnswerStream, claim: Claim) -> str:
    if claim.mark == "uncited":
        nowhere = stream.dropped_after(claim)
        return _NOWHERE.format(citation=nowhere.citation) if nowhere else _NO_SOURCE
    if claim.mark == "otherwise" and claim.judgment and claim.judgment.words:
        return _LINES_SAY.format(words=shorten(claim.judgment.words, STATEMENT))
    return _SILENT if claim.mark == "silent" else describe_claim(claim).rstrip(".")


def repair_request(
    stream: AnswerStream,
    failed: Sequence[FailedStatement],
    tools: ToolContext,
    budget: int,
    count_tokens: CountTokens,
) -> tuple[UserMessage, tuple[FailedStatement, ...]]:
    """Return the message that asks for each failed statement again, and those for which it has room.

    It shows the lines that they cite; for one without a source the lines read that are nearest to it, if any are.
    """
    shown = ShownLines(tools.lines_read, budget, count_tokens)
    asked: list[FailedStatement] = []
    listed: list[str] = []
    for each in failed:
        statement = statement_of(stream.text, each.claim, stream.citations)
        near: tuple[Citation, ...] = ()
        if not statement.citations or (each.claim.altered and not each.claim.altered.found):
            near = stream.nearest(statement.text) or _likest(statement.text, tools.lines_read, tools.references)
        if not (sources := (*statement.citations, *near)):
            continue
        written = shorten(stream.as_written(each.start, each.end), STATEMENT)
        entry = f"{len(asked) + 1}. {written}\n   Wrong: {each.reason}."
        if shown.add(statement.text, sources, count_tokens(entry) + HEADER // 4) is None:
            break
        asked.append(each)
        listed.append(entry)
    data, sent = shown.render(lambda _, citation: f"[{citation.reference}]", tools.counts_from)
    text = "\n\n".join(("Lines:", data, "Statements:", "\n".join(listed)))
    return UserMessage(text, sent, aside=True), tuple(asked)


def _likest(statement: str, read: CitableLines, references: References) -> tuple[Citation, ...]:
    """Return the lines read that have most of a statement's words, the rare ones before all."""
    lines = {(content, number): text for content in read.contents() for number, text in read.lines(content).items()}
    held = {place: _words_of(text) for place, text in lines.items()}
    wanted = _words_of(statement)
    known = Counter(word for each in held.values() for word in each & wanted)
    scores = {place: sum(math.log1p(len(held) / known[word]) for word in each & wanted) for place, each in held.items()}
    best = sorted((place for place, score in scores.items() if score), key=lambda place: -scores[place])[:MOST_NEAR]
    found: list[Citation] = []
    for content, number in best:
        if reference := references.of_content(content):
            text = lines[content, number]
            found.append(
                Citation(
                    *(0, reference.name, content, "", reference.path, reference.title, "", None),
                    *(number, number, "", text, number, "paraphrase"),
                )
            )
    return tuple(found)


@lru_cache(maxsize=50_000)  # the same lines are compared with each statement
def _words_of(text: str) -> frozenset[str]:
    return frozenset(word.text for word in words(FoldedText(text).text))


def accepted_parts(
    stream: AnswerStream, failed: Sequence[FailedStatement], reply: str, new_stream: Callable[[], AnswerStream]
) -> tuple[tuple[int, int, str], ...]:
    """Return the parts of the answer that a reply replaces, with the new text of each as the model writes it.

    A new statement is taken if it cites lines that do not refuse it, and one that the model withdraws is left out. A
    reply without numbers may be a whole answer, where nothing of the first one stands.
    """
    lines = [line for line in reply.strip().splitlines() if not _FENCE.match(line)]
    replacements = _replacements(stream, failed, [line for line in lines if line.strip()])
    parts: list[tuple[int, int, str]] = []
    for number, each in enumerate(failed, 1):
        new = replacements.get(number)
        if new is not None and (not new or _stands(new, new_stream())):
            parts.append((each.start, each.end, new))
    whole = "\n".join(lines)
    if not replacements and len(failed) == len(stream.claims) and _stands(whole, new_stream()):
        return ((0, len(stream.text), whole),)
    return tuple(parts)


def _stands(text: str, apart: AnswerStream) -> bool:
    """Return whether each statement of a text cites lines that do not refuse it."""
    apart.replace(text)
    claims = apart.claims
    proven = bool(claims) and all(claim.mark not in UNFOUNDED for claim in claims)
    return proven and not (apart.dropped or apart.says_not_found)


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
    return "" if _NOTHING.fullmatch(text.lower().replace(NOT_FOUND_MARK, "")) else text


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


def has_supported_claim(answered: Answered) -> bool:
    """Return whether at least one statement of the answer is supported by the documents."""
    return answered.found and any(claim.mark not in UNFOUNDED for claim in answered.claims)


def without_unused(answered: Answered) -> Answered:
    """Return an answer without the citations that nothing names any more, the others numbered in their order."""
    named = [int(link[1]) for link in LINK.finditer(answered.text)]
    named += sorted(number for claim in answered.claims for number in _numbers(claim))
    new = {number: place for place, number in enumerate(dict.fromkeys(named), 1)}
    kept = sorted((each for each in answered.citations if each.number in new), key=lambda each: new[each.number])
    grown = [(link.end(), _link(link[1], new), link[0]) for link in LINK.finditer(answered.text)]

    def moved(offset: int) -> int:
        return offset + sum(len(now) - len(before) for end, now, before in grown if end <= offset)

    return replace(
        answered,
        text=LINK.sub(lambda link: _link(link[1], new), answered.text),
        citations=tuple(replace(each, number=new[each.number]) for each in kept),
        claims=tuple(
            replace(
                claim,
                start=moved(claim.start),
                end=moved(claim.end),
                citations=tuple(new[number] for number in claim.citations if number in new),
                operands=tuple(replace(each, citation=new[each.citation]) for each in claim.operands),
            )
            for claim in answered.claims
        ),
    )


def _numbers(claim: Claim) -> Iterable[int]:
    return (*claim.citations, *(operand.citation for operand in claim.operands))


def _link(number: str, new: Mapping[int, int]) -> str:
    place = new.get(int(number), int(number))
    return f"[{place}](cite:{place})"
