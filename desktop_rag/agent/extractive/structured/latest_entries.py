"""Finds what the latest entry says on a thing: what became of it, its budget now, what it cost in the end."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.asked_things import telling_words
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.text.dates import mentions

MOST = 2  # sentences of the latest entry
MIN_HELD = 0.6  # share of the telling words in a sentence, its section and what “it” refers to
_ASKS = re.compile(
    r"\b(?:in the end|finally|eventually|(?:became|become) of|happened (?:to|with)|now|nowadays|current(?:ly)?|latest|"
    r"most recent(?:ly)?|newest|up to date|zuletzt|inzwischen|derzeit|aktuelle?[nrs]?|schließlich|am ende|jetzt|"
    r"wurde aus)\b",
    re.IGNORECASE,
)
_HAPPENED = frozenset(stems("happen happened end finally eventually now currently"))
_REFERS = re.compile(r"\b(?:it|them|this|he|she|they|es|sie|ihn|er)\b", re.IGNORECASE)
_STAMP = 30  # characters of a message in which its date stands

Date = tuple[int, int, int]


def latest(
    question: AnalysedQuestion, chosen: Sequence[RankedSentence], ranked: Sequence[RankedSentence]
) -> list[RankedSentence]:
    """Return the sentences of the latest entry on what a question asks how it stands or ended; none if it asks no such.

    None either if there is but one day, or the latest is among the `chosen` ones.
    """
    if not _ASKS.search(question.text):
        return []
    asked = {form for _, forms in telling_words(question) for form in forms} - _HAPPENED
    told = (one for one in ranked if one.candidate.shape is not SentenceShape.HEADING and _tells(asked, one.candidate))
    dated = [(day, one) for one in told if (day := day_of(one.candidate))]
    days = sorted({day for day, _ in dated})
    if len(days) < MOST:
        return []
    last = [one for day, one in dated if day == days[-1]]
    if last[0] is chosen[0]:
        return []
    first, *others = last[:MOST]
    return [*others, first] if any(first.candidate.before == one.candidate.text for one in others) else [first, *others]


def _tells(asked: AbstractSet[str], candidate: CandidateSentence) -> bool:
    """Return whether a sentence with its section, and what its “it” refers to, has most words that its title lacks."""
    wanted = asked - set(stems(candidate.title))
    before = candidate.before if _REFERS.search(candidate.text) else ""
    held = candidate.stems.union(stems(f"{candidate.under} {before}"))
    return len(wanted & held) >= MIN_HELD * len(wanted) > 0


def day_of(candidate: CandidateSentence) -> Date | None:
    """Return the day of a sentence's message, of its entry or of its document."""
    return next(
        iter((*_days(candidate.text[:_STAMP], at_start=True), *_days(candidate.entry), *_days(candidate.dated))), None
    )


def _days(text: str, *, at_start: bool = False) -> Iterator[Date]:
    for found in mentions(text):
        if (
            found.days
            and found.days[0].year
            and found.days[0].day
            and not (at_start and text[: found.start].strip("[( "))
        ):
            yield found.days[0].year, found.days[0].month, found.days[0].day
