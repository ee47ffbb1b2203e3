"""Compares the dates that sentences state of two things: “older than”, “built earlier than”, “founded first”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.content_words import stems, stop_words_of
from desktop_rag.agent.extractive.quantities.labelled_amounts import NOT_COMPARED, cite_figure
from desktop_rag.agent.extractive.quantities.prose_amounts import part_about
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, certain
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.dates import Day, mentions

_EARLIER = "older|earlier|sooner|before|älter|früher"
_LATER = "younger|newer|later|after|more recent(?:ly)?|jünger|neuer|später"
_QUESTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:is|was|were|are|did|ist|war|wurden?)\s+(?P<one>.+?)\s+(?:(?P<early>{_EARLIER})|(?:{_LATER}))"
        r"(?:\s+(?:than|als))?\s+(?P<other>[^,?]+)\?*$",
        rf"^(?P<which>which|who|what|wer|welche\w*)\b.*?\b(?:(?P<early>{_EARLIER}|first|zuerst)|(?:{_LATER}|last|zuletzt))\b"
        r"[^:,]*[:,]\s*(?P<one>[^:,]+?)\s*,?\s+(?:or|oder)\s+(?P<other>[^:,?]+)\?*$",
    )
)
_ORIGIN = r"born|built|founded|established|constructed|launched|opened|erected|geboren|gebaut|gegründet|erbaut"
_EVENT = re.compile(rf"\b(?:{_ORIGIN}|\w+ed)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:older|younger|newer|älter|jünger|neuer)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,-])(?:1\d|20)\d\d(?![\d.,]\d)(?!\d)")
_NEAR = 40  # characters from an event to its date
_PAIR = 2


@dataclass(frozen=True, slots=True)
class StatedDate:
    """A date that a sentence states of a thing, and how it is written."""

    name: str
    source: CandidateSentence
    day: Day
    shown: str


@dataclass(frozen=True, slots=True)
class DateComparison:
    """Which of two things is the earlier or later one; `yes_no`: whether the first one is."""

    dates: tuple[StatedDate, StatedDate]
    earlier: bool
    yes_no: bool

    @property
    def calculation(self) -> dict[str, object]:
        """Nothing has to be calculated."""
        return {}

    @property
    def quoted(self) -> tuple[RankedSentence, ...]:
        """Return the sentences to quote."""
        return tuple(dict.fromkeys(certain(each.source) for each in self.dates))

    def lead_in(self, results: Sequence[ToolMessage]) -> str:
        """Return what follows from the dates; that nothing does if their known parts are equal."""
        del results
        one, other = self.dates
        shown = " and ".join(each.shown for each in self.dates)
        if one.day.agrees(other.day):
            return f"{NOT_COMPARED} as these dates do not tell which is earlier ({shown}):"
        first = _known(one.day) < _known(other.day)
        cited = " and ".join(cite_figure(each.source, each.shown) for each in self.dates)
        holds = first == self.earlier
        answer = ("Yes" if holds else "No") if self.yes_no else (one if holds else other).name
        return f"{answer}, going by {shown}, computed from {cited}:"


def compared_dates(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> DateComparison | None:
    """Return the dates of the two things that a question compares; None unless each has one."""
    asked = next((found for pattern in _QUESTIONS if (found := pattern.match(question.text))), None)
    if asked is None:
        return None
    event = _EVENT.search(question.text)
    aged = bool(_AGED.search(question.text))
    if not event and not aged:
        return None
    said = frozenset(stems(event[0])) if event else frozenset[str]()
    sides = [_EVENT.sub("", asked[name]).strip() for name in ("one", "other")]
    stop_words = stop_words_of(question.text.split())
    words = [frozenset(stems(side, stop_words)) for side in sides]
    if not (words[0] - words[1] and words[1] - words[0]):
        return None
    dates = [
        date
        for side, mine, others in ((sides[0], words[0], words[1]), (sides[1], words[1], words[0]))
        if (date := _date(side, mine, others, said, read))
    ]
    if len(dates) != _PAIR:
        return None
    return DateComparison((dates[0], dates[1]), bool(asked["early"]), "which" not in asked.re.groupindex)


def is_date_comparison(question: str) -> bool:
    """Return whether a question asks which of two things is the earlier one."""
    return any(pattern.match(question) for pattern in _QUESTIONS)


def _date(
    side: str, words: frozenset[str], others: frozenset[str], event: frozenset[str], read: Sequence[CandidateSentence]
) -> StatedDate | None:
    """Return the one date that sentences state of an event of a thing, or of its origin."""
    found: dict[Day, StatedDate] = {}
    for sentence in read:
        if not (words & sentence.stems and words <= sentence.stems | sentence.place_words):
            continue
        of_both = others - words <= sentence.stems
        part = part_about(sentence.text, words - others, others - words) if of_both else sentence.text
        for day, shown in _dates(part, event):
            found.setdefault(day, StatedDate(side[0].upper() + side[1:], sentence, day, shown))
    return next(iter(found.values())) if len(found) == 1 else None


def _dates(text: str, event: frozenset[str]) -> list[tuple[Day, str]]:
    """Return the dates just after an event in a text; without one, after an origin."""
    pattern = re.compile(rf"\b(?:{_ORIGIN})\b", re.IGNORECASE) if not event else _EVENT
    found: list[tuple[Day, str]] = []
    for verb in pattern.finditer(text):
        if event and not event.intersection(stems(verb[0])):
            continue
        rest = text[verb.end() : verb.end() + _NEAR]
        days = [each for each in mentions(rest) if each.days]
        year = _YEAR.search(rest)
        if days and len(days[0].days) == 1 and days[0].days[0].year and not (year and year.start() < days[0].start):
            found.append((days[0].days[0], rest[days[0].start : days[0].end].strip()))
        elif year:
            found.append((Day(int(year[0]), 0, 0), year[0]))
    return found


def _known(day: Day) -> tuple[int, int, int]:
    return day.year, day.month, day.day
