"""Finds what a later sentence says against a plan (“will fit”, “was not fitted”), and what a named source says."""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.names_in_text import new_names
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.agent.extractive.structured.latest_entries import day_of

FURTHER = 3  # sentences behind a plan, one of which may reject it
SHARED = 2  # words of the question in a sentence of a later document that denies a plan
_PLANS = re.compile(
    r"\b(?:will|shall|going to|(?:is|are|was|were) to|plan(?:s|ned)?|intend(?:s|ed)?|propos(?:e[sd]?|al)|moved|motion|"
    r"suggest(?:s|ed)?|recommend(?:s|ed)?|scheduled|soll(?:en|te|ten)?|wird|werden|geplant|plan(?:en|t)|"
    r"beantragte?n?|vorgeschlagen|schlug(?:en)?|antrag)\b",
    re.IGNORECASE,
)
_REJECTS = (
    r"reject(?:s|ed)|declined?|cancel(?:s|l?ed)|withdr[ae]wn?|abandoned|dropped|postponed|refused|"
    r"(?:turned|voted) down|called off|abgelehnt|abgesagt|zurückgezogen|verschoben|verworfen|lehnten?"
)
_REJECTED = re.compile(rf"\b(?:{_REJECTS})\b", re.IGNORECASE)
_DENIED = re.compile(rf"\b(?:not|never|no longer|nobody|\w+n[’']t|nicht|nie|niemand|{_REJECTS})\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead|stattdessen)\b", re.IGNORECASE)
_SAYS_AGAIN = re.compile(r"(?:it|this|that|es|das|dies|er)\b", re.IGNORECASE)
_REFERS = re.compile(r"\b(?:he|she|they|his|her|their|er|sie|ihr|ihre[mnrs]?|seine[mnrs]?)\b", re.IGNORECASE)
_SOURCE = re.compile(r"\b(?:according to|in the opinion of|laut|gemäß)\s+([^,?.;]+)", re.IGNORECASE)
_ASKING = frozenset(stems("according opinion laut gemäß"))


def denials(question: AnalysedQuestion, plan: RankedSentence, ranked: Sequence[RankedSentence]) -> list[RankedSentence]:
    """Return the sentence that says that what a sentence plans was not done or was rejected, if one was read.

    It stands just behind the plan, or in a document with a later date. The plan comes first if a question is for it
    (“Who proposed …?”).
    """
    best = plan.candidate
    if not _PLANS.search(best.text) or _DENIED.search(best.text):
        return []
    told = {one.candidate.text: one for one in ranked if one.candidate.reference == best.reference}
    shared, day = best.stems.intersection(question.stems), day_of(best)
    denied = {
        one.candidate.text
        for one in ranked
        if _DENIED.search(one.candidate.text) and len(shared & one.candidate.stems) >= SHARED
    }
    behind = (one for one in _behind(best, told) if one.candidate.text in denied or _is_rejected(best, one.candidate))
    later = (one for one in ranked if one.candidate.text in denied and day and (day_of(one.candidate) or day) > day)
    denying = [*behind, *later][:1]
    is_asked = not set(stems(" ".join(_PLANS.findall(best.text)))).isdisjoint(question.stems)
    return [plan, *denying] if denying and is_asked else denying


def replaced(
    question: AnalysedQuestion, best: RankedSentence, ranked: Sequence[RankedSentence]
) -> list[RankedSentence]:
    """Return the sentence of a later day that says what came instead of what the best one has, if any.

    It has a word of the question that the best one has, or a name of that stands beside it.
    """
    day, text = day_of(best.candidate), best.candidate.text
    asked = frozenset(question.stems)
    names = [name for name in new_names(text, asked) if not text.startswith(name)]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b" if names else r"(?!)")
    later = (
        one for one in ranked if day and (day_of(one.candidate) or day) > day and _INSTEAD.search(one.candidate.text)
    )
    return [
        one
        for one in later
        if asked & best.candidate.stems & one.candidate.stems
        or named.search(f"{one.candidate.before} {one.candidate.text}")
    ][:1]


def _behind(best: CandidateSentence, told: dict[str, RankedSentence]) -> Iterator[RankedSentence]:
    """Yield the next sentences of a paragraph, in order."""
    text = best.after
    for _ in range(FURTHER):
        if (one := told.get(text)) is None:
            return
        yield one
        text = one.candidate.after


def _is_rejected(plan: CandidateSentence, behind: CandidateSentence) -> bool:
    """Return whether a sentence rejects the plan: “It was cancelled”, “The proposal was rejected”."""
    again = _SAYS_AGAIN.match(behind.text) or not plan.stems.isdisjoint(stems(behind.text))
    return bool(again) and bool(_REJECTED.search(behind.text))


def from_source(
    question: AnalysedQuestion, chosen: Sequence[RankedSentence], ranked: Sequence[RankedSentence]
) -> tuple[RankedSentence, ...]:
    """Return the sentences with one first that says something in the name of the source that a question names.

    Those of other documents and those that name another source are left out. Without such a sentence all stay.
    """
    named = _SOURCE.search(question.text)
    source = frozenset(stems(named[1])) if named else frozenset()
    topic = frozenset(question.stems) - source - _ASKING
    if not source or not topic:
        return tuple(chosen)
    said = [one for one in ranked if source <= _sayer(one.candidate) and topic & set(stems(one.candidate.text))]
    if not said:
        return tuple(chosen)
    first = next((one for one in chosen if one in said), said[0])
    here = [one for one in chosen if one.candidate.reference == first.candidate.reference]
    others = (one for one in chosen if one in said or (one in here and not _SOURCE.search(one.candidate.text)))
    return (first, *(one for one in others if one is not first))


def _sayer(candidate: CandidateSentence) -> frozenset[str]:
    """Return the stems of a sentence with those of its title, its speakers and of whom its “her” or “they” means."""
    before = candidate.before if _REFERS.search(candidate.text) else ""
    return candidate.stems.union(stems(f"{before} {candidate.title} {candidate.speakers}"))
