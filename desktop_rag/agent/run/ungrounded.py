"""Answers without ground: whether a turn is an answer at all, and what the program adds where none is proven.

`loop` decides when to ask again; `citation_repair` handles single statements that fail the check.
"""

from collections.abc import Callable, Generator

from desktop_rag.agent.citations.marks import REFUSED
from desktop_rag.agent.citations.statement_words import denies
from desktop_rag.agent.events import AgentEvent, Claim
from desktop_rag.agent.prompts import (
    FROM_MEMORY,
    NO_ANSWER,
    NO_ANSWER_FOUND,
    NO_SOURCE,
    NO_STATEMENT,
    NOTHING_FITS,
    QUOTED_PASSAGES,
    SIMILAR_PASSAGES,
    SOURCE_NOT_READ,
)
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.llm.chat import TurnEnded

GROUNDED = ("verbatim", "paraphrase")  # verdicts of citations that support their claim
NOT_FOUND_MARK = "[not found]"  # with which a reply begins that found nothing


def has_answer(ended: TurnEnded, stream: AnswerStream, question: str) -> bool:
    """Return whether a turn calls nothing and has words, or the marker of an answer that found nothing."""
    has_text = bool(stream.text.strip()) if is_small_talk(question) else stream.has_words
    return not ended.message.tool_calls and (has_text or stream.says_not_found)


def told_claims(stream: AnswerStream, *, found: bool) -> tuple[Claim, ...]:
    """Return the claims that are reported: of a “not found” answer only those that fail, or say what is not written.

    Such an answer may deny something without a source: “Nobody is named.”
    """
    if found:
        return stream.claims
    return tuple(
        claim
        for claim in stream.claims
        if claim.mark in (*REFUSED, "missing") or (claim.mark == "uncited" and not _denies(stream.text, claim))
    )


def _denies(text: str, claim: Claim) -> bool:
    return denies(text[claim.start : claim.end])


def write_reply(stream: AnswerStream, reply: str) -> Generator[AgentEvent]:
    """Write the built-in model's `reply` for a model that wrote no answer, and a note that says so."""
    found = reply and not reply.startswith(NOT_FOUND_MARK)
    yield from stream.append(NO_ANSWER if found else NO_ANSWER_FOUND)
    yield from stream.append(reply, note=False)


def add_grounding_note(
    stream: AnswerStream, question: str, quotations: Callable[[], str], *, needs_library: bool
) -> Generator[AgentEvent, None, bool]:
    """Mark an answer without grounding and add passages that support it; return False if nothing was found.

    `quotations` chooses passages that answer the question.
    """
    grounded = any(citation.verdict in GROUNDED for citation in stream.citations)
    if grounded or is_small_talk(question) or stream.asks_back:
        return True
    if not needs_library:
        yield from stream.append(FROM_MEMORY)
        return True
    unproven = SOURCE_NOT_READ if stream.dropped else NO_SOURCE
    states_nothing = stream.states_nothing and " " in stream.text.strip()  # a single word may be the answer
    if not states_nothing:
        links = "" if stream.citations else stream.supporting_links()
        if links or not stream.citations:
            yield from stream.append(SIMILAR_PASSAGES if links else unproven, links)
        return True
    quoted = quotations()
    yield from stream.append(f"{NO_STATEMENT} {QUOTED_PASSAGES if quoted else NOTHING_FITS}")
    if quoted:
        yield from stream.append(quoted, note=False)
    return bool(quoted)
