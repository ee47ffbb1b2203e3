"""Finds the row of a table that has all codes, dates and names of a question, and the search that leads to it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.quantity_answer import PRICED
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence, candidates
from desktop_rag.agent.tools.query_phrasing import any_of
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.dates import ENGLISH_MONTHS, Day, Mention, mentions

MAX_ROWS = 3  # of several tables, or of one that has what is asked more than once
# A word with letters and digits, or a number that is neither a year nor a part of an amount.
_CODE = re.compile(
    r"(?<![\w.,-])(?=\w*[-/]?\w*\d)(?!(?:19|20)\d\d\b)(?:[^\W\d_]+\d\w*|\d+[^\W\d_]\w*|\d{3,}|\w+(?:[-/]\w+)+)(?![.,]?\d)"
)
_NO_FACT = frozenset((AnswerType.REASON, AnswerType.YES_NO, AnswerType.LIST))


@dataclass(frozen=True, slots=True)
class RowKeys:
    """What identifies a row: its codes, lower-case, and its dates; `names` and `rest` are stems of the question."""

    codes: tuple[str, ...]
    dates: tuple[Mention, ...]
    names: frozenset[str]
    rest: frozenset[str]


def row_keys(question: AnalysedQuestion) -> RowKeys | None:
    """Return the codes, dates and names of a question; None if it has neither code nor date."""
    dates = tuple(date for date in _dates(question.text))
    bare = question.text
    for date in dates:
        bare = bare[: date.start] + " " * (date.end - date.start) + bare[date.end :]
    codes = tuple(dict.fromkeys(found[0].lower() for found in _CODE.finditer(bare)))
    if not (codes or dates):
        return None
    bare = _CODE.sub(" ", bare)
    names = {word for name in question.names for word in stems(name)} & set(stems(bare))
    return RowKeys(codes, dates, frozenset(names), frozenset(stems(bare)) & frozenset(question.stems) - names)


def row_query(question: AnalysedQuestion) -> str:
    """Return a query with operators for the passages that have the codes and dates, in other spellings, too."""
    keys = row_keys(question)
    if keys is None or question.asks in _NO_FACT:
        return ""
    dates = ((question.text[date.start : date.end], *_spellings(date.days[0])) for date in keys.dates)
    parts = [*([code] for code in keys.codes), *dates]
    if keys.names and not keys.codes:
        words = (word for name in question.names for word in name.split())
        parts.append([word for word in words if keys.names.intersection(stems(word))])
    return " AND ".join(f"({any_of(part)})" for part in parts) if keys.codes or len(parts) > 1 else ""


def identified_rows(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> tuple[CandidateSentence, ...]:
    """Return the rows with all codes, dates and names of the question; none if a sentence says as much of it."""
    keys = row_keys(question)
    if keys is None or question.asks in _NO_FACT:
        return ()
    best: dict[int, list[CandidateSentence]] = {}
    most_said = 0
    for each in candidates(results):
        told = _told(keys, each)
        if told and each.shape is SentenceShape.ROW:
            best.setdefault(told, []).append(each)
        else:
            most_said = max(most_said, told)
    most = max(best, default=0)
    rows = best.get(most, [])
    return tuple(rows) if most > most_said and len(rows) <= MAX_ROWS else ()


def _told(keys: RowKeys, each: CandidateSentence) -> int:
    """Return how many words of the question a sentence has with its place; 0 if it lacks a code, date or name."""
    text = each.text.lower()
    if not all(re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", text) for code in keys.codes):
        return 0
    days = [day for found in mentions(each.text) for day in found.days] if keys.dates else []
    if not all(any(_is_same(asked, day) for asked in date.days for day in days) for date in keys.dates):
        return 0
    around = each.place_words | PRICED
    named, said = keys.names & each.stems, keys.rest & each.stems
    unnamed = keys.names - each.stems - around
    headless = not each.columns  # the names of the columns may not have been read
    if unnamed and not (named and headless):
        return 0
    identified = len(keys.codes) + len(keys.dates) + bool(named or said)
    fitting = (keys.rest - said) & around
    if identified < 2 and not (keys.codes and headless) and 2 * len(fitting) < len(keys.rest):
        return 0
    return 2 * (identified + len(named) + len(said)) + len(fitting | (keys.names & around))


def _is_same(asked: Day, day: Day) -> bool:
    """Return whether a date has all parts of the one that is asked for."""
    return all(not one or one == other for one, other in zip(_parts(asked), _parts(day), strict=True))


def _parts(day: Day) -> tuple[int, int, int]:
    return day.year, day.month, day.day


def _dates(text: str) -> Iterator[Mention]:
    """Yield the dates that tell a month and a year or a day."""
    yield from (found for found in mentions(text) if found.days and sum(map(bool, _parts(found.days[0]))) > 1)


def _spellings(day: Day) -> Iterator[str]:
    """Yield ways to write a date in a table."""
    month = ENGLISH_MONTHS[day.month - 1]
    if not day.day:
        yield from (f"{day.year}-{day.month:02}", f"{day.month:02}/{day.year}", f"{month} {day.year}")
    elif day.year:
        yield from (f"{day.year}-{day.month:02}-{day.day:02}", f"{day.day:02}.{day.month:02}.{day.year}")
        yield from (f"{day.day:02}/{day.month:02}/{day.year}", f"{day.month:02}/{day.day:02}/{day.year}")
        yield from (f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}")
    else:
        yield from (f"{day.day} {month}", f"{month} {day.day}")
