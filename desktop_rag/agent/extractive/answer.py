"""Writes the built-in model's answer: quoted sentences, each with its citation, or what was looked for in vain."""

from collections.abc import Sequence

from desktop_rag.agent.citing.syntax import write_citation
from desktop_rag.agent.extractive.ranking import Candidate, Ranked

MOST = 4  # sentences quoted
CLOSE = 0.72  # share of the best score another sentence must reach
# The two below were chosen on questions about chat logs, some of which have no answer there.
COVERED = 0.45  # share of the question that must stand in and around the best sentence
COVERED_MEANT = 0.3  # the same where a search by meaning put the sentence first or second
SCORE = 0.45
LONGEST = 700  # characters of one quotation

NOTE = "*Quoted word for word from your documents. No language model wrote this.*"


def convincing(ranked: Sequence[Ranked]) -> list[Candidate]:
    """Return the sentences worth quoting, best first; none if even the best one hardly fits the question."""
    if not ranked or ranked[0].score < SCORE:
        return []
    meant = ranked[0].candidate.focus >= 0.5
    if ranked[0].covered < (COVERED_MEANT if meant else COVERED):
        return []
    best = ranked[0].score
    chosen: list[Candidate] = []
    for found in ranked:
        if found.score < CLOSE * best or len(chosen) == MOST:
            break
        if not any(_alike(found.candidate, other) for other in chosen):
            chosen.append(found.candidate)
    return chosen


def answer_text(chosen: Sequence[Candidate]) -> str:
    """Return the quotations as Markdown, each with its citation, and the note that no model wrote them."""
    quotes = [f"> {text} {write_citation(c.reference, *lines, text)}" for c in chosen for text, lines in [_quote(c)]]
    return "\n\n".join((*quotes, NOTE))


def not_found_text(queries: Sequence[str], nearest: Sequence[Ranked]) -> str:
    """Say that the library does not hold the answer, what was searched, and where something similar stands."""
    searched = ", ".join(f"“{query}”" for query in queries)
    text = "[not found] Not found in your library."
    if searched:
        text += f" Searched for {searched}."
    if nearest and nearest[0].covered > 0:
        quote, lines = _quote(nearest[0].candidate)
        citation = write_citation(nearest[0].candidate.reference, *lines, quote)
        text += f"\n\nThe closest passage, which may not answer the question:\n\n> {quote} {citation}"
    return f"{text}\n\n*No language model took part in this search.*"


def _quote(candidate: Candidate) -> tuple[str, tuple[int, int]]:
    """Return what is quoted: the sentence, with the one before it where "he" or "this" would hang in the air."""
    together = f"{candidate.before} {candidate.text}"
    if candidate.leans and candidate.before and len(together) <= LONGEST and "|" not in candidate.before:
        return together, (candidate.before_line, candidate.last_line)
    return candidate.text[:LONGEST], (candidate.first_line, candidate.last_line)


def _alike(one: Candidate, other: Candidate) -> bool:
    """Return whether two sentences say nearly the same words."""
    shared = len(one.stems & other.stems)
    return shared >= 0.8 * max(1, min(len(one.stems), len(other.stems)))
